// What lie says of a state without an engine of the directors: multipliers, defects of symmetries, norms of rows are
// those that the directors' equations [Wenger2017, eq. 70] have there.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/stepper.hpp"

namespace extremal::lie_look_test {
namespace {

struct Case {
  const char* name;
  System system;
  Start start;
  const char* step;
  bool redundant = false;
};

Section section() {
  return {
      .EA = 100, .GA2 = 50, .GA3 = 60, .GJ = 3, .EI2 = 4, .EI3 = 5, .mass = 1, .inertia2 = "0.1", .inertia3 = "0.2"};
}

// A body in a bearing at its centre, one that hangs from it, a point mass on a rod, springs and dampers, a sledge.
Mechanism everything() {
  Mechanism m("everything");
  m.gravity(0, "0.3", "-9.81");
  const Body wheel = m.body("wheel", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
  const Body bar = m.body("bar", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body bob = m.point_mass("bob", "0.7");
  const Body sledge = m.body("sledge", {.mass = 1, .inertia = {"0.1", "0.1", "0.15"}});
  m.place(wheel, {.angular_velocity = {"0.3", 1, "0.2"}});
  m.place(bar, {.position = {1, 0, 0}, .angular_velocity = {0, 1, 0}});
  m.place(bob, {.position = {"1.5", "0.8", "0.6"}});
  m.place(sledge, {.position = {3, 0, "0.5"}, .velocity = {1, 0, 0}});
  m.spherical("bearing", m.ground(0, 0, 0), wheel);
  m.universal("cross", wheel.at("0.5", 0, 0), bar.at("-0.5", 0, 0), {0, 1, 0}, {0, 0, 1});
  m.distance("thread", bar.at("0.5", 0, 0), bob, {});
  m.prismatic("rail", m.ground(3, 0, "0.5"), sledge, {1, 0, 0});
  m.spring("spring", sledge.at(0, "0.1", 0), bar.at("0.5", "0.1", 0), {.stiffness = 5, .length = 1});
  m.line_damper("line", m.ground(0, 1, 0), bar, "0.3");
  m.rotational_damper("drag", wheel, bar, "0.1");
  m.motor("motor", m.ground_body(), wheel, [](auto t) { return 0.5 * sin(3.0 * t); }, {0, 1, 0});
  m.force("push", bar.at("0.5", 0, 0), {0, [](auto t) { return cos(t); }, 0}, Frame::body);
  return m;
}

Mechanism driven() {
  Mechanism m("driven");
  m.gravity(0, 0, "-9.81");
  const Rod rod = m.rod("rod", {.section = section(), .from = {0, 0, 0}, .to = {1, 0, 0}, .elements = 3});
  const Body ball = m.body("ball", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  m.place(ball, {.position = {1, 0, "0.1"}, .angular_velocity = {0, 0, 1}});
  m.spherical("tip", rod.last(), ball.at(0, 0, "-0.1"));
  m.drive("hand", rod.first(),
          {.position = {[](auto t) { return 0.1 * sin(2.0 * t); }, 0, 0},
           .rotation = {0, [](auto t) { return 0.3 * sin(t); }, [](auto t) { return 0.2 * t * t; }}});
  return m;
}

// Parallel bars in the plane, one of them in a bearing at its centre, which shares the load with the feet of the
// others.
Mechanism parallel_bars() {
  Mechanism m("parallel bars", Space::planar);
  m.gravity(0, "-9.81");
  const Body beam = m.body("beam", {.mass = 3, .inertia = 1});
  m.place(beam, {.position = {"cos(1.2)", "sin(1.2)"}, .velocity = {"sin(1.2)", "-cos(1.2)"}});
  for (int k = -1; k <= 1; ++k) {
    const std::string x = std::to_string(k), name = "bar " + x;
    const Body bar = m.body(name, {.mass = 1, .inertia = "1/3"});
    m.place(bar, {.position = {x, 0}, .angle = "1.2", .angular_velocity = "-1"});
    m.revolute("foot " + x, m.ground(x, 0), bar);
    m.revolute("top " + x, bar.at(1, 0), beam.at(x, 0));
  }
  return m;
}

// A door in two hinges: no loop of bodies, and five rows too many.
Mechanism door() {
  Mechanism m("door");
  m.gravity("0.5", 0, "-9.81");
  const Body leaf = m.body("leaf", {.mass = 20, .inertia = {"7", "9", "2"}});
  m.place(leaf, {.position = {"0.5", 0, 1}, .velocity = {0, 1, 0}, .angular_velocity = {0, 0, 2}});
  for (const char* z : {"-0.8", "0.7"}) {
    const std::string at = z;
    m.revolute("hinge " + at, m.ground(0, 0, "1 + " + at), leaf.at("-0.5", 0, at), {0, 0, 1});
  }
  return m;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto own = [&](const char* name, const Mechanism& m, const char* step, bool redundant = false) {
    all.push_back({name, m.system(), m.start(), step, redundant});
  };
  const auto known = [&](const char* name, const char* step, bool redundant = false) {
    const Model m = model(name);
    all.push_back({name, m.system, m.start, step, redundant});
  };
  own("everything", everything(), "0.01");
  own("driven", driven(), "0.005");
  own("parallel bars", parallel_bars(), "0.01", true);
  own("door", door(), "0.01", true);
  known("chain(6)", "0.01");
  known("chain-spatial(4)", "0.01");
  known("top", "0.001");
  known("elastic-ring(8)", "0.005");
  known("cantilever(4)", "0.00015");
  known("bennett", "0.01", true);
  return all;
}

template <class S>
double far(const std::vector<S>& a, const std::vector<S>& b) {
  EXPECT_EQ(a.size(), b.size());
  S off(0), size(0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    off = math::max(off, math::abs(a[k] - b[k]));
    size = math::max(size, math::abs(b[k]));
    EXPECT_TRUE(math::finite(a[k])) << k;
  }
  return size > S(0) ? static_cast<double>(off / size) : static_cast<double>(off);
}

// The directors solve in double and refine. Of redundant rows that leaves round-off of double, divided by their eps of
// 1e-8, in the part of lambda that exerts no force, at every scalar.
template <class S>
void compare(double regular, double redundant) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const S h = Number(c.step).as<S>();
    Stepper<S> lie(c.system, Scheme::named("lie(trapezoidal)")), directors(c.system, Scheme::named("rattle"));
    lie.start(c.start, h);
    for (int k = 0; k < 6; ++k) {
      const Observation<S> seen = lie.observe();
      directors.place(lie.state());
      EXPECT_LE(far(seen.lambda, directors.observe().lambda), c.redundant ? redundant : regular) << "step " << k;
      EXPECT_LE(far(lie.constraint_norms(lie.state().q, lie.state().t),
                    directors.constraint_norms(lie.state().q, lie.state().t)),
                16 * static_cast<double>(Scalar<S>::epsilon));
      for (std::size_t i = 0; i < seen.momenta.size(); ++i)
        EXPECT_NEAR(lie.symmetry_defect(static_cast<int>(i)), directors.symmetry_defect(static_cast<int>(i)), 1e-10);
      ASSERT_TRUE(lie.step(h).converged);
    }
  }
}

TEST(LieLook, HasTheMultipliersOfTheDirectors) { compare<double>(1e-13, 1e-6); }
TEST(LieLook, HasTheMultipliersOfTheDirectorsInQuad) { compare<quad>(1e-24, 1e-6); }

// The weight of the door hangs on both hinges alike, and on neither more than by half.
template <class S>
void hang_door(double floor) {
  const Mechanism m = door();
  const System system = m.system();
  Stepper<S> lie(system, Scheme::named("lie(trapezoidal)"));
  lie.start(m.start(), S(0.01));
  std::vector<S> vertical;
  for (std::size_t k = 0; k < system.constraint_names().size(); ++k)
    if (const std::string& name = system.constraint_names()[k]; name.starts_with("hinge") && name.ends_with(".2"))
      vertical.push_back(lie.observe().lambda[k]);
  ASSERT_EQ(vertical.size(), 2u);
  for (const S& lambda : vertical) EXPECT_NEAR(static_cast<double>(lambda - Number("-98.1").as<S>()), 0, floor);
}

TEST(LieLook, SharesLoadsOfRedundantJoints) {
  hang_door<double>(1e-7);
  hang_door<quad>(1e-24);
}

}  // namespace
}  // namespace extremal::lie_look_test
