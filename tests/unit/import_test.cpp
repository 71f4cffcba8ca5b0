// Robots of others as models: what they mean, that loops are closed, and that nothing is left out silently.
#include "extremal/import.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "extremal/extremal.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::import_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string data(const std::string& name) { return std::string(places::data) + "/robots/" + name; }

Model imported(const std::string& text, const ImportOptions& options = {}) {
  return read_model_text(import_robot_text(text, "robot", options).text, "robot");
}

int freedoms(const Model& model) {
  return static_cast<int>(model.system.coordinate_names().size()) - model.system.constraint_count();
}

std::string link(const std::string& name, const std::string& mass = "1", const std::string& origin = "") {
  return "<link name='" + name + "'><inertial>" + origin + "<mass value='" + mass +
         "'/><inertia ixx='0.1' iyy='0.2' izz='0.15' ixy='0.01' ixz='0' iyz='0.02'/></inertial></link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         more + "</joint>";
}
std::string robot(const std::string& inside) { return "<robot name='r'><link name='base'/>" + inside + "</robot>"; }

// Two pendulums in a vertical plane, their frames turned this way and that; by formula of two angles it is
// T = (J_1 + m_2 l^2) a'^2/2 + J_2 b'^2/2 + m_2 l c cos(a - b) a' b', J about the hinges.
TEST(ImportUrdf, DoublePendulumMovesAsItsAnglesDo) {
  const std::string text = robot(
      "<link name='one'><inertial><origin xyz='0.3 0 0' rpy='0 0.7 0'/><mass value='2'/>"
      "<inertia ixx='0.05' iyy='0.08' izz='0.07' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<link name='two'><inertial><origin xyz='0 -0.25 0'/><mass value='1'/>"
      "<inertia ixx='0.01' iyy='0.025' izz='0.03' ixy='0' ixz='0.001' iyz='0.002'/></inertial></link>" +
      joint("a", "revolute", "base", "one", "<origin xyz='0.1 0.2 1' rpy='0 0.3 0'/><axis xyz='0 1 0'/>") +
      // Turned so that axis z of the second is axis y of the first, and -y of it is along x.
      joint("b", "continuous", "one", "two",
            "<origin xyz='0.5 0 0' rpy='-1.5707963267948966 0 0'/>"
            "<axis xyz='0 0 1'/>"));
  // rpy = (-pi/2, 0, 0): x stays, y becomes -z, z becomes y. The centre (0, -1/4, 0) of the second is at +z/4 of it.
  const Model own = read_model_text(R"toml(
coordinates = ["a", "b"]
kinetic = "(0.08 + 2*0.09 + 0.25)/2*a'^2 + (0.03 + 0.0625)/2*b'^2 + 0.5*0.25*cos(a - b)*a'*b'"
potential = "9.81*(2*0.3*sin(a) + 0.5*sin(a) + 0.25*sin(b))"
[start]
a = -0.3
b = "-0.3 + pi/2"
)toml",
                                    "angles");
  const Model model = imported(text);
  const Span span{.step = "0.005", .until = 1};
  const auto by_angles = run(own.system, "spark(3)", own.start, span);
  const auto by_import = run(model.system, "spark(3)", model.start, span);
  ASSERT_EQ(by_angles.status, Status::complete);
  ASSERT_EQ(by_import.status, Status::complete);
  const auto &a = by_angles.column("a"), &b = by_angles.column("b");
  const auto &x = by_import.column("one.x"), &z = by_import.column("two.z"), &y = by_import.column("two.y");
  ASSERT_EQ(a.size(), x.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(x[i], 0.1 + 0.3 * math::cos(a[i]), 1e-9);
    EXPECT_NEAR(z[i], 1 + 0.5 * math::sin(a[i]) + 0.25 * math::sin(b[i]), 1e-9);
    EXPECT_NEAR(y[i], 0.2, 1e-12);
  }
  EXPECT_GT(math::abs(a.back() - a.front()), 0.5);
}

