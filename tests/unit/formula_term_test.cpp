// Terms from formulas against the same terms as C++ functions with jets, and against a recursive evaluator of the
// test's own; values, gradients and Hessians at every scalar.
#include <gtest/gtest.h>
#include <algorithm>

#include <array>
#include <functional>
#include <memory>
#include <random>

#include "formula/derivative.hpp"
#include "formula/formulas.hpp"

namespace extremal::formula_term_test {
namespace {

template <class S>
struct Outputs {
  std::vector<S> value, slope, bend;
};

template <class S>
Outputs<S> outputs(const System& system, std::size_t index, int nodes) {
  const Term& term = *system.terms()[index];
  const int n = system.size();
  std::vector<S> q, v, t, weights, p;
  for (int i = 0; i < nodes * n; ++i) q.push_back(S(7 * i % 11 - 4) / S(9)), v.push_back(S(5 * i % 13 - 6) / S(7));
  for (int k = 0; k < nodes; ++k) t.push_back(S(k + 1) / S(3));
  for (const Number& x : system.parameters()) p.push_back(x.as<S>());
  const auto calls = static_cast<std::size_t>(nodes * term.site_count()),
             rows = static_cast<std::size_t>(term.row_count), M = static_cast<std::size_t>(term.variables);
  Outputs<S> out{std::vector<S>(calls * rows), std::vector<S>(calls * rows * M),
                 std::vector<S>(calls * M * (M + 1) / 2)};
  std::vector<S> again(out.value.size());
  for (std::size_t i = 0; i < out.value.size(); ++i) weights.push_back(S(static_cast<int>(i % 3) + 1) / S(3));
  const Nodes<S> at{nodes, n, q.data(), v.data(), t.data(), p.data()};
  term.at<S>().value(at, again.data());
  term.at<S>().gradient(at, out.value.data(), out.slope.data());
  term.at<S>().hessian(at, weights.data(), out.bend.data());
  for (std::size_t i = 0; i < again.size(); ++i)  // jets divide by a reciprocal
    EXPECT_TRUE(math::abs(again[i] - out.value[i]) <= S(16) * Scalar<S>::epsilon * (S(1) + math::abs(again[i])));
  return out;
}

// Largest difference over eps (1 + |b|).
template <class S>
double distance(const std::vector<S>& a, const std::vector<S>& b) {
  EXPECT_EQ(a.size(), b.size());
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const S gap = math::abs(a[i] - b[i]) / (Scalar<S>::epsilon * (S(1) + math::abs(b[i])));
    d = gap == gap ? std::max(d, static_cast<double>(gap)) : 1e300;
  }
  return d;
}

// Terms of all roles, once by functions and once by formulas, over x1 y1 x2 y2.
struct Twins {
  System by_function{"f"}, by_formula{"t"};
};

Twins twins() {
  Twins w;
  System& s = w.by_function;
  const auto a = s.coordinates("x1", "y1"), b = s.coordinates("x2", "y2");
  const auto m = s.parameter("m", "1.7"), k = s.parameter("k", "0.3");
  s.kinetic(
      join(a, b), [](auto q, auto v, auto mass) { return 0.5 * mass * (v[0] * v[0] + v[3] * v[3]) + v[1] * v[2]; }, m);
  s.kinetic(
      a, [](auto q, auto v, auto mass) { return mass * v[0] * v[1] * cos(q[0] - q[1]) + sin(q[0]) * v[0] * v[0]; }, m);
  s.potential(
      join(a, b),
      [](auto q, auto stiff, auto mass) {
        const auto dx = q[2] - q[0], dy = q[3] - q[1];
        const auto e = sqrt(dx * dx + dy * dy + 1.0) - mass;
        return 0.5 * stiff * e * e;
      },
      k, m);
  s.lagrangian(
      std::vector{a, b},
      [](auto q, auto v, auto t, auto stiff) {
        return v[0] * v[0] * exp(stiff * t) / (2.0 + q[1] * q[1]) - tanh(q[0] * t);
      },
      time, k);
  s.constraint("g", a, [](auto q) { return rows(q[0] * q[0] + q[1] * q[1] - 1.0, q[0] * atan(q[1])); });
  s.constraint("h", std::vector{a, b}, [](auto q, auto t) { return q[0] * q[1] - log(3.0 + t) * q[0]; }, time);
  s.force(
      "f", std::vector{a, b},
      [](auto q, auto v, auto c, auto t) { return rows(-(c * v[0]) * abs(v[0]), cos(t) * q[0] - pow(q[1], 3)); }, k,
      time);
  s.symmetry("r", std::vector{a, b}, [](auto q) { return rows(-q[1], q[0]); });
  s.potential(a, [](auto q) {
    return atan2(2.0 + q[0], q[1] - 3.0) + asin(0.5 * q[0]) * acos(0.5 * q[1]) + cosh(q[0]) * sinh(q[1]);
  });
  s.potential(
      a, [](auto q, auto mass) { return pow(2.0 + q[0], mass) + tan(q[1]) - pow(2.0 + q[1], -3) + 1.0 / (q[0] + 3.0); },
      m);

  System& u = w.by_formula;
  u.coordinates("x1", "y1");
  u.coordinates("x2", "y2");
  Formulas f(u);
  f.parameters({{"m", "1.7"}, {"k", "0.3"}, {"half", "m/2"}, {"length", "2*half"}});
  const Formulas::Sites both{{"x", "y"}, {{"x1", "y1"}, {"x2", "y2"}}};
  f.add(Role::kinetic, "T", {"half*(x1'^2 + y2'^2) + y1'*x2'"}, {{"x1", "y1", "x2", "y2"}, {{"x1", "y1", "x2", "y2"}}});
  f.add(Role::kinetic, "m*x1'*y1'*cos(x1 - y1) + sin(x1)*x1'^2");
  f.add(Role::potential, "spring", {"k/2*(sqrt((x2 - x1)^2 + (y2 - y1)^2 + 1) - length)^2"},
        {{"x1", "y1", "x2", "y2"}, {{"x1", "y1", "x2", "y2"}}});
  f.add(Role::lagrangian, "L", {"x'^2*exp(k*t)/(2 + y^2) - tanh(x*t)"}, both);
  f.add(Role::constraint, "g", {"x1^2 + y1^2 - 1", "x1*atan(y1)"});
  f.add(Role::constraint, "h", {"x*y - ln(3 + t)*x"}, both);
  f.add(Role::force, "f", {"-k*x'*abs(x')", "cos(t)*x - y^3"}, both);
  f.add(Role::symmetry, "r", {"-y", "x"}, both);
  f.add(Role::potential, "atan2(2 + x1, y1 - 3) + asin(x1/2)*acos(y1/2) + cosh(x1)*sinh(y1)");
  f.add(Role::potential, "(2 + x1)^m + tan(y1) - (2 + y1)^-3 + 1/(x1 + 3)");
  return w;
}

template <class S>
class FormulaTerms : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(FormulaTerms, Scalars);

TYPED_TEST(FormulaTerms, AreTheirFunctions) {
  using S = TypeParam;
  const Twins w = twins();
  ASSERT_EQ(w.by_function.terms().size(), w.by_formula.terms().size());
  for (std::size_t k = 0; k < w.by_function.terms().size(); ++k) {
    const Term &f = *w.by_function.terms()[k], &g = *w.by_formula.terms()[k];
    EXPECT_EQ(f.variables, g.variables) << k;
    EXPECT_EQ(f.row_count, g.row_count) << k;
    EXPECT_EQ(f.uses_time, g.uses_time) << k;
    EXPECT_EQ(f.degree.q, g.degree.q) << k;
    EXPECT_EQ(f.degree.v, g.degree.v) << k;
    EXPECT_EQ(f.degree.t, g.degree.t) << k;
    for (const int nodes : {1, 2, 3, 4, 5, 7, 11}) {
      const auto a = outputs<S>(w.by_function, k, nodes), b = outputs<S>(w.by_formula, k, nodes);
      EXPECT_LE(distance(a.value, b.value), 30) << k;
      EXPECT_LE(distance(a.slope, b.slope), 60) << k;
      EXPECT_LE(distance(a.bend, b.bend), 200) << k;
    }
  }
  // A control: another term is seen.
  EXPECT_GT(distance(outputs<S>(w.by_function, 8, 3).value, outputs<S>(w.by_formula, 9, 3).value), 1e10);
}

// What a site gets does not depend on how many others are computed with it.
TEST(FormulaTerms, HaveTheSameBitsInEveryLane) {
  const Twins w = twins();
  for (std::size_t k = 0; k < w.by_formula.terms().size(); ++k) {
    const auto many = outputs<double>(w.by_formula, k, 11);
    for (const int nodes : {1, 2, 3, 5, 6, 8}) {
      const auto few = outputs<double>(w.by_formula, k, nodes);
      EXPECT_TRUE(std::equal(few.value.begin(), few.value.end(), many.value.begin())) << k << " " << nodes;
      EXPECT_TRUE(std::equal(few.slope.begin(), few.slope.end(), many.slope.begin())) << k << " " << nodes;
      EXPECT_TRUE(std::equal(few.bend.begin(), few.bend.end(), many.bend.begin())) << k << " " << nodes;
    }
  }
}

// A random expression that prints itself and evaluates itself with any scalar.
struct Tree {
  std::string op;  // a name, a number, or an operation
  std::unique_ptr<Tree> a, b;

