#include "small/terms.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "numbers/index.hpp"

namespace extremal {

namespace {

// Every coordinate once and in order: a site's gradient is a row of the full one.
bool in_order(const Term& term, int n) {
  if (term.coordinates != n || term.variables != n || term.site_count() != 1) return false;
  for (int i = 0; i < n; ++i)
    if (term.sites[sz(i)] != i) return false;
  return true;
}

// A kinetic energy may have a linear part, which would give the momentum an offset.
bool starts_at_zero(const System& system, const Term& term) {
  std::vector<double> parameters, zero(sz(system.size()), 0.0);
  for (const Number& p : system.parameters()) parameters.push_back(p.as<double>());
  const double t = 0;
  std::vector<double> value(sz(term.site_count())), gradient(sz(term.site_count() * term.variables));
  const TermAt<double>& at = term.at<double>();
  at.gradient({1, system.size(), zero.data(), zero.data(), &t, parameters.data()}, value.data(), gradient.data());
  return std::all_of(gradient.begin(), gradient.end(), [](double x) { return x == 0; });
}
}  // namespace

bool is_separable(const System& system, int most) {
  if (system.size() > most) return false;
  for (const auto& term : system.terms()) {
    const DegreeBound& d = term->degree;
    switch (term->role) {
      case Role::kinetic:
        if (d.q != 0 || d.v > 2 || d.t != 0 || !starts_at_zero(system, *term)) return false;
        break;
      case Role::lagrangian:
      case Role::hamiltonian:
      case Role::force:
        return false;
      case Role::potential:
      case Role::constraint:
      case Role::symmetry:
        break;
    }
  }
  return system.has(Role::kinetic);
}

template <class S>
SmallTerms<S>::SmallTerms(const System& system, std::vector<S> parameters, int max_nodes, const Kicks& kicks)
    : n_(system.size()), m_(system.constraint_count()), parameters_(std::move(parameters)) {
  mass_.assign(sz(n_ * n_), S(0));
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  std::size_t values = 1, gradients = 1;
  int row = 0;
  const bool kicked = kicks.start != 0 || kicks.end != 0;
  for (const auto& term : system.terms()) {
    const bool apart = kicks.apart && term->slow;
    if (apart && !kicked) continue;
    const int N = term->coordinates, M = term->variables;
    const std::size_t sites = sz(term->site_count()), calls = sz(max_nodes) * sites * sz(term->row_count);
    if (term->role != Role::symmetry) timed_ = timed_ || term->uses_time;
    if (term->role == Role::kinetic) {
      const std::vector<S> ones(sites, S(1));
      std::vector<S> packed(sites * sz(M * (M + 1) / 2));
      term->template at<S>().hessian(nodes(1, zero.data(), zero.data(), &t0), ones.data(), packed.data());
      for (int site = 0; site < term->site_count(); ++site) {
        const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        const S* h = packed.data() + static_cast<std::ptrdiff_t>(site) * (M * (M + 1) / 2);
        for (int a = 0; a < N; ++a)
          for (int b = 0; b < N; ++b) mass_[sz(i[a] * n_ + i[b])] += h[packed_index(N + a, N + b)];
      }
    } else if (term->role == Role::potential) {
      constant_force_ = constant_force_ && !apart && term->degree.q <= 1 && term->degree.t == 0;
      (apart ? slow_ : potential_).push_back({term, 0});
    } else if (term->role == Role::constraint) {
      constraint_.push_back({term, row});
      row += term->site_count() * term->row_count;
    } else {
      continue;
    }
    values = std::max(values, calls);
    gradients = std::max(gradients, calls * sz(M));
  }
  value_.resize(values);
  gradient_.resize(gradients);
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j)
      diagonal_ = diagonal_ && (i == j || !any(less(S(0), math::abs(mass_[sz(i * n_ + j)]))));
  direct_ = constraint_.size() == 1 && in_order(*constraint_.front().term, n_);
}

