// Models written as texts say all that a run is made of: keys of [run], start, observers, tables, pictures; and what
// was changed of a model that was read from a text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "extremal/case.hpp"
#include "extremal/expression.hpp"
#include "refusal.hpp"
#include "run/keys.hpp"

namespace extremal::model_text_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Model oscillator() {
  System s("oscillator");
  const auto x = s.coordinates("x", "y");
  const Parameter k = s.parameter("k", "2");
  s.kinetic(x, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(x, [](auto q, auto stiffness) { return 0.5 * stiffness * (q[0] * q[0] + 3.0 * q[1] * q[1]); }, k);
  return {.system = std::move(s), .start = {.q = {1, "1/3"}}, .span = {}, .title = "two springs", .citation = ""};
}

std::string text_of(const RunKey& key, Model model) { return key.text({model.scheme, model.span, model.precision}); }
void say(Model& model, const RunTexts& said) { take(said, {model.scheme, model.span, model.precision}); }

const RunTexts values = {{"scheme", "rattle"},
                         {"step", "1/8"},
                         {"until", "3"},
                         {"accuracy", "1e-6"},
                         {"precision", "quad"},
                         {"every", "4"},
                         {"at", "[\"1\",\"1/3\"]"},
                         {"error_estimate", "1"},
                         {"pattern", "[\"1\",\"1/2\"]"},
                         {"pace", "reversible"},
                         {"threads", "3"},
                         {"extra_columns", "[\"hidden\"]"},
                         {"multipliers", "scheme"},
                         {"columns", "[\"q\",\"energy\"]"}};

TEST(ModelText, HasEveryKeyOfRun) {
  RunTexts all;
  for (const RunKey& key : run_keys()) {
    ASSERT_TRUE(values.contains(key.name)) << key.name;
    all[key.name] = values.at(key.name);
    for (const RunTexts& said : {RunTexts{{key.name, values.at(key.name)}}, all}) {
      Model model = oscillator();
      say(model, said);
      EXPECT_NE(text_of(key, model), text_of(key, oscillator())) << key.name;
      const std::string text = model_text(model);
      const Model read = read_model_text(text, "again");
      for (const RunKey& other : run_keys()) EXPECT_EQ(text_of(other, read), text_of(other, model)) << text;
    }
  }
}

TEST(ModelText, HasOutputsWhereTheySayHowManyRowsThereAre) {
  Model model = oscillator();
  model.span = {.step = "0.01", .until = 1, .outputs = 4, .every = 25};
  EXPECT_EQ(read_model_text(model_text(model), "again").span.outputs, 4);
  model.span.every = 10;  // was said after them
  const Model read = read_model_text(model_text(model), "again");
  EXPECT_EQ(read.span.every, 10);
  model.span.accuracy = "1e-6";
  EXPECT_EQ(read_model_text(model_text(model), "again").span.outputs, 4);
}

TEST(ModelText, MakesTheSameColumns) {
  Model model = oscillator();
  say(model, {{"scheme", "spark(2)"},
              {"step", "1/8"},
              {"until", "3"},
              {"pattern", "[\"1\",\"1/2\"]"},
              {"at", "[\"1/3\",\"1.7\"]"},
              {"columns", "[\"x\",\"p:y\",\"energy\"]"}});
  const Model read = read_model_text(model_text(model), "again");
  const auto a = run<double>(make_case(model)), b = run<double>(make_case(read));
  ASSERT_EQ(a.status, Status::complete);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  ASSERT_EQ(a.dense.size(), b.dense.size());
  EXPECT_EQ(a.steps, b.steps);
  for (const char* name : {"t", "x", "p:y"})
    for (std::size_t k = 0; k < a.column(name).size(); ++k)
      EXPECT_NEAR(a.column(name)[k], b.column(name)[k], 1e-13) << name;
  EXPECT_EQ(a.dense[0].values, b.dense[0].values);
}

TEST(ModelText, HasTheWholeStart) {
  Model model = oscillator();
  model.start.slack = "0.001";
  model.start.t = "1/2";
  for (std::vector<Number> Start::* const kind : {&Start::v, &Start::p, &Start::next}) {
    model.start.v = model.start.p = model.start.next = {};
    model.start.*kind = {"1.5", "2/3"};
    const Start read = read_model_text(model_text(model), "again").start;
    EXPECT_EQ(read.slack, model.start.slack);
    EXPECT_EQ(read.t, model.start.t);
    EXPECT_EQ(read.q, model.start.q);
    EXPECT_EQ(read.*kind, model.start.*kind);
  }
}

// With observers, a table, a rate, a slow potential and a picture.
TEST(ModelText, HasWhatFormulasLookAt) {
  Model model = read_model_text(R"toml(coordinates = ["x", "b.y"]
kinetic = "x'^2/2 + b.y'^2/2"
potential = [{ formula = "k*well(x)", slow = true }, "2*b.y^2"]
[tables]
well = { points = [[-2, 4], [-1, 1], [0, 0], [1, 1], [2, 4]], between = "cubic" }
[parameters]
k = 3
[time]
rate = "1 + b.y^2"
[observe]
far = "k*(x^2 + b.y^2) + t*x'"
deep = "well(x) + well(b.y)"
[picture]
points = { a = ["x", "0"], b = ["x", "b.y"] }
links = [["a", "b"]]
trails = ["b"]
[start]
x = 1
"b.y" = 0.5
[run]
step = 0.125
until = 2
)toml",
                                "m.toml");
  model.text.clear();
  const std::string text = model_text(model);
  const Model read = read_model_text(text, "m.toml");
  const auto a = run<double>(make_case(model)), b = run<double>(make_case(read));
  for (const char* name : {"x", "b.y", "far", "deep"}) {
    ASSERT_EQ(a.column(name).size(), b.column(name).size()) << text;
    for (std::size_t k = 0; k < a.column(name).size(); ++k)
      EXPECT_NEAR(a.column(name)[k], b.column(name)[k], 1e-13) << name << "\n" << text;
  }
  EXPECT_TRUE(read.system.terms()[1]->slow);
  EXPECT_FALSE(read.system.terms()[2]->slow);
  EXPECT_NE(read.span.rate, nullptr);
  ASSERT_EQ(read.picture.points.size(), 2U);
  EXPECT_EQ(read.picture.points[1].name, "b");
  EXPECT_EQ(read.picture.lines.size(), 1U);
  EXPECT_EQ(read.picture.trails, std::vector<int>{1});
}

