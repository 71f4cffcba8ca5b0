// Robots of kinds that import_test.cpp has not: couplings, motors, frames, meshes, and the way there and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "extremal/extremal.hpp"
#include "extremal/import.hpp"
#include "extremal/mesh.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::robots_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string data(const std::string& name) { return std::string(places::data) + "/robots/" + name; }

Model model_of(const Imported& robot) { return read_model_text(robot.text, "robot.toml"); }

std::string robot_link(const std::string& name, const std::string& centre = "0 0 0.1") {
  return "<link name='" + name + "'><inertial><origin xyz='" + centre +
         "'/><mass value='1.5'/><inertia ixx='0.02' iyy='0.03' izz='0.015' ixy='0.001' ixz='0' "
         "iyz='0.002'/></inertial></link>";
}

std::string robot_joint(const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child, const std::string& more) {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         more + "</joint>";
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::fabs(each));
  return most;
}

// The finger that mimics has its angle -1 times that of the other, and 0.2, from the start on.
TEST(Robots, GripperWhoseFingersMimicEachOther) {
  const Imported gripper = import_robot_text(
      "<robot name='gripper'><link name='palm'/>" + robot_link("left") + robot_link("right") +
          robot_joint("l", "revolute", "palm", "left", "<origin xyz='0.3 0 0'/><axis xyz='0 1 0'/>") +
          robot_joint("r finger", "revolute", "palm", "right",
                      "<origin xyz='-0.3 0 0'/><axis xyz='0 1 0'/><mimic joint='l' multiplier='-1' offset='0.2'/>") +
          "</robot>",
      "gripper.urdf");
  EXPECT_THAT(gripper.notes, IsEmpty());
  const Model model = model_of(gripper);
  EXPECT_EQ(model.system.size() - model.system.constraint_count(), 1);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = "0.5"});
  ASSERT_EQ(found.status, Status::complete);
  const auto &l = found.column("joint:l:angle"), &r = found.column("joint:r finger:angle");
  for (std::size_t i = 0; i < l.size(); ++i) EXPECT_NEAR(r[i], 0.2 - l[i], 1e-13);
}

// Six legs, each a slide between a universal and a spherical joint: 6 freedoms, and loops that close.
TEST(Robots, StewartPlatformOfMjcf) {
  std::string legs, ends;
  for (int k = 0; k < 6; ++k) {
    const double a = 1.0471975511965976 * k, b = a + (k % 2 == 0 ? 0.5 : -0.5);
    const double foot[] = {std::cos(a), std::sin(a)}, top[] = {0.5 * std::cos(b), 0.5 * std::sin(b)};
    const auto text = [](double x) { return std::to_string(x); };
    const std::string n = std::to_string(k), at = text(foot[0]) + " " + text(foot[1]) + " 0";
    const std::string along = text(top[0] - foot[0]) + " " + text(top[1] - foot[1]) + " 1";
    legs += "<body name='leg" + n + "' pos='" + at + "' zaxis='" + along +
            "'><joint axis='1 0 0'/><joint axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 0 0 .5'/>"
            "<body name='rod" +
            n + "' pos='0 0 .6'><joint name='stroke" + n +
            "' type='slide' stiffness='2000' damping='3'/><geom type='cylinder' size='.02 .3'/></body></body>";
    ends += "<connect body1='plate' body2='rod" + n + "' anchor='" + text(top[0]) + " " + text(top[1]) + " 0'/>";
  }
  const Imported platform = import_robot_text("<mujoco model='stewart'><worldbody>" + legs +
                                                  "<body name='plate' pos='0 0 1'><freejoint/><geom type='cylinder' "
                                                  "size='.6 .05'/></body></worldbody><equality>" +
                                                  ends + "</equality></mujoco>",
                                              "stewart.xml");
  EXPECT_THAT(
      platform.notes,
      ElementsAre("contact of geoms: rod0, leg0, rod1, leg1, rod2, leg2, rod3, leg3, rod4, leg4, rod5, leg5, plate"));
  const Model model = model_of(platform);
  EXPECT_EQ(model.system.size() - model.system.constraint_count(), 6);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.002", .until = "0.2"});
  ASSERT_EQ(found.status, Status::complete);
  EXPECT_LT(largest(found.column("constraint")), 1e-12);
  EXPECT_GT(std::fabs(found.column("plate.z").back() - found.column("plate.z").front()), 1e-3);
}

