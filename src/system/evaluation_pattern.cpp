// What an Evaluation finds out once: the sizes of its batches, which second derivatives are constants, and where every
// derivative of every term belongs.
#include <algorithm>

#include "system/evaluation.hpp"

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class S>
Evaluation<S>::Evaluation(const System& system, int max_nodes, Storage storage)
    : n_(system.size()), m_(system.constraint_count()) {
  for (const Number& p : system.parameters()) parameters_.push_back(p.as<S>());
  batch_ = static_cast<std::size_t>(max_nodes);
  sort_terms(system, max_nodes);
  find_patterns(storage);
  find_places();
  expand();
}

template <class S>
void Evaluation<S>::sort_terms(const System& system, int max_nodes) {
  std::size_t values = 1, gradients = 1, hessians = 1;
  int row = 0;
  for (const auto& term : system.terms()) {
    Entry entry{term.get(), &term->template at<S>(), row, false, {}, {}};
    const auto calls = static_cast<std::size_t>(max_nodes) * sz(term->site_count());
    const std::size_t rows = sz(term->row_count), variables = sz(term->variables);
    const DegreeBound& d = term->degree;
    std::size_t packed = calls * variables * (variables + 1) / 2;
    switch (term->role) {
      case Role::kinetic:
      case Role::potential:
      case Role::lagrangian:
        entry.fixed = d.t == 0 && ((d.q == 0 && d.v <= 2) || (d.v == 0 && d.q <= 2));
        if (d.v > 0 && !(d.q == 0 && d.v <= 2 && d.t == 0)) constant_mass_ = false;
        if (!entry.fixed) constant_hessian_ = false;
        energy_.push_back(entry);
        break;
      case Role::force:
        packed = 0;
        constant_hessian_ = false;
        force_.push_back(entry);
        break;
      case Role::constraint:
        entry.fixed = !term->uses_time && d.q <= 2;
        row += term->site_count() * term->row_count;
        constraint_.push_back(entry);
        break;
      case Role::symmetry:
        packed = 0;
        symmetry_.push_back(entry);
        ++symmetry_count_;
        break;
      case Role::hamiltonian:
        packed = 0;
        break;  // carried by the system; the families that need L refuse it before they get here
    }
    if (entry.fixed) packed = sz(term->site_count()) * variables * (variables + 1) / 2;  // asked for once
    const std::size_t asked = entry.plain() ? sz(term->site_count()) : calls;
    values = std::max(values, asked * rows);
    gradients = std::max(gradients, asked * rows * variables);
    hessians = std::max(hessians, packed);
  }
  value_.resize(values);
  weights_.assign(std::max(values, sz(m_)), S(1));
  gradient_.resize(gradients);
  packed_.resize(hessians);
}

// Calls visit(row, i, j, row is a velocity, column is a velocity, value) for every entry other than zero of the
// constant second derivatives; row of g for constraints.
template <class S>
template <class Visit>
void Evaluation<S>::fixed_entries(const Entry& entry, Visit visit) {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, size = M * (M + 1) / 2, rows = term.row_count;
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  const int space = term.velocity() ? 2 * N : N;
  for (int r = 0; r < rows; ++r) {
    for (int e = 0; e < term.site_count() * rows; ++e) value_[sz(e)] = S(e % rows == r ? 1 : 0);
    entry.at->hessian(nodes(1, zero.data(), zero.data(), &t0), value_.data(), packed_.data());
    for (int site = 0; site < term.site_count(); ++site) {
      const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
      const S* h = packed_.data() + static_cast<std::ptrdiff_t>(site) * size;
      for (int a = 0; a < space; ++a)
        for (int b = 0; b < space; ++b)
          if (const S x = h[packed_index(a, b)]; x != S(0))
            visit(entry.first_row + site * rows + r, i[a % N], i[b % N], a >= N, b >= N, x);
    }
  }
}

// Calls visit(from, i, j, row is a velocity, column is a velocity) for every entry of the packed Hessian.
template <class S>
template <class Visit>
void Evaluation<S>::all_entries(const Entry& entry, Visit visit) {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, size = M * (M + 1) / 2;
  const int space = term.velocity() ? 2 * N : N;
  for (int site = 0; site < term.site_count(); ++site) {
    const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
    for (int a = 0; a < space; ++a)
      for (int b = 0; b < space; ++b) visit(site * size + packed_index(a, b), i[a % N], i[b % N], a >= N, b >= N);
  }
}

