// Lanes, terms and evaluations over them: every lane has the bits of the same computation in double, whatever the other
// lanes hold and whichever instructions the machine has.
#include "extremal/detail/lanes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "extremal/models.hpp"
#include "formula/formulas.hpp"
#include "small/terms.hpp"

namespace extremal::lanes_test {
namespace {

constexpr int W = Lanes::count;

// A NaN may have any sign and payload: of two, processors return the one that the compiler puts first.
bool same_bits(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) || std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

class EveryInstructionSet : public testing::TestWithParam<Instructions> {
 protected:
  void SetUp() override {
    limit_instructions(GetParam());
    if (instructions() != GetParam()) GTEST_SKIP() << "not on this machine";
  }
  void TearDown() override { limit_instructions(Instructions::avx512); }
};
INSTANTIATE_TEST_SUITE_P(Lanes, EveryInstructionSet,
                         testing::Values(Instructions::baseline, Instructions::avx2, Instructions::avx512));

// Numbers of all kinds, among them those that are computed differently by processors in a hurry.
std::vector<double> numbers() {
  const double inf = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::denorm_min();
  std::vector<double> x{0.0, -0.0, 1.0, -1.0, inf, -inf, std::nan(""), tiny, -tiny, 1e308, -1e308, 1e-308, 0.1, 3.0};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> digits(-1, 1);
  std::uniform_int_distribution<int> exponent(-40, 40);
  while (x.size() % W != 0 || x.size() < 200) x.push_back(std::ldexp(digits(random), exponent(random)));
  return x;
}

// f(x, y) in every lane is f of the doubles. Call calls f.
template <class F, class Call>
void expect_lanewise(const char* name, F f, Call call) {
  const std::vector<double> x = numbers();
  for (std::size_t shift = 0; shift < 40; ++shift)
    for (std::size_t first = 0; first < x.size(); first += W) {
      Lanes a, b, r;
      const auto y = [&](int l) { return x[(first + static_cast<std::size_t>(l) + shift) % x.size()]; };
      for (int l = 0; l < W; ++l) a[l] = x[first + static_cast<std::size_t>(l)], b[l] = y(l);
      call([&] { r = f(a, b); });
      for (int l = 0; l < W; ++l)
        ASSERT_TRUE(same_bits(r[l], f(a[l], b[l]))) << name << " of " << a[l] << ", " << b[l] << ": " << r[l];
    }
}

template <class F>
void expect_lanewise(const char* name, F f) {
  expect_lanewise(name, f, [](auto compute) { with_best_instructions(compute); });
}

TEST_P(EveryInstructionSet, ComputesLaneByLane) {
  expect_lanewise("+", [](const auto& x, const auto& y) { return x + y; });
  expect_lanewise("-", [](const auto& x, const auto& y) { return x - y; });
  expect_lanewise("*", [](const auto& x, const auto& y) { return x * y; });
  expect_lanewise("/", [](const auto& x, const auto& y) { return x / y; });
  expect_lanewise("negative", [](const auto& x, const auto&) { return -x; });
  expect_lanewise("products are not contracted", [](const auto& x, const auto& y) { return x * y + x * x - y; });
  expect_lanewise("assignments", [](const auto& a, const auto& y) {
    auto x = a;
    x += y;
    x *= x;
    x -= y;
    return x /= y;
  });
  expect_lanewise("sqrt", [](const auto& x, const auto&) { return math::sqrt(x); });
  expect_lanewise("abs", [](const auto& x, const auto&) { return math::abs(x); });
  expect_lanewise("max", [](const auto& x, const auto& y) { return math::max(x, y); });
  expect_lanewise("numbers", [](const auto& x, const auto& y) { return 2 * x + y / 3.5 - 1; });
}

TEST(Lanes, HaveTheFunctionsOfDouble) {
  const auto directly = [](auto compute) { compute(); };
#define EXTREMAL_FUNCTION(name) \
  expect_lanewise(#name, [](const auto& x, const auto&) { return math::name(x); }, directly);
  EXTREMAL_FUNCTION(sin)
  EXTREMAL_FUNCTION(cos)
  EXTREMAL_FUNCTION(tan)
  EXTREMAL_FUNCTION(asin)
  EXTREMAL_FUNCTION(acos)
  EXTREMAL_FUNCTION(atan)
  EXTREMAL_FUNCTION(sinh)
  EXTREMAL_FUNCTION(cosh)
  EXTREMAL_FUNCTION(tanh)
  EXTREMAL_FUNCTION(exp)
  EXTREMAL_FUNCTION(log)
#undef EXTREMAL_FUNCTION
  expect_lanewise("pow", [](const auto& x, const auto& y) { return math::pow(x, y); }, directly);
  expect_lanewise("atan2", [](const auto& x, const auto& y) { return math::atan2(x, y); }, directly);
}

TEST_P(EveryInstructionSet, ComparesLaneByLane) {
  const auto choice = [](const auto& mask, const auto& x, const auto& y) { return select(mask, x + y, x * y); };
  expect_lanewise("less", [&](const auto& x, const auto& y) { return choice(less(x, y), x, y); });
  expect_lanewise("less or equal", [&](const auto& x, const auto& y) { return choice(less_or_equal(x, y), x, y); });
  expect_lanewise("equal", [&](const auto& x, const auto& y) { return choice(equal(x, y), x, y); });
  expect_lanewise("finite", [&](const auto& x, const auto& y) { return choice(math::finite(x), x, y); });
  expect_lanewise("and", [&](const auto& x, const auto& y) { return choice(less(x, y) && math::finite(y), x, y); });
  expect_lanewise("or", [&](const auto& x, const auto& y) { return choice(less(x, y) || !math::finite(y), x, y); });
}

TEST(LaneMask, IsAnyAndAll) {
  EXPECT_TRUE(all(LaneMask(true)));
  EXPECT_FALSE(any(LaneMask(false)));
  for (int l = 0; l < W; ++l) {
    Lanes x(1);
    x[l] = -1;
    const LaneMask m = less(x, Lanes(0));
    EXPECT_TRUE(any(m) && !all(m) && all(m || !m) && !any(m && !m));
    for (int k = 0; k < W; ++k) EXPECT_EQ(m[k], k == l);
  }
  EXPECT_TRUE(any(less(1.0L, 2.0L)) && all(equal(quad(3), quad(3))) && !any(less_or_equal(2.0, 1.0)));
  EXPECT_EQ(select(less(quad(1), quad(2)), 3, 4), 3);
}

// A function with a gradient of its own.
struct Spring {
  template <class Q, class P>
  auto operator()(const Q& q, const P& k) const {
    return 0.5 * k * (q[0] - q[1]) * (q[0] - q[1]);
  }
  template <class Q, class P>
  auto gradient(const Q& q, const P& k) const {
    const auto f = k * (q[0] - q[1]);
    return rows(f, -f);
  }
};

System by_functions() {
  System s("functions");
  const auto a = s.coordinates("x", "y"), b = s.coordinates("u", "w");
  const auto m = s.parameter("m", "1.5"), k = s.parameter("k", "0.75"), l = s.parameter("l", "1.25");
  const std::vector both{a, b};
  s.kinetic(both, [](auto, auto v, auto mass) { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]) + 0.25 * v[0]; }, m);
  s.kinetic(a, [](auto q, auto v) { return v[0] * v[1] * cos(q[0] - q[1]) + exp(q[0]) * v[0] * v[0]; });
  s.potential(a, [](auto q, auto g) { return g * q[1]; }, k);
  s.potential(both, Spring{}, k);
  s.potential(
      join(a, b),
      [](auto q, auto stiffness, auto length) {
        const auto x = q[2] - q[0], y = q[3] - q[1], e = sqrt(x * x + y * y) - length;
        return 0.5 * stiffness * e * e / (1.0 + q[0] * q[0]);
      },
      k, l);
  s.potential(a, [](auto q) { return q[0] < 0 ? q[0] * q[0] * q[1] : pow(q[1], 3) + atan2(q[0], q[1]); });
  s.lagrangian(
      b, [](auto q, auto v, auto t, auto length) { return sin(t * q[0]) * v[1] - tanh(length * q[1]); }, time, l);
  s.constraint("rod", both, [](auto q, auto length) { return q[0] * q[0] + q[1] * q[1] - length * length; }, l);
  s.constraint("two", join(a, b), [](auto q, auto t) { return rows(q[0] * q[3] - t, q[1] + q[2] * q[2]); }, time);
  s.force("air", both, [](auto q, auto v, auto c) { return rows(-c * v[0] * abs(v[0]), -c * v[1] / q[0]); }, k);
  s.symmetry("turn", both, [](auto q) { return rows(-q[1], q[0]); });
  return s;
}

// One constraint and one potential, which need no sum.
System pendulum() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  const auto m = s.parameter("m", 1), g = s.parameter("g", "9.81"), l = s.parameter("l", 1);
  s.kinetic(ball, [](auto, auto v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, m);
  s.potential(ball, [](auto q, auto m, auto g) { return m * g * q[1]; }, m, g);
  s.constraint("rod", ball, [](auto q, auto l) { return q[0] * q[0] + q[1] * q[1] - l * l; }, l);
  return s;
}

System by_formulas() {
  System s("formulas");
  s.coordinates({"x", "y", "u", "w"});
  Formulas f(s);
  f.parameters({{"m", "1.5"}, {"k", "0.75"}, {"l", "1.25"}, {"r", "sin(l)/k"}, {"c", "-m"}});
  f.add(Role::kinetic, "m/2*(x'^2 + y'^2 + u'^2 + w'^2)");
  f.add(Role::kinetic, "x'*y'*cos(x - y) + exp(x)*x'^2*r");
  f.add(Role::potential, "k*y");
  f.add(Role::potential, "k/2*(sqrt((u - x)^2 + (w - y)^2) - l)^2/(1 + x^2) + abs(x*c)^1.5");
  f.add(Role::potential, "atan2(x, y) + asin(x/9) + log(5 + w) - tan(x)*sinh(w)/cosh(u) + tanh(w*r)");
  f.add(Role::constraint, "rod", {"x^2 + y^2 - l^2", "x*w - t", "y + u^2"});
  f.along(Role::force, "air", {{"x", "-k*x'*abs(x')"}, {"w", "-k*w'/x"}});
  return s;
}

// Inputs and outputs of a term: those of every lane in double, and over Lanes.
template <class S>
struct Batch {
  std::vector<S> q, v, t, p, weights, value, value_only, slope, bend;
};

double sample(int lane, int i) { return (17 * lane + 7 * i) % 37 / 16.0 - 1.1; }

template <class S, class At>
Batch<S> batch(const System& system, const Term& term, At at) {
  constexpr int nodes = 3;
  const int n = system.size();
  const auto calls = static_cast<std::size_t>(nodes * term.site_count()),
             rows = static_cast<std::size_t>(term.row_count), M = static_cast<std::size_t>(term.variables);
  Batch<S> b;
  for (int i = 0; i < nodes * n; ++i) b.q.push_back(at(i)), b.v.push_back(at(i + 5));
  for (int i = 0; i < nodes; ++i) b.t.push_back(at(2 * i));
  for (std::size_t i = 0; i < system.parameters().size(); ++i) b.p.push_back(at(static_cast<int>(i) + 3));
  for (std::size_t i = 0; i < calls * rows; ++i) b.weights.push_back(at(static_cast<int>(i) + 9));
  b.value.resize(calls * rows);
  b.value_only.resize(calls * rows);
  b.slope.resize(calls * rows * M);
  b.bend.resize(calls * M * (M + 1) / 2);
  const Nodes<S> where{nodes, n, b.q.data(), b.v.data(), b.t.data(), b.p.data(), static_cast<int>(b.p.size())};
  term.at<S>().value(where, b.value_only.data());
  term.at<S>().gradient(where, b.value.data(), b.slope.data());
  term.at<S>().hessian(where, b.weights.data(), b.bend.data());
  return b;
}

int differences(const std::vector<Lanes>& many, int lane, const std::vector<double>& one) {
  int count = many.size() == one.size() ? 0 : 1;
  for (std::size_t i = 0; i < one.size(); ++i) count += same_bits(many[i][lane], one[i]) ? 0 : 1;
  return count;
}

Lanes samples(int i) {
  Lanes x;
  for (int l = 0; l < W; ++l) x[l] = sample(l, i);
  return x;
}

void expect_lanes_of(const System& system) {
  for (const auto& term : system.terms()) {
    SCOPED_TRACE(system.name() + ": " + term->name);
    const Batch<Lanes> many = batch<Lanes>(system, *term, samples);
    for (int l = 0; l < W; ++l) {
      const Batch<double> one = batch<double>(system, *term, [&](int i) { return sample(l, i); });
      EXPECT_EQ(differences(many.value_only, l, one.value_only), 0) << "lane " << l;
      EXPECT_EQ(differences(many.value, l, one.value), 0) << "lane " << l;
      EXPECT_EQ(differences(many.slope, l, one.slope), 0) << "lane " << l;
      EXPECT_EQ(differences(many.bend, l, one.bend), 0) << "lane " << l;
    }
    // The comparison can fail: lanes differ from each other.
    const Batch<double> other = batch<double>(system, *term, [&](int i) { return sample(1, i); });
    EXPECT_GT(differences(many.value, 0, other.value) + differences(many.slope, 0, other.slope) +
                  differences(many.q, 0, other.q),
              0);
  }
}

TEST_P(EveryInstructionSet, TermsOfFunctionsHaveTheBitsOfDoubles) { expect_lanes_of(by_functions()); }
TEST_P(EveryInstructionSet, TermsOfFormulasHaveTheBitsOfDoubles) { expect_lanes_of(by_formulas()); }
TEST_P(EveryInstructionSet, OtherTermsHaveTheBitsOfDoubles) {
  for (const char* name : {"double-pendulum-3d", "cantilever", "thermoelastic-triangle", "double-four-bar-damped"})
    expect_lanes_of(model(name).system);
}

// What the other lanes hold: anything.
TEST_P(EveryInstructionSet, ALaneDoesNotDependOnTheOthers) {
  for (const System& system : {by_functions(), by_formulas(), model("double-pendulum-3d").system})
    for (const auto& term : system.terms())
      for (const double other : {std::nan(""), std::numeric_limits<double>::infinity(), 0.0, -1e300})
        for (const int lane : {0, 5, W - 1}) {
          const Batch<Lanes> many = batch<Lanes>(system, *term, [&](int i) {
            Lanes x(other);
            x[lane] = sample(3, i);
            return x;
          });
          const Batch<double> one = batch<double>(system, *term, [&](int i) { return sample(3, i); });
          EXPECT_EQ(differences(many.value_only, lane, one.value_only), 0) << term->name;
          EXPECT_EQ(differences(many.value, lane, one.value), 0) << term->name;
          EXPECT_EQ(differences(many.slope, lane, one.slope), 0) << term->name;
          EXPECT_EQ(differences(many.bend, lane, one.bend), 0) << term->name;
        }
}

// What kernels of small systems ask for.
template <class S>
struct Sums {
  std::vector<S> mass, f, g, G, g_t;
  template <class F>
  static void each(F f) {
    f(&Sums<S>::mass), f(&Sums<S>::f), f(&Sums<S>::g), f(&Sums<S>::G), f(&Sums<S>::g_t);
  }
};

template <class S, class At>
Sums<S> sums(const System& system, At at) {
  constexpr int nodes = 3;
  std::vector<S> p, q, t;
  for (std::size_t i = 0; i < system.parameters().size(); ++i) p.push_back(at(static_cast<int>(i) + 3));
  SmallTerms<S> terms(system, p, nodes);
  const int n = terms.n(), m = terms.m();
  for (int i = 0; i < nodes * n; ++i) q.push_back(at(i));
  for (int i = 0; i < nodes; ++i) t.push_back(at(2 * i));
  const auto room = [](int size) { return std::vector<S>(static_cast<std::size_t>(size), S(0)); };
  Sums<S> s{terms.mass(), room(nodes * n), room(nodes * m), room(nodes * m * n), room(nodes * m)};
  terms.force(nodes, q.data(), t.data(), s.f.data());
  if (m > 0) terms.constraints(nodes, q.data(), t.data(), s.g.data(), s.G.data(), s.g_t.data());
  return s;
}

TEST_P(EveryInstructionSet, SumsHaveTheBitsOfDoubles) {
  for (const System& system :
       {by_functions(), by_formulas(), pendulum(), model("pendulum").system, model("four-bar-chain").system}) {
    SCOPED_TRACE(system.name());
    const Sums<Lanes> many = sums<Lanes>(system, samples);
    for (int l = 0; l < W; ++l) {
      const Sums<double> one = sums<double>(system, [&](int i) { return sample(l, i); });
      const auto members = [&](auto lanes, auto doubles) { EXPECT_EQ(differences(many.*lanes, l, one.*doubles), 0); };
      std::vector<std::vector<double> Sums<double>::*> doubles;
      Sums<double>::each([&](auto member) { doubles.push_back(member); });
      std::size_t k = 0;
      Sums<Lanes>::each([&](auto member) { members(member, doubles[k++]); });
    }
  }
}

// A mass that is zero in one lane only leaves the others what they are.
TEST(LaneSums, KeepWhatIsZeroInSomeLanes) {
  const System system = by_formulas();
  const auto at = [](int lane, int i) { return i == 3 && lane % 2 == 0 ? 0.0 : sample(lane, i); };
  const Sums<Lanes> many = sums<Lanes>(system, [&](int i) {
    Lanes x;
    for (int l = 0; l < W; ++l) x[l] = at(l, i);
    return x;
  });
  for (const int l : {0, 1}) {
    const Sums<double> one = sums<double>(system, [&](int i) { return at(l, i); });
    EXPECT_EQ(differences(many.f, l, one.f), 0);
    EXPECT_EQ(differences(many.mass, l, one.mass), 0);
  }
}

}  // namespace
}  // namespace extremal::lanes_test
