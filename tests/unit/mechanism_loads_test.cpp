// Loads and reactions against what mechanics says of them.
#include <gtest/gtest.h>
#include <cmath>

#include "extremal/mechanism.hpp"

namespace extremal::mechanism_loads_test {
namespace {

const Numbers ball_inertia{"0.4", "0.4", "0.4"};

double last(const Run<double>& run, const std::string& name) { return run.column(name).back(); }

std::vector<double> values(const Reaction<double>& r) {
  std::vector<double> all = r.force;
  all.insert(all.end(), r.torque.begin(), r.torque.end());
  return all;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double floor) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], floor) << "component " << i;
}

// At the start of a motion, from the multipliers of the equations of motion.
std::vector<Reaction<double>> at_start(const Mechanism& m) {
  Stepper<double> stepper(m.system(), Scheme::named("rattle"));
  stepper.start(m.start());
  return m.reactions(stepper.state().q, stepper.observe().lambda);
}

TEST(Reactions, CarryTheWeightOfABarAtRest) {
  Mechanism plane("bar", Space::planar);
  plane.gravity(0, "-9.81");
  const Body a = plane.body("bar", {.mass = 2, .inertia = "1/6"});
  plane.place(a, {.position = {0, "-1/2"}, .angle = "-pi/2"});
  plane.revolute("pin", a.at("-1/2", 0), plane.ground(0, 0));
  expect_near(values(at_start(plane)[0]), {0, 2 * 9.81, 0}, 1e-12);

  // A cantilever: the clamp carries the moment m g l / 2 as well; on the ground it is the opposite.
  for (const bool ground_first : {false, true}) {
    Mechanism space("bar");
    space.gravity(0, 0, "-9.81");
    const Body b = space.body("bar", {.mass = 2, .inertia = {"1/600", "1/6", "1/6"}});
    space.place(b, {.position = {"1/2", 0, 0}, .rotation = {"0.3", 0, 0}});
    if (ground_first)
      space.fixed("clamp", space.ground(0, 0, 0), b.at("-1/2", 0, 0));
    else
      space.fixed("clamp", b.at("-1/2", 0, 0), space.ground(0, 0, 0));
    const double sign = ground_first ? -1 : 1;
    expect_near(values(at_start(space)[0]), {0, 0, sign * 2 * 9.81, 0, sign * -9.81, 0}, 1e-11);
  }
}

TEST(Reactions, OfAPendulumAreCentripetalForceAndWeight) {
  Mechanism m("pendulum");
  m.gravity(0, 0, "-9.81");
  const Body bar = m.body("bar", {.mass = 2, .inertia = {"1/6", "1/600", "1/6"}});
  m.place(bar, {.position = {0, 0, "-1/2"},
                .rotation = {"pi/2", 0, 0},
                .velocity = {"-3/2", 0, 0},
                .angular_velocity = {0, 3, 0}});
  m.revolute("hinge", bar.at(0, "1/2", 0), m.ground(0, 0, 0), {0, 0, 1});
  const double expected = 2 * 9.81 + 2 * 9 * 0.5;  // m g + m w^2 l / 2
  expect_near(values(at_start(m)[0]), {0, 0, expected, 0, 0, 0}, 1e-11);

  const auto run = extremal::run(m.system(), "rattle", m.start(), {.step = "0.01", .until = "0.1"});
  const auto columns = m.reactions(run);
  ASSERT_EQ(columns.size(), 6u);
  EXPECT_EQ(columns[5].name, "hinge.torque.z");
  EXPECT_EQ(columns[2].values.size(), 11u);
  EXPECT_NEAR(columns[2].values[0], expected, 1e-9);
  EXPECT_GT(std::fabs(columns[0].values.back()), 0.1);  // swinging
}

// Newton's third law, and Newton's second for the whole: what the ground gives is the change of momentum less weight.
TEST(Reactions, AddUpToTheMotionOfTheCentre) {
  Mechanism m("two", Space::planar);
  m.gravity(0, "-9.81");
  const Body a = m.body("a", {.mass = 1, .inertia = "1/12"}), b = m.body("b", {.mass = 3, .inertia = "1/4"});
  m.place(a, {.position = {"1/2", 0}, .velocity = {0, 1}, .angular_velocity = 2});
  m.place(b, {.position = {1, "1/2"}, .angle = "pi/2", .velocity = {"1/2", 2}, .angular_velocity = -1});
  m.revolute("A", m.ground(0, 0), a.at("-1/2", 0));
  m.revolute("B", a.at("1/2", 0), b.at("-1/2", 0));
  const auto run = extremal::run(m.system(), "spark(3)", m.start(), {.step = "0.001", .until = "0.02"});
  const auto forces = m.reactions(run);
  const auto momentum = [&](std::size_t k) { return run.column("p:a.y")[k] + run.column("p:b.y")[k]; };
  const double rate = (8 * (momentum(11) - momentum(9)) - (momentum(12) - momentum(8))) / 0.012;
  ASSERT_EQ(forces[1].name, "A.force.y");
  EXPECT_NEAR(-forces[1].values[10] - 4 * 9.81, rate, 1e-6);
}

