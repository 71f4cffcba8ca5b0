// Robots as strangers bring them: several joints of one body with motors, options of compilers, names that are used
// twice, chains of joints that follow each other, a Delta robot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "extremal/extremal.hpp"
#include "extremal/import.hpp"
#include "full.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::robots_brought_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string data(const std::string& name) { return std::string(places::data) + "/robots/" + name; }

Model model_of(const Imported& robot) { return read_model_text(robot.text, "robot.toml"); }

Imported mjcf(const std::string& bodies, const std::string& more = "", const ImportOptions& options = {}) {
  return import_robot_text("<mujoco model='r'>" + more + "<worldbody>" + bodies + "</worldbody></mujoco>", "r",
                           options);
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::fabs(each));
  return most;
}

// Two hinges of one body with rotors, a spring, a damper and a motor: a double pendulum whose first link has no mass.
// In its angles a and a + b it is T = m/2 |p'|^2 + J/2 (a' + b')^2 + (A a'^2 + B b'^2)/2.
TEST(JointsOfOneBody, KeepTheirLaws) {
  const Imported robot = mjcf(
      "<body name='bar'><joint name='a' axis='0 0 1' armature='0.02' stiffness='3' damping='0.1'/>"
      "<joint name='b' axis='0 0 1' pos='0.5 0 0' armature='0.01'/>"
      "<inertial pos='0.8 0 0' mass='2' diaginertia='0.01 0.05 0.05'/></body>",
      "<compiler angle='radian'/><option gravity='0 -9.81 0'/><actuator><motor name='m' joint='b' gear='2'/></actuator>"
      "<keyframe><key qpos='0.3 -0.2' qvel='1 2' ctrl='0.7'/></keyframe>");
  EXPECT_THAT(robot.notes,
              ElementsAre("joints of one body, which here have a body of 1e-8 of its mass between them: a, b"));
  const Model own = read_model_text(R"toml(
coordinates = ["a", "b"]
kinetic = "(0.5*a')^2 + (0.3*(a' + b'))^2 + 2*0.5*0.3*cos(b)*a'*(a' + b') + 0.05/2*(a' + b')^2 + (0.02*a'^2 + 0.01*b'^2)/2"
potential = "2*9.81*(0.5*sin(a) + 0.3*sin(a + b)) + 3/2*a^2"
[[force]]
name = "laws"
along = { a = "-0.1*a'", b = "1.4" }
[start]
a = 0.3
b = -0.2
velocity = { a = 1, b = 2 }
)toml",
                                    "angles");
  const Model model = model_of(robot);
  const Span span{.step = "0.002", .until = 1};
  const auto angles = run(own.system, "spark(3)", own.start, span),
             found = run(model.system, "spark(3)", model.start, span);
  ASSERT_EQ(found.status, Status::complete);
  ASSERT_EQ(angles.status, Status::complete);
  double most = 0;
  for (std::size_t i = 0; i < angles.column("a").size(); ++i)
    for (const std::string name : {"a", "b"})
      most = std::max(most, std::fabs(found.column("joint:" + name + ":angle")[i] - angles.column(name)[i]));
  EXPECT_LT(most, 3e-7);   // what a body of 1e-8 of the mass does in a second
  EXPECT_GT(most, 1e-10);  // and it is there
  EXPECT_GT(std::fabs(angles.column("a").back() - 0.3), 0.1);
}

TEST(JointsOfOneBody, OfKindsThatNoJointIs) {
  const auto text = [](const std::string& joints) {
    return mjcf("<body name='a'>" + joints + "<geom type='box' size='.1 .2 .3' pos='.1 .2 0'/></body>").text;
  };
  // Hinges that miss each other; a ball and a hinge; a hinge and a slide across it.
  for (const char* joints : {"<joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0' pos='0 0 .1'/>",
                             "<joint name='x' type='ball'/><joint name='y' pos='.3 0 0'/>",
                             "<joint name='x' axis='1 0 0'/><joint name='y' type='slide' axis='0 1 0'/>"}) {
    const Model model = read_model_text(text(joints), "r");
    const int ways = std::string(joints).find("ball") == std::string::npos ? 2 : 4;
    EXPECT_EQ(model.system.size() - model.system.constraint_count(), ways) << joints;
    EXPECT_EQ(run(model.system, "spark(2)", model.start, {.step = "0.005", .until = "0.1"}).status, Status::complete);
  }
}