// Defaults in defaults, a frame, an Euler sequence, a motor, a held place, a speed, and joints that are coupled.
std::string machine() {
  return R"xml(<mujoco model="machine">
  <compiler angle="degree" eulerseq="zyx" autolimits="true"/>
  <default>
    <joint damping="0.1"/>
    <geom density="500"/>
    <default class="arm"> <joint armature="0.05" axis="0 1 0"/> <default class="stiff"> <joint stiffness="4" ref="10" springref="20"/> </default> </default>
    <position kp="30"/>
  </default>
  <worldbody>
    <frame pos="0 0 1" euler="90 0 0">
      <body name="a" childclass="arm">
        <joint name="A"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0" rgba="1 0 0 1"/>
        <body name="b" pos="0.4 0 0">
          <joint name="B" class="stiff"/>
          <frame pos="0.1 0 0"> <geom type="box" size="0.1 0.02 0.02"/> </frame>
        </body>
      </body>
    </frame>
    <body name="c" pos="0 1 0"> <joint name="C" type="slide" axis="0 0 1" frictionloss="0.5"/> <geom size="0.1"/> </body>
    <body name="d" pos="0 2 0"> <joint name="D" axis="1 0 0"/> <geom type="box" size="0.1 0.2 0.3"/> </body>
  </worldbody>
  <equality> <joint name="coupled" joint1="C" joint2="D" polycoef="0.1 0.5 0.25 0 0"/> </equality>
  <actuator>
    <motor name="push" joint="A" gear="2" forcerange="-3 3"/>
    <position name="hold" joint="B" kv="2"/>
    <velocity name="turn" joint="D" kv="0.5"/>
    <muscle name="flesh" joint="A"/>
  </actuator>
  <sensor> <jointpos joint="A"/> </sensor>
  <keyframe> <key qpos="5.729577951308232e-2 0 0 0" ctrl="1 0.5 2 0"/> </keyframe>
</mujoco>)xml";
}

TEST(Robots, MachineOfMjcfHasItsLaws) {
  const Imported robot = import_robot_text(machine(), "machine.xml");
  EXPECT_THAT(robot.notes, Contains("actuators <muscle>: flesh"));
  EXPECT_THAT(robot.notes, Contains("<sensor> is not read: jointpos"));
  EXPECT_THAT(robot.text, HasSubstr("control_push = 1\ncontrol_hold = 0.5\ncontrol_turn = 2\n"));
  EXPECT_THAT(robot.text, HasSubstr("torque = \"2*(max(-3, min(3, control_push)))\"\n"));
  EXPECT_THAT(robot.text, HasSubstr("[[servo]]\nname = \"hold\"\njoint = \"B\"\nstiffness = 30\ndamping = 2\ntarget"));
  EXPECT_THAT(robot.text, HasSubstr("armature = 0.05\n"));
  EXPECT_THAT(robot.text, HasSubstr("colour = \"#ff0000\"\n"));
  const Model model = model_of(robot);
  EXPECT_EQ(model.system.size() - model.system.constraint_count(), 3);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.002", .until = "0.3"});
  ASSERT_EQ(found.status, Status::complete);
  // A hinge that was at ref is there at home; couplings count from home.
  const auto &C = found.column("joint:C:stroke"), &D = found.column("joint:D:angle");
  for (std::size_t i = 0; i < C.size(); ++i) EXPECT_NEAR(C[i], 0.1 + 0.5 * D[i] + 0.25 * D[i] * D[i], 1e-12);
  EXPECT_GT(std::fabs(D.back() - D.front()), 0.01);
  EXPECT_THAT(refusal([] { import_robot_text(machine(), "machine.xml", {.strict = true}); }),
              HasSubstr("; expected nothing that the model cannot have, as --strict was given"));
}

