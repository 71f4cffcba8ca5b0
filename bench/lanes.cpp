// What a term costs over Lanes: value and gradient per motion, against the same in double.
//
//   bench_lanes                                       ns per motion: <what>/<functions or formulas>/<double or lanes>
//   bench_lanes --benchmark_filter=rod/functions
#include <benchmark/benchmark.h>

#include <extremal/system.hpp>

#include <string>
#include <vector>

#include "formula/formulas.hpp"
#include "small/terms.hpp"

namespace {

using namespace extremal;

System by_functions(bool pendulum_only) {
  System s("functions");
  const auto ball = s.coordinates("x", "y");
  const auto m = s.parameter("m", 1), g = s.parameter("g", "9.81"), l = s.parameter("l", 1), k = s.parameter("k", 30);
  s.constraint("rod", ball, [](const auto& q, auto l) { return q[0] * q[0] + q[1] * q[1] - l * l; }, l);
  s.potential(ball, [](const auto& q, auto m, auto g) { return m * g * q[1]; }, m, g);
  s.kinetic(ball, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, m);
  if (pendulum_only) return s;
  s.potential(
      ball,
      [](const auto& q, auto k, auto l) {
        const auto e = sqrt(q[0] * q[0] + q[1] * q[1]) - l;
        return 0.5 * k * e * e;
      },
      k, l);
  s.potential(ball, [](const auto& q, auto g) { return g * cos(q[0]); }, g);
  return s;
}

System by_formulas(bool pendulum_only) {
  System s("formulas");
  s.coordinates("x", "y");
  Formulas f(s);
  f.parameters({{"m", "1"}, {"g", "9.81"}, {"l", "1"}, {"k", "30"}});
  f.add(Role::constraint, "rod", {"x^2 + y^2 - l^2"});
  f.add(Role::potential, "m*g*y");
  f.add(Role::kinetic, "m/2*(x'^2 + y'^2)");
  if (pendulum_only) return s;
  f.add(Role::potential, "k/2*(sqrt(x^2 + y^2) - l)^2");
  f.add(Role::potential, "g*cos(x)");
  return s;
}
constexpr const char* terms[] = {"rod", "weight", "kinetic", "spring", "cosine"};  // in this order

template <class S>
struct Point {
  explicit Point(const System& system) {
    for (int i = 0; i < system.size(); ++i) q.push_back(S(0.6 + 0.2 * i)), v.push_back(S(0.3 - 0.1 * i));
    for (const Number& x : system.parameters()) p.push_back(S(x.as<double>()));
  }
  std::vector<S> q, v, p, t{S(0)};
};

template <class S>
void per_motion(benchmark::State& state) {
  state.counters["motion"] =
      benchmark::Counter(Single<S>::count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class S>
void term_gradient(benchmark::State& state, const System& system, std::size_t index) {
  const Term& term = *system.terms()[index];
  const Point<S> x(system);
  std::vector<S> value(1), gradient(static_cast<std::size_t>(term.variables));
  const Nodes<S> at{1, system.size(), x.q.data(), x.v.data(), x.t.data(), x.p.data(), static_cast<int>(x.p.size())};
  const TermAt<S>& here = term.at<S>();
  for (auto _ : state) {
    here.gradient(at, value.data(), gradient.data());
    benchmark::DoNotOptimize(gradient.data());
    benchmark::ClobberMemory();
  }
  per_motion<S>(state);
}

// Of a pendulum, as kernels ask for it: forces, the constraint and its slopes.
enum class Sum { force, constraint };
template <class S>
void sums(benchmark::State& state, const System& system, Sum what) {
  const Point<S> x(system);
  SmallTerms<S> sums(system, x.p, 1);
  std::vector<S> f(2), g(1), G(2), g_t(1);
  for (auto _ : state) {
    if (what == Sum::force) sums.force(1, x.q.data(), x.t.data(), f.data());
    if (what == Sum::constraint) sums.constraints(1, x.q.data(), x.t.data(), g.data(), G.data(), g_t.data());
    benchmark::DoNotOptimize(f.data());
    benchmark::DoNotOptimize(G.data());
    benchmark::ClobberMemory();
  }
  per_motion<S>(state);
}

const int registered = [] {
  for (const auto make : {by_functions, by_formulas}) {
    const System system = make(false), pendulum = make(true);
    const auto add = [&](const std::string& what, auto one, auto many) {
      benchmark::RegisterBenchmark((what + "/" + system.name() + "/double").c_str(), one);
      benchmark::RegisterBenchmark((what + "/" + system.name() + "/lanes").c_str(), many);
    };
    for (std::size_t i = 0; i < std::size(terms); ++i)
      add(
          terms[i], [=](benchmark::State& s) { term_gradient<double>(s, system, i); },
          [=](benchmark::State& s) { term_gradient<Lanes>(s, system, i); });
    for (const auto& [name, what] : {std::pair{"force", Sum::force}, {"constraint", Sum::constraint}})
      add(
          name, [=, w = what](benchmark::State& s) { sums<double>(s, pendulum, w); },
          [=, w = what](benchmark::State& s) { sums<Lanes>(s, pendulum, w); });
  }
  return 0;
}();

}  // namespace
