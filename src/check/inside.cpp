// What the phase_space family promises inside a step: q~ of order min(k + 1, pg + 2), the constraint force of the
// degree of p_g, and the energy-like balance [Muehlebach2016, eqs. 24, 40].
//
// Errors are the largest at a quarter, a half and three quarters of every step of a short run; there the reference,
// whose steps are a quarter as long, has its nodes.
#include <algorithm>

#include "check/probe.hpp"

namespace extremal::laws {

namespace {

constexpr int span_steps = 4;

struct InnerErrors {
  quad q = 0, lambda = 0;
};

InnerErrors inner_errors(Probe& probe, int steps) {
  const quad step = probe.h * quad(span_steps) / quad(steps);
  Stepper<quad> inner = probe.stepper(probe.scheme, probe.initial);
  Stepper<quad> exact = probe.stepper(probe.reference_scheme(), probe.initial);
  InnerErrors e;
  DensePoint<quad> point;
  Observation<quad> seen;
  for (int k = 0; k < steps; ++k) {
    advance(inner, step);
    for (int quarter = 1; quarter <= 4; ++quarter) {
      advance(exact, step / quad(4));
      if (quarter == 4) continue;
      inner.dense(quad(quarter) / quad(4), point);
      exact.observe(seen);
      e.q = math::max(e.q, distance(point.q, exact.state().q));
      if (probe.constrained()) e.lambda = math::max(e.lambda, distance(point.lambda, seen.lambda));
    }
  }
  return e;
}

// One step's identity; it must hold where the rule is exact, which only the user knows. So it is reported, not held.
Law balance(Probe& probe, const std::string& name, quad StepBalance<quad>::* part) {
  Law law{.name = name, .declared = "-", .holds = true};
  quad worst[2] = {0, 0}, scale = 0;
  for (int level = 0; level < 2; ++level) {
    const quad step = probe.h / quad(level + 1);
    Stepper<quad> s = probe.stepper(probe.scheme, probe.initial);
    for (int k = 0; k < span_steps; ++k) {
      advance(s, step);
      StepBalance<quad> b{};
      s.balance(b);
      worst[level] = math::max(worst[level], math::abs(b.*part));
      const Observation<quad> seen = s.observe();
      // H is a difference of the parts of the energy, and the work of a force p.v / h of one step enters it.
      quad work = math::abs(seen.kinetic) + math::abs(seen.potential);
      for (std::size_t i = 0; i < seen.v.size(); ++i) work += math::abs(s.state().p[i] * seen.v[i]);
      scale = math::max(scale, work);
    }
  }
  const quad floor = Scalar<quad>::epsilon * quad(operations) * scale;
  law.defect = static_cast<double>(worst[0]);
  law.floor = static_cast<double>(floor);
  law.measured = worst[0] <= floor ? "yes" : "no: " + defect_text(worst[0], worst[1]);
  return law;
}

}  // namespace

std::vector<Law> inside(Probe& probe) {
  const PhaseSpace* member = probe.scheme.as<PhaseSpace>();
  if (member == nullptr) return {};
  const PhaseSpace& scheme = *member;
  const bool continuous = scheme.continuity == Continuity::q_continuous;
  // A Riemann sum is of first order in its width, whatever the step.
  if (scheme.rule.kind == RuleKind::riemann) return {};
  // A force of the degree of p_g - 1 bends q~ by two orders more.
  const int order = probe.constrained() ? std::min(scheme.degree + 1, scheme.pg_degree + 2) : scheme.degree + 1;
  std::vector<Law> laws;
  try {
    const int pg = scheme.pg_degree;
    Slope q(continuous ? 0 : order), lambda(continuous ? 0 : pg);
    const Floor floor = probe.floor(probe.initial, probe.h / quad(8));
    for (int steps = 8, level = 0; level < 5; steps *= 2, ++level) {
      const InnerErrors e = inner_errors(probe, steps);
      q.add(e.q, floor.q * quad(steps));
      if (probe.constrained()) lambda.add(e.lambda, floor.lambda * quad(steps));
      if (q.settled() && (!probe.constrained() || lambda.settled())) break;
    }
    laws.push_back(q.law("order inside the step", probe.quadratic()));
    if (probe.constrained()) laws.push_back(lambda.law("order of the constraint force", probe.quadratic()));
    laws.push_back(balance(probe, "energy balance", &StepBalance<quad>::energy));
    laws.push_back(balance(probe, "energy balance of the rule", &StepBalance<quad>::energy_quadrature));
  } catch (const StepFailure& failure) {
    laws.push_back({"order inside the step", std::to_string(order), "no: " + failure.reason, 0, 0.25, false});
  }
  return laws;
}

}  // namespace extremal::laws