// A four-bar whose loop closes in a pin: light, round, and on the axis of two hinges. It is fixed to one side, and
// noted; a heavy one stays a body that may spin.
std::string pinned(const std::string& mass, const std::string& moment) {
  const auto ball = [&](const std::string& name) {
    return "<link name='" + name + "'><inertial><mass value='" + mass + "'/><inertia ixx='" + moment + "' iyy='" +
           moment + "' izz='" + moment + "' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  const std::string y = "<axis xyz='0 1 0'/>";
  return "<robot name='pinned'><link name='base'/>" + robot_link("crank") + robot_link("coupler", "0.2 0 0") +
         robot_link("rocker") + ball("pin a") + ball("pin b") + robot_joint("A", "continuous", "base", "crank", y) +
         robot_joint("B", "continuous", "crank", "coupler", "<origin xyz='0 0 0.2'/>" + y) +
         robot_joint("D", "continuous", "base", "rocker", "<origin xyz='0.4 0 0'/>" + y) +
         robot_joint("P", "continuous", "coupler", "pin a", "<origin xyz='0.4 0 0'/>" + y) +
         robot_joint("Q", "continuous", "rocker", "pin b", "<origin xyz='0 0 0.3'/>" + y) + "</robot>";
}

TEST(Robots, IdlePinsAreFixedToOneSide) {
  const ImportOptions closed{.close = {"pin a=pin b:fixed"}};
  const Imported light = import_robot_text(pinned("1e-5", "1e-11"), "pinned.urdf", closed);
  EXPECT_THAT(light.notes,
              ElementsAre("idle turning of light pins between two hinges, which are fixed to one side: pin a"));
  const Model model = model_of(light);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = 1});
  ASSERT_EQ(found.status, Status::complete);
  EXPECT_EQ(found.remedies.total(), 0);
  EXPECT_LT(largest(found.column("constraint")), 1e-12);
  // 48 rows for four bodies of 12 coordinates would leave none: three of them repeat others.
  EXPECT_EQ(model.system.size(), 36);
  const Imported heavy = import_robot_text(pinned("1", "0.001"), "pinned.urdf", closed);
  EXPECT_THAT(heavy.notes, IsEmpty());
  EXPECT_EQ(model_of(heavy).system.size(), 48);
}

// One line each, with the place: what neither format means, in the parts that robots have since.
TEST(Robots, RefusalsSayWhereAndWhatIsExpected) {
  const auto urdf = [](const std::string& more, const std::string& visual = "") {
    return refusal([&] {
      import_robot_text("<robot name='r'><link name='base'>" + visual + "</link>" + robot_link("a") +
                            robot_joint("j", "revolute", "base", "a", more) + "</robot>",
                        "r");
    });
  };
  EXPECT_THAT(urdf("<mimic joint='k'/>"), HasSubstr("unknown joint \"k\""));
  EXPECT_THAT(urdf("<mimic joint='j'/>"), HasSubstr("found a joint that mimics itself; expected another"));
  EXPECT_THAT(urdf("<mimic/>"), HasSubstr("found <mimic> without joint; expected one"));
  EXPECT_THAT(urdf("<limit lower='2' upper='1'/>"), HasSubstr("found a lower limit above the upper one"));
  EXPECT_THAT(urdf("<dynamics friction='-1'/>"), HasSubstr("found a negative friction; expected 0 or more"));
  EXPECT_THAT(urdf("", "<visual/>"), HasSubstr("found a <visual> without a shape in <geometry>; expected one"));
  EXPECT_THAT(urdf("", "<visual><geometry><sphere/></geometry></visual>"), HasSubstr("found <sphere> without radius"));
  EXPECT_THAT(urdf("", "<visual><geometry><box size='1 -1 1'/></geometry></visual>"),
              HasSubstr("found a negative size; expected another"));
  const auto mjcf = [](const std::string& joints, const std::string& more) {
    return refusal([&] {
      import_robot_text(
          "<mujoco><worldbody><body name='a'>" + joints + "<geom size='1'/></body></worldbody>" + more + "</mujoco>",
          "r");
    });
  };
  const std::string hinge = "<joint name='j'/>";
  EXPECT_THAT(mjcf(hinge + hinge, ""), HasSubstr("found a second joint \"j\"; expected distinct names"));
  EXPECT_THAT(mjcf("<joint range='2 1'/>", ""), HasSubstr("range: found its lower end above the upper one"));
  EXPECT_THAT(mjcf("<joint armature='-1'/>", ""), HasSubstr("found a negative armature or frictionloss"));
  EXPECT_THAT(mjcf(hinge, "<actuator><motor joint='k'/></actuator>"), HasSubstr("unknown joint \"k\""));
  EXPECT_THAT(mjcf(hinge, "<actuator><motor joint='j' forcerange='1 0'/></actuator>"),
              HasSubstr("forcerange: found the lower end above the upper one"));
  EXPECT_THAT(mjcf(hinge, "<equality><joint joint1='j' joint2='j'/></equality>"),
              HasSubstr("found joint \"j\" twice; expected two"));
  EXPECT_THAT(mjcf(hinge, "<equality><joint joint1='j' polycoef='1 2 3 4 5 6'/></equality>"),
              HasSubstr("polycoef: found 6 numbers; expected at most 5"));
  EXPECT_THAT(mjcf(hinge, "<keyframe><key ctrl='1'/></keyframe>"), HasSubstr("ctrl: found 1 numbers; expected 0"));
}

