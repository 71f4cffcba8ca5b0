#include <gtest/gtest.h>

#include <ctime>
#include <fstream>

#include "formula/formulas.hpp"
#include "refusal.hpp"

namespace extremal::formula_parse_test {
namespace {

// A system with x, y, bar.x and the parameters m = 2, g = 9.81, w = sqrt(g/m).
struct Bench {
  System s{"s"};
  Formulas f{s};
  Bench() {
    s.coordinates("x", "y", "bar.x");
    f.parameters({{"w", "sqrt(g/m)"}, {"m", "2"}, {"g", "9.81"}});
  }
  std::string potential(const std::string& text) {
    return refusal([&] { f.add(Role::potential, text); });
  }
};

quad value(const std::string& text) {
  Bench b;
  return b.f.value(text);
}

TEST(Formula, HasTheGrammarOfNumbers) {
  for (const char* text : {"1 + 2*3",
                           "(1+2)*3",
                           "8/4/2",
                           "1-2-3",
                           "-2^2",
                           "2^-1",
                           "2^3^2",
                           "--1",
                           "2*-3",
                           "-2^-2",
                           "2^2*3",
                           "6/2*3",
                           "1e-3*2e3",
                           "sqrt(2)^2",
                           "4*abs(-1/3)",
                           "sin(pi/6)",
                           "atan2(-1, -2)",
                           "pow(2, 0.3)",
                           "ln(2) + log(3)",
                           "1/(4-4^(1/3))",
                           ".5",
                           "tanh(1) + asin(0.3)*acos(0.3) - atan(3)",
                           " 1\n+\t2 ",
                           "10/3",
                           "1/3*3",
                           "7/10*x*0 + 1"}) {
    const std::string plain = std::string(text).find('x') == std::string::npos ? text : "1";
    Graph g;
    const int n = parse(text, g, [&](std::string_view, bool) { return g.coordinate(0); });
    ASSERT_TRUE(g.is_constant(n)) << text;
    EXPECT_LE(static_cast<double>(math::abs(g.value(n) - Number(plain).as<quad>())), 1e-33) << text;
  }
  EXPECT_TRUE(value("0.1") == quad(1) / 10);  // not the double 0.1
}

TEST(Formula, UnaryMinusAndPowersAreAsInPrint) {
  Graph g;
  const auto node = [&](const char* text) {
    return parse(text, g, [&](std::string_view name, bool) { return g.coordinate(name == "x" ? 0 : 1); });
  };
  EXPECT_EQ(node("-x^2"), node("-(x^2)"));
  EXPECT_EQ(node("x^2^3"), node("x^(2^3)"));
  EXPECT_EQ(node("x^-1"), node("1/x"));
  EXPECT_EQ(node("2^x^y"), node("2^(x^y)"));
  EXPECT_EQ(node("x - x - y"), node("-y"));
  EXPECT_NE(node("(-x)^3"), node("x^3"));
}

TEST(Formula, SaysWhatIsWrongAndInWhichColumn) {
  Bench b;
  EXPECT_EQ(b.potential("x + (y"), "formula \"x + (y\": column 7: found the end; expected \")\"");
  EXPECT_EQ(b.potential("x ** y"),
            "formula \"x ** y\": column 4: found \"*\"; expected a number, a name, a function or \"(\"");
  EXPECT_EQ(b.potential("2 x"), "formula \"2 x\": column 3: found \"x\"; expected an operator or the end");
  EXPECT_EQ(b.potential(""), "formula \"\": column 1: found the end; expected a number, a name, a function or \"(\"");
  EXPECT_EQ(
      b.potential("x + barx"),
      "formula \"x + barx\": column 5: unknown name \"barx\"; did you mean \"bar.x\"? known: bar.x, x, y, m, g, w, t, "
      "pi, sqrt, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, ln, abs, pow, floor, mod, min, "
      "max, sign, if");
  EXPECT_NE(b.potential("sine(x)").find("column 1: unknown name \"sine\"; did you mean \"sin\"?"), std::string::npos);
  EXPECT_EQ(b.potential("y + x'"),
            "formula \"y + x'\": column 5: found the velocity x'; expected coordinates only in a potential");
  EXPECT_EQ(b.potential("m'*x"), "formula \"m'*x\": column 1: found m'; expected ' after coordinates only");
  EXPECT_NE(b.potential("x*t'").find("expected ' after coordinates only"), std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::kinetic, "x''^2"); }).find("column 3: found \"'\"; expected an operator"),
            std::string::npos);
  EXPECT_EQ(b.potential("x/0"),
            "formula \"x/0\": column 2: found a division by zero; expected a divisor other than zero");
  EXPECT_EQ(b.potential("x + sqrt(1 - 2)"),
            "formula \"x + sqrt(1 - 2)\": column 5: found a constant part that is nan; "
            "expected a finite number below 1.8e308 in size");
  EXPECT_NE(b.potential("x*1e400").find("column 3: found a number of 1e400; expected a finite"), std::string::npos);
  EXPECT_NE(b.potential("x*1e99999").find("column 3: found \"1\"; expected a finite decimal"), std::string::npos);
  EXPECT_NE(b.potential("x*10^400").find("column 5: found a constant part that is"), std::string::npos);
  EXPECT_NE(b.potential("atan2(x)").find("column 8: found \")\"; expected \",\": atan2 has two"), std::string::npos);
  EXPECT_NE(b.potential("sin x").find("column 5: found \"x\"; expected \"(\" after sin"), std::string::npos);
  EXPECT_NE(b.potential("x \xce\xb8").find("column 3: found \"\xce\xb8\""), std::string::npos);
  EXPECT_NE(b.potential("x \xce").find("column 3: found a byte that is no text"), std::string::npos);
  EXPECT_NE(b.potential(std::string("x\0y", 3)).find("column 2: found a byte"), std::string::npos);
  std::string greek;
  for (int k = 0; k < 100; ++k) greek += "\xce\xb8";
  EXPECT_NE(b.potential("+" + greek).find("\xce\xb8...\": column 2"), std::string::npos);  // quoted in whole characters
  EXPECT_NE(b.potential("m*g").find("depends on no coordinate"), std::string::npos);
  EXPECT_NE(b.potential("0*x + nan").find("unknown name \"nan\""), std::string::npos);
  EXPECT_EQ(b.s.terms().size(), 0u);  // nothing of all this was added
  EXPECT_EQ(b.potential("x"), "");
  try {
    b.f.add(Role::potential, "x + z");
    FAIL();
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.column, 5u);
    EXPECT_EQ(error.reason.find("unknown name \"z\""), 0u);
  }
}

