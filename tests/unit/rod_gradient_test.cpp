// The gradient of a rod element by its nodes' directors is that of automatic differentiation, on rotations and off
// them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bodies/rod_gradient.hpp"
#include "extremal/detail/jet.hpp"

namespace extremal::rod_gradient_test {
namespace {

// Two nodes whose rotations are up to `turn` away from each other, with directors that are `off` away from unit ones.
template <class S>
double defect(std::mt19937& random, double turn, double off, bool wrong) {
  std::uniform_real_distribution<double> any(-1, 1);
  const auto vec = [&](double size) {
    return lie::Vec3<S>{S(size * any(random)), S(size * any(random)), S(size * any(random))};
  };
  const lie::RodElement<S> element{S(2.5), {S(30), S(20), S(25)}, {S(3), S(4), S(5)}, {S(1), S(0.1), S(0)}, vec(0.3)};
  const lie::Quaternion<S> first = lie::from_rotation_vector(vec(3)),
                           other = first * lie::from_rotation_vector(vec(turn));
  S x[24], found[24];
  int k = 0;
  for (const auto& q : {first, other}) {
    const lie::Columns<S> R = lie::columns(q);
    const lie::Vec3<S> centre = vec(1);
    for (const auto& d : {centre, R.e1, R.e2, R.e3})
      for (const S& c : {d.x, d.y, d.z}) x[k] = c + (k % 12 < 3 ? S(0) : S(off * any(random))), ++k;
  }
  using T = Jet<S, 24, 1>;
  T jets[24];
  for (int i = 0; i < 24; ++i) jets[i] = T::variable(x[i], i);
  if (wrong) x[7] += S(1e-3);
  const T expected = lie::rod_energy_of_directors<T, S>(element, jets);
  const S energy = lie::rod_gradient_of_directors<S>(element, x, found);
  S most = math::abs(energy - expected.a), size = math::abs(expected.a);
  for (int i = 0; i < 24; ++i) {
    most = math::max(most, math::abs(found[i] - expected.g[i]));
    size = math::max(size, math::abs(expected.g[i]));
  }
  return static_cast<double>(most / size / Scalar<S>::epsilon);
}

template <class S>
double worst(bool wrong = false) {
  std::mt19937 random(7);
  double most = 0;
  for (int k = 0; k < 200; ++k)
    most = std::max({most, defect<S>(random, 0.1, 0, wrong), defect<S>(random, 1.5, 0, wrong),
                     defect<S>(random, 0.7, 0.05, wrong)});
  return most;
}

TEST(RodGradient, IsTheAutomaticOne) {
  EXPECT_LE(worst<double>(), 200);
  EXPECT_LE(worst<quad>(), 200);
}

TEST(RodGradient, IsNoOther) { EXPECT_GT(worst<double>(true), 1e6); }

}  // namespace
}  // namespace extremal::rod_gradient_test
