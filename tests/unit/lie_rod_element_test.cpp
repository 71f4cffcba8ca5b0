#include "bodies/rod_element.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace extremal::lie::lie_rod_element_test {
namespace {

template <class S>
struct Pose {
  Vec3<S> x;
  Quaternion<S> q;
};

template <class T, class S>
Vec3<T> lift(const Vec3<S>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

template <class S>
RodElement<S> sample(std::mt19937& random) {
  std::uniform_real_distribution<double> u(0.5, 2);
  return {S(u(random)),
          {S(u(random)), S(u(random)), S(u(random))},
          {S(u(random)), S(u(random)), S(u(random))},
          {S(u(random)), S(u(random)) - 1, S(u(random)) - 1},
          {S(u(random)) - 1, S(u(random)) - 1, S(u(random)) - 1}};
}

// The second node is turned by `angle` against the first, about a random axis.
template <class S>
std::array<Pose<S>, 2> poses(std::mt19937& random, const S& angle) {
  std::normal_distribution<double> n;
  const auto vector = [&] { return Vec3<S>{S(n(random)), S(n(random)), S(n(random))}; };
  const auto unit = [](const Vec3<S>& a) { return (S(1) / math::sqrt(dot(a, a))) * a; };
  const Quaternion<S> q = from_rotation_vector(vector());
  return {{{vector(), q}, {vector(), q * from_rotation_vector(angle * unit(vector()))}}};
}

// -dU/dx1, -dU/dtheta1, -dU/dx2, -dU/dtheta2, where delta q = (0, delta theta / 2) q.
template <class S>
std::array<Vec3<S>, 4> exact_forces(const RodElement<S>& e, const std::array<Pose<S>, 2>& node) {
  using J = Jet<S, 12, 1>;
  const RodElement<J> je{J(e.inverse_length), lift<J>(e.force_stiffness), lift<J>(e.moment_stiffness),
                         lift<J>(e.gamma0), lift<J>(e.omega0)};
  std::array<Pose<J>, 2> moved;
  for (int i = 0; i < 2; ++i) {
    const auto& [x, q] = node[static_cast<std::size_t>(i)];
    const int at = 6 * i;
    const auto half = [&](int k) { return S(0.5) * J::variable(S(0), at + 3 + k); };
    moved[static_cast<std::size_t>(i)] = {
        {J::variable(x.x, at), J::variable(x.y, at + 1), J::variable(x.z, at + 2)},
        Quaternion<J>{J(1), half(0), half(1), half(2)} * Quaternion<J>{J(q.w), J(q.x), J(q.y), J(q.z)}};
  }
  const J u = rod_energy(je, rod_strain(je, moved[0].x, moved[0].q, moved[1].x, moved[1].q)).total();
  std::array<Vec3<S>, 4> f;
  for (std::size_t k = 0; k < 4; ++k) f[k] = {-u.g[3 * k], -u.g[3 * k + 1], -u.g[3 * k + 2]};
  return f;
}

template <class S>
double length(const Vec3<S>& a) {
  return static_cast<double>(math::sqrt(dot(a, a)));
}

template <class S>
class LieRodElement : public testing::Test {
 protected:
  static constexpr double eps = static_cast<double>(Scalar<S>::epsilon);
  const S pi = S(4) * math::atan(S(1));
  // From no relative rotation to where r0 = 0, and beyond, where the other sign of q2 is taken.
  const std::vector<S> angles{
      S(0), S(1e-17),         S(1e-9),          S(1e-5), S(1e-3),           S(0.1), S(1), S(2), S(3), pi,
      S(4), pi - S(10) * eps, pi + S(10) * eps, S(6),    pi + pi - S(0.001)};
};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(LieRodElement, Scalars);

TYPED_TEST(LieRodElement, ForcesAreTheGradientOfTheEnergy) {
  using S = TypeParam;
  std::mt19937 random(1);
  for (const S& angle : this->angles)
    for (int trial = 0; trial < 20; ++trial) {
      const RodElement<S> e = sample<S>(random);
      const auto node = poses<S>(random, angle);
      const RodForces<S> f = rod_forces(e, node[0].x, node[0].q, node[1].x, node[1].q);
      const auto exact = exact_forces(e, node);
      const double scale = 1 + length(exact[0]) + length(exact[1]) + length(exact[3]);
      EXPECT_LT(length(f.n - exact[0]), 100 * this->eps * scale) << static_cast<double>(angle);
      EXPECT_LT(length(f.n + exact[2]), 100 * this->eps * scale) << static_cast<double>(angle);
      EXPECT_LT(length(f.t1() - exact[1]), 100 * this->eps * scale) << static_cast<double>(angle);
      EXPECT_LT(length(f.t2() - exact[3]), 100 * this->eps * scale) << static_cast<double>(angle);
    }
}

TYPED_TEST(LieRodElement, NothingPushesOrTurnsTheWhole) {
  using S = TypeParam;
  std::mt19937 random(2);
  for (const S& angle : this->angles) {
    const RodElement<S> e = sample<S>(random);
    const auto node = poses<S>(random, angle);
    const RodForces<S> f = rod_forces(e, node[0].x, node[0].q, node[1].x, node[1].q);
    const double scale = 1 + length(f.n) * length(node[1].x - node[0].x) + length(f.t1()) + length(f.t2());
    EXPECT_LT(length(f.t1() + f.t2() - cross(node[1].x - node[0].x, f.n)), 8 * this->eps * scale);
  }
}

TYPED_TEST(LieRodElement, PolynomialIsTheArcTangent) {
  using S = TypeParam;
  const S steepest = math::sqrt(S(2)) - S(1);
  for (int i = 1; i <= 1000; ++i) {
    const S t = steepest * S(i) / S(1000);
    const S value = t * (S(1) - t * t * arc_tangent_defect(t * t));
    EXPECT_LT(static_cast<double>(math::abs(value / math::atan(t) - S(1))), 4 * this->eps) << i;
  }
}

TYPED_TEST(LieRodElement, StrainsOfAnArc) {
  using S = TypeParam;
  // Two frames on a circle of radius 2 about -e3, an angle a apart: curvature 1/2 about the third axis.
  const S a = S(1) / S(3), zero(0);
  const RodElement<S> e{
      S(1) / (S(2) * a), {S(1), S(1), S(1)}, {S(1), S(1), S(1)}, {S(1), zero, zero}, {zero, zero, zero}};
  const Vec3<S> x1{zero, zero, zero}, x2{S(2) * math::sin(a), S(2) - S(2) * math::cos(a), zero};
  const Quaternion<S> q1{S(1), zero, zero, zero}, q2{math::cos(a / S(2)), zero, zero, math::sin(a / S(2))};
  const RodStrain<S> strain = rod_strain(e, x1, q1, x2, q2);
  const S chord = math::sin(a / S(2)) / (a / S(2));
  EXPECT_LT(length(strain.gamma - Vec3<S>{chord - S(1), zero, zero}), 4 * this->eps);
  EXPECT_LT(length(strain.omega - Vec3<S>{zero, zero, S(1) / S(2)}), 4 * this->eps);
  RodElement<S> free = e;
  make_stress_free(free, x1, q1, x2, q2);
  EXPECT_EQ(static_cast<double>(rod_energy(free, rod_strain(free, x1, q1, x2, q2)).total()), 0);
}

TEST(LieRodElementControl, PrintedMomentsAreNotTheGradient) {
  // [LewMata2016, eq. 109d]: -+m + d/2 x n, that is mu = M. The balance of momenta cannot tell.
  std::mt19937 random(3);
  const RodElement<double> e = sample<double>(random);
  const auto node = poses<double>(random, 1.0);
  const RodStress<double> stress = rod_stress(e, rod_strain(e, node[0].x, node[0].q, node[1].x, node[1].q));
  const RelativeRotation<double> r = relative_rotation(node[0].q, node[1].q);
  const Columns<double> axes = columns(r.sum, r.scale);
  const Vec3<double> n = axes.to_space(stress.force), m = axes.to_space(stress.moment);
  const Vec3<double> arm = 0.5 * cross(n, node[1].x - node[0].x), t1 = m - arm, t2 = -m - arm;
  EXPECT_LT(length(t1 + t2 - cross(node[1].x - node[0].x, n)), 1e-14);
  EXPECT_GT(length(t1 - exact_forces(e, node)[1]), 0.01 * length(t1));
}

}  // namespace
}  // namespace extremal::lie::lie_rod_element_test
