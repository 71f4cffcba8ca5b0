// What an Evaluation finds out once: the sizes of its batches, which second derivatives are constants, and where every
// derivative of every term belongs.
#include <algorithm>

#include "system/evaluation.hpp"

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "system/settable.hpp"

namespace extremal {

namespace {

// In every lane.
template <class S>
bool is_zero(const S& x) {
  return all(equal(x, S(0)));
}

template <class S>
std::vector<S> own_parameters(const System& system) {
  std::vector<S> out;
  for (const Number& p : system.parameters()) out.push_back(p.as<S>());
  return out;
}

}  // namespace

template <class S>
Evaluation<S>::Evaluation(const System& system, int max_nodes, Storage storage)
    : Evaluation(system, own_parameters<S>(system), max_nodes, storage) {}

template <class S>
Evaluation<S>::Evaluation(const System& system, std::vector<S> parameters, int max_nodes, Storage storage)
    : n_(system.size()), m_(system.constraint_count()), storage_(storage), parameters_(std::move(parameters)) {
  batch_ = static_cast<std::size_t>(max_nodes);
  sort_terms(system, max_nodes);
  find_patterns();
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

template <class S>
typename Evaluation<S>::Block Evaluation<S>::block(bool row_v, bool column_v) {
  return row_v ? (column_v ? Block::D : Block::C) : (column_v ? Block::B : Block::A);
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
          if (const S x = h[packed_index(a, b)]; !is_zero(x))
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
std::vector<bool> Evaluation<S>::structural_gradient(const Entry& entry) {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, calls = term.site_count() * term.row_count;
  if (storage_ == Storage::full || !entry.fixed) return std::vector<bool>(sz(calls * N), true);
  std::vector<bool> used(sz(calls * N), false);
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  entry.at->gradient(nodes(1, zero.data(), nullptr, &t0), value_.data(), gradient_.data());
  for (int e = 0; e < calls; ++e)
    for (int c = 0; c < N; ++c) used[sz(e * N + c)] = !is_zero(gradient_[sz(e * M + c)]);
  const int rows = term.row_count, size = M * (M + 1) / 2;
  for (int r = 0; r < rows; ++r) {
    for (int e = 0; e < calls; ++e) value_[sz(e)] = S(e % rows == r ? 1 : 0);
    entry.at->hessian(nodes(1, zero.data(), nullptr, &t0), value_.data(), packed_.data());
    for (int site = 0; site < term.site_count(); ++site)
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b)
          if (!is_zero(packed_[sz(site * size + packed_index(a, b))])) used[sz((site * rows + r) * N + a)] = true;
  }
  return used;
}

template <class S>
void Evaluation<S>::find_patterns() {
  if (storage_ == Storage::full) {
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
    const std::vector<bool> used = structural_gradient(entry);
    for (int e = 0; e < term.site_count() * rows; ++e)
      for (int c = 0; c < N; ++c)
        if (used[sz(e * N + c)]) slopes[sz(entry.first_row + e)].push_back(term.sites[sz(e / rows * N + c)]);
  }
  jacobian_ = Pattern::of(n_, slopes);
}

template <class S>
bool Evaluation<S>::find_fixed() {
  bool placed = true;
  fixed_.clear();
  fixed_plain_ = 0;
  for (const Entry& entry : energy_) {
    if (!entry.fixed) continue;
    const S s = sign(*entry.term);
    fixed_entries(entry, [&](int, int i, int j, bool rv, bool cv, const S& x) {
      fixed_.push_back({i, j, coupling_.find(i, j), block(rv, cv), s * x});
      placed = placed && fixed_.back().to >= 0;
    });
    if (entry.plain()) fixed_plain_ = fixed_.size();
  }
  return placed;
}

template <class S>
bool Evaluation<S>::set(int parameter, const S& value) {
  bool tabulated = false;
  parameters_[sz(parameter)] = value;
  const auto depends = [&](const Entry& entry) {
    const std::vector<int>& all = entry.term->depends_on;
    return std::find(all.begin(), all.end(), parameter) != all.end();
  };
  for (const Entry& entry : constraint_)
    if (depends(entry)) return false;
  for (const Entry& entry : energy_) {
    if (!depends(entry)) continue;
    if (entry.term->velocity()) return false;
    tabulated = tabulated || entry.fixed;
  }
  if (!tabulated) return true;
  size_scratch(true);
  if (!find_fixed()) return false;
  expand_energies();
  size_scratch(false);
  return true;
}

template <class S>
void Evaluation<S>::find_places() {
  const auto plain_first = [](std::vector<Entry>& list) {
    std::vector<Entry> sorted;
    for (const bool plain : {true, false})
      for (const Entry& entry : list)
        if (entry.plain() == plain) sorted.push_back(entry);
    list = std::move(sorted);
  };
  plain_first(energy_);
  plain_first(constraint_);
  for (Entry& entry : energy_)
    if (!entry.fixed)
      all_entries(entry, [&](int from, int i, int j, bool rv, bool cv) {
        entry.hessian.push_back({from, coupling_.find(i, j), block(rv, cv)});
      });
  find_fixed();
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
      fixed_entries(entry, [&](int row, int i, int j, bool, bool, const S& x) {
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

// For the terms' functions, as they are asked when constants are found.
template <class S>
void Evaluation<S>::make_room() {
  for (const auto* list : {&energy_, &constraint_})
    for (const Entry& entry : *list) {
      const std::size_t sites = sz(entry.term->site_count()), variables = sz(entry.term->variables);
      packed_.resize(std::max(packed_.size(), sites * variables * (variables + 1) / 2));
      gradient_.resize(std::max(gradient_.size(), sites * sz(entry.term->row_count) * variables));
    }
}

template <class S>
bool Evaluation<S>::set(const std::vector<S>& parameters) {
  // What a large one was made from is gone.
  const bool plain = std::any_of(energy_.begin(), energy_.end(), [](const Entry& entry) { return entry.plain(); });
  if (!is_settable(n_, m_) && (plain || plain_rows_ > 0)) return false;
  parameters_ = parameters;
  make_room();
  bool same = true;
  std::size_t next = 0;
  for (const Entry& entry : energy_) {
    if (!entry.fixed) continue;
    const S s = sign(*entry.term);
    fixed_entries(entry, [&](int, int i, int j, bool rv, bool cv, const S& x) {
      same = same && next < fixed_.size() && fixed_[next].i == i && fixed_[next].j == j &&
             fixed_[next].block == block(rv, cv);
      if (same) fixed_[next++].value = s * x;
    });
  }
  // Those of a row follow each other, in the order in which they are found.
  std::vector<std::size_t> of_row(sz(m_) + 1, 0);
  for (const Curve& curve : curves_) ++of_row[sz(curve.row) + 1];
  for (std::size_t k = 1; k < of_row.size(); ++k) of_row[k] += of_row[k - 1];
  std::vector<std::size_t> at(of_row.begin(), of_row.end() - 1);
  for (const Entry& entry : constraint_) {
    if (!entry.fixed) continue;
    fixed_entries(entry, [&](int row, int i, int j, bool, bool, const S& x) {
      const std::size_t k = at[sz(row)]++;
      same = same && k < of_row[sz(row) + 1] && curves_[k].i == i && curves_[k].j == j;
      if (same) curves_[k].value = x;
    });
    same = same && has_slopes(entry);
  }
  for (std::size_t k = 0; k < at.size(); ++k) same = same && at[k] == of_row[k + 1];
  if (!same || next != fixed_.size()) return false;
  if (plain || plain_rows_ > 0) expand();
  return true;
}

// Whether the gradient of a constraint has its entries where it had them.
template <class S>
bool Evaluation<S>::has_slopes(const Entry& entry) {
  const Term& term = *entry.term;
  const int N = term.coordinates, rows = term.row_count;
  const std::vector<bool> used = structural_gradient(entry);
  for (int e = 0; e < term.site_count() * rows; ++e)
    for (int c = 0; c < N; ++c)
      if (used[sz(e * N + c)] != (jacobian_.find(entry.first_row + e, term.sites[sz(e / rows * N + c)]) >= 0))
        return false;
  return true;
}

#define EXTREMAL_INSTANTIATE(S)                                                    \
  template Evaluation<S>::Evaluation(const System&, std::vector<S>, int, Storage); \
  template void Evaluation<S>::sort_terms(const System&, int);                     \
  template void Evaluation<S>::find_patterns();                                    \
  template void Evaluation<S>::find_places();                                      \
  template bool Evaluation<S>::set(int, const S&);                                 \
  template bool Evaluation<S>::find_fixed();                                       \
  template void Evaluation<S>::make_room();                                        \
  template bool Evaluation<S>::has_slopes(const Entry&);                           \
  template bool Evaluation<S>::set(const std::vector<S>&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE
#if !defined(EXTREMAL_LANES)
#define EXTREMAL_INSTANTIATE(S) template Evaluation<S>::Evaluation(const System&, int, Storage);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE
#endif

}  // namespace extremal
