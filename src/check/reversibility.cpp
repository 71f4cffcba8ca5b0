// Reversibility, F_{-h} o F_h = id, and adjointness, F*_{-h} o F_h = id.
//
// Three steps there and three back. A scheme that is symmetric in q only (closure variational) returns to the same
// positions with momenta that differ across the constraints: the normal part is the node's own multiplier, which the
// way there and the way back leave on different sides.
#include <fmt/format.h>

#include "check/probe.hpp"
#include "extremal/error.hpp"

namespace extremal::laws {

namespace {

constexpr int there = 3;

struct Return {
  quad q = 0, p = 0;  // relative to the largest entry
  quad q_floor = 0, p_floor = 0;
};

Return back_and_forth(Probe& probe, const State<quad>& from, const Scheme& back, quad step) {
  Stepper<quad> stepper = probe.stepper(probe.scheme, from);
  Return result;
  // Round-off of all six steps, added up at its worst.
  const auto account = [&] {
    const Floor one = probe.floor(stepper.state(), step);
    result.q_floor += one.q * quad(2);
    result.p_floor += one.p * quad(2);
  };
  for (int k = 0; k < there; ++k) {
    account();
    advance(stepper, step);
  }
  if (&back == &probe.scheme) {
    advance(stepper, -step, there);
    result.q = distance(stepper.state().q, from.q);
    result.p = distance(stepper.state().p, from.p);
  } else {
    Stepper<quad> other = probe.stepper(back, stepper.state());
    advance(other, -step, there);
    result.q = distance(other.state().q, from.q);
    result.p = distance(other.state().p, from.p);
  }
  const quad q_scale = math::max(largest(from.q), quad(1e-30)), p_scale = math::max(largest(from.p), quad(1e-30));
  result.q /= q_scale;
  result.q_floor /= q_scale;
  result.p /= p_scale;
  result.p_floor /= p_scale;
  return result;
}

Law measure(Probe& probe, const std::string& name, const Scheme& back, Symmetry declared) {
  Law law{.name = name, .declared = declared == Symmetry::none ? "no" : declared == Symmetry::full ? "yes" : "in q"};
  try {
    const State<quad> from = probe.inside();
    const Return r = back_and_forth(probe, from, back, probe.h);
    const bool q = r.q <= r.q_floor, p = r.p <= r.p_floor;
    if (q && p) {
      law.measured = "yes";
    } else {
      const Return half = back_and_forth(probe, from, back, probe.h / quad(2));
      law.measured = q ? "in q; p returns to " + defect_text(r.p, half.p) : "no: " + defect_text(r.q, half.q);
    }
    // The part that decides: q if only q is declared, else the one that is further from its floor.
    const bool by_q = declared == Symmetry::configuration || r.q * r.p_floor > r.p * r.q_floor;
    law.defect = static_cast<double>(by_q ? r.q : r.p);
    law.floor = static_cast<double>(by_q ? r.q_floor : r.p_floor);
    law.holds = declared == Symmetry::none || (q && (p || declared == Symmetry::configuration));
  } catch (const StepFailure& failure) {
    law.measured = "no: " + failure.reason;
  }
  return law;
}

}  // namespace

Law reversibility(Probe& probe) { return measure(probe, "reversibility", probe.scheme, probe.symmetry()); }

Law adjointness(Probe& probe) {
  try {
    const Scheme other = adjoint(probe.scheme);
    return measure(probe, "adjointness", other, probe.variational() ? Symmetry::configuration : Symmetry::full);
  } catch (const InputError&) {
    return {"adjointness", "-", "the scheme has no adjoint here", 0, 0, true};
  }
}

}  // namespace extremal::laws