TEST(MjcfCompiler, WeighsAndBoundsBodies) {
  const std::string body =
      "<body name='a'><freejoint/><geom type='box' size='.5 .5 .5' density='6'/><geom group='3' size='1' "
      "mass='9'/></body>";
  EXPECT_THAT(mjcf(body).text, HasSubstr("mass = 15\n"));
  EXPECT_THAT(mjcf(body, "<compiler inertiagrouprange='0 2'/>").text, HasSubstr("mass = 6\ninertia = [1, 1, 1]\n"));
  EXPECT_THAT(mjcf(body, "<compiler inertiagrouprange='0 2' settotalmass='12'/>").text,
              HasSubstr("mass = 12\ninertia = [2, 2, 2]\n"));
  EXPECT_THAT(mjcf(body, "<compiler inertiagrouprange='0 2' boundmass='7' boundinertia='2'/>").text,
              HasSubstr("mass = 7\ninertia = [2, 2, 2]\n"));
  const std::string thin = "<body name='a'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/></body>";
  EXPECT_THAT(mjcf(thin, "<compiler balanceinertia='true'/>").text, HasSubstr("inertia = [2, 2, 2]\n"));
  EXPECT_THAT(refusal([&] { mjcf(thin); }),
              HasSubstr("r:1:30: found moments of inertia that no body has; expected none"));
}

TEST(MjcfCompiler, RefusesMomentsBelowZero) {
  EXPECT_THAT(
      refusal([] { mjcf("<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 -1'/></body>"); }),
      HasSubstr("found moments of inertia that no body has"));
}

// A four-bar as programs of CAD write it, with five digits of pi/2: in quad its axes would be off by 4e-6, and the loop
// stuck.
TEST(RoundedAngles, AreWhatTheirDigitsMean) {
  const auto four_bar = [](const std::string& quarter, const std::string& half) {
    const auto link = [](const std::string& name, const std::string& origin) {
      return "<link name='" + name + "'><inertial><origin " + origin +
             "/><mass value='1'/><inertia ixx='0.004' iyy='0.03' " +
             "izz='0.03' ixy='0' ixz='0' iyz='0'/></inertial></link>";
    };
    const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                          const std::string& child, const std::string& origin, const std::string& axis) {
      return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
             "'/><origin " + origin + "/><axis xyz='" + axis + "'/></joint>";
    };
    return "<robot name='r'><link name='base'/>" + link("a", "xyz='0 0 .1'") +
           link("b", "xyz='.2 0 0' rpy='-" + quarter + " 0 0'") + link("c", "xyz='0 0 .15'") +
           "<link name='end'/><link name='tip'/>" + joint("A", "continuous", "base", "a", "", "0 1 0") +
           joint("B", "continuous", "a", "b", "xyz='0 0 .2' rpy='" + quarter + " 0 0'", "0 0 -1") +
           joint("D", "continuous", "base", "c", "xyz='.4 0 0'", "0 1 0") +
           joint("E", "fixed", "b", "end", "xyz='.4 0 0' rpy='" + half + " 0 0'", "0 0 1") +
           joint("F", "fixed", "c", "tip", "xyz='0 0 .3' rpy='-" + quarter + " 0 0'", "0 0 1") + "</robot>";
  };
  const ImportOptions closed{.close = {"end=tip:revolute"}};
  const Imported exact = import_robot_text(four_bar("1.5707963267948966", "3.1415926535897931"), "r", closed);
  EXPECT_THAT(exact.notes, IsEmpty());
  for (const auto& [quarter, half] :
       {std::pair("1.5708", "3.1416"), {"1.57079", "3.14159"}, {"1.570796", "3.1415927"}}) {
    const Imported rounded = import_robot_text(four_bar(quarter, half), "r", closed);
    ASSERT_EQ(rounded.notes.size(), 1u);
    EXPECT_THAT(rounded.notes[0], HasSubstr("such as 1.5708, differ from multiples of pi/12 by: b, B, E, F"));
    EXPECT_EQ(rounded.text.substr(rounded.text.find("name =")), exact.text.substr(exact.text.find("name =")));
  }
  const Imported digits = import_robot_text(four_bar("1.57079632679", "3.14159265359"), "r", closed);
  EXPECT_THAT(digits.notes, IsEmpty());
  const Model model = model_of(digits);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = 1});
  ASSERT_EQ(found.status, Status::complete);
  EXPECT_LT(largest(found.column("constraint")), 1e-13);
  EXPECT_GT(found.column("a.x").back(), 0.05);
  // In MJCF the same in radian; small angles and those of three decimals stay what they are.
  const auto turned = [](const std::string& euler) {
    return mjcf("<body name='a' euler='" + euler + "'><freejoint/><geom size='1' contype='0' conaffinity='0'/></body>",
                "<compiler angle='radian'/>");
  };
  EXPECT_THAT(turned("0 0 3.1416").text, HasSubstr("matrix = [-1, 0, 0, 0, -1, 0, 0, 0, 1]\n"));
  EXPECT_THAT(turned("0 0.0001 0").notes, IsEmpty());
  EXPECT_THAT(turned("0 1.57 0").notes, IsEmpty());
  EXPECT_THAT(turned("0 1.5708 0").notes,
              ElementsAre(HasSubstr("such as 1.5708, differ from multiples of pi/12 by: a")));
}

