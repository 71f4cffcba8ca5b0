// What a step costs: the Cartesian pendulum written with lambdas, per scheme and step size.
//
//   bench_pendulum                          ns per step, Newton iterations per step
//   bench_pendulum --benchmark_filter=long  1e6 steps of spark(2): constraint, energy error and its drift
#include <benchmark/benchmark.h>

#include <extremal/extremal.hpp>

namespace {

// models/pendulum.toml in C++.
struct Pendulum {
  extremal::System system{"pendulum"};
  extremal::Start start{.q = {"0.6", "-0.8"}, .v = {"1.6", "1.2"}};
  Pendulum() {
    const auto ball = system.coordinates("x", "y");
    const auto mass = system.parameter("m", 1), length = system.parameter("l", 1),
               gravity = system.parameter("g", "9.81");
    system.kinetic(
        ball, [](const auto&, const auto& v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, mass);
    system.potential(ball, [](const auto& q, auto m, auto g) { return m * g * q[1]; }, mass, gravity);
    system.constraint(
        "rod", ball, [](const auto& q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l); }, length);
  }
};

void step(benchmark::State& state, const char* scheme, double h) {
  const Pendulum m;
  extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
  stepper.start(m.start);
  long long iterations = 0;
  for (auto _ : state) iterations += stepper.step(h).iterations;
  state.counters["newton"] = benchmark::Counter(static_cast<double>(iterations), benchmark::Counter::kAvgIterations);
}

void long_run(benchmark::State& state, const char* scheme, const char* h, const char* until) {
  const Pendulum m;
  for (auto _ : state) {
    const auto run = extremal::run(m.system, scheme, m.start, {.step = h, .until = until, .every = 100000});
    state.counters["steps"] = static_cast<double>(run.steps);
    state.counters["constraint"] = run.constraint_max;
    state.counters["energy_error"] = run.energy_max_error;
    state.counters["drift"] = run.drift.slope;
    state.counters["drift_error"] = run.drift.slope_error;
  }
}

const bool registered = [] {
  for (const char* scheme : {"rattle", "lobatto(3)", "spark(2)", "spark(4)"})
    for (const double h : {1e-3, 1e-2})
      benchmark::RegisterBenchmark((std::string("step/") + scheme + "/" + std::to_string(h)).c_str(),
                                   [=](benchmark::State& s) { step(s, scheme, h); });
  benchmark::RegisterBenchmark("long/spark(2)/0.01",
                               [](benchmark::State& s) { long_run(s, "spark(2)", "0.01", "10000"); })
      ->Iterations(1)
      ->Unit(benchmark::kSecond);
  return true;
}();

}  // namespace
