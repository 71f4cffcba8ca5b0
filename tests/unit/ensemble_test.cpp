// Ensembles: every motion has the bits that its own Stepper gives it.
#include <extremal/ensemble.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "../common/refusal.hpp"

namespace extremal::ensemble_test {
namespace {

System pendulum() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  const auto g = s.parameter("g", "9.81"), m = s.parameter("m", 1);
  s.kinetic(ball, [](auto, auto v, auto mass) { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]); }, m);
  s.potential(ball, [](auto q, auto gravity, auto mass) { return mass * gravity * q[1]; }, g, m);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return s;
}
// With forces that are not constant, and functions that take branches.
System spring() {
  System s("spring");
  const auto ball = s.coordinates("x", "y");
  const auto k = s.parameter("k", 10);
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(
      ball,
      [](auto q, auto stiffness) {
        const auto r = sqrt(q[0] * q[0] + q[1] * q[1]);
        if (q[1] < 0.0) return 0.5 * stiffness * (r - 1.0) * (r - 1.0);
        return 0.25 * stiffness * (r - 1.0) * (r - 1.0);
      },
      k);
  return s;
}

// Members with the arrays that they refer to, and the length of each one's steps.
struct Some {
  std::vector<double> q, v, g, m, steps;
  System system;
  Members members() const {
    Members out{.system = system, .start = {.q = {1, 0}}, .count = steps.size()};
    out.positions(q);
    if (!v.empty()) out.velocities(v);
    if (!g.empty()) out.set(system.parameter_names()[0], g);
    if (!m.empty()) out.set("m", m);
    return out;
  }
};

Some pendulums(int count) {
  Some all{.system = pendulum()};
  for (int k = 0; k < count; ++k) {
    const double angle = 0.1 + 2.8 * k / count;
    all.q.insert(all.q.end(), {std::sin(angle), -std::cos(angle)});
    all.g.push_back(9 + 0.05 * k);
    all.m.push_back(1 + 0.01 * k);
    all.steps.push_back(0.005 + 0.001 * (k % 5));
  }
  return all;
}

Some springs(int count) {
  Some all{.system = spring()};
  for (int k = 0; k < count; ++k) {
    all.q.insert(all.q.end(), {0.9 + 0.01 * k, 0.1});
    all.v.insert(all.v.end(), {0, 1});
    all.g.push_back(5 + k);
    all.steps.push_back(0.01);
  }
  return all;
}

void expect_same_bits(const char* scheme, const Some& some, long steps, long at_once) {
  SCOPED_TRACE(some.system.name() + " " + scheme);
  const Members members = some.members();
  Ensemble ensemble(Scheme::named(scheme), members, some.steps);
  for (long k = 0; k < steps; k += at_once) ensemble.step(at_once);
  for (int k = 0; k < ensemble.size(); ++k) {
    const auto member = static_cast<std::size_t>(k);
    Stepper<double> single(members.system_of(member), Scheme::named(scheme));
    single.start(members.start_of(member), some.steps[member]);
    for (long i = 0; i < steps; ++i) ASSERT_TRUE(single.step(some.steps[member]).converged);
    EXPECT_EQ(ensemble.state(k).q, single.state().q) << k;
    EXPECT_EQ(ensemble.state(k).p, single.state().p) << k;
    EXPECT_EQ(ensemble.state(k).t, single.state().t) << k;
    EXPECT_FALSE(ensemble.failed(k));
    const Observation<double> here = ensemble.motion(k).observe(), there = single.observe();
    EXPECT_EQ(here.lambda, there.lambda) << k;
    EXPECT_EQ(here.energy(), there.energy()) << k;
  }
}

TEST(Ensemble, HasTheBitsOfSingleMotions) {
  for (const char* scheme : {"rattle", "lobatto(3)", "spark(3)", "spark(5)", "kahan_li(6, rattle)"}) {
    expect_same_bits(scheme, pendulums(21), 300, 100);
    expect_same_bits(scheme, springs(18), 300, 300);
  }
}

TEST(Ensemble, DoesNotDependOnInstructions) {
  for (const Instructions most : {Instructions::baseline, Instructions::avx2, Instructions::avx512}) {
    limit_instructions(most);
    expect_same_bits("spark(2)", pendulums(5), 50, 50);
  }
}

