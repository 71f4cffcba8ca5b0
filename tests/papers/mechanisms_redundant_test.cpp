// Redundant joints: the motion of a planar linkage whose bodies and joints are spatial is that of the planar model, at
// every order, and its multipliers are those of least norm. Bennett's linkage moves against the count.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "full.hpp"
#include "validation.hpp"

namespace extremal::papers::mechanisms_redundant_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Triple = std::array<double, 3>;

double along(const double* x, const Triple& axis) { return x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2]; }

// The plane of a linkage in space: the directors of its first coupler, which starts at the angle 0.
std::array<Triple, 3> plane_of(const std::vector<double>& q, std::size_t coupler) {
  std::array<Triple, 3> axes;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t c = 0; c < 3; ++c) axes[i][c] = q[12 * coupler + 3 + 3 * i + c];
  return axes;
}

// The largest difference of centres and directors of a linkage in space and the same in the plane.
double plane_distance(const std::vector<double>& space, const std::vector<double>& plane,
                      const std::array<Triple, 3>& axes) {
  if (space.size() != 2 * plane.size()) return std::numeric_limits<double>::infinity();
  std::vector<double> seen, expected;
  for (std::size_t body = 0; body < plane.size() / 6; ++body) {
    for (std::size_t part = 0; part < 3; ++part) {  // centre, d1, d2
      const double* x = &space[12 * body + 3 * part];
      for (const Triple& axis : axes) seen.push_back(along(x, axis));
      expected.insert(expected.end(), {plane[6 * body + 2 * part], plane[6 * body + 2 * part + 1], 0});
    }
    for (const Triple& axis : axes) seen.push_back(along(&space[12 * body + 9], axis));
    expected.insert(expected.end(), {0, 0, 1});
  }
  return distance(seen, expected);
}

struct Case {
  const char *name, *scheme;
};
class Redundant : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(FourBar, Redundant,
                         testing::Values(Case{"four-bar-spatial", "rattle"}, Case{"four-bar-spatial", "spark(2)"},
                                         Case{"four-bar-spatial", "spark(3)"}, Case{"four-bar-tilted", "rattle"},
                                         Case{"four-bar-tilted", "spark(2)"}, Case{"four-bar-tilted", "spark(3)"}),
                         [](const auto& instance) {
                           return identifier(std::string(instance.param.name) + " " + instance.param.scheme);
                         });

TEST_P(Redundant, MovesAsThePlanarOne) {
  const Model m = model(GetParam().name), flat = model("double-four-bar");
  Stepper<double> space(m.system, Scheme::named(GetParam().scheme)),
      plane(flat.system, Scheme::named(GetParam().scheme));
  const Consistency found = space.start(m.start);
  EXPECT_EQ(found.redundant, 6);
  EXPECT_THAT(found.dependent, testing::UnorderedElementsAre("P1", "P2", "P3", "P4", "P5 left", "P5 right", "P6"));
  EXPECT_EQ(plane.start(flat.start).redundant, 0);
  const auto axes = plane_of(space.state().q, 1);
  double worst = 0;
  for (int k = 0; k < 1000; ++k) {
    const StepReport report = space.step(0.01);
    ASSERT_TRUE(report.converged) << report.worst;
    ASSERT_TRUE(plane.step(0.01).converged);
    worst = std::max(worst, plane_distance(space.state().q, plane.state().q, axes));
  }
  EXPECT_LE(worst, 1e-9);
  std::printf("%s, %s: %.1e from the planar one\n", GetParam().name, GetParam().scheme, worst);
}

TEST(RedundantRun, NotesTheJoints) {
  const Model m = model("four-bar-tilted"), flat = model("double-four-bar");
  const auto run = extremal::run(m.system, "rattle", m.start, {.step = "0.01", .until = "0.1"});
  EXPECT_THAT(run.notes, testing::Contains(testing::AllOf(HasSubstr("6 redundant rows"), HasSubstr("P1, P2"),
                                                          HasSubstr("P5 right"), HasSubstr("least norm"))));
  const auto none = extremal::run(flat.system, "rattle", flat.start, {.step = "0.01", .until = "0.1"});
  EXPECT_THAT(none.notes, testing::Not(testing::Contains(HasSubstr("redundant"))));
}

TEST(FourBarSpatial, OfFortyLoopsMovesAsThePlanarChain) {
  const Model m = model("four-bar-spatial(40)"), flat = model("four-bar-chain(40)");
  Stepper<double> space(m.system, Scheme::named("spark(2)")), plane(flat.system, Scheme::named("spark(2)"));
  EXPECT_EQ(space.start(m.start).redundant, 120);
  plane.start(flat.start);
  const auto axes = plane_of(space.state().q, 1);
  double worst = 0;
  for (int k = 0; k < (full() ? 1000 : 100); ++k) {
    ASSERT_TRUE(space.step(0.01).converged && plane.step(0.01).converged);
    worst = std::max(worst, plane_distance(space.state().q, plane.state().q, axes));
  }
  EXPECT_LE(worst, 1e-9);
}