TEST(ModelText, OfMechanismsHasTheirStart) {
  Mechanism m("arm", Space::planar);
  const Body bar = m.body("bar", {.mass = 2, .inertia = "1/6"});
  m.place(bar, {.position = {"1/2", 0}, .angle = "0", .angular_velocity = 1});
  m.revolute("pivot", m.ground(0, 0), bar.at("-1/2", 0));
  Model model{.system = m.system(), .start = m.start(), .span = {}, .title = "", .citation = ""};
  model.mechanism = std::make_shared<const Mechanism>(m);
  EXPECT_THAT(model_text(model), Not(HasSubstr("[start]")));
  for (const bool moves : {true, false}) {
    model.start.t = "1/2";
    model.start.v.assign(model.start.q.size(), moves ? Number("1/4") : Number(0));
    if (!moves) model.start.v.clear();
    const Start read = read_model_text(model_text(model), "again").start;
    EXPECT_EQ(read.t.as<double>(), 0.5);
    for (std::size_t k = 0; k < read.q.size(); ++k) {
      EXPECT_EQ(read.q[k].as<quad>() == model.start.q[k].as<quad>(), true);
      EXPECT_EQ(read.v[k].as<double>(), moves ? 0.25 : 0);
    }
  }
}

// Everything of models/ that is formulas, written anew.
TEST(ModelText, OfTheModelsHasTheirRunsAndStarts) {
  int count = 0;
  for (const std::string& name : model_names()) {
    Model m = model(name);
    if (m.mechanism != nullptr || m.network != nullptr) continue;
    SCOPED_TRACE(name);
    ++count;
    m.text.clear();
    const Model read = read_model_text(model_text(m), name);
    for (const RunKey& key : run_keys()) EXPECT_EQ(text_of(key, read), text_of(key, m)) << key.name;
    EXPECT_EQ(read.span.outputs, m.span.outputs);
    EXPECT_EQ(read.start.q, m.start.q);
    EXPECT_EQ(read.start.t, m.start.t);
    EXPECT_EQ(read.start.slack, m.start.slack);
    ASSERT_EQ(read.observers.size(), m.observers.size());
    for (std::size_t k = 0; k < m.observers.size(); ++k) EXPECT_EQ(read.observers[k].name, m.observers[k].name);
    EXPECT_EQ(read.picture.points.size(), m.picture.points.size());
    EXPECT_EQ(read.picture.lines.size(), m.picture.lines.size());
  }
  EXPECT_GT(count, 10);
}