// A cube by its triangles, with its corner at the origin; the other way round it is inside out.
std::string cube_of_text(double edge, bool inside_out = false) {
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  std::string text = "solid cube\n";
  for (const auto& f : faces)
    for (const auto& t : {std::array{f[0], f[1], f[2]}, std::array{f[0], f[2], f[3]}}) {
      text += "facet normal 0 0 0\nouter loop\n";
      for (int k = 0; k < 3; ++k) {
        const int c = t[static_cast<std::size_t>(inside_out ? 2 - k : k)];
        text += "vertex";
        for (const int bit : {1, 2, 4}) text += " " + std::to_string((c & bit) != 0 ? edge : 0.0);
        text += "\n";
      }
      text += "endloop\nendfacet\n";
    }
  return text + "endsolid\n";
}

TEST(Meshes, CubeHasTheMassOfACube) {
  for (const bool inside_out : {false, true}) {
    const BodyData body = solid_body(read_mesh_text(cube_of_text(2, inside_out), "cube.stl"), 3, {1, 1, "1/2"});
    EXPECT_NEAR(body.mass.list()[0].as<double>(), 12, 1e-12);
    EXPECT_NEAR(body.centre.list()[2].as<double>(), 0.5, 1e-12);
    EXPECT_NEAR(body.inertia.list()[0].as<double>(), 12 * (4 + 1) / 12.0, 1e-12);
    EXPECT_NEAR(body.inertia.list()[2].as<double>(), 12 * (4 + 4) / 12.0, 1e-12);
    EXPECT_NEAR(body.inertia.list()[3].as<double>(), 0, 1e-12);
  }
  const Mesh quads = read_mesh_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3//3 -1\n", "a.obj");
  EXPECT_EQ(quads.triangles.size(), 2u);
  EXPECT_EQ(quads.points.size(), 4u);
}

TEST(Meshes, RefusalsSayWhatWasFound) {
  const auto told = [](const std::string& text, const std::string& name) {
    return refusal([&] { read_mesh_text(text, name); });
  };
  EXPECT_EQ(told("hello", "a.stl"),
            "a.stl: found neither STL, in text or binary, nor OBJ; expected a mesh in one of them");
  EXPECT_EQ(told("solid\nvertex 1 x 2\n", "a.stl"), "a.stl:2: found \"x\"; expected three numbers behind vertex");
  EXPECT_EQ(told("v 0 0 0\nf 1 2 3\n", "a.obj"), "a.obj:2: found \"2\"; expected one of 1 points");
  EXPECT_EQ(told("v 0 0 0\n", "a.obj"), "a.obj: found no triangles; expected a mesh");
  std::string open = cube_of_text(1);
  open.erase(open.find("facet"), open.find("endfacet") + 9 - open.find("facet"));
  EXPECT_THAT(refusal([&] { solid_body(read_mesh_text(open, "open.stl"), 1); }), HasSubstr("found a mesh with holes"));
}

