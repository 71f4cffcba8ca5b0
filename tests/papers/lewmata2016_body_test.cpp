// Rigid bodies of [LewMata2016, section 4.1] by lie(trapezoidal) and its relatives: known motions, laws, and the same
// map on directors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bodies/quaternion.hpp"
#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "full.hpp"
#include "refusal.hpp"
#include "validation.hpp"

namespace extremal::papers::lewmata2016_body_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Of a single body: its quaternion, with the sign of the reference, and the angular velocity in body axes.
struct Turn {
  std::vector<quad> q, omega;
};

Turn turn_of(const State<quad>& state, const std::vector<quad>& reference) {
  const auto vector = [](const std::vector<quad>& x, std::size_t at) {
    return lie::Vec3<quad>{x[at], x[at + 1], x[at + 2]};
  };
  const lie::Columns<quad> R{vector(state.q, 3), vector(state.q, 6), vector(state.q, 9)};
  lie::Quaternion<quad> r = lie::from_columns(R);
  if (r.w * reference[0] + r.x * reference[1] + r.y * reference[2] + r.z * reference[3] < quad(0)) r = quad(-1) * r;
  lie::Vec3<quad> pi{};
  for (std::size_t i = 3; i < 12; i += 3) pi = pi + cross(vector(state.q, i), vector(state.p, i));
  const lie::Vec3<quad> body = R.to_body(pi);
  return {{r.w, r.x, r.y, r.z}, {body.x / quad(1), body.y / quad(2), body.z / quad(3)}};
}

// At t = 10, by Taylor series with 45 digits.
std::vector<quad> numbers(std::initializer_list<const char*> texts) {
  std::vector<quad> out;
  for (const char* text : texts) out.push_back(Number(text).as<quad>());
  return out;
}
const std::vector<quad>& free_quaternion() {
  static const auto q = numbers(
      {"-0.01293111899755681864", "0.99854830744611804554", "-0.00666567243172579313", "-0.05186166859055798353"});
  return q;
}

double euclidean(const std::vector<quad>& x, const std::vector<quad>& y) {
  quad sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return static_cast<double>(math::sqrt(sum));
}

template <class S>
State<S> after(const Model& m, const char* scheme, const Number& until, int steps) {
  Stepper<S> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  const S h = until.as<S>() / S(steps);
  for (int k = 0; k < steps; ++k)
    if (!stepper.step(h).converged) throw std::runtime_error(std::string(scheme) + ": no convergence");
  return stepper.state();
}

TEST(FreeBody, ErrsAsTheVariationalIntegratorDoes) {
  const Model m = model("free-body");
  const struct {
    int steps;
    double error;
    int digits;
  } table[] = {{100, 6.79e-2, 3}, {200, 1.675e-2, 4}, {400, 4.17e-3, 3}, {6400, 1.63e-5, 3}};
  for (const auto& row : table) {
    const State<quad> end = after<quad>(m, "lie(trapezoidal)", 10, row.steps);
    const double error = euclidean(turn_of(end, free_quaternion()).q, free_quaternion());
    EXPECT_NEAR(error, row.error, half_unit(row.error, row.digits)) << row.steps << " steps";
    char text[80];
    std::snprintf(text, sizeof text, "| %.7g | %.2e |", 10.0 / row.steps, error);
    record("lie-free-body", text);
  }
}

TEST(FreeBody, HasTheOrdersOfTheCompositions) {
  const Model m = model("free-body");
  const std::vector<quad> omega =
      numbers({"-0.04104996797077951600", "-1.99960368576615650723", "0.02506724203950928021"});
  const struct {
    const char* scheme;
    int order;
    std::vector<int> steps;
  } table[] = {{"lie(trapezoidal)", 2, {400, 800, 1600}},
               {"suzuki(4, lie(trapezoidal))", 4, {200, 400, 800}},
               {"kahan_li(6, lie(trapezoidal))", 6, {200, 400, 800}}};
  for (const auto& row : table) {
    double turn = 0, speed = 0;
    for (std::size_t i = 0; i < row.steps.size(); ++i) {
      const Turn end = turn_of(after<quad>(m, row.scheme, 10, row.steps[i]), free_quaternion());
      const double fine = euclidean(end.q, free_quaternion()), fine_speed = euclidean(end.omega, omega);
      if (i > 0) {
        EXPECT_NEAR(std::log2(turn / fine), row.order, 0.25) << row.scheme;
        EXPECT_NEAR(std::log2(speed / fine_speed), row.order, 0.25) << row.scheme;
      }
      turn = fine, speed = fine_speed;
    }
    char text[120];
    std::snprintf(text, sizeof text, "| %s | %d | %.0e | %.0e |", row.scheme, row.order, turn, speed);
    record("lie-free-body-orders", text);
  }
}