TEST(ImportUrdf, LoopOfAYamlFileIsAssembledAndStaysClosed) {
  const Imported four_bar = import_robot(data("four_bar.urdf"));
  EXPECT_THAT(four_bar.notes, ElementsAre());
  const Model model = read_model_text(four_bar.text, "four_bar");
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = 20});
  ASSERT_EQ(found.status, Status::complete);
  double gap = 0, most = 0;
  for (const double g : found.column("constraint")) gap = math::max(gap, math::abs(g));
  const auto& energy = found.column("energy");
  for (const double e : energy) most = math::max(most, math::abs(e - energy[0]));
  EXPECT_LT(gap, 1e-12);
  EXPECT_LT(most, 1e-5 * energy[0]);
  // The rocker and the frame at its end are one body, which the loop's joint holds.
  EXPECT_THAT(four_bar.text, HasSubstr("[[body]] # with end of coupler, end of rocker\nname = \"rocker\"\n"));
}

TEST(ImportUrdf, ArmHasItsPartsAndNotes) {
  const Imported arm = import_robot(data("arm.urdf"));
  EXPECT_THAT(arm.notes, ElementsAre("meshes that are not there: upper.stl",
                                     "largest effort and velocity of joints: shoulder", "limits of joints: shoulder"));
  EXPECT_THAT(arm.text, HasSubstr("# not here: limits of joints: shoulder\n"));
  EXPECT_THAT(arm.text, HasSubstr("name = \"ram\"\nmass = 0.7\n"));
  EXPECT_THAT(arm.text,
              HasSubstr("[[joint_friction]]\nname = \"shoulder friction\"\njoint = \"shoulder\"\nfriction = 0.02\n"));
  EXPECT_THAT(arm.text, HasSubstr("[[joint_damper]]\nname = \"shoulder damper\"\n"));
  EXPECT_THAT(import_robot(data("arm.urdf"), {.limits = "500"}).text,
              HasSubstr("[[joint_limit]]\nname = \"shoulder limit\"\njoint = \"shoulder\"\nlower = -1\nupper = "
                        "2\nstiffness = 500\n"));
  EXPECT_THAT(arm.text, HasSubstr("[[joint_damper]]\nname = \"slide damper\"\njoint = \"slide\"\ndamping = 2\n"));
  const Model model = read_model_text(arm.text, "arm");
  EXPECT_EQ(freedoms(model), 3);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = 1});
  ASSERT_EQ(found.status, Status::complete);
  EXPECT_THAT(refusal([] { import_robot(data("arm.urdf"), {.strict = true}); }),
              HasSubstr("arm.urdf:34:3: limits of joints: shoulder; expected nothing that the model cannot have"));
}

TEST(ImportUrdf, LoopsOfFileAndOptionsAreTheSame) {
  const std::string tree = link("a", "1") + link("b", "1") +
                           joint("A", "revolute", "base", "a", "<axis xyz='0 1 0'/>") +
                           joint("B", "revolute", "base", "b", "<origin xyz='1 0 0'/><axis xyz='0 1 0'/>") +
                           "<link name='end'/>" + joint("E", "fixed", "b", "end", "<origin xyz='-1 0 0.5'/>") +
                           "<link name='tip'/>" + joint("T", "fixed", "a", "tip", "<origin xyz='0 0 0.5'/>");
  const std::string by_option = import_robot_text(robot(tree), "r", {.close = {"tip=end:spherical"}}).text;
  const std::string by_joints = import_robot_text(robot(tree), "r", {.close = {"T=E:spherical"}}).text;
  const std::string by_file =
      import_robot_text(robot(tree + "<loop_joint name='tip = end' type='ball'><link1 link='tip'/><link2 link='b' "
                                     "xyz='-1 0 0.5'/></loop_joint>"),
                        "r")
          .text;
  EXPECT_EQ(by_option, by_file);
  EXPECT_THAT(by_option, HasSubstr("name = \"tip = end\"\ntype = \"spherical\"\n"));
  EXPECT_THAT(by_joints, HasSubstr("name = \"T = E\"\ntype = \"spherical\"\n"));
}

TEST(ImportUrdf, RootFloatsIfAsked) {
  const std::string text =
      "<robot name='r'>" + link("hull") + link("fin") + joint("f", "revolute", "hull", "fin") + "</robot>";
  const Model fixed = imported(text), floating = imported(text, {.floating = true});
  EXPECT_EQ(freedoms(fixed), 1);
  EXPECT_EQ(freedoms(floating), 7);
}

