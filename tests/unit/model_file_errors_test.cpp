// What is wrong with a model file is told with file, line and column, what was found, what was expected and the nearest
// word; hostile files end in the same way, soon and in little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::model_file_errors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refused(const std::string& text) {
  return refusal([&] { read_model_text(text, "m.toml"); });
}

const std::string ball = "coordinates = [\"x\", \"y\"]\nkinetic = \"m/2*(x'^2 + y'^2)\"\n",
                  numbers = "[parameters]\nm = 1\ng = 9.81\n",
                  bar = "space = \"planar\"\n[[body]]\nname = \"bar\"\ninertia = 1\n";

TEST(ModelFileErrors, StandWhereTheFormulaIsWrong) {
  EXPECT_THAT(refused("coordinates = [\"x\", \"y\"]\nkinetic = \"m/2*(x'^2 + yy'^2)\"\n" + numbers),
              StartsWith("m.toml:2:24: unknown coordinate \"yy\"; did you mean \"y\"?"));
  EXPECT_THAT(refused(ball + "potential = [\"x\", \"x + barx\"]\n" + numbers), StartsWith("m.toml:3:24: unknown name"));
  EXPECT_THAT(refused(ball + numbers + "[[constraint]]\nname = \"g\"\nformula = [\"x\", \"y - l\"]\n"),
              StartsWith("m.toml:8:22: unknown name \"l\""));
  EXPECT_THAT(refused(ball + numbers + "[[force]]\nname = \"f\"\nalong = { x = 1, y = \"-c*y'\" }\n"),
              StartsWith("m.toml:8:24: unknown name \"c\""));
  EXPECT_THAT(refused(ball + numbers + "[observe]\nheight = \"2*yy\"\n"), StartsWith("m.toml:7:13: unknown name"));
  EXPECT_THAT(refused(ball + "[parameters]\nm = \"2*gg\"\ng = 1\n"), StartsWith("m.toml:4:8: unknown name \"gg\""));
  EXPECT_THAT(refused(ball + numbers + "[start]\nx = \"1 +\"\n"), StartsWith("m.toml:7:9: found the end"));
  // In texts of several lines, with escapes, and behind letters of several bytes.
  EXPECT_THAT(refused("coordinates = [\"x\"]\nkinetic = \"\"\"\n  x'^2/2 +\n  bad*x\"\"\"\n"),
              StartsWith("m.toml:4:3: "));
  EXPECT_THAT(refused("coordinates = [\"x\"]\nkinetic = \"x'^2 \\u002b bad*x\"\n"), StartsWith("m.toml:2:24: "));
  EXPECT_THAT(refused("coordinates = [\"x\"]\nkinetic = 'x^2 + bad'\n"), StartsWith("m.toml:2:18: "));
  EXPECT_THAT(refused("\"\xC3\xA4\" = { x = \"\xC3\xA4\", y = 1 }\n"), StartsWith("m.toml:1:1: "));
}

TEST(ModelFileErrors, OfHamiltonians) {
  const std::string h = "coordinates = [\"x\"]\nhamiltonian = \"p.x^2/2 + x^2/2\"\n";
  EXPECT_EQ(refused(h), "");
  EXPECT_THAT(refused("coordinates = [\"x\"]\nhamiltonian = \"p.x^2/2 + p.y\"\n"),
              AllOf(StartsWith("m.toml:2:26: unknown name \"p.y\""), HasSubstr("did you mean \"p.x\"")));
  EXPECT_THAT(refused("coordinates = [\"x\"]\nhamiltonian = \"x'^2/2\"\n"),
              StartsWith("m.toml:2:16: found the velocity x'; expected coordinates and momenta, as p.x"));
  EXPECT_THAT(refused(h + "potential = \"x\"\n"), StartsWith("m.toml:3:13: found potential besides a hamiltonian"));
  EXPECT_EQ(refused(h + "[[constraint]]\nname = \"c\"\nformula = \"x\"\n"), "");
  EXPECT_THAT(refused("coordinates = [\"x\"]\n[[kinetic]]\nformula = \"x'^2\"\nslow = true\n"),
              HasSubstr("unknown key of [[kinetic]] \"slow\""));
  EXPECT_THAT(refused(h + "[start.velocity]\nx = 1\n"), HasSubstr("found velocities; expected momenta"));
  EXPECT_THAT(refused("hamiltonian = \"bar.x\"\n" + bar),
              StartsWith("m.toml:1:15: found a hamiltonian besides bodies"));
  EXPECT_THAT(refused("coordinates = [\"x\"]\nkinetic = \"p.x^2\"\n"),
              StartsWith("m.toml:2:12: found the momentum p.x; expected it in a hamiltonian only"));
}