// On their own the bodies follow the exact orbit of the energy: only the phase errs.
TEST(FreeBody, KeepsItsEnergyToRoundOff) {
  const Model m = model("free-body");
  const auto run = extremal::run(m.system, "lie(trapezoidal)", m.start, {.step = "0.1", .until = 2000, .every = 100});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_LE(run.energy_max_error, 1e-12);
}

TEST(Top, StaysAtItsHeightAsTheStepSays) {
  const Model m = model("top-lie");
  const struct {
    const char* step;
    double height;
    int digits;
  } table[] = {{"0.002", 2.641e-4, 4}, {"0.001", 6.49e-5, 3}, {"0.0005", 1.62e-5, 3}};
  for (const auto& row : table) {
    const auto run = extremal::run(m.system, "lie(trapezoidal)", m.start, {.step = row.step, .until = 2});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    const auto [low, high] = std::minmax_element(run.column("cone.z").begin(), run.column("cone.z").end());
    EXPECT_NEAR(*high - 0.0375, row.height, half_unit(row.height, row.digits)) << row.step;
    EXPECT_NEAR(*low, 0.0375, 1e-12) << row.step;  // to one side only
    ASSERT_EQ(run.momentum_error.size(), 1u);
    EXPECT_LE(run.momentum_error[0].values[0], 1e-14);
    const double energy = run.energy_max_error / run.energy_initial;
    if (row.digits == 4) {
      EXPECT_NEAR(energy, 7.7e-7, 0.5e-8);
    }
    char text[80];
    std::snprintf(text, sizeof text, "| %s | %.2e | %.1e |", row.step, *high - 0.0375, energy);
    record("lie-top", text);
  }
}

Mechanism asymmetric_top() {
  Mechanism m("asymmetric top");
  m.gravity(0, 0, -1);
  const Body body = m.body("body", {.mass = 1, .inertia = {"0.3", "0.4", "0.5"}});
  m.spherical("tip", m.ground(0, 0, 0), body.at(0, 0, "-1/2"));
  // The tip is at rest: v = omega x r.
  m.place(body, {.position = {0, 0, "1/2"}, .velocity = {"1/4", "-1/8", 0}, .angular_velocity = {"1/4", "1/2", 4}});
  return m;
}

// Energy by blocks: a drift shows as a difference of the means that is more than their scatter.
struct Long {
  double bound = 0, momentum = 0, gap = 0;
  std::vector<double> means;
};

Long long_run(const Mechanism& m, double h, long steps, int every, int blocks) {
  Stepper<double> stepper(m.system(), Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start());
  Observation<double> seen;
  stepper.observe(seen, false);
  const double E = seen.energy();
  const std::vector<double> I = seen.momenta;
  Long out;
  const long block = steps / blocks;
  double sum = 0;
  long count = 0;
  for (long k = 1; k <= steps; ++k) {
    if (!stepper.step(h).converged) throw std::runtime_error("no convergence");
    if (k % every == 0) {
      stepper.observe(seen, false);
      out.bound = std::max(out.bound, std::fabs(seen.energy() - E));
      out.gap = std::max(out.gap, seen.constraint);
      double size = 0, change = 0;
      for (std::size_t i = 0; i < I.size(); ++i) {
        size = std::max(size, std::fabs(I[i]));
        change = std::max(change, std::fabs(seen.momenta[i] - I[i]));
      }
      out.momentum = std::max(out.momentum, change / size);
      sum += seen.energy() - E;
      ++count;
    }
    if (k % block == 0) {
      out.means.push_back(sum / static_cast<double>(count));
      sum = 0, count = 0;
    }
  }
  return out;
}