TEST(ImportUrdf, PlanarJointAndNamesThatAreTaken) {
  const std::string text =
      import_robot_text(robot(link("a") + joint("a", "planar", "base", "a", "<axis xyz='0 0 1'/>")), "r").text;
  EXPECT_THAT(text, HasSubstr("name = \"a joint\"\ntype = \"planar\"\n"));
  const Model model = read_model_text(text, "r");
  EXPECT_EQ(freedoms(model), 3);
}

TEST(ImportUrdf, UnknownElementsAreNoted) {
  const Imported robots = import_robot_text(
      robot(link("a") + joint("j", "revolute", "base", "a", "<gearbox/>") + "<transmission name='t'/>"), "r");
  EXPECT_THAT(robots.notes, ElementsAre("<gearbox> of joints is not read: j", "<transmission> is not read: t"));
}

// One line each, with the place.
TEST(ImportUrdf, RefusalsSayWhereAndWhatIsExpected) {
  const auto told = [](const std::string& text, const ImportOptions& options = {}) {
    const std::string message = refusal([&] { import_robot_text(text, "r", options); });
    EXPECT_THAT(message, Not(HasSubstr("\n")));
    return message;
  };
  const std::string a = link("a"), j = joint("j", "revolute", "base", "a");
  EXPECT_EQ(told(""), "r:1:1: found no element; expected XML");
  EXPECT_EQ(told("<robot>\n<link name='a'></robot>"), "r:2:18: found start-end tags mismatch; expected XML");
  EXPECT_EQ(told("<sdf/>"), "r:1:1: found <sdf>; expected <robot> of URDF or <mujoco> of MJCF");
  EXPECT_EQ(told("<robot/>"), "r:1:1: found no <link>; expected a robot");
  EXPECT_EQ(told("<robot><link/></robot>"), "r:1:8: found <link> without name; expected one");
  EXPECT_EQ(told(robot(a + a)), "r:1:167: found a second link \"a\"; expected distinct names");
  EXPECT_EQ(told(robot(a)), "r:1:36: found links \"base\" and \"a\" without a joint above them; expected one root");
  EXPECT_THAT(told(robot(a + joint("j", "hinge", "base", "a"))), HasSubstr("unknown type of joint \"hinge\""));
  EXPECT_THAT(told(robot(a + joint("j", "revolute", "bass", "a"))),
              HasSubstr("unknown link \"bass\"; did you mean \"base\"?"));
  EXPECT_THAT(told(robot(a + j + joint("k", "fixed", "base", "a"))),
              HasSubstr("found a second joint above link \"a\""));
  EXPECT_THAT(told(robot(a + "<joint name='j' type='fixed'/>")),
              HasSubstr("found a joint without <parent> or <child>"));
  EXPECT_THAT(told(robot(a + joint("j", "revolute", "a", "a"))), HasSubstr("found link \"a\" on both sides"));
  EXPECT_THAT(told(robot(a + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"))),
              HasSubstr("in a ring of joints; expected a tree"));
  EXPECT_THAT(told(robot(link("a", "heavy") + j)), HasSubstr("value: found \"heavy\"; expected a number"));
  EXPECT_THAT(told(robot(link("a", "-1") + j)), HasSubstr("found a negative mass of link \"a\""));
  EXPECT_THAT(told(robot(link("a", "1e5000") + j)), HasSubstr("value: found \"1e5000\"; expected a number"));
  EXPECT_THAT(told(robot("<link name='a'/>" + j)), HasSubstr("link \"a\" moves and has no mass"));
  EXPECT_THAT(told(robot("<link name='a'><inertial><mass value='1'/></inertial></link>" + j)),
              HasSubstr("link \"a\" moves and has a mass without inertia"));
  EXPECT_THAT(told(robot("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9' ixy='0' ixz='0' "
                         "iyz='0'/></inertial></link>" +
                         j)),
              HasSubstr("found moments of inertia 1, 1, 9 of link \"a\""));
  EXPECT_THAT(told(robot(a + joint("j", "revolute", "base", "a", "<axis xyz='0 0 0'/>"))),
              HasSubstr("found an axis of length 0; expected a direction"));
  EXPECT_THAT(told(robot(a + joint("j", "revolute", "base", "a", "<origin xyz='0 0'/>"))),
              HasSubstr("xyz: found 2 numbers; expected 3"));
  EXPECT_THAT(told(robot(a + j), {.close = {"a"}}), HasSubstr("--close \"a\": found no FRAME=FRAME"));
  EXPECT_THAT(told(robot(a + j), {.close = {"a=c"}}), HasSubstr("--close \"a=c\": unknown frame \"c\""));
  EXPECT_THAT(told(robot(a + j), {.close = {"a=base:glued"}}), HasSubstr("unknown type \"glued\""));
  EXPECT_THAT(told(robot(a + link("b") + j + joint("k", "revolute", "base", "b", "<origin xyz='9 0 0'/>")),
                   {.close = {"a=b:spherical"}}),
              HasSubstr("loop \"a = b\": found frames that miss each other by 9"));
}

std::string mujoco(const std::string& bodies, const std::string& more = "") {
  return "<mujoco model='r'>" + more + "<worldbody>" + bodies + "</worldbody></mujoco>";
}

double largest_difference(const Model& a, const Model& b, const std::vector<std::string>& columns) {
  const Span span{.step = "0.005", .until = 1};
  const auto one = run(a.system, "spark(2)", a.start, span), other = run(b.system, "spark(2)", b.start, span);
  EXPECT_EQ(one.status, Status::complete);
  EXPECT_EQ(other.status, Status::complete);
  double largest = 0;
  for (const std::string& name : columns) {
    const auto &x = one.column(name), &y = other.column(name);
    EXPECT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) largest = math::max(largest, math::abs(x[i] - y[i]));
  }
  return largest;
}

TEST(ImportMjcf, FourBarMovesAsThatOfUrdf) {
  const Imported by_mjcf = import_robot(data("four_bar.xml"));
  // The frame at the end of the coupler is fixed to it there.
  std::ostringstream text;
  text << std::ifstream(data("four_bar.urdf")).rdbuf();
  std::string tree = text.str();
  const std::string turning = "name=\"C1\" type=\"revolute\"";
  ASSERT_NE(tree.find(turning), std::string::npos);
  tree.replace(tree.find(turning), turning.size(), "name=\"C1\" type=\"fixed\"");
  EXPECT_THAT(by_mjcf.notes, ElementsAre("cameras and lights: world", "limits of joints: D"));
  const Model a = read_model_text(by_mjcf.text, "a"), b = imported(tree, {.close = {"C1=C2:spherical"}});
  EXPECT_LT(largest_difference(a, b, {"crank.x", "coupler.z", "rocker.x", "energy"}), 1e-12);
  EXPECT_EQ(a.span.step.as<double>(), 0.002);
}

// The same arm by all ways to say an orientation, in degrees and radian.
TEST(ImportMjcf, OrientationsSayTheSame) {
  const auto arm = [](const std::string& orientation, const std::string& compiler = "") {
    return import_robot_text(mujoco("<body name='a' pos='0 0 1' " + orientation +
                                        "><joint axis='0 1 0'/><geom type='box' size='.1 .2 .3' pos='0.3 0 0'/></body>",
                                    "<compiler " + compiler + "/>"),
                             "r")
        .text;
  };
  const std::string text = arm("euler='0 90 0'");
  EXPECT_EQ(text, arm("axisangle='0 2 0 90'"));
  EXPECT_EQ(text, arm("axisangle='0 1 0 1.5707963267948966'", "angle='radian'"));
  EXPECT_EQ(text, arm("zaxis='3 0 0'"));
  EXPECT_EQ(text, arm("xyaxes='0 0 -1 0 1 0'"));
  EXPECT_EQ(text, arm("quat='1 0 1 0'"));
  EXPECT_EQ(text, arm("euler='0 90 0'", "eulerseq='ZYX'"));
  EXPECT_THAT(text, HasSubstr("matrix = [0, 0, 1, 0, 1, 0, -1, 0, 0]"));
  // A box of 0.2 x 0.4 x 0.6 and density 1000.
  EXPECT_THAT(text, HasSubstr("mass = 48\ncentre = [0.3, 0, 0]\ninertia = [2.08, 1.6, 0.8]\n"));
}

TEST(ImportMjcf, GeomsHaveTheMassOfTheirShapes) {
  const auto model = [](const std::string& geoms) { return mujoco("<body name='a'><freejoint/>" + geoms + "</body>"); };
  const auto text = [&](const std::string& geoms) { return import_robot_text(model(geoms), "r").text; };
  EXPECT_THAT(text("<geom type='sphere' size='2' mass='5'/>"), HasSubstr("mass = 5\ninertia = [8, 8, 8]\n"));
  EXPECT_THAT(text("<geom type='ellipsoid' size='1 2 3' mass='5'/>"), HasSubstr("mass = 5\ninertia = [13, 10, 5]\n"));
  EXPECT_EQ(text("<geom type='cylinder' size='1 2' mass='3'/>"),
            text("<geom type='cylinder' size='1' fromto='0 0 2 0 0 -2' mass='3'/>"));
  // Two points 2 apart: m l^2 / 4 beside their own moments.
  EXPECT_THAT(text("<geom size='1' mass='1' pos='1 0 0'/><geom size='1' mass='1' pos='-1 0 0'/>"),
              HasSubstr("mass = 2\ninertia = [0.8, 2.8, 2.8]\n"));
  EXPECT_THAT(import_robot_text(model("<geom type='mesh' mesh='m'/><geom size='1'/>"), "r").notes,
              ElementsAre("contact of geoms: a", "meshes that are not files: m", "mass of meshes: a"));
}

TEST(ImportMjcf, JointsOneAfterAnotherAreOneJoint) {
  const auto text = [](const std::string& joints) {
    return import_robot_text(mujoco("<body name='a'>" + joints + "<geom type='box' size='.1 .2 .3'/></body>"), "r")
        .text;
  };
  const std::string x = "<joint axis='1 0 0'/>", y = "<joint axis='0 1 0'/>", z = "<joint/>";
  const std::string sx = "<joint type='slide' axis='1 0 0'/>", sy = "<joint type='slide' axis='0 1 0'/>",
                    sz = "<joint type='slide'/>";
  EXPECT_THAT(text(x + y), HasSubstr("type = \"universal\""));
  EXPECT_THAT(text(x + y + z), HasSubstr("type = \"spherical\""));
  EXPECT_THAT(text(z + sz), HasSubstr("type = \"cylindrical\""));
  EXPECT_THAT(text(sx + sy + z), HasSubstr("type = \"planar\""));
  EXPECT_THAT(text(sx + sy + sz + x + y + z), Not(HasSubstr("[[joint]]")));
}

// A keyframe is the start: a hinge at half a radian that turns at 2 rad/s, a ball on it and a body that is thrown.
TEST(ImportMjcf, KeyframeIsTheStart) {
  const Model model = imported(mujoco(
      "<body name='a' pos='0 0 1'><joint axis='0 1 0' ref='28.64788975654116'/><geom size='.1' mass='1' pos='1 0 0'/>"
      "</body><body name='b'><freejoint/><geom size='.1' mass='1'/></body>",
      "<keyframe><key qpos='1 7 8 9 1 0 0 0' qvel='2 1 2 3 0 0 4'/></keyframe>"));
  const auto found = run(model.system, "rattle", model.start, {.step = "0.001", .until = "0.001"});
  EXPECT_NEAR(found.column("a.x")[0], math::cos(0.5), 1e-12);
  EXPECT_NEAR(found.column("a.z")[0], 1 - math::sin(0.5), 1e-12);
  EXPECT_NEAR(found.column("b.y")[0], 8, 1e-12);
  EXPECT_NEAR(found.column("b.z")[1], 9.003, 1e-5);
  // J of the ball about the hinge is 1 + 0.4 * 0.01.
  EXPECT_NEAR(found.column("energy")[0],
              1.004 * 4 / 2 + 9.81 * (1 - math::sin(0.5)) + 14.0 / 2 + 0.004 * 16 / 2 + 9.81 * 9, 1e-11);
}

TEST(ImportMjcf, SpringsAndDampersOfJoints) {
  const Model model =
      imported(mujoco("<body name='a'><joint type='slide' axis='1 0 0' stiffness='8' springref='0.5'/><geom size='.1' "
                      "mass='2'/></body>"));
  const auto found = run(model.system, "spark(3)", model.start, {.step = "0.01", .until = 1});
  for (std::size_t i = 0; i < found.column("a.x").size(); ++i)
    EXPECT_NEAR(found.column("a.x")[i], 0.5 - 0.5 * math::cos(2 * found.column("t")[i]), 1e-9);
  const std::string damped =
      import_robot_text(
          mujoco("<body name='a'><joint name='j' stiffness='3' damping='2' springref='90'/><geom size='.1'/></body>"),
          "r")
          .text;
  EXPECT_THAT(damped, HasSubstr("[[joint_spring]]\nname = \"j spring\"\njoint = \"j\"\nstiffness = 3\nrest = "
                                "1.570796326794896619231321691639"));
  EXPECT_THAT(damped, HasSubstr("damping = 2\n"));
}

TEST(ImportMjcf, RefusalsSayWhereAndWhatIsExpected) {
  const auto told = [](const std::string& text) {
    const std::string message = refusal([&] { import_robot_text(text, "r"); });
    EXPECT_THAT(message, Not(HasSubstr("\n")));
    return message;
  };
  const auto body = [](const std::string& inside, const std::string& attributes = "") {
    return mujoco("<body name='a' " + attributes + ">" + inside + "</body>");
  };
  const std::string ball = "<geom size='1'/>";
  EXPECT_EQ(told("<mujoco/>"), "r:1:1: found no body; expected a <worldbody> with one");
  EXPECT_EQ(told(mujoco("", "<compiler angle='grad'/>")), "r:1:19: unknown angle \"grad\"; known: degree, radian");
  EXPECT_THAT(told(mujoco("", "<compiler eulerseq='xyw'/>")),
              HasSubstr("eulerseq: found \"xyw\"; expected three axes"));
  EXPECT_THAT(told(mujoco("", "<compiler coordinate='global'/>")), HasSubstr("expected local ones"));
  EXPECT_THAT(told(body(ball + "<joint type='helix'/>")), HasSubstr("unknown type of joint \"helix\""));
  EXPECT_THAT(told(body(ball + "<joint axis='0 0 0'/>")), HasSubstr("axis: found a direction of length 0"));
  EXPECT_THAT(told(body(ball + "<joint class='b'/>")), HasSubstr("unknown class \"b\""));
  EXPECT_THAT(told(body(ball, "quat='1 0 0 0' euler='0 0 0'")), HasSubstr("found both quat and euler"));
  EXPECT_THAT(told(body(ball, "quat='0 0 0 0'")), HasSubstr("found a quaternion of length 0"));
  EXPECT_THAT(told(body("<joint/>")), HasSubstr("link \"a\" moves and has no mass"));
  EXPECT_THAT(told(body("<joint/><geom type='box' size='1'/>")), HasSubstr("size: found 1 numbers; expected 2"));
  EXPECT_THAT(told(body("<joint/><geom type='cone' size='1'/>")), HasSubstr("unknown type of geom \"cone\""));
  EXPECT_THAT(told(body(ball + "<body name='a'/>")), HasSubstr("found a second body \"a\""));
  EXPECT_THAT(told(body(ball + "<body name='b'><freejoint/></body>")),
              HasSubstr("found a free joint of \"b\" in another body"));
  EXPECT_THAT(told(mujoco("<body/>", "<equality><connect body1='x' anchor='0 0 0'/></equality>")),
              HasSubstr("unknown body \"x\""));
  EXPECT_THAT(told(mujoco("<body/>", "<include file='x.xml'/>")), HasSubstr("found an include of \"x.xml\""));
  EXPECT_THAT(told(mujoco("<body/>", "<keyframe><key qpos='1'/></keyframe>")),
              HasSubstr("qpos: found 1 numbers; expected 0"));
}

// Joints with two axes as URDF writes them: links without mass between two joints.
TEST(ImportUrdf, LinksWithoutMassBetweenJoints) {
  const std::string text =
      import_robot_text(
          robot("<link name='cross'/>" + link("a") + joint("u", "revolute", "base", "cross", "<axis xyz='1 0 0'/>") +
                joint("v", "revolute", "cross", "a", "<origin rpy='0.3 0 0'/><axis xyz='0 1 0'/>")),
          "r")
          .text;
  EXPECT_THAT(text, HasSubstr("name = \"u, v\"\ntype = \"universal\"\n"));
  EXPECT_EQ(freedoms(read_model_text(text, "r")), 2);
}

}  // namespace
}  // namespace extremal::import_test
