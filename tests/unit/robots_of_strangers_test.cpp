// What files of the world have and drawings should not: digits that are not enough, links without mass, joints of one
// body, configuration of other programs beside the robot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "extremal/extremal.hpp"
#include "extremal/import.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::robots_of_strangers_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

std::string data(const std::string& name) { return std::string(places::data) + "/robots/" + name; }

Model model_of(const Imported& robot) { return read_model_text(robot.text, "robot.toml"); }

int freedoms(const Model& model) { return model.system.size() - model.system.constraint_count(); }

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::fabs(each));
  return most;
}

std::string link(const std::string& name, const std::string& moments = "0.1 0.2 0.15", const std::string& mass = "1",
                 const std::string& more = "") {
  std::istringstream in(moments);
  std::string x, y, z;
  in >> x >> y >> z;
  return "<link name='" + name + "'><inertial><origin xyz='0.1 0 0.2'/><mass value='" + mass + "'/><inertia ixx='" + x +
         "' iyy='" + y + "' izz='" + z + "' ixy='0.0' ixz='0.0' iyz='0.0'/></inertial>" + more + "</link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         more + "</joint>";
}
Imported urdf(const std::string& inside, const ImportOptions& options = {}) {
  return import_robot_text("<robot name='r'><link name='base'/>" + inside + "</robot>", "r", options);
}
Imported mjcf(const std::string& bodies, const std::string& more = "", const ImportOptions& options = {}) {
  return import_robot_text("<mujoco model='r'>" + more + "<worldbody>" + bodies + "</worldbody></mujoco>", "r",
                           options);
}

constexpr const char* mended = "moments of inertia that no body has but for their last digits, mended here: a";

TEST(Moments, OfAThinPlateAreMendedByTheirDigits) {
  const std::string j = joint("j", "revolute", "base", "a");
  const Imported plate = urdf(link("a", ".00083333 .00083333 .00166667") + j);
  EXPECT_THAT(plate.notes, ElementsAre(mended));
  EXPECT_EQ(freedoms(model_of(plate)), 1);
  // A third of 1e-8 from each: 8.33333333e-4 and 1.666666667e-3.
  EXPECT_THAT(plate.text, HasSubstr("inertia = [0.000833333333333333"));
  // What has three digits, turned in its link; what is possible stays as it is, and without a note.
  EXPECT_EQ(urdf("<link name='a'><inertial><origin rpy='0.1 0.2 0.3'/><mass value='1'/><inertia ixx='4.17e-4' "
                 "iyy='4.17e-4' izz='8.35e-4' ixy='0' ixz='0' iyz='0'/></inertial></link>" +
                 j)
                .notes.size(),
            1u);
  EXPECT_THAT(urdf(link("a", "1 1 2") + j).notes, IsEmpty());
  EXPECT_THAT(urdf(link("a", "1 1 2") + j).text, HasSubstr("inertia = [1, 1, 2]\n"));
  // More than the digits say: eight of them, and one in a thousand too much.
  EXPECT_THAT(refusal([&] { urdf(link("a", ".00100000 .00100000 .00200200") + j); }),
              HasSubstr("found moments of inertia 0.001, 0.001, 0.002002 of link \"a\"; expected none above"));
  const auto body = [](const std::string& moments, const std::string& compiler = "") {
    return mjcf("<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='" + moments + "'/></body>",
                compiler);
  };
  EXPECT_THAT(body(".00083333 .00083333 .00166667").notes, ElementsAre(mended));
  EXPECT_THAT(model_of(body(".00083333 .00083333 .00166667")).system.size(), 12);
  EXPECT_THAT(refusal([&] { body(".00100000 .00100000 .00200200"); }),
              HasSubstr("found moments of inertia that no body has"));
  EXPECT_THAT(body(".00100000 .00100000 .00200200", "<compiler balanceinertia='true'/>").notes, IsEmpty());
}