TEST(Loads, TorqueChangesTheAngularMomentum) {
  Mechanism m("free");
  const Body b = m.body("b", {.mass = 1, .inertia = {"0.4", "0.3", "0.2"}});
  m.torque("T", b, {0, 0, [](const auto& t) { return 3.0 * t * t; }});
  m.place(b, {.angular_velocity = {1, "0.3", "-0.2"}});
  const System s = m.system();
  const auto run = extremal::run(s, "spark(2)", m.start(), {.step = "0.01", .until = 1});
  // About z it gains 1; about the others nothing: L = sum d_i x p_i.
  const auto spin = [&](char x, char y, std::size_t k) {
    double sum = 0;
    for (const char i : {'1', '2', '3'}) {
      const std::string d = std::string("b.d") + i;
      sum += run.column(d + x)[k] * run.column("p:" + d + y)[k] - run.column(d + y)[k] * run.column("p:" + d + x)[k];
    }
    return sum;
  };
  EXPECT_NEAR(spin('x', 'y', 100) - spin('x', 'y', 0), 1, 1e-7);
  EXPECT_NEAR(spin('y', 'z', 100) - spin('y', 'z', 0), 0, 1e-7);
  EXPECT_NEAR(spin('y', 'z', 0), 0.4, 1e-15);
  std::vector<std::string> symmetries;
  for (const auto& term : s.terms())
    if (term->role == Role::symmetry) symmetries.push_back(term->name);
  EXPECT_EQ(symmetries, (std::vector<std::string>{"along x", "along y", "along z", "about x", "about y"}));
}

// J w' = tau for planar bodies, motors and rotational dampers alike.
TEST(Loads, TurnPlanarBodies) {
  Mechanism m("wheels", Space::planar);
  const Body a = m.body("a", {.mass = 1, .inertia = 2}), b = m.body("b", {.mass = 1, .inertia = "1/2"});
  const Body c = m.body("c", {.mass = 1, .inertia = 1});
  m.motor("motor", a, b, [](const auto& t) { return cos(t); });
  m.rotational_damper("brake", m.ground_body(), c, "0.7");
  m.place(c, {.angular_velocity = 2});
  const auto run = extremal::run(m.system(), "spark(3)", m.start(), {.step = "0.01", .until = 1});
  const auto rate = [&](const std::string& name) {
    return last(run, name + ".d1x") * last(run, "v:" + name + ".d1y") -
           last(run, name + ".d1y") * last(run, "v:" + name + ".d1x");
  };
  EXPECT_NEAR(rate("a"), -std::sin(1) / 2, 1e-9);
  EXPECT_NEAR(rate("b"), 2 * std::sin(1), 1e-9);
  EXPECT_NEAR(rate("c"), 2 * std::exp(-0.7), 1e-9);
  EXPECT_LE(run.momentum_error.size(), 2u);  // along x and y
}

TEST(Loads, TurnBodiesInSpace) {
  Mechanism m("wheels");
  const Body a = m.body("a", {.mass = 1, .inertia = ball_inertia}),
             b = m.body("b", {.mass = 1, .inertia = ball_inertia});
  const Body c = m.body("c", {.mass = 1, .inertia = ball_inertia});
  m.rotational_damper("drag", m.ground_body(), c, "0.2");
  m.rotational_damper("coupling", a, b, "0.3");
  m.place(a, {.rotation = {"0.2", "0.5", 1}, .angular_velocity = {1, 2, 3}});
  m.place(c, {.angular_velocity = {1, -2, "0.5"}});
  const auto run = extremal::run(m.system(), "spark(3)", m.start(), {.step = "0.01", .until = 1});
  const auto rate = [&](const std::string& name, char x, char y) {
    double sum = 0;
    for (const char i : {'1', '2', '3'}) {
      const std::string d = name + ".d" + i;
      sum += last(run, d + x) * last(run, "v:" + d + y) - last(run, d + y) * last(run, "v:" + d + x);
    }
    return sum / 2;
  };
  // Spheres: each axis of space by itself.
  EXPECT_NEAR(rate("c", 'y', 'z'), std::exp(-0.5), 1e-8);
  EXPECT_NEAR(rate("c", 'z', 'x'), -2 * std::exp(-0.5), 1e-8);
  const double difference = std::exp(-1.5);  // 2 * 0.3 / 0.4
  EXPECT_NEAR(rate("a", 'x', 'y'), 1.5 + 1.5 * difference, 1e-8);
  EXPECT_NEAR(rate("b", 'x', 'y'), 1.5 - 1.5 * difference, 1e-8);
}

