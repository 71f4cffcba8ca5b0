// The tables of joints and loads: what they say of a type is what a mechanism, a model file and a message make of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bodies/joint_type.hpp"
#include "bodies/load_type.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::parts_test {
namespace {

using testing::HasSubstr;

JointData told(const JointType& type, Space space) {
  JointData data;
  for (const JointType::Key& key : type.keys) {
    const bool number =
        key.member == &JointData::length || key.member == &JointData::angle || key.member == &JointData::armature;
    const bool across = key.member == &JointData::axis_to;
    if (number)
      data.*key.member = 1;
    else if (space == Space::spatial)
      data.*key.member = across ? Numbers{0, 1, 0} : Numbers{1, 0, 0};
    else if (type.name != std::string("revolute"))
      data.*key.member = {1, 0};
  }
  return data;
}

TEST(JointTable, SaysHowManyRowsAJointHas) {
  for (const Space space : {Space::planar, Space::spatial})
    for (const JointType& type : joint_types()) {
      Mechanism m("one", space);
      const bool planar = space == Space::planar;
      const Body box = m.body("box", {.mass = 1, .inertia = planar ? Numbers{1} : Numbers{1, 1, 1}});
      const Point ground = planar ? m.ground(0, 0) : m.ground(0, 0, 0);
      const Point corner = planar ? box.at(1, 0) : box.at(1, 0, 0);
      if (planar && !type.in_plane) {
        EXPECT_THAT(refusal([&] { m.joint(type.name, "J", ground, corner, told(type, space)); }),
                    HasSubstr("is for space"));
        continue;
      }
      m.joint(type.name, "J", ground, corner, told(type, space));
      EXPECT_EQ(static_cast<int>(m.rows("J").size()), type.rows(space)) << type.name;
      EXPECT_EQ(type.rows(space) + type.freedoms(space), planar ? 3 : 6);
    }
}

TEST(JointTable, RefusesOtherTypesAndWhatATypeHasNot) {
  Mechanism m("one");
  const Body box = m.body("box", {.mass = 1, .inertia = {1, 1, 1}});
  const auto joint = [&](const char* type, const JointData& data) {
    return refusal([&] { m.joint(type, "J", m.ground(0, 0, 0), box, data); });
  };
  EXPECT_EQ(joint("hinge", {}), "unknown type \"hinge\"; did you mean \"revolute\"?");
  EXPECT_THAT(joint("sperical", {}), HasSubstr("did you mean \"spherical\"?"));
  EXPECT_THAT(joint("spherical", {.axis = {1, 0, 0}}), HasSubstr("axis of a spherical joint; expected none"));
  EXPECT_THAT(joint("planar", {.normal = {0, 0, 1}, .length = 1}), HasSubstr("length of a planar joint"));
  EXPECT_THAT(joint("cylindrical", {}), HasSubstr("no axis; expected 3 components"));
  EXPECT_EQ(m.system().constraint_count(), 6);  // nothing of this was added
}

// The entries that a table of a model file needs for a load; one of them may be left out.
std::string table(const LoadType& type, const std::string& without) {
  std::string text = "[[" + std::string(type.name) + "]]\nname = \"L\"\n";
  for (const LoadType::Key& key : type.keys) {
    const std::string name = key.name;
    if (!key.needed || name == without) continue;
    const bool at = std::holds_alternative<Point LoadData::*>(key.member);
    const bool list = std::holds_alternative<std::vector<TimeFunction> LoadData::*>(key.member);
    const bool joint = std::holds_alternative<std::string LoadData::*>(key.member);
    text += name + " = " +
            (at      ? name == "from" ? "\"a\"" : "\"b\""
             : joint ? name == "follows" ? "\"K\"" : "\"J\""
             : list  ? "[1, 2, 3]"
                     : "1") +
            "\n";
  }
  if (type.name == std::string("torsion_spring") || type.name == std::string("motor")) text += "axis = [0, 0, 1]\n";
  if (type.name == std::string("joint_limit")) text += "upper = 1\n";
  return text;
}

TEST(LoadTable, IsWhatModelFilesNeed) {
  const std::string bodies =
      "[[body]]\nname = \"a\"\ninertia = [1, 1, 1]\n[[body]]\nname = \"b\"\ninertia = [1, 1, 1]\nposition = [1, 0, "
      "0]\n[[joint]]\nname = \"J\"\ntype = \"revolute\"\nfrom = \"ground\"\nto = \"a\"\naxis = [0, 0, 1]\n"
      "[[joint]]\nname = \"K\"\ntype = \"revolute\"\nfrom = { at = [1, 0, 0] }\nto = \"b\"\naxis = [0, 0, 1]\n";
  const auto count = [&](const std::string& load) {  // of terms but symmetries, which a load may spoil
    const Model m = read_model_text(bodies + load, "m.toml");
    const auto& terms = m.system.terms();
    return std::count_if(terms.begin(), terms.end(), [](const auto& term) { return term->role != Role::symmetry; });
  };
  for (const LoadType& type : load_types()) {
    EXPECT_GT(count(table(type, "")), count("")) << type.name;
    for (const LoadType::Key& key : type.keys) {
      if (!key.needed) continue;
      EXPECT_THAT(refusal([&] { read_model_text(bodies + table(type, key.name), "m.toml"); }),
                  HasSubstr("found no " + std::string(key.name) + " in [[" + type.name + "]]"));
    }
  }
  EXPECT_THAT(refusal([] { Mechanism("m").load("sprign", "s", {}); }), HasSubstr("did you mean \"spring\"?"));
}

TEST(TorsionSpring, WithDampingIsATorsionSpringAndARotationalDamper) {
  const std::string wheel =
      "space = \"planar\"\n[[body]]\nname = \"wheel\"\ninertia = 1\nangular_velocity = 2\n"
      "[[torsion_spring]]\nname = \"s\"\nfrom = \"ground\"\nto = \"wheel\"\nstiffness = 3\nangle = 0.2\n";
  const auto end = [](const std::string& text) {
    const Model m = read_model_text(text, "m.toml");
    return run(m.system, "spark(2)", m.start, {.step = "0.01", .until = 1}).column("wheel.d1x").back();
  };
  const std::string damper = "[[rotational_damper]]\nname = \"d\"\nfrom = \"ground\"\nto = \"wheel\"\ndamping = 0.5\n";
  EXPECT_EQ(end(wheel + "damping = 0.5\n"), end(wheel + damper));
  EXPECT_NE(end(wheel + "damping = 0.5\n"), end(wheel));
  EXPECT_THAT(refusal([&] { end(wheel + "damping = -1\n"); }), HasSubstr("damping -1; expected 0 or more"));
}

// The nodes of a rod by their arc length, as its table in a model file has them.
TEST(Rod, IsPlacedByItsArcLength) {
  const Model file = read_model_text(
      "name = \"m\"\n[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\nelements = 4\n"
      "section = { shape = \"circle\", E = 1, G = 1, density = 1, radius = 1 }\n"
      "position = [\"s\", 0, \"s^2/8\"]\nrotation = [0, \"-s/4\", 0]\nvelocity = [0, \"s\", 0]\n",
      "m.toml");
  Mechanism m("m");
  const Rod rod = m.rod("r", {.section = Section::circle({.E = 1, .G = 1, .density = 1}, 1),
                              .from = {0, 0, 0},
                              .to = {2, 0, 0},
                              .elements = 4});
  const Start straight = m.start();
  m.place(rod, [](const Number&) { return Placement{}; });  // what is left out stays
  EXPECT_EQ(m.start().q, straight.q);
  m.place(rod, [](const Number& arc) {
    const quad s = arc.as<quad>();
    return Placement{.position = {arc, 0, Number::exactly(s * s / 8)},
                     .rotation = {0, Number::exactly(-s / 4), 0},
                     .velocity = {0, arc, 0}};
  });
  EXPECT_EQ(m.start().q, file.start.q);
  EXPECT_EQ(m.start().v, file.start.v);
  EXPECT_NE(m.start().q, straight.q);
}

TEST(Number, OfAComputedQuadKeepsItsBits) {
  const quad third = quad(1) / 3, tie = quad(1) + quad(0x1p-53);
  EXPECT_TRUE(Number::exactly(third).as<quad>() == third);
  EXPECT_EQ(Number::exactly(third).as<double>(), 1.0 / 3);
  EXPECT_EQ(Number::exactly(third).text(), to_text(third));
  EXPECT_EQ(Number::exactly(third), Number(to_text(third)));
  EXPECT_EQ(Number::exactly(tie).as<double>(), 1.0);  // to even: the text of a tie may lie beside it
  EXPECT_EQ(Number(7).text(), "7");
  EXPECT_EQ(Number(0.1).as<quad>() == quad(1) / 10, true);  // a double is its shortest text
  EXPECT_THAT(refusal([] { Number::exactly(quad(1) / quad(0)); }), HasSubstr("found inf"));
}

}  // namespace
}  // namespace extremal::parts_test
