#include "lie/rotation_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "extremal/detail/jet.hpp"

namespace extremal::lie::lie_rotation_test {
namespace {

template <class S>
using Matrix = std::array<std::array<S, 3>, 3>;

template <class S>
Matrix<S> matrix(const S f[4]) {
  const Columns<S> c = columns(Quaternion<S>{f[0], f[1], f[2], f[3]});
  return {{{c.e1.x, c.e2.x, c.e3.x}, {c.e1.y, c.e2.y, c.e3.y}, {c.e1.z, c.e2.z, c.e3.z}}};
}

// The largest entry of F J_d - J_d F^T - skew(g), and how far F is from a unit quaternion, in units of J.
template <class S>
double defect(const std::array<S, 3>& j, const S g[3], const S f[4]) {
  const Matrix<S> m = matrix(f);
  const S half = (j[0] + j[1] + j[2]) / 2, d[3] = {half - j[0], half - j[1], half - j[2]};
  const S skew[3][3] = {{0, -g[2], g[1]}, {g[2], 0, -g[0]}, {-g[1], g[0], 0}};
  S worst = math::abs(squared_norm(Quaternion<S>{f[0], f[1], f[2], f[3]}) - S(1));
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b)
      worst = math::max(worst, math::abs(m[a][b] * d[b] - d[a] * m[b][a] - skew[a][b]) / half);
  return static_cast<double>(worst);
}

// Random g with |J^-1 g| = size.
template <class S>
std::array<S, 3> impulse(std::mt19937& random, const std::array<S, 3>& j, double size) {
  std::normal_distribution<double> normal;
  S o[3] = {S(normal(random)), S(normal(random)), S(normal(random))};
  const S scale = S(size) / math::sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
  return {scale * o[0] * j[0], scale * o[1] * j[1], scale * o[2] * j[2]};
}

template <class S>
class LieRotation : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
struct ScalarName {
  template <class S>
  static std::string GetName(int) {
    return std::is_same_v<S, double> ? "double" : std::is_same_v<S, long double> ? "long_double" : "quad";
  }
};
TYPED_TEST_SUITE(LieRotation, Scalars, ScalarName);

template <class S>
std::vector<std::array<S, 3>> bodies() {
  const S third = S(1) / S(3);
  return {{2, 1, 1},
          {third, third / 2, third / 2},
          {3, 1, 2},
          {3, 2, 1},
          {S(1.125), 1, S(0.125)},
          {1, 2, 1},
          {1, 3, 2},
          {1, 1, 2},
          {1, 2, 3},
          {third, third, third},
          {2, 2, S(0.25)},
          {1, 2, S(2.75)},
          {2, 2, S(3.5)}};
}

TYPED_TEST(LieRotation, TheEquationHoldsToRoundOffUpToTheLimit) {
  using S = TypeParam;
  std::mt19937 random(1);
  for (const auto& j : bodies<S>()) {
    const RotationStep<S> step(j[0], j[1], j[2]);
    for (const double size : {0.0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 0.99})
      for (int trial = 0; trial < 20; ++trial) {
        const auto g = impulse<S>(random, j, size);
        S f[4] = {};
        ASSERT_TRUE(step.step(g.data(), f));
        EXPECT_LT(defect(j, g.data(), f), 20 * static_cast<double>(Scalar<S>::epsilon))
            << to_text(j[0]) << " " << to_text(j[1]) << " " << to_text(j[2]) << " at " << size;
        EXPECT_GT(f[0], S(0));
      }
  }
}

TYPED_TEST(LieRotation, ClosedFormsAreContinuedByNewton) {
  using S = TypeParam;
  // Bodies that miss the closed form by 1e3 eps take Newton and must agree to about that.
  std::mt19937 random(2);
  const S nearly = S(1) - S(1024) * Scalar<S>::epsilon;
  for (const auto& j : {std::array<S, 3>{3, 1, 2}, {2, 1, 1}, {1, 3, 2}, {1, 1, 1}}) {
    const std::array<S, 3> k{j[0] * nearly, j[1] * nearly, j[2]};
    const RotationStep<S> closed(j[0], j[1], j[2]), general(k[0], k[1], k[2]);
    ASSERT_TRUE(closed.closed_form());
    ASSERT_FALSE(general.closed_form());
    for (int trial = 0; trial < 50; ++trial) {
      const auto g = impulse<S>(random, j, 0.8);
      S a[4], b[4];
      ASSERT_TRUE(closed.step(g.data(), a) && general.step(g.data(), b));
      for (int i = 0; i < 4; ++i)
        EXPECT_LT(static_cast<double>(math::abs(a[i] - b[i])), 1e4 * static_cast<double>(Scalar<S>::epsilon));
    }
  }
}

TYPED_TEST(LieRotation, DerivativeIsThatOfTheClosedForm) {
  using S = TypeParam;
  using J = Jet<S, 3, 1>;
  std::mt19937 random(3);
  for (const auto& j : {std::array<S, 3>{3, 1, 2}, {2, 1, 1}}) {
    const RotationStep<S> step(j[0], j[1], j[2]);
    for (int trial = 0; trial < 20; ++trial) {
      const auto g = impulse<S>(random, j, 0.7);
      S f[4], d[9];
      ASSERT_TRUE(step.step(g.data(), f) && step.derivative(f, d));
      const Vec3<J> o{J::variable(g[0], 0) / J(j[0]), J::variable(g[1], 1) / J(j[1]), J::variable(g[2], 2) / J(j[2])};
      const Quaternion<J> r = j[1] == j[2] ? round_lamina_rotation(o) : lamina_rotation(o, J((j[2] - j[1]) / j[0]));
      for (std::size_t k = 0; k < 3; ++k) {
        // delta f conj(f) = (0, delta theta / 2)
        const Quaternion<S> df{r.w.g[k], r.x.g[k], r.y.g[k], r.z.g[k]};
        const Quaternion<S> turn = df * conj(Quaternion<S>{f[0], f[1], f[2], f[3]});
        const S theta[3] = {2 * turn.x, 2 * turn.y, 2 * turn.z};
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_LT(static_cast<double>(math::abs(d[3 * i + k] - theta[i])),
                    200 * static_cast<double>(Scalar<S>::epsilon));
      }
    }
  }
}

TEST(LieRotationStep, DerivativeOfNewtonByDifferences) {
  // Fourth-order differences in quad: 1e-24 of truncation, far above rounding and far below any mistake.
  std::mt19937 random(4);
  const std::array<quad, 3> j{1, 2, quad(2.75)};
  const RotationStep<quad> step(j[0], j[1], j[2]);
  const quad e = 1e-6;
  for (int trial = 0; trial < 10; ++trial) {
    const auto g = impulse<quad>(random, j, 0.6);
    quad f[4], d[9];
    ASSERT_TRUE(step.step(g.data(), f) && step.derivative(f, d));
    for (std::size_t k = 0; k < 3; ++k) {
      quad df[4] = {};
      for (const int n : {-2, -1, 1, 2}) {
        auto shifted = g;
        shifted[k] += n * e;
        quad s[4];
        ASSERT_TRUE(step.step(shifted.data(), s));
        const quad weight = (n == 1 ? 8 : n == -1 ? -8 : n == 2 ? -1 : 1) / (12 * e);
        for (int i = 0; i < 4; ++i) df[i] += weight * s[i];
      }
      const Quaternion<quad> turn =
          Quaternion<quad>{df[0], df[1], df[2], df[3]} * conj(Quaternion<quad>{f[0], f[1], f[2], f[3]});
      EXPECT_LT(static_cast<double>(math::abs(d[k] - 2 * turn.x)), 1e-21);
      EXPECT_LT(static_cast<double>(math::abs(d[3 + k] - 2 * turn.y)), 1e-21);
      EXPECT_LT(static_cast<double>(math::abs(d[6 + k] - 2 * turn.z)), 1e-21);
    }
  }
}

TEST(LieRotationStep, RefusesInertiaThatNoBodyHas) {
  EXPECT_THROW(RotationStep<double>(1, 1, 2.1), InputError);
  EXPECT_THROW(RotationStep<double>(1, 1, 0), InputError);
  EXPECT_THROW(RotationStep<double>(1, -1, 1), InputError);
  EXPECT_THROW(RotationStep<double>(1, NAN, 1), InputError);
  EXPECT_NO_THROW(RotationStep<double>(1, 2, 3));
}

TEST(LieRotationStep, FailsBeyondTheLimitAndLeavesTheResultAlone) {
  for (const auto& j : bodies<double>()) {
    const RotationStep<double> step(j[0], j[1], j[2]);
    const double g[3] = {0, 1.001 * j[1], 0};
    double f[4] = {7, 7, 7, 7};
    EXPECT_FALSE(step.step(g, f));
    EXPECT_EQ(f[0], 7);
  }
}

struct FreeBody {
  quad error, energy, norm;
};

// J = diag(1, 2, 3), body omega (.01, 2, .01), until t = 10; the reference by a Taylor series of 45 digits.
FreeBody free_body(const quad& h, int steps, const std::array<quad, 3>& j = {1, 2, 3}) {
  const RotationStep<quad> step(j[0], j[1], j[2]);
  Quaternion<quad> q{1, 0, 0, 0};
  const quad hundredth = quad(1) / 100;
  const Vec3<quad> pi{hundredth, 4, 3 * hundredth};
  const auto energy = [&](const Vec3<quad>& body) {
    return (body.x * body.x / j[0] + body.y * body.y / j[1] + body.z * body.z / j[2]) / 2;
  };
  FreeBody result{};
  const quad start = energy(pi);
  for (int k = 0; k < steps; ++k) {
    const Vec3<quad> body = rotate(conj(q), pi);
    result.energy = math::max(result.energy, math::abs(energy(body) / start - 1));
    const quad g[3] = {h * body.x, h * body.y, h * body.z};
    quad f[4];
    if (!step.step(g, f)) return {quad(NAN), 0, 0};
    q = renormalised(q * Quaternion<quad>{f[0], f[1], f[2], f[3]});
    result.norm = math::max(result.norm, math::abs(squared_norm(q) - 1));
  }
  quad r[4];
  from_text("-0.01293111899755681864", r[0]), from_text("0.99854830744611804554", r[1]);
  from_text("-0.00666567243172579313", r[2]), from_text("-0.05186166859055798353", r[3]);
  const quad d[4] = {q.w - r[0], q.x - r[1], q.y - r[2], q.z - r[3]};
  result.error = math::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
  return result;
}

TEST(LieRotationStep, FreeBodyErrsByWhatIsKnownAndKeepsItsEnergy) {
  const struct {
    int steps;
    double error, half_unit;
  } rows[] = {{100, 6.79e-2, 5e-5}, {200, 1.675e-2, 5e-6}, {400, 4.17e-3, 5e-6}, {6400, 1.63e-5, 5e-8}};
  for (const auto& row : rows) {
    const FreeBody b = free_body(quad(10) / row.steps, row.steps);
    EXPECT_NEAR(static_cast<double>(b.error), row.error, row.half_unit) << row.steps;
    EXPECT_LT(static_cast<double>(b.energy), 1e-30);
    EXPECT_LT(static_cast<double>(b.norm), 1e-33);
  }
}

TEST(LieRotationStep, AnyFreeBodyKeepsItsEnergyToRoundOff) {
  // Pi is constant in space by construction; that the step follows the orbit of the body is not.
  EXPECT_LT(static_cast<double>(free_body(quad(1) / 20, 2000, {1, 2, quad(2.75)}).energy), 1e-30);
  EXPECT_LT(static_cast<double>(free_body(quad(1) / 20, 2000, {3, 2, 1}).energy), 1e-30);
}

TEST(LieQuaternion, ColumnsAndBack) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    Quaternion<quad> q{normal(random), normal(random), normal(random), normal(random)};
    if (trial < 40) (trial % 4 == 0 ? q.w : trial % 4 == 1 ? q.x : trial % 4 == 2 ? q.y : q.z) *= 1e-12;
    q = (1 / math::sqrt(squared_norm(q))) * q;
    const Quaternion<quad> r = from_columns(columns(q));
    const quad sign = q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z < 0 ? -1 : 1;
    const Quaternion<quad> d{q.w - sign * r.w, q.x - sign * r.x, q.y - sign * r.y, q.z - sign * r.z};
    EXPECT_LT(static_cast<double>(math::sqrt(squared_norm(d))), 1e-32);
    const Vec3<quad> a{1, 2, 3}, difference = rotate(q, a) - columns(q).to_space(a);
    EXPECT_LT(static_cast<double>(dot(difference, difference)), 1e-62);
    const Vec3<quad> back = columns(q).to_body(columns(q).to_space(a)) - a;
    EXPECT_LT(static_cast<double>(dot(back, back)), 1e-62);
  }
}