TEST(ModelFileErrors, OfRodsThatArePlaced) {
  const std::string rod =
      "[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 2\n"
      "section = { shape = \"circle\", E = 1, G = 1, density = 1, radius = 1 }\n";
  EXPECT_EQ(refused(rod + "velocity = [0, \"s\", 0]\n"), "");
  EXPECT_THAT(refused(rod + "velocity = [0, \"2*ss\", 0]\n"),
              AllOf(StartsWith("m.toml:7:19: unknown name \"ss\""), HasSubstr("did you mean \"s\"")));
  EXPECT_THAT(refused(rod + "velocity = [0, \"s\"]\n"), AllOf(StartsWith("m.toml:1:1: "), HasSubstr("expected 3")));
  EXPECT_THAT(refused(rod + "rotation = \"s\"\n"), StartsWith("m.toml:7:12: found 1 components; expected 3"));
  EXPECT_THAT(refused(rod + "position = [\"s\", 0, \"t\"]\n"), StartsWith("m.toml:7:22: "));
  EXPECT_THAT(refused(rod + "velocity = [0, \"s\", 0]\n[parameters]\ns = 1\n"),
              StartsWith("m.toml:1:1: found a parameter \"s\""));
  // s is known nowhere else.
  EXPECT_THAT(refused(rod + "length = \"1 + s\"\nvelocity = [0, \"s\", 0]\n"), StartsWith("m.toml:7:15: unknown name"));
  EXPECT_THAT(refused(rod + "velocity = [0, \"s\", 0]\n[start]\n\"r.0.x\" = \"s\"\n"),
              StartsWith("m.toml:9:12: unknown name"));
}

TEST(ModelFileErrors, OfGroups) {
  const std::string group = "space = \"planar\"\n[[group]]\nrepeat = 2\n";
  EXPECT_EQ(refused(group + "[[group.body]]\nname = \"b{i}\"\ninertia = 1\n"), "");
  EXPECT_THAT(refused("[[group]]\nbody = [{ name = \"b\" }]\n"),
              StartsWith("m.toml:1:1: found no repeat in [[group]]"));
  EXPECT_THAT(refused(group + "[[group.boddy]]\nname = \"b{i}\"\n"),
              AllOf(StartsWith("m.toml:4:9: unknown key of [[group]]"), HasSubstr("did you mean \"body\"")));
  EXPECT_THAT(refused(group + "[[group.body]]\nname = \"b{i}\"\ninertia = 1\nrepeat = 2\n"),
              StartsWith("m.toml:4:1: found a part of a group with repeat"));
  EXPECT_THAT(refused(group + "[[group.force]]\nname = \"f\"\nalong = { x = 1 }\n"),
              StartsWith("m.toml:4:1: found a part of a group with repeat or along"));
  EXPECT_THAT(refused(group + "[[group.body]]\nname = \"b\"\ninertia = 1\n"), HasSubstr("the name is taken"));
  EXPECT_THAT(refused("group = 3\n" + ball), StartsWith("m.toml:1:9: found the number 3; expected tables [[group]]"));
}