TEST(Loads, SpringsAndDampersAreOscillators) {
  Mechanism m("oscillators", Space::planar);
  const Body a = m.point_mass("a", 2), b = m.point_mass("b", 1), wheel = m.body("wheel", {.mass = 1, .inertia = "1/2"});
  m.spring("spring", m.ground(0, 0), a, {.stiffness = 8, .length = 1});
  m.place(a, {.position = {"1.5", 0}});
  m.damper("damper", m.ground(3, 3), b, "0.5");
  m.place(b, {.position = {0, 5}, .velocity = {1, 2}});
  m.torsion_spring("torsion", m.ground_body(), wheel, 2, "0.3");
  const auto run = extremal::run(m.system(), "spark(3)", m.start(), {.step = "0.01", .until = 1});
  EXPECT_NEAR(last(run, "a.x"), 1 + 0.5 * std::cos(2), 1e-8);
  EXPECT_NEAR(last(run, "v:b.y"), 2 * std::exp(-0.5), 1e-9);
  EXPECT_NEAR(last(run, "wheel.d1y"), std::sin(0.3 - 0.3 * std::cos(2)), 1e-8);
}

// Along the line only: the velocity across it is kept.
TEST(Loads, LineDampersActAlongTheirLine) {
  Mechanism m("balls", Space::planar);
  const Body a = m.point_mass("a", 1), b = m.point_mass("b", 1);
  m.line_damper("damper", a, b, "0.25");
  m.place(a, {.velocity = {0, 0}});
  m.place(b, {.position = {10, 0}, .velocity = {1, 0}});
  const auto run = extremal::run(m.system(), "spark(3)", m.start(), {.step = "0.01", .until = 1});
  EXPECT_NEAR(last(run, "v:b.x") - last(run, "v:a.x"), std::exp(-0.5), 1e-9);
  EXPECT_NEAR(last(run, "v:b.x") + last(run, "v:a.x"), 1, 1e-12);
  ASSERT_EQ(run.momentum_error.size(), 3u);  // nothing outside acts
  for (const auto& column : run.momentum_error) EXPECT_LE(column.values[0], 1e-12) << column.name;
}

TEST(Loads, ForcesAreFixedInSpaceOrInTheBody) {
  for (const Frame frame : {Frame::space, Frame::body}) {
    Mechanism m("rocket", Space::planar);
    const Body b = m.body("b", {.mass = 2, .inertia = 1});
    m.force("thrust", b, {4, 0}, frame);
    m.place(b, {.angle = "pi/2", .angular_velocity = 0});
    const auto run = extremal::run(m.system(), "rattle", m.start(), {.step = "0.01", .until = 1});
    EXPECT_NEAR(last(run, frame == Frame::space ? "b.x" : "b.y"), 1, 1e-12);
    EXPECT_NEAR(last(run, frame == Frame::space ? "b.y" : "b.x"), 0, 1e-12);
  }
  // Off the centre it turns: torque x F_y.
  Mechanism m("rocket");
  const Body b = m.body("b", {.mass = 1, .inertia = ball_inertia});
  m.force("thrust", b.at("0.4", 0, 0), {0, 1, 0}, Frame::body);
  const auto run = extremal::run(m.system(), "spark(2)", m.start(), {.step = "0.01", .until = 1});
  const double turned = std::atan2(last(run, "b.d1y"), last(run, "b.d1x"));
  EXPECT_NEAR(turned, 0.5, 1e-7);  // t^2 / 2 * 0.4 / 0.4
}

// A free body keeps all six momenta; one that hangs from the ground keeps what gravity and the joint leave.
TEST(Symmetries, AreThoseThatHold) {
  const auto names = [](const Mechanism& m) {
    std::string all;
    const System system = m.system();
    for (const auto& term : system.terms())
      if (term->role == Role::symmetry) all += term->name + ",";
    return all;
  };
  Mechanism m("free");
  const Body b = m.body("b", {.mass = 1, .inertia = ball_inertia}),
             c = m.body("c", {.mass = 1, .inertia = ball_inertia});
  m.spherical("ball", b.at(1, 0, 0), c.at(0, 0, 1));
  m.spring("spring", b, c, {.stiffness = 1, .length = 1});
  EXPECT_EQ(names(m), "along x,along y,along z,about x,about y,about z,");
  m.gravity(0, 0, -1);
  EXPECT_EQ(names(m), "along x,along y,about z,");
  m.spherical("tip", m.ground(0, 0, 0), c);
  EXPECT_EQ(names(m), "about z,");
  m.damper("drag", m.ground(0, 0, 0), c, 1);
  EXPECT_EQ(names(m), "");
}

}  // namespace
}  // namespace extremal::mechanism_loads_test
