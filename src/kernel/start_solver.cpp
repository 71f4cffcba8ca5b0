#include "kernel/start_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bodies/rigid.hpp"
#include "extremal/error.hpp"
#include "kernel/boundary_solver.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {
namespace {

// A joint is told by its bodies and in words, with its place in a file; other constraints by their name.
template <class S>
std::optional<JointGap> open_joint(const System& system, const std::vector<S>& q, int row) {
  if (!system.rigid()) return {};
  std::vector<double> rounded;
  rounded.reserve(q.size());
  for (const S& x : q) rounded.push_back(static_cast<double>(x));
  auto found = joint_gap(*system.rigid(), rounded, row);
  if (found) found->place += found->place.empty() ? "start: " : ": ";
  return found;
}

}  // namespace

template <class S>
const std::vector<S>& StartSolver<S>::checked(const char* what, const std::vector<S>& given) const {
  if (given.size() != static_cast<std::size_t>(system_.size()))
    throw InputError(fmt::format("start: {} has {} values; {} has {} coordinates ({})", what, given.size(),
                                 system_.name(), system_.size(), fmt::join(system_.coordinate_names(), ", ")));
  return given;
}

// Inertia may vanish at one place only, as that of an angle about an axis for a point on it.
template <class S>
bool StartSolver<S>::has_inertia_nearby(int row, const std::vector<S>& q, S t) const {
  Evaluation<S>& evaluation = node_.evaluation();
  const int diagonal = evaluation.coupling().find(row, row);
  if (diagonal < 0) return false;
  std::vector<S> there = q, rest(q.size(), S(0)), mass(static_cast<std::size_t>(evaluation.coupling().size()));
  evaluation.mass(q.data(), rest.data(), &t, mass.data());
  if (mass[static_cast<std::size_t>(diagonal)] > S(0)) return false;  // it is shared with another coordinate's
  for (std::size_t i = 0; i < q.size(); ++i)
    there[i] += S(0.1) * (S(1) + math::abs(q[i])) / S(static_cast<double>(i) + 1.3);
  evaluation.mass(there.data(), rest.data(), &t, mass.data());
  return mass[static_cast<std::size_t>(diagonal)] > S(0);
}

template <class S>
void StartSolver<S>::refuse_singular(const std::vector<S>& q, S t) const {
  const int row = node_.singular_row();
  if (row < 0) return;
  if (row >= system_.size() && system_.has(Role::hamiltonian) && node_.has_independent_slopes(q.data(), t))
    throw InputError(fmt::format(
        "start: G H_pp G^T is singular at constraint \"{}\": no momentum across it changes its velocity, and "
        "its force is not determined; expected a Hamiltonian with inertia across the constraints",
        system_.constraint_names()[static_cast<std::size_t>(row - system_.size())]));
  if (row >= system_.size())
    throw InputError(
        fmt::format("start: constraint \"{}\" is singular at q: its derivative vanishes, or depends on those of the "
                    "others; try another position, or a function whose derivative does not vanish where it is zero",
                    system_.constraint_names()[static_cast<std::size_t>(row - system_.size())]));
  const std::string& name = system_.coordinate_names()[static_cast<std::size_t>(row)];
  if (has_inertia_nearby(row, q, t))
    throw InputError(
        fmt::format("start: coordinate \"{}\" has no inertia at q, but nearby: the coordinates are singular there; try "
                    "a start a little away from it, or other coordinates",
                    name));
  throw InputError(
      fmt::format("{}: coordinate \"{}\" has no inertia; expected a kinetic term that depends on its velocity{}",
                  system_.name(), name, system_.rigid() != nullptr ? ", as the armature of a joint" : ""));
}

