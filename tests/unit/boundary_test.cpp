// Boundary values: solved with the scheme that is given, or refused by its name.
#include "extremal/boundary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::boundary_test {
namespace {

TEST(Boundary, RefusesOtherFamiliesByName) {
  const Model m = model("pendulum");
  const Boundary ends{.begin = {1, 0}, .end = {0, -1}};
  for (const char* scheme : {"phase_space(2)", "ggl", "energy_momentum", "lie(trapezoidal)"}) {
    const std::string said = refusal([&] { boundary(m.system, scheme, ends, {.step = "0.1", .until = 1}); });
    EXPECT_NE(said.find(std::string(scheme) + " is not of the hamilton family"), std::string::npos) << said;
  }
}

// The basis 1, t, cos w t, sin w t has a length of its own: with another step than the true one the path is another.
TEST(Boundary, BasesWithALengthOfTheirOwn) {
  const Model m = model("oscillator");
  const char* scheme = "galerkin(3, gauss(4), basis=fourier(10))";
  const Span span{.step = "0.1", .until = "0.5"};
  const auto r = run(m.system, scheme, m.start, span);
  Boundary ends;
  for (const auto& c : m.system.coordinate_names()) {
    ends.begin.push_back(Number::exactly(r.column(c).front()));
    ends.end.push_back(Number::exactly(r.column(c).back()));
  }
  const auto path = boundary(m.system, scheme, ends, span);
  ASSERT_TRUE(path.converged) << path.reason;
  const std::string name = m.system.coordinate_names()[0];
  for (std::size_t k = 0; k < path.states.size(); ++k) {
    EXPECT_NEAR(path.states[k].q[0], r.column(name)[k], 1e-12);
    EXPECT_NEAR(path.states[k].p[0], r.column("p:" + name)[k], 1e-11);
  }
  // And so for a start by two positions.
  Start two{.q = m.start.q, .next = {}};
  for (const auto& c : m.system.coordinate_names()) two.next.push_back(Number::exactly(r.column(c)[1]));
  const auto again = run(m.system, scheme, two, span);
  EXPECT_NEAR(again.column("p:" + name)[0], r.column("p:" + name)[0], 1e-12);
}

// With constraints, of degrees of q and lambda that differ: the motion between two of its positions is itself. All
// multipliers are determined, w at every step [Wenger2017, remark on boundary values].
TEST(Boundary, WithConstraintsIsTheMotionThatHasTheEnds) {
  const Model m = model("double-pendulum-3d");
  const std::vector<std::string>& names = m.system.coordinate_names();
  const Span span{.step = "0.02", .until = "0.4"};
  for (const char* scheme : {"rattle", "spark(2)", "galerkin(3, gauss(3), w=2)"}) {
    const auto r = run<quad>(m.system, scheme, m.start, span);
    Boundary ends;
    for (const std::string& c : names) {
      ends.begin.push_back(Number::exactly(r.column(c).front()));
      ends.end.push_back(Number::exactly(r.column(c).back()));
    }
    const auto path = boundary<quad>(m.system, scheme, ends, span);
    ASSERT_TRUE(path.converged) << scheme << ": " << path.reason;
    ASSERT_EQ(path.states.size(), 21U);
    double q = 0, p = 0;
    for (std::size_t k = 0; k < path.states.size(); ++k)
      for (std::size_t i = 0; i < names.size(); ++i) {
        q = std::max(q, static_cast<double>(math::abs(path.states[k].q[i] - r.column(names[i])[k])));
        p = std::max(p, static_cast<double>(math::abs(path.states[k].p[i] - r.column("p:" + names[i])[k])));
      }
    EXPECT_LT(q, 1e-29) << scheme;
    EXPECT_LT(p, 1e-27) << scheme;
  }
}

TEST(Boundary, AFailureSaysWhy) {
  System s("free fall with a wall");
  const auto x = s.coordinates("x");
  s.kinetic(x, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  s.potential(x, [](const auto& q) { return sqrt(q[0]); });
  const auto path = boundary(s, "rattle", {.begin = {1}, .end = {-1}}, {.step = "0.1", .until = 1});
  EXPECT_FALSE(path.converged);
  EXPECT_NE(path.reason.find("; try "), std::string::npos) << path.reason;
  const Model m = model("pendulum");
  const auto fine = boundary(m.system, "rattle", {.begin = {1, 0}, .end = {0, -1}}, {.step = "0.01", .until = "0.5"});
  EXPECT_TRUE(fine.converged);
  EXPECT_TRUE(fine.reason.empty());
}

}  // namespace
}  // namespace extremal::boundary_test