TEST(MjcfOption, SwitchesOff) {
  const auto robot = [](const std::string& flags) {
    return mjcf(
        "<body name='a'><joint name='j' axis='0 1 0' stiffness='3' damping='2' frictionloss='1' range='-9 9'/>"
        "<geom size='.1' pos='1 0 0'/></body><body name='b' pos='2 0 0'><joint name='k' axis='0 1 0'/>"
        "<geom size='.1' pos='-1 0 0'/></body>",
        "<option><flag " + flags +
            "/></option><equality><connect body1='a' body2='b' anchor='1 0 0'/></equality>"
            "<actuator><motor joint='j'/></actuator>");
  };
  EXPECT_THAT(robot("").notes, ElementsAre("contact of geoms: a, b", "limits of joints: j"));
  EXPECT_THAT(robot("contact='disable' limit='disable'").notes, IsEmpty());
  const std::string all = robot("").text;
  for (const char* part : {"[[joint_spring]]", "[[joint_friction]]", "[[joint_motor]]", "connect 1"})
    EXPECT_THAT(all, HasSubstr(part));
  EXPECT_THAT(robot("passive='disable'").text, Not(HasSubstr("[[joint_spring]]")));
  EXPECT_THAT(robot("frictionloss='disable'").text, Not(HasSubstr("[[joint_friction]]")));
  EXPECT_THAT(robot("actuation='disable'").text, Not(HasSubstr("[[joint_motor]]")));
  const std::string none = robot("constraint='disable'").text;
  EXPECT_THAT(none, Not(HasSubstr("connect 1")));
  EXPECT_THAT(none, Not(HasSubstr("[[joint_friction]]")));
  EXPECT_THAT(none, HasSubstr("[[joint_spring]]"));
}

// Names of bodies, sites and joints are those of their kind: the sites meet, not the bodies.
TEST(MjcfNames, AreThoseOfTheirKind) {
  const Imported robot = mjcf(
      "<body name='end'><joint name='tip' axis='0 1 0'/><geom type='box' size='.2 .1 .1' pos='.2 0 .1'/>"
      "<site name='tip' pos='.4 0 .1'/></body><body name='tip' pos='.7 0 0'><joint name='end' axis='0 1 0'/>"
      "<geom type='box' size='.2 .1 .1' pos='-.2 0 .1'/><site name='end' pos='-.4 0 .1'/></body>",
      "<equality><connect name='meet' site1='tip' site2='end'/></equality>");
  const Model model = model_of(robot);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.002", .until = "0.1"});
  ASSERT_EQ(found.status, Status::complete);
  EXPECT_LT(largest(found.column("constraint")), 1e-13);
  EXPECT_THAT(refusal([] {
                mjcf("<body name='a'><joint/><geom size='1'/><site name='s'/></body>",
                     "<equality><connect site1='s' site2='t'/></equality>");
              }),
              HasSubstr("unknown site \"t\"; did you mean \"s\"?"));
  // Two points that are 1 apart on one side and 2 on the other: no hinge, and none that could be closed.
  EXPECT_THAT(refusal([] {
                mjcf(
                    "<body name='a'><joint/><geom size='1'/><site name='p'/><site name='q' pos='1 0 0'/></body>"
                    "<body name='b'><freejoint/><geom size='1'/><site name='r'/><site name='s' pos='2 0 0'/></body>",
                    "<equality><connect site1='p' site2='r'/><connect site1='q' site2='s'/></equality>");
              }),
              HasSubstr("found frames that miss each other"));
}

