#include "extremal/detail/jet.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "extremal/detail/degree.hpp"

namespace extremal::jet_test {
namespace {

// Every function of the header, in one expression with known mixed derivatives by central differences in quad:
// with step 1e-8 their error is about 1e-16, far above quad's round-off and below the bound used here.
template <class T>
T everything(const T& x, const T& y) {
  T f = sin(x) * cos(y) + tan(x * y) / exp(x) + sqrt(x + y) * log(y + 2) + pow(x, 3) - pow(y, 1.5) + atan2(x, y);
  f += asin(x / 4) + acos(y / 4) + atan(x * y) + sinh(x) - cosh(y) + tanh(x - y) + abs(x - 3.0) * 2.0;
  f -= 1.0 / (x + 1);
  return pow(f, -2) + f * x;
}

quad value(quad x, quad y) { return everything(Real<quad>(x), Real<quad>(y)).a; }

TEST(Jet, DerivativesAgreeWithDifferences) {
  const quad x = quad(7) / 10, y = quad(13) / 10, e = 1e-8;
  using J = Jet<quad, 2, 2>;
  const J f = everything(J::variable(x, 0), J::variable(y, 1));
  EXPECT_EQ(static_cast<double>(f.a - value(x, y)), 0.0);
  const quad fx = (value(x + e, y) - value(x - e, y)) / (2 * e), fy = (value(x, y + e) - value(x, y - e)) / (2 * e);
  const quad fxx = (value(x + e, y) - 2 * value(x, y) + value(x - e, y)) / (e * e);
  const quad fyy = (value(x, y + e) - 2 * value(x, y) + value(x, y - e)) / (e * e);
  const quad fxy =
      (value(x + e, y + e) - value(x + e, y - e) - value(x - e, y + e) + value(x - e, y - e)) / (4 * e * e);
  EXPECT_NEAR(static_cast<double>(f.g[0] - fx), 0, 1e-13);
  EXPECT_NEAR(static_cast<double>(f.g[1] - fy), 0, 1e-13);
  EXPECT_NEAR(static_cast<double>(f.second(0, 0) - fxx), 0, 1e-12);
  EXPECT_NEAR(static_cast<double>(f.second(0, 1) - fxy), 0, 1e-12);
  EXPECT_NEAR(static_cast<double>(f.second(1, 1) - fyy), 0, 1e-12);
}

TEST(Jet, OrdersAndScalarsAgree) {
  using First = Jet<double, 2, 1>;
  using Second = Jet<double, 2, 2>;
  // Volatile: what a compiler folds is rounded by other rules than what libm computes.
  volatile double x = 0.7, y = 1.3;
  const First f = everything(First::variable(x, 0), First::variable(y, 1));
  const Second s = everything(Second::variable(x, 0), Second::variable(y, 1));
  EXPECT_EQ(f.a, s.a);
  EXPECT_EQ(f.g, s.g);
  using Long = Jet<long double, 2, 1>;
  const Long l = everything(Long::variable(0.7L, 0), Long::variable(1.3L, 1));
  EXPECT_NEAR(static_cast<double>(l.g[1]), f.g[1], 1e-13);
}

TEST(Jet, ParametersCarryNoDerivative) {
  using J = Jet<double, 1, 2>;
  const Real<double> g(9.81);
  const J x = J::variable(2, 0);
  const J f = g * x * x + x / g - g;
  EXPECT_DOUBLE_EQ(f.a, 9.81 * 4 + 2 / 9.81 - 9.81);
  EXPECT_DOUBLE_EQ(f.g[0], 9.81 * 4 + 1 / 9.81);
  EXPECT_DOUBLE_EQ(f.h[0], 2 * 9.81);
}

TEST(Degree, FollowsPolynomialsAndGivesUpElsewhere) {
  const auto bound = [](auto f) { return DegreeBound::of([&] { return f(Degree::in_q(0.3), Degree::in_v(0.4)); }); };
  const DegreeBound kinetic = bound([](auto, auto v) { return 0.5 * v * v; });
  EXPECT_EQ(kinetic.q, 0);
  EXPECT_EQ(kinetic.v, 2);
  const DegreeBound coupled = bound([](auto q, auto v) { return pow(q, 2) * v * v / 3.0 + q; });
  EXPECT_EQ(coupled.q, 2);
  EXPECT_EQ(coupled.v, 2);
  EXPECT_EQ(bound([](auto q, auto) { return cos(q); }).q, Degree::unbounded);
  EXPECT_EQ(bound([](auto q, auto v) { return v / q; }).q, Degree::unbounded);
  // A branch: the polynomial seen is not the only one.
  EXPECT_EQ(bound([](auto q, auto) { return q > 0 ? q : 2.0 * q * q; }).q, Degree::unbounded);
}

}  // namespace
}  // namespace extremal::jet_test
