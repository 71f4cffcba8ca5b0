// Symplecticity on the constraint manifold.
//
// Tangent vectors (dq, dp) of {g = 0, G v + g_t = 0} are carried by the derivative of the step, which Stepper::tangent
// finds by implicit differentiation. Omega((dq, dp), (dq', dp')) = dp . dq' - dp' . dq must be what it was, for all
// pairs of a basis. What dp has across the constraints drops out, since G dq = 0 at both ends: the law therefore
// holds for momenta that miss the hidden constraint as well (closure variational).
#include "check/probe.hpp"
#include "extremal/error.hpp"

namespace extremal::laws {

namespace {

using Pairs = std::vector<Vector>;  // (dq, dp) one after the other

quad omega(const Vector& a, const Vector& b) {
  const std::size_t n = a.size() / 2;
  quad sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[n + i] * b[i] - b[n + i] * a[i];
  return sum;
}

std::vector<quad> products(const Pairs& basis) {
  std::vector<quad> all;
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) all.push_back(omega(basis[i], basis[j]));
  return all;
}

// dq in the kernel of G; dv with G dv + d(G v + g_t)/dq dq = 0; dp = L_vq dq + L_vv dv.
Pairs tangent_basis(Probe& probe, const State<quad>& state) {
  const int n = probe.n, m = probe.m;
  const auto size = static_cast<std::size_t>(n);
  const Vector v = probe.velocity(state);
  const Matrix G = probe.jacobian(state);
  Matrix A(n, n), B(n, n), C(n, n), D(n, n), bend(m, n);
  if (probe.hamiltonian())
    for (int i = 0; i < n; ++i) D(i, i) = 1;  // p itself is the second half of the state
  else
    probe.evaluation.hessian(1, state.q.data(), v.data(), &state.t, A.entries.data(), B.entries.data(),
                             C.entries.data(), D.entries.data());
  if (m > 0) probe.evaluation.bend(state.q.data(), &state.t, v.data(), bend.entries.data(), nullptr);
  Pairs basis;
  const auto add = [&](const Vector& dq, const Vector& dv) {
    Vector pair = dq;
    const Vector first = C.times(dq), second = D.times(dv);
    for (std::size_t i = 0; i < size; ++i) pair.push_back(first[i] + second[i]);
    basis.push_back(std::move(pair));
  };
  for (const Vector& e : kernel(G)) {
    Vector turn = bend.times(e);
    for (quad& x : turn) x = -x;
    add(e, m > 0 ? shortest_solution(G, turn) : Vector(size));
    add(Vector(size), e);
  }
  return basis;
}

struct Defect {
  quad value = 0, floor = 0;
};

Defect defect(Probe& probe, const State<quad>& from, quad step, int steps) {
  Pairs basis = tangent_basis(probe, from);
  const std::vector<quad> before = products(basis);
  const quad scale = largest(before);
  Stepper<quad> stepper = probe.stepper(probe.scheme, from);
  Defect result;
  const auto n = static_cast<std::size_t>(probe.n);
  for (int k = 0; k < steps; ++k) {
    // Round-off of Omega after this step: 2 n products of the vectors' entries, each with the relative error of its
    // factors. Those of dq and dp are those of q and p in probe.hpp, with dq in the place of q.
    State<quad> size = stepper.state();
    quad dq = 0, dp = 0;
    for (const Vector& x : basis)
      for (std::size_t i = 0; i < n; ++i) {
        dq = math::max(dq, math::abs(x[i]));
        dp = math::max(dp, math::abs(x[n + i]));
      }
    const Floor unit = probe.floor(size, step);
    const quad relative = unit.q / math::max(largest(size.q), math::abs(step));
    const quad momentum = unit.p * dq / math::max(largest(size.q), math::abs(step)) + relative * dp;
    result.floor += quad(2 * probe.n) * (relative * dq * dp + momentum * dq) / scale;

    advance(stepper, step);
    Matrix T(2 * probe.n, 2 * probe.n);
    T.entries = stepper.tangent();
    for (Vector& x : basis) x = T.times(x);
  }
  result.value = distance(products(basis), before) / scale;
  return result;
}

}  // namespace

Law symplecticity(Probe& probe) {
  Law law{.name = "symplecticity", .declared = probe.symplectic() ? "yes" : "no"};
  if (probe.forced()) return {law.name, "-", "not asked: forces do work", 0, 0, true};  // nor is the flow itself
  try {
    const State<quad> from = probe.inside();
    const Defect one = defect(probe, from, probe.h, 1), ten = defect(probe, from, probe.h, 10);
    const Defect& worse = ten.value * one.floor > one.value * ten.floor ? ten : one;
    law.defect = static_cast<double>(worse.value);
    law.floor = static_cast<double>(worse.floor);
    const bool measured = law.defect <= law.floor;
    law.measured = measured ? "yes" : "no: " + defect_text(one.value, defect(probe, from, probe.h / quad(2), 1).value);
    law.holds = measured || law.declared != "yes";
  } catch (const StepFailure& failure) {
    law.measured = "no: " + failure.reason;
  } catch (const InputError&) {  // a claim that cannot be looked at does not hold
    law.measured = "not defined: a step depends on more than (q, p)";
    law.holds = law.declared != "yes";
  }
  return law;
}

}  // namespace extremal::laws