TEST(Colours, OfMaterialsThatAnotherLinkDefines) {
  const auto seen = [](const std::string& material) {
    return "<visual><geometry><sphere radius='1'/></geometry>" + material + "</visual>";
  };
  const Imported robot =
      urdf(link("a", "1 1 1", "1", seen("<material name='blue'/>")) +
           link("b", "1 1 1", "1", seen("<material name='blue'><color rgba='0 0 0.8 1'/></material>")) +
           link("c", "1 1 1", "1", seen("<material name='red'/>")) + joint("j", "revolute", "base", "a") +
           joint("k", "revolute", "base", "b") + joint("l", "revolute", "base", "c"));
  EXPECT_THAT(robot.notes, ElementsAre("materials that are not defined: red"));
  const std::size_t first = robot.text.find("colour = \"#0000cc\"");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(robot.text.find("colour = \"#0000cc\"", first + 1), std::string::npos);
}

TEST(Shapes, OfSizeZeroAreNoted) {
  EXPECT_THAT(urdf("<link name='a'><visual><geometry><box size='0 0 0'/></geometry></visual></link>" + link("b") +
                   joint("j", "fixed", "base", "a") + joint("k", "revolute", "base", "b"))
                  .notes,
              ElementsAre("shapes of size 0 are not drawn: a"));
}

TEST(Controls, StartInTheirRange) {
  const auto motor = [](const std::string& more, const std::string& option = "") {
    return mjcf("<body name='a'><joint name='j' range='10 20'/><geom size='1' contype='0' conaffinity='0'/></body>",
                "<compiler angle='radian'/>" + option + "<actuator>" + more + "</actuator>");
  };
  EXPECT_THAT(motor("<motor name='m' joint='j' ctrlrange='0.5 2'/>").text, HasSubstr("control_m = 0.5\n"));
  EXPECT_THAT(
      motor("<motor name='m' joint='j' ctrlrange='0.5 2'/>", "<option><flag clampctrl='disable'/></option>").text,
      HasSubstr("control_m = 0\n"));
  EXPECT_THAT(motor("<position name='p' joint='j' inheritrange='0.5'/>").text, HasSubstr("control_p = 12.5\n"));
}

// A ratio of damping is one of the inertia that hangs on the joint: 2 (0.25 + 2) about the hinge, 3 its rotor.
TEST(Controls, HaveDampingByItsRatio) {
  const Imported robot = mjcf(
      "<body name='a'><joint name='j' axis='0 1 0' armature='3'/><inertial pos='1 0 0' mass='2' diaginertia='1 0.5 1'/>"
      "<body name='b' pos='1 0 0'><inertial pos='0 0 0' mass='2' diaginertia='.1 0 .1'/></body></body>",
      "<actuator><position name='p' joint='j' kp='30' gear='2' dampratio='0.5'/></actuator>");
  EXPECT_THAT(robot.notes, IsEmpty());
  // kp 30 and kv = 2 0.5 sqrt(30 (3 + 0.5 + 2 + 2) / 4) = 7.5, by the gear squared.
  EXPECT_THAT(robot.text, HasSubstr("stiffness = 120\ndamping = 30\n"));
}