// A bar of two boxes and a weight on it is one body of the same mass, centre and tensor.
TEST(BodyParts, AreMerged) {
  const Model parts = read_model_text(R"toml(
[[body]]
name = "bar"
[[body.part]]
shape = "box"
size = [1, 0.1, 0.1]
density = 100
at = [0.5, 0, 0]
colour = "#336699"
[[body.part]]
shape = "sphere"
radius = 0.1
rotation = [0, 1, 0]
[[body.part]]
mass = 0.5
at = [1, 0, 0]
[[joint]]
name = "J"
type = "revolute"
from = "ground"
to = { body = "bar", at = [0, 0, 0] }
axis = [0, 1, 0]
)toml",
                                      "parts.toml");
  // Mass 1 at 0.5 with J_y = (1 + 0.01)/12, and 0.5 at 1: about the hinge 1.01/12 + 0.25 + 0.5.
  const auto found = run(parts.system, "rattle", parts.start, {.step = "0.01", .until = "0.01"});
  EXPECT_NEAR(found.column("bar.x")[0], (0.5 + 0.5) / 1.5, 1e-14);
  const Model moved = read_model_text(
      parts.text + "[start]\njoints = { J = { rate = 2 } }\n[run]\nstep = 0.01\nuntil = 1\n", "parts.toml");
  const auto turning = run(moved.system, "rattle", moved.start, {.step = "0.01", .until = "0.01"});
  EXPECT_NEAR(turning.column("kinetic")[0], (1.01 / 12 + 0.25 + 0.5) * 4 / 2, 1e-13);
  EXPECT_THAT(refusal([] { read_model_text("[[body]]\nname = \"a\"\n[[body.part]]\ncolour = \"#000000\"\n", "m"); }),
              HasSubstr("m:3:1: found a part without shape and mass"));
  EXPECT_THAT(refusal([] {
                read_model_text(
                    "[[body]]\nname = \"a\"\ninertia = [1, 1, 1]\n[[body.part]]\nshape = \"box\"\nsize = [1, 1, "
                    "1]\ncolour = \"red\"\n",
                    "m");
              }),
              HasSubstr("colour \"red\"; expected one as"));
}

// There and back: the same coordinates, constraints and motion, for trees and loops.
double way_back(const Model& model, RobotFormat format, const std::string& name) {
  const Exported there = export_robot(model, format);
  const Model back = read_model_text(import_robot_text(there.text, name).text, "back.toml");
  EXPECT_EQ(back.system.size(), model.system.size());
  EXPECT_EQ(back.system.constraint_count(), model.system.constraint_count());
  const Span span{.step = "0.005", .until = "0.3"};
  const auto one = run(model.system, "spark(2)", model.start, span),
             two = run(back.system, "spark(2)", back.start, span);
  EXPECT_EQ(one.status, Status::complete);
  EXPECT_EQ(two.status, Status::complete);
  double most = 0, moved = 0;
  for (const std::string& coordinate : model.system.coordinate_names()) {
    const auto &x = one.column(coordinate), &y = two.column(coordinate);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      most = std::max(most, std::fabs(x[i] - y[i]));
      moved = std::max(moved, std::fabs(x[i] - x[0]));
    }
  }
  EXPECT_GT(moved, 0.01);
  return most;
}

// Round-off of a run grows with its steps: sixty of them, and motions of order one.
constexpr double round_off = 1e-12;

