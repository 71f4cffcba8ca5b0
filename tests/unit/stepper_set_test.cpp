// Stepper::set: a parameter changes while the motion goes on.
#include <gtest/gtest.h>

#include "extremal/models.hpp"
#include "extremal/stepper.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

// A cart on a spring with a pendulum: k in a quadratic potential, g in a linear one, u in a force, m in the mass, l in
// the constraint.
System cart() {
  System s("cart");
  const auto x = s.coordinates("x");
  const auto ball = s.coordinates("a", "b");
  const Parameter k = s.parameter("k", 4), g = s.parameter("g", "9.81"), u = s.parameter("u", 0),
                  m = s.parameter("m", 2), l = s.parameter("l", 1);
  s.kinetic(x, [](auto, auto v, auto mass) { return 0.5 * mass * v[0] * v[0]; }, m);
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(x, [](auto q, auto stiffness) { return 0.5 * stiffness * q[0] * q[0]; }, k);
  s.potential(ball, [](auto q, auto weight) { return weight * q[1]; }, g);
  s.constraint(
      "rod", join(x, ball),
      [](auto q, auto length) { return (q[1] - q[0]) * (q[1] - q[0]) + q[2] * q[2] - length * length; }, l);
  s.force("motor", x, [](auto, auto, auto torque) { return rows(torque); }, u);
  return s;
}

// With forces or without, as small steps have none.
System pendulum() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  const Parameter g = s.parameter("g", "9.81"), c = s.parameter("c", 0);
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q, auto weight) { return weight * q[1]; }, g);
  s.potential(ball, [](auto q, auto bend) { return bend * sin(q[0]); }, c);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return s;
}

