// What users say of mechanisms and what they are told: springs with dampers in them, masses on bodies, the axes of
// angular velocities, and joints that are open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bodies/rigid.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::mechanism_words_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refused_start(const Model& m) {
  return refusal([&] { Stepper<double>(m.system, Scheme::named("rattle")).start(m.start); });
}

std::vector<double> end_of(const Model& m, const char* scheme) {
  const auto r = run(m.system, scheme, m.start, {.step = "0.01", .until = 1});
  EXPECT_EQ(r.status, Status::complete) << r.reason;
  std::vector<double> q;
  for (const std::string& name : m.system.coordinate_names()) q.push_back(r.column(name).back());
  return q;
}

const std::string ball_on_spring =
    "space = \"planar\"\ngravity = [0, -9.81]\n[[point_mass]]\nname = \"ball\"\nposition = [0.3, -1]\n"
    "[[spring]]\nname = \"s\"\nfrom = \"ground\"\nto = \"ball\"\nstiffness = 30\nlength = 0.7\n";

TEST(Spring, WithDampingIsASpringAndALineDamper) {
  const Model one = read_model_text(ball_on_spring + "damping = 1.5\n", "one.toml");
  const Model two = read_model_text(
      ball_on_spring + "[[line_damper]]\nname = \"d\"\nfrom = \"ground\"\nto = \"ball\"\ndamping = 1.5\n", "two.toml");
  const Model free = read_model_text(ball_on_spring, "free.toml");
  EXPECT_EQ(end_of(one, "spark(2)"), end_of(two, "spark(2)"));
  EXPECT_NE(end_of(one, "spark(2)"), end_of(free, "spark(2)"));
  EXPECT_THAT(refusal([] { read_model_text(ball_on_spring + "damping = -1\n", "m.toml"); }),
              HasSubstr("damping -1; expected 0 or more"));
}

// A bar with a mass at its end, which is another bar: that of both together.
TEST(Fixed, CarriesAPointMass) {
  const std::string head = "space = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"bar\"\n";
  const std::string pivot = "[[joint]]\nname = \"P\"\ntype = \"revolute\"\nfrom = \"ground\"\nto = ";
  const Model parts = read_model_text(
      head + "inertia = \"1/12\"\nposition = [0.5, 0]\n[[point_mass]]\nname = \"weight\"\nmass = 0.5\n" +
          "position = [1, 0]\n" + pivot + "{ body = \"bar\", at = [-0.5, 0] }\n" +
          "[[joint]]\nname = \"end\"\ntype = \"fixed\"\nfrom = { body = \"bar\", at = [0.5, 0] }\nto = \"weight\"\n",
      "parts.toml");
  // Mass 3/2, centre at 2/3, moment about it 1/12 + 1/36 + 1/18.
  const Model whole = read_model_text(head + "mass = 1.5\ninertia = \"1/12 + 1/36 + 1/18\"\nposition = [\"2/3\", 0]\n" +
                                          pivot + "{ body = \"bar\", at = [\"-2/3\", 0] }\n",
                                      "whole.toml");
  for (const char* scheme : {"spark(3)", "lie(trapezoidal)"}) {
    const std::vector<double> p = end_of(parts, scheme), w = end_of(whole, scheme);
    for (const std::size_t director : {2, 3}) EXPECT_NEAR(p[director], w[director], 1e-9) << scheme;
    EXPECT_NEAR(p[6], p[0] + p[2] / 2, 1e-12);  // the weight is at the end of the bar
    EXPECT_NEAR(p[7], p[1] + p[3] / 2, 1e-12);
  }
}

// docs/models.md: along the axes of space. A body that is turned by a right angle about x, and spins about the
// vertical.
TEST(AngularVelocity, IsInTheAxesOfSpace) {
  const Model m = read_model_text(
      "[[body]]\nname = \"b\"\ninertia = [1, 2, 2.5]\nrotation = [\"pi/2\", 0, 0]\nangular_velocity = [0, 0, 3]\n",
      "m.toml");
  Stepper<double> stepper(m.system, Scheme::named("rattle"));
  stepper.start(m.start);
  const std::vector<double> v = stepper.observe().v;
  // d1 = x turns to y; d2 = z stays; in the axes of the body d2 would turn.
  EXPECT_NEAR(v[4], 3, 1e-14);
  for (const std::size_t k : {6, 7, 8}) EXPECT_NEAR(v[k], 0, 1e-14);
}

const std::string two_bodies =
    "[[body]]\nname = \"arm\"\ninertia = [1, 1, 1]\nposition = [0, 0, 0]\n[[body]]\nname = \"hand\"\ninertia = [1, 1, "
    "1]\nposition = [2, 0, "
    "0]\n";

Model with_joint(const std::string& joint) { return read_model_text(two_bodies + joint, "robot.toml"); }