  std::string text() const {
    if (!a) return op;
    if (op == "neg") return "(-" + a->text() + ")";
    if (op.size() == 1) return "(" + a->text() + " " + op + " " + b->text() + ")";
    if (op == "safe/") return "(" + a->text() + "/(2 + (" + b->text() + ")^2))";
    if (op == "safesqrt") return "sqrt(1 + (" + a->text() + ")^2)";
    if (op == "safelog") return "log(2 + sin(" + a->text() + "))";
    if (op == "safeexp") return "exp(cos(" + a->text() + "))";
    if (op == "safeasin") return "asin(tanh(" + a->text() + ")/2)";
    if (op == "safepow") return "(1.5 + cos(" + a->text() + "))^-1.5";
    if (op == "realpow") return "(1.5 + cos(" + a->text() + "))^0.7";
    if (op == "powers") return "(1.5 + cos(" + a->text() + "))^sin(" + b->text() + ")";
    if (op == "cube") return "(" + a->text() + ")^3";
    if (op == "atan2") return "atan2(" + a->text() + ", 2 + sin(" + b->text() + "))";
    return op + "(" + a->text() + ")";
  }

  template <class T>
  T value(const std::function<T(const std::string&)>& leaf, const std::function<T(const char*)>& number) const {
    if (!a) return leaf(op);
    const T x = a->template value<T>(leaf, number);
    const T y = b ? b->template value<T>(leaf, number) : x;
    const T two = number("2"), one = number("1"), base = number("1.5") + cos(x);
    if (op == "neg") return -x;
    if (op == "+") return x + y;
    if (op == "-") return x - y;
    if (op == "*") return x * y;
    if (op == "safe/") return x / (two + y * y);
    if (op == "safesqrt") return sqrt(one + x * x);
    if (op == "safelog") return log(two + sin(x));
    if (op == "safeexp") return exp(cos(x));
    if (op == "safeasin") return asin(tanh(x) / two);
    if (op == "safepow") return one / (base * sqrt(base));
    if (op == "realpow") return exp(number("0.7") * log(base));
    if (op == "powers") return exp(sin(y) * log(base));
    if (op == "cube") return x * x * x;
    if (op == "atan2") return atan(x / (two + sin(y)));
    if (op == "sin") return sin(x);
    if (op == "cos") return cos(x);
    if (op == "atan") return atan(x);
    return tanh(x);
  }
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}
  std::unique_ptr<Tree> tree(int depth) {
    static const char* const leaves[] = {"x", "y", "x'", "y'", "t", "m", "0.1", "2", "pi", "0", "1"};
    static const char* const ops[] = {"+",        "-",       "*",       "+",        "*",       "neg",     "safe/",
                                      "safesqrt", "safelog", "safeexp", "safeasin", "safepow", "realpow", "powers",
                                      "cube",     "atan2",   "sin",     "cos",      "atan",    "tanh"};
    auto t = std::make_unique<Tree>();
    if (depth == 0 || pick(6) == 0) {
      t->op = leaves[pick(std::size(leaves))];
      return t;
    }
    t->op = ops[pick(std::size(ops))];
    t->a = tree(depth - 1);
    const bool two =
        t->op == "+" || t->op == "-" || t->op == "*" || t->op == "safe/" || t->op == "powers" || t->op == "atan2";
    if (two) t->b = tree(depth - 1);
    return t;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  std::mt19937 random_;
};

// In quad: value, gradient and Hessian of the tree in x, y, x', y', t by jets.
Jet<quad, 5, 2> truth(const Tree& tree, const std::array<quad, 5>& at, quad m) {
  using T = Jet<quad, 5, 2>;
  const std::function<T(const char*)> number = [](const char* text) { return T(Number(text).as<quad>()); };
  const std::function<T(const std::string&)> leaf = [&](const std::string& name) {
    const char* const names[] = {"x", "y", "x'", "y'", "t"};
    for (int i = 0; i < 5; ++i)
      if (name == names[i]) return T::variable(at[static_cast<std::size_t>(i)], i);
    return name == "m" ? T(m) : number(name.c_str());
  };
  return tree.value<T>(leaf, number);
}

template <class S>
void compare(const System& system, const Tree& tree, bool control) {
  const Term& term = *system.terms()[0];
  const int M = term.variables, nodes = 5;
  std::vector<S> q, v, t, w(nodes, S(1)), p{system.parameters()[0].as<S>()};
  for (int k = 0; k < nodes; ++k) {
    q.insert(q.end(), {S(k - 2) / S(4), S(3 - k) / S(8)});
    v.insert(v.end(), {S(2 * k - 3) / S(4), S(k + 1) / S(8)});
    t.push_back(S(k) / S(2));
  }
  std::vector<S> f(nodes), g(static_cast<std::size_t>(nodes * M)), h(static_cast<std::size_t>(nodes * M * (M + 1) / 2));
  const Nodes<S> at{nodes, 2, q.data(), v.data(), t.data(), p.data()};
  term.at<S>().gradient(at, f.data(), g.data());
  term.at<S>().hessian(at, w.data(), h.data());
  double worst = 0;
  for (int k = 0; k < nodes; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const auto x = truth(tree, {quad(q[2 * i]), quad(q[2 * i + 1]), quad(v[2 * i]), quad(v[2 * i + 1]), quad(t[i])},
                         system.parameters()[0].as<quad>());
    // Cubes within cubes may be large; round-off is that of the largest derivative.
    quad size = 1 + math::abs(x.a);
    for (const quad e : x.g) size = math::max(size, math::abs(e));
    for (const quad e : x.h) size = math::max(size, math::abs(e));
    const auto check = [&](S found, quad expected) {
      const quad gap = math::abs(quad(found) - expected) / (size * quad(Scalar<S>::epsilon));
      worst = std::max(worst, gap == gap ? static_cast<double>(gap) : 1e300);
    };
    check(f[i], x.a);
    for (int a = 0; a < M; ++a)
      check(g[i * static_cast<std::size_t>(M) + static_cast<std::size_t>(a)], x.g[static_cast<std::size_t>(a)]);
    for (int a = 0; a < M; ++a)
      for (int b = 0; b <= a; ++b)
        check(h[i * static_cast<std::size_t>(M * (M + 1) / 2) + static_cast<std::size_t>(packed_index(a, b))],
              x.second(a, b));
  }
  if (control)
    EXPECT_GT(worst, 1e8);
  else
    EXPECT_LT(worst, 2e4) << tree.text();
}

TEST(FormulaTerms, OfRandomFormulasAgreeWithARecursiveEvaluator) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    Generator generator(seed);
    const auto tree = generator.tree(2 + static_cast<int>(seed % 5));
    System s("s");
    s.coordinates("x", "y");
    Formulas f(s);
    f.parameters({{"m", "0.7"}});
    f.add(Role::lagrangian, "L", {tree->text()}, {{"x", "y"}, {{"x", "y"}}});
    compare<double>(s, *tree, false);
    compare<quad>(s, *tree, false);
    ++compared;
  }
  EXPECT_EQ(compared, 400);
  // A control: a formula that differs in a digit far back.
  Tree tree;
  tree.op = "*";
  tree.a = std::make_unique<Tree>();
  tree.a->op = "x";
  tree.b = std::make_unique<Tree>();
  tree.b->op = "0.1";
  System s("s");
  s.coordinates("x", "y");
  Formulas f(s);
  f.parameters({{"m", "0.7"}});
  f.add(Role::lagrangian, "L", {"x*0.10000000000000000000001"}, {{"x", "y"}, {{"x", "y"}}});
  compare<quad>(s, tree, true);
}

