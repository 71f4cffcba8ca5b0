// ThermoelasticNetwork: names, refusals, symmetries where they hold, every kind of spring against a System that is
// written by hand, and what observers say about supports and thermostats.
#include "extremal/thermoelastic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>

#include "extremal/check.hpp"
#include "refusal.hpp"

namespace extremal::thermoelastic_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

double magnitude(quad x) { return static_cast<double>(math::abs(x)); }

template <class S>
const std::vector<S>& column(const std::vector<Column<S>>& all, const std::string& name) {
  for (const Column<S>& c : all)
    if (c.name == name) return c.values;
  throw std::runtime_error("no column " + name);
}

std::vector<std::string> symmetries(const ThermoelasticNetwork& network) {
  std::vector<std::string> names;
  const System system = network.system();
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) names.push_back(term->name);
  return names;
}

ThermoelasticNetwork pair(Space space, const std::vector<TimeFunction>& wall = {}) {
  ThermoelasticNetwork n("pair", space);
  const bool planar = space == Space::planar;
  n.mass("a", {.position = planar ? Numbers{"0.5", "0.2"} : Numbers{"0.5", "0.2", "0.1"}});
  n.mass("b", {.mass = 2, .position = planar ? Numbers{"1.5", "0.4"} : Numbers{"1.5", "0.4", "-0.3"}});
  n.spring("s", "a", "b", {.stiffness = 5, .coupling = "0.1", .capacity = "0.2", .temperature = 310});
  if (!wall.empty()) {
    n.support("wall", wall);
    n.spring("w", "wall", "b", {.stiffness = 5, .length = 2, .coupling = "0.1", .capacity = "0.2"});
  }
  return n;
}

TEST(Thermoelastic, HasNames) {
  const ThermoelasticNetwork n = pair(Space::planar, {0, 0});
  const System s = n.system();
  EXPECT_EQ(s.name(), "pair");
  EXPECT_THAT(s.coordinate_names(), ElementsAre("a.x", "a.y", "b.x", "b.y", "s", "w"));
  EXPECT_THAT(s.parameter_names(), ElementsAre("a.mass", "b.mass", "s.stiffness", "s.length", "s.coupling",
                                               "s.capacity", "w.stiffness", "w.length", "w.coupling", "w.capacity"));
  const Start start = n.start();
  EXPECT_EQ(start.q, (std::vector<Number>{"0.5", "0.2", "1.5", "0.4", 0, 0}));
  ASSERT_EQ(start.v.size(), 6U);
  EXPECT_EQ(start.v[4].as<quad>(), quad(10));
  EXPECT_EQ(start.v[5].as<quad>(), quad(0));
  const ThermoelasticNetwork space = pair(Space::spatial);
  EXPECT_THAT(space.system().coordinate_names(), ElementsAre("a.x", "a.y", "a.z", "b.x", "b.y", "b.z", "s"));
}

// A spring with a thermostat has no thermal displacement; copies are independent.
TEST(Thermoelastic, ThermostatTakesACoordinateAway) {
  const ThermoelasticNetwork free = pair(Space::planar);
  ThermoelasticNetwork held = free;
  held.thermostat("s", 320);
  EXPECT_THAT(held.system().coordinate_names(), ElementsAre("a.x", "a.y", "b.x", "b.y"));
  EXPECT_EQ(held.start().v.size(), 4U);
  EXPECT_EQ(free.system().size(), 5);
}

#define EXPECT_REFUSED(action, text) EXPECT_THAT(refusal([&] { action; }), HasSubstr(text))

