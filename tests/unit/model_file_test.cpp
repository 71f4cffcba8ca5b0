// What model files mean: numbers with all their digits, formulas, repetitions, starts, runs, observers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::model_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model read(const std::string& text, const Settings& settings = {}) {
  return read_model_text(text, "test.toml", settings);
}

const std::string ball = R"toml(coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
[parameters]
m = 1
g = 9.81
)toml";

TEST(ModelFile, KeepsEveryDigitOfANumber) {
  const Model m =
      read(ball + "third = 0.333333333333333333333333333333333\nlarge = 1_000.5\nhex = 0x10\nplus = +1e-3\n");
  EXPECT_EQ(m.system.parameters()[1].as<quad>(), Number("9.81").as<quad>());
  EXPECT_NE(m.system.parameters()[1].as<quad>(), quad(9.81));
  EXPECT_EQ(m.system.parameters()[2].text(), "0.333333333333333333333333333333333");
  EXPECT_EQ(m.system.parameters()[3].text(), "1000.5");
  EXPECT_EQ(m.system.parameters()[4].as<double>(), 16);
  EXPECT_EQ(m.system.parameters()[5].as<quad>(), Number("1e-3").as<quad>());
}

// Repeated, with a parameter, and with a force that sees the velocity p/m.
TEST(ModelFile, MayBeGivenByAHamiltonian) {
  const std::string text = R"toml([[coordinates]]
repeat = 2
names = ["x{i}"]
start = [1]
momentum = ["i - 1"]
[[hamiltonian]]
repeat = 2
formula = "p.x{i}^2/(2*m) + i^2*x{i}^2/2"
[parameters]
m = 2
)toml";
  const Model m = read(text);
  EXPECT_TRUE(m.system.has(Role::hamiltonian));
  EXPECT_EQ(m.start.p[1].as<double>(), 1);
  const Span span{.step = "0.1", .until = 3};
  const auto run = extremal::run(m.system, "phase_space(3)", m.start, span);
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  const double w1 = std::sqrt(1 / 2.0), w2 = std::sqrt(4 / 2.0);
  EXPECT_NEAR(run.column("x1").back(), std::cos(3 * w1), 1e-8);
  EXPECT_NEAR(run.column("x2").back(), std::cos(3 * w2) + std::sin(3 * w2) / (2 * w2), 1e-6);
  const auto heavy = extremal::run(m.system.with("m", 8), "phase_space(3)", m.start, span);
  EXPECT_NEAR(heavy.column("x1").back(), std::cos(3 * std::sqrt(1 / 8.0)), 1e-8);
  const Model damped = read(text + "[[force]]\nname = \"damper\"\nalong = { x1 = \"-x1'\" }\n");
  const auto slow = extremal::run(damped.system, "phase_space(3)", damped.start, span);
  const double c = 0.25, w = std::sqrt(0.5 - c * c);  // 2 x'' = -x - x'
  EXPECT_NEAR(slow.column("x1").back(), std::exp(-3 * c) * (std::cos(3 * w) + c / w * std::sin(3 * w)), 1e-8);
}

TEST(ModelFile, RepeatsGroups) {
  const Model m = read(R"toml(space = "planar"
[[group]]
repeat = [2, 3]
[[group.body]]
name = "leg {i}"
inertia = 1
position = ["i", 0]
[[group.joint]]
name = "A{i}"
type = "revolute"
from = { at = ["i", 0] }
to = "leg {i}"
[[group.point_mass]]
name = "foot {i}"
position = ["i", -1]
[[group.spring]]
name = "s{i}"
from = "leg {i}"
to = "foot {i}"
[[body]]
name = "last"
inertia = 1
)toml");
  std::vector<std::string> centres;
  for (const std::string& name : m.system.coordinate_names())
    if (name.ends_with(".x")) centres.push_back(name);
  EXPECT_THAT(centres, ElementsAre("leg 2.x", "foot 2.x", "leg 3.x", "foot 3.x", "last.x"));
  EXPECT_EQ(m.start.q[6].as<double>(), 2);
}

