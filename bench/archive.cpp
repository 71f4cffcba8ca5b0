// What output costs: a run of the pendulum by RATTLE that keeps every 1000th step, without output, with a table in
// memory and with an archive; and an archive of every step.
//
//   bench_archive --benchmark_repetitions=5     compare cpu_time; peak_MB is of the whole program
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <filesystem>
#include <optional>

#include "extremal/archive.hpp"
#include "extremal/models.hpp"

namespace {

using namespace extremal;

enum class Where { nowhere, memory, archive };

void output(benchmark::State& state, Where where, const char* until, int every) {
  const Model m = model("pendulum");
  const Span span{.step = "0.001", .until = until, .every = every};
  const std::string path = (std::filesystem::temp_directory_path() / "extremal_bench.nc").string();
  for (auto _ : state) {
    std::optional<ArchiveWriter<double>> writer;
    Output<double> to{.collect = where == Where::memory};
    if (where == Where::archive)
      to.sinks.push_back(&writer.emplace(path, Provenance{.model = "pendulum", .scheme = "rattle", .span = span}));
    const auto r = run(m.system, "rattle", m.start, span, to);
    state.counters["steps"] = static_cast<double>(r.steps);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
  std::filesystem::remove(path);
}

const bool registered = [] {
  const auto add = [](const char* name, Where where, const char* until, int every) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& s) { output(s, where, until, every); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  };
  add("every1000/nowhere", Where::nowhere, "1000", 1000);
  add("every1000/archive", Where::archive, "1000", 1000);
  add("every1/nowhere", Where::nowhere, "1000", 1);
  add("every1/archive", Where::archive, "1000", 1);
  add("every1/memory", Where::memory, "1000", 1);
  add("long/archive", Where::archive, "10000", 1000);
  return true;
}();

}  // namespace
