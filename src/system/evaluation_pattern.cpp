// What an Evaluation finds out once: the sizes of its batches, which second derivatives are constants, and where every
// derivative of every term belongs.
#include <algorithm>

#include "system/evaluation.hpp"

namespace extremal {

namespace {
std::size_t sz(int n) { return static_cast<std::size_t>(n); }

template <class S>
std::vector<S> parameters_of(const System& system) {
  std::vector<S> values;
  for (const Number& p : system.parameters()) values.push_back(S(p.as<typename Single<S>::type>()));
  return values;
}
}  // namespace

template <class S>
Evaluation<S>::Evaluation(const System& system, int max_nodes, Storage storage)
    : Evaluation(system, parameters_of<S>(system), max_nodes, storage) {}

template <class S>
Evaluation<S>::Evaluation(const System& system, std::vector<S> parameters, int max_nodes, Storage storage)
    : n_(system.size()), m_(system.constraint_count()), parameters_(std::move(parameters)) {
  batch_ = static_cast<std::size_t>(max_nodes);
  sort_terms(system, max_nodes);
  find_patterns(storage);
  find_places();
  expand();
  find_direct();
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
std::vector<bool> Evaluation<S>::structural_gradient(const Entry& entry, Storage storage) {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, calls = term.site_count() * term.row_count;
  if (storage == Storage::full || !entry.fixed) return std::vector<bool>(sz(calls * N), true);
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
      fixed_entries(entry, [&](int, int i, int j, bool rv, bool cv, const S& x) {
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
    const std::size_t known = curves_.size();
    if (entry.fixed)
      fixed_entries(entry, [&](int row, int i, int j, bool, bool, const S& x) {
        curves_.push_back({row, i, j, coupling_.find(i, j), jacobian_.find(row, i), x});
      });
    else
      all_entries(entry, [&](int from, int i, int j, bool, bool) {
        entry.hessian.push_back({from, coupling_.find(i, j), Block::A});
      });
    if (entry.plain())
      for (std::size_t e = known; e < curves_.size(); ++e)
        bends_.push_back({curves_[e].slope, curves_[e].j, curves_[e].value});
  }
  // Row by row, so that what belongs to one body is read at once.
  std::stable_sort(curves_.begin(), curves_.end(), [](const Curve& x, const Curve& y) { return x.row < y.row; });
  std::stable_sort(bends_.begin(), bends_.end(), [](const Bend& x, const Bend& y) { return x.slope < y.slope; });
}

template <class S>
void Evaluation<S>::expand() {
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  const Nodes<S> origin = nodes(1, zero.data(), zero.data(), &t0);
  plain_Lq_.assign(sz(n_), S(0));
  for (const Entry& entry : energy_) {
    if (!entry.plain()) continue;
    const Term& term = *entry.term;
    const S s = sign(term);
    entry.at->gradient(origin, value_.data(), gradient_.data());
    for (int site = 0; site < term.site_count(); ++site) {
      plain_L_ += s * value_[sz(site)];
      // Kinetic energies have no linear part.
      for (int c = 0; c < term.coordinates; ++c)
        plain_Lq_[sz(term.sites[sz(site * term.coordinates + c)])] += s * gradient_[sz(site * term.variables + c)];
    }
  }
  plain_g_.assign(sz(m_), S(0));
  plain_G_.assign(sz(jacobian_.size()), S(0));
  for (Entry& entry : constraint_) {
    if (!entry.plain()) continue;
    const Term& term = *entry.term;
    const int rows = term.site_count() * term.row_count;
    entry.at->gradient(origin, value_.data(), gradient_.data());
    std::copy_n(value_.begin(), rows, plain_g_.begin() + entry.first_row);
    for (const Place& p : entry.jacobian) plain_G_[sz(p.to)] = gradient_[sz(p.from)];
    for (int e = 0; e < rows; ++e) plain_rows_.push_back(entry.first_row + e);
    entry.jacobian = {};
  }
  std::sort(plain_rows_.begin(), plain_rows_.end());
  if (!plain_rows_.empty()) scratch_G_.resize(plain_G_.size());
  // From now on only terms that are not expanded, or not constant, are asked for derivatives.
  std::size_t gradients = 1, hessians = 1;
  for (const auto* list : {&energy_, &force_, &constraint_, &symmetry_})
    for (const Entry& entry : *list) {
      const std::size_t sites = sz(entry.term->site_count()), variables = sz(entry.term->variables);
      if (!entry.plain()) gradients = std::max(gradients, batch_ * sites * sz(entry.term->row_count) * variables);
      if (!entry.fixed) hessians = std::max(hessians, batch_ * sites * variables * (variables + 1) / 2);
    }
  std::vector<S>(gradients).swap(gradient_);
  std::vector<S>(hessians).swap(packed_);
}

template <class S>
void Evaluation<S>::find_direct() {
  if (constraint_.size() == 1 && !constraint_[0].plain() && !constraint_[0].term->uses_time) {
    const std::vector<Place>& places = constraint_[0].jacobian;
    const bool in_order = std::all_of(places.begin(), places.end(), [](const Place& p) { return p.from == p.to; });
    if (in_order && static_cast<int>(places.size()) == jacobian_.size()) direct_constraint_ = constraint_[0].at;
  }
  const Entry* potential = nullptr;
  int potentials = 0;
  for (const Entry& entry : energy_)
    if (entry.term->role == Role::potential) potential = &entry, ++potentials;
  if (potentials != 1 || potential->plain() || potential->term->uses_time) return;
  const std::vector<int>& sites = potential->term->sites;
  bool in_order = static_cast<int>(sites.size()) == n_;
  for (int i = 0; in_order && i < n_; ++i) in_order = sites[sz(i)] == i;
  if (in_order) direct_potential_ = potential->at;
}

#define EXTREMAL_INSTANTIATE(S)                                                    \
  template Evaluation<S>::Evaluation(const System&, int, Storage);                 \
  template Evaluation<S>::Evaluation(const System&, std::vector<S>, int, Storage); \
  template void Evaluation<S>::sort_terms(const System&, int);                     \
  template void Evaluation<S>::find_patterns(Storage);                             \
  template void Evaluation<S>::find_places();                                      \
  template void Evaluation<S>::expand();                                           \
  template void Evaluation<S>::find_direct();
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
EXTREMAL_INSTANTIATE(Lanes)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
