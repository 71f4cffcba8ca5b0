// extremal run: the JSON contract, precisions, tables, exit codes and refusals.
#include <algorithm>
#include <cmath>
#include <set>

#include "extremal/number.hpp"
#include "program.hpp"

namespace extremal::cli::run_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::set<std::string> keys(const json& object) {
  std::set<std::string> all;
  for (const auto& entry : object.items()) all.insert(entry.key());
  return all;
}

using Keys = std::set<std::string>;

TEST(Run, KeepsTheJsonContract) {
  const Outcome o = program("run spherical-pendulum --scheme rattle --step 0.05 --until 5 --json");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const json j = o.json();
  EXPECT_EQ(keys(j), (Keys{"model", "scheme", "step",           "precision",  "version",  "status",   "reason",
                           "steps", "newton", "fallbacks",      "retries",    "remedies", "singular", "seconds",
                           "final", "energy", "constraint_max", "hidden_max", "momenta",  "notes"}));
  EXPECT_EQ(keys(j["newton"]), (Keys{"mean", "max"}));
  EXPECT_EQ(keys(j["final"]), (Keys{"t", "q", "v", "p", "lambda"}));
  for (const char* part : {"q", "v", "p"}) EXPECT_EQ(keys(j["final"][part]), (Keys{"x", "y", "z"})) << part;
  EXPECT_EQ(keys(j["final"]["lambda"]), (Keys{"rod"}));
  EXPECT_EQ(keys(j["energy"]),
            (Keys{"initial", "max_error", "supplied", "dissipated", "drift_slope", "drift_slope_error"}));
  EXPECT_EQ(keys(j["momenta"]), (Keys{"about z"}));
  EXPECT_EQ(j["model"], "spherical-pendulum");
  EXPECT_EQ(j["scheme"], "rattle");
  EXPECT_EQ(j["precision"], "double");
  EXPECT_EQ(j["status"], "complete");
  EXPECT_EQ(j["reason"], "");
  EXPECT_EQ(j["steps"], 100);
  EXPECT_EQ(j["step"], 0.05);
  EXPECT_EQ(j["final"]["t"], 5.0);
  EXPECT_GE(j["newton"]["max"].get<double>(), j["newton"]["mean"].get<double>());
  EXPECT_GE(j["newton"]["mean"].get<double>(), 1);
  EXPECT_TRUE(j["notes"].is_array());
}

// The values are those of the motion: on the constraint, p = m v, the multiplier is the tension, H is the start's.
TEST(Run, ReportsAConsistentFinalState) {
  const json j = program("run pendulum --scheme 'galerkin(3, gauss(3))' --step 0.05 --until 10 --json").json();
  const double x = j["final"]["q"]["x"], y = j["final"]["q"]["y"], u = j["final"]["v"]["x"], v = j["final"]["v"]["y"];
  const double floor = 8 * 0x1p-52;
  EXPECT_NEAR(x * x + y * y, 1, floor);
  EXPECT_NEAR(x * u + y * v, 0, 8 * floor);   // v is of size 2, p is projected with it
  EXPECT_DOUBLE_EQ(j["final"]["p"]["x"], u);  // p is a sum that is rounded once, v is solved for
  EXPECT_NEAR(j["final"]["lambda"]["rod"], u * u + v * v - 9.81 * y, 64 * floor);
  EXPECT_NEAR(j["energy"]["initial"], -5.848, 8 * floor);
  const double energy = 0.5 * (u * u + v * v) + 9.81 * y;
  EXPECT_LE(std::abs(energy - j["energy"]["initial"].get<double>()),
            j["energy"]["max_error"].get<double>() + 8 * floor);
}

TEST(Run, ApproachesTheReferenceSolution) {
  // q(10) of an independent solution with 30 digits; a scheme of order 6 must approach it so.
  const double reference = -0.72157726855097414;
  const auto error = [&](const std::string& how) {
    return std::abs(program("run pendulum --until 10 --json " + how).json()["final"]["q"]["x"].get<double>() -
                    reference);
  };
  const double coarse = error("--scheme 'spark(3)' --step 0.05"), fine = error("--scheme 'spark(3)' --step 0.025");
  EXPECT_NEAR(std::log2(coarse / fine), 6, 0.25);
}

