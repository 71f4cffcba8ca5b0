// The cost of a rod step: ns per element and step in the cache and out of it, and of one rotation update.
//
//   bench_rods             all cases
//   bench_rods 1000000 2   one case: elements, threads
//
// A straight rod, free at both ends, with small random momenta; the least time of many repetitions, as the machine may
// be busy with something else now and then.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "lie/rod_kernel.hpp"
#include "lie/rotation_step.hpp"

namespace {

using namespace extremal::lie;
using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point from) {
  return std::chrono::duration<double>(clock_type::now() - from).count();
}

RodKernel<double> rod(std::size_t elements, double asymmetry, bool closed) {
  Rod<double> r;
  const std::size_t nodes = closed ? elements : elements + 1;
  const double turn = 2 * std::acos(-1.0) / static_cast<double>(elements);
  for (std::size_t i = 0; i < nodes; ++i) {
    const double a = closed ? turn * static_cast<double>(i) : 0, radius = 1 / turn;
    if (closed)
      r.positions.push_back({radius * std::sin(a), -radius * std::cos(a), 0});
    else
      r.positions.push_back({static_cast<double>(i), 0, 0});
    r.rotations.push_back({std::cos(a / 2), 0, 0, std::sin(a / 2)});
  }
  r.closed = closed;
  r.sections = {{1, {2 + asymmetry, 1, 1 + asymmetry}, {100, 100, 100, 10, 10, 10}}};
  r.lengths = {1.0};
  if (!closed) r.gamma0 = {{1, 0, 0}}, r.omega0 = {{0, 0, 0}};
  RodKernel<double> kernel({r});
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, 0.1);
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < nodes; ++i) kernel.p(c)[i] = normal(random), kernel.pi(c)[i] = normal(random);
  return kernel;
}

void measure(const char* name, std::size_t elements, int threads, double asymmetry = 0, bool closed = false) {
  RodKernel<double> kernel = rod(elements, asymmetry, closed);
  kernel.threads(threads);
  const double h = 0.3 * kernel.step_bound();
  kernel.begin(h);
  const int steps = std::max(1, static_cast<int>(200000 / elements));
  double least = 1e9;
  const auto begin = clock_type::now();
  for (int k = 0; k < 2000 && seconds_since(begin) < 2; ++k) {
    const auto from = clock_type::now();
    for (int i = 0; i < steps; ++i)
      if (!kernel.step(h)) return static_cast<void>(std::printf("%s: a section turns too far\n", name));
    least = std::min(least, seconds_since(from) / steps);
  }
  std::printf("%-28s %8zu elements %d thread%s %7.2f ns per element and step\n", name, elements, threads,
              threads == 1 ? " " : "s", 1e9 * least / static_cast<double>(elements));
}

void measure_rotation(const char* name, double j1, double j2, double j3) {
  const RotationStep<double> step(j1, j2, j3);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  std::vector<double> g(3000);
  for (double& value : g) value = uniform(random);
  double least = 1e9, sum = 0;
  for (int k = 0; k < 2000; ++k) {
    const auto from = clock_type::now();
    for (std::size_t i = 0; i < g.size(); i += 3) {
      double f[4];
      if (!step.step(&g[i], f)) return;
      sum += f[0];
    }
    least = std::min(least, seconds_since(from));
  }
  std::printf("%-28s %7.2f ns%s\n", name, 1e9 * least / 1000, std::isfinite(sum) ? "" : " (not finite)");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    measure("rod", std::strtoul(argv[1], nullptr, 10), std::atoi(argv[2]));
    return 0;
  }
  measure("ring", 80, 1, 0, true);
  measure("rod", 80, 1);
  measure("rod", 8000, 1);
  measure("rod", 1000000, 1);
  measure("rod", 1000000, 2);
  measure("rod, J2 != J3", 8000, 1, 0.5);
  measure("ring", 8000, 1, 0, true);
  measure("ring", 1000000, 1, 0, true);
  measure_rotation("rotation, J = (2, 1, 1)", 2, 1, 1);
  measure_rotation("rotation, J = (3, 1, 2)", 3, 1, 2);
  measure_rotation("rotation, J = (1, 1, 1)", 1, 1, 1);
  measure_rotation("rotation, J = (2, 1, 1.5)", 2, 1, 1.5);
}