TEST(ModelFileErrors, OfArguments) {
  EXPECT_EQ(refused("arguments = [\"m\"]\n" + ball + numbers), "");
  EXPECT_THAT(refused("arguments = [\"k\"]\n" + ball + numbers),
              StartsWith("m.toml:1:14: found \"k\"; expected a name of"));
  EXPECT_THAT(refused("arguments = \"m\"\n" + ball + numbers), StartsWith("m.toml:1:13: found \"m\"; expected a list"));
  EXPECT_THAT(refused("arguments = [1]\n" + ball + numbers), StartsWith("m.toml:1:14: found the number 1"));
  EXPECT_THAT(refused("arguments = [\"k\"]\n" + ball + numbers + "k = \"2*m\"\n"),
              AllOf(StartsWith("m.toml:1:14: "), HasSubstr("whose value is a number")));
}

TEST(ModelFileErrors, OfStepsAndOutputs) {
  const std::string run = ball + numbers + "[run]\n";
  EXPECT_THAT(refused(run + "step = \"auto\"\nuntil = 1\n"), AllOf(StartsWith("m.toml:7:8: "), HasSubstr("no rods")));
  EXPECT_THAT(refused(run + "step = \"auto\"\n"), AllOf(StartsWith("m.toml:7:8: "), HasSubstr("expected until")));
  EXPECT_THAT(refused(run + "step = \"auto\"\nuntil = 1\nsteps = 3\n"), HasSubstr("and no steps"));
  EXPECT_THAT(refused(run + "every = 2\noutputs = 3\n"), StartsWith("m.toml:8:11: found outputs and every"));
  EXPECT_THAT(refused(run + "outputs = 0\n"), AllOf(StartsWith("m.toml:7:11: "), HasSubstr("from 1 to")));
}

TEST(ModelFileErrors, NameTheNearestKey) {
  EXPECT_THAT(refused(ball + "potental = \"x\"\n" + numbers),
              AllOf(StartsWith("m.toml:3:1: unknown key"), HasSubstr("did you mean \"potential\"")));
  EXPECT_THAT(refused(bar + "masss = 3\n"), AllOf(StartsWith("m.toml:5:1: "), HasSubstr("did you mean \"mass\"")));
  EXPECT_THAT(refused(ball + "[[constraint]]\nname = \"a\"\nformual = \"x\"\n" + numbers),
              AllOf(StartsWith("m.toml:5:1: "), HasSubstr("did you mean \"formula\"")));
  EXPECT_THAT(refused(ball + numbers + "[run]\nuntill = 3\n"), HasSubstr("m.toml:7:1: unknown key of [run]"));
  EXPECT_THAT(refused(ball + numbers + "[run]\nscheme = \"rattel\"\n"),
              AllOf(StartsWith("m.toml:7:10: "), HasSubstr("did you mean \"rattle\"")));
  EXPECT_THAT(refused(ball + numbers + "[run]\nprecision = \"quod\"\n"), HasSubstr("did you mean \"quad\""));
  EXPECT_THAT(refused(ball + numbers + "[start]\nz = 1\n"), StartsWith("m.toml:7:1: unknown coordinate \"z\""));
  EXPECT_THAT(refused(ball + numbers + "[start.velocity]\nxx = 1\n"), StartsWith("m.toml:7:1: unknown coordinate"));
  EXPECT_THAT(refused(ball + numbers + "[observe]\nheight = [\"y\"]\n"), StartsWith("m.toml:7:10: "));
  EXPECT_THAT(refused("observe = 3\n" + ball + numbers), HasSubstr("expected a table [observe]"));
}

