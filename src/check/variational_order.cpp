// Variational order: L_d(q0, q1) - L_d^E(q0, q1) = O(h^{r+1}) for q0, q1 on an exact solution [LewMata2016, eq. 76;
// MarsdenWest2001, section 2.3].
//
// L_d is the action of the step from q0 that ends at the exact q1: its start momentum is found by Newton's method with
// the derivative of the step, in coordinates of the tangent spaces at q0 and q1. L_d^E is the action of a scheme of
// much higher order along its own motion.
#include <algorithm>

#include "check/probe.hpp"
#include "extremal/error.hpp"

namespace extremal::laws {

namespace {

struct Exact {
  State<quad> end;
  quad action = 0;
};

Exact follow_exactly(Probe& probe, const State<quad>& from, quad step) {
  constexpr int parts = 4;
  Stepper<quad> stepper = probe.stepper(probe.reference_scheme(), from);
  Exact exact;
  for (int k = 0; k < parts; ++k) {
    advance(stepper, step / quad(parts));
    exact.action += stepper.action();
  }
  exact.end = stepper.state();
  return exact;
}

// The action of the step from `from` that ends at `end`.
quad action_between(Probe& probe, const State<quad>& from, const State<quad>& end, quad step) {
  const Vector v = probe.velocity(from);
  const Matrix D = probe.mass(from, v);
  const std::vector<Vector> directions = kernel(probe.jacobian(from)), places = kernel(probe.jacobian(end));
  const auto free = static_cast<int>(directions.size());
  const auto n = static_cast<std::size_t>(probe.n);
  std::vector<Vector> impulses;  // momenta of the tangent velocities: the normal part does not move q1
  for (const Vector& e : directions) impulses.push_back(D.times(e));

  State<quad> state = from;
  Stepper<quad> stepper = probe.stepper(probe.scheme, from);
  const quad floor = probe.floor(from, step).q;
  quad previous = 0, action = 0;
  for (int iteration = 0; iteration < 12; ++iteration) {
    stepper.place(state);
    advance(stepper, step);
    action = stepper.action();
    Vector gap(static_cast<std::size_t>(free));
    for (int i = 0; i < free; ++i)
      for (std::size_t a = 0; a < n; ++a)
        gap[static_cast<std::size_t>(i)] += places[static_cast<std::size_t>(i)][a] * (end.q[a] - stepper.state().q[a]);
    const quad size = largest(gap);
    if (size <= floor || (iteration > 3 && size >= previous)) return action;
    previous = size;
    Matrix T(2 * probe.n, 2 * probe.n), J(free, free);
    T.entries = stepper.tangent();
    for (int j = 0; j < free; ++j) {
      Vector pair(n);
      pair.insert(pair.end(), impulses[static_cast<std::size_t>(j)].begin(),
                  impulses[static_cast<std::size_t>(j)].end());
      const Vector moved = T.times(pair);
      for (int i = 0; i < free; ++i)
        for (std::size_t a = 0; a < n; ++a) J(i, j) += places[static_cast<std::size_t>(i)][a] * moved[a];
    }
    if (!solve(J, gap)) throw StepFailure{"the end of a step does not depend on its start momentum"};
    for (int j = 0; j < free; ++j)
      for (std::size_t a = 0; a < n; ++a)
        state.p[a] += gap[static_cast<std::size_t>(j)] * impulses[static_cast<std::size_t>(j)][a];
  }
  return action;
}

}  // namespace

Law variational_order(Probe& probe) {
  const int r = probe.order().q;
  // Off the manifold no step ends at the exact q1.
  const bool claimed = probe.symplectic() && probe.on_manifold();
  // Without L there is no exact discrete Lagrangian to compare with.
  if (probe.hamiltonian()) return {"variational order", "-", "not measured: the system is given by H", 0, 0.25, true};
  // With forces there is no action whose order could be asked for.
  if (probe.forced()) return {"variational order", "-", "not asked: forces do work", 0, 0.25, true};
  Slope slope(claimed ? r : 0, 1);
  try {
    // The error changes its sign along the motion: the largest of a few places shows its order.
    std::vector<State<quad>> places;
    for (int k = 1; k <= 4; ++k)
      places.push_back(follow_exactly(probe, k == 1 ? probe.initial : places.back(), probe.h * quad(2)).end);
    quad step = r >= 10 ? probe.h * quad(2) : r >= 6 ? probe.h : probe.h / quad(2);
    const auto error = [&] {
      quad largest_error = 0;
      for (const State<quad>& from : places) {
        const Exact exact = follow_exactly(probe, from, step);
        largest_error =
            math::max(largest_error, math::abs(action_between(probe, from, exact.end, step) - exact.action));
      }
      return largest_error;
    };
    const auto floor = [&] {
      // h sum b L with L of the size of p v and V; and dL_d = p dq where the ends are met to round-off.
      quad most = 0;
      for (const State<quad>& from : places) {
        const Vector v = probe.velocity(from);
        const quad momentum = largest(from.p);
        quad kinetic = 0, potential = 0;
        probe.evaluation.energies(from.q.data(), v.data(), &from.t, kinetic, potential);
        const quad size = math::abs(kinetic) + math::abs(potential) + momentum * largest(v);
        most = math::max(most, quad(operations) * Scalar<quad>::epsilon * step * size +
                                   quad(probe.n) * momentum * probe.floor(from, step).q);
      }
      return most;
    };
    quad e = error();
    for (int tries = 0; tries < 4 && e > floor() && e < math::pow(quad(4), quad(r + 1)) * quad(16) * floor(); ++tries) {
      step *= quad(2);
      e = error();
    }
    for (int level = 0;; ++level) {
      slope.add(e, floor());
      if (level == 5 || (level >= 2 && slope.settled())) break;
      step /= quad(2);
      e = error();
    }
  } catch (const StepFailure& failure) {
    return {"variational order", claimed ? std::to_string(r) : "-", "no: " + failure.reason, 0, 0.25, !claimed};
  } catch (const InputError&) {
    return {"variational order", "-", "not defined: a step depends on more than (q, p)", 0, 0, !claimed};
  }
  // The slope is r + 1; the law is told in terms of r, like the order of q.
  return slope.law("variational order", probe.quadratic());
}

}  // namespace extremal::laws