TEST(FormulaTerms, ForcesMayDependOnCoordinatesThatTheyDoNotPush) {
  System s("s");
  s.coordinates("x", "y", "z");
  Formulas f(s);
  f.along(Role::force, "f", {{"y", "x - y'*t"}});
  const Term& term = *s.terms()[0];
  EXPECT_EQ(term.sites, (std::vector<int>{1, 0}));
  EXPECT_EQ(term.row_count, 2);
  const double q[3] = {3, 5, 7}, v[3] = {11, 13, 17}, t = 2;
  double value[2], slope[10];
  term.at<double>().gradient({1, 3, q, v, &t, nullptr}, value, slope);
  EXPECT_EQ(value[0], 3 - 13 * 2);
  EXPECT_EQ(value[1], 0);
  const double expected[10] = {0, 1, -2, 0, -13, 0, 0, 0, 0, 0};  // in y, x, y', x', t
  for (int i = 0; i < 10; ++i) EXPECT_EQ(slope[i], expected[i]) << i;
}

// Only where that loses no digits are terms taken for their Taylor series at zero, which needs no calls.
TEST(FormulaTerms, AreExpandedWhereThatIsAsGood) {
  const auto expanded = [](Role role, const std::string& text) {
    System s("s");
    s.coordinates("x", "y");
    Formulas f(s);
    f.parameters({{"m", "2"}, {"l", "1"}});
    f.add(role, "a", {text});
    return s.terms()[0]->expanded;
  };
  EXPECT_TRUE(expanded(Role::kinetic, "m/2*(x'^2 + y'^2)"));
  EXPECT_TRUE(expanded(Role::potential, "9.81*m*y"));
  EXPECT_TRUE(expanded(Role::potential, "m*x^2/2 + 3"));
  EXPECT_TRUE(expanded(Role::constraint, "x^2 + y^2 - l^2"));
  EXPECT_FALSE(expanded(Role::kinetic, "x'^2 + x'"));
  EXPECT_FALSE(expanded(Role::kinetic, "y'"));
  EXPECT_FALSE(expanded(Role::kinetic, "x*x'^2"));
  EXPECT_FALSE(expanded(Role::kinetic, "(x' + y')^2"));
  EXPECT_FALSE(expanded(Role::kinetic, "t*x'^2"));
  EXPECT_FALSE(expanded(Role::lagrangian, "x'^2/2"));
  EXPECT_FALSE(expanded(Role::potential, "(x - 1000)^2"));
  EXPECT_FALSE(expanded(Role::constraint, "(x - y)^2 - 1"));
  EXPECT_FALSE(expanded(Role::constraint, "x - cos(t)"));
  EXPECT_FALSE(expanded(Role::constraint, "x^3"));
  EXPECT_FALSE(expanded(Role::constraint, "sqrt(x)"));
}

