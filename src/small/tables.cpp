#include "small/tables.hpp"

#include <algorithm>
#include <optional>

#include "algebra/lu.hpp"
#include "numbers/index.hpp"
#include "numbers/memo.hpp"
#include "scheme/space.hpp"
#include "scheme/tables.hpp"

namespace extremal {

namespace {

// Multipliers at the start and inside, g = 0 inside and at the end, the same nodes inside.
bool shifted(const Tables<quad>& t) {
  if (!t.projects || t.coupled_hidden || !t.spread.empty() || !t.collect.empty() || t.J != t.I) return false;
  if (t.phi.front() != quad(0) || t.psi.back() != quad(1)) return false;
  return std::equal(t.phi.begin() + 1, t.phi.end(), t.psi.begin());
}

// Elimination in the natural order must not let entries grow: the kernel takes it as it is.
bool tame(std::vector<quad> a, int n) {
  quad most(0);
  for (const quad x : a) most = math::max(most, math::abs(x));
  for (int p = 0; p < n; ++p) {
    if (math::abs(a[sz(p * n + p)]) < quad(1e-6) * most) return false;
    for (int i = p + 1; i < n; ++i) {
      const quad f = a[sz(i * n + p)] / a[sz(p * n + p)];
      for (int j = p; j < n; ++j) {
        a[sz(i * n + j)] -= f * a[sz(p * n + j)];
        if (math::abs(a[sz(i * n + j)]) > quad(10) * most) return false;
      }
    }
  }
  return true;
}

// rows x (s + 1) values of the basis at some nodes, times s x columns coefficients of the control points 1..s.
std::vector<quad> at_nodes(const std::vector<quad>& basis, const std::vector<quad>& coefficients, int s, int columns) {
  const int rows = static_cast<int>(basis.size()) / (s + 1);
  std::vector<quad> out(sz(rows * columns), quad(0));
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < s; ++k)
      for (int c = 0; c < columns; ++c)
        out[sz(i * columns + c)] += basis[sz(i * (s + 1) + k + 1)] * coefficients[sz(k * columns + c)];
  // What is zero is so exactly: a node that does not act on another is left out.
  for (quad& x : out)
    if (math::abs(x) < quad(1e-25)) x = quad(0);
  return out;
}

template <class S>
std::vector<S> rounded(const std::vector<quad>& x) {
  return {x.begin(), x.end()};
}

template <class S>
std::unique_ptr<SmallTables<S>> eliminated(const Galerkin& galerkin, bool constrained) {
  if (galerkin.basis != Basis{}) return nullptr;
  Tables<quad> t = tables<quad>(galerkin);
  if (!constrained) {
    t.J = 0;
    t.e.clear();
    t.phi.clear();
    t.lphi.clear();
    t.psi = {1};
    t.lpsi.assign(sz(t.s + 1), quad(0));
    t.lpsi.back() = 1;
  } else if (!shifted(t)) {
    return nullptr;
  }
  const int s = t.s, r = t.r, J = t.J;
  // -K z = h p0 e_0 + h^2 sum_i b_i l(c_i) f_i - h^2 sum_j e_j l(phi_j) G_j^T lambda_j, K_nk = sum_i b_i l_n' l_k'.
  Lu<quad> lu(s);
  for (int nu = 0; nu < s; ++nu)
    for (int k = 1; k <= s; ++k) {
      quad sum(0);
      for (int i = 0; i < r; ++i) sum -= t.b[sz(i)] * t.dl[sz(i * (s + 1) + nu)] * t.dl[sz(i * (s + 1) + k)];
      lu.row(nu)[k - 1] = sum;
    }
  if (lu.factor() >= 0) return nullptr;
  const int columns = 1 + r + J;
  std::vector<quad> z(sz(s * columns)), column(sz(s));
  for (int c = 0; c < columns; ++c) {
    for (int nu = 0; nu < s; ++nu)
      column[sz(nu)] = c == 0   ? quad(nu == 0 ? 1 : 0)
                       : c <= r ? t.b[sz(c - 1)] * t.l[sz((c - 1) * (s + 1) + nu)]
                                : t.e[sz(c - 1 - r)] * t.lphi[sz((c - 1 - r) * (s + 1) + nu)];
    lu.solve(column.data());
    for (int k = 0; k < s; ++k) z[sz(k * columns + c)] = column[sz(k)];
  }
  const std::vector<quad> outer = at_nodes(t.lpsi, z, s, columns), inner = at_nodes(t.l, z, s, columns);
  std::vector<quad> y, P, R, inner_y, inner_P, inner_R;
  const auto split = [&](const std::vector<quad>& all, auto& to_y, auto& to_P, auto& to_R) {
    for (std::size_t at = 0; at < all.size(); at += sz(columns)) {
      to_y.push_back(all[at]);
      to_P.insert(to_P.end(), all.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  all.begin() + static_cast<std::ptrdiff_t>(at) + 1 + r);
      to_R.insert(to_R.end(), all.begin() + static_cast<std::ptrdiff_t>(at) + 1 + r,
                  all.begin() + static_cast<std::ptrdiff_t>(at) + columns);
    }
  };
  split(outer, y, P, R);
  split(inner, inner_y, inner_P, inner_R);
  if (!tame(R, J)) return nullptr;

  auto out = std::make_unique<SmallTables<S>>();
  out->s = s;
  out->r = r;
  out->J = J;
  out->first = 0;
  out->last = r;
  const auto acts = [&](int i) {
    for (const auto* table : {&P, &inner_P})
      for (std::size_t at = sz(i); at < table->size(); at += sz(r))
        if ((*table)[at] != quad(0)) return true;
    return false;
  };
  out->starts = t.c.front() == quad(0);
  out->ends = r > 1 && t.c.back() == quad(1) && !acts(r - 1);
  out->first = out->starts ? 1 : 0;
  out->last = out->ends ? r - 1 : r;
  std::vector<quad> nodes(t.phi.begin(), t.phi.begin() + J), later, next;
  for (const quad phi : nodes) later.push_back(quad(1) + phi);
  nodes.push_back(1);
  for (const auto& row : lagrange_basis(nodes, later).values) next.insert(next.end(), row.begin(), row.end());
  out->control = rounded<S>(z);
  out->b = rounded<S>(t.b);
  out->e = rounded<S>(t.e);
  out->y = rounded<S>(y);
  out->P = rounded<S>(P);
  out->R = rounded<S>(R);
  out->x = rounded<S>(t.psi);
  out->inner_y = rounded<S>(inner_y);
  out->inner_P = rounded<S>(inner_P);
  out->inner_R = rounded<S>(inner_R);
  out->inner_x = rounded<S>(t.c);
  out->next = rounded<S>(next);
  out->end_weight = static_cast<S>(t.node_weight);
  return out;
}

}  // namespace

template <class S>
std::unique_ptr<SmallTables<S>> small_tables(const Galerkin& galerkin, bool constrained) {
  static Memo<std::pair<Galerkin, bool>, std::optional<SmallTables<S>>> memo;
  const auto found = memo.of({galerkin, constrained}, [&] {
    const auto made = eliminated<S>(galerkin, constrained);
    return made == nullptr ? std::nullopt : std::optional(*made);
  });
  return *found ? std::make_unique<SmallTables<S>>(**found) : nullptr;
}

template std::unique_ptr<SmallTables<double>> small_tables<double>(const Galerkin&, bool);
template std::unique_ptr<SmallTables<long double>> small_tables<long double>(const Galerkin&, bool);
template std::unique_ptr<SmallTables<quad>> small_tables<quad>(const Galerkin&, bool);

}  // namespace extremal