TEST(MjcfActuators, HaveTheDefaultsOfTheirKindAndControlsInRange) {
  const Imported robot = mjcf("<body name='a'><joint name='j'/><geom size='1' contype='0' conaffinity='0'/></body>",
                              "<default><general gear='5' ctrlrange='-1 1'/></default>"
                              "<actuator><motor name='m' jointinparent='j'/></actuator>"
                              "<keyframe><key ctrl='3'/></keyframe>");
  EXPECT_THAT(robot.notes, ElementsAre("ranges of controls, which --set may leave: m"));
  EXPECT_THAT(robot.text, HasSubstr("control_m = 1\n"));
  EXPECT_THAT(robot.text, HasSubstr("torque = \"5*(control_m)\"\n"));
}

TEST(Brought, WhatIsNoRobotIsSaidInOneLine) {
  const auto told = [](const std::string& text) {
    const std::string message = refusal([&] { import_robot_text(text, "r"); });
    EXPECT_THAT(message, Not(HasSubstr("\n")));
    return message;
  };
  EXPECT_EQ(told("<robot name='x'><xacro:macro name='leg'/></robot>"),
            "r:1:17: found <xacro:macro>, a macro; expected URDF; try xacro robot.urdf.xacro > robot.urdf");
  EXPECT_EQ(told("<mujoco><worldbody><portal name='p'/></worldbody></mujoco>"),
            "r:1:1: found no body, and <portal> of bodies is not read: p; expected a <worldbody> with one");
  EXPECT_THAT(told(std::string(300, '\0')), HasSubstr("expected XML"));
  EXPECT_THAT(told("<mujoco><compiler autolimits='perhaps'/></mujoco>"), HasSubstr("unknown word \"perhaps\""));
  const auto empty = std::filesystem::temp_directory_path() / "extremal-empty-robot.urdf";
  std::ofstream(empty).close();
  EXPECT_THAT(refusal([&] { import_robot(empty.string()); }), HasSubstr(":1:1: found no element; expected XML"));
  std::filesystem::remove(empty);
  EXPECT_TRUE(is_robot_file("model.sdf"));
}

std::string finger(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><origin xyz='0 0 0.1'/><mass value='1.5'/><inertia ixx='0.02' iyy='0.03' izz='0.015' ixy='0.001' "
         "ixz='0' iyz='0.002'/></inertial></link>";
}

// A slide, a hinge that follows it, and another that follows that one, in the wrong order; with dry friction, damping
// and limits. The first joint stays where it is, and there and back the motion is the same.
std::string gripper() {
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child, const std::string& more) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
           "'/>" + more + "</joint>";
  };
  return "<robot name='gripper'><link name='palm'/>" + finger("slider") + finger("a") + finger("b") +
         joint("tip", "revolute", "a", "b",
               "<origin xyz='0 0 0.2'/><axis xyz='0 1 0'/><mimic joint='finger' multiplier='-0.5'/>") +
         joint("finger", "revolute", "palm", "a",
               "<origin xyz='0 0.2 0' rpy='0.1 0.2 0.3'/><axis xyz='0 1 0'/><mimic joint='drive' multiplier='5' "
               "offset='0.1'/>") +
         joint("drive", "prismatic", "palm", "slider",
               "<axis xyz='1 0 0.3'/><dynamics damping='1' friction='0.3'/><limit lower='-0.05' upper='0.02'/>") +
         "</robot>";
}

