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

Number text(double x) { return Number(x); }

std::vector<Ensemble::Member> pendulums(int count) {
  const System system = pendulum();
  std::vector<Ensemble::Member> members;
  for (int k = 0; k < count; ++k) {
    const double angle = 0.1 + 2.8 * k / count;
    members.push_back({system.with("g", text(9 + 0.05 * k)).with("m", text(1 + 0.01 * k)),
                       {.q = {text(std::sin(angle)), text(-std::cos(angle))}},
                       0.005 + 0.001 * (k % 5)});
  }
  return members;
}

std::vector<Ensemble::Member> springs(int count) {
  const System system = spring();
  std::vector<Ensemble::Member> members;
  for (int k = 0; k < count; ++k)
    members.push_back({system.with("k", text(5 + k)), {.q = {text(0.9 + 0.01 * k), 0.1}, .v = {0, 1}}, 0.01});
  return members;
}

void expect_same_bits(const char* scheme, const std::vector<Ensemble::Member>& members, long steps, long at_once) {
  SCOPED_TRACE(members.front().system.name() + " " + scheme);
  Ensemble ensemble(Scheme::named(scheme), members);
  for (long k = 0; k < steps; k += at_once) ensemble.step(at_once);
  for (int k = 0; k < ensemble.size(); ++k) {
    const Ensemble::Member& member = members[static_cast<std::size_t>(k)];
    Stepper<double> single(member.system, Scheme::named(scheme));
    single.start(member.start, member.step);
    for (long i = 0; i < steps; ++i) ASSERT_TRUE(single.step(member.step).converged);
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
  const std::vector<Ensemble::Member> all = pendulums(40);
  Ensemble together(Scheme::named("spark(2)"), all);
  Ensemble others(Scheme::named("spark(2)"), {all[39], all[7], all[20]});
  together.step(200);
  others.step(200);
  EXPECT_EQ(together.state(7).q, others.state(1).q);
  EXPECT_EQ(together.state(39).p, others.state(0).p);
  EXPECT_NE(together.state(7).q, together.state(8).q);
}

TEST(Ensemble, RunsInLanes) {
  Ensemble ensemble(Scheme::named("rattle"), pendulums(40));
  EXPECT_EQ(ensemble.in_lanes(), 0);  // the first steps are seeds
  ensemble.step(1);
  ensemble.step(10);
  EXPECT_EQ(ensemble.in_lanes(), 40);
}

// Steps that lanes cannot take are taken singly, and a motion that fails harms no other.
TEST(Ensemble, FallsBackOneByOne) {
  const System system = pendulum();
  std::vector<Ensemble::Member> members;
  for (int k = 0; k < 6; ++k)
    members.push_back({system.with("g", text(k == 3 ? 1e6 : 9.81)), {.q = {1, 0}}, k == 4 ? 0.15 : 0.01});
  expect_same_bits("rattle", {members[0], members[1], members[4]}, 100, 100);
  Ensemble ensemble(Scheme::named("rattle"), members);
  ensemble.step(2000);
  EXPECT_TRUE(ensemble.failed(3));
  EXPECT_FALSE(ensemble.report(3).converged);
  for (const int k : {0, 1, 2, 4, 5}) EXPECT_FALSE(ensemble.failed(k)) << k;
  EXPECT_EQ(ensemble.state(0).q, ensemble.state(5).q);
}

TEST(Ensemble, RefusesStartsOneByOne) {
  const System system = pendulum();
  Ensemble ensemble(Scheme::named("rattle"), {{system, {.q = {1, 0}}, 0.01}, {system, {.q = {1, 0, 0}}, 0.01}});
  ensemble.step(20);
  EXPECT_EQ(ensemble.refused(0), "");
  EXPECT_NE(ensemble.refused(1), "");
  EXPECT_TRUE(ensemble.failed(1));
  EXPECT_NEAR(ensemble.state(0).t, 0.2, 1e-15);
}

TEST(Ensemble, KnowsWhoHasLanes) {
  EXPECT_TRUE(Ensemble::has_lanes(pendulum(), Scheme::named("spark(3)")));
  EXPECT_FALSE(Ensemble::has_lanes(pendulum(), Scheme::named("ggl")));
  EXPECT_FALSE(Ensemble::has_lanes(model("four-bar-chain").system, Scheme::named("rattle")));
}

TEST(Ensemble, RefusesStrangers) {
  EXPECT_EQ(refusal([] {
              Ensemble(Scheme::named("rattle"), {{pendulum(), {.q = {1, 0}}, 0.01}, {pendulum(), {.q = {1, 0}}, 0.01}});
            }),
            "ensemble: systems with different terms; expected variants of one system; try System::with");
}

}  // namespace
}  // namespace extremal::ensemble_test