TEST(Thermoelastic, RefusesByName) {
  ThermoelasticNetwork n("net", Space::planar);
  EXPECT_REFUSED(n.system(), "net: has no masses");
  n.mass("a", {.position = {0, 0}});
  n.mass("b", {.position = {1, 0}});
  n.mass("on a", {.position = {0, 0}});
  n.support("wall", {2, 0});
  n.support("door", {2, 1});
  n.spring("s", "a", "b", {});
  EXPECT_REFUSED(n.mass("m", {.mass = 0}), "net: mass \"m\": mass 0; expected a positive");
  EXPECT_REFUSED(n.mass("m", {.mass = "-1"}), "mass -1; expected a positive");
  EXPECT_REFUSED(n.mass("a", {}), "mass \"a\": the name is taken");
  EXPECT_REFUSED(n.mass("s", {}), "the name is taken");
  EXPECT_REFUSED(n.mass("", {}), "the name is empty");
  EXPECT_REFUSED(n.mass("m", {.position = {1, 2, 3}}), "mass \"m\", position: 3 components; expected 2");
  EXPECT_REFUSED(n.mass("m", {.velocity = 1}), "mass \"m\", velocity: 1 components; expected 2");
  EXPECT_REFUSED(n.support("wall", {0, 0}), "support \"wall\": the name is taken");
  EXPECT_REFUSED(n.support("w", {0}), "support \"w\": 1 components; expected 2");
  EXPECT_REFUSED(n.gravity(0, 0, 1), "gravity: 3 components; expected 2");
  EXPECT_REFUSED(n.spring("k", "a", "c", {}),
                 "spring \"k\": an end \"c\" that does not exist; the masses and supports are a, b, on a, wall, door");
  EXPECT_REFUSED(n.spring("k", "s", "a", {}), "an end \"s\" that does not exist");
  EXPECT_REFUSED(n.spring("k", "a", "a", {}), "spring \"k\": \"a\" at both ends");
  EXPECT_REFUSED(n.spring("k", "wall", "wall", {}), "\"wall\" at both ends");
  EXPECT_REFUSED(n.spring("k", "wall", "door", {}), "supports at both ends; expected a mass");
  EXPECT_REFUSED(n.spring("k", "a", "on a", {}), "\"a\" and \"on a\" are at the same place");
  EXPECT_REFUSED(n.spring("s", "a", "b", {}), "spring \"s\": the name is taken");
  EXPECT_REFUSED(n.spring("k", "a", "b", {.stiffness = 0}), "spring \"k\": stiffness 0; expected a positive");
  EXPECT_REFUSED(n.spring("k", "a", "b", {.length = "-1"}), "length -1; expected a positive");
  EXPECT_REFUSED(n.spring("k", "a", "b", {.capacity = 0}), "capacity 0; expected a positive");
  EXPECT_REFUSED(n.spring("k", "a", "b", {.reference = 0}), "reference temperature 0; expected a positive");
  EXPECT_REFUSED(n.spring("k", "a", "b", {.temperature = -3}), "spring \"k\": temperature -3; expected a positive");
  EXPECT_REFUSED(n.spring("k", "a", "b", {.temperature = {1, 2}}), "2 temperatures; expected one");
  EXPECT_REFUSED(n.thermostat("k", 300), "there is no spring \"k\"");
  EXPECT_REFUSED(n.thermostat("a", 300), "there is no spring \"a\"");
  EXPECT_REFUSED(n.thermostat("s", 0), "thermostat of spring \"s\": temperature 0 at t = 0");
  // Nothing of this was added.
  EXPECT_THAT(n.system().coordinate_names(), ElementsAre("a.x", "a.y", "b.x", "b.y", "on a.x", "on a.y", "s"));
}

