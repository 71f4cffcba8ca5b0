// The rows of a step (kernel/phase.hpp) are linear in q~, p~ and the values of H_p, H_q at the nodes; q and p do not
// mix.
#include "scheme/tableau.hpp"

#include "algebra/lu.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "scheme/basis.hpp"
#include "scheme/phase_tables.hpp"
#include "scheme/tables.hpp"

namespace extremal {
namespace {

using Matrix = std::vector<std::vector<quad>>;

struct Sides {
  bool q_left, p_right, q_continuous;
  explicit Sides(Continuity c)
      : q_left(c == Continuity::q_left_p_right || c == Continuity::both_right),
        p_right(c == Continuity::q_left_p_right || c == Continuity::both_left),
        q_continuous(c == Continuity::q_continuous) {}
};

// Stages answer to a unit input at each node: solves for the K unknowns of the ansatz and sums them at the nodes.
Matrix responses(const Lu<quad>& lu, const Matrix& inputs, const std::vector<quad>& f, int K) {
  const int r = static_cast<int>(inputs.size());
  Matrix A(sz(r), std::vector<quad>(sz(r)));
  for (int j = 0; j < r; ++j) {
    std::vector<quad> x = inputs[sz(j)];
    lu.solve(x.data());
    for (int i = 0; i < r; ++i)
      for (int a = 0; a < K; ++a) A[sz(i)][sz(j)] += f[sz(i * K + a)] * x[sz(a)];
  }
  return A;
}

void require_regular(Lu<quad>& lu, const Scheme& scheme) {
  if (lu.factor() >= 0) throw InputError("tableau of " + scheme.name + ": its step equations are singular");
}

// Unknowns Q_a - q0 and the end, by A_p and the continuity of q~.
Matrix coordinate_stages(const Scheme& scheme, const PhaseTables<quad>& t, const Sides& side) {
  const int Kq = t.Kq, Kp = t.Kp, size = Kq + 1;
  Lu<quad> lu(size);
  Matrix inputs(sz(t.r), std::vector<quad>(sz(size)));
  for (int b = 0; b < Kp; ++b) {
    for (int a = 0; a < Kq; ++a) lu.row(b)[a] = t.pairing_pq[sz(b * Kq + a)];
    if (b == 0 && !side.q_continuous) lu.row(b)[0] += 1;
    if (b == Kp - 1 && !side.q_continuous) lu.row(b)[Kq] += 1, lu.row(b)[Kq - 1] -= 1;
    for (int i = 0; i < t.r; ++i) inputs[sz(i)][sz(b)] = t.bp[sz(i)] * t.fp[sz(i * Kp + b)];
  }
  int row = Kp;
  if (side.q_left || side.q_continuous) lu.row(row)[Kq] = 1, lu.row(row)[Kq - 1] = -1, ++row;
  if (!side.q_left) lu.row(row)[0] = 1;
  require_regular(lu, scheme);
  return responses(lu, inputs, t.fq, Kq);
}

// Unknowns P_a - p0, by A_q and the continuity of p~; the force is -H_q.
Matrix momentum_stages(const Scheme& scheme, const PhaseTables<quad>& t, const Sides& side) {
  const int Kq = t.Kq, Kp = t.Kp, kept = side.p_right || side.q_continuous ? Kq - 1 : Kq;
  Lu<quad> lu(Kp);
  Matrix inputs(sz(t.r), std::vector<quad>(sz(Kp)));
  for (int b = 0; b < kept; ++b) {
    for (int a = 0; a < Kp; ++a) lu.row(b)[a] = -t.pairing_qp[sz(b * Kp + a)];
    if (b == Kq - 1) lu.row(b)[Kp - 1] += 1;
    for (int i = 0; i < t.r; ++i) inputs[sz(i)][sz(b)] = t.bq[sz(i)] * t.fq[sz(i * Kq + b)];
  }
  if (side.p_right) lu.row(kept)[0] = 1;
  require_regular(lu, scheme);
  return responses(lu, inputs, t.fp, Kp);
}

// q' = sum_k l_k' z_k has the least distance from the velocities at the nodes, in the norm of the rule, since p is
// tested by l_k' only; q = q0 + sum_k l_k z_k. A_p is the partner of A_q.
ButcherPair of_hamilton(const Scheme& scheme, const Galerkin& galerkin) {
  const Tables<quad> t = tables<quad>(galerkin);
  const int s = t.s, r = t.r;
  const auto dl = [&](int i, int k) { return t.dl[sz(i * (s + 1) + k)]; };
  Lu<quad> lu(s);
  for (int k = 0; k < s; ++k)
    for (int m = 0; m < s; ++m)
      for (int i = 0; i < r; ++i) lu.row(k)[m] += t.b[sz(i)] * dl(i, k + 1) * dl(i, m + 1);
  require_regular(lu, scheme);
  const auto zeros = [](int rows, int columns) { return Matrix(sz(rows), std::vector<quad>(sz(columns))); };
  ButcherPair pair{t.c, t.b, zeros(r, r), zeros(r, r), {}, {}, {}, {}, {}, {}};
  if (t.spread.empty()) {
    pair.f = t.phi;
    pair.e = t.e;
    pair.d = t.psi;
    pair.A_f = zeros(t.J, r);
    pair.A_g = zeros(t.I, r);
    pair.A_lambda = zeros(r, t.J);
  }
  const auto places = static_cast<int>(pair.f.size()), positions = static_cast<int>(pair.d.size());
  for (int j = 0; j < r; ++j) {
    std::vector<quad> z;  // of a unit velocity at node j, per weight
    for (int k = 0; k < s; ++k) z.push_back(dl(j, k + 1));
    lu.solve(z.data());
    const auto answer = [&](const std::vector<quad>& basis, int at) {
      quad q(0);
      for (int k = 0; k < s; ++k) q += basis[sz(at * (s + 1) + k + 1)] * z[sz(k)];
      return q;
    };
    for (int i = 0; i < r; ++i) {
      const quad q = answer(t.l, i);
      pair.A_q[sz(i)][sz(j)] = t.b[sz(j)] * q;
      pair.A_p[sz(j)][sz(i)] = t.b[sz(i)] * (1 - q);
    }
    for (int i = 0; i < places; ++i) {
      const quad q = answer(t.lphi, i);
      pair.A_f[sz(i)][sz(j)] = t.b[sz(j)] * q;
      pair.A_lambda[sz(j)][sz(i)] = t.e[sz(i)] * (1 - q);
    }
    for (int i = 0; i < positions; ++i) pair.A_g[sz(i)][sz(j)] = t.b[sz(j)] * answer(t.lpsi, i);
  }
  return pair;
}

}  // namespace

ButcherPair butcher(const Scheme& scheme) {
  const PhaseSpace* member = scheme.as<PhaseSpace>();
  const std::string where = "tableau of " + scheme.name + ": found ";
  if (const Galerkin* galerkin = scheme.as<Galerkin>()) {
    if (has_length(galerkin->basis))
      throw InputError(where + "coefficients that depend on the step; expected polynomials; try spark(2)");
    return of_hamilton(scheme, *galerkin);
  }
  if (member == nullptr)
    throw InputError(where + "another family; expected a member of phase_space or hamilton; try phase_space(1)");
  const PhaseSpace& phase = *member;
  if (phase.exact_mass || phase.rule.kind == RuleKind::riemann)
    throw InputError(where + "two rules; expected one for H_p and H_q; try phase_space(2, quadrature=gauss(4))");
  if (has_length(phase.basis))
    throw InputError(where + "coefficients that depend on the step; expected polynomials; try phase_space(2)");
  const PhaseTables<quad> t = phase_tables<quad>(phase, 1);
  const Sides side(phase.continuity);
  return {t.c, t.bq, coordinate_stages(scheme, t, side), momentum_stages(scheme, t, side), {}, {}, {}, {}, {}, {}};
}

}  // namespace extremal
