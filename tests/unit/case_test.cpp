// A run is put together in one way, by the same names wherever they are said.
#include "extremal/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "file/document.hpp"
#include "refusal.hpp"
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
  span.accuracy = "1e-9";
  span.threads = 5;
  span.multipliers = Multipliers::scheme;
  span.error_estimate = true;
  span.pattern = {1, "1/3"};
  span.extra_columns = {"gamma", "hidden"};
  span.columns = {"q", "energy"};
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
                                                     {"accuracy", "1e-6"},
                                                     {"precision", "\"quad\""},
                                                     {"every", "4"},
                                                     {"threads", "3"},
                                                     {"at", "[1, 0.5]"},
                                                     {"error_estimate", "true"},
                                                     {"pattern", "[1, 0.5]"},
                                                     {"pace", "\"reversible\""},
                                                     {"extra_columns", "\"hidden\""},
                                                     {"multipliers", "\"scheme\""},
                                                     {"columns", "[\"q\", \"energy\"]"}};
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

// The start by two positions [LewMata2016, section 3.1].
std::string particle(const std::string& start) {
  return "coordinates = ['x', 'y']\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = 'x^2/2 + 9.81*y'\n[start]\n" + start +
         "[run]\nscheme = 'trapezoidal'\nstep = 0.1\nuntil = 1\n";
}

// The second row of the run is what the file says, and y stays where it was said to stay.
TEST(StartNext, OfAModelFileIsTheSecondPosition) {
  const Model m = read_model_text(particle("x = 1\ny = 2\nnext = { x = '1.02' }\n"), "particle.toml");
  ASSERT_EQ(m.start.next.size(), 2u);
  const auto found = run<double>(m.system, Scheme::named(m.scheme), m.start, m.span);
  EXPECT_NEAR(found.column("x")[1], 1.02, 1e-14);
  EXPECT_NEAR(found.column("y")[1], 2, 1e-14);
  EXPECT_LT(found.column("y")[2], 1.95);
}

// Of a mechanism positions may be a little off, and are put on the constraints: that is told of the second one, too.
TEST(StartNext, OffTheConstraintsIsMovedAndTold) {
  const auto moved = [](const char* x, const char* y) {
    Model m = model("pendulum");
    m.start = {.q = {"0.6", "-0.8"}, .next = {x, y}, .slack = "0.01"};
    Stepper<double> stepper(m.system, Scheme::named("rattle"));
    return stepper.start(m.start, 0.05).position;
  };
  EXPECT_LT(moved("0.65", "-0.7599342076785331"), 1e-12);
  EXPECT_NEAR(moved("0.65", "-0.757"), 0.00169, 2e-5);  // of y, the larger
}

TEST(StartNext, ByNameBeginsWithTheLastPositions) {
  // The order of the settings does not matter, and velocities of the model are replaced.
  const Case c = make_case("two-particles", {.start = {{"next:x1", "0.01"}, {"x1", "0"}}});
  const std::vector<std::string>& names = c.model.system.coordinate_names();
  ASSERT_EQ(c.model.start.next.size(), names.size());
  EXPECT_TRUE(c.model.start.v.empty() && c.model.start.p.empty());
  for (std::size_t k = 0; k < names.size(); ++k)
    EXPECT_EQ(c.model.start.next[k], names[k] == "x1" ? Number("0.01") : c.model.start.q[k]) << names[k];
  const Case back = make_case("two-particles", {.start = {{"v:x1", "1"}}});
  EXPECT_TRUE(back.model.start.next.empty());
}

TEST(StartNext, IsOneOfThreeKinds) {
  EXPECT_THAT(refusal([] { make_case("two-particles", {.start = {{"next:x1", "0"}, {"v:x1", "0"}}}); }),
              HasSubstr("found velocities (v:) and next positions (next:); expected one kind"));
  EXPECT_THAT(refusal([] { make_case("two-particles", {.start = {{"next:z9", "0"}}}); }),
              HasSubstr("(v:, p: and next: of each, and t)"));
  EXPECT_THAT(refusal([] { read_model_text(particle("velocity = { x = 1 }\nnext = { x = 1 }\n"), "particle.toml"); }),
              HasSubstr("found velocities and next positions; expected one of them"));
}

}  // namespace
}  // namespace extremal::case_test