// Constraints are quadratic, kept as tables beside those of the energies that a parameter changes, and no small step.
System chain() {
  System s("chain");
  const Parameter g = s.parameter("g", "9.81"), k = s.parameter("k", 4);
  std::vector<Coordinates<2>> balls;
  for (int i = 0; i < 4; ++i) balls.push_back(s.coordinates("x" + std::to_string(i), "y" + std::to_string(i)));
  s.kinetic(balls, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(balls, [](auto q, auto weight) { return weight * q[1]; }, g);
  s.potential(balls, [](auto q, auto stiffness) { return 0.5 * stiffness * q[0] * q[0]; }, k);
  s.constraint("first", balls[0], [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  for (int i = 0; i < 3; ++i)
    s.constraint("link " + std::to_string(i), join(balls[sz(i)], balls[sz(i + 1)]),
                 [](auto q) { return (q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - 1.0; });
  return s;
}

// After a few steps the parameter changes; from there a fresh stepper with the other system does the same.
template <class S>
void goes_on(const System& system, const char* scheme, const Start& start, const char* parameter, const char* value) {
  SCOPED_TRACE(std::string(scheme) + ", " + parameter);
  const S h = S(1) / S(64);
  Stepper<S> stepper(system, Scheme::named(scheme));
  stepper.start(start);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(stepper.step(h).converged);
  stepper.set(parameter, Number(value).as<S>());
  EXPECT_EQ(stepper.parameter(parameter), Number(value).as<S>());
  Stepper<S> other(system.with(parameter, value), Scheme::named(scheme));
  other.place(stepper.state());
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(stepper.step(h).converged);
    ASSERT_TRUE(other.step(h).converged);
  }
  const auto n = stepper.state().q.size();
  for (std::size_t i = 0; i < n; ++i) {
    // What rounding took off before the change is kept, and guesses are others: round-off of thirty steps.
    const double floor = 200 * static_cast<double>(Scalar<S>::epsilon);
    EXPECT_NEAR(static_cast<double>(stepper.state().q[i]), static_cast<double>(other.state().q[i]), floor);
    EXPECT_NEAR(static_cast<double>(stepper.state().p[i]), static_cast<double>(other.state().p[i]), 20 * floor);
  }
  Stepper<S> old(system, Scheme::named(scheme));
  old.place(other.state());
  Observation<S> a = stepper.observe(), b = other.observe(), c = old.observe();
  EXPECT_NEAR(static_cast<double>(a.energy()), static_cast<double>(b.energy()), 1e-12);
  EXPECT_NEAR(static_cast<double>(a.constraint), static_cast<double>(b.constraint), 1e-14);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(static_cast<double>(a.v[i]), static_cast<double>(b.v[i]), 1e-11) << "v of " << i;
  if (std::string(parameter) != "u") {
    EXPECT_NE(static_cast<double>(c.energy()), static_cast<double>(b.energy()));
  }
}

TEST(StepperSet, GoesOnWithTheOtherSystem) {
  const Start start{.q = {0, 0, -1}, .v = {1, 1, 0}};
  for (const char* scheme : {"rattle", "spark(2)", "ggl", "phase_space(2)"})
    for (const auto& [parameter, value] : {std::pair{"k", "7"}, {"g", "1.62"}, {"u", "2.5"}, {"m", "3"}})
      goes_on<double>(cart(), scheme, start, parameter, value);
  goes_on<quad>(cart(), "spark(2)", start, "k", "7");
  goes_on<long double>(cart(), "spark(2)", start, "u", "2");
}

TEST(StepperSet, LeavesConstraintsAsTheyAre) {
  const Start start{.q = {1, 0, 2, 0, 3, 0, 4, 0}};
  for (const char* scheme : {"rattle", "spark(2)", "ggl", "lobatto(3)"})
    for (const auto& [parameter, value] : {std::pair{"g", "1.62"}, {"k", "7"}})
      goes_on<double>(chain(), scheme, start, parameter, value);
  goes_on<quad>(chain(), "spark(2)", start, "g", "7");
}

// And what is asked of a state that is placed elsewhere afterwards.
TEST(StepperSet, StatesArePlacedAndStartedAfterwards) {
  for (const System& system : {pendulum(), chain()}) {
    SCOPED_TRACE(system.name());
    std::vector<Number> q;
    for (int i = 0; i < system.size() / 2; ++i) q.insert(q.end(), {Number(i + 1), Number(0)});
    std::vector<Number> down, v;
    for (int i = 0; i < system.size() / 2; ++i)
      down.insert(down.end(), {Number(0), Number(-i - 1)}), v.insert(v.end(), {Number(i + 1), Number(0)});
    Stepper<double> stepper(system, Scheme::named("rattle"));
    stepper.start({.q = q});
    stepper.set("g", 3);
    stepper.start({.q = down, .v = v});
    const Observation<double> seen = stepper.observe();
    for (int i = 0; i < system.size() / 2; ++i) {
      EXPECT_NEAR(seen.v[sz(2 * i)], i + 1, 1e-14);
      EXPECT_NEAR(seen.v[sz(2 * i + 1)], 0, 1e-14);
    }
    EXPECT_EQ(seen.constraint, 0);
  }
}

TEST(StepperSet, ReachesSmallSteps) {
  const Start start{.q = {1, 0}};
  for (const char* scheme : {"rattle", "spark(3)"})
    for (const auto& [parameter, value] : {std::pair{"g", "1.62"}, {"c", "0.5"}})
      goes_on<double>(pendulum(), scheme, start, parameter, value);
}

TEST(StepperSet, RefusesWhatIsNotThere) {
  Stepper<double> stepper(pendulum(), Scheme::named("rattle"));
  stepper.set("g", 3);  // before the start, too
  stepper.start({.q = {1, 0}});
  EXPECT_THROW(stepper.set("gg", 1), InputError);
  EXPECT_THROW(stepper.set("g", 1.0 / 0.0), InputError);
  EXPECT_EQ(stepper.parameter("g"), 3);
}

// Parameters of a file with bodies that formulas alone depend on can be set; numbers of bodies cannot.
TEST(StepperSet, SetsWhatMotorsOfJointsDo) {
  const Model m = read_model_text(R"(
space = "planar"
[[body]]
name = "bar"
mass = "mass"
inertia = "1/12"
position = ["1/2", 0]
[[joint]]
name = "pivot"
type = "revolute"
from = "ground"
to = { body = "bar", at = ["-1/2", 0] }
[[joint_motor]]
name = "motor"
joint = "pivot"
torque = "u - angle'"
[parameters]
mass = 2
u = 0
)",
                                  "arm.toml");
  EXPECT_EQ(m.system.parameter_names(), std::vector<std::string>{"u"});
  Stepper<double> stepper(m.system, Scheme::named("spark(2)"));
  stepper.start(m.start);
  stepper.set("u", 1.5);
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(stepper.step(0.01).converged);
  EXPECT_GT(stepper.state().q.back(), 0.1);  // the angle
}

}  // namespace
}  // namespace extremal