TEST(ModelFileErrors, OfPictures) {
  const std::string picture = ball + numbers + "[picture]\n", points = picture + "points = { a = [\"x\", \"y\"] }\n";
  EXPECT_THAT(refused(picture), StartsWith("m.toml:6:1: found no points in [picture]"));
  EXPECT_THAT(refused(picture + "points = { a = [\"x\", \"yy\"] }\n"), StartsWith("m.toml:7:23: unknown name \"yy\""));
  EXPECT_THAT(refused(picture + "points = { a = [\"x\"] }\n"), StartsWith("m.toml:7:16: found 1 formulas"));
  EXPECT_THAT(refused(picture + "points = { a = [0, 0], b = [0, 0, \"x\"] }\n"),
              AllOf(StartsWith("m.toml:7:28: found 3 formulas"), HasSubstr("expected 2")));
  EXPECT_THAT(refused(points + "links = [[\"a\", \"b\"]]\n"), StartsWith("m.toml:8:16: unknown point \"b\""));
  EXPECT_THAT(refused(points + "springs = [[\"a\"]]\n"), StartsWith("m.toml:8:12: found 1 points; expected two"));
  EXPECT_THAT(refused(points + "trails = \"a\"\n"), StartsWith("m.toml:8:10: found"));
  EXPECT_THAT(refused(points + "link = []\n"), AllOf(StartsWith("m.toml:8:1: "), HasSubstr("did you mean \"links\"")));
  EXPECT_THAT(refused(bar + "[picture]\npoints = { a = [0, 0] }\n"), HasSubstr("found [picture] and parts"));
}

TEST(ModelFileErrors, OfParts) {
  const std::string joint = bar + "[[joint]]\nname = \"P\"\nfrom = \"ground\"\n";
  EXPECT_THAT(refused(joint + "to = \"bar\"\ntype = \"revolut\"\n"),
              AllOf(StartsWith("m.toml:9:8: "), HasSubstr("did you mean \"revolute\"")));
  EXPECT_THAT(refused(joint + "to = \"bat\"\ntype = \"fixed\"\n"),
              AllOf(StartsWith("m.toml:8:6: unknown body \"bat\""), HasSubstr("did you mean \"bar\"")));
  EXPECT_THAT(refused(joint + "to = \"bar\"\ntype = \"fixed\"\naxis = [0, 1]\n"),
              StartsWith("m.toml:10:1: unknown key"));
  EXPECT_THAT(refused(joint + "type = \"fixed\"\n"), StartsWith("m.toml:5:1: found no to in [[joint]]"));
  EXPECT_THAT(refused(joint + "to = { body = \"bar\", at = [1, 0, 0] }\ntype = \"revolute\"\n"),
              AllOf(StartsWith("m.toml:5:1: "), HasSubstr("3 components; expected 2")));
  EXPECT_THAT(refused(bar + "mass = -3\n"), AllOf(StartsWith("m.toml:2:1: "), HasSubstr("expected a positive one")));
  EXPECT_THAT(refused(bar + "[[body]]\nname = \"bar\"\ninertia = 1\n"),
              AllOf(StartsWith("m.toml:5:1: "), HasSubstr("the name is taken")));
  EXPECT_THAT(refused("[[body]]\nname = \"ground\"\n"), StartsWith("m.toml:2:8: "));
  EXPECT_THAT(refused("gravity = [0, 0, 1]\n" + bar), StartsWith("m.toml:1:11: found a gravity of 3 components"));
  EXPECT_THAT(refused("gravity = [0, 0, 1]\n" + ball + numbers),
              StartsWith("m.toml:1:11: found gravity and no bodies"));
  EXPECT_THAT(refused("[body]\nname = \"x\"\n"), HasSubstr("expected tables [[body]]"));
  EXPECT_THAT(refused(bar + "[[support]]\nname = \"s\"\nposition = [0, 0]\n"),
              HasSubstr("expected one kind in a file"));
  EXPECT_THAT(refused(bar + "[[motor]]\nname = \"M\"\nfrom = \"ground\"\nto = \"bar\"\ntorque = \"sin(w*t)\"\n"),
              StartsWith("m.toml:9:15: unknown name \"w\""));
}