TEST(LieQuaternion, RotationVectorsOnBothSidesOfTheSeries) {
  for (const double angle : {0.0, 1e-20, 1e-5, 0.49, 0.4999999, 0.5000001, 0.51, 1.0, 3.0}) {
    const quad a = angle, third = quad(1) / 3;
    const Vec3<quad> n{2 * third, third, -2 * third};
    const Quaternion<quad> q = from_rotation_vector(a * n);
    EXPECT_LT(static_cast<double>(math::abs(q.w - math::cos(a / 2))), 1e-33);
    EXPECT_LE(static_cast<double>(math::abs(q.x - math::sin(a / 2) * n.x)), 1e-33 * angle);
  }
}

TEST(LieQuaternion, EulerAngles) {
  const quad third = quad(1) / 3;
  const Quaternion<quad> q = from_euler_angles(quad(0.5), third, quad(2));
  const Columns<quad> c = columns(q);
  EXPECT_LT(static_cast<double>(math::abs(c.e3.x - math::sin(quad(0.5)) * math::sin(third))), 1e-33);
  EXPECT_LT(static_cast<double>(math::abs(c.e3.y + math::cos(quad(0.5)) * math::sin(third))), 1e-33);
  EXPECT_LT(static_cast<double>(math::abs(c.e1.z - math::sin(quad(2)) * math::sin(third))), 1e-33);
}

}  // namespace
}  // namespace extremal::lie::lie_rotation_test