void expect_no_drift(const Long& found) {
  const std::size_t n = found.means.size();
  double first = 0, last = 0, scatter = 0;
  for (std::size_t i = 0; i < n / 2; ++i) first += found.means[i], last += found.means[n - 1 - i];
  first /= static_cast<double>(n / 2), last /= static_cast<double>(n / 2);
  for (const double x : found.means) scatter = std::max(scatter, std::fabs(x - (first + last) / 2));
  EXPECT_LE(std::fabs(last - first), 2 * scatter / std::sqrt(static_cast<double>(n / 2)) + 1e-12);
  EXPECT_LE(scatter, found.bound / 2);  // the means are steadier than the energy
}

// The angular velocity of the remark on the midpoint rule is sin(2 a)/2h where that of the trapezoidal rule is
// sin(a)/h, for a turn by a: four times its error, and every step is iterated.
TEST(MidpointRule, BesideTheTrapezoidalRule) {
  const auto row = [](const char* what, double h, double trapezoidal, double midpoint) {
    char text[160];
    std::snprintf(text, sizeof text, "| %s | %.4g | %.2e | %.2e |", what, h, trapezoidal, midpoint);
    record("lie-middle", text);
  };
  const Model body = model("free-body"), top = model("top-lie");
  std::array<double, 2> coarse{};
  for (const int steps : {400, 800}) {
    std::array<double, 2> error{};
    for (std::size_t k = 0; k < 2; ++k)
      error[k] = euclidean(
          turn_of(after<quad>(body, k == 0 ? "lie(trapezoidal)" : "lie(midpoint)", 10, steps), free_quaternion()).q,
          free_quaternion());
    EXPECT_NEAR(error[1] / error[0], 4.13, 0.02) << steps;
    for (std::size_t k = 0; k < 2 && steps == 800; ++k) EXPECT_NEAR(std::log2(coarse[k] / error[k]), 2, 0.1);
    coarse = error;
    row("free body, quaternion at t = 10", 10.0 / steps, error[0], error[1]);
  }
  for (const char* step : {"0.001", "0.0005"}) {
    std::array<double, 2> rise{}, energy{};
    for (std::size_t k = 0; k < 2; ++k) {
      const auto all = extremal::run(top.system, k == 0 ? "lie(trapezoidal)" : "lie(midpoint)", top.start,
                                     {.step = step, .until = 2});
      ASSERT_EQ(all.status, Status::complete) << all.reason;
      for (const double z : all.column("cone.z")) rise[k] = std::max(rise[k], std::fabs(z - 0.0375));
      energy[k] = all.energy_max_error / all.energy_initial;
    }
    EXPECT_GT(rise[1], 2 * rise[0]) << step;
    EXPECT_GT(energy[1], 2 * energy[0]) << step;
    row("top, largest error of the height until t = 2", Number(step).as<double>(), rise[0], rise[1]);
    row("top, relative error of the energy", Number(step).as<double>(), energy[0], energy[1]);
  }
}

TEST(AsymmetricTop, NeitherGainsNorLosesInAMillionSteps) {
  const Long found = long_run(asymmetric_top(), 0.02, 1000000, 37, 40);
  EXPECT_GT(found.bound, 1e-7);  // it is no free body
  EXPECT_LT(found.bound, 2e-3);
  EXPECT_LE(found.momentum, 1e-12);
  EXPECT_LE(found.gap, 1e-14);
  expect_no_drift(found);
}

TEST(AsymmetricTop, KeepsAllMomentaWithoutGravity) {
  Mechanism m("free");
  const Body body = m.body("body", {.mass = 2, .inertia = {"0.3", "0.4", "0.5"}});
  m.place(body, {.position = {1, 2, 3}, .velocity = {"1e-3", "-2e-3", 0}, .angular_velocity = {1, 2, "1/3"}});
  const Long found = long_run(m, 0.05, papers::full() ? 1000000 : 200000, 1000, 40);
  EXPECT_LE(found.momentum, 1e-12);
  EXPECT_LE(found.bound, 1e-11);
}