template <class S>
bool StartSolver<S>::nearest(std::vector<S>& q, S t, S slack, const char* what, double& moved) {
  int worst = 0;
  const S violated = node_.constraint(q.data(), t, &worst);
  const auto size = [](S x) { return fmt::format("{:.3g}", static_cast<double>(x)); };
  const auto constraint = [&] { return system_.constraint_names()[static_cast<std::size_t>(worst)]; };
  if (!(violated <= slack)) {
    if (const auto open = open_joint(system_, q, worst))
      throw InputError(fmt::format(
          "{}{} is open at {}: {}; expected at most {}, which a run closes; try other positions, or a larger slack",
          open->place, open->joint, what, open->words, size(slack)));
    throw InputError(
        fmt::format("start: constraint \"{}\" is violated by {} at {}; expected at most {}; "
                    "try a position on the constraint, or a larger slack",
                    constraint(), size(violated), what, size(slack)));
  }
  const bool dependent = !node_.dependent_rows(q.data(), t).empty();
  if (!node_.nearest_position(q.data(), t, moved)) {
    if (node_.singular_row() < system_.size()) refuse_singular(q, t);
    const S left = node_.constraint(q.data(), t, &worst, true);
    const auto open = open_joint(system_, q, worst);
    throw InputError(
        fmt::format("{}no position with g = 0 was found near {}: {} cannot be closed, {} is left of {}; "
                    "try other lengths, or a position closer to one",
                    open ? open->place : "start: ", what, open ? open->joint : "constraint \"" + constraint() + "\"",
                    size(left), size(violated)));
  }
  return dependent;
}

template <class S>
Consistency StartSolver<S>::resolve(const StartNumbers<S>& start, State<S>& state, std::vector<S>& v) {
  const int given = int(!start.v.empty()) + int(!start.p.empty()) + int(!start.next.empty());
  if (given > 1) throw InputError("start: more than one of v, p and next is given; expected one of them");
  if (system_.has(Role::hamiltonian) && (!start.v.empty() || !start.next.empty()))
    throw InputError("start: " + system_.name() + " is given by a Hamiltonian; expected q and p");
  Consistency found;
  state.t = start.t;
  state.q = checked("q", start.q);
  const bool dependent = nearest(state.q, state.t, start.slack, "q", found.position);
  rank_ = {};
  if (dependent || found.position > 0)
    rank_ = find_rank(system_, node_, state.q, state.t, true);
  else
    node_.regularise(0);  // as find_rank, which would look at the same rows again
  if (rank_.lost > 0)
    throw InputError(
        fmt::format("start: q is a singular configuration: {} row(s) of the constraints {} depend on the others here "
                    "and not nearby, "
                    "so that the motion may branch; try a start a little before or after it",
                    rank_.lost, fmt::join(rank_.names, ", ")));
  found.redundant = rank_.redundant;
  found.dependent = rank_.names;

  const std::size_t n = state.q.size();
  std::vector<S> Lq(n), asked(n);
  v.assign(n, S(0));
  if (!start.v.empty()) v = checked("v", start.v);
  if (!start.p.empty()) {
    asked = checked("p", start.p);
  } else {
    node_.evaluation().gradient(1, state.q.data(), v.data(), &state.t, nullptr, Lq.data(), asked.data());
  }
  state.p = asked;
  if (!node_.legendre(state.q.data(), state.t, state.p.data(), v.data(), nullptr)) {
    refuse_singular(state.q, state.t);
    throw InputError("start: no velocity belongs to the momentum, or none meets G v = 0; try another v or p");
  }
  for (std::size_t i = 0; i < n; ++i)
    found.momentum = math::max(found.momentum, static_cast<double>(math::abs(state.p[i] - asked[i])));
  return found;
}

template <class S>
double StartSolver<S>::two_positions(const StartNumbers<S>& start, S step, const Galerkin& scheme, State<S>& state) {
  if (!(math::abs(step) > S(0))) throw InputError("start: two positions need the step between them; found step 0");
  std::vector<S> end = checked("next", start.next);
  double moved = 0;
  nearest(end, state.t + step, start.slack, "next", moved);
  BoundarySolver<S> solver(system_, scheme, 1, step);
  const BoundaryReport report = solver.solve(state.t, state.q.data(), end.data());
  if (!report.converged)
    throw InputError(
        fmt::format("start: no step of {:.3g} leads from q to next: {} (residual {:.3g}); try "
                    "positions closer to a motion",
                    static_cast<double>(step), report.reason, report.residual));
  solver.momentum(0, state.p.data());
  std::vector<S> v(state.q.size(), S(0));
  // Only the part along G^T is free, and the step does not depend on it.
  node_.legendre(state.q.data(), state.t, state.p.data(), v.data(), nullptr);
  return moved;
}

#define EXTREMAL_INSTANTIATE(S) template class StartSolver<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