TEST(ModelFileErrors, OfRepetitions) {
  const auto body = [](const std::string& repeat, const std::string& name) {
    return refused("space = \"planar\"\n[[body]]\nrepeat = " + repeat + "\nname = \"" + name + "\"\ninertia = 1\n");
  };
  EXPECT_THAT(body("1.5", "bar {i}"), StartsWith("m.toml:3:10: found 1.5; expected a whole number"));
  EXPECT_THAT(body("-1", "bar {i}"), StartsWith("m.toml:3:10: "));
  EXPECT_THAT(body("1_000_000_000", "bar {i}"), StartsWith("m.toml:3:10: "));
  EXPECT_THAT(body("\"n\"", "bar {i}"), StartsWith("m.toml:3:11: unknown name \"n\""));
  EXPECT_THAT(body("[5, 2]", "bar {i}"), StartsWith("m.toml:3:10: found i from 5 to 2"));
  EXPECT_THAT(body("2", "bar {i/2}"), StartsWith("m.toml:4:13: found {i/2} = 0.5; expected a whole number"));
  EXPECT_THAT(body("2", "bar {j}"), StartsWith("m.toml:4:14: unknown name \"j\""));
  EXPECT_THAT(body("2", "bar {i"), StartsWith("m.toml:4:13: found \"{\" without \"}\""));
  EXPECT_THAT(body("2", "bar"), HasSubstr("the name is taken"));
  const std::string row = "[[coordinates]]\nrepeat = 3\nnames = [\"x{i}\"]\n[[kinetic]]\nrepeat = 3\nformula = ";
  EXPECT_THAT(refused(row + "\"x{i}'^2 + x{i+1}\"\n"),
              AllOf(StartsWith("m.toml:6:22: unknown coordinate \"x4\""), HasSubstr("x{i+1} at i = 3")));
  EXPECT_THAT(refused(row + "\"x{i}'^2/qq\"\n"), AllOf(StartsWith("m.toml:6:20: "), HasSubstr("known: x1, x2, x3,")));
  EXPECT_THAT(refused(row + "\"i*x{i}'^2/qq\"\n"), StartsWith("m.toml:6:22: unknown name \"qq\""));
}

TEST(ModelFileErrors, OfNames) {
  EXPECT_THAT(refused("coordinates = [\"x\", \"y\", \"x\"]\nkinetic = \"x'^2\"\n"),
              StartsWith("m.toml:1:26: found a second coordinate \"x\""));
  EXPECT_THAT(refused("coordinates = [\"t\"]\n"), StartsWith("m.toml:1:16: found a coordinate \"t\""));
  EXPECT_THAT(refused(ball + numbers + "x = 1\n"), StartsWith("m.toml:6:1: found a parameter \"x\""));
  EXPECT_THAT(refused(ball + "[parameters]\ni = 1\n"), StartsWith("m.toml:4:1: found a parameter \"i\""));
  EXPECT_THAT(refused(ball + "[parameters]\nm = \"g\"\ng = \"m\"\n"), HasSubstr("m -> g -> m"));
  EXPECT_THAT(refused(ball + numbers +
                      "[[constraint]]\nname = \"a\"\nformula = \"x\"\n[[constraint]]\nname = \"a\"\nformula = \"y\"\n"),
              AllOf(StartsWith("m.toml:9:1: "), HasSubstr("exists already")));
  EXPECT_THAT(refused("x = 1\nx = 2\n"), StartsWith("m.toml:2:5: "));
  EXPECT_THAT(refused("[a]\n[a]\n"), StartsWith("m.toml:2:1: "));
  EXPECT_THAT(refused("coordinates = [x\n"), AllOf(StartsWith("m.toml:1:16: "), HasSubstr("expected TOML")));
  EXPECT_THAT(refused("x = 1\n  \xC3\xA4 = 1\n"), StartsWith("m.toml:2:3: found a letter beyond ASCII"));
  EXPECT_THAT(refused("x = 1\n[:a]\n"), StartsWith("m.toml:2:1: found a table without a name"));
  EXPECT_THAT(refused(""), StartsWith("m.toml:1:1: found neither coordinates nor bodies"));
}

