// The order of q, p and lambda: slopes of the global error.
//
// Errors are the largest at T/4, T/2, 3T/4 and T, against a reference of order at least six higher. T is 16 steps of
// the user's size; if even four steps leave no room for three points above round-off, T is doubled.
#include "check/probe.hpp"

namespace extremal::laws {

namespace {

struct Errors {
  Floor value, floor, lacking;
};

Errors errors(Probe& probe, quad span, int steps) {
  const std::vector<Sample> computed = probe.follow(probe.scheme, span, steps);
  Errors e;
  // Round-off of all steps, added up at its worst.
  e.floor = probe.floor(probe.initial, span / quad(steps));
  e.floor.q *= quad(steps);
  e.floor.p *= quad(steps);
  e.floor.lambda *= quad(steps);
  for (;;) {
    const Reference& exact = probe.reference(span);
    e.value = largest_difference(computed, exact.samples);
    e.lacking = exact.error;
    const bool seen = e.value.q > quad(100) * e.lacking.q + e.floor.q || e.lacking.q <= e.floor.q;
    if ((seen && (e.value.p > quad(100) * e.lacking.p + e.floor.p || e.lacking.p <= e.floor.p)) ||
        !probe.refine_reference())
      return e;
  }
}

// Where a scheme of this order is in its asymptotic range, by experience; the measurement itself does not use it.
int first_steps(int order) { return order <= 1 ? 64 : order == 2 ? 32 : order <= 4 ? 16 : order <= 8 ? 8 : 4; }

}  // namespace

std::vector<Law> order(Probe& probe) {
  const Order declared = probe.order();
  Slope q(declared.q), p(declared.p), lambda(declared.lambda);
  try {
    quad span = probe.h * quad(16);
    int steps = first_steps(declared.q);
    Errors e = errors(probe, span, steps);
    // Two halvings divide the error by 4^order: there must be room for that above the floor, if there is any error.
    // No error at all may be that of a motion that has hardly begun.
    const quad room = math::pow(quad(4), quad(declared.q)) * quad(16);
    const auto cramped = [&] { return e.value.q < room * e.floor.q || e.value.p < room * e.floor.p; };
    for (int tries = 0; tries < 8 && cramped(); ++tries) {
      if (steps > 4)
        steps /= 2;
      else
        span *= quad(2);
      e = errors(probe, span, steps);
    }
    const int most = halvings(probe.n, steps), enough = probe.n > 200 ? 3 : 5;
    for (int level = 0;; ++level) {
      q.add(e.value.q, e.floor.q, e.lacking.q);
      p.add(e.value.p, e.floor.p, e.lacking.p);
      if (probe.constrained()) lambda.add(e.value.lambda, e.floor.lambda, e.lacking.lambda);
      const bool settled = q.settled() && p.settled() && (!probe.constrained() || lambda.settled());
      const bool holds = q.holds() && p.holds() && (!probe.constrained() || lambda.holds());
      if (level == most || (level >= 2 && settled) || (level >= enough && holds)) break;
      steps *= 2;
      e = errors(probe, span, steps);
    }
  } catch (const StepFailure& failure) {
    return {{"order", std::to_string(declared.q), "no: " + failure.reason, 0, 0.25, false}};
  }
  std::vector<Law> laws{q.law("order of q", probe.quadratic()), p.law("order of p", probe.quadratic())};
  if (probe.constrained()) laws.push_back(lambda.law("order of lambda", probe.quadratic()));
  return laws;
}

}  // namespace extremal::laws