TEST(Thermoelastic, HasTheSymmetriesThatHold) {
  EXPECT_THAT(symmetries(pair(Space::planar)), ElementsAre("along x", "along y", "about z", "entropy s"));
  EXPECT_THAT(symmetries(pair(Space::spatial)),
              ElementsAre("along x", "along y", "along z", "about x", "about y", "about z", "entropy s"));
  ThermoelasticNetwork falling = pair(Space::planar);
  falling.gravity(0, "-9.81");
  EXPECT_THAT(symmetries(falling), ElementsAre("along x", "entropy s"));
  EXPECT_THAT(symmetries(pair(Space::planar, {0, 0})), ElementsAre("about z", "entropy s", "entropy w"));
  EXPECT_THAT(symmetries(pair(Space::planar, {0, "0.1"})), ElementsAre("entropy s", "entropy w"));
  const auto lift = [](auto t) { return 0.25 * sin(t); };
  ThermoelasticNetwork lifted = pair(Space::spatial, {0, 0, lift});
  lifted.gravity(0, 0, "-9.81");
  EXPECT_THAT(symmetries(lifted), ElementsAre("about z", "entropy s", "entropy w"));
  lifted.thermostat("w", [](auto t) { return 300.0 + t; });
  EXPECT_THAT(symmetries(lifted), ElementsAre("about z", "entropy s"));
  EXPECT_THAT(symmetries(pair(Space::spatial, {0, lift, 0})), ElementsAre("about y", "entropy s", "entropy w"));
  EXPECT_THAT(symmetries(pair(Space::spatial, {"0.1", lift, 0})), ElementsAre("entropy s", "entropy w"));
  // An unused support breaks nothing.
  ThermoelasticNetwork beside = pair(Space::planar);
  beside.support("wall", {1, 2});
  EXPECT_THAT(symmetries(beside), ElementsAre("along x", "along y", "about z", "entropy s"));
}

TEST(Thermoelastic, ConservesThem) {
  ThermoelasticNetwork lifted = pair(Space::spatial, {0, 0, [](auto t) { return 0.25 * sin(t); }});
  lifted.gravity(0, 0, -1);
  const auto run = extremal::run(lifted.system(), "quadratic", lifted.start(), {.step = "0.02", .until = 4});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  for (const auto& momentum : run.momentum_error) EXPECT_LT(momentum.values[0], 1e-14) << momentum.name;
  EXPECT_TRUE(run.notes.empty());
}

// All kinds of springs: between masses and to supports, of which one moves, with and without thermostats, of which one
// varies.
ThermoelasticNetwork every_kind(Space space) {
  const bool planar = space == Space::planar;
  ThermoelasticNetwork n("every kind", space);
  const auto place = [planar](const Number& x, const Number& y) {
    return planar ? Numbers{x, y} : Numbers{x, y, "0.2"};
  };
  const TimeFunction shaken = [](auto t) { return 2.0 + 0.125 * sin(3.0 * t); },
                     bath = [](auto t) { return 310.0 + 8.0 * cos(2.0 * t); };
  n.support("west", planar ? std::vector<TimeFunction>{-1, "0.3"} : std::vector<TimeFunction>{-1, "0.3", 0});
  n.support("east", planar ? std::vector<TimeFunction>{shaken, 0} : std::vector<TimeFunction>{shaken, 0, "0.1"});
  n.mass("a", {.mass = "1.5", .position = place("0.1", 0), .velocity = place("0.2", "-0.1")});
  n.mass("b", {.mass = 2, .position = place("1.1", "0.2")});
  const ThermoelasticSpring data{.stiffness = 6,
                                 .length = "0.9",
                                 .coupling = "0.03",
                                 .capacity = "0.05",
                                 .reference = "295.5",
                                 .temperature = "302.25"};
  n.spring("ab", "a", "b", data);
  n.spring("wa", "west", "a", data);
  n.spring("be", "b", "east", data);
  n.spring("held ab", "a", "b", data);
  n.spring("held bw", "b", "west", data);
  n.spring("held ea", "east", "a", data);
  n.spring("varied ba", "b", "a", data);
  n.spring("varied wb", "west", "b", data);
  n.spring("varied ae", "a", "east", data);
  for (const char* s : {"held ab", "held bw", "held ea"}) n.thermostat(s, "303.5");
  for (const char* s : {"varied ba", "varied wb", "varied ae"}) n.thermostat(s, bath);
  return n;
}

