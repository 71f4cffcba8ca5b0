// What the figures of [Kinon2023] show and runs have on request: gamma, G v row by row (figures 8, 19, 21), the angular
// momentum of the linkage (figures 15, 17).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "distance.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"
#include "validation.hpp"

namespace extremal::papers::kinon2023_columns_test {
namespace {

using testing::HasSubstr;

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double one : x) most = std::max(most, std::fabs(one));
  return most;
}

// g = (q.q - 1)/2, m = 1: (57b) to (57d) say q1 = (1 + Gamma) qbar, v = (1 + Gamma) p1, qbar = q0 + h v, with Gamma = h
// gamma of the step between two rows.
TEST(Gamma, IsThatOfTheStep) {
  const Model m = model("pendulum");
  const double h = 0.05;
  const auto all =
      run(m.system, "ggl(projection=off)", m.start, {.step = "0.05", .until = 1, .extra_columns = {"gamma"}});
  ASSERT_EQ(all.status, Status::complete) << all.reason;
  const std::vector<double>& gamma = all.column("gamma:rod");
  EXPECT_EQ(gamma[0], 0);
  EXPECT_GT(largest(gamma), 1e-3);
  for (std::size_t k = 1; k < gamma.size(); ++k)
    for (const std::string x : {"x", "y"}) {
      const double stretch = 1 + h * gamma[k];
      const double v = stretch * all.column("p:" + x)[k], bar = all.column(x)[k - 1] + h * v;
      EXPECT_NEAR(all.column(x)[k], stretch * bar, 1e-13) << k;
    }
}

// The Gauss points are where the polynomial that vanishes at the Lobatto points has no slope: O(h^(s+1)), of which the
// mean over the step of s = 2 cancels another order, and zero for s = 1 with a quadratic constraint.
TEST(Gamma, OfPolynomialsVanishesWithTheStep) {
  const Model m = model("double-pendulum-3d");
  const auto most = [&](const char* scheme, const char* step) {
    const auto all = run(m.system, scheme, m.start, {.step = step, .until = "0.4", .extra_columns = {"gamma"}});
    double worst = 0;
    for (const std::string& name : m.system.constraint_names())
      worst = std::max(worst, largest(all.column("gamma:" + name)));
    return worst;
  };
  EXPECT_LT(most("livens(1)", "0.02"), 1e-12);
  EXPECT_NEAR(std::log2(most("livens(2)", "0.04") / most("livens(2)", "0.02")), 4, 0.7);
  EXPECT_NEAR(std::log2(most("energy_momentum(ggl)", "0.04") / most("energy_momentum(ggl)", "0.02")), 2, 0.7);
}

TEST(Gamma, IsRefusedWhereThereIsNone) {
  const Model m = model("pendulum");
  const auto reason = [&](const char* scheme, const char* column) {
    return refusal([&] { run(m.system, scheme, m.start, {.step = "0.1", .until = 1, .extra_columns = {column}}); });
  };
  for (const char* scheme : {"spark(3)", "energy_momentum", "phase_space(2)"})
    EXPECT_THAT(reason(scheme, "gamma"), HasSubstr("no multiplier of G v = 0")) << scheme;
  EXPECT_THAT(reason("ggl", "gama"), HasSubstr("gamma"));
  EXPECT_THAT(reason("ggl", "angular_momentum"), HasSubstr("no bodies"));
}

// Figures 8, 19 and 21: at the ends of steps the scheme's own momenta miss the hidden constraint, those of external
// constraints, which are linear in q, do not; projected ones meet all.
TEST(HiddenRows, AreThoseOfTheFigures) {
  const Model top = model("top");
  const auto own =
      run(top.system, "ggl(projection=off)", top.start, {.step = "0.002", .until = 2, .extra_columns = {"hidden"}});
  double most = 0;
  for (const std::string& name : top.system.constraint_names())
    most = std::max(most, largest(own.column("hidden:" + name)));
  EXPECT_NEAR(most, 0.374, 5e-4);
  EXPECT_EQ(most, largest(own.column("hidden")));
  EXPECT_EQ(own.hidden_max, most);

  // Figure 19 has the first bar's rows, figure 21 those of a joint.
  const Model linkage = model("double-four-bar");
  const Span span{.step = "0.001", .until = 10, .extra_columns = {"hidden"}};
  const auto figure = run(linkage.system, "ggl(projection=off)", linkage.start, span),
             projected = run(linkage.system, "ggl", linkage.start, span);
  double first = 0, internal = 0, external = 0;
  for (const std::string& name : linkage.system.constraint_names()) {
    const double row = largest(figure.column("hidden:" + name));
    if (name.starts_with("bar 1")) first = std::max(first, row);
    double& kind = name.starts_with("bar") ? internal : external;
    kind = std::max(kind, row);
    EXPECT_LT(largest(projected.column("hidden:" + name)), 1e-10) << name;
  }
  EXPECT_NEAR(first, 5.06e-5, half_unit(5.06e-5, 3));
  EXPECT_NEAR(internal, 1.13e-4, half_unit(1.13e-4, 3));
  EXPECT_LT(external, 1e-13);
  record("kinon-hidden", fmt::format("| top, figure 8 | {0:.3f} | {0:.3f} | |", most));
  record("kinon-hidden", fmt::format("| linkage, figures 19 and 21 | {:.1e} | {:.1e} | round-off |", first, internal));
}