TEST(FormulaGraph, FindsZerosAndCommonSubexpressions) {
  Graph g;
  const int x = g.coordinate(0), y = g.coordinate(1), m = g.parameter(0), one = g.constant(1);
  EXPECT_EQ(g.multiply(x, y), g.multiply(y, x));
  EXPECT_EQ(g.add(x, y), g.add(y, x));
  EXPECT_EQ(g.multiply(g.constant(0), x), g.constant(0));
  EXPECT_EQ(g.subtract(g.multiply(m, x), g.multiply(x, m)), g.constant(0));
  EXPECT_EQ(g.power(x, g.constant(2)), g.multiply(x, x));
  EXPECT_EQ(g.multiply(g.constant(2), g.multiply(g.constant(quad(0.5)), x)), x);
  EXPECT_EQ(g.divide(x, g.constant(4)), g.multiply(g.constant(quad(0.25)), x));
  EXPECT_NE(g.divide(x, g.constant(10)), g.multiply(g.constant(quad(1) / 10), x));
  // m/2 (x^2 + y^2): m x and m y, then m, 0, m.
  const int f = g.multiply(g.divide(m, g.constant(2)), g.add(g.multiply(x, x), g.multiply(y, y)));
  const auto slope = gradient(g, {{f, one}}, {x, y});
  EXPECT_EQ(slope, (std::vector<int>{g.multiply(m, x), g.multiply(m, y)}));
  EXPECT_EQ(packed_hessian(g, slope, {x, y}), (std::vector<int>{m, g.constant(0), m}));
  // Only what varies with the site is computed per site.
  const Tape tape(g, {f}, 1);
  EXPECT_LE(tape.instruction_count(), 4);
}