TEST(Run, WritesWiderScalarsAsTextWithAllDigits) {
  for (const char* precision : {"quad", "long-double"}) {
    const json j =
        program(std::string("run pendulum --scheme 'spark(4)' --until 1 --json --precision ") + precision).json();
    EXPECT_EQ(j["precision"], precision);
    for (const json& value : {j["final"]["t"], j["final"]["q"]["x"], j["final"]["v"]["y"], j["final"]["p"]["x"],
                              j["final"]["lambda"]["rod"], j["energy"]["initial"], j["energy"]["max_error"],
                              j["constraint_max"], j["hidden_max"], j["step"]})
      EXPECT_TRUE(value.is_string()) << precision << ": " << value;
    EXPECT_TRUE(j["energy"]["drift_slope"].is_number());
  }
  const json j = program("run pendulum --scheme 'spark(4)' --until 1 --json --precision quad").json();
  const quad x = Number(j["final"]["q"]["x"].get<std::string>()).as<quad>();
  const quad y = Number(j["final"]["q"]["y"].get<std::string>()).as<quad>();
  EXPECT_LE(static_cast<double>(math::abs(x * x + y * y - 1)), static_cast<double>(8 * Scalar<quad>::epsilon));
  // Closer to the decimal -5.848 than any double is.
  const quad energy = Number(j["energy"]["initial"].get<std::string>()).as<quad>();
  EXPECT_LE(static_cast<double>(math::abs(energy - Number("-5.848").as<quad>())),
            static_cast<double>(64 * Scalar<quad>::epsilon));
}

TEST(Run, UsesTheModelsSpanAndADefaultScheme) {
  const Outcome o = program("run pendulum");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, AllOf(HasSubstr("pendulum"), HasSubstr("spark(3)")));
  const json j = program("run pendulum --json").json();
  EXPECT_EQ(j["steps"], 200);
  EXPECT_EQ(j["step"], 0.05);
}

TEST(Run, TakesParametersAndStart) {
  // From rest at the side: H = 0 for any g; with g = 0 nothing moves.
  const json still =
      program("run pendulum --set g=0 --start x=1 --start y=0 --start v:x=0 --start v:y=0 --json").json();
  EXPECT_EQ(still["final"]["q"]["x"], 1.0);
  EXPECT_EQ(still["final"]["q"]["y"], 0.0);
  EXPECT_EQ(still["energy"]["initial"], 0.0);
  // p = m v: the same motion from momenta.
  const std::string common = "run pendulum --set m=2 --until 1 --json ";
  const json by_v = program(common + "--start v:x=0.8 --start v:y=0.6").json();
  const json by_p = program(common + "--start p:x=1.6 --start p:y=1.2").json();
  EXPECT_NEAR(by_v["final"]["q"]["x"], by_p["final"]["q"]["x"].get<double>(), 64 * 0x1p-52);
  EXPECT_NEAR(by_v["energy"]["initial"], 1 - 2 * 9.81 * 0.8, 64 * 0x1p-52);
  // A start time shifts the span; expressions are exact.
  const json later = program("run pendulum --start t=3 --step 1/16 --until 5 --json").json();
  EXPECT_EQ(later["steps"], 32);
  EXPECT_EQ(later["final"]["t"], 5.0);
}

TEST(Run, RunsBackwards) {
  const json j = program("run pendulum --step -0.05 --until -1 --json").json();
  EXPECT_EQ(j["steps"], 20);
  EXPECT_EQ(j["final"]["t"], -1.0);
}

TEST(Run, MovesANearbyStartOntoTheConstraintIfAsked) {
  const Outcome o = program("run pendulum --set l=2 --slack 2 --until 1 --json");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const json j = o.json();
  const double x = j["final"]["q"]["x"], y = j["final"]["q"]["y"];
  EXPECT_NEAR(x * x + y * y, 4, 32 * 0x1p-52);
}