// Figures 15 and 17: all bars stay parallel, and L = theta' (3 + 3.5 cos theta) about the origin, theta known with 40
// digits at four times.
TEST(AngularMomentum, OfTheLinkageIsAColumnOfTheModel) {
  const Model m = model("double-four-bar");
  EXPECT_EQ(m.span.extra_columns, std::vector<std::string>{"angular_momentum"});
  const auto all = run(m.system, "spark(3)", m.start,
                       {.step = "0.005", .until = 10, .every = 200, .extra_columns = m.span.extra_columns});
  const std::vector<double>& L = all.column("angular_momentum:z");
  struct Known {
    std::size_t row;
    double theta, v4;  // v4 = -theta' sin theta
  };
  for (const auto& [row, theta, v4] : {Known{1, -1.76707447631020111, -6.67667803688115807},
                                       {2, -4.77023703451743499, 1.01726013662043651},
                                       {5, -15.083557159858586, -3.56911739719320919},
                                       {10, -30.1798008601912052, 1.42305147020694412}})
    EXPECT_NEAR(L[row], -v4 / std::sin(theta) * (3 + 3.5 * std::cos(theta)), 1e-7) << row;
  EXPECT_NEAR(L[0], -3, 1e-14);
}

// In space it has three components, and that about the vertical is conserved for the top (figures 4, 6).
TEST(AngularMomentum, OfTheTop) {
  const Model m = model("top");
  const auto all = run(m.system, "ggl", m.start, {.step = "0.002", .until = 2, .extra_columns = {"angular_momentum"}});
  const std::vector<double>& z = all.column("angular_momentum:z");
  EXPECT_NEAR(z.front(), 0.0710657710673, 1e-12);
  EXPECT_NEAR(z.back(), z.front(), 1e-14);
  EXPECT_GT(largest(all.column("angular_momentum:x")), 0.04);
}

// Of successive rows, as the figures have them.
double largest_increment(const std::vector<double>& x) {
  double most = 0;
  for (std::size_t k = 1; k < x.size(); ++k) most = std::max(most, std::fabs(x[k] - x[k - 1]));
  return most;
}

// Figures 5 and 6, 16 and 17: increments of the energy with the scheme's own momenta, which the top's start does not
// have yet; of the top's momentum about the vertical, which is conserved, and of the linkage's, which is not.
TEST(Increments, OfTheFigures) {
  const auto run_of = [](const char* name, const char* step, int until) {
    const Model m = model(name);
    return run(m.system, "ggl(projection=off)", m.start,
               {.step = step, .until = until, .extra_columns = {"angular_momentum"}});
  };
  const auto top = run_of("top", "0.002", 2), linkage = run_of("double-four-bar", "0.001", 10);
  std::vector<double> energy = top.column("energy");
  EXPECT_NEAR(largest_increment(energy), 1.77e-5, half_unit(1.77e-5, 3));
  energy.erase(energy.begin());
  EXPECT_NEAR(largest_increment(energy), 1.92e-6, half_unit(1.92e-6, 3));
  EXPECT_LT(largest_increment(top.column("angular_momentum:z")), 1e-16);
  EXPECT_NEAR(largest_increment(linkage.column("energy")), 8.03e-4, half_unit(8.03e-4, 3));
  EXPECT_NEAR(largest_increment(linkage.column("angular_momentum:z")), 0.165, half_unit(0.165, 3));
}

// What round-off makes of ten steps: the largest differences between double and quad, of q, of h p relative to q as
// lengths are, and of the multipliers that the last step was solved with.
struct RoundOff {
  double q = 0, p = 0, lambda = 0;
};
RoundOff round_off(const char* scheme, const char* step) {
  const Model m = model("top");
  const auto in = [&]<class S>(S) {
    Stepper<S> stepper(m.system, Scheme::named(scheme));
    stepper.start(m.start, Number(step).as<S>());
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(stepper.step(Number(step).as<S>()).converged) << scheme;
    const State<S>& end = stepper.state();
    const std::vector<S>& lambda = stepper.multipliers();
    return std::array<std::vector<quad>, 3>{std::vector<quad>(end.q.begin(), end.q.end()),
                                            std::vector<quad>(end.p.begin(), end.p.end()),
                                            std::vector<quad>(lambda.begin(), lambda.end())};
  };
  const auto one = in(double()), other = in(quad());
  return {distance(one[0], other[0]), distance(one[1], other[1]), distance(one[2], other[2])};
}

// Index two or three: lengths and impulses are what steps are solved for, and positions and momenta keep their digits
// at any h. Of a multiplier, an impulse divided by h or by h^2, digits are lost: by index three as 1/h^2, by two as
// 1/h.
TEST(IndexTwo, LosesFewerDigitsOfTheMultiplierAndNoneElse) {
  for (const auto& [scheme, power] : {std::pair{"ggl", 1}, {"rattle", 2}, {"livens(2)", 1}}) {
    const RoundOff coarse = round_off(scheme, "1e-3"), fine = round_off(scheme, "1e-6");
    for (const RoundOff& one : {coarse, fine}) {
      EXPECT_LT(one.q, 1e-15) << scheme;
      EXPECT_LT(one.p, 1e-15) << scheme;
    }
    EXPECT_NEAR(std::log10(fine.lambda / coarse.lambda), 3 * power, 1.5) << scheme;
    record("kinon-index", fmt::format("| {} | {:.0e} | {:.0e} | {:.0e} | {:.0e} |", scheme, fine.q, fine.p,
                                      coarse.lambda, fine.lambda));
  }
}

}  // namespace
}  // namespace extremal::papers::kinon2023_columns_test
