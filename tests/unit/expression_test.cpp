// Expressions, and models written as texts: what is made in C++ can be read again.
#include "extremal/expression.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "extremal/models.hpp"
#include "formula/parser.hpp"
#include "formula/print.hpp"

namespace extremal {
namespace {

Run<double> go(const Model& m, const char* scheme = "spark(2)") {
  return run<double>(m.system, scheme, m.start, {.step = "0.01", .until = 1});
}

Model plain(System system, Start start) {
  return {.system = std::move(system), .start = std::move(start), .span = {}, .title = "", .citation = ""};
}

System lambdas() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  const Parameter g = s.parameter("g", "9.81");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(ball, [](auto q, auto weight) { return weight * q[1] + 0.1 * sin(q[0]) * exp(-q[1]); }, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  s.force(
      "wind", ball, [](auto q, auto v, auto t) { return rows(cos(t) - 0.1 * v[0], 0.01 * q[0] / (2.0 + q[1])); }, time);
  return s;
}

System expressions() {
  System s("pendulum");
  s.coordinates(std::vector<std::string>{"x", "y"});
  const Parameter g = s.parameter("g", "9.81");
  const Symbols of;
  const Expression x = of.coordinate(0), y = of.coordinate(1), vx = of.velocity(0), vy = of.velocity(1);
  add_term(s, Role::kinetic, "kinetic", {0.5 * (vx * vx + vy * vy)}, {0, 1});
  add_term(s, Role::potential, "potential", {of.parameter(g) * y + 0.1 * sin(x) * exp(-y)}, {0, 1});
  add_term(s, Role::constraint, "rod", {x * x + y * y - 1}, {0, 1});
  add_term(s, Role::force, "wind", {cos(of.time()) - 0.1 * vx, 0.01 * x / (2 + y)}, {0, 1});
  return s;
}

TEST(Expression, MakesTheTermsThatFunctionsMake) {
  const Start start{.q = {1, 0}};
  const auto a = go(plain(lambdas(), start)), b = go(plain(expressions(), start));
  ASSERT_EQ(a.status, Status::complete);
  // The same operations in another order: differences are of round-off.
  EXPECT_NEAR(a.column("x").back(), b.column("x").back(), 1e-13);
}

TEST(Expression, DoesNotMixSymbols) {
  const Symbols one, other;
  EXPECT_THROW(one.coordinate(0) + other.coordinate(0), InputError);
  System s("s");
  s.coordinates("x");
  EXPECT_THROW(add_term(s, Role::potential, "v", {one.coordinate(1)}, {0}), InputError);
  EXPECT_THROW(add_term(s, Role::potential, "v", {one.coordinate(0)}, {3}), InputError);
  EXPECT_THROW(apply("sine", one.coordinate(0), one.coordinate(0)), InputError);
}

TEST(Expression, IsAFunctionOfTimeAndAnObserver) {
  const Symbols of;
  const TimeFunction f = time_function(sin(2 * of.time()));
  EXPECT_NEAR(f.at(0.3)[1], 2 * std::cos(0.6), 1e-15);
  EXPECT_EQ(f.formula(), "sin(2*t)");
  EXPECT_THROW(time_function(of.coordinate(0)), InputError);
  const System s = expressions();
  const auto seen = run<double>(s, "spark(2)", {.q = {1, 0}}, {.step = "0.1", .until = 1},
                                {.observers = {observer(s, "twice", 2 * of.coordinate(0) + of.time(), {0, 1})}});
  EXPECT_DOUBLE_EQ(seen.column("twice").back(), 2 * seen.column("x").back() + 1);
}

TEST(ModelText, OfFunctionsIsReadAgain) {
  const Start start{.q = {1, 0}, .v = {0, "1/3"}};
  const Model made = plain(lambdas(), start);
  const Model read = read_model_text(model_text(made), "pendulum.toml");
  const auto a = go(made), b = go(read);
  EXPECT_NEAR(a.column("x").back(), b.column("x").back(), 1e-13);
  EXPECT_EQ(read.system.constraint_names(), made.system.constraint_names());
}

TEST(ModelText, OfExpressionsHasTheSameBits) {
  const Start start{.q = {1, 0}, .v = {0, "1/3"}};
  const Model made = plain(expressions(), start);
  const Model read = read_model_text(model_text(made), "pendulum.toml");
  EXPECT_EQ(go(made).column("x"), go(read).column("x"));
  EXPECT_EQ(go(made, "rattle").column("p:y"), go(read, "rattle").column("p:y"));
}

TEST(ModelText, OfManySitesHasTheSameBits) {
  System s("chain");
  std::vector<int> sites, pairs;
  for (int i = 0; i < 5; ++i) {
    s.coordinates(std::vector<std::string>{"x" + std::to_string(i), "y" + std::to_string(i)});
    for (const int k : {2 * i, 2 * i + 1}) sites.push_back(k);
    if (i > 0)
      for (const int k : {2 * i - 2, 2 * i - 1, 2 * i, 2 * i + 1}) pairs.push_back(k);
  }
  const Symbols of;
  const auto q = [&](int i) { return of.coordinate(i); };
  add_term(s, Role::kinetic, "kinetic", {(of.velocity(0) * of.velocity(0) + of.velocity(1) * of.velocity(1)) / 2},
           sites, 2);
  add_term(s, Role::potential, "potential", {"9.81" * q(1)}, sites, 2);
  add_term(s, Role::constraint, "link", {(q(2) - q(0)) * (q(2) - q(0)) + (q(3) - q(1)) * (q(3) - q(1)) - 1}, pairs, 4);
  Start start;
  for (int i = 0; i < 5; ++i) start.q.insert(start.q.end(), {Number(i), Number(0)});
  const Model made = plain(s, start), read = read_model_text(model_text(made), "chain.toml");
  EXPECT_EQ(read.system.constraint_names(), s.constraint_names());
  EXPECT_EQ(go(made).column("y4"), go(read).column("y4"));
}

TEST(ModelText, NamesWhatCannotBeWritten) {
  System s("s");
  const auto x = s.coordinates("x");
  s.kinetic(x, [](auto, auto v) { return 0.5 * v[0] * v[0]; });
  s.potential(x, [](auto q) { return q[0] < 0.0 ? q[0] : 2.0 * q[0]; });
  try {
    model_text(plain(s, {.q = {1}}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("potential"), std::string::npos);
  }
}

TEST(ModelText, OfAMechanismHasTheSameBits) {
  Mechanism m("crank", Space::planar);
  m.gravity(0, "-9.81");
  const Body bar = m.body("bar", {.mass = 2, .inertia = "1/6"});
  const Body ball = m.point_mass("ball", "1/2");
  m.place(bar, {.position = {"1/2", 0}, .angle = "0", .angular_velocity = 1});
  m.place(ball, {.position = {2, 0}});
  m.revolute("pivot", m.ground(0, 0), bar.at("-1/2", 0));
  m.distance("rod", bar.at("1/2", 0), ball);
  m.spring("spring", m.ground(1, 1), ball, {.stiffness = 3, .length = "1/2", .damping = "0.1"});
  m.force("push", bar.at(0, "0.1"), {0, [](auto t) { return 2.0 * sin(3.0 * t); }}, Frame::body);
  m.servo("servo", "pivot", 4, 1, [](auto t) { return 0.1 * t; });
  m.start_joint("pivot", {.rate = "1/3"});
  System system = m.system();
  system.force("wind", m.coordinate("pivot"), [](auto, auto v) { return rows(-0.3 * v[0]); });
  Model made = plain(system, m.start());
  made.mechanism = std::make_shared<const Mechanism>(m);
  const std::string text = model_text(made);
  const Model read = read_model_text(text, "crank.toml");
  EXPECT_EQ(go(made).column("ball.y"), go(read).column("ball.y")) << text;
  EXPECT_EQ(go(made).column("pivot.angle"), go(read).column("pivot.angle"));
}

TEST(ModelText, OfARodHasTheSameBits) {
  Mechanism m("beam");
  const Rod beam = m.rod("beam", {.section = Section::circle({.E = "1e7", .G = "4e6", .density = 1000}, "0.01"),
                                  .from = {0, 0, 0},
                                  .to = {1, 0, 0},
                                  .elements = 3,
                                  .first = RodEnd::clamped,
                                  .force = {0, 0, [](auto t) { return -sin(t); }}});
  m.torque("tip", beam.last(), {"0.01", 0, 0});
  Model made = plain(m.system(), m.start());
  made.mechanism = std::make_shared<const Mechanism>(m);
  const Model read = read_model_text(model_text(made), "beam.toml");
  const Span span{.step = "0.0001", .until = "0.005"};
  const auto a = run<double>(made.system, "lie(trapezoidal)", made.start, span);
  const auto b = run<double>(read.system, "lie(trapezoidal)", read.start, span);
  EXPECT_EQ(a.column("beam.3.z"), b.column("beam.3.z"));
  m.place(beam, [](const Number&) { return Placement{}; });
  EXPECT_THROW(m.text(), InputError);
}

// Formulas of models/, written again from their terms.
TEST(ModelText, OfTheModelsMovesAsTheyDo) {
  for (const std::string& name : model_names()) {
    Model m = model(name);
    if (m.mechanism != nullptr || m.network != nullptr) continue;
    SCOPED_TRACE(name);
    m.text.clear();
    const Model read = read_model_text(model_text(m), name);
    const Span span{.step = m.span.step, .until = Number("5*(" + m.span.step.text() + ")")};
    const char* scheme = m.system.has(Role::hamiltonian) ? "phase_space(2)" : "spark(2)";
    const auto a = run<double>(m.system, scheme, m.start, span), b = run<double>(read.system, scheme, read.start, span);
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (std::size_t k = 0; k < static_cast<std::size_t>(2 * m.system.size()); ++k) {
      const double x = a.columns[k].values.back(), y = b.columns[k].values.back();
      // Sums may be written in another order.
      EXPECT_NEAR(x, y, 1e-12 * (1 + std::abs(x))) << a.columns[k].name;
    }
  }
}

TEST(ModelText, IsSavedToAFile) {
  const std::string path = testing::TempDir() + "expression_test.toml";
  save(plain(expressions(), {.q = {1, 0}}), path);
  EXPECT_EQ(read_model(path).system.size(), 2);
  std::remove(path.c_str());
}

// Fourteen times y = sin(y) + y^2: 2^14 sines without names.
TEST(Definitions, KeepTextsShort) {
  System s("nested");
  s.coordinates("x");
  const Symbols of;
  Expression y = of.coordinate(0);
  for (int k = 0; k < 14; ++k) y = sin(y) + y * y / 10;
  add_term(s, Role::kinetic, "kinetic", {of.velocity(0) * of.velocity(0) / 2}, {0});
  add_term(s, Role::potential, "potential", {y}, {0});
  const std::string text = model_text(plain(s, {.q = {"1/2"}}));
  EXPECT_LT(text.size(), 2000U);
  EXPECT_EQ(go(plain(s, {.q = {"1/2"}})).column("x"), go(read_model_text(text, "nested")).column("x"));
}

TEST(Definitions, MeanWhatTheirNamesMeanWhereTheyAreUsed) {
  const char* text = R"(
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
[[potential]]
formula = "stretch^2*k"
names = ["a", "b"]
sites = [["x", "y"], ["y", "x"]]
[parameters]
k = 3
[definitions]
half = "a/2"
stretch = "half - b"
[observe]
speed = "x'"
)";
  const Model m = read_model_text(text, "m.toml");
  EXPECT_EQ(m.system.terms()[1]->site_count(), 2);
  const double q[] = {1, 2}, v[] = {0, 0}, t = 0, k = 3;
  double out[2];
  m.system.terms()[1]->at<double>().value({1, 2, q, v, &t, &k}, out);
  EXPECT_DOUBLE_EQ(out[0], 3 * 1.5 * 1.5);
  EXPECT_DOUBLE_EQ(out[1], 0);
}

std::string refusal(const std::string& definitions, const std::string& potential = "x") {
  try {
    read_model_text("coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"" + potential +
                        "\"\n[parameters]\nk = 1\n[definitions]\n" + definitions,
                    "m.toml");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Definitions, AreRefusedWhereTheyMeanNothing) {
  EXPECT_NE(refusal("a = \"b\"\nb = \"a\"").find("circle"), std::string::npos);
  EXPECT_NE(refusal("k = \"x\"").find("also a parameter"), std::string::npos);
  EXPECT_NE(refusal("x = \"1\"").find("also a coordinate"), std::string::npos);
  EXPECT_NE(refusal("sin = \"1\"").find("cannot be used"), std::string::npos);
  EXPECT_NE(refusal("a = \"x +\"").find("m.toml:7"), std::string::npos);
  EXPECT_NE(refusal("a = \"xx\"", "a").find("unknown name \"xx\""), std::string::npos);
  EXPECT_NE(refusal("a = \"x\"", "a'").find("after coordinates only"), std::string::npos);
}

// What is printed is read as the same node: operations that bind differently, signs, fractions, conditions.
TEST(Print, IsReadAsTheSameNode) {
  for (const char* text : {"x",
                           "-x",
                           "2*x",
                           "-2*x*y",
                           "x - y",
                           "x - (y - z)",
                           "x/y/z",
                           "x/(y/z)",
                           "(x*y)/z",
                           "x*(y/z)",
                           "-(x/y)",
                           "x^2",
                           "(-x)^2",
                           "-x^2",
                           "x^(-2)",
                           "x^y^z",
                           "(x^y)^z",
                           "1/x",
                           "2/x",
                           "3/x",
                           "-1/x",
                           "x/3",
                           "x*(1/3)",
                           "sqrt(x)",
                           "1/sqrt(x)",
                           "atan2(x, -y)",
                           "if(x < y, z, -x)",
                           "if(x < 0 and y < 1, x^2, 0)",
                           "min(x, y)",
                           "max(x, 2) - 1",
                           "sign(x)",
                           "mod(x, 3)",
                           "floor(x/2)",
                           "(x + y)*(x - y)",
                           "((x + y) + z)^3",
                           "x*x*x",
                           "exp(-(x^2 + y^2)/2)",
                           "abs(x)*1e-300",
                           "-(x + y)",
                           "z - 2*(x + y)",
                           "(x - 1)/(y - 1)",
                           "0.1*x + 1e10"}) {
    Graph graph;
    const auto names = [&](std::string_view name, bool) { return graph.coordinate(name[0] - 'x'); };
    const int node = parse(text, graph, names);
    const PrintedFormulas out = print(
        graph, {node}, [](const Graph::Node& leaf) { return std::string(1, static_cast<char>('x' + leaf.a)); },
        [] { return "never"; });
    EXPECT_EQ(parse(out.rows[0], graph, names), node) << text << " is printed as " << out.rows[0];
  }
}

}  // namespace
}  // namespace extremal
