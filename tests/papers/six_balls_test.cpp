// The six balls of [Man2020, section 4.4]: bounded energy, conserved momenta and the antisymmetry of the motion about
// the centre over [0, 400].
#include <gtest/gtest.h>
#include <algorithm>

#include "distance.hpp"
#include "extremal/models.hpp"

namespace extremal::papers::six_balls_test {
namespace {

struct Figures {
  double energy = 0;        // largest |H - H0| / |H0|
  double angular = 0;       // largest change of the angular momentum, which is 0
  double linear = 0;        // of the linear momentum
  double antisymmetry = 0;  // largest |x_i + x_{7-i} - 5/2|, |y_i + y_{7-i} - sqrt(3)/2|
  double constraint = 0;    // largest |g|
};

template <class S>
Figures measure(const char* scheme, const char* step) {
  const Model m = model("six-balls");
  const auto run = extremal::run<S>(m.system, scheme, m.start, {.step = step, .until = 400});
  if (run.status != Status::complete) throw std::runtime_error(run.summary());
  Figures f;
  f.energy = magnitude(run.energy_max_error / run.energy_initial);
  for (const auto& change : run.momentum_error)
    (change.name == "about z" ? f.angular : f.linear) =
        std::max(change.name == "about z" ? f.angular : f.linear, magnitude(change.values[0]));
  f.constraint = magnitude(run.constraint_max);
  const S sum[2] = {S(5) / S(2), math::sqrt(S(3)) / S(2)};
  for (int i = 1; i <= 3; ++i)
    for (int axis = 0; axis < 2; ++axis) {
      const std::string letter = axis == 0 ? "x" : "y";
      const auto& first = run.column(letter + std::to_string(i));
      const auto& last = run.column(letter + std::to_string(7 - i));
      for (std::size_t k = 0; k < first.size(); ++k)
        f.antisymmetry = std::max(f.antisymmetry, magnitude(first[k] + last[k] - sum[axis]));
    }
  return f;
}

// The reference's own figures, in double and in quad, bound what round-off may do.
TEST(SixBalls, MomentaAndAntisymmetryAreConservedInDouble) {
  const Figures coarse = measure<double>("man(LGG, 2)", "1");
  EXPECT_LT(coarse.angular, 4.74e-15);
  EXPECT_LT(coarse.linear, 9.01e-15);
  EXPECT_LT(coarse.antisymmetry, 4.60e-13);
  EXPECT_LT(coarse.constraint, 5e-15);
  EXPECT_NEAR(coarse.energy, 1.18437e-1, 1.01 * half_unit(1.18437e-1, 6));

  const Figures fine = measure<double>("man(LGG, 2)", "0.1");
  EXPECT_LT(fine.angular, 5.16e-14);
  EXPECT_LT(fine.linear, 1.84e-13);
  EXPECT_LT(fine.antisymmetry, 8.83e-12);
  EXPECT_LT(fine.constraint, 5e-15);
  EXPECT_NEAR(fine.energy, 1.18550e-3, 1.01 * half_unit(1.18550e-3, 6));
}

TEST(SixBalls, MomentaAndAntisymmetryAreConservedInQuad) {
  const Figures f = measure<quad>("man(LGG, 2)", "1");
  EXPECT_LT(f.angular, 5.16e-33);
  EXPECT_LT(f.linear, 7.63e-33);
  EXPECT_LT(f.antisymmetry, 5.57e-31);
  EXPECT_LT(f.constraint, 5e-33);
  EXPECT_NEAR(f.energy, 1.18437e-1, 1.01 * half_unit(1.18437e-1, 6));
}

struct Bound {
  const char* scheme;
  double energy;
  int digits;  // that round-off left in the reference
};

TEST(SixBalls, EnergyHasItsBounds) {
  for (const Bound& b : {Bound{"man(LLL, 2)", 3.54364e-3, 6}, Bound{"man(LGG, 2)", 1.18550e-3, 6},
                         Bound{"man(LLL, 3)", 7.97573e-7, 6}, Bound{"man(LGG, 3)", 3.21047e-7, 6},
                         Bound{"man(LLL, 4)", 1.08244e-10, 4}, Bound{"man(LGG, 4)", 4.95055e-11, 4}}) {
    const Figures f = measure<long double>(b.scheme, "0.1");
    EXPECT_NEAR(f.energy, b.energy, 1.01 * half_unit(b.energy, b.digits)) << b.scheme;
    EXPECT_LT(f.angular, 6.4e-17) << b.scheme;
    EXPECT_LT(f.antisymmetry, 2.4e-15) << b.scheme;
  }
}

}  // namespace
}  // namespace extremal::papers::six_balls_test