TEST(ModelFileErrors, OfNumbers) {
  const auto start = [](const std::string& x) { return refused(ball + numbers + "[start]\nx = " + x + "\n"); };
  EXPECT_THAT(start("0{\"\u00e9\""), StartsWith("m.toml:7:"));  // a number, for the reader, up to its last letter
  EXPECT_THAT(start("nan"), StartsWith("m.toml:7:5: found nan; expected a finite number"));
  EXPECT_THAT(start("-inf"), StartsWith("m.toml:7:5: found an infinite number"));
  EXPECT_THAT(start("1e400"), AllOf(StartsWith("m.toml:7:"), HasSubstr("expected a finite number")));
  EXPECT_THAT(start("\"1e400\""), StartsWith("m.toml:7:6: found 1e400; expected a finite number"));
  EXPECT_THAT(start("\"1/0\""), StartsWith("m.toml:7:7: found a division by zero"));
  EXPECT_THAT(start("[1]"), StartsWith("m.toml:7:5: found a list of 1; expected a number or a formula"));
  EXPECT_THAT(start("1979-05-27"), StartsWith("m.toml:7:5: found a date or time"));
  EXPECT_THAT(start("9223372036854775808"), StartsWith("m.toml:7:"));
}

TEST(ModelFileErrors, OfConstraintsThatAreNone) {
  for (const char* formula : {"m - 1", "x - x + m", "0*x", "t"})
    EXPECT_THAT(refused(ball + "[[constraint]]\nname = \"a\"\nformula = \"" + formula + "\"\n" + numbers),
                AllOf(StartsWith("m.toml:3:1: "), HasSubstr("depends on no coordinate")))
        << formula;
}

// One clear error when the motion starts: the library finds it there for every system.
TEST(ModelFileErrors, OfASingularMassMatrix) {
  for (const char* kinetic : {"x'^2", "(x' + y')^2"}) {
    const Model m =
        read_model_text(std::string("coordinates = [\"x\", \"y\"]\nkinetic = \"") + kinetic + "\"\n", "m.toml");
    EXPECT_THAT(refusal([&] { run(m.system, "rattle", m.start, m.span); }),
                HasSubstr("coordinate \"y\" has no inertia; expected a kinetic term"));
  }
  // A constraint that holds y still supplies what is missing.
  const Model held = read_model_text(
      "coordinates = [\"x\", \"y\"]\nkinetic = \"x'^2\"\n[[constraint]]\nname = \"y\"\nformula = \"y\"\n", "m.toml");
  EXPECT_EQ(run(held.system, "rattle", held.start, held.span).status, Status::complete);
}

TEST(ModelFileErrors, OfHostileFilesComeSoon) {
  const std::clock_t begin = std::clock();  // not what others do meanwhile
  const std::string x = "coordinates = [\"x\"]\nkinetic = \"x'^2\"\n";
  EXPECT_THAT(refused(x + "potential = \"" + std::string(99000, '(') + "\"\n"), StartsWith("m.toml:3:214: "));
  EXPECT_THAT(refused(x + "potential = \"" + std::string(1000000, '(') + "\"\n"), HasSubstr("1000000 characters"));
  EXPECT_THAT(refused(std::string(100000000, '#')), HasSubstr("a file of 100000000 bytes; expected at most 8000000"));
  EXPECT_THAT(refused("x = " + std::string(1000000, '[')), StartsWith("m.toml:1:"));
  EXPECT_THAT(refused("x = " + std::string(1000000, '{')), StartsWith("m.toml:1:"));
  std::string dots = "a";
  for (int k = 0; k < 1000000; ++k) dots += ".a";
  EXPECT_THAT(refused(dots + " = 1\n"), HasSubstr("found a key of more than 16 parts"));
  EXPECT_THAT(refused("[" + dots + "]\n"), HasSubstr("found a key of more than 16 parts"));
  std::string many = x + "[parameters]\n";
  for (int k = 0; k < 100000; ++k) many += "p" + std::to_string(k) + " = 1\n";
  EXPECT_THAT(refused(many), HasSubstr("found 100000 parameters; expected at most 10000"));
  EXPECT_THAT(
      refused("[[rod]]\nname = \"r\"\nelements = 1000000\nsection = { shape = \"circle\", E = 1, G = 1, density = "
              "1, radius = 1 }\n"),
      HasSubstr("found more than 200000 parts"));
  EXPECT_LT(std::clock() - begin, 60 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace extremal::model_file_errors_test