// The same map with the multipliers of rigidity: lie(S) on bodies is S on directors.
struct Difference {
  double q = 0, p = 0;  // relative to the largest
  double work = 0;      // of all steps
  int steps = 0, by_directors = 0;
};

template <class S>
Difference difference(const System& system, const Start& start, const char* lie, const char* directors,
                      const Number& step, int steps) {
  Stepper<S> a(system, Scheme::named(lie)), b(system, Scheme::named(directors));
  a.start(start);
  b.start(start);
  Difference out;
  double q = 0, p = 0;
  S work(0);
  const S h = step.as<S>();
  for (int k = 0; k < steps; ++k) {
    const StepReport report = a.step(h);
    if (!report.converged || !b.step(h).converged) throw std::runtime_error("no convergence");
    out.by_directors += report.remedy == Remedy::directors ? 1 : 0;
    ++out.steps;
    work += a.work() - b.work();
    out.q = std::max(out.q, distance(a.state().q, b.state().q));
    out.p = std::max(out.p, distance(a.state().p, b.state().p));
    q = std::max(q, size(b.state().q));
    p = std::max(p, size(b.state().p));
  }
  out.q /= q;
  out.p /= p;
  out.work = magnitude(work);
  return out;
}

// A wheel that is turned as given, on it an arm with a spring about its axle and a second arm that a motor turns, a
// damper along a line to the ground.
Mechanism driven_arms() {
  Mechanism m("driven arms");
  m.gravity(0, 0, "-9.81");
  const auto body = [&](const char* name) { return m.body(name, {.mass = 1, .inertia = {"0.02", "0.1", "0.11"}}); };
  const Body wheel = body("wheel"), arm = body("arm"), hand = body("hand");
  m.place(arm, {.position = {"1/2", 0, 0}});
  m.place(hand, {.position = {"3/2", 0, 0}});
  m.drive("engine", wheel, {.rotation = {0, [](auto t) { return 0.3 * t * t; }, 0}});
  m.revolute("shoulder", wheel.at(0, 0, 0), arm.at("-1/2", 0, 0), {0, 1, 0});
  m.revolute("elbow", arm.at("1/2", 0, 0), hand.at("-1/2", 0, 0), {"3/5", "4/5", 0});
  m.torsion_spring("shoulder spring", wheel, arm, 3, "1/5", {0, 1, 0});
  m.motor("elbow motor", arm, hand, [](auto t) { return 2.0 * sin(3.0 * t); }, {"3/5", "4/5", 0});
  m.line_damper("damper", m.ground(0, 1, 1), hand.at("1/2", 0, 0), "0.4");
  return m;
}

// A rod on a shaker, damped in every way there is.
Mechanism shaken_rod() {
  Mechanism m("shaken rod");
  m.gravity(0, 0, -1);
  const Section section{
      .EA = 200, .GA2 = 80, .GA3 = 70, .GJ = 2, .EI2 = 3, .EI3 = 4, .inertia2 = "1e-2", .inertia3 = "2e-2"};
  const Rod rod =
      m.rod("rod", {.section = section, .from = {0, 0, 0}, .to = {1, 0, 0}, .elements = 3, .damping = "1/2"});
  m.drive(
      "shaker", rod.first(),
      {.position = {0, [](auto t) { return 0.1 * sin(5.0 * t); }, 0}, .rotation = {[](auto t) { return t; }, 0, 0}});
  m.damper("damper", m.ground(0, 0, 0), rod.last(), "0.3");
  m.spring("spring", m.ground(0, 1, 0), rod.node(2), {.stiffness = 3, .length = "1/2"});
  return m;
}

// A hub that a ball joint holds by its centre, which needs no multipliers, and an arm on it.
Mechanism held_hub() {
  Mechanism m("held hub");
  m.gravity(0, 0, -1);
  const Body hub = m.body("hub", {.mass = 1, .inertia = {1, 2, "5/2"}});
  const Body arm = m.body("arm", {.mass = 1, .inertia = {1, 2, "5/2"}});
  m.place(arm, {.position = {1, 0, 0}});
  m.spherical("ball", m.ground(0, 0, 0), hub);
  m.revolute("hinge", hub.at("1/2", 0, 0), arm.at("-1/2", 0, 0), {0, 1, 0});
  return m;
}