// Of all of them, with the text that they have: it is kept, and changes are put into it.
TEST(ModelText, OfAFileFollowsWhatIsChanged) {
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    const Model usual = model(name);
    EXPECT_EQ(model_text(usual), usual.text);
    Model other = usual;
    say(other, {{"scheme", "rattle"}, {"step", "1/1024"}, {"until", "1"}, {"at", "[\"1/3\"]"}});
    other.start.t = "1/16";
    const std::string text = model_text(other);
    const Model read = read_model_text(text, name);
    for (const RunKey& key : run_keys()) EXPECT_EQ(text_of(key, read), text_of(key, other)) << text;
    EXPECT_EQ(read.start.t.as<double>(), 0.0625);
    EXPECT_EQ(read.observers.size(), usual.observers.size());
  }
}

double parameter(const Model& model, const std::string& name) {
  for (const auto& [key, value] : model.parameters)
    if (key == name) return value.as<double>();
  return NAN;
}

TEST(ModelText, OfAFileHasTheParametersThatWereSet) {
  const std::string usual = model("pendulum").text;
  const Model moon = model("pendulum", {{"g", "1.62"}});
  const std::string text = model_text(moon);
  EXPECT_THAT(text, HasSubstr("g = \"1.62\""));
  EXPECT_THAT(text, Not(HasSubstr("9.81")));
  EXPECT_EQ(text.size(), usual.size() + 2);  // but for it the text is what it was
  Model with = model("pendulum");
  with.system = with.system.with("g", "1.62");
  EXPECT_EQ(model_text(with), text);
  EXPECT_THAT(model_text(model("chain(3)")), HasSubstr("n = 3\n"));
  EXPECT_EQ(read_model_text(model_text(model("chain(3)")), "chain").system.size(), model("chain(3)").system.size());
  // Bodies are made by them; what is computed from a parameter stays a formula where that has its value.
  const std::string arm = R"toml(space = "planar"
[[body]]
name = "a"
mass = "m"        # of the whole
inertia = "J"
[parameters]
J = 'm/12'        # of a bar
m = 2             # kg
k = "sqrt(m)"
[run]
until = 3
# Where it is.
[start]
"a.x" = 1
)toml";
  const std::string heavy = model_text(read_model_text(arm, "arm", {{"m", "5"}}));
  EXPECT_THAT(heavy, HasSubstr("J = 'm/12'        # of a bar\nm = 5             # kg\nk = \"sqrt(m)\""));
  const std::string stiff = model_text(read_model_text(arm, "arm", {{"J", "1/7"}}));
  EXPECT_THAT(stiff, HasSubstr("J = \"1/7\"        # of a bar\nm = 2 "));
  EXPECT_DOUBLE_EQ(parameter(read_model_text(stiff, "arm"), "J"), 1.0 / 7);
  Model moved = read_model_text(arm, "arm");
  moved.span.until = 4;
  const std::string later = model_text(moved);
  EXPECT_THAT(later, HasSubstr("# Where it is.\n[start]"));
  EXPECT_THAT(later, Not(HasSubstr("until = 3")));
  EXPECT_EQ(read_model_text(later, "arm").span.until, Number(4));
}

// Never the text of another model than it is.
TEST(ModelText, OfAFileIsRefusedWhereItCannotFollow) {
  Model m = model("pendulum");
  m.system.force("wind", Coordinates<1>{{0}}, [](auto, auto v) { return rows(-0.3 * v[0]); });
  EXPECT_THAT(refusal([&] { model_text(m); }), HasSubstr("found other coordinates or terms than its text has"));
  Model one = read_model_text("coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\nrun = { until = 3 }\n", "m");
  one.span.until = 4;
  EXPECT_THAT(refusal([&] { model_text(one); }), HasSubstr("found \"run\" in one line; expected a table [run]"));
}

}  // namespace
}  // namespace extremal::model_text_test