// All y with G^T y = 0, from Gauss's and Jordan's elimination with complete pivots.
std::vector<std::vector<double>> left_null_space(const std::vector<double>& G, std::size_t rows, std::size_t n) {
  std::vector<std::vector<double>> a(n, std::vector<double>(rows));
  for (std::size_t k = 0; k < rows; ++k)
    for (std::size_t i = 0; i < n; ++i) a[i][k] = G[k * n + i];
  std::vector<std::size_t> pivots;
  std::vector<bool> bound(rows, false);
  while (pivots.size() < n) {
    const std::size_t rank = pivots.size();
    std::size_t row = rank, column = 0;
    double most = 1e-9;
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t k = 0; k < rows; ++k)
        if (!bound[k] && std::fabs(a[i][k]) > most) most = std::fabs(a[i][k]), row = i, column = k;
    if (most <= 1e-9) break;
    std::swap(a[rank], a[row]);
    bound[column] = true;
    pivots.push_back(column);
    const double pivot = a[rank][column];
    for (double& x : a[rank]) x /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      const double f = a[i][column];
      if (i == rank || f == 0) continue;
      for (std::size_t k = 0; k < rows; ++k) a[i][k] -= f * a[rank][k];
    }
  }
  std::vector<std::vector<double>> null;
  for (std::size_t k = 0; k < rows; ++k) {
    if (bound[k]) continue;
    std::vector<double> y(rows, 0.0);
    y[k] = 1;
    for (std::size_t i = 0; i < pivots.size(); ++i) y[pivots[i]] = -a[i][k];
    null.push_back(y);
  }
  return null;
}

// The largest cosine between lambda and the null space in the norm W of equally stiff joints: 1 for a row of lengths,
// 1 / l^2 = 4 for one of angles, 0 for rigidity.
double misalignment(const Model& m, const std::vector<double>& G, const std::vector<double>& lambda) {
  const std::size_t rows = lambda.size(), n = G.size() / rows;
  std::vector<double> W(rows, 0.0);
  for (const char* joint : {"P1", "P2", "P3", "P4", "P5 left", "P5 right", "P6"}) {
    const std::vector<int> of = m.mechanism->rows(joint);
    for (std::size_t c = 0; c < of.size(); ++c) W[static_cast<std::size_t>(of[c])] = c < 3 ? 1 : 4;
  }
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < rows; ++k) sum += W[k] * a[k] * b[k];
    return sum;
  };
  const auto null = left_null_space(G, rows, n);
  EXPECT_EQ(null.size(), 6u);
  double worst = 0;
  for (const auto& y : null) {
    for (std::size_t i = 0; i < n; ++i) {
      double force = 0;
      for (std::size_t k = 0; k < rows; ++k) force += G[k * n + i] * y[k];
      EXPECT_LE(std::fabs(force), 1e-11);
    }
    worst = std::max(worst, std::fabs(product(y, lambda)) / std::sqrt(product(y, y) * product(lambda, lambda)));
  }
  return worst;
}

// A linkage after 30 steps of 0.01: in space, and the same in the plane.
struct Pair {
  Model m = model("four-bar-tilted"), flat = model("double-four-bar");
  Stepper<double> space, plane;
  std::array<Triple, 3> axes;
  explicit Pair(const char* scheme)
      : space(m.system, Scheme::named(scheme)), plane(flat.system, Scheme::named(scheme)) {
    space.start(m.start);
    plane.start(flat.start);
    axes = plane_of(space.state().q, 1);
    for (int k = 0; k < 30; ++k) EXPECT_TRUE(space.step(0.01).converged && plane.step(0.01).converged) << scheme;
  }
  std::vector<double> jacobian() { return space.constraint_jacobian(space.state().q, space.state().t); }
  // Forget the steps: then the multipliers are those of the state [Wenger2017, eq. 70], not the scheme's own.
  void forget() {
    space.place(State<double>(space.state()));
    plane.place(State<double>(plane.state()));
  }
};

TEST(Multipliers, OfTheStateAreThoseOfLeastNorm) {
  for (const char* scheme : {"rattle", "spark(2)", "ggl"}) {
    Pair pair(scheme);
    pair.forget();
    const auto G = pair.jacobian();
    std::vector<double> lambda = pair.space.observe().lambda;
    EXPECT_LE(misalignment(pair.m, G, lambda), 1e-8) << scheme;
    // Control: with a part of the null space they are multipliers of the same motion, but not these.
    const auto y = left_null_space(G, lambda.size(), pair.space.state().q.size())[0];
    for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] += y[k];
    EXPECT_GT(misalignment(pair.m, G, lambda), 1e-3) << scheme;
  }
}

