// What a step costs: the Cartesian pendulum written with lambdas, per scheme and step size.
//
//   bench_pendulum                          ns per step, Newton iterations per step
//   bench_pendulum --benchmark_filter=long  1e6 steps of spark(2): constraint, energy error and its drift
#include <benchmark/benchmark.h>

#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

namespace {

void step(benchmark::State& state, const char* scheme, double h) {
  const extremal::Model m = extremal::model("pendulum");
  extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
  stepper.start(m.start);
  long long iterations = 0;
  for (auto _ : state) iterations += stepper.step(h).iterations;
  state.counters["newton"] = benchmark::Counter(static_cast<double>(iterations), benchmark::Counter::kAvgIterations);
}

void long_run(benchmark::State& state, const char* scheme, const char* h, const char* until) {
  const extremal::Model m = extremal::model("pendulum");
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
