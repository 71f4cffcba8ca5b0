// What the parts of model files mean: bodies, joints, loads, rods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extremal/models.hpp"

namespace extremal::model_file_parts_test {
namespace {

using testing::ElementsAre;

Model read(const std::string& text, const Settings& settings = {}) {
  return read_model_text(text, "test.toml", settings);
}

// An arc of a quarter circle of radius 2, whose nodes are moved, turned and set in motion by their arc length.
TEST(ModelFile, PlacesTheNodesOfARodByTheirArcLength) {
  const std::string text = R"toml([[rod]]
name = "arc"
length = "pi"
normal = [0, 0, 1]
points = { repeat = 5, at = ["2*sin(pi/8*(i - 1))", "2*(1 - cos(pi/8*(i - 1)))", 0] }
section = { shape = "circle", E = 1, G = 1, density = 1, radius = 1 }
)toml";
  const Model at_rest = read(text),
              moving = read(text + "velocity = [0, 0, \"s^2\"]\nangular_velocity = [0, \"-s\", 0]\n"),
              bent = read(text + "position = [\"s\", 0, 0]\nrotation = [0, 0, \"-s/2\"]\n");
  const auto as = [](const Number& x) { return x.as<double>(); };
  const double pi = std::acos(-1.0);
  for (std::size_t node = 0; node < 5; ++node) {
    const double s = pi / 4 * static_cast<double>(node);
    const auto q = [&](const Model& m, std::size_t k) { return as(m.start.q[12 * node + k]); };
    const auto v = [&](std::size_t k) { return as(moving.start.v[12 * node + k]); };
    for (std::size_t k = 0; k < 12; ++k) EXPECT_NEAR(q(moving, k), q(at_rest, k), 1e-30);
    EXPECT_NEAR(v(2), s * s, 1e-15);
    EXPECT_NEAR(v(5), s * q(moving, 3), 1e-15);  // (0, -s, 0) x d1
    EXPECT_NEAR(q(bent, 0), s, 1e-15);
    EXPECT_NEAR(q(bent, 1), 0, 1e-15);
    EXPECT_NEAR(q(bent, 3), 1, 1e-15);  // the tangent was turned by s/2
    EXPECT_NEAR(q(bent, 7), 1, 1e-15);
  }
  // The curve, and not where the motion starts, is free of stress: EI (1/2)^2 / 2 per length.
  Stepper<double> stepper(bent.system, Scheme::named("lie(trapezoidal)"));
  stepper.start(bent.start);
  EXPECT_NEAR(stepper.observe().potential, pi / 4 * 0.25 / 2 * pi, 0.05);
}

TEST(ModelFile, PartsFollowSettings) {
  const std::string text = R"toml(space = "planar"
[parameters]
J = "m/12"
m = 1
[[body]]
name = "bar"
mass = "m"
inertia = "J"
[start]
velocity = { "bar.x" = 2 }
)toml";
  const auto energy = [](const Model& m) {
    return run(m.system, "rattle", m.start, {.step = "0.1", .until = "0.1"}).energy_initial;
  };
  EXPECT_DOUBLE_EQ(energy(read(text)), 2);
  EXPECT_DOUBLE_EQ(energy(read(text, {{"m", Number(3)}})), 6);
  // A parameter of the system would reach no body.
  EXPECT_TRUE(read(text).system.parameter_names().empty());
}

TEST(ModelFile, RepeatsPartsByCountAndPattern) {
  const std::string chain = R"toml(space = "planar"
[parameters]
n = 1000
[[body]]
repeat = "n"
name = "bar {i}"
inertia = "1/12"
position = ["i - 1/2", 0]
[[joint]]
repeat = [2, "n"]
name = "P{i}"
type = "revolute"
from = { body = "bar {i-1}", at = ["1/2", 0] }
to = { body = "bar {i}", at = ["-1/2", 0] }
)toml";
  const Model m = read(chain);
  EXPECT_EQ(m.system.size(), 6000);
  EXPECT_EQ(m.system.constraint_count(), 3 * 1000 + 2 * 999);
  EXPECT_EQ(m.system.coordinate_names()[6 * 999], "bar 1000.x");
  EXPECT_EQ(m.start.q[6 * 999].as<double>(), 999.5);
  EXPECT_EQ(m.system.constraint_names().back(), "P1000.1");
  EXPECT_EQ(read(chain, {{"n", Number(1)}}).system.size(), 6);
}

// A body under a load that is a formula of its coordinates, and a coordinate beside the bodies.
TEST(ModelFile, MixesPartsAndFormulas) {
  const Model m = read(R"toml(space = "planar"
gravity = [0, -10]
coordinates = ["s"]
kinetic = "s'^2/2"
potential = "k/2*(s - ball.y)^2"
[parameters]
k = 4
[[point_mass]]
name = "ball"
mass = 2
position = [1, 2]
[[constraint]]
name = "rail"
formula = "ball.x - 1"
[[force]]
name = "drag"
along = { "ball.y" = "-k*ball.y'" }
[start]
s = 2
)toml");
  EXPECT_THAT(m.system.coordinate_names(), ElementsAre("ball.x", "ball.y", "s"));
  EXPECT_THAT(m.system.constraint_names(), ElementsAre("rail"));
  EXPECT_EQ(m.start.q[2].as<double>(), 2);
  const auto r = run(m.system, "midpoint", m.start, {.step = "0.01", .until = 10});
  ASSERT_EQ(r.status, Status::complete) << r.reason;
  // In the end both fall under 2 g, held by the drag.
  EXPECT_NEAR(r.column("v:ball.y").back(), -20.0 / 4, 0.6);
  EXPECT_NEAR(r.column("ball.x").back(), 1, 1e-14);
}