TEST(Ensemble, DoesNotDependOnCompanions) {
  const Some all = pendulums(40);
  Some few{.system = all.system};
  for (const std::size_t k : {39, 7, 20}) {
    few.q.insert(few.q.end(), {all.q[2 * k], all.q[2 * k + 1]});
    few.g.push_back(all.g[k]);
    few.m.push_back(all.m[k]);
    few.steps.push_back(all.steps[k]);
  }
  Ensemble together(Scheme::named("spark(2)"), all.members(), all.steps);
  Ensemble others(Scheme::named("spark(2)"), few.members(), few.steps);
  together.step(200);
  others.step(200);
  EXPECT_EQ(together.state(7).q, others.state(1).q);
  EXPECT_EQ(together.state(39).p, others.state(0).p);
  EXPECT_NE(together.state(7).q, together.state(8).q);
}

// Members in another order are in other lanes, beside others, of whom some leave their lanes.
TEST(Ensemble, DoesNotDependOnTheLane) {
  Some all = pendulums(37);
  for (const std::size_t k : {3, 20}) all.steps[k] = 0.3;
  const auto from = [](std::size_t k) { return (5 * k + 11) % 37; };
  Some moved{.system = all.system};
  for (std::size_t k = 0; k < 37; ++k) {
    moved.q.insert(moved.q.end(), {all.q[2 * from(k)], all.q[2 * from(k) + 1]});
    moved.g.push_back(all.g[from(k)]);
    moved.m.push_back(all.m[from(k)]);
    moved.steps.push_back(all.steps[from(k)]);
  }
  for (const char* scheme : {"rattle", "lobatto(3)", "spark(4)", "kahan_li(6, rattle)"})
    for (const Instructions most : {Instructions::avx512, Instructions::avx2, Instructions::baseline}) {
      SCOPED_TRACE(scheme);
      limit_instructions(most);
      Ensemble one(Scheme::named(scheme), all.members(), all.steps);
      Ensemble other(Scheme::named(scheme), moved.members(), moved.steps);
      one.step(300);
      other.step(100);
      other.step(200);
      for (int k = 0; k < 37; ++k) {
        const int home = static_cast<int>(from(static_cast<std::size_t>(k)));
        EXPECT_EQ(other.state(k).q, one.state(home).q) << k;
        EXPECT_EQ(other.state(k).p, one.state(home).p) << k;
        EXPECT_EQ(other.state(k).t, one.state(home).t) << k;
        EXPECT_EQ(other.failed(k), one.failed(home)) << k;
      }
    }
  limit_instructions(Instructions::avx512);
}

