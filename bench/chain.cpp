// A step must cost the same per body however many there are: time and memory of chain-spatial(N) per body, h = 1e-3.
//
//   bench_chain                N = 10, 100, 1000, 10 000 with rattle, spark(2) and lie(trapezoidal)
//   bench_chain rattle 100000  one case
//
// The chain is let go at rest. Turning, as the model starts, its tension grows with N^2 and the frequency of its bars
// with N, and rattle, which needs h omega < 2, is then at its limit and not at its usual cost.
//
// Memory is the growth of the resident set from before the model is built to after the last step, which includes the
// model, and of its peak. It is measured in a process of its own per case: one that has freed memory uses it again.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>
#include <fstream>
#include <string>
#include <vector>

namespace {

// A field of /proc/self/status, which counts in kB.
double bytes(const std::string& field) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(field + ":")) return 1024 * std::strtod(line.c_str() + field.size() + 1, nullptr);
  return 0;
}

// false if a step fails.
bool measure(const std::string& scheme, int bodies) {
  using clock = std::chrono::steady_clock;
  const auto seconds = [](clock::duration d) { return std::chrono::duration<double>(d).count(); };
  const double resident = bytes("VmRSS"), peak = bytes("VmHWM"), n = bodies, h = 1e-3;
  const auto begin = clock::now();
  extremal::Model m = extremal::model("chain-spatial(" + std::to_string(bodies) + ")");
  extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
  m.start.v.clear();
  stepper.start(m.start);
  const auto built = clock::now();

  // The first steps have no history to guess from.
  int iterations = 0;
  std::vector<double> times;
  for (int k = -2; k < 5 || (k < 1000 && seconds(clock::now() - built) < 1); ++k) {
    const auto from = clock::now();
    const extremal::StepReport report = stepper.step(h);
    if (!report.converged) {
      std::printf("%-16s %7d  step %d failed: %s\n", scheme.c_str(), bodies, k + 3, report.worst.c_str());
      return false;
    }
    if (k < 0) continue;
    times.push_back(seconds(clock::now() - from));
    iterations += report.iterations;
  }
  // The median, as the machine may be busy with something else now and then.
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  std::printf("%-16s %7d %12.3f %8.2f %14.0f %14.0f %12.1f\n", scheme.c_str(), bodies, 1e6 * *middle / n,
              iterations / static_cast<double>(times.size()), (bytes("VmRSS") - resident) / n,
              (bytes("VmHWM") - peak) / n, 1e6 * seconds(built - begin) / n);
  return true;
}

bool measure_apart(const char* scheme, int bodies) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const bool done = measure(scheme, bodies);
    std::fflush(stdout);
    std::_Exit(done ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const int bodies = count == 3 ? std::atoi(arguments[2]) : 1;
  if ((count != 1 && count != 3) || bodies < 1) {
    std::fprintf(stderr, "usage: bench_chain [<scheme> <bodies>]\n");
    return 2;
  }
  std::printf("%-16s %7s %12s %8s %14s %14s %12s\n", "scheme", "bodies", "us/step/body", "newton", "bytes/body",
              "peak/body", "start us/body");
  if (count == 3) return measure(arguments[1], bodies) ? 0 : 1;
  bool done = true;
  for (const char* scheme : {"rattle", "spark(2)", "lie(trapezoidal)"})
    for (const int size : {10, 100, 1000, 10000}) done = measure_apart(scheme, size) && done;
  return done ? 0 : 1;
}
