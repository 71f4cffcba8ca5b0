#include "scheme/phase_tables.hpp"

#include <algorithm>
#include <cmath>

#include "scheme/basis.hpp"

namespace extremal {

namespace {

// Cardinal points that contain both ends; a constant has one point only.
std::vector<quad> points_of(int degree) {
  return degree == 0 ? std::vector<quad>{0} : control_points(Points::lobatto, degree);
}

Quadrature rule_of(const PhaseSpace& s, quad h) {
  if (s.rule.kind != RuleKind::riemann) return quadrature(s.rule);
  // As many whole widths as fit best: their sum is the step, so that the weights are consistent.
  const int count = std::max(1, static_cast<int>(std::lround(static_cast<double>(math::abs(h) / s.rule.a.as<quad>()))));
  Quadrature q;
  for (int j = 0; j < count; ++j) {
    q.nodes.push_back(quad(s.rule.mirrored ? j + 1 : j) / count);
    q.weights.push_back(quad(1) / count);
  }
  q.weights.front() *= 1 + quad(s.rule.perturbation.amount());
  return q;
}

template <class S>
std::vector<S> flat(const std::vector<std::vector<quad>>& rows) {
  std::vector<S> out;
  for (const auto& row : rows)
    for (const quad& x : row) out.push_back(static_cast<S>(x));
  return out;
}

template <class S>
std::vector<S> cast(const std::vector<quad>& x) {
  return {x.begin(), x.end()};
}

}  // namespace

template <class S>
PhaseTables<S> phase_tables(const PhaseSpace& s, quad h) {
  PhaseTables<S> t;
  const bool continuous = s.continuity == Continuity::q_continuous;
  const int degree_p = continuous ? s.degree - 1 : s.degree;
  const std::vector<quad> dq = points_of(s.degree), dg = points_of(s.pg_degree);
  // Without jumps p~ needs no value at the ends: Gauss points keep it regular down to a constant.
  const std::vector<quad> dp = continuous ? quadrature({RuleKind::gauss, s.degree}).nodes : points_of(degree_p);
  t.Kq = static_cast<int>(dq.size());
  t.Kp = static_cast<int>(dp.size());
  t.Kg = static_cast<int>(dg.size());
  t.d = cast<S>(dq);
  t.dp = cast<S>(dp);
  t.dg = cast<S>(dg);

  Quadrature rule = rule_of(s, h);
  std::vector<quad> bp = rule.weights, bq = rule.weights, bg = rule.weights;
  if (s.exact_mass || s.rule.kind == RuleKind::riemann) {
    // Gauss with one point more than the degree is exact for products of two ansatz polynomials; it also serves the
    // constraint products, which the Riemann sum would leave of first order.
    const Quadrature exact = quadrature({RuleKind::gauss, s.degree + 1});
    bp.assign(bp.size(), 0);
    if (s.rule.kind == RuleKind::riemann) bg.assign(bg.size(), 0);
    for (std::size_t i = 0; i < exact.nodes.size(); ++i) {
      rule.nodes.push_back(exact.nodes[i]);
      bp.push_back(exact.weights[i]);
      bq.push_back(0);
      bg.push_back(s.rule.kind == RuleKind::riemann ? exact.weights[i] : quad(0));
    }
  }
  t.r = static_cast<int>(rule.nodes.size());
  t.c = cast<S>(rule.nodes);
  t.bp = cast<S>(bp);
  t.bq = cast<S>(bq);
  t.bg = cast<S>(bg);
  require_smooth(s.basis, h);
  const BasisTable q = basis_table(s.basis, s.degree, h, dq, rule.nodes);
  const BasisTable p = continuous ? lagrange_basis(dp, rule.nodes) : basis_table(s.basis, degree_p, h, dp, rule.nodes);
  t.fq = flat<S>(q.values);
  t.dfq = flat<S>(q.slopes);
  t.fp = flat<S>(p.values);
  t.dfp = flat<S>(p.slopes);
  const std::vector<quad> ends{0, 1};
  const BasisTable g = lagrange_basis(dg, rule.nodes), g_ends = lagrange_basis(dg, ends);
  t.fg = flat<S>(g.values);
  t.dfg = flat<S>(g.slopes);
  t.force = flat<S>(lagrange_basis(dg, dg).slopes);
  t.fg0 = cast<S>(g_ends.values[0]);
  t.fg1 = cast<S>(g_ends.values[1]);

  // Pairings by a rule that is exact for polynomials of the ansatz and to the last digit for smooth functions.
  const Quadrature fine = quadrature({RuleKind::gauss, s.basis == Basis{} ? s.degree + 1 : 32});
  const BasisTable qf = basis_table(s.basis, s.degree, h, dq, fine.nodes);
  const BasisTable pf = continuous ? lagrange_basis(dp, fine.nodes) : basis_table(s.basis, degree_p, h, dp, fine.nodes);
  const auto Kq = static_cast<std::size_t>(t.Kq), Kp = static_cast<std::size_t>(t.Kp);
  t.pairing_pq.resize(Kp * Kq);
  t.pairing_qp.resize(Kq * Kp);
  for (std::size_t b = 0; b < Kp; ++b)
    for (std::size_t a = 0; a < Kq; ++a) {
      quad sum = 0;
      for (std::size_t i = 0; i < fine.nodes.size(); ++i) sum += fine.weights[i] * pf.values[i][b] * qf.slopes[i][a];
      t.pairing_pq[b * Kq + a] = t.pairing_qp[a * Kp + b] = static_cast<S>(sum);
    }
  return t;
}

template PhaseTables<double> phase_tables(const PhaseSpace&, quad);
template PhaseTables<long double> phase_tables(const PhaseSpace&, quad);
template PhaseTables<quad> phase_tables(const PhaseSpace&, quad);

}  // namespace extremal