TEST(OpenJoint, IsToldByItsBodiesAndItsPlaceInTheFile) {
  const std::string ends = "from = { body = \"arm\", at = [0.5, 0, 0] }\nto = { body = \"hand\", at = [-0.5, 0, 0] }\n";
  EXPECT_EQ(
      refused_start(with_joint("[[joint]]\nname = \"wrist\"\ntype = \"spherical\"\n" + ends)),
      "robot.toml:9:1: joint \"wrist\" of \"arm\" and \"hand\" is open at q: its points, at (0.5, 0, 0) and (1.5, 0, "
      "0), are 1 apart; expected at most 0.05, which a run closes; try other positions, or a larger slack");
  EXPECT_THAT(
      refused_start(with_joint("[[joint]]\nname = \"rail\"\ntype = \"point_on_line\"\naxis = [0, 1, 0]\n" + ends)),
      HasSubstr("is open at q: its point at (1.5, 0, 0) is 1 off the line through (0.5, 0, 0)"));
  EXPECT_THAT(
      refused_start(with_joint("[[joint]]\nname = \"table\"\ntype = \"point_on_plane\"\nnormal = [1, 0, 0]\n" + ends)),
      HasSubstr("is open at q: its point at (1.5, 0, 0) is 1 off the plane through (0.5, 0, 0)"));
  EXPECT_THAT(refused_start(with_joint("[[joint]]\nname = \"strut\"\ntype = \"distance\"\nlength = 0.25\n" + ends)),
              HasSubstr("is open at q: its points, at (0.5, 0, 0) and (1.5, 0, 0), are 1 apart and not 0.25"));
  EXPECT_THAT(refused_start(with_joint("[[joint]]\nname = \"cross\"\ntype = \"universal\"\naxis = [0, 1, 0]\n"
                                       "axis_to = [0, 1, 0]\nfrom = { body = \"arm\", at = [1.5, 0, 0] }\n"
                                       "to = { body = \"hand\", at = [-0.5, 0, 0] }\n")),
              HasSubstr("is open at q: one side is turned by 1.57 rad against the other"));
}

TEST(OpenJoint, OfAProgramOrTheGroundIsToldWithoutAFile) {
  Mechanism m("m", Space::planar);
  const Body bar = m.body("bar", {.inertia = 1});
  m.revolute("pin", m.ground(1, 2), bar.at(0, "0.5"));
  m.place(bar, {.position = {0, 0}});
  EXPECT_THAT(
      refusal([&] { Stepper<double>(m.system(), Scheme::named("rattle")).start(m.start()); }),
      StartsWith("start: joint \"pin\" of the ground and \"bar\" is open at q: its points, at (1, 2) and (0, 0.5), "
                 "are 1.8 apart"));
  // Constraints that are no joints have their own name.
  const Model formula = read_model_text(
      "coordinates = [\"x\"]\nkinetic = \"x'^2\"\nconstraint = [{ name = \"wall\", formula = \"x - 1\" }]\n",
      "wall.toml");
  EXPECT_THAT(refused_start(formula), StartsWith("start: constraint \"wall\" is violated by 1 at q"));
}

// As the user called it: pictures and words need it, and rows do not tell it.
TEST(Joint, KeepsItsType) {
  const std::string ends = "from = \"ground\"\nto = \"arm\"\n";
  const std::pair<const char*, const char*> types[] = {{"revolute", "axis = [0, 0, 1]\n"},
                                                       {"spherical", ""},
                                                       {"prismatic", "axis = [0, 0, 1]\n"},
                                                       {"cylindrical", "axis = [0, 0, 1]\n"},
                                                       {"fixed", ""},
                                                       {"universal", "axis = [0, 0, 1]\naxis_to = [0, 1, 0]\n"},
                                                       {"distance", "length = 1\n"},
                                                       {"planar", "normal = [0, 0, 1]\n"},
                                                       {"point_on_line", "axis = [0, 0, 1]\n"},
                                                       {"point_on_plane", "normal = [0, 0, 1]\n"}};
  for (const auto& [type, more] : types) {
    const Model m = with_joint("[[joint]]\nname = \"j\"\ntype = \"" + std::string(type) + "\"\n" + more + ends);
    ASSERT_EQ(m.system.rigid()->joints.size(), 1u);
    EXPECT_STREQ(m.system.rigid()->joints[0].type->name, type);
  }
}

TEST(ModelFile, BareFormulasAndUnitsAreToldToNeedQuotes) {
  for (const char* value : {"2*3", "2 kg", "sqrt(2)", "x^2/2", "90 deg", "[1, 2*3]", "-l"})
    EXPECT_THAT(refusal([&] { read_model_text(std::string("mass = ") + value + "\n", "m.toml"); }),
                testing::AllOf(StartsWith("m.toml:1:"), HasSubstr("formulas and names stand in quotes"),
                               HasSubstr("numbers have no units")))
        << value;
  for (const char* text : {"mass = \"2\" kg\n", "[mass\n", "mass\n"})  // what is wrong here is no formula
    EXPECT_THAT(refusal([&] { read_model_text(text, "m.toml"); }), testing::Not(HasSubstr("stand in quotes"))) << text;
}

}  // namespace
}  // namespace extremal::mechanism_words_test
