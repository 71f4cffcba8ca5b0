#include "extremal/boundary.hpp"

#include <fmt/format.h>

#include "extremal/error.hpp"
#include "kernel/boundary_solver.hpp"
#include "kernel/start_solver.hpp"
#include "numbers/instantiate.hpp"
#include "run/span.hpp"

namespace extremal {

template <class S>
Path<S> boundary(const System& system, const Scheme& scheme, const Boundary& ends, const Span& span) {
  if (scheme.composed())
    throw InputError("boundary: " + scheme.name + " is a composition; expected a member of one step such as spark(2)");
  const Galerkin* galerkin = scheme.as<Galerkin>();
  if (galerkin == nullptr)
    throw InputError("boundary: " + scheme.name +
                     " is not of the hamilton family; expected one of its members, as spark(2)");
  if (!span.pattern.empty())
    throw InputError("boundary values: found a pattern of steps; expected steps of one length");
  const long long steps = whole_steps<S>(ends.t, span);
  if (steps < 1) throw InputError("boundary: until equals the start time; expected at least one step");
  const auto n = static_cast<std::size_t>(system.size());
  NodeSolver<S> node(system);
  StartSolver<S> starts(system, node);
  State<S> first, last;
  std::vector<S> v;
  const auto resolve = [&](const Start& start, State<S>& state) { starts.resolve(StartNumbers<S>(start), state, v); };
  resolve({.q = ends.begin, .t = ends.t, .slack = ends.slack}, first);
  resolve({.q = ends.end, .t = span.until, .slack = ends.slack}, last);

  std::vector<S> guess;
  if (!ends.guess.empty()) {
    if (ends.guess.size() != static_cast<std::size_t>(steps) + 1)
      throw InputError(
          fmt::format("boundary: guess has {} positions; expected one per node, {}", ends.guess.size(), steps + 1));
    for (const auto& q : ends.guess) {
      if (q.size() != n)
        throw InputError(fmt::format("boundary: a position of the guess has {} values; expected {}", q.size(), n));
      for (const double x : q) guess.push_back(S(x));
    }
  }
  const S h = span.step.as<S>();
  BoundarySolver<S> solver(system, *galerkin, static_cast<int>(steps), h);
  const BoundaryReport report =
      solver.solve(first.t, first.q.data(), last.q.data(), guess.empty() ? nullptr : guess.data());

  Path<S> path;
  path.converged = report.converged;
  if (!report.converged)
    path.reason =
        fmt::format("{} after {} iterations: correction {:.2g}, residual {:.2g}; try a guess or shorter steps",
                    report.reason, report.iterations, report.correction, report.residual);
  path.iterations = report.iterations;
  path.residual = report.residual;
  path.correction = report.correction;
  for (int k = 0; k <= static_cast<int>(steps); ++k) {
    State<S> state;
    state.t = first.t + S(k) * h;
    state.q.assign(solver.position(k), solver.position(k) + n);
    state.p.resize(n);
    solver.momentum(k, state.p.data());
    std::fill(v.begin(), v.end(), S(0));
    node.legendre(state.q.data(), state.t, state.p.data(), v.data(), nullptr);
    path.states.push_back(std::move(state));
  }
  return path;
}

#define EXTREMAL_INSTANTIATE(S) template Path<S> boundary(const System&, const Scheme&, const Boundary&, const Span&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