TEST(ModelFile, KeepsAboutAsManyOutputsAsItSays) {
  const auto every = [](const std::string& how) { return read(ball + "[run]\n" + how).span.every; };
  EXPECT_EQ(every("step = 0.01\nuntil = 10\noutputs = 50\n"), 20);
  EXPECT_EQ(every("steps = 300\nuntil = 10\noutputs = 100\n"), 3);
  EXPECT_EQ(every("step = 0.01\nuntil = 1\noutputs = 70\n"), 1);
  EXPECT_EQ(every("step = 0.01\nuntil = 1\noutputs = 7000\n"), 1);
}

TEST(ModelFile, HasANameATitleAndACitation) {
  const Model named = read("name = \"n\"\ntitle = \"t\"\ncitation = \"c\"\n" + ball);
  EXPECT_EQ(named.system.name() + named.title + named.citation, "ntc");
  EXPECT_EQ(read(ball).system.name(), "test");  // that of the file
}

TEST(ModelFile, KeepsTheOrderOfTheFile) {
  const Model m = read(R"toml(coordinates = ["z", "a"]
kinetic = "z'^2 + a'^2"
[parameters]
w = 1
b = 2
a2 = 3
)toml");
  EXPECT_THAT(m.system.coordinate_names(), ElementsAre("z", "a"));
  EXPECT_THAT(m.system.parameter_names(), ElementsAre("w", "b", "a2"));
}

TEST(ModelFile, ParametersFollowEachOtherAndSettings) {
  const std::string text = R"toml(coordinates = ["x"]
kinetic = "m/2*x'^2"
potential = "k/2*x^2"
[parameters]
k = "m*w^2"
w = 2
m = "3/2"
[start]
x = "w/4"
)toml";
  const Model m = read(text);
  EXPECT_THAT(m.system.parameter_names(), ElementsAre("w", "m"));  // k is computed
  EXPECT_EQ(m.parameters[0].second.as<double>(), 6);
  EXPECT_EQ(m.start.q[0].as<double>(), 0.5);
  const Model changed = read(text, {{"w", Number(4)}});
  EXPECT_EQ(changed.parameters[0].second.as<double>(), 24);
  EXPECT_EQ(changed.start.q[0].as<double>(), 1);
  const Model other = read(text, {{"k", Number(7)}});  // instead of its formula
  EXPECT_EQ(other.parameters[0].second.as<double>(), 7);
  EXPECT_THAT(refusal([&] { read(text, {{"kk", Number(7)}}); }), HasSubstr("did you mean \"k\""));
}

TEST(ModelFile, RepeatsFormulasAtSites) {
  const std::string text = R"toml([[coordinates]]
repeat = 100
names = ["x{i}"]
start = ["i/10"]
velocity = ["-i"]
[[kinetic]]
repeat = 100
formula = "x{i}'^2/2"
[[potential]]
repeat = 99
formula = "(x{i+1} - x{i})^2/2"
[[constraint]]
repeat = 2
name = "hold {i}"
formula = "x{i} - 1/10*{i}"
[[constraint]]
repeat = [3, 4]
name = "rail"
formula = "x{i} - x{i+1} + 1/10"
[[force]]
repeat = [5, 6]
name = "push"
along = { "x{i}" = "-x{i+1}'" }
)toml";
  const Model m = read(text);
  EXPECT_EQ(m.system.size(), 100);
  EXPECT_EQ(m.system.terms()[0]->site_count(), 100);
  EXPECT_EQ(m.system.terms()[1]->site_count(), 99);
  EXPECT_THAT(m.system.constraint_names(), ElementsAre("hold 1", "hold 2", "rail[0]", "rail[1]"));
  EXPECT_EQ(m.start.q[49].as<double>(), 5);
  EXPECT_EQ(m.start.v[49].as<double>(), -50);
  EXPECT_EQ(m.system.groups()[99], 99);
}

// i as a number makes a term for each i: the same motion as written out.
TEST(ModelFile, RepeatsFormulasWithNumbers) {
  const Model repeated = read(R"toml([[coordinates]]
repeat = 3
names = ["x{i}"]
[[kinetic]]
repeat = 3
formula = "i/2*x{i}'^2"
[[potential]]
repeat = 2
formula = "cos(i*x{i+1} - x{i})^i"
[start]
x1 = 1
)toml");
  const Model written = read(R"toml(coordinates = [["x1"], ["x2"], ["x3"]]
kinetic = "x1'^2/2 + x2'^2 + 3/2*x3'^2"
potential = "cos(x2 - x1) + cos(2*x3 - x2)^2"
[start]
x1 = 1
)toml");
  const Span span{.step = "0.1", .until = 2};
  const auto a = run(repeated.system, "rattle", repeated.start, span),
             b = run(written.system, "rattle", written.start, span);
  for (const char* name : {"x1", "x2", "x3"}) EXPECT_NEAR(a.column(name).back(), b.column(name).back(), 1e-13);
  EXPECT_GT(std::abs(a.column("x3").back()), 0.01);
}