TEST(Mimic, ChainsStartFromTheirFirstJoint) {
  const Imported robot = import_robot_text(gripper(), "gripper.urdf");
  EXPECT_THAT(robot.notes, ElementsAre("limits of joints: drive"));
  const Model model = model_of(robot);
  EXPECT_EQ(model.system.size() - model.system.constraint_count(), 1);
  const auto found = run(model.system, "spark(2)", model.start, {.step = "0.005", .until = "0.2"});
  ASSERT_EQ(found.status, Status::complete);
  const auto &s = found.column("joint:drive:stroke"), &f = found.column("joint:finger:angle"),
             &t = found.column("joint:tip:angle");
  EXPECT_NEAR(s[0], 0, 1e-15);
  for (std::size_t i = 0; i < s.size(); ++i) {
    EXPECT_NEAR(f[i], 5 * s[i] + 0.1, 1e-13);
    EXPECT_NEAR(t[i], -0.5 * f[i], 1e-13);
  }
  EXPECT_GT(std::fabs(s.back()), 1e-3);
}

TEST(Export, HasGearsFrictionAndLimits) {
  const ImportOptions options{.limits = "400"};
  const Model model = model_of(import_robot_text(gripper(), "gripper.urdf", options));
  const Span span{.step = "0.005", .until = "0.3"};
  const auto one = run(model.system, "spark(2)", model.start, span);
  for (const RobotFormat format : {RobotFormat::urdf, RobotFormat::mjcf}) {
    const Exported there = export_robot(model, format);
    EXPECT_THAT(there.notes, Contains(HasSubstr("stiffness of load \"drive limit\" (joint_limit)")));
    const Model back = model_of(import_robot_text(there.text, "back", options));
    const auto two = run(back.system, "spark(2)", back.start, span);
    ASSERT_EQ(two.status, Status::complete);
    for (const char* column : {"slider.x", "a.z", "b.x", "energy"}) {
      const auto &x = one.column(column), &y = two.column(column);
      ASSERT_EQ(x.size(), y.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i] - x[0], y[i] - y[0], 1e-12) << column << " " << there.text;
    }
  }
  EXPECT_GT(one.column("joint:drive:stroke").back(), 0.02);  // the limit was met
}

// Ten bodies, fifteen joints, six of which close loops, on the springs of its motors. Written and read again by either
// format it is the same robot.
TEST(DeltaRobot, StaysClosedAndKeepsItsEnergy) {
  const Imported robot = import_robot(data("delta.urdf"), {.folder = data("")});
  EXPECT_THAT(robot.notes, IsEmpty());
  std::string springs;
  for (const char* arm : {"a", "b", "c"})
    springs += std::string("\n[[joint_spring]]\nname = \"spring ") + arm + "\"\njoint = \"motor " + arm +
               "\"\nstiffness = 2\nrest = " + (arm[0] == 'b' ? "-0.4" : "0.1") + "\n";
  const Model model = read_model_text(robot.text + springs, "delta.toml");
  EXPECT_EQ(model.system.size() - model.system.constraint_count(), 3);
  const bool full = papers::full();
  const auto found = run(model.system, "spark(2)", model.start,
                         {.step = "0.004", .until = full ? "100" : "0.8", .every = full ? 10 : 1});
  ASSERT_EQ(found.status, Status::complete);
  EXPECT_LT(largest(found.column("constraint")), 1e-12);
  EXPECT_LT(found.energy_max_error, 1e-6);
  EXPECT_GT(found.energy_range, 0.05);
  // Parallelograms: the plate does not turn.
  for (const char* column : {"omega:plate:x", "omega:plate:y", "omega:plate:z"})
    EXPECT_LT(largest(found.column(column)), 1e-10);
  EXPECT_GT(largest(found.column("plate.x")), 0.01);

  const Model back = model_of(import_robot_text(export_robot(model, RobotFormat::mjcf).text, "delta.xml"));
  const Span span{.step = "0.004", .until = "0.2"};
  const auto one = run(model.system, "spark(2)", model.start, span),
             two = run(back.system, "spark(2)", back.start, span);
  EXPECT_EQ(two.status, Status::complete);
  for (const char* column : {"plate.x", "plate.z", "arm a.z", "rod b2.y"})
    for (std::size_t i = 0; i < one.column(column).size(); ++i)
      EXPECT_NEAR(one.column(column)[i], two.column(column)[i], 1e-12);
}

}  // namespace
}  // namespace extremal::robots_brought_test
