// Variational order: L_d(q0, q1) - L_d^E(q0, q1) = O(h^{r+1}) for q0, q1 on an exact solution [LewMata2016, eq. 76;
// MarsdenWest2001, section 2.3].
//
// L_d is the action of a step from (q0, p0), and q1 where it ends. L_d^E is known where the exact motion from (q0, p0)
// ends, at q1^E, as the action of a scheme of much higher order; from there to q1 it changes by its slope, the end
// momentum, at the mean of the two ends: (p1 + p1^E) . (q1 - q1^E) / 2. What that leaves out is of second order in the
// errors of the step.
#include <algorithm>

#include "check/probe.hpp"

namespace extremal::laws {

namespace {

struct Exact {
  State<quad> end;
  quad action = 0;
};

Exact follow_exactly(Stepper<quad>& reference, const State<quad>& from, quad step) {
  constexpr int parts = 2;
  reference.place(from);
  Exact exact;
  for (int k = 0; k < parts; ++k) {
    advance(reference, step / quad(parts));
    exact.action += reference.action();
  }
  exact.end = reference.state();
  return exact;
}

// L_d - L_d^E between the ends of a step.
quad action_error(Stepper<quad>& stepper, Stepper<quad>& reference, const State<quad>& from, quad step) {
  const Exact exact = follow_exactly(reference, from, step);
  stepper.place(from);
  advance(stepper, step);
  quad error = stepper.action() - exact.action;
  const State<quad>& end = stepper.state();
  for (std::size_t i = 0; i < end.q.size(); ++i)
    error -= (end.p[i] + exact.end.p[i]) * (end.q[i] - exact.end.q[i]) / quad(2);
  return error;
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
    Stepper<quad> stepper(probe.system, probe.scheme), reference(probe.system, probe.reference_scheme());
    // The error changes its sign along the motion: the largest of a few places shows its order.
    std::vector<State<quad>> places;
    for (int k = 1; k <= (probe.n > 200 ? 2 : 4); ++k)
      places.push_back(follow_exactly(reference, k == 1 ? probe.initial : places.back(), probe.h * quad(2)).end);
    quad step = r >= 10 ? probe.h * quad(2) : r >= 6 ? probe.h : probe.h / quad(2);
    quad error = 0, floor = 0;
    const auto measure_at = [&](quad at) {
      step = at;
      error = floor = 0;
      for (const State<quad>& from : places) {
        check_stop(probe.options.control);
        error = math::max(error, math::abs(action_error(stepper, reference, from, step)));
        // h sum b L with L of the size of p v and V; and dL_d = p dq where the ends are known to round-off.
        const Vector v = probe.velocity(from);
        const quad momentum = largest(from.p);
        quad kinetic = 0, potential = 0;
        probe.evaluation.energies(from.q.data(), v.data(), &from.t, kinetic, potential);
        const quad size = math::abs(kinetic) + math::abs(potential) + momentum * largest(v);
        floor = math::max(floor, quad(operations) * Scalar<quad>::epsilon * step * size +
                                     quad(probe.n) * momentum * probe.floor(from, step).q);
      }
    };
    measure_at(step);
    for (int tries = 0; tries < 4 && error > floor && error < math::pow(quad(4), quad(r + 1)) * quad(16) * floor;
         ++tries)
      measure_at(step * quad(2));
    for (int level = 0;; ++level) {
      slope.add(error, floor);
      if (level == 5 || (level >= 2 && slope.settled())) break;
      measure_at(step / quad(2));
    }
  } catch (const StepFailure& failure) {
    return {"variational order", claimed ? std::to_string(r) : "-", "no: " + failure.reason, 0, 0.25, !claimed};
  }
  // The slope is r + 1; the law is told in terms of r, like the order of q.
  return slope.law("variational order", probe.quadratic());
}

}  // namespace extremal::laws
