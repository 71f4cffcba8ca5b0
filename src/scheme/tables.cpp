#include "scheme/tables.hpp"

#include <cassert>

#include "numbers/memo.hpp"
#include "scheme/basis.hpp"
#include "scheme/constraint_points.hpp"

namespace extremal {
namespace {

std::vector<quad> flattened(const std::vector<std::vector<quad>>& rows) {
  std::vector<quad> flat;
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  return flat;
}

template <class S>
std::vector<S> rounded(const std::vector<quad>& x) {
  std::vector<S> result;
  for (quad value : x) result.push_back(static_cast<S>(value));
  return result;
}

// lobatto and radau: the node at 1 belongs to the next step, whose node at 0 it is. Its multiplier acts there,
// once, with the weight that the rule gives to the end; at the end of this step it only changes the momentum
// in the direction of G^T, which the projection undoes [Wenger2017, section 3.5].
void multipliers_at_node_and_inside(const Galerkin& galerkin, Tables<quad>& t) {
  Rule rule = galerkin.constraint;
  rule.mirrored = false;
  Quadrature q = quadrature(rule);
  t.node_weight = q.weights.back();
  t.phi.push_back(0);
  t.e.push_back(t.node_weight);
  std::size_t first = rule.kind == RuleKind::lobatto ? 1 : 0, end = q.nodes.size() - 1;
  for (std::size_t i = first; i < end; ++i) {
    std::size_t j = galerkin.constraint.mirrored ? first + end - 1 - i : i;
    t.phi.push_back(galerkin.constraint.mirrored ? 1 - q.nodes[j] : q.nodes[j]);
    t.e.push_back(q.weights[j]);
    t.psi.push_back(t.phi.back());
  }
  t.psi.push_back(1);
}

void position_at_points(const Galerkin& galerkin, Tables<quad>& t) {
  Quadrature q = quadrature(galerkin.constraint);
  t.coupled_hidden = galerkin.constraint.kind == RuleKind::gauss;
  if (!t.coupled_hidden) {
    t.node_weight = q.weights.front();
    q.nodes.pop_back();
    q.weights.pop_back();
  }
  t.phi = q.nodes;
  t.e = q.weights;
  const std::vector<quad> points = constraint_points(galerkin);
  t.psi.assign(points.begin() + 1, points.end());
}

void multiplier_polynomial(const Galerkin& galerkin, Tables<quad>& t) {
  auto w = static_cast<std::size_t>(galerkin.multiplier_degree);
  BasisTable basis = lagrange_basis(control_points(Points::lobatto, galerkin.multiplier_degree), t.phi);
  for (std::size_t j = 0; j < t.phi.size(); ++j) {
    t.spread0.push_back(basis.values[j][0]);
    for (std::size_t k = 1; k <= w; ++k) t.spread.push_back(basis.values[j][k]);
    t.collect_end.push_back(t.e[j] * basis.values[j][w]);
  }
  for (std::size_t m = 0; m < w; ++m)
    for (std::size_t j = 0; j < t.phi.size(); ++j) t.collect.push_back(t.e[j] * basis.values[j][m]);
}

Tables<quad> exact_tables(const Galerkin& galerkin, quad h) {
  require_smooth(galerkin.basis, h);
  Tables<quad> t;
  t.s = galerkin.degree;
  t.w = galerkin.multiplier_degree;
  t.d = control_points(galerkin.control, t.s);

  Quadrature lagrangian = quadrature(galerkin.lagrangian);
  t.r = static_cast<int>(lagrangian.nodes.size());
  t.c = lagrangian.nodes;
  t.b = lagrangian.weights;
  BasisTable basis = basis_table(galerkin.basis, galerkin.degree, h, t.d, t.c);
  t.l = flattened(basis.values);
  t.dl = flattened(basis.slopes);

  if (galerkin.closure == Closure::position) {
    position_at_points(galerkin, t);
  } else if (galerkin.constraint.kind == RuleKind::gauss) {
    Quadrature q = quadrature(galerkin.constraint);
    t.phi = t.psi = q.nodes;
    t.e = q.weights;
    if (galerkin.closure == Closure::given_lambda0) multiplier_polynomial(galerkin, t);
  } else {
    multipliers_at_node_and_inside(galerkin, t);
  }
  t.J = static_cast<int>(t.phi.size());
  t.I = static_cast<int>(t.psi.size());
  t.lphi = flattened(basis_table(galerkin.basis, galerkin.degree, h, t.d, t.phi).values);
  t.lpsi = flattened(basis_table(galerkin.basis, galerkin.degree, h, t.d, t.psi).values);
  t.projects = (galerkin.closure == Closure::projected || galerkin.closure == Closure::hidden ||
                galerkin.closure == Closure::position) &&
               !t.coupled_hidden;
  assert(t.J == t.I + (t.coupled_hidden ? 1 : 0));
  return t;
}

template <class S>
Tables<S> rounded_tables(const Tables<quad>& from) {
  Tables<S> to;
  to.s = from.s;
  to.w = from.w;
  to.r = from.r;
  to.J = from.J;
  to.I = from.I;
  to.d = rounded<S>(from.d);
  to.c = rounded<S>(from.c);
  to.b = rounded<S>(from.b);
  to.l = rounded<S>(from.l);
  to.dl = rounded<S>(from.dl);
  to.phi = rounded<S>(from.phi);
  to.e = rounded<S>(from.e);
  to.lphi = rounded<S>(from.lphi);
  to.psi = rounded<S>(from.psi);
  to.lpsi = rounded<S>(from.lpsi);
  to.coupled_hidden = from.coupled_hidden;
  to.projects = from.projects;
  to.node_weight = static_cast<S>(from.node_weight);
  to.spread = rounded<S>(from.spread);
  to.spread0 = rounded<S>(from.spread0);
  to.collect = rounded<S>(from.collect);
  to.collect_end = rounded<S>(from.collect_end);
  return to;
}

}  // namespace

template <class S>
Tables<S> tables(const Galerkin& galerkin, quad h) {
  if (has_length(galerkin.basis)) return rounded_tables<S>(exact_tables(galerkin, h));
  static Memo<Galerkin, Tables<S>> memo;
  return *memo.of(galerkin, [&] { return rounded_tables<S>(exact_tables(galerkin, h)); });
}

template Tables<double> tables<double>(const Galerkin&, quad);
template Tables<long double> tables<long double>(const Galerkin&, quad);
template Tables<quad> tables<quad>(const Galerkin&, quad);

}  // namespace extremal