TEST(Multipliers, OfTheSchemeAreThoseOfLeastNorm) {
  for (const char* scheme : {"rattle", "spark(2)"}) {
    Pair pair(scheme);
    EXPECT_LE(misalignment(pair.m, pair.jacobian(), pair.space.observe().lambda), 1e-8) << scheme;
  }
}

// In the plane a joint's force is determined, whatever the choice among the multipliers. Those of least norm have no
// part across the plane and no torque.
TEST(Multipliers, GiveTheReactionsOfThePlanarJoints) {
  for (const char* scheme : {"rattle", "spark(2)"})
    for (const bool of_state : {false, true}) {
      SCOPED_TRACE(scheme);
      Pair pair(scheme);
      if (of_state) pair.forget();
      const auto in_space = pair.m.mechanism->reactions(pair.space.state().q, pair.space.observe().lambda);
      const auto in_plane = pair.flat.mechanism->reactions(pair.plane.state().q, pair.plane.observe().lambda);
      ASSERT_EQ(in_space.size(), 7u);
      ASSERT_EQ(in_plane.size(), 7u);
      double largest = 0;
      for (std::size_t j = 0; j < 7; ++j) {
        SCOPED_TRACE(in_space[j].joint);
        EXPECT_EQ(in_space[j].joint, in_plane[j].joint);
        const double* force = in_space[j].force.data();
        for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(along(force, pair.axes[c]), in_plane[j].force[c], 1e-7);
        if (of_state) {
          EXPECT_NEAR(along(force, pair.axes[2]), 0, 1e-7);
          EXPECT_LE(size(in_space[j].torque), 1e-7);
        }
        largest = std::max(largest, size(in_plane[j].force));
      }
      EXPECT_GT(largest, 1);
    }
}

// Of rattle and spark(2) at t = 0.3: the schemes' own at the lower of their declared orders, those of the state
// [Wenger2017, eq. 70] at the order of its q and p.
TEST(Multipliers, OfTwoSchemesConverge) {
  const Model m = model("four-bar-tilted");
  std::vector<double> own, of_state;
  for (const int steps : {30, 60, 120}) {
    std::vector<double> lambda[2], again[2];
    for (std::size_t s = 0; s < 2; ++s) {
      const Scheme scheme = Scheme::named(s == 0 ? "rattle" : "spark(2)");
      Stepper<double> stepper(m.system, scheme);
      stepper.start(m.start);
      for (int k = 0; k < steps; ++k) ASSERT_TRUE(stepper.step(0.3 / steps).converged);
      ASSERT_TRUE(stepper.end_multiplier(lambda[s]));
      again[s] = stepper.observe().lambda;
    }
    own.push_back(distance(lambda[0], lambda[1]));
    of_state.push_back(distance(again[0], again[1]));
  }
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(std::log2(own[k - 1] / own[k]), Scheme::named("rattle").declared.order.lambda, 0.2);
    EXPECT_NEAR(std::log2(of_state[k - 1] / of_state[k]), 2, 0.2);
  }
}

TEST(Bennett, MovesAgainstTheCount) {
  const Model m = model("bennett");
  struct Member {
    const char *scheme, *coarse, *fine;
    int order;
  };
  for (const Member& member : {Member{"rattle", "0.01", "0.005", 2}, Member{"spark(2)", "0.02", "0.01", 4}}) {
    SCOPED_TRACE(member.scheme);
    const auto coarse = extremal::run(m.system, member.scheme, m.start, {.step = member.coarse, .until = 5});
    const auto fine = extremal::run(m.system, member.scheme, m.start, {.step = member.fine, .until = 5});
    ASSERT_EQ(coarse.status, Status::complete) << coarse.reason;
    ASSERT_EQ(fine.status, Status::complete) << fine.reason;
    EXPECT_EQ(fine.consistency.redundant, 3);
    EXPECT_THAT(fine.consistency.dependent, ElementsAre("P1", "P2", "P3", "P4"));
    EXPECT_LE(fine.constraint_max, 1e-13);
    EXPECT_LE(fine.hidden_max, 1e-12);
    EXPECT_NEAR(std::log2(coarse.energy_max_error / fine.energy_max_error), member.order, 0.25);
    EXPECT_LE(std::fabs(fine.drift.slope), 4 * fine.drift.slope_error + 1e-12);
    // It does move.
    const auto [low, high] = std::minmax_element(fine.column("bar 3.z").begin(), fine.column("bar 3.z").end());
    EXPECT_GT(*high - *low, 0.5);
    record("mechanisms-bennett", fmt::format("| {} | {} | {:.1e} |", member.scheme, member.fine,
                                             fine.energy_max_error / std::fabs(fine.energy_initial)));
  }
}

}  // namespace
}  // namespace extremal::papers::mechanisms_redundant_test
