// What a formula costs: value, gradient and Hessian of a term per site, as text and as a C++ function with jets.
//
//   bench_formula                             ns per site: <term>/<text or jets>/<sites>
//   bench_formula --benchmark_filter=step     a whole step of a pendulum
#include <benchmark/benchmark.h>

#include <extremal/models.hpp>
#include <extremal/stepper.hpp>

#include <string>
#include <vector>

#include "formula/formulas.hpp"

namespace {

using namespace extremal;

// The same term twice, at `count` sites.
struct Case {
  System text{"text"}, jets{"jets"};
};

Formulas::Sites sites_of(System& s, const std::vector<std::string>& names, int count) {
  Formulas::Sites sites{names, {}};
  for (int k = 0; k < count; ++k) {
    std::vector<std::string> site;
    for (const auto& name : names) site.push_back(name + std::to_string(k));
    s.coordinates(site);
    sites.coordinates.push_back(site);
  }
  return sites;
}

template <int N>
std::vector<Coordinates<N>> coordinates(System& s, const std::vector<std::string>& names, int count) {
  sites_of(s, names, count);
  std::vector<Coordinates<N>> all(static_cast<std::size_t>(count));
  int next = 0;
  for (auto& site : all)
    for (int& i : site.index) i = next++;
  return all;
}

Case pendulum(int count) {
  Case c;
  Formulas f(c.text);
  f.parameters({{"l", "1.5"}});
  f.add(Role::constraint, "rod", {"x^2 + y^2 - l^2"}, sites_of(c.text, {"x", "y"}, count));
  const auto l = c.jets.parameter("l", "1.5");
  c.jets.constraint(
      "rod", coordinates<2>(c.jets, {"x", "y"}, count),
      [](const auto& q, auto length) { return q[0] * q[0] + q[1] * q[1] - length * length; }, l);
  return c;
}

Case double_pendulum(int count) {
  Case c;
  Formulas f(c.text);
  f.parameters({{"m1", "1"}, {"m2", "2"}, {"l1", "1.5"}, {"l2", "0.5"}});
  f.add(Role::kinetic, "T", {"(m1 + m2)/2*l1^2*a'^2 + m2/2*l2^2*b'^2 + m2*l1*l2*a'*b'*cos(a - b)"},
        sites_of(c.text, {"a", "b"}, count));
  const auto m1 = c.jets.parameter("m1", 1), m2 = c.jets.parameter("m2", 2);
  const auto l1 = c.jets.parameter("l1", "1.5"), l2 = c.jets.parameter("l2", "0.5");
  c.jets.kinetic(
      coordinates<2>(c.jets, {"a", "b"}, count),
      [](const auto& q, const auto& v, auto ma, auto mb, auto la, auto lb) {
        return 0.5 * (ma + mb) * la * la * v[0] * v[0] + 0.5 * mb * lb * lb * v[1] * v[1] +
               mb * la * lb * v[0] * v[1] * cos(q[0] - q[1]);
      },
      m1, m2, l1, l2);
  return c;
}

Case spring(int count) {
  Case c;
  Formulas f(c.text);
  f.parameters({{"k", "30"}, {"l", "1.5"}});
  f.add(Role::potential, "spring", {"k/2*(sqrt((x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2) - l)^2"},
        sites_of(c.text, {"x1", "y1", "z1", "x2", "y2", "z2"}, count));
  const auto k = c.jets.parameter("k", 30), l = c.jets.parameter("l", "1.5");
  c.jets.potential(
      coordinates<6>(c.jets, {"x1_", "y1_", "z1_", "x2_", "y2_", "z2_"}, count),
      [](const auto& q, auto stiffness, auto length) {
        const auto x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
        const auto e = sqrt(x * x + y * y + z * z) - length;
        return 0.5 * stiffness * e * e;
      },
      k, l);
  return c;
}

template <class S>
void evaluate(benchmark::State& state, const System& system, int count) {
  const Term& term = *system.terms()[0];
  const auto calls = static_cast<std::size_t>(count), M = static_cast<std::size_t>(term.variables);
  std::vector<S> q, v, p, t{S(0)}, weights(calls, S(1)), value(calls), gradient(calls * M),
      hessian(calls * M * (M + 1) / 2);
  for (int i = 0; i < system.size(); ++i) q.push_back(S(7 * i % 11 - 4) / S(8)), v.push_back(S(5 * i % 13 - 6) / S(4));
  for (const Number& x : system.parameters()) p.push_back(x.as<S>());
  const Nodes<S> at{1, system.size(), q.data(), v.data(), t.data(), p.data()};
  const TermAt<S>& here = term.at<S>();
  for (auto _ : state) {
    here.gradient(at, value.data(), gradient.data());
    here.hessian(at, weights.data(), hessian.data());
    benchmark::DoNotOptimize(hessian.data());
    benchmark::ClobberMemory();
  }
  state.counters["site"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// A step of the pendulum, of functions or as models/pendulum.toml has it.
void step(benchmark::State& state, bool text, const char* scheme) {
  Model m = model("pendulum");
  if (!text) {
    m.system = System("jets");
    const auto ball = m.system.coordinates("x", "y");
    const auto mass = m.system.parameter("m", 1), length = m.system.parameter("l", 1),
               gravity = m.system.parameter("g", "9.81");
    m.system.kinetic(
        ball, [](const auto&, const auto& v, auto size) { return 0.5 * size * (v[0] * v[0] + v[1] * v[1]); }, mass);
    m.system.potential(ball, [](const auto& q, auto size, auto g) { return size * g * q[1]; }, mass, gravity);
    m.system.constraint(
        "rod", ball, [](const auto& q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l); }, length);
  }
  Stepper<double> stepper(m.system, Scheme::named(scheme));
  stepper.start(m.start);
  for (auto _ : state) benchmark::DoNotOptimize(stepper.step(0.01).iterations);
}

// A whole file.
void read_file(benchmark::State& state, const char* name) {
  for (auto _ : state) benchmark::DoNotOptimize(model(name));
}

// Reading, differentiating and making the tapes.
void read(benchmark::State& state, Case (*make)(int)) {
  for (auto _ : state) benchmark::DoNotOptimize(make(1));
}

const bool registered = [] {
  const std::pair<const char*, Case (*)(int)> cases[] = {
      {"pendulum", pendulum}, {"double_pendulum", double_pendulum}, {"spring", spring}};
  for (const auto& [name, make] : cases) {
    for (const int count : {1, 2, 3, 8, 1000})
      for (const bool text : {false, true}) {
        const Case c = make(count);
        benchmark::RegisterBenchmark((std::string(name) + (text ? "/text/" : "/jets/") + std::to_string(count)).c_str(),
                                     [=](benchmark::State& s) { evaluate<double>(s, text ? c.text : c.jets, count); });
      }
    for (const bool text : {false, true}) {
      const Case c = make(8);
      benchmark::RegisterBenchmark((std::string(name) + (text ? "/text/" : "/jets/") + "8/quad").c_str(),
                                   [=](benchmark::State& s) { evaluate<quad>(s, text ? c.text : c.jets, 8); });
    }
    benchmark::RegisterBenchmark((std::string(name) + "/read").c_str(),
                                 [make = make](benchmark::State& s) { read(s, make); });
  }
  for (const char* name : {"pendulum", "six-balls", "top", "elastic-ring", "chain-spatial(10000)"})
    benchmark::RegisterBenchmark((std::string("model/") + name).c_str(), [name](benchmark::State& s) {
      read_file(s, name);
    })->Unit(benchmark::kMillisecond);
  for (const char* scheme : {"rattle", "spark(2)", "midpoint"})
    for (const bool text : {false, true})
      benchmark::RegisterBenchmark((std::string("step/") + scheme + (text ? "/text" : "/jets")).c_str(),
                                   [=](benchmark::State& s) { step(s, text, scheme); });
  return true;
}();

}  // namespace