TEST(Run, WritesTables) {
  const Scratch file("table.csv");
  const Outcome o = program("run pendulum --step 0.05 --until 1 --every 5 --csv '" + file.path.string() + "'");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  const std::string text = file.text();
  EXPECT_THAT(text, testing::StartsWith("t,x,"));
  for (const char* name : {",y,", ",v:x,", ",p:y,", ",lambda:rod,"}) EXPECT_THAT(text, HasSubstr(name));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 5);  // header, t = 0, 0.25, .., 1
  const Outcome piped = program("run pendulum --step 0.05 --until 1 --every 5 --csv -");
  EXPECT_EQ(piped.out, text);
  EXPECT_THAT(piped.err, HasSubstr("pendulum"));  // the summary
}

TEST(Run, KeepsTheDataOfAFailedRun) {
  // Half a turn in one step: there is no such step.
  const Outcome o = program("run pendulum --scheme rattle --start v:x=40 --start v:y=30 --step 1 --until 100 --json");
  EXPECT_EQ(o.exit_code, 1);
  const json j = o.json();
  EXPECT_EQ(j["status"], "failed");
  EXPECT_THAT(j["reason"].get<std::string>(), HasSubstr("step"));
  EXPECT_LT(j["steps"], 100);
  EXPECT_TRUE(j["final"]["q"]["x"].is_number());
}

TEST(Run, RefusesUnknownNamesWithASuggestion) {
  expect_refused("run pendulm", HasSubstr("did you mean \"pendulum\""));
  expect_refused("run pendulum --scheme rattel", HasSubstr("did you mean \"rattle\""));
  expect_refused("run pendulum --set G=9", AllOf(HasSubstr("--set"), HasSubstr("\"G\""), HasSubstr("m, l, g")));
  expect_refused("run pendulum --start z=1", AllOf(HasSubstr("--start"), HasSubstr("\"z\""), HasSubstr("x, y")));
  expect_refused("run pendulum --start v:z=1", HasSubstr("\"z\""));
  expect_refused("run pendulum --precision single", AllOf(HasSubstr("--precision"), HasSubstr("quad")));
  expect_refused("run pendulum --stop 3", HasSubstr("--stop"));
  expect_refused("run pendulum --stp 0.1", HasSubstr("did you mean \"--step\""));
  expect_refused("run --stp=0.1 pendulum", HasSubstr("unknown option \"--stp\";"));
  expect_refused("rnu pendulum", HasSubstr("did you mean \"run\""));
  expect_refused("--verson", HasSubstr("did you mean \"--version\""));
  expect_refused("run", HasSubstr("MODEL"));
}

TEST(Run, RefusesWhatIsNoNumber) {
  expect_refused("run pendulum --set g", AllOf(HasSubstr("--set \"g\""), HasSubstr("NAME=VALUE")));
  expect_refused("run pendulum --set g=", HasSubstr("NAME=VALUE"));
  expect_refused("run pendulum --set =3", HasSubstr("NAME=VALUE"));
  expect_refused("run pendulum --set g=heavy", AllOf(HasSubstr("--set g"), HasSubstr("heavy")));
  expect_refused("run pendulum --start x=1..2", AllOf(HasSubstr("--start x"), HasSubstr("1..2")));
  expect_refused("run pendulum --step small", AllOf(HasSubstr("--step"), HasSubstr("small")));
  expect_refused("run pendulum --until 1e999", HasSubstr("--until"));
  expect_refused("run pendulum --every 0", HasSubstr("--every"));
  expect_refused("run pendulum --slack big", HasSubstr("--slack"));
}

TEST(Run, RefusesWhatDoesNotFitTogether) {
  expect_refused("run pendulum --start x=0.7", AllOf(HasSubstr("\"rod\""), HasSubstr("0.065")));
  expect_refused("run pendulum --set l=2", HasSubstr("\"rod\""));
  expect_refused("run pendulum --start v:x=1 --start p:y=1", AllOf(HasSubstr("v:"), HasSubstr("p:")));
  expect_refused("run pendulum --step 0.3 --until 1", AllOf(HasSubstr("0.3"), HasSubstr("1")));
  expect_refused("run pendulum --step 0", HasSubstr("step"));
  expect_refused("run pendulum --step -0.05 --until 1", HasSubstr("step"));
  expect_refused("run pendulum --csv /nowhere/table.csv", AllOf(HasSubstr("--csv"), HasSubstr("/nowhere/table.csv")));
  expect_refused("run pendulum --json --csv -", HasSubstr("--csv -"));
}

}  // namespace
}  // namespace extremal::cli::run_test