TEST(Thermoelastic, DerivativesAgreeWithDifferences) {
  for (const Space space : {Space::planar, Space::spatial}) {
    const ThermoelasticNetwork n = every_kind(space);
    int springs = 0;
    for (const Law& law : law::derivatives(n.system(), n.start())) {
      EXPECT_TRUE(law.holds) << law.name << ": " << law.measured;
      springs += law.name.find("springs") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(springs, 7);
  }
}

// The same system in the plane, from lambdas.
System by_hand() {
  System s("by hand");
  const auto a = s.coordinates("a.x", "a.y"), b = s.coordinates("b.x", "b.y");
  const auto ab = s.coordinates("ab"), wa = s.coordinates("wa"), be = s.coordinates("be");
  const auto ma = s.parameter("ma", "1.5"), mb = s.parameter("mb", 2), mu = s.parameter("mu", 6),
             l0 = s.parameter("l0", "0.9"), beta = s.parameter("beta", "0.03"), c = s.parameter("c", "0.05"),
             ref = s.parameter("ref", "295.5"), y = s.parameter("y", "0.3"), bath = s.parameter("bath", "303.5");
  const auto kinetic = [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); };
  s.kinetic(a, kinetic, ma);
  s.kinetic(b, kinetic, mb);
  const auto A = [](auto x, auto z, auto theta, auto k, auto l, auto coupling, auto heat, auto r) {
    const auto e = 0.5 * log((x * x + z * z) / (l * l));
    return 0.5 * k * e * e - coupling * (theta - r) * e + heat * (theta - r - theta * log(theta / r));
  };
  s.lagrangian(
      join(a, b, ab),
      [A](const auto& q, const auto& v, auto... p) {
        const auto r = std::get<4>(std::tuple(p...));
        return -A(q[2] - q[0], q[3] - q[1], r + v[4], p...);
      },
      mu, l0, beta, c, ref);
  s.lagrangian(
      join(a, wa),
      [A](const auto& q, const auto& v, auto h, auto... p) {
        const auto r = std::get<4>(std::tuple(p...));
        return -A(q[0] + 1.0, q[1] - h, r + v[2], p...);
      },
      y, mu, l0, beta, c, ref);
  s.lagrangian(
      join(b, be),
      [A](const auto& q, const auto& v, auto t, auto... p) {
        const auto r = std::get<4>(std::tuple(p...));
        return -A(q[0] - (2.0 + 0.125 * sin(3.0 * t)), q[1], r + v[2], p...);
      },
      time, mu, l0, beta, c, ref);
  s.potential(
      join(a, b),
      [A](const auto& q, auto h, auto held, auto t, auto... p) {
        const auto varied = 310.0 + 8.0 * cos(2.0 * t), east = 2.0 + 0.125 * sin(3.0 * t);
        const auto one = held + 0.0 * t;
        return A(q[2] - q[0], q[3] - q[1], one, p...) + A(q[2] + 1.0, q[3] - h, one, p...) +
               A(q[0] - east, q[1], one, p...) + A(q[2] - q[0], q[3] - q[1], varied, p...) +
               A(q[2] + 1.0, q[3] - h, varied, p...) + A(q[0] - east, q[1], varied, p...);
      },
      y, bath, time, mu, l0, beta, c, ref);
  return s;
}

TEST(Thermoelastic, IsTheSystemWrittenByHand) {
  const ThermoelasticNetwork n = every_kind(Space::planar);
  const System plain = by_hand();
  for (const char* scheme : {"rectangle(0)", "trapezoidal", "quadratic"}) {
    SCOPED_TRACE(scheme);
    const auto a = extremal::run<quad>(n.system(), scheme, n.start(), {.step = "0.02", .until = 1}),
               b = extremal::run<quad>(plain, scheme, n.start(), {.step = "0.02", .until = 1});
    ASSERT_EQ(a.status, Status::complete) << a.reason;
    for (const std::string& name : plain.coordinate_names())
      for (const char* prefix : {"", "v:", "p:"})
        EXPECT_LT(magnitude(a.column(prefix + name).back() - b.column(prefix + name).back()), 1e-28) << prefix << name;
    EXPECT_LT(magnitude(a.column("energy").back() - b.column("energy").back()), 1e-28);
  }
}

