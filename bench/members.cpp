// What members of ensembles and sweeps, and rows of output, cost beside the steps:
//
//   bench_members                          all of it, with what is aimed at
//   bench_members members rows sweep long  some of it; long elastic-ring: of that model
//   bench_members count SCHEME STEPS BLOCKS    a sweep of pendulums for callgrind, of so many blocks; nothing is timed
//
// members: microseconds and bytes of a member of an ensemble of pendulums, beside the numbers of its state.
// rows:    an ensemble of 512 pendulums with rows at every step, against the same with its ends.
// sweep:   of 1e5 pendulums and 100 steps, by blocks as sweeps have them, what is not steps.
// long:    runs of elastic-ring and chain(100) with rows at every step, against the same without.
//
// Times are of the processor, the least of several; what is compared takes turns.
#include <extremal/batch.hpp>
#include <extremal/case.hpp>
#include <extremal/ensemble.hpp>
#include <extremal/models.hpp>

#include <malloc.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "file/document.hpp"
#include "sweep/block.hpp"

namespace {
std::atomic<long long> held_bytes{0};
}

// Every allocation as large as the allocator made it.
void* operator new(std::size_t size) {
  void* const at = std::malloc(size);
  if (at == nullptr) throw std::bad_alloc();
  held_bytes += static_cast<long long>(malloc_usable_size(at));
  return at;
}
void operator delete(void* at) noexcept {
  if (at != nullptr) held_bytes -= static_cast<long long>(malloc_usable_size(at));
  std::free(at);
}
void operator delete(void* at, std::size_t) noexcept { operator delete(at); }

namespace {

using namespace extremal;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds(const std::function<void()>& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

// The least of each over some turns.
std::vector<double> least(const std::vector<std::function<void()>>& works, int turns = 7) {
  std::vector<double> best(works.size(), 1e9);
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t k = 0; k < works.size(); ++k) best[k] = std::min(best[k], seconds(works[k]));
  return best;
}

constexpr const char* schemes[] = {"rattle", "lobatto(3)", "spark(3)"};

// Pendulums under different weights.
struct Pendulums {
  explicit Pendulums(std::size_t count) : model(extremal::model("pendulum")), g(count) {
    for (std::size_t k = 0; k < count; ++k) g[k] = 9 + 1e-6 * static_cast<double>(k);
  }
  Members members() const {
    Members out{.system = model.system, .start = {.q = {1, 0}}, .count = g.size()};
    return out.set("g", g);
  }
  Model model;
  std::vector<double> g;
};

void members() {
  constexpr std::size_t count = 4096;
  const Pendulums pendulums(count);
  std::printf("a member of an ensemble of %zu pendulums, beside its state; aims: 5 us, 1000 bytes\n", count);
  for (const char* name : schemes) {
    const Scheme scheme = Scheme::named(name);
    const auto make = [&] { return Ensemble(scheme, pendulums.members(), 0.01); };
    long long before = 0, after = 0;
    {
      before = held_bytes;
      const Ensemble ensemble = make();
      after = held_bytes;
    }
    const double time = least({[&] { make(); }})[0];
    // q, p, what rounding took off them, v and t.
    constexpr double state = 11 * sizeof(double);
    std::printf("  %-12s %6.2f us  %6.0f bytes\n", name, 1e6 * time / count,
                static_cast<double>(after - before) / count - state);
  }
}

void rows() {
  constexpr int steps = 200;
  const Pendulums pendulums(512);
  std::printf("an ensemble of 512 pendulums, rows at every step against its ends; aim: 3 times\n");
  for (const char* name : schemes) {
    const Scheme scheme = Scheme::named(name);
    const auto batch = [&](int every, int length) {
      return [&, every, length] {
        run_batch(scheme, {.step = "0.01", .until = Number(std::to_string(length) + "/100"), .every = every},
                  pendulums.members());
      };
    };
    // Of two lengths only the difference counts, so that set-up does not.
    const auto t = least({batch(1, steps), batch(1, 3 * steps), batch(3 * steps, steps), batch(3 * steps, 3 * steps)});
    const double each = 2.0 * steps * 512, with = (t[1] - t[0]) / each, without = (t[3] - t[2]) / each;
    std::printf("  %-12s %6.1f ns with rows, %6.1f without: %5.2f times\n", name, 1e9 * with, 1e9 * without,
                with / without);
  }
}

sweep::Sweep sweep_of(const std::string& scheme, int steps, int count) {
  const Document file("model = \"pendulum\"\nscheme = \"" + scheme + "\"\nstep = 0.01\nuntil = \"" +
                          std::to_string(steps) +
                          "/100\"\n[vary]\ng = { from = 9, to = 10, count = " + std::to_string(count) + " }\n",
                      "sweep.toml");
  return {file, sweep::read_plan(file, {}), ""};
}

void sweep_blocks(const sweep::Sweep& sweep, std::uint64_t blocks) {
  const std::uint64_t size = sweep::block_size(sweep);
  sweep::BlockResult result;
  for (std::uint64_t k = 0; k < blocks; ++k) sweep::run_block(sweep, k * size, size, nullptr, result);
}

void sweeps() {
  constexpr std::uint64_t blocks = 16;
  std::printf("a sweep of 1e5 pendulums, 100 steps, its end; aim: set-up a quarter\n");
  for (const char* name : schemes) {
    const sweep::Sweep one = sweep_of(name, 100, 100000), three = sweep_of(name, 300, 100000);
    const auto t = least({[&] { sweep_blocks(one, blocks); }, [&] { sweep_blocks(three, blocks); }});
    const double runs = static_cast<double>(blocks * sweep::block_size(one));
    const double steps = (t[1] - t[0]) / 2, setup = t[0] - steps;
    std::printf("  %-12s %6.2f us a run, of which set-up and end %5.2f: %4.0f %%\n", name, 1e6 * t[0] / runs,
                1e6 * setup / runs, 100 * setup / t[0]);
  }
}

void long_runs(const std::string& only) {
  std::printf("runs with rows at every step against their ends; aim: 2 times\n");
  for (const char* name : {"elastic-ring", "chain(100)"}) {
    if (!only.empty() && only != name) continue;
    Case one = make_case(name);
    Span& span = one.model.span;
    span.outputs = 0;
    const int steps = std::max(1, static_cast<int>(std::lround(span.until.as<double>() / span.step.as<double>())));
    const auto go = [&](int every) {
      return [&one, every] {
        Case here = one;
        here.model.span.every = every;
        run<double>(here, {.collect = false});  // as `extremal run`, whose rows go to sinks
      };
    };
    const auto t = least({go(1), go(steps)}, 5);
    std::printf("  %-12s %-18s %4d steps, %7.1f us with rows each, %7.1f without: %4.2f times\n", name,
                one.scheme.name.c_str(), steps, 1e6 * t[0] / steps, 1e6 * t[1] / steps, t[0] / t[1]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 4 && words[0] == "count") {
    sweep_blocks(sweep_of(words[1], std::atoi(words[2].c_str()), 100000),
                 static_cast<std::uint64_t>(std::atoi(words[3].c_str())));
    return 0;
  }
  const auto asked = [&](const char* word) {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  };
  if (asked("members")) members();
  if (asked("rows")) rows();
  if (asked("sweep")) sweeps();
  if (asked("long")) long_runs(words.size() == 2 && words[0] == "long" ? words[1] : "");
}