// Of the same constraint written with parameters, only some members have a step in closed form to the last bit.
TEST(Ensemble, HasTheBitsOfMembersWithOtherForms) {
  System s("pivoted");
  const auto q = s.coordinates("x", "y");
  const auto c = s.parameter("c", 0), e = s.parameter("m", 0);
  s.kinetic(q, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(q, [](auto x) { return 9.81 * x[1]; });
  s.constraint(
      "rod", q,
      [](auto x, auto shift, auto mixed) {
        return x[0] * x[0] + (x[1] - shift) * (x[1] - shift) - 1.0 + mixed * x[0] * x[1];
      },
      c, e);
  Some some{.system = s};
  for (int k = 0; k < 20; ++k) {
    some.q.insert(some.q.end(), {1, 0.01 * k});
    some.g.push_back(0.01 * k);
    some.m.push_back(k % 7 == 3 ? 0.001 : 0);
    some.steps.push_back(0.01);
  }
  for (std::size_t k = 3; k < 20; k += 7) some.g[k] = 0, some.q[2 * k + 1] = 0;
  expect_same_bits("rattle", some, 300, 100);
}

TEST(Ensemble, RunsInLanes) {
  const Some some = pendulums(40);
  Ensemble ensemble(Scheme::named("rattle"), some.members(), some.steps);
  EXPECT_EQ(ensemble.in_lanes(), 40);
  ensemble.step(11);
  EXPECT_EQ(ensemble.in_lanes(), 40);
}

// A motion that is asked for goes on in its lane.
TEST(Ensemble, AnswersBetweenSteps) {
  const Some some = pendulums(3);
  Ensemble asked(Scheme::named("rattle"), some.members(), some.steps);
  Ensemble silent(Scheme::named("rattle"), some.members(), some.steps);
  EXPECT_EQ(asked.motion(1).state().q, asked.state(1).q);  // at the start
  for (int k = 0; k < 20; ++k) {
    asked.step(5);
    EXPECT_EQ(asked.motion(1).state().q, asked.state(1).q);
  }
  silent.step(100);
  EXPECT_EQ(asked.state(1).q, silent.state(1).q);
  EXPECT_EQ(asked.in_lanes(), 3);
}

// Steps that lanes cannot take are taken singly, and a motion that fails harms no other.
TEST(Ensemble, FallsBackOneByOne) {
  Some some{.system = pendulum()};
  for (int k = 0; k < 6; ++k) {
    some.q.insert(some.q.end(), {1, 0});
    some.g.push_back(k == 3 ? 1e6 : 9.81);
    some.steps.push_back(k == 4 ? 0.15 : 0.01);
  }
  Some calm{.q = {1, 0, 1, 0, 1, 0}, .g = {9.81, 9.81, 9.81}, .steps = {0.01, 0.01, 0.15}, .system = some.system};
  expect_same_bits("rattle", calm, 100, 100);
  Ensemble ensemble(Scheme::named("rattle"), some.members(), some.steps);
  ensemble.step(2000);
  EXPECT_TRUE(ensemble.failed(3));
  EXPECT_FALSE(ensemble.report(3).converged);
  for (const int k : {0, 1, 2, 4, 5}) EXPECT_FALSE(ensemble.failed(k)) << k;
  EXPECT_EQ(ensemble.state(0).q, ensemble.state(5).q);
}

TEST(Ensemble, RefusesStartsOneByOne) {
  const std::vector<double> x = {1, 1.5};
  Members members{.system = pendulum(), .start = {.q = {1, 0}}, .count = 2};
  Ensemble ensemble(Scheme::named("rattle"), members.place("x", x), 0.01);
  ensemble.step(20);
  EXPECT_EQ(ensemble.refused(0), "");
  EXPECT_EQ(ensemble.refused(1),
            refusal([&] { Stepper<double>(members.system, Scheme::named("rattle")).start(members.start_of(1)); }));
  EXPECT_TRUE(ensemble.failed(1));
  EXPECT_NEAR(ensemble.state(0).t, 0.2, 1e-15);
}

// An entry of the mass that vanishes for one member is another matrix, and another order of operations.
TEST(Ensemble, HasTheBitsOfMembersWithOtherPatterns) {
  System s("coupled");
  const auto q = s.coordinates("x", "y");
  const auto c = s.parameter("c", 0.5);
  s.kinetic(q, [](auto, auto v, auto k) { return 0.5 * (v[0] * v[0] + v[1] * v[1]) + k * v[0] * v[1]; }, c);
  s.potential(q, [](auto x) { return 9.81 * x[1]; });
  s.constraint("rod", q, [](auto x) { return x[0] * x[0] + x[1] * x[1] - 1.0; });
  Some some{.system = s};
  for (int k = 0; k < 5; ++k) {
    some.q.insert(some.q.end(), {0.6, -0.8});
    some.g.push_back(0.1 * (k % 3));
    some.steps.push_back(0.01);
  }
  expect_same_bits("spark(2)", some, 100, 50);
}

TEST(Ensemble, KnowsWhoHasLanes) {
  EXPECT_TRUE(Ensemble::has_lanes(pendulum(), Scheme::named("spark(3)")));
  EXPECT_FALSE(Ensemble::has_lanes(pendulum(), Scheme::named("ggl")));
  EXPECT_FALSE(Ensemble::has_lanes(model("four-bar-chain").system, Scheme::named("rattle")));
}

// Members keep their own numbers: arrays may be gone when a motion leaves its lane.
TEST(Ensemble, OutlivesTheArrays) {
  auto some = std::make_unique<Some>(pendulums(3));
  some->steps[1] = 0.4;  // too long for lanes, sooner or later
  Ensemble ensemble(Scheme::named("rattle"), some->members(), some->steps);
  const Some kept = *some;
  some.reset();
  ensemble.step(200);
  Stepper<double> single(kept.members().system_of(1), Scheme::named("rattle"));
  single.start(kept.members().start_of(1));
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(single.step(0.4).converged);
  EXPECT_EQ(ensemble.state(1).q, single.state().q);
}

TEST(Members, RefusesWhatIsNotThere) {
  const std::vector<double> two = {1, 2};
  Members members{.system = pendulum(), .start = {.q = {1, 0}}, .count = 2};
  EXPECT_EQ(refusal([&] { members.set("l", two); }), "members: no parameter \"l\"; expected one of g, m");
  EXPECT_EQ(refusal([&] { members.place("v:z", two); }), "members: no coordinate \"z\"; expected one of x, y");
  EXPECT_EQ(refusal([&] { members.positions(two); }), "members: an array of starts has 2 values; expected 4");
}

}  // namespace
}  // namespace extremal::ensemble_test
