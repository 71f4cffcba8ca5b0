// Rank, freedom and closeness to singular do not depend on units, nor on how many bodies form a ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/stepper.hpp"

namespace extremal::rank_units_test {
namespace {

std::string product(const std::string& a, const std::string& b) { return "(" + a + ")*(" + b + ")"; }

// Units of mass, length and time.
struct Units {
  std::string mass = "1", length = "1", time = "1";
  double length_value() const { return Number(length).as<double>(); }
  double time_value() const { return Number(time).as<double>(); }
  Number lengths(const std::string& x) const { return product(x, length); }
  Number inertia(const std::string& x) const { return product(x, "(" + mass + ")*(" + length + ")^2"); }
  Number speed(const std::string& x) const { return product(x, "(" + length + ")/(" + time + ")"); }
  Number turn(const std::string& x) const { return product(x, "1/(" + time + ")"); }
  Number gravity() const { return product("-9.81", "(" + length + ")/(" + time + ")^2"); }
};

std::vector<Units> all_units() {
  std::vector<Units> all;
  for (const char* unit : {"1e-9", "1e-7", "1e9"}) {
    all.push_back({.mass = unit});
    all.push_back({.length = unit});
    all.push_back({.time = unit});
  }
  all.push_back({.mass = "1e-6", .length = "1e-3"});
  all.push_back({.mass = "1e-9", .length = "1e-9", .time = "1e-9"});
  return all;
}

Mechanism double_pendulum(const Units& u, const std::string& second = "1") {
  Mechanism m("double pendulum", Space::planar);
  m.gravity(0, u.gravity());
  const Body a = m.body("a", {.mass = u.mass, .inertia = {u.inertia("1/12")}});
  const Body b = m.body("b", {.mass = product(u.mass, second), .inertia = {u.inertia(product("1/12", second))}});
  m.place(a, {.position = {u.lengths("1/2"), 0}, .velocity = {0, u.speed("1/2")}, .angular_velocity = {u.turn("1")}});
  m.place(b, {.position = {u.lengths("3/2"), 0}, .velocity = {0, u.speed("1")}});
  m.revolute("A", m.ground(0, 0), a.at(u.lengths("-1/2"), 0));
  m.revolute("B", a.at(u.lengths("1/2"), 0), b.at(u.lengths("-1/2"), 0));
  return m;
}

// n legs on a circle and the couplers between their ends, which are parallelograms: 3 n + 1 rows too many in space, and
// one freedom.
Mechanism ring(int n, const Units& u = {}) {
  Mechanism m("ring of " + std::to_string(n));
  const std::string lean = "1.2", all = std::to_string(n);
  m.gravity(0, u.gravity(), 0);
  const BodyData data{.mass = u.mass, .inertia = {u.inertia("1/600"), u.inertia("1/12"), u.inertia("1/12")}};
  std::vector<Body> legs, couplers;
  const Numbers axis = {0, 0, 1};
  for (int i = 0; i < n; ++i) {
    const std::string foot = "2*pi*" + std::to_string(i) + "/" + all, middle = foot + " + pi/" + all;
    legs.push_back(m.body("leg " + std::to_string(i), data));
    couplers.push_back(m.body("coupler " + std::to_string(i), data));
    m.place(legs.back(), {.position = {u.lengths("2*cos(" + foot + ") + cos(1.2)/2"),
                                       u.lengths("2*sin(" + foot + ") + sin(1.2)/2"), 0},
                          .rotation = {0, 0, lean},
                          .velocity = {u.speed("sin(1.2)/2"), u.speed("-cos(1.2)/2"), 0},
                          .angular_velocity = {0, 0, u.turn("-1")}});
    m.place(couplers.back(), {.position = {u.lengths("2*cos(pi/" + all + ")*cos(" + middle + ") + cos(1.2)"),
                                           u.lengths("2*cos(pi/" + all + ")*sin(" + middle + ") + sin(1.2)"), 0},
                              .rotation = {0, 0, middle + " + pi/2"},
                              .velocity = {u.speed("sin(1.2)"), u.speed("-cos(1.2)"), 0}});
    m.revolute("foot " + std::to_string(i),
               m.ground(u.lengths("2*cos(" + foot + ")"), u.lengths("2*sin(" + foot + ")"), 0),
               legs.back().at(u.lengths("-1/2"), 0, 0), axis);
  }
  const Number end = u.lengths("2*sin(pi/" + all + ")"), start = u.lengths("-2*sin(pi/" + all + ")");
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const std::size_t next = (i + 1) % legs.size();
    m.revolute("left " + std::to_string(i), legs[i].at(u.lengths("1/2"), 0, 0), couplers[i].at(start, 0, 0), axis);
    m.revolute("right " + std::to_string(i), legs[next].at(u.lengths("1/2"), 0, 0), couplers[i].at(end, 0, 0), axis);
  }
  return m;
}

struct Course {
  Consistency start;
  int singular = 0, retries = 0;
  std::vector<double> q;  // in units
};

// q of a body: its centre, then directors, which have no unit.
Course course(const Mechanism& m, const Units& u, const char* scheme, int steps, double h) {
  Course out;
  Stepper<double> stepper(m.system(), Scheme::named(scheme));
  out.start = stepper.start(m.start());
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(h * u.time_value());
    EXPECT_TRUE(report.converged) << report.worst;
    if (!report.converged) break;
    out.singular += report.singular;
    out.retries += report.retries;
  }
  out.q = stepper.state().q;
  const std::size_t centre = m.space() == Space::planar ? 2 : 3, body = centre * (centre + 1);
  for (std::size_t i = 0; i < out.q.size(); ++i)
    if (i % body < centre) out.q[i] /= u.length_value();
  return out;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

TEST(Units, DoNotChangeThePendulum) {
  for (const char* scheme :
       {"rattle", "spark(3)", "lobatto(3)", "ggl", "energy_momentum", "phase_space(1)", "lie(trapezoidal)"}) {
    const Course usual = course(double_pendulum({}), {}, scheme, 50, 0.01);
    EXPECT_EQ(usual.start.redundant, 0);
    for (const Units& u : all_units()) {
      SCOPED_TRACE(std::string(scheme) + ", mass " + u.mass + ", length " + u.length + ", time " + u.time);
      const Course other = course(double_pendulum(u), u, scheme, 50, 0.01);
      EXPECT_EQ(other.start.redundant, 0);
      EXPECT_EQ(other.retries, 0);
      EXPECT_LE(largest_difference(usual.q, other.q), 1e-12);
    }
  }
}

TEST(Units, DoNotChangeARing) {
  for (const char* scheme : {"rattle", "spark(2)", "lie(trapezoidal)"}) {
    const Course usual = course(ring(3), {}, scheme, 20, 0.01);
    EXPECT_EQ(usual.start.redundant, 10);
    for (const Units& u : all_units()) {
      SCOPED_TRACE(std::string(scheme) + ", mass " + u.mass + ", length " + u.length + ", time " + u.time);
      const Course other = course(ring(3, u), u, scheme, 20, 0.01);
      EXPECT_EQ(other.start.redundant, 10);
      EXPECT_EQ(other.singular, usual.singular);
      EXPECT_LE(largest_difference(usual.q, other.q), 1e-10);
    }
  }
}

TEST(Ring, OfAnySizeHasOneFreedom) {
  for (const int n : {3, 4, 5, 7, 9, 11, 25, 51, 101}) {
    const Mechanism m = ring(n);
    Stepper<double> stepper(m.system(), Scheme::named("rattle"));
    EXPECT_EQ(stepper.start(m.start()).redundant, 3 * n + 1) << n;
    EXPECT_TRUE(stepper.step(0.01).converged) << n;
  }
}

// A light body at a heavy one, and the other way round.
TEST(MassRatio, IsMetToRoundOffOrRefused) {
  for (const char* ratio : {"1e-9", "1e9"})
    for (const char* scheme : {"rattle", "spark(3)", "ggl", "energy_momentum", "phase_space(1)", "lie(trapezoidal)"}) {
      SCOPED_TRACE(std::string(ratio) + ", " + scheme);
      const Mechanism m = double_pendulum({}, ratio);
      Stepper<double> stepper(m.system(), Scheme::named(scheme));
      stepper.start(m.start());
      for (int k = 0; k < 50; ++k) {
        const StepReport report = stepper.step(0.01);
        ASSERT_TRUE(report.converged) << report.worst;
        ASSERT_LE(stepper.observe().constraint, 1e-13) << k;
      }
    }
}

}  // namespace
}  // namespace extremal::rank_units_test