struct Equivalent {
  const char* model;
  const char* step;
  int steps;
  double stiff = 1;     // forces h f that cancel, against the momenta of a rod that was at rest
  double iterated = 1;  // forces of the velocity are found to round-off of a position: eps / h of a velocity
};

class OnDirectors : public testing::TestWithParam<Equivalent> {};
INSTANTIATE_TEST_SUITE_P(
    Models, OnDirectors,
    testing::Values(Equivalent{"top", "0.002", 40}, Equivalent{"chain(4)", "0.01", 40},
                    Equivalent{"chain-spatial(4)", "0.01", 40}, Equivalent{"bennett", "0.01", 20},
                    Equivalent{"four-bar-spatial", "0.01", 20}, Equivalent{"double-four-bar-damped", "0.01", 40},
                    Equivalent{"driven arms", "0.01", 40}, Equivalent{"held hub", "0.02", 40},
                    Equivalent{"shaken rod", "0.005", 40, 1, 10}, Equivalent{"cantilever(3)", "1e-4", 20},
                    Equivalent{"elastic-ring(6)", "0.01", 20, 1e3}, Equivalent{"roll-up(3)", "0.01", 20, 1e3}),
    [](const auto& instance) { return identifier(instance.param.model); });

TEST_P(OnDirectors, TheStepIsTheSame) {
  const Equivalent& e = GetParam();
  const std::string name = e.model;
  const Mechanism mechanism = name == "driven arms"  ? driven_arms()
                              : name == "held hub"   ? held_hub()
                              : name == "shaken rod" ? shaken_rod()
                                                     : *model(name).mechanism;
  const System system = mechanism.system();
  const Start start = mechanism.start();
  const struct {
    const char *lie, *directors;
  } pairs[] = {{"lie(trapezoidal)", "rattle"}, {"lie(alpha(1/4))", "alpha(1/4)"}, {"lie(alpha(1))", "alpha(1)"}};
  for (const auto& pair : pairs) {
    const Difference rough = difference<double>(system, start, pair.lie, pair.directors, e.step, e.steps);
    const Difference fine = difference<quad>(system, start, pair.lie, pair.directors, e.step, e.steps / 4);
    EXPECT_LE(rough.q, 1e-13 * e.iterated) << pair.lie;
    EXPECT_LE(rough.p, 1e-12 * e.stiff * e.iterated) << pair.lie;
    // Of what is driven lie takes the kinetic energy at the nodes, the hamilton member the sum of its rule: the work of
    // drives differs by the error of that, h^2 in all for a rule of first order.
    const bool driven = name == "driven arms" || name == "shaken rod";
    const double h = Number(e.step).as<double>();
    EXPECT_LE(rough.work, driven ? 0.1 * e.steps * h * h : 1e-12) << pair.lie;
    EXPECT_LE(fine.work, driven ? 0.1 * e.steps * h * h : 1e-30) << pair.lie;
    EXPECT_LE(fine.q, 1e-31) << pair.lie;
    EXPECT_LE(fine.p, 1e-30 * e.stiff * e.iterated) << pair.lie;
    EXPECT_LT(2 * fine.by_directors, fine.steps) << pair.lie;  // or nothing was compared
  }
}

TEST(OnDirectorsControl, AnotherWeightIsSeen) {
  const Model m = model("top");
  EXPECT_GT(difference<double>(m.system, m.start, "lie(trapezoidal)", "alpha(1/4)", "0.002", 5).q, 1e-6);
}

class LieLaws : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schemes, LieLaws,
                         testing::Values("lie(trapezoidal)", "lie(alpha(1/4))", "suzuki(4, lie(trapezoidal))"),
                         [](const auto& instance) { return identifier(instance.param); });