// Two hinges of one body about the same point, with rotors, a spring, a damper, a limit, a motor and a servo: in the
// angles of the file T = ((J1 + m l^2) a'^2 cos^2 b + (J2 + m l^2) b'^2 + J3 a'^2 sin^2 b + A a'^2 + B b'^2)/2.
TEST(JointsOfOneBody, OfAUniversalJointCountAsTheirFileSays) {
  const Imported robot = mjcf(
      "<body name='bar'><joint name='yaw' axis='1 0 0' armature='0.02' stiffness='3' springref='0.3' ref='0.1' "
      "damping='0.1'/><joint name='tilt' axis='0 1 0' armature='0.01' ref='-0.2'/>"
      "<inertial pos='0 0 -0.5' mass='2' diaginertia='0.04 0.05 0.03'/></body>",
      "<compiler angle='radian'/><actuator><motor name='m' joint='tilt' gear='2'/><position name='hold' joint='yaw' "
      "kp='5' "
      "kv='0.2'/></actuator><keyframe><key qpos='0.4 0.1' qvel='0.5 -1' ctrl='0.7 0.6'/></keyframe>");
  EXPECT_THAT(robot.notes, IsEmpty());
  EXPECT_THAT(robot.text, HasSubstr("type = \"universal\""));
  const Model own = read_model_text(R"toml(
coordinates = ["yaw", "tilt"]
kinetic = "((0.04 + 0.5)*(yaw'*cos(tilt + 0.2))^2 + (0.05 + 0.5)*tilt'^2 + 0.03*(yaw'*sin(tilt + 0.2))^2 + 0.02*yaw'^2 + 0.01*tilt'^2)/2"
potential = "-2*9.81*0.5*cos(yaw - 0.1)*cos(tilt + 0.2) + 3/2*(yaw - 0.3)^2 + 5/2*(yaw - 0.6)^2"
[[force]]
name = "laws"
along = { yaw = "-(0.1 + 0.2)*yaw'", tilt = "1.4" }
[start]
yaw = 0.4
tilt = 0.1
velocity = { yaw = 0.5, tilt = -1 }
)toml",
                                    "angles");
  const Model model = model_of(robot);
  EXPECT_EQ(freedoms(model), 2);
  const Span span{.step = "0.002", .until = 1};
  const auto angles = run(own.system, "spark(3)", own.start, span),
             found = run(model.system, "spark(3)", model.start, span, Output<double>{.observers = model.observers});
  ASSERT_EQ(found.status, Status::complete);
  double most = 0, moved = 0;
  for (std::size_t i = 0; i < angles.column("yaw").size(); ++i)
    for (const char* name : {"yaw", "tilt"}) {
      most = std::max(most, std::fabs(found.column(name)[i] - angles.column(name)[i]));
      moved = std::max(moved, std::fabs(angles.column(name)[i] - angles.column(name)[0]));
    }
  EXPECT_LT(most, 1e-10);
  EXPECT_GT(moved, 0.1);
  // There and back: the angles are counted from where the bodies are then, and the motion is the same.
  const Exported there = export_robot(model, RobotFormat::mjcf);
  EXPECT_THAT(there.notes, IsEmpty());
  const Model back = model_of(import_robot_text(there.text, "back"));
  const auto again = run(back.system, "spark(3)", back.start, span);
  ASSERT_EQ(again.status, Status::complete);
  EXPECT_NEAR(again.column("bar.x").back(), found.column("bar.x").back(), 1e-12);
  EXPECT_NEAR(again.column("bar.z").back(), found.column("bar.z").back(), 1e-12);
}

// A slide and a hinge about one axis; and two slides before a hinge, as machines that stay in a plane have them.
TEST(JointsOfOneBody, CountAsTheirFileSays) {
  const Imported robot = mjcf(
      "<body name='ram'><joint name='stroke' type='slide' axis='0 0 1' ref='0.5' stiffness='8' springref='0.7'/>"
      "<joint name='spin' axis='0 0 1' ref='0.2' damping='0.1'/><geom type='box' size='.1 .2 .3'/></body>"
      "<body name='hull'><joint name='x' type='slide' axis='1 0 1'/><joint name='z' type='slide' axis='0 0 1' ref='2'/>"
      "<joint name='r' axis='0 1 0' ref='0.3'/><geom type='box' size='.1 .2 .3'/></body>",
      "<compiler angle='radian'/><option gravity='0 0 0'/><keyframe><key qpos='0.8 1.2 0.7 2.5 -0.4' qvel='1 2 3 4 "
      "5'/></keyframe>");
  EXPECT_THAT(robot.notes, ElementsAre("contact of geoms: ram, hull"));
  const Model model = model_of(robot);
  EXPECT_EQ(freedoms(model), 5);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.001", .until = "0.1"},
                         Output<double>{.observers = model.observers});
  const auto at = [&](const char* name) { return found.column(name); };
  const double start[] = {0.8, 1.2, 0.7, 2.5, -0.4};
  int k = 0;
  for (const char* name : {"stroke", "spin", "x", "z", "r"}) EXPECT_NEAR(at(name)[0], start[k++], 1e-14) << name;
  EXPECT_NEAR(at("x").back(), 0.7 + 0.3, 1e-12);
  EXPECT_NEAR(at("z").back(), 2.5 + 0.4, 1e-12);
  EXPECT_NEAR(at("r").back(), -0.4 + 0.5, 1e-12);
  // m s'' = -8 (s - 0.7), m = 48.
  const double w = std::sqrt(8.0 / 48);
  EXPECT_NEAR(at("stroke").back(), 0.7 + 0.1 * std::cos(0.1 * w) + std::sin(0.1 * w) / w, 1e-9);
  // Of three hinges there are no angles: that is said.
  EXPECT_THAT(mjcf("<body name='a'><joint name='p' axis='1 0 0'/><joint name='q' axis='0 1 0'/><joint name='r' axis='0 "
                   "0 1'/><geom size='1' contype='0' conaffinity='0'/></body>")
                  .notes,
              ElementsAre("coordinates of joints that are one joint here, or leave a body free: p, q, r"));
}

