// The boundary value solve: time per step and Newton iteration must not depend on the number of steps.
#include <benchmark/benchmark.h>

#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

namespace {

void solve(benchmark::State& state) {
  const extremal::Model m = extremal::model("pendulum");
  const auto steps = static_cast<int>(state.range(0));
  const extremal::Span span{.step = extremal::Number("1/" + std::to_string(steps)), .until = 1};
  const auto run = extremal::run(m.system, "spark(2)", m.start, span);
  extremal::Boundary ends;
  for (const auto& name : m.system.coordinate_names()) {
    ends.begin.push_back(extremal::Number::exactly(run.column(name).front()));
    ends.end.push_back(extremal::Number::exactly(run.column(name).back()));
  }
  int iterations = 0;
  for (auto _ : state) iterations = extremal::boundary(m.system, "spark(2)", ends, span).iterations;
  state.counters["newton"] = iterations;
  // Seconds per step and iteration, shown as a rate's inverse.
  state.counters["per step and iteration"] =
      benchmark::Counter(static_cast<double>(steps) * iterations,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(solve)->Arg(250)->Arg(1000)->Arg(4000)->Unit(benchmark::kMillisecond);

}  // namespace
