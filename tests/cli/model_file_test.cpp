// Model files from the command line, and extremal show.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::model_file_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string file(const std::string& name) { return "'" + std::string(places::models) + "/" + name + ".toml'"; }

struct Written : Scratch {
  explicit Written(const std::string& text) : Scratch("model.toml") { std::ofstream(path) << text; }
  std::string argument() const { return "'" + path.string() + "'"; }
};

// To the last bit, with whatever is set.
TEST(ModelFiles, RunLikeTheModelOfTheSameName) {
  const auto table = [](const std::string& model) {
    const Outcome o = program("run " + model + " --until 0.2 --csv -");
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return o.out;
  };
  EXPECT_EQ(table(file("pendulum") + " --set l=1 --set g=1.62"), table("pendulum --set g=1.62"));
  EXPECT_EQ(table(file("chain") + " --set n=3"), table("'chain(3)'"));
  EXPECT_EQ(table("chain --set n=3"), table("'chain(3)'"));
  EXPECT_NE(table("chain --set n=3"), table("chain"));
  EXPECT_EQ(program("run " + file("chain") + " --set n=3 --until 0.1 --json").json()["model"], "chain(3)");
}

TEST(ModelFiles, SayTheirSchemePrecisionAndOutput) {
  const Written model(
      "coordinates = [\"x\"]\nkinetic = \"m/2*x'^2\"\npotential = \"x^2/2\"\n[parameters]\nm = 1\n[start]\nx = \"m\"\n"
      "[run]\nscheme = \"rattle\"\nprecision = \"quad\"\nstep = 0.5\nsteps = 8\nevery = 4\n"
      "[observe]\nsquare = \"x^2\"\n");
  const json j = program("run " + model.argument() + " --json").json();
  EXPECT_EQ(j["scheme"], "rattle");
  EXPECT_EQ(j["precision"], "quad");
  EXPECT_EQ(j["steps"], 8);
  EXPECT_TRUE(j["final"]["observed"]["square"].is_string());
  const Outcome table = program("run " + model.argument() + " --precision double --csv -");
  EXPECT_THAT(table.out, HasSubstr(",square\n"));
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 1 + 3);
  EXPECT_EQ(program("run " + model.argument() + " --scheme 'spark(2)' --every 1 --json").json()["scheme"], "spark(2)");
  // A start that is a formula of a parameter follows it.
  EXPECT_EQ(program("show " + model.argument() + " --set m=3 --json").json()["start"]["q"]["x"], 3.0);
}

TEST(ModelFiles, TakeParametersBeforePartsAreMade) {
  const json j = program("show " + file("chain") + " --set n=4 --json").json();
  EXPECT_EQ(j["coordinates"].size(), 24u);
  EXPECT_EQ(j["parameters"]["n"], "4");
  // Those of the system still come after.
  const json k = program("show " + file("thermoelastic-triangle") + " --set m1.mass=4 --json").json();
  EXPECT_EQ(k["parameters"]["m1.mass"], "4");
  expect_refused("show " + file("chain") + " --set nn=4", AllOf(HasSubstr("--set"), HasSubstr("did you mean \"n\"")));
}

TEST(ModelFiles, AreRefusedWithTheirPlace) {
  const Written model("coordinates = [\"x\"]\nkinetic = \"m/2*x'^2\"\n");
  for (const char* command : {"run ", "show ", "check "})
    expect_refused(command + model.argument(), HasSubstr("model.toml:2:12: unknown name \"m\""));
  expect_refused("run nowhere/model.toml", AllOf(HasSubstr("nowhere/model.toml"), HasSubstr("cannot be read")));
}

TEST(ModelFiles, AreChecked) {
  const Outcome o = program("check " + file("pendulum") + " --scheme rattle");
  EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
}

TEST(Show, TellsCoordinatesFreedomAndRedundancy) {
  const json j = program("show " + file("four-bar-spatial") + " --json").json();
  EXPECT_EQ(j["name"], "four-bar-spatial");
  EXPECT_EQ(j["coordinates"].size(), 60u);
  EXPECT_EQ(j["constraints"].size(), 65u);
  EXPECT_EQ(j["redundant"], 6);
  EXPECT_EQ(j["degrees_of_freedom"], 1);
  EXPECT_EQ(j["start"]["q"]["bar 1.y"], 0.5);
  EXPECT_EQ(j["run"]["step"], "0.01");
  const Outcome text = program("show " + file("four-bar-spatial"));
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("6 rows, among P1"), HasSubstr("1 degree\n"), HasSubstr("n = 2")));
}

TEST(Show, TellsTheConsistentStart) {
  const json j = program("show pendulum --set l=2 --slack 2 --json").json();
  const double x = j["start"]["q"]["x"], y = j["start"]["q"]["y"];
  EXPECT_NEAR(x * x + y * y, 4, 1e-14);
  EXPECT_GT(j["start"]["moved"]["q"].get<double>(), 0.1);
  expect_refused("show pendulum --set l=2", HasSubstr("\"rod\""));
}

// docs/models.md prints what the program prints.
TEST(Show, IsAsInTheDocument) {
  std::ifstream in(std::string(places::models) + "/../docs/models.md");
  const std::string document((std::istreambuf_iterator<char>(in)), {});
  const auto block = [&](const std::string& language) {
    const std::string fence = "\n```" + language + "\n";
    const std::size_t begin = document.find(fence) + fence.size();
    return document.substr(begin, document.find("```", begin) - begin);
  };
  const Written model(block("toml"));
  EXPECT_EQ(program("show " + model.argument()).out, block("text"));
}

// What it prints can be copied, changed and run.
TEST(Show, PrintsTheFile) {
  const Outcome o = program("show pendulum --text");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  std::ifstream in(std::string(places::models) + "/pendulum.toml");
  EXPECT_EQ(o.out, std::string((std::istreambuf_iterator<char>(in)), {}));
  const Written copy(o.out);
  EXPECT_EQ(program("show " + copy.argument()).out, program("show pendulum").out);
}

TEST(Show, KnowsEveryModel) {
  const json list = program("list models --json").json();
  for (const json& model : list["models"]) {
    const Outcome o = program("show " + model["name"].get<std::string>() + " --json");
    EXPECT_EQ(o.exit_code, 0) << model["name"] << ": " << o.err;
  }
}

}  // namespace
}  // namespace extremal::cli::model_file_test