TEST(Massless, LinksAtTheEndsAreFixedAndThoseBetweenMerged) {
  const Imported robot = urdf(link("a") + "<link name='wheel'/>" +
                              "<link name='pan'><inertial><mass value='1e-9'/><inertia ixx='0' iyy='0' " +
                              "izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='frame'/>" + link("b") +
                              joint("j", "revolute", "base", "a") + joint("roll", "continuous", "a", "wheel") +
                              joint("p", "revolute", "a", "pan", "<axis xyz='0 0 1'/><dynamics damping='0.1'/>") +
                              joint("f", "fixed", "pan", "frame", "<origin xyz='0 0 0.1'/>") +
                              joint("q", "revolute", "frame", "b", "<origin xyz='0 0 -0.1'/><axis xyz='0 1 0'/>"));
  EXPECT_THAT(robot.notes, ElementsAre("masses without inertia below 1e-6 of the heaviest: pan",
                                       "joints that move no mass, which are fixed: roll"));
  EXPECT_THAT(robot.text, HasSubstr("name = \"p, q\"\ntype = \"universal\"\n"));
  EXPECT_THAT(robot.text, HasSubstr("joint = \"p, q.angle\"\ndamping = 0.1\n"));
  const Model model = model_of(robot);
  EXPECT_EQ(freedoms(model), 3);
  EXPECT_EQ(run(model.system, "spark(2)", model.start, {.step = "0.005", .until = "0.1"}).status, Status::complete);
}

TEST(Massless, LinksLoseNoMomentsSilently) {
  EXPECT_THAT(
      urdf(link("a") + link("rotor", "0.1 0.1 0.1", "0") + joint("j", "revolute", "base", "a") +
           joint("k", "revolute", "a", "rotor"))
          .notes,
      ElementsAre("moments of inertia of links without mass: rotor", "joints that move no mass, which are fixed: k"));
}

// A hub without mass on which two links turn: it moves as one of 1e-8 of their mass, and as one of a hundredth of that.
TEST(Massless, LinksThatBranchAreLight) {
  const auto robot = [](const std::string& hub) {
    return urdf(hub + link("a") + link("b") + joint("steer", "revolute", "base", "hub", "<axis xyz='0 1 0'/>") +
                joint("j", "revolute", "hub", "a", "<origin xyz='0.3 0 0'/><axis xyz='0 0 1'/>") +
                joint("k", "revolute", "hub", "b", "<origin xyz='-0.2 0 0'/><axis xyz='1 0 0'/>"));
  };
  const Imported none = robot("<link name='hub'/>");
  EXPECT_THAT(none.notes, ElementsAre("links without mass, which here have 1e-8 of that of their neighbours: hub"));
  EXPECT_THAT(refusal([&] {
                urdf("<link name='hub'/>" + link("a") + link("b") + joint("s", "revolute", "base", "hub") +
                         joint("j", "revolute", "hub", "a") + joint("k", "revolute", "hub", "b"),
                     {.strict = true});
              }),
              HasSubstr("links without mass, which here have 1e-8"));
  const Model light = model_of(none), lighter = model_of(robot(link("hub", "1e-11 1e-11 1e-11", "1e-10")));
  const Span span{.step = "0.002", .until = "0.5"};
  const auto one = run(light.system, "spark(2)", light.start, span),
             two = run(lighter.system, "spark(2)", lighter.start, span);
  ASSERT_EQ(one.status, Status::complete);
  for (const char* name : {"a.x", "b.z"}) {
    EXPECT_NEAR(one.column(name).back(), two.column(name).back(), 1e-6) << name;
    EXPECT_GT(std::fabs(one.column(name).back() - one.column(name)[0]), 1e-3) << name;
  }
}