TEST(ModelFile, LoadsAreFormulasOfTime) {
  const Model m = read(R"toml(space = "planar"
[parameters]
a = 6
[[body]]
repeat = 2
name = "b{i}"
mass = 2
inertia = 1
position = ["i", 0]
[[force]]
repeat = 2
name = "f{i}"
on = "b{i}"
components = ["i*a*t", 0]
[[torque]]
name = "m"
on = "b1"
components = 2
)toml");
  // i a t^3 / 6 / m, and the scheme's error in it is i h^2 / 2.
  const double h = 0x1p-10;
  const auto r = run(m.system, "rattle", m.start, {.step = h, .until = 1});
  EXPECT_NEAR(r.column("b1.x").back(), 1 + 0.5, h * h);
  EXPECT_NEAR(r.column("b2.x").back(), 2 + 1.0, 2 * h * h);
  EXPECT_NEAR(r.column("b1.d1x").back(), std::cos(1.0), 1e-5);
}

TEST(ModelFile, HasEveryJointAndLoad) {
  const std::string bodies = R"toml([[body]]
name = "a"
inertia = [1, 1, 1]
[[body]]
name = "b"
inertia = [1, 1, 1]
)toml";
  const auto rows = [&](const std::string& type, const std::string& more = "") {
    return read(bodies + "[[joint]]\nname = \"j\"\ntype = \"" + type + "\"\nfrom = \"a\"\nto = \"b\"\n" + more)
               .system.constraint_count() -
           12;
  };
  EXPECT_EQ(rows("revolute", "axis = [0, 0, 1]\n"), 5);
  EXPECT_EQ(rows("spherical"), 3);
  EXPECT_EQ(rows("prismatic", "axis = [0, 0, 1]\n"), 5);
  EXPECT_EQ(rows("cylindrical", "axis = [0, 0, 1]\n"), 4);
  EXPECT_EQ(rows("universal", "axis = [0, 0, 1]\naxis_to = [1, 0, 0]\n"), 4);
  EXPECT_EQ(rows("planar", "normal = [0, 0, 1]\n"), 3);
  EXPECT_EQ(rows("fixed"), 6);
  EXPECT_EQ(rows("distance", "length = 1\n"), 1);
  EXPECT_EQ(rows("point_on_line", "axis = [0, 0, 1]\n"), 2);
  EXPECT_EQ(rows("point_on_plane", "normal = [0, 0, 1]\n"), 1);

  const auto terms = [&](const std::string& load) {
    const System system = read(bodies + load).system;
    return std::count_if(system.terms().begin(), system.terms().end(),
                         [](const auto& term) { return term->role == Role::potential || term->role == Role::force; });
  };
  const std::string pair = "name = \"l\"\nfrom = \"a\"\nto = \"b\"\n", axis = "axis = [0, 0, 1]\n";
  const auto none = terms("");
  for (const std::string& load :
       {"[[spring]]\n" + pair + "stiffness = 2\nlength = 1\n",
        "[[torsion_spring]]\n" + pair + axis + "stiffness = 2\nangle = 1\n", "[[damper]]\n" + pair + "damping = 1\n",
        "[[line_damper]]\n" + pair + "damping = 1\n", "[[rotational_damper]]\n" + pair + "damping = 1\n",
        "[[motor]]\n" + pair + axis + "torque = \"sin(t)\"\n",
        std::string("[[force]]\nname = \"l\"\non = { body = \"a\", at = [1, 0, 0] }\ncomponents = [0, \"t\", 1]\nframe "
                    "= \"body\"\n"),
        std::string("[[torque]]\nname = \"l\"\non = \"a\"\ncomponents = [0, \"t\", 1]\n")})
    EXPECT_GT(terms(load), none) << load;
}

TEST(ModelFile, HasRods) {
  const Model straight = read(R"toml([[rod]]
name = "beam"
section = { shape = "rectangle", E = 1e3, G = 4e2, density = 2, width = 0.1, height = 0.2 }
from = [0, 0, 0]
to = [1, 0, 0]
elements = 4
first = "clamped"
[[force]]
name = "tip"
on = "beam.4"
components = [0, 0, -1]
)toml");
  EXPECT_EQ(straight.system.size(), 5 * 12);
  const Model ring = read(R"toml([[rod]]
name = "ring"
section = { EA = 1, GA2 = 1, GA3 = 1, GJ = 1, EI2 = 1, EI3 = 1, mass = 1, inertia2 = 1, inertia3 = 1 }
points = { repeat = 8, at = ["cos(i*pi/4)", "sin(i*pi/4)", 0] }
closed = true
)toml");
  EXPECT_EQ(ring.system.size(), 8 * 12);
  EXPECT_NEAR(ring.start.q[1].as<double>(), std::sqrt(0.5), 1e-15);
}

}  // namespace
}  // namespace extremal::model_file_parts_test