TEST(FormulaGraph, StopsAtItsLimit) {
  Graph g(10);
  EXPECT_THROW(
      {
        int x = g.coordinate(0);
        for (int k = 0; k < 20; ++k) x = g.apply(Operation::sin, x);
      },
      Graph::Full);
  EXPECT_EQ(g.size(), 10);
}

TEST(Formula, CanBeAFunctionOfTime) {
  System s("s");
  Formulas f(s);
  f.parameters({{"a", "0.3"}, {"w", "2*pi/T"}, {"T", "0.7"}});
  const TimeFunction wave = f.time_function("a*sin(w*t)^2/(1 + t)"), same = [](auto t) {
    using S = std::remove_cvref_t<decltype(t)>;
    const S pi = 4.0 * atan(S(1)), w = 20.0 * pi / S(7.0);
    const S x = sin(w * t);
    return S(3.0) / S(10.0) * x * x / (1.0 + t);
  };
  EXPECT_FALSE(wave.constant());
  for (const int k : {0, 1, 2, 5}) {
    const auto a = wave.at(quad(k) / 3), b = same.at(quad(k) / 3);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(static_cast<double>(math::abs(a[i] - b[i])), 1e-29) << k << " " << i;
    EXPECT_NEAR(wave.at(k / 3.0)[2], static_cast<double>(same.at(quad(k / 3.0))[2]), 1e-12);
  }
  EXPECT_TRUE(f.time_function("2*a").constant());
  EXPECT_TRUE(f.time_function("2*a").at(quad(1))[0] == quad(6) / 10);
}

}  // namespace
}  // namespace extremal::formula_term_test