TEST(Drake, JointsOfANamespaceMimicToo) {
  const Imported robot =
      urdf(link("a") + link("b") +
           "<drake:joint name='k' type='revolute'><parent link='base'/><child link='a'/><axis xyz='0 1 0'/>"
           "<drake:mimic joint='l' multiplier='2'/></drake:joint>" +
           joint("l", "revolute", "base", "b", "<axis xyz='0 1 0'/>"));
  EXPECT_THAT(robot.notes, IsEmpty());
  EXPECT_THAT(robot.text, HasSubstr("[[gear]]\nname = \"k mimics l\"\njoint = \"k\"\nfollows = \"l\"\nratio = 2\n"));
  EXPECT_THAT(urdf(link("a") + joint("j", "revolute", "base", "a", "<safety_controller k_velocity='1'/>") +
                   "<gazebo reference='a'/>")
                  .notes,
              ElementsAre("<safety_controller> of joints is not read: j", "<gazebo> is not read: a"));
}

TEST(Mjcf, ReplicatesAndTheOutermostClass) {
  const Imported robot = mjcf(
      "<replicate count='3' euler='0 0 90' offset='1 0 0'><body name='leg' pos='0 0 2'><joint name='hip'/>"
      "<geom size='.1' mass='1' contype='0' conaffinity='0'/></body></replicate>");
  EXPECT_THAT(robot.notes, IsEmpty());
  // Each from the frame of the one before: (0, 0), (1, 0), then 1 along y.
  for (const char* part : {"name = \"leg0\"", "name = \"leg2\"", "position = [1, 1, 2]", "name = \"hip1\""})
    EXPECT_THAT(robot.text, HasSubstr(part));
  EXPECT_THAT(refusal([] { mjcf("<body><attach model='m' body='b' prefix='p'/></body>"); }),
              HasSubstr("r:1:36: found <attach>, which stands for bodies that are not in the file"));
  EXPECT_THAT(refusal([] { mjcf("<body><composite type='cable'/></body>"); }), HasSubstr("found <composite>"));
  EXPECT_THAT(refusal([] { mjcf("<replicate count='0'/>"); }), HasSubstr("count: found 0; expected a number from 1"));
  EXPECT_THAT(
      mjcf("<body name='a'><joint/><geom size='1'/></body><body name='b'><joint/><geom class='robot' size='1'/></body>",
           "<default class='robot'><geom mass='7'/></default>")
          .text,
      ::testing::ContainsRegex("mass = 7\n(.|\n)*mass = 7\n"));
  EXPECT_THAT(refusal([] {
                mjcf(
                    "<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><inertial pos='0 0 0' "
                    "mass='1' diaginertia='1 1 1'/></body>");
              }),
              HasSubstr("found a second <inertial>; expected one"));
}