// dE/dt is the power of supports and thermostats; Simpson's rule, whose error falls by 16.
TEST(Thermoelastic, EnergyIsSuppliedAtTheBoundary) {
  const ThermoelasticNetwork n = every_kind(Space::spatial);
  double before = 0;
  for (const char* step : {"0.02", "0.01"}) {
    const auto run = extremal::run(n.system(), "galerkin(3, gauss(3))", n.start(), {.step = step, .until = 2});
    const auto seen = n.observe(run);
    const auto &E = column(seen, "E"), &power = column(seen, "power");
    double supplied = 0, left = 0, most = 0;
    for (std::size_t k = 2; k < E.size(); k += 2) {
      supplied += Number(step).as<double>() / 3 * (power[k - 2] + 4 * power[k - 1] + power[k]);
      left = std::max(left, std::fabs(E[k] - E[0] - supplied));
      most = std::max(most, std::fabs(supplied));
    }
    EXPECT_GT(most, 0.5);
    EXPECT_LT(left, 1e-5 * most);
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / left), 4, 0.25);
    }
    before = left;
  }
}

// At a constant temperature T + A is conserved; entropy and E are not, and E - theta eta is.
TEST(Thermoelastic, ThermostatKeepsTheFreeEnergy) {
  ThermoelasticNetwork n = pair(Space::planar, {0, 0});
  n.thermostat("w", 320);
  const auto run = extremal::run(n.system(), "galerkin(3, gauss(3))", n.start(), {.step = "0.01", .until = 4});
  const auto seen = n.observe(run);
  const auto &E = column(seen, "E"), &entropy = column(seen, "w.entropy"), &theta = column(seen, "w.temperature");
  EXPECT_LT(run.energy_max_error, 1e-12);
  double changed = 0, kept = 0;
  for (std::size_t k = 0; k < E.size(); ++k) {
    EXPECT_EQ(theta[k], 320);
    changed = std::max(changed, std::fabs(entropy[k] - entropy[0]));
    kept = std::max(kept, std::fabs(E[k] - E[0] - 320 * (entropy[k] - entropy[0])));
  }
  EXPECT_GT(changed, 1e-2);
  EXPECT_LT(kept, 1e-11);
}

// A stretched spring along x: the support pulls by mu ln(l/l0) / l less the part of the temperature.
TEST(Thermoelastic, SupportForces) {
  ThermoelasticNetwork n("bar", Space::planar);
  n.support("left", {1, 0});
  n.support("right", {5, 0});
  n.mass("m", {.position = {3, 0}});
  n.spring("a", "left", "m", {.stiffness = 4, .coupling = "0.05", .temperature = 310});
  n.spring("b", "m", "right", {.stiffness = 4, .coupling = "0.05", .temperature = 310});
  const auto run = extremal::run(n.system(), "midpoint", n.start(), {.step = "0.01", .until = "0.1"});
  const auto seen = n.observe(run);
  const double force = (4 * std::log(2.0) - 0.05 * 10) / 2;
  EXPECT_NEAR(column(seen, "left.force.x")[0], -force, 1e-15);
  EXPECT_NEAR(column(seen, "right.force.x")[0], force, 1e-15);
  EXPECT_NEAR(column(seen, "right.force.x").back(), force, 1e-13);  // it is in balance
  EXPECT_EQ(column(seen, "right.force.y")[0], 0);
  EXPECT_NEAR(column(seen, "a.entropy")[0], 0.05 * std::log(2.0) + std::log(310.0 / 300), 1e-15);
  EXPECT_NEAR(column(seen, "a.temperature")[0], 310, 1e-12);
  EXPECT_EQ(column(seen, "power")[0], 0);
}

}  // namespace
}  // namespace extremal::thermoelastic_test
