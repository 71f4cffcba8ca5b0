// A run is put together in one way, by the same names wherever they are said.
#include "extremal/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "extremal/error.hpp"
#include "file/document.hpp"
#include "run/keys.hpp"
#include "sweep/sweep.hpp"

namespace extremal::case_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Case, HasWhatIsChangedOfAModel) {
  const Case one = make_case("pendulum", {.set = {{"g", "1.62"}, {"l", 2}},
                                          .start = {{"x", "1.2"}, {"y", "-1.6"}, {"v:x", 0}, {"v:y", 0}},
                                          .run = {{"scheme", "rattle"}, {"step", "0.1"}, {"every", "5"}}});
  EXPECT_EQ(one.scheme.name, "rattle");
  EXPECT_EQ(one.precision, "double");
  EXPECT_EQ(one.model.span.step, Number("0.1"));
  EXPECT_EQ(one.model.span.every, 5);
  const auto run = extremal::run<double>(one);
  const auto system = model("pendulum", {{"l", 2}, {"g", "1.62"}}).system;
  const auto same = extremal::run(system, "rattle", {.q = {"1.2", "-1.6"}, .v = {0, 0}},
                                  {.step = "0.1", .until = one.model.span.until, .every = 5});
  EXPECT_EQ(run.column("x"), same.column("x"));
}

TEST(Case, SuitsItsModel) {
  EXPECT_EQ(make_case("pendulum").scheme.name, "spark(3)");
  EXPECT_EQ(make_case(read_model_text("coordinates = [\"x\"]\nhamiltonian = \"p.x^2/2 + x^2/2\"\n", "h")).scheme.name,
            "phase_space(2)");
}

std::string refused(const Changes& changes) {
  try {
    make_case("pendulum", changes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Case, RefusesWhatThereIsNot) {
  EXPECT_THAT(refused({.set = {{"G", 1}}}),
              AllOf(HasSubstr("set: pendulum"), HasSubstr("\"G\""), HasSubstr("m, l, g")));
  EXPECT_THAT(refused({.start = {{"v:z", 1}}}), AllOf(HasSubstr("start: pendulum"), HasSubstr("\"z\"")));
  EXPECT_THAT(refused({.start = {{"v:x", 1}, {"p:y", 1}}}), HasSubstr("expected one kind"));
  EXPECT_THAT(refused({.run = {{"evry", "2"}}}), HasSubstr("did you mean \"every\""));
  EXPECT_THAT(refused({.run = {{"every", "0"}}}), HasSubstr("from 1 to"));
  EXPECT_THAT(refused({.run = {{"scheme", "rattel"}}}), HasSubstr("did you mean \"rattle\""));
}

// What a key writes it reads: archives and identities of sweeps depend on it.
TEST(RunKeys, TakeWhatTheyTell) {
  std::string scheme = "rattle", precision = "quad";
  Span span{.step = "1/3", .until = "sqrt(2)", .every = 7, .at = {"0.5", "2/3"}};
  span.multipliers = Multipliers::scheme;
  span.error_estimate = true;
  RunTexts said;
  for (const RunKey& key : run_keys()) said[key.name] = key.text({scheme, span, precision});
  std::string other_scheme, other_precision;
  Span other;
  take(said, {other_scheme, other, other_precision});
  for (const RunKey& key : run_keys())
    EXPECT_EQ(key.text({other_scheme, other, other_precision}), said[key.name]) << key.name;
  EXPECT_EQ(other.at, span.at);
  EXPECT_EQ(other.step.as<quad>() == span.step.as<quad>(), true);
}

// Every key of [run] is one of model files, and of sweep files if these have it.
TEST(RunKeys, AreReadFromFiles) {
  const std::map<std::string, std::string> values = {{"scheme", "\"rattle\""},
                                                     {"step", "0.25"},
                                                     {"until", "3"},
                                                     {"precision", "\"quad\""},
                                                     {"every", "4"},
                                                     {"at", "[1, 0.5]"},
                                                     {"error_estimate", "true"},
                                                     {"multipliers", "\"scheme\""}};
  std::string lines, of_sweeps;
  for (const RunKey& key : run_keys()) {
    ASSERT_TRUE(values.contains(key.name)) << key.name;
    const std::string line = std::string(key.name) + " = " + values.at(key.name) + "\n";
    lines += line;
    if (key.sweep_help != nullptr) of_sweeps += line;
  }
  Model model = read_model_text("coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n[run]\n" + lines, "m");
  const Document file("model = \"pendulum\"\n" + of_sweeps + "[vary]\nm = [1]\n", "s.toml");
  const sweep::Plan plan = sweep::read_plan(file, {});
  for (const RunKey& key : run_keys()) {
    const std::string text = key.text({model.scheme, model.span, model.precision});
    Model usual = read_model_text("coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n", "m");
    EXPECT_NE(text, key.text({usual.scheme, usual.span, usual.precision})) << key.name;
    if (key.sweep_help != nullptr) {
      EXPECT_EQ(plan.run.at(key.name), text) << key.name;
    }
  }
}

// A sweep with another value of a key is another sweep.
TEST(RunKeys, AreWhatASweepIs) {
  const auto identity = [](const RunTexts& options) {
    const Document file("model = \"pendulum\"\n[vary]\nm = [1]\n", "s.toml");
    return sweep::Sweep(file, sweep::read_plan(file, options), "").identity();
  };
  const std::string usual = identity({});
  for (const auto& [key, text] : RunTexts{{"scheme", "rattle"},
                                          {"step", "0.25"},
                                          {"until", "3"},
                                          {"precision", "quad"},
                                          {"every", "4"},
                                          {"multipliers", "scheme"}})
    EXPECT_NE(identity({{key, text}}), usual) << key;
}

}  // namespace
}  // namespace extremal::case_test