// A folder of its own for what stands beside a robot.
class BesideRobots : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("extremal-robots-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    ::unsetenv("ROS_PACKAGE_PATH");
    fs::remove_all(folder_);
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(BesideRobots, ConfigurationOfOtherProgramsIsNoted) {
  const std::string robot = write("r.urdf", "<robot name='r'><link name='base'/>" + link("a") + link("b") +
                                                joint("j", "revolute", "base", "a", "<axis xyz='0 1 0'/>") +
                                                joint("k", "revolute", "a", "b", "<axis xyz='0 1 0'/>") + "</robot>");
  const std::string yaml = write("r.yaml",
                                 "%YAML 1.2\n---\ncontroller:\n  gains: &g {p: 1, d: 2}\n  text: |\n    { any\nother: "
                                 "*g\n}\nname_mot: ['k']\n");
  const Imported found = import_robot(robot);
  EXPECT_THAT(found.notes, ElementsAre("keys of " + yaml + " that are not read: controller, other"));
  EXPECT_THAT(found.text, HasSubstr("[[joint_motor]]\nname = \"k motor\""));
  write("r.yaml", "closed_loop [['j', 'k']]\n");
  EXPECT_THAT(refusal([&] { import_robot(robot); }), HasSubstr("r.yaml:1:1: found \"closed_loop [['j', 'k']]\""));
  write("r.yaml", "closed_loop: {a: b}\n");
  EXPECT_THAT(refusal([&] { import_robot(robot); }), HasSubstr("r.yaml:1:1: found '{'; expected lists of names"));
}

TEST_F(BesideRobots, MeshesOfPackagesAreFound) {
  std::ifstream stl(data("meshes/rod.stl"), std::ios::binary);
  std::ostringstream mesh;
  mesh << stl.rdbuf();
  const std::string robot =
      "<robot name='r'><link name='base'/>" +
      link("a", "1 1 1", "1",
           "<visual><geometry><mesh filename='package://arm_description/shapes/rod.stl'/></geometry></visual>") +
      joint("j", "revolute", "base", "a") + "</robot>";
  const std::string deep = write("ws/x/y/z/w/r.urdf", robot);
  EXPECT_THAT(import_robot(deep).notes,
              ElementsAre("meshes that are not there: package://arm_description/shapes/rod.stl"));
  write("elsewhere/arm_description/shapes/rod.stl", mesh.str());
  ::setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (folder_ / "elsewhere").string()).c_str(), 1);
  EXPECT_THAT(import_robot(deep).notes, IsEmpty());
  ::unsetenv("ROS_PACKAGE_PATH");
  write("ws/arm_description/shapes/rod.stl", mesh.str());
  EXPECT_THAT(import_robot(deep).notes, IsEmpty());
}

TEST(Starts, OfJointsAreKeptWhereTheyAreSaid) {
  const std::string file = data("four_bar.urdf");
  const Model model = model_of(import_robot(file, {.at = {"A=0.3"}}));
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = "0.005"});
  EXPECT_NEAR(found.column("joint:A:angle")[0], 0.3, 1e-15);
  EXPECT_LT(largest(found.column("constraint")), 1e-14);
  EXPECT_THAT(refusal([&] { import_robot(file, {.at = {"A"}}); }), HasSubstr("found no JOINT=VALUE"));
  EXPECT_THAT(refusal([&] { import_robot(file, {.at = {"Q=1"}}); }), HasSubstr("--at \"Q=1\": unknown joint \"Q\""));
  EXPECT_THAT(refusal([&] { import_robot(file, {.at = {"A=x"}}); }), HasSubstr("--at \"A=x\": "));
  EXPECT_THAT(refusal([&] { import_robot(file, {.at = {"A=3"}}); }),
              HasSubstr("however the joints are, with those of --at where they are; expected"));
  const std::string limited =
      link("a") + joint("j", "revolute", "base", "a", "<limit lower='0.1' upper='1' effort='1' velocity='1'/>");
  EXPECT_THAT(urdf(limited).notes, Contains("joints that start beyond their limits: j"));
  EXPECT_THAT(urdf(limited, {.at = {"j=0.5"}}).notes, Not(Contains(HasSubstr("beyond their limits"))));
}