TEST(ModelFile, SaysHowToRun) {
  const auto span = [](const std::string& run) { return read(ball + "[run]\n" + run).span; };
  EXPECT_EQ(span("step = 0.25\nsteps = 8\n").until.as<double>(), 2);
  EXPECT_EQ(span("until = 2\nsteps = 8\n").step.as<double>(), 0.25);
  EXPECT_EQ(span("step = \"1/g\"\nuntil = \"10/g\"\nevery = 5\n").every, 5);
  const Model m =
      read(ball + "[start]\nt = 1\n[run]\nscheme = \"spark( 2 )\"\nprecision = \"quad\"\nuntil = 3\nsteps = 4\n");
  EXPECT_EQ(m.span.step.as<double>(), 0.5);
  EXPECT_EQ(m.scheme, "spark(2)");
  EXPECT_EQ(m.precision, "quad");
}

TEST(ModelFile, Observes) {
  const Model m = read(ball + R"toml(w = "2*g"
[[symmetry]]
name = "along x"
along = { x = 1 }
[start]
velocity = { x = 2, y = 1 }
[observe]
"square of speed" = "x'^2 + y'^2"
height = "w*y + t"
)toml");
  const auto r = run<double>(m.system, Scheme::named("rattle"), m.start, {.step = "0.125", .until = 1},
                             {.observers = m.observers});
  EXPECT_DOUBLE_EQ(r.column("square of speed").front(), 5);
  // Energies and momenta are there in any case.
  EXPECT_DOUBLE_EQ(r.column("energy").front(), r.energy_initial);
  EXPECT_DOUBLE_EQ(r.column("momentum:along x").front(), 2);
  EXPECT_EQ(r.column("height").size(), r.column("t").size());
  EXPECT_DOUBLE_EQ(r.column("height").back(), 2 * 9.81 * r.column("y").back() + 1);
  EXPECT_EQ(m.system.terms().size(), 3u);  // observers act on nothing
}

TEST(ModelFile, DrawsAPicture) {
  const Model m = read(ball + R"toml(w = "2*g"
[picture]
points = { wall = [-1, "w"], top = [0, "cos(t)"], ball = ["x + 1", "y + y'"] }
links = [["top", "ball"]]
springs = [["wall", "ball"]]
trails = ["ball"]
)toml");
  const Picture& p = m.picture;
  EXPECT_EQ(p.dimension, 2);
  ASSERT_EQ(p.points.size(), 3u);
  EXPECT_EQ(p.points[2].name, "ball");
  EXPECT_THAT(p.trails, ElementsAre(2));
  ASSERT_EQ(p.lines.size(), 2u);
  EXPECT_EQ(p.lines[0].from, 1);
  EXPECT_FALSE(p.lines[0].spring);
  EXPECT_EQ(p.lines[1].from, 0);
  EXPECT_TRUE(p.lines[1].spring);
  std::vector<double> parameters;
  for (const Number& x : m.system.parameters()) parameters.push_back(x.as<double>());
  const double q[] = {3, 4}, v[] = {5, 6}, t = 7;
  const auto value = [&](std::size_t point, std::size_t component) {
    double x = 0;
    p.points[point].place[component]->at<double>().value({1, 2, q, v, &t, parameters.data()}, &x);
    return x;
  };
  EXPECT_EQ(value(0, 0), -1);
  EXPECT_DOUBLE_EQ(value(0, 1), 2 * 9.81);
  EXPECT_DOUBLE_EQ(value(1, 1), std::cos(7.0));
  EXPECT_EQ(value(2, 0), 4);
  EXPECT_EQ(value(2, 1), 10);
  EXPECT_EQ(m.system.terms().size(), 2u);  // a picture does nothing
}

}  // namespace
}  // namespace extremal::model_file_test
