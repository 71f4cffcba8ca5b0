// One account of energy: H - W - H0, W by the quadrature of the scheme's own discrete action, vanishes with the order
// of the scheme, whatever supplies or dissipates energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "extremal/models.hpp"
#include "extremal/run.hpp"

namespace extremal::energy_account_test {
namespace {

struct Told {
  double error, plain;  // |H - W - H0| and |H - H0|
};

Told told(const Model& m, const char* scheme, const char* step, const char* until) {
  const auto r = run(m.system, scheme, m.start, {.step = step, .until = until});
  EXPECT_EQ(r.status, Status::complete) << scheme << ": " << r.reason;
  const auto& H = r.column("energy");
  double plain = 0;
  for (const double x : H) plain = std::max(plain, std::fabs(x - H[0]));
  return {r.energy_max_error, plain};
}

struct Case {
  const char* scheme;
  int order;
};

// With W by any other rule the order would be 2 at most, and without it 0.
TEST(EnergyAccount, BalanceHasTheOrderOfTheScheme) {
  for (const char* name :
       {"pendulum-cartesian-damped", "pendulum-cartesian-forced", "pendulum-cartesian-moving-pivot",
        "pendulum-cartesian-varying-length", "pendulum-polar-moving-pivot", "pendulum-polar-varying-length"}) {
    const Model m = model(name);
    const bool constrained = m.system.constraint_count() > 0;
    for (const Case c : {Case{"rattle", 2},
                         {"spark(2)", 4},
                         {"spark(3)", 6},
                         {"phase_space(2)", 4},
                         {"ggl", 1},
                         {"ggl(2)", 2},
                         {"livens(2)", 4},
                         {"lobatto(3)", 4},
                         {"wenger(3, 3, gauss(3))", 4},
                         {"suzuki(4, rattle)", 4}}) {
      const std::string_view scheme(c.scheme);
      const bool polar = !constrained && (scheme.starts_with("ggl") || scheme == "rattle");
      if (polar && std::string_view(name).find("length") != std::string_view::npos) continue;  // no constant mass
      const Told coarse = told(m, c.scheme, "0.05", "1"), fine = told(m, c.scheme, "0.025", "1");
      EXPECT_GT(coarse.plain, 1e-2) << name << " " << c.scheme;
      EXPECT_LT(fine.error, std::pow(2, 0.5 - c.order) * coarse.error + 1e-12) << name << " " << c.scheme;
    }
  }
}

// A weight that is lifted: W = m v^2 / 2 + m g s with s = t^2 / 2 is known, and so is what the constraint supplies.
TEST(EnergyAccount, ConstraintThatLiftsAWeight) {
  System s("lift");
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](const auto&, const auto& v) { return v[0] * v[0] + v[1] * v[1]; });
  s.potential(ball, [](const auto& q) { return 20.0 * q[1]; });
  s.constraint("rope", ball, [](const auto& q, const auto& t) { return q[1] - 0.5 * t * t; }, time);
  const Start start{.q = {0, 0}, .v = {1, 0}};
  for (const char* scheme :
       {"rattle", "spark(2)", "phase_space(2)", "energy_momentum", "ggl(2)", "livens(2)", "lobatto(3)"}) {
    const auto r = run(s, scheme, start, {.step = "0.01", .until = 1});
    ASSERT_EQ(r.status, Status::complete) << scheme << r.reason;
    EXPECT_NEAR(r.column("work").back(), 1 + 10, 2e-3) << scheme;
    EXPECT_NEAR(r.supplied, 11, 2e-3) << scheme;
    EXPECT_LT(r.energy_max_error, 2e-3) << scheme;
  }
}

// energy_momentum: exactly, whatever the step, also of potentials and constraints that depend on time.
TEST(EnergyAccount, EnergyMomentumIsExact) {
  for (const char* name : {"pendulum-cartesian-damped", "pendulum-cartesian-moving-pivot", "pendulum-cartesian-forced",
                           "pendulum-cartesian-varying-length"}) {
    const Model m = model(name);
    const auto r = run(m.system, "energy_momentum", m.start, {.step = "0.1", .until = 3});
    ASSERT_EQ(r.status, Status::complete) << r.reason;
    EXPECT_LT(r.energy_max_error, 1e-11) << name;
  }
}