TEST_P(LieLaws, HoldForATopAndAChain) {
  const Scheme scheme = Scheme::named(GetParam());
  const Mechanism top = asymmetric_top();
  const Model chain = model("chain-spatial(2)");
  const struct {
    System system;
    Start start;
  } cases[] = {{top.system(), top.start()}, {chain.system, chain.start}};
  for (const auto& c : cases) {
    const Law symplectic = law::symplecticity(c.system, scheme, c.start, {.step = "0.05"});
    EXPECT_EQ(symplectic.measured, "yes") << c.system.name();
    EXPECT_LE(symplectic.defect, symplectic.floor);
    EXPECT_LT(symplectic.floor, 1e-25);
    const Law reversible = law::reversibility(c.system, scheme, c.start, {.step = "0.05"});
    EXPECT_TRUE(reversible.holds) << c.system.name() << ": " << reversible.measured;
    EXPECT_EQ(reversible.declared, std::string(GetParam()) == "lie(alpha(1/4))" ? "no" : "yes");
    const Law adjoint = law::adjointness(c.system, scheme, c.start, {.step = "0.05"});
    EXPECT_TRUE(adjoint.holds) << c.system.name() << ": " << adjoint.measured;
  }
}

// Where the step is long, the derivative is found on the directors: as the product of the substeps', for a composition.
TEST(LieTangent, IsSymplecticForLongStepsToo) {
  const Model chain = model("chain-spatial(2)");
  for (const auto& [scheme, step] : {std::pair{"lie(trapezoidal)", "0.1"}, {"suzuki(4, lie(trapezoidal))", "0.15"}}) {
    const Law found = law::symplecticity(chain.system, Scheme::named(scheme), chain.start, {.step = step});
    EXPECT_EQ(found.measured, "yes") << scheme << ": " << found.defect << " > " << found.floor;
  }
}

TEST(LieRefuses, BodiesThatTurnTooFarInOneStep) {
  const Mechanism m = asymmetric_top();
  const auto go = [&](const char* step) {
    return extremal::run(m.system(), "lie(trapezoidal)", m.start(), {.step = step, .until = step});
  };
  const std::string text = refusal([&] { go("0.25"); });
  EXPECT_THAT(text, AllOf(HasSubstr("body \"body\""), HasSubstr("h |omega| = 1.01"), HasSubstr("less than 0.9"),
                          HasSubstr("try step <= 0.2")));
  EXPECT_EQ(go("0.2").status, Status::complete);
  // Later on it is no input that is wrong.
  Mechanism spun("spun");
  const Body body = spun.body("body", {.mass = 1, .inertia = {1, 2, "5/2"}});
  spun.torque("engine", body, {0, 0, 25});
  const auto run = extremal::run(spun.system(), "lie(trapezoidal)", spun.start(), {.step = "0.1", .until = 2});
  EXPECT_EQ(run.status, Status::failed);
  EXPECT_THAT(run.reason, AllOf(HasSubstr("body \"body\""), HasSubstr("less than 0.9"), HasSubstr("try step")));
  EXPECT_EQ(run.steps, 9);  // the step from k needs h omega = (k + 1/2) / 10
}

TEST(LieRefuses, WhatIsNoRigidBody) {
  const Model pendulum = model("pendulum");
  const auto refused = [](const System& system) {
    return refusal([&] { Stepper<double>(system, Scheme::named("lie(trapezoidal)")); });
  };
  EXPECT_THAT(refused(pendulum.system), AllOf(HasSubstr("pendulum: is not made of rigid bodies"), HasSubstr("try")));
  Mechanism needle("needle");
  needle.body("bar", {.mass = 1, .inertia = {0, "1/12", "1/12"}});
  EXPECT_THAT(refused(needle.system()),
              AllOf(HasSubstr("body \"bar\" has no inertia about its axis 1"), HasSubstr("try rattle")));
  Mechanism top = asymmetric_top();
  System system = top.system();
  system.constraint("wire", Coordinates<2>{{0, 1}}, [](const auto& q) { return q[0] - q[1]; });
  EXPECT_THAT(refused(system),
              AllOf(HasSubstr("term \"wire\" is neither a joint nor a load"), HasSubstr("try rattle")));
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_body_test