template <class S>
std::vector<S> SmallTerms<S>::curvature(const std::vector<S>& inverse_mass, Mask<S>& isotropic) const {
  std::vector<S> trace(sz(m_), S(0));
  isotropic = Mask<S>(true);
  for (const Entry& entry : constraint_) {
    if (!is_quadratic(*entry.term)) {
      isotropic = Mask<S>(false);
      continue;
    }
    const int rows = entry.term->site_count() * entry.term->row_count;
    for (int k = entry.first_row; k < entry.first_row + rows; ++k) {
      const std::vector<S> second = hessian(k);
      S sum(0);
      for (int e = 0; e < n_ * n_; ++e) sum += inverse_mass[sz(e)] * second[sz(e)];
      trace[sz(k)] = sum /= S(n_);
      for (int e = 0; e < n_ * n_; ++e)
        isotropic = isotropic && !less(S(1e-14) * math::abs(sum), math::abs(second[sz(e)] - sum * mass_[sz(e)]));
    }
  }
  return trace;
}

template <class S>
bool SmallTerms<S>::quadratic() const {
  const auto fits = [](const Entry& entry) { return is_quadratic(*entry.term) && !entry.term->analytic; };
  return !constraint_.empty() && std::all_of(constraint_.begin(), constraint_.end(), fits);
}

template <class S>
std::vector<S> SmallTerms<S>::hessian(int k) const {
  const auto after = [k](const Entry& entry) { return entry.first_row > k; };
  const Entry& entry = *(std::find_if(constraint_.begin(), constraint_.end(), after) - 1);
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, size = M * (M + 1) / 2, e = k - entry.first_row;
  const std::vector<S> zero(sz(n_), S(0));
  const S t0(0);
  std::vector<S> packed(sz(term.site_count() * size)), weights(sz(term.site_count() * term.row_count), S(0));
  weights[sz(e)] = S(1);
  term.at<S>().hessian(nodes(1, zero.data(), nullptr, &t0), weights.data(), packed.data());
  std::vector<S> out(sz(n_ * n_), S(0));
  const int site = e / term.row_count;
  const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
  for (int a = 0; a < N; ++a)
    for (int b = 0; b < N; ++b) out[sz(i[a] * n_ + i[b])] += packed[sz(site * size + packed_index(a, b))];
  return out;
}

template <class S>
void SmallTerms<S>::constraints(int count, const S* q, const S* t, S* g, S* G, S* g_t) {
  const Nodes<S> at = nodes(count, q, nullptr, t);
  if (direct_) {
    constraint_.front().term->template at<S>().gradient(at, g, G);
    return;
  }
  std::fill_n(G, count * m_ * n_, S(0));
  for (const Entry& entry : constraint_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, rows = term.row_count, calls = term.site_count() * rows;
    term.at<S>().gradient(at, value_.data(), gradient_.data());
    const S* slope = gradient_.data();
    for (int k = 0; k < count; ++k)
      for (int e = 0; e < calls; ++e, slope += M) {
        const int to = k * m_ + entry.first_row + e;
        const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(e / rows) * N;
        g[to] = value_[sz(k * calls + e)];
        for (int c = 0; c < N; ++c) G[to * n_ + i[c]] += slope[c];
        if (term.uses_time) g_t[to] = slope[M - 1];
      }
  }
}

template <class S>
template <class Add>
void SmallTerms<S>::each_slope(const Entry& entry, const Nodes<S>& at, Add add, S* f) {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables;
  term.at<S>().gradient(at, value_.data(), gradient_.data());
  const S* slope = gradient_.data();
  for (int k = 0; k < at.count; ++k)
    for (int site = 0; site < term.site_count(); ++site, slope += M) {
      const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
      for (int c = 0; c < N; ++c) add(f[k * n_ + i[c]], slope[c]);
    }
}

template <class S>
void SmallTerms<S>::force(int count, const S* q, const S* t, S* f) {
  std::fill_n(f, count * n_, S(0));
  const Nodes<S> at = nodes(count, q, nullptr, t);
  for (const Entry& entry : potential_) each_slope(entry, at, [&](S& to, const S& slope) { to -= slope; }, f);
}

template <class S>
void SmallTerms<S>::add_slow(const S* q, const S& t, const S& factor, S* f) {
  const Nodes<S> at = nodes(1, q, nullptr, &t);
  for (const Entry& entry : slow_) each_slope(entry, at, [&](S& to, const S& slope) { to -= factor * slope; }, f);
}

template class SmallTerms<double>;
template class SmallTerms<long double>;
template class SmallTerms<quad>;
template class SmallTerms<Lanes>;

}  // namespace extremal