// Which entries of a constraint's gradient may differ from zero, [site][row][coordinate]. Exact for polynomials of
// degree two: their gradient is linear, and vanishes at one point and in all directions or not at all.
template <class S>
std::vector<bool> Evaluation<S>::structural_gradient(const Entry& entry, Storage storage) {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, calls = term.site_count() * term.row_count;
  if (storage == Storage::full || !entry.fixed) return std::vector<bool>(sz(calls * N), true);
  std::vector<bool> used(sz(calls * N), false);
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  entry.at->gradient(nodes(1, zero.data(), nullptr, &t0), value_.data(), gradient_.data());
  for (int e = 0; e < calls; ++e)
    for (int c = 0; c < N; ++c) used[sz(e * N + c)] = gradient_[sz(e * M + c)] != S(0);
  const int rows = term.row_count, size = M * (M + 1) / 2;
  for (int r = 0; r < rows; ++r) {
    for (int e = 0; e < calls; ++e) value_[sz(e)] = S(e % rows == r ? 1 : 0);
    entry.at->hessian(nodes(1, zero.data(), nullptr, &t0), value_.data(), packed_.data());
    for (int site = 0; site < term.site_count(); ++site)
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b)
          if (packed_[sz(site * size + packed_index(a, b))] != S(0)) used[sz((site * rows + r) * N + a)] = true;
  }
  return used;
}

template <class S>
void Evaluation<S>::find_patterns(Storage storage) {
  if (storage == Storage::full) {
    coupling_ = Pattern::full(n_, n_);
    jacobian_ = Pattern::full(m_, n_);
    return;
  }
  std::vector<std::vector<int>> pairs(sz(n_));
  for (int i = 0; i < n_; ++i) pairs[sz(i)].push_back(i);
  const auto note = [&](int, int i, int j, auto&&...) { pairs[sz(i)].push_back(j); };
  for (const auto* list : {&energy_, &constraint_})
    for (const Entry& entry : *list) {
      if (entry.fixed)
        fixed_entries(entry, note);
      else
        all_entries(entry, note);
    }
  for (const Entry& entry : force_) {
    const Term& term = *entry.term;
    const int N = term.coordinates;
    for (int site = 0; site < term.site_count(); ++site)
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b) pairs[sz(term.sites[sz(site * N + a)])].push_back(term.sites[sz(site * N + b)]);
  }
  coupling_ = Pattern::of(n_, pairs);
  std::vector<std::vector<int>> slopes(sz(m_));
  for (const Entry& entry : constraint_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, rows = term.row_count;
    const std::vector<bool> used = structural_gradient(entry, storage);
    for (int e = 0; e < term.site_count() * rows; ++e)
      for (int c = 0; c < N; ++c)
        if (used[sz(e * N + c)]) slopes[sz(entry.first_row + e)].push_back(term.sites[sz(e / rows * N + c)]);
  }
  jacobian_ = Pattern::of(n_, slopes);
}

template <class S>
void Evaluation<S>::find_places() {
  const auto block = [](bool row_v, bool column_v) {
    return row_v ? (column_v ? Block::D : Block::C) : (column_v ? Block::B : Block::A);
  };
  const auto plain_first = [](std::vector<Entry>& list) {
    std::vector<Entry> sorted;
    for (const bool plain : {true, false})
      for (const Entry& entry : list)
        if (entry.plain() == plain) sorted.push_back(entry);
    list = std::move(sorted);
  };
  plain_first(energy_);
  plain_first(constraint_);
  for (Entry& entry : energy_) {
    const S s = sign(*entry.term);
    if (entry.fixed)
      fixed_entries(entry, [&](int, int i, int j, bool rv, bool cv, S x) {
        fixed_.push_back({i, j, coupling_.find(i, j), block(rv, cv), s * x});
      });
    else
      all_entries(entry, [&](int from, int i, int j, bool rv, bool cv) {
        entry.hessian.push_back({from, coupling_.find(i, j), block(rv, cv)});
      });
    if (entry.plain()) fixed_plain_ = fixed_.size();
  }
  for (Entry& entry : force_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables;
    for (int site = 0; site < term.site_count(); ++site)
      for (int r = 0; r < N; ++r)
        for (int c = 0; c < 2 * N; ++c)
          entry.hessian.push_back({(site * N + r) * M + c,
                                   coupling_.find(term.sites[sz(site * N + r)], term.sites[sz(site * N + c % N)]),
                                   c < N ? Block::A : Block::B});
  }
  for (Entry& entry : constraint_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, rows = term.row_count;
    for (int e = 0; e < term.site_count() * rows; ++e)
      for (int c = 0; c < N; ++c)
        if (const int to = jacobian_.find(entry.first_row + e, term.sites[sz(e / rows * N + c)]); to >= 0)
          entry.jacobian.push_back({e * M + c, to, Block::A});
    if (entry.fixed)
      fixed_entries(entry, [&](int row, int i, int j, bool, bool, S x) {
        curves_.push_back({row, i, j, coupling_.find(i, j), jacobian_.find(row, i), x});
      });
    else
      all_entries(entry, [&](int from, int i, int j, bool, bool) {
        entry.hessian.push_back({from, coupling_.find(i, j), Block::A});
      });
  }
  // Row by row, so that what belongs to one body is read at once.
  std::stable_sort(curves_.begin(), curves_.end(), [](const Curve& x, const Curve& y) { return x.row < y.row; });
}

#define EXTREMAL_INSTANTIATE(S)                                    \
  template Evaluation<S>::Evaluation(const System&, int, Storage); \
  template void Evaluation<S>::sort_terms(const System&, int);     \
  template void Evaluation<S>::find_patterns(Storage);             \
  template void Evaluation<S>::find_places();
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