TEST(Formula, ParametersMayBeInAnyOrderAndFollowTheOthers) {
  Bench b;
  EXPECT_EQ(b.s.parameter_names(), (std::vector<std::string>{"m", "g"}));
  EXPECT_TRUE(b.f.value("w") == math::sqrt(quad(981) / 100 / 2));
  b.f.parameters({{"v2", "w*h"}, {"h", "0.5"}});  // later ones may use those before
  EXPECT_TRUE(b.f.value("v2/h") == b.f.value("w"));
  EXPECT_EQ(b.f.number("9.810").text(), "9.810");
  EXPECT_EQ(b.f.number("m/10").text(), "0.2");
  b.f.add(Role::potential, "w^2*x");
  const System heavy = b.s.with("m", "8");
  const auto slope = [](const System& s) {
    const quad q[3] = {1, 1, 1}, t = 0;
    std::vector<quad> p;
    for (const Number& x : s.parameters()) p.push_back(x.as<quad>());
    quad value = 0;
    s.terms()[0]->at<quad>().value({1, 3, q, nullptr, &t, p.data()}, &value);
    return value;
  };
  EXPECT_LT(static_cast<double>(math::abs(slope(b.s) - quad(981) / 200)), 1e-33);
  EXPECT_LT(static_cast<double>(math::abs(slope(heavy) - quad(981) / 800)), 1e-33);
}

