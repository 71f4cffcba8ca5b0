// What is said of a start or a step that cannot be, and that misuse is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <extremal/extremal.hpp>
#include <limits>

#include "refusal.hpp"

namespace extremal::finite_messages_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

System pendulum() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q) { return 9.81 * q[1]; });
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  s.linear_symmetry<2>("about z", ball, {0, -1, 1, 0});
  return s;
}

TEST(Maximum, KeepsWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(math::max(nan, 1.0)));
  EXPECT_TRUE(std::isnan(math::max(1.0, nan)));
  EXPECT_EQ(math::max(1.0, 2.0), 2);
  EXPECT_EQ(math::max(2.0, 1.0), 2);
  const Lanes x = math::max(Lanes(nan), Lanes(1)), y = math::max(Lanes(1), Lanes(nan));
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(y[3]));
  EXPECT_EQ(math::max(Lanes(1), Lanes(2))[0], 2);
}

// An angle about an axis has no inertia on the axis, and elsewhere it has.
TEST(StartMessages, TellAVanishingInertiaFromNone) {
  System s("sphere");
  const auto q = s.coordinates("th", "ph");
  s.kinetic(q, [](auto x, auto v) { return 0.5 * (v[0] * v[0] + sin(x[0]) * sin(x[0]) * v[1] * v[1]); });
  Stepper<double> stepper(s, Scheme::named("spark(2)"));
  EXPECT_THAT(refusal([&] { stepper.start({.q = {0, 0}, .v = {1, 0}}); }),
              AllOf(HasSubstr("\"ph\" has no inertia at q, but nearby"), Not(HasSubstr("expected a kinetic term"))));
  EXPECT_EQ(refusal([&] { stepper.start({.q = {1, 0}, .v = {1, 0}}); }), "");
  System none("none");
  const auto x = none.coordinates("a", "b");
  none.kinetic(x, [](auto, auto v) { return 0.5 * v[0] * v[0] + 0.0 * v[1]; });
  EXPECT_THAT(refusal([&] { Stepper<double>(none, Scheme::named("spark(2)")).start({.q = {0, 0}}); }),
              HasSubstr("\"b\" has no inertia; expected a kinetic term"));
}

TEST(StartMessages, BlameTheConstraintThatIsSingular) {
  System s("cross");
  const auto q = s.coordinates("x", "y");
  s.kinetic(q, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.constraint("axes", q, [](auto x) { return x[0] * x[1]; });
  Stepper<double> stepper(s, Scheme::named("rattle"));
  const std::string said = refusal([&] { stepper.start({.q = {0, 0}, .v = {1, 0}}); });
  EXPECT_THAT(said, AllOf(HasSubstr("axes"), HasSubstr("singular"), Not(HasSubstr("another v"))));
}

TEST(StartMessages, RefuseNumbersThatAreNotFinite) {
  Stepper<double> stepper(pendulum(), Scheme::named("rattle"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal([&] { stepper.start({.q = {"1e400", 0}}); }), HasSubstr("1e400; expected a finite number"));
  EXPECT_NE(refusal([&] { stepper.start({.q = {1, 0}, .v = {0, "1e400"}}); }), "");
  EXPECT_NE(refusal([&] { stepper.place({0, {nan, 0}, {0, 0}}); }), "");
}

TEST(StepperMisuse, IsRefused) {
  Stepper<double> stepper(pendulum(), Scheme::named("rattle"));
  EXPECT_THAT(refusal([&] { stepper.step(0.01); }), HasSubstr("no state yet"));
  EXPECT_THAT(refusal([&] { stepper.observe(); }), HasSubstr("no state yet"));
  EXPECT_THAT(refusal([&] { stepper.place({0, {1}, {0, 0}}); }),
              HasSubstr("q has 1 values; pendulum has 2 coordinates (x, y)"));
  EXPECT_THAT(refusal([&] { stepper.place({0, {1, 0}, {}}); }), HasSubstr("p has 0 values"));
  stepper.start({.q = {1, 0}});
  EXPECT_THAT(refusal([&] { stepper.restore({{1, 2, 3}}); }), HasSubstr("a checkpoint of 3 numbers; expected "));
  EXPECT_THAT(refusal([&] { stepper.constraint_jacobian({}, 0); }), HasSubstr("q has 0 values"));
  EXPECT_THAT(refusal([&] { stepper.constraint_norms({1}, 0); }), HasSubstr("q has 1 values"));
  EXPECT_THAT(refusal([&] { stepper.symmetry_defect(3); }), HasSubstr("symmetry 3; pendulum has 1, counted from 0"));
  EXPECT_THAT(refusal([&] { stepper.symmetry_defect(-1); }), HasSubstr("symmetry -1"));
  EXPECT_THAT(refusal([&] { stepper.step(0); }), HasSubstr("step 0"));
  EXPECT_THAT(refusal([&] { stepper.step(std::numeric_limits<double>::quiet_NaN()); }),
              HasSubstr("expected a finite one"));
  EXPECT_EQ(refusal([&] { stepper.symmetry_defect(0); }), "");
  EXPECT_TRUE(stepper.step(0.01).converged);
  const auto checkpoint = stepper.save();
  Stepper<double> other(pendulum(), Scheme::named("rattle"));
  other.restore(checkpoint);  // is a start of its own
  EXPECT_TRUE(other.step(0.01).converged);
}

TEST(SystemMisuse, AParameterOfAnotherSystemIsRefused) {
  System one("one"), other("other");
  one.parameter("a", 1);
  const auto b = one.parameter("b", 2);
  const auto x = other.coordinates("x");
  EXPECT_THAT(refusal([&] { other.potential(x, [](auto q, auto k) { return k * q[0]; }, b); }),
              HasSubstr("names a parameter of another system"));
}

}  // namespace
}  // namespace extremal::finite_messages_test
