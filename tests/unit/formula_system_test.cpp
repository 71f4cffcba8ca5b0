// Systems from formulas move as the same systems from C++ functions.
#include <gtest/gtest.h>

#include <functional>

#include "extremal/check.hpp"
#include "extremal/stepper.hpp"
#include "formula/formulas.hpp"

namespace extremal::formula_system_test {
namespace {

struct Twin {
  System text, function;
  Start start;
};

Twin pendulum() {
  Twin w{System("text"), System("function"), {.q = {"0.6", "-0.8"}, .v = {"1.6", "1.2"}}};
  w.text.coordinates("x", "y");
  Formulas f(w.text);
  f.parameters({{"T", "2*pi*sqrt(l/g)"}, {"m", "1.5"}, {"l", "1"}, {"g", "9.81"}, {"weight", "4*pi^2*m*l/T^2"}});
  f.add(Role::kinetic, "m/2*(x'^2 + y'^2)");
  f.add(Role::potential, "weight*y");
  f.add(Role::constraint, "rod", {"(x^2 + y^2 - l^2)/2"});
  f.along(Role::force, "air", {{"x", "-0.1*x'"}, {"y", "-0.1*y'*sqrt(1 + x'^2)"}});
  f.along(Role::symmetry, "turn", {{"x", "-y"}, {"y", "x"}});
  System& s = w.function;
  const auto ball = s.coordinates("x", "y");
  const auto m = s.parameter("m", "1.5"), l = s.parameter("l", 1), g = s.parameter("g", "9.81"),
             c = s.parameter("c", "0.1");
  s.kinetic(ball, [](auto, auto v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, m);
  s.potential(ball, [](auto q, auto m, auto g) { return m * g * q[1]; }, m, g);
  s.constraint("rod", ball, [](auto q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l); }, l);
  s.force(
      "air", ball, [](auto, auto v, auto c) { return rows(-(c * v[0]), -(c * v[1]) * sqrt(1.0 + v[0] * v[0])); }, c);
  s.symmetry("turn", ball, [](auto q) { return rows(-q[1], q[0]); });
  return w;
}

Twin double_pendulum() {
  Twin w{System("text"), System("function"), {.q = {"0.6", "-0.8"}, .v = {"0.4", "1.2"}}};
  w.text.coordinates("a", "b");
  Formulas f(w.text);
  f.parameters({{"m1", "1"}, {"m2", "2"}, {"l1", "1.5"}, {"l2", "0.5"}, {"g", "9.81"}});
  f.add(Role::kinetic, "(m1 + m2)/2*l1^2*a'^2 + m2/2*l2^2*b'^2 + m2*l1*l2*a'*b'*cos(a - b)");
  f.add(Role::potential, "-(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)");
  System& s = w.function;
  const auto both = s.coordinates("a", "b");
  const auto m1 = s.parameter("m1", 1), m2 = s.parameter("m2", 2), l1 = s.parameter("l1", "1.5"),
             l2 = s.parameter("l2", "0.5"), g = s.parameter("g", "9.81");
  s.kinetic(
      both,
      [](auto q, auto v, auto m1, auto m2, auto l1, auto l2) {
        return 0.5 * (m1 + m2) * l1 * l1 * v[0] * v[0] + 0.5 * m2 * l2 * l2 * v[1] * v[1] +
               m2 * l1 * l2 * v[0] * v[1] * cos(q[0] - q[1]);
      },
      m1, m2, l1, l2);
  s.potential(
      both,
      [](auto q, auto m1, auto m2, auto l1, auto l2, auto g) {
        return -((m1 + m2) * g * l1 * cos(q[0])) - m2 * g * l2 * cos(q[1]);
      },
      m1, m2, l1, l2, g);
  return w;
}

// Three balls in space on two springs, the second formula applied at two sites.
Twin springs() {
  Twin w{System("text"),
         System("function"),
         {.q = {0, 0, 0, 1, "0.1", 0, 2, 0, "0.3"}, .v = {0, "0.1", 0, 0, 0, "0.2", 0, "0.1", 0}}};
  for (const char* k : {"1", "2", "3"})
    w.text.coordinates(std::vector<std::string>{std::string("x") + k, std::string("y") + k, std::string("z") + k});
  Formulas f(w.text);
  f.parameters({{"m", "1.1"}, {"k", "30"}, {"l", "0.9"}});
  f.add(Role::kinetic, "T", {"m/2*(x'^2 + y'^2 + z'^2)"},
        {{"x", "y", "z"}, {{"x1", "y1", "z1"}, {"x2", "y2", "z2"}, {"x3", "y3", "z3"}}});
  f.add(Role::potential, "springs", {"k/2*(sqrt((b.x - a.x)^2 + (b.y - a.y)^2 + (b.z - a.z)^2) - l)^2"},
        {{"a.x", "a.y", "a.z", "b.x", "b.y", "b.z"},
         {{"x1", "y1", "z1", "x2", "y2", "z2"}, {"x2", "y2", "z2", "x3", "y3", "z3"}}});
  System& s = w.function;
  const auto a = s.coordinates("x1", "y1", "z1"), b = s.coordinates("x2", "y2", "z2"),
             c = s.coordinates("x3", "y3", "z3");
  const auto m = s.parameter("m", "1.1"), k = s.parameter("k", 30), l = s.parameter("l", "0.9");
  s.kinetic(
      std::vector{a, b, c}, [](auto, auto v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); },
      m);
  s.potential(
      std::vector{join(a, b), join(b, c)},
      [](auto q, auto k, auto l) {
        const auto x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
        const auto e = sqrt(x * x + y * y + z * z) - l;
        return 0.5 * k * e * e;
      },
      k, l);
  return w;
}

Twin moving_pivot() {
  Twin w{System("text"), System("function"), {.q = {"0.6", "-0.5"}, .v = {0, 0}}};
  w.text.coordinates("x", "y");
  Formulas f(w.text);
  f.parameters({{"g", "9.81"}, {"a", "0.3"}, {"w", "4"}});
  f.add(Role::lagrangian, "(x'^2 + y'^2)/2 - g*y");
  f.add(Role::constraint, "rod", {"x^2 + (y - a*cos(w*t))^2 - 1"});
  System& s = w.function;
  const auto ball = s.coordinates("x", "y");
  const auto g = s.parameter("g", "9.81"), a = s.parameter("a", "0.3"), rate = s.parameter("w", 4);
  s.lagrangian(ball, [](auto q, auto v, auto g) { return 0.5 * (v[0] * v[0] + v[1] * v[1]) - g * q[1]; }, g);
  s.constraint(
      "rod", ball,
      [](auto q, auto a, auto w, auto t) {
        const auto y = q[1] - a * cos(w * t);
        return q[0] * q[0] + y * y - 1.0;
      },
      a, rate, time);
  return w;
}

// The largest difference of q and p over a hundred steps, in units of round-off.
template <class S>
double difference(const Twin& w, const char* scheme) {
  Stepper<S> text(w.text, Scheme::named(scheme)), function(w.function, Scheme::named(scheme));
  const S h = S(1) / S(100);
  text.start(w.start, h);
  function.start(w.start, h);
  S worst(0);
  for (int k = 0; k < 100; ++k) {
    EXPECT_TRUE(text.step(h).converged && function.step(h).converged) << scheme;
    for (std::size_t i = 0; i < text.state().q.size(); ++i) {
      worst = math::max(worst, math::abs(text.state().q[i] - function.state().q[i]));
      worst = math::max(worst, math::abs(text.state().p[i] - function.state().p[i]));
    }
  }
  return static_cast<double>(worst / Scalar<S>::epsilon);
}

TEST(FormulaSystem, MovesAsItsFunctions) {
  for (const auto& make : {pendulum, double_pendulum, springs, moving_pivot}) {
    const Twin w = make();
    for (const char* scheme : {"rattle", "spark(2)", "midpoint"}) {
      EXPECT_LT(difference<double>(w, scheme), 50) << scheme;
      EXPECT_LT(difference<quad>(w, scheme), 50) << scheme;
    }
  }
  // A control: a parameter that differs in its 25th digit is seen.
  Twin w = pendulum();
  w.text = w.text.with("g", "9.810000000000000000000001");
  EXPECT_GT(difference<quad>(w, "rattle"), 1e6);
}

TEST(FormulaSystem, FollowsItsParameters) {
  const Twin w = pendulum();
  const Twin changed{w.text.with("g", "1.6").with("l", "2"),
                     w.function.with("g", "1.6").with("l", "2"),
                     {.q = {"1.2", "-1.6"}, .v = {"1.6", "1.2"}}};
  EXPECT_LT(difference<double>(changed, "spark(2)"), 50);
  EXPECT_LT(difference<quad>(changed, "spark(2)"), 50);
}

TEST(FormulaSystem, ObeysTheDerivativeLaw) {
  for (const auto& make : {pendulum, double_pendulum, springs, moving_pivot}) {
    const Twin w = make();
    for (const Law& law : law::derivatives(w.text, w.start)) EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
  }
}

TEST(FormulaSystem, RunsSiteBySiteAsInOneTerm) {
  // Twenty balls that do not know of each other move as one does.
  System many("many"), one("one");
  Start start_many, start_one{.q = {"0.6", "-0.8"}, .v = {"0.8", "0.6"}};
  Formulas::Sites sites{{"x", "y"}, {}};
  for (int k = 0; k < 20; ++k) {
    const std::string n = std::to_string(k);
    many.coordinates(std::vector<std::string>{"x" + n, "y" + n});
    sites.coordinates.push_back({"x" + n, "y" + n});
    start_many.q.insert(start_many.q.end(), {"0.6", "-0.8"});
    start_many.v.insert(start_many.v.end(), {"0.8", "0.6"});
  }
  one.coordinates("x0", "y0");
  const auto fill = [](System& s, const Formulas::Sites& sites) {
    Formulas f(s);
    f.parameters({{"g", "9.81"}});
    f.add(Role::kinetic, "T", {"(x'^2 + y'^2)/2"}, sites);
    f.add(Role::potential, "V", {"g*y + exp(x)/4"}, sites);
    f.add(Role::constraint, "rod", {"x^2 + y^2 - 1"}, sites);
  };
  fill(many, sites);
  fill(one, {{"x", "y"}, {{"x0", "y0"}}});
  EXPECT_EQ(many.constraint_count(), 20);
  Stepper<double> a(many, Scheme::named("spark(2)")), b(one, Scheme::named("spark(2)"));
  a.start(start_many);
  b.start(start_one);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(a.step(0.01).converged && b.step(0.01).converged);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_NEAR(a.state().q[2 * k], b.state().q[0], 1e-14);
}

}  // namespace
}  // namespace extremal::formula_system_test
