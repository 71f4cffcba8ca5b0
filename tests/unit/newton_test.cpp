// Newton: the matrix is renewed where that pays, and the root does not depend on it.
#include "kernel/newton.hpp"

#include <gtest/gtest.h>

#include <array>

#include "extremal/scalar.hpp"

namespace extremal::newton_test {
namespace {

// x_i + curvature (x_i^2 + x_i x_{i+1}) = b_i.
template <class S>
struct Problem {
  static constexpr int size = 3;
  double curvature;
  int iterations = 0, matrices = 0;
  bool converged = false;

  std::array<S, size> solve(double guess) {
    Newton<S> newton(BlockLu(size), size);
    for (int i = 0; i < size; ++i) newton.x()[at(i)] = S(1) + S(guess) * S(i + 1);
    StepReport report;
    converged = newton.solve(
        [&](const S* x, S* r) {
          S most(0);
          for (int i = 0; i < size; ++i) {
            r[i] = value(x, i) - b(i);
            most = math::max(most, math::abs(r[i]));
          }
          return most;
        },
        [&](BlockLu& lu) {
          ++matrices;
          lu.clear();
          for (int i = 0; i < size; ++i) {
            const int next = (i + 1) % size;
            const double xi = static_cast<double>(newton.x()[at(i)]), xn = static_cast<double>(newton.x()[at(next)]);
            lu.data()[lu.slot(i, i)] += 1 + curvature * (2 * xi + xn);
            lu.data()[lu.slot(i, next)] += curvature * xi;
          }
        },
        S(1), report);
    iterations = report.iterations;
    return {newton.x()[0], newton.x()[1], newton.x()[2]};
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  S value(const S* x, int i) const { return x[i] + S(curvature) * (x[i] * x[i] + x[i] * x[(i + 1) % size]); }
  static S b(int i) { return S(1) + S(i) / S(7); }
};

TEST(Newton, FindsTheSameRootWithOldMatrices) {
  for (const double curvature : {0.01, 0.3, 1.0})
    for (const double guess : {1e-3, 1e-2, 0.1, 0.5}) {
      Problem<double> by_few{curvature};
      Problem<quad> by_new{curvature};  // renews it in every iteration
      const auto x = by_few.solve(guess);
      const auto y = by_new.solve(guess);
      ASSERT_TRUE(by_few.converged && by_new.converged) << curvature << " from " << guess;
      EXPECT_LT(by_few.matrices, by_few.iterations);
      EXPECT_EQ(by_new.matrices, by_new.iterations);
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i], static_cast<double>(y[i]), 4e-16) << curvature << " from " << guess;
    }
}

TEST(Newton, RenewsAMatrixThatHasWornOut) {
  Problem<double> close{0.3}, far{0.3};
  close.solve(1e-3);
  far.solve(20);
  ASSERT_TRUE(far.converged);
  EXPECT_GT(far.matrices, close.matrices + 1);
  // A matrix is cheaper than the iterations that it saves, here no more than three.
  EXPECT_LE(far.iterations, far.matrices + 4);
}

}  // namespace
}  // namespace extremal::newton_test