TEST(Formula, RefusesBadParameters) {
  const auto define = [](const std::vector<Formulas::Definition>& list) {
    Bench b;
    return refusal([&] { b.f.parameters(list); });
  };
  EXPECT_EQ(define({{"a", "b + 1"}, {"b", "2*c"}, {"c", "a"}}),
            "s: \"a\" is defined by itself: a -> b -> c -> a; expected definitions without a circle");
  EXPECT_EQ(define({{"a", "a"}}), "s: \"a\" is defined by itself: a -> a; expected definitions without a circle");
  EXPECT_NE(define({{"a", "2*mm"}}).find("column 3: unknown name \"mm\"; did you mean \"m\"?"), std::string::npos);
  EXPECT_NE(define({{"a", "x"}}).find("unknown name \"x\""), std::string::npos);
  EXPECT_NE(define({{"a", "t"}}).find("found t; expected numbers and parameters only"), std::string::npos);
  EXPECT_NE(define({{"a", "1"}, {"a", "2"}}).find("\"a\" is defined twice"), std::string::npos);
  EXPECT_NE(define({{"m", "1"}}).find("exists already"), std::string::npos);
  EXPECT_NE(define({{"x", "1"}}).find("is also a coordinate"), std::string::npos);
  for (const char* name : {"t", "pi", "sin", "", "2a", "a b", "a'", ".a"})
    EXPECT_NE(define({{name, "1"}}).find("cannot be used in formulas"), std::string::npos) << name;
  // A chain of any length is no recursion.
  std::vector<Formulas::Definition> chain;
  for (int k = 0; k < 10000; ++k) chain.emplace_back("p" + std::to_string(k), "p" + std::to_string(k + 1) + " + 1");
  chain.emplace_back("p10000", "1");
  Bench b;
  b.f.parameters(chain);
  EXPECT_TRUE(b.f.value("p0") == quad(10001));
  // Nor is it copied for every use.
  std::string often = "x";
  for (int k = 0; k < 10000; ++k) often += "+p" + std::to_string(k);
  const std::clock_t begin = std::clock();  // not what others do meanwhile
  b.f.add(Role::potential, often);
  EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC);
}

TEST(Formula, RefusesTermsOfTheWrongShape) {
  Bench b;
  EXPECT_NE(refusal([&] { b.f.add(Role::potential, "V", {"x", "y"}); }).find("2 formulas; expected at most 1"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::constraint, "c", {}); }).find("has no formula"), std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::force, "f", {"x"}); }).find("one formula per named coordinate"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.along(Role::force, "f", {{"z", "1"}}); }).find("unknown coordinate \"z\""),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.along(Role::force, "f", {{"x", "1"}, {"x", "2"}}); }).find("two entries"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.along(Role::symmetry, "a", {{"x", "y'"}}); }).find("velocity y'"), std::string::npos);
  EXPECT_NE(refusal([&] { b.f.along(Role::potential, "V", {{"x", "1"}}); }).find("a force or a symmetry"),
            std::string::npos);
  const Formulas::Sites one{{"a", "b"}, {{"x", "y"}}};
  EXPECT_NE(refusal([&] { b.f.add(Role::constraint, "c", {"a - x"}, one); }).find("unknown name \"x\""),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::constraint, "c", {"a"}, {{"a"}, {{"x", "y"}}}); }).find("a site of 2"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::constraint, "c", {"a"}, {{"a"}, {{"u"}}}); }).find("unknown coordinate \"u\""),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::constraint, "c", {"m"}, {{"m"}, {{"x"}}}); }).find("cannot name"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::force, "f", {"a"}, one); }).find("one per coordinate, 2"), std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::hamiltonian, "p.x*x'"); }).find("expected coordinates and momenta, as p.x"),
            std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::hamiltonian, "p.x'"); }).find("expected ' after nothing"), std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::hamiltonian, "p.u"); }).find("unknown name \"p.u\""), std::string::npos);
  EXPECT_NE(refusal([&] { b.f.add(Role::kinetic, "p.x^2"); }).find("expected it in a hamiltonian only"),
            std::string::npos);
  b.f.parameters({{"p.y", "1"}});
  EXPECT_NE(refusal([&] { b.f.add(Role::hamiltonian, "p.x + p.y"); }).find("is the momentum of y"), std::string::npos);
}

// Peak memory of this process in MB.
double peak() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024;
  return 0;
}