// Forty Delta robots beside each other have 240 loops, six of which share joints.
TEST(Starts, OfFortyDeltaRobots) {
  std::ostringstream text;
  text << std::ifstream(data("delta.urdf")).rdbuf();
  const std::string one = text.str(), inside = one.substr(one.find("<link"), one.rfind("</robot>") - one.find("<link"));
  std::string all = "<robot name='row'><link name='floor'/>";
  for (int k = 0; k < 40; ++k) {
    const std::string n = std::to_string(k);
    all += std::regex_replace(inside,
                              std::regex("(link|joint|link1|link2|parent|child|loop_joint) (name|link)=\"([^\"]*)\""),
                              "$1 $2=\"$3 of " + n + "\"") +
           joint("stand " + n, "fixed", "floor", "base of " + n, "<origin xyz='0 " + n + " 0'/>");
  }
  const Imported row = import_robot_text(all + "</robot>", "row.urdf");
  const Model model = model_of(row);
  EXPECT_EQ(freedoms(model), 40 * freedoms(model_of(import_robot(data("delta.urdf")))));
}

// Motors of MJCF go out and come back: their gears, their bias, what they are told and the range of their force.
TEST(Export, KeepsMotors) {
  const std::string arm =
      "<body name='a'><joint name='A' axis='0 1 0'/><geom type='box' size='.1 .2 .3' pos='.1 0 -.2'/><body name='b' "
      "pos='0 0 -.6'><joint name='B' axis='0 1 0' damping='.1' ref='0.2'/><geom type='box' size='.1 .1 .3' pos='0 0 "
      "-.2'/></body></body>";
  const std::string actuators =
      "<motor name='push' joint='A' gear='-2' forcerange='-3 1'/><general name='odd' joint='B' gainprm='3' "
      "biastype='affine' biasprm='0.5 -40 -0.7' forcerange='-6 5'/><position name='hold' joint='B' kp='30' kv='1' "
      "forcerange='-9 9'/><velocity name='turn' joint='A' kv='2'/>";
  const std::string options = "<compiler angle='radian'/>";
  const Model model =
      model_of(mjcf(arm, options + "<actuator>" + actuators +
                             "</actuator><keyframe><key qpos='0.3 -0.2' ctrl='1 0.3 0.4 0.5'/></keyframe>"));
  const Exported there = export_robot(model, RobotFormat::mjcf);
  EXPECT_THAT(there.text, HasSubstr("<motor name=\"push\" joint=\"A\" gear=\"-2\" forcelimited=\"true\" "));
  EXPECT_THAT(there.text, HasSubstr("gainprm=\"3\" biastype=\"affine\" biasprm=\"0.5 -40 -0.7"));
  const Model back = model_of(import_robot_text(there.text, "back.xml"));
  const Span span{.step = "0.002", .until = "0.5"};
  const auto one = run(model.system, "spark(2)", model.start, span),
             two = run(back.system, "spark(2)", back.start, span);
  ASSERT_EQ(one.status, Status::complete);
  ASSERT_EQ(two.status, Status::complete);
  for (const char* name : {"a.x", "b.z", "motor:odd", "motor:push"})
    for (std::size_t i = 0; i < one.column(name).size(); ++i)
      EXPECT_NEAR(one.column(name)[i], two.column(name)[i], 1e-11) << name;
  EXPECT_GT(std::fabs(one.column("b.x").back() - one.column("b.x")[0]), 0.01);
  EXPECT_THAT(export_robot(model, RobotFormat::urdf).notes,
              Contains(HasSubstr("motors, which URDF has not: push, odd")));
  const auto motor = [](const std::string& torque) {
    return "[[body]]\nname = \"a\"\ninertia = [1, 1, 1]\n[[joint]]\nname = \"J\"\ntype = \"revolute\"\nfrom = "
           "\"ground\"\nto = \"a\"\naxis = [0, 0, 1]\n[[joint_motor]]\nname = \"m\"\njoint = \"J\"\ntorque = \"" +
           torque + "\"\n";
  };
  for (const char* torque : {"sin(angle)", "t", "angle*angle'", "min(1, angle)"})
    EXPECT_THAT(refusal([&] { export_robot(read_model_text(motor(torque), "m"), RobotFormat::mjcf); }),
                HasSubstr("export: motor \"m\" is a formula; expected one that is linear"))
        << torque;
}

}  // namespace
}  // namespace extremal::robots_of_strangers_test
