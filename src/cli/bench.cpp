// extremal bench: what steps cost on the user's machine. bench/peers compares the same workloads with other programs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>

#include "cli/command.hpp"
#include "cli/table.hpp"
#include "extremal/detail/instructions.hpp"
#include "extremal/ensemble.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "kernel/node.hpp"
#include "lie/rod_kernel.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

using clock_type = std::chrono::steady_clock;

struct Figure {
  std::string workload, what, setting, per;
  double nanoseconds;
};

// Of one call, the least of many: other programs may be at work now and then.
template <class Call>
double nanoseconds(Call call) {
  constexpr double budget = 0.8;
  const auto since = [](clock_type::time_point from) {
    return std::chrono::duration<double>(clock_type::now() - from).count();
  };
  call();
  long calls = 1;
  double least = INFINITY;
  for (const auto begin = clock_type::now(); since(begin) < budget;) {
    const auto from = clock_type::now();
    for (long k = 0; k < calls; ++k) call();
    const double time = since(from);
    least = std::min(least, time / static_cast<double>(calls));
    if (time < 2e-3) calls *= 2;
  }
  return 1e9 * least;
}

void require(bool converged, const char* workload) {
  if (!converged) throw InputError(fmt::format("{}: a step failed; expected it to converge", workload));
}

System pendulum() {
  System s("pendulum");
  const auto ball = s.coordinates("x", "y");
  s.kinetic(ball, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  const auto g = s.parameter("g", "9.81");
  s.potential(ball, [](auto q, auto gravity) { return gravity * q[1]; }, g);
  s.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  return s;
}

void pendulum_steps(std::vector<Figure>& out) {
  for (const char* scheme : {"rattle", "lobatto(3)", "spark(4)"})
    for (const double h : {1e-3, 1e-2}) {
      Stepper<double> stepper(pendulum(), Scheme::named(scheme));
      stepper.start({.q = {1, 0}});
      const double time = nanoseconds([&] { require(stepper.step(h).converged, "P1a"); });
      out.push_back({"P1a", fmt::format("pendulum, {}", scheme), fmt::format("h = {}", h), "step", time});
    }
}

void chains(std::vector<Figure>& out) {
  for (const int bodies : {10, 100, 1000}) {
    Model m = model(fmt::format("chain-spatial({})", bodies));
    Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
    m.start.v.clear();
    stepper.start(m.start);
    const double time = nanoseconds([&] { require(stepper.step(1e-3).converged, "P2"); });
    out.push_back({"P2", "chain of rigid bodies, lie(trapezoidal)", fmt::format("{} bodies", bodies), "body and step",
                   time / bodies});
  }
}

void rods(std::vector<Figure>& out) {
  for (const std::size_t elements : {std::size_t(1000), std::size_t(1000000)}) {
    lie::Rod<double> rod;
    for (std::size_t i = 0; i <= elements; ++i) {
      rod.positions.push_back({static_cast<double>(i), 0, 0});
      rod.rotations.push_back({1, 0, 0, 0});
    }
    rod.sections = {{1, {2, 1, 1}, {100, 100, 100, 10, 10, 10}}};
    rod.lengths = {1.0};
    rod.gamma0 = {{1, 0, 0}};
    rod.omega0 = {{0, 0, 0}};
    lie::RodKernel<double> kernel({rod});
    std::mt19937 random(1);
    std::normal_distribution<double> normal(0, 0.1);
    for (int c = 0; c < 3; ++c)
      for (std::size_t i = 0; i <= elements; ++i) kernel.p(c)[i] = normal(random), kernel.pi(c)[i] = normal(random);
    const double h = 0.3 * kernel.step_bound();
    kernel.begin(h);
    const double time = nanoseconds([&] { require(kernel.step(h), "P5"); });
    out.push_back({"P5", "rod, one thread", fmt::format("{} elements", elements), "element and step",
                   time / static_cast<double>(elements)});
  }
}

void saddle_points(std::vector<Figure>& out) {
  for (const int bodies : {10, 100, 1000}) {
    const Model m = model(fmt::format("chain-spatial({})", bodies));
    NodeSolver<double> node(m.system);
    std::vector<double> q, v(m.start.q.size(), 0.0), a(v),
        lambda(static_cast<std::size_t>(m.system.constraint_count()));
    for (const Number& x : m.start.q) q.push_back(x.as<double>());
    const double time =
        nanoseconds([&] { require(node.acceleration(q.data(), v.data(), 0, a.data(), lambda.data()), "P6"); });
    out.push_back(
        {"P6", "[M G^T; G 0] evaluated, factored, solved", fmt::format("{} bodies", bodies), "body", time / bodies});
  }
}

void ensembles(std::vector<Figure>& out) {
  constexpr int motions = 256, steps = 256;
  std::vector<double> starts;
  for (int k = 0; k < motions; ++k) {
    const double angle = 0.1 + 2.0 * k / motions;
    starts.insert(starts.end(), {std::sin(angle), -std::cos(angle)});
  }
  Members members{.system = pendulum(), .start = {.q = {1, 0}}, .count = motions};
  Ensemble ensemble(Scheme::named("rattle"), members.positions(starts), 1e-2);
  const double time = nanoseconds([&] { ensemble.step(steps); }) / motions / steps;
  for (int k = 0; k < motions; ++k) require(!ensemble.failed(k), "P8");
  out.push_back(
      {"P8", "ensemble of pendulums, rattle", fmt::format("{} motions, h = 0.01", motions), "step and motion", time});
}

const char* instructions_name() {
  switch (instructions()) {
    case Instructions::avx512:
      return "AVX-512";
    case Instructions::avx2:
      return "AVX2";
    case Instructions::baseline:
      break;
  }
  return "baseline";
}

}  // namespace

void add_bench(Command& program, Invocation& invocation) {
  Command command = program.add_command("bench", "Measure what steps cost on this machine, in half a minute");
  auto as_json = std::make_shared<bool>(false);
  command.add_flag("--json", *as_json, "The figures for other programs");
  command.footer(
      "Example:\n  extremal bench\n"
      "The least time of many repetitions on one core. docs/performance.md says what other programs need for the "
      "same.");
  command.callback([as_json, &invocation] {
    invocation.exit_code = complete;
    std::vector<Figure> figures;
    for (auto* measure : {pendulum_steps, chains, rods, saddle_points, ensembles}) measure(figures);
    if (*as_json) {
      Json rows = Json::array();
      for (const Figure& f : figures)
        rows.push_back({{"workload", f.workload},
                        {"what", f.what},
                        {"setting", f.setting},
                        {"per", f.per},
                        {"nanoseconds", f.nanoseconds}});
      std::cout << Json({{"version", EXTREMAL_VERSION}, {"vectors", instructions_name()}, {"figures", rows}}).dump(2)
                << "\n";
      return;
    }
    Table table({"", "workload", "setting", "time", "per"});
    for (const Figure& f : figures)
      table.row({f.workload, f.what, f.setting, fmt::format("{:.3g} ns", f.nanoseconds), f.per});
    std::cout << table.text() << "\nVectors: " << instructions_name() << "\n";
  });
}

}  // namespace extremal::cli