// What goes into a damper is dissipated, what comes from a motor supplied, also where both are at work.
TEST(EnergyAccount, SuppliedAndDissipated) {
  const Model m = model("pendulum-cartesian-damped");
  for (const char* scheme : {"rattle", "spark(3)", "phase_space(2)", "suzuki(4, rattle)"}) {
    const auto r = run(m.system, scheme, m.start, m.span);
    EXPECT_GT(r.supplied, 0.1) << scheme;  // by its motor
    EXPECT_GT(r.dissipated, 0.1) << scheme;
    EXPECT_NEAR(r.dissipated - r.supplied, r.column("energy").front() - r.column("energy").back(),
                1.1 * r.energy_max_error);
    EXPECT_NE(r.summary().find("dissipated"), std::string::npos);
  }
  System s("wheel");
  const auto angle = s.coordinates("phi");
  s.kinetic(angle, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  s.force("motor", angle, [](const auto&, const auto&) { return rows(2.0); });
  s.force("brake", angle, [](const auto&, const auto& v) { return rows(-v[0]); });
  // v = 2 everywhere: the motor gives 4 a second, the brake takes them.
  const auto r = run(s, "spark(2)", {.q = {0}, .v = {2}}, {.step = "0.1", .until = 10});
  EXPECT_NEAR(r.supplied, 40, 1e-11);
  EXPECT_NEAR(r.dissipated, 40, 1e-11);
  EXPECT_LT(r.energy_max_error, 1e-11);
}

// A driven body and what hangs on it: by rotations as by directors, where the drive is a constraint.
TEST(EnergyAccount, DrivesOfBodies) {
  const auto made = [] {
    Mechanism m("shaken");
    m.gravity(0, 0, "-9.81");
    const Body table = m.body("table", {.mass = 2, .inertia = {"0.1", "0.2", "0.3"}});
    const Body bob = m.body("bob", {.mass = 1, .inertia = {"0.1", "0.1", "0.1"}});
    m.place(table, {.velocity = {0, 0, "0.6"}});
    m.place(bob, {.position = {1, 0, 0}, .velocity = {0, 0, "0.6"}});
    m.drive("shaker", table, {.position = {0, 0, [](const auto& t) { return 0.2 * sin(3.0 * t); }}});
    m.spherical("pin", table.at(0, 0, 0), bob.at(-1, 0, 0));
    return m;
  };
  const Mechanism m = made();
  const auto end = [&](const char* scheme, const char* step) {
    auto r = run(m.system(), scheme, m.start(), {.step = step, .until = 1});
    EXPECT_EQ(r.status, Status::complete) << scheme << ": " << r.reason;
    return r;
  };
  const auto exact = end("spark(3)", "0.01");
  const auto coarse = end("lie(trapezoidal)", "0.02"), fine = end("lie(trapezoidal)", "0.01");
  EXPECT_GT(std::fabs(exact.column("work").back()), 0.1);
  EXPECT_LT(exact.energy_max_error, 1e-8);
  EXPECT_NEAR(fine.column("work").back(), exact.column("work").back(), 2e-3);
  EXPECT_LT(fine.energy_max_error, 0.35 * coarse.energy_max_error);
}

// Closure variational: v, energy and hidden of a row are those of the row's own p.
TEST(EnergyAccount, RowsOfVariationalClosure) {
  const Model m = model("pendulum");
  const auto r = run(m.system, "wenger(5, 4, gauss(5))", m.start, {.step = "0.1", .until = 5});
  ASSERT_EQ(r.status, Status::complete) << r.reason;
  const auto &p = r.column("p:x"), &v = r.column("v:x"), &H = r.column("energy");
  for (std::size_t k = 0; k + 1 < p.size(); ++k) {
    EXPECT_NEAR(p[k], v[k], 1e-14);  // m = 1
    EXPECT_NEAR(H[k], H[0], 1e-8);
  }
  EXPECT_LT(r.energy_max_error, 1e-8);  // that of the carried momentum is 3.9e-3
  EXPECT_LT(r.hidden_max, 1e-6);
}

// A run in two parts ends with the same account.
TEST(EnergyAccount, GoesOnFromACheckpoint) {
  const Model m = model("pendulum-cartesian-damped");
  for (const char* scheme : {"spark(2)", "wenger(3, 3, gauss(3))"}) {
    const auto whole = run(m.system, scheme, m.start, m.span);
    std::atomic<bool> stop = false;
    struct Stopper : RowSink<double> {
      std::atomic<bool>& stop;
      int left = 20;
      explicit Stopper(std::atomic<bool>& s) : stop(s) {}
      void row(const std::vector<double>&) override { stop = --left == 0; }
    } stopper(stop);
    const auto half = run(m.system, scheme, m.start, m.span, {.sinks = {&stopper}, .stop = &stop});
    ASSERT_EQ(half.status, Status::interrupted);
    const auto rest = run(m.system, scheme, m.start, m.span, {.from = &half.last});
    EXPECT_EQ(rest.status, whole.status);
    EXPECT_EQ(rest.dissipated, whole.dissipated);
    EXPECT_EQ(rest.energy_max_error, whole.energy_max_error);
    EXPECT_EQ(rest.column("energy").back(), whole.column("energy").back());
  }
}

}  // namespace
}  // namespace extremal::energy_account_test