TEST(Formula, HostileTextIsRefusedInBoundedTimeAndMemory) {
  const auto repeated = [](const std::string& piece, std::size_t count) {
    std::string all;
    all.reserve(piece.size() * count);
    for (std::size_t k = 0; k < count; ++k) all += piece;
    return all;
  };
  std::string sum = "x", product = "x", sines = "x", tower = "x", products = "x";
  for (int k = 0; k < 16000; ++k) sum += "+" + std::to_string(k % 977) + "*x";
  for (int k = 0; k < 9000; ++k) product += "*(x+" + std::to_string(k) + ")";
  for (int k = 0; k < 150; ++k) sines = "sin(" + sines + "*y)";
  for (int k = 0; k < 150; ++k) tower = "x^" + tower;
  for (int k = 0; k < 190; ++k) products = "(" + products + "*y+x)^3";
  const std::vector<std::pair<std::string, std::string>> texts = {
      {std::string(1000000, '(') + "x", "characters"},
      {std::string(90000, '('), "levels of nesting"},
      {repeated("sin(", 20000), "levels of nesting"},
      {repeated("x^", 40000) + "x", "levels of nesting"},
      {repeated("-", 90000) + "x", ""},
      {std::string(100 << 20, '1'), "characters"},
      {"x*" + std::string(90000, '9'), "expected a finite decimal number"},
      {"x*0." + std::string(90000, '9'), ""},
      {"x*1e-" + std::string(90000, '9'), ""},
      {"x^1e300", ""},
      {"x^-1e300", ""},
      {"x^123456789012345", ""},
      {"2^x^1e308", ""},
      {sum, ""},
      {product, "operations"},
      {sines, ""},
      {tower, ""},
      {products, ""},
      {repeated("x + y*", 16000) + "x", ""},
      {std::string(99999, 'z'), "unknown name"},
      {std::string(50000, '\0'), "a byte that is no text"},
      {repeated("\xff", 50000), "a byte that is no text"}};
  const double before = peak();
  for (const auto& [text, expected] : texts) {
    Bench b;
    const std::clock_t begin = std::clock();
    const std::string message = b.potential(text);
    const std::clock_t took = std::clock() - begin;
    if (expected.empty())
      EXPECT_EQ(message, "") << text.substr(0, 40);
    else
      EXPECT_NE(message.find(expected), std::string::npos) << text.substr(0, 40) << ": " << message;
    EXPECT_LT(message.size(), 2000u);
    EXPECT_LT(took, 5 * CLOCKS_PER_SEC) << text.substr(0, 40);
    if (b.s.terms().empty()) continue;
    // What is accepted can be evaluated.
    const double q[3] = {0.3, 0.7, 1}, t = 0, p[2] = {9.81, 2}, w = 1;
    double f = 0, g[2], h[3];
    const TermAt<double>& term = b.s.terms()[0]->at<double>();
    term.gradient({1, 3, q, nullptr, &t, p}, &f, g);
    term.hessian({1, 3, q, nullptr, &t, p}, &w, h);
  }
  // Of the texts themselves 100 MB, which are counted before; sanitizers need several times as much.
  EXPECT_LT(peak() - before, 600);
}

TEST(Formula, TheBudgetIsThatOfAllFormulasTogether) {
  System s("s");
  s.coordinates("x", "y");
  Formulas f(s, {.operations = 1000, .all_operations = 2000, .coordinates = 1, .all_text = 100000});
  EXPECT_NE(refusal([&] { f.add(Role::potential, "x*y"); }).find("at most 1 in a term"), std::string::npos);
  std::string message;
  int count = 0;
  for (; message.empty() && count < 1000; ++count)
    message = refusal([&] { f.add(Role::potential, "sin(x)^3*exp(x)"); });
  EXPECT_NE(message.find("more than 2000 operations in all"), std::string::npos);
  EXPECT_GT(count, 10);
  EXPECT_LT(count, 200);
  std::string sines = "t";
  for (int k = 0; k < 150; ++k) sines = "sin(t*" + sines + ")";
  System wave("w");
  Formulas small(wave, {.operations = 1000});
  EXPECT_NE(refusal([&] { small.time_function(sines); }).find("more than 1000 operations"), std::string::npos);
  System other("o");
  other.coordinates("x", "y");
  Formulas g(other, {.all_text = 20});
  g.add(Role::potential, "x + y");
  EXPECT_NE(refusal([&] { g.add(Role::potential, "x +       y +      x"); }).find("20 bytes in all"),
            std::string::npos);
}

}  // namespace
}  // namespace extremal::formula_parse_test