TEST(Export, ComesBackTheSameForTreesAndLoops) {
  std::string arm = "<robot name='arm'><link name='base'/>";
  for (int k = 1; k <= 7; ++k) {
    const std::string own = "l" + std::to_string(k), parent = k == 1 ? "base" : "l" + std::to_string(k - 1);
    arm += robot_link(own, "0.02 0 0.15") +
           robot_joint("j" + std::to_string(k), "revolute", parent, own,
                       "<origin xyz='0 0.01 0.3' rpy='0.1 0.2 0.3'/><axis xyz='" +
                           std::string(k % 2 == 0 ? "0 0 1" : "0 1 0.5") + "'/><dynamics damping='0.1'/>");
  }
  const Model tree = model_of(import_robot_text(arm + "</robot>", "arm.urdf"));
  EXPECT_LT(way_back(tree, RobotFormat::urdf, "a.urdf"), round_off);
  EXPECT_LT(way_back(tree, RobotFormat::mjcf, "a.xml"), round_off);
  const Model loop = model_of(import_robot(data("four_bar.urdf")));
  EXPECT_LT(way_back(loop, RobotFormat::urdf, "a.urdf"), round_off);
  EXPECT_LT(way_back(loop, RobotFormat::mjcf, "a.xml"), round_off);
}

TEST(Export, KeepsSpringsServosAndVelocities) {
  const Model model = read_model_text(R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "hull"
mass = 3
inertia = [0.2, 0.3, 0.4, 0.01, 0.02, 0.03]
centre = [0.1, 0, 0]
position = [0, 0, 1]
velocity = [0.3, 0, 1]
angular_velocity = [0, 0.5, 2]
[[body]]
name = "fin"
mass = 0.5
inertia = [0.01, 0.02, 0.02]
position = [0.4, 0, 1]
rotation = [0.3, 0, 0]
velocity = [0.3, 0.8, 0.8]
angular_velocity = [0, 0.5, 2]
[[joint]]
name = "hinge"
type = "revolute"
from = { body = "hull", at = [0.4, 0, 0] }
to = "fin"
axis = [0, 0, 1]
angle = 0.2
armature = 0.01
[[joint_spring]]
name = "spring"
joint = "hinge"
stiffness = 5
rest = 0.1
damping = 0.2
[[servo]]
name = "servo"
joint = "hinge"
stiffness = 2
damping = 0.1
target = 0.4
[run]
step = 0.005
until = 1
)toml",
                                      "hull.toml");
  EXPECT_LT(way_back(model, RobotFormat::mjcf, "a.xml"), round_off);
  EXPECT_THAT(refusal([&] { export_robot(model, RobotFormat::urdf); }),
              HasSubstr("export: joint \"hinge\" has a spring or a servo, which URDF has not"));
}

TEST(Export, RefusesByName) {
  const auto told = [](const std::string& text, RobotFormat format) {
    return refusal([&] { export_robot(read_model_text(text, "m"), format); });
  };
  const std::string body = "[[body]]\nname = \"a\"\ninertia = [1, 1, 1]\n";
  EXPECT_THAT(told("coordinates = [\"x\"]\nkinetic = \"x'^2\"\n", RobotFormat::urdf),
              HasSubstr("is given by formulas"));
  EXPECT_THAT(told("space = \"planar\"\n[[body]]\nname = \"a\"\ninertia = 1\n", RobotFormat::mjcf),
              HasSubstr("a planar mechanism found"));
  EXPECT_THAT(told(body + "[[constraint]]\nname = \"rail\"\nformula = \"a.x\"\n", RobotFormat::mjcf),
              HasSubstr("\"rail\" is a formula"));
  EXPECT_THAT(told(body + "[[force]]\nname = \"wind\"\non = \"a\"\ncomponents = [1, 0, 0]\n", RobotFormat::mjcf),
              HasSubstr("load \"wind\" (force) is none of a joint"));
  EXPECT_THAT(
      told(body + "[[joint]]\nname = \"J\"\ntype = \"spherical\"\nfrom = \"ground\"\nto = { body = \"a\", at = [0, "
                  "0, 1] }\n[[joint]]\nname = \"K\"\ntype = \"distance\"\nfrom = { at = [3, 0, 0] }\nto = \"a\"\n",
           RobotFormat::mjcf),
      HasSubstr("joint \"K\" closes a loop and is distance"));
  EXPECT_THAT(
      told(body + "[[joint]]\nname = \"J\"\ntype = \"spherical\"\nfrom = \"ground\"\nto = \"a\"\n", RobotFormat::urdf),
      HasSubstr("joint \"J\" is spherical, which URDF has not"));
}

}  // namespace
}  // namespace extremal::robots_test
