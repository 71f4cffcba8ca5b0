#include "kernel/discrete_derivative.hpp"

#include <algorithm>
#include <cmath>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {

template <class T>
T inner(const T* a, const T* b, int n) {
  T sum(0);
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
}  // namespace

template <class T>
DiscreteDerivative<T>::DiscreteDerivative(const System& system, const Pattern& coupling, const Pattern& jacobian)
    : n_(system.size()) {
  for (const Number& p : system.parameters()) parameters_.push_back(p.as<T>());
  points_.assign(sz(3 * n_), T(0));
  times_.assign(3, T(0));
  std::size_t values = 1, gradients = 1, packed = 1, local = 1, fields = 1;
  int row = 0;
  for (const auto& term : system.terms()) {
    const std::size_t calls = sz(term->site_count() * term->row_count);
    if (term->role == Role::symmetry) {
      symmetries_.push_back(term.get());
      field_.emplace_back(sz(n_));
      field_gradient_.emplace_back(calls * sz(term->variables));
      fields = std::max(fields, calls);
      continue;
    }
    const bool constraint = term->role == Role::constraint;
    const bool energy = term->role == Role::potential || (term->role == Role::lagrangian && term->degree.v == 0);
    if ((constraint || energy) && term->degree.q > 2) {
      Entry entry{term.get(), T(term->role == Role::potential ? -1 : 1), constraint ? row : -1, {}};
      const int N = term->coordinates;
      for (int s = 0; s < term->site_count(); ++s) {
        Site site;
        const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(s) * N;
        for (int a = 0; a < N; ++a)
          for (int b = 0; b < N; ++b) site.coupling.push_back(coupling.find(i[a], i[b]));
        for (int r = 0; constraint && r < term->row_count; ++r)
          for (int a = 0; a < N; ++a) site.jacobian.push_back(jacobian.find(row + s * term->row_count + r, i[a]));
        entry.sites.push_back(std::move(site));
      }
      entries_.push_back(std::move(entry));
      values = std::max(values, 3 * calls);
      gradients = std::max(gradients, 3 * calls * sz(term->variables));
      packed = std::max(packed, sz(term->site_count() * (term->variables * (term->variables + 1) / 2)));
      local = std::max(local, sz(term->variables));
    }
    if (constraint) row += static_cast<int>(calls);
  }
  const std::size_t k = symmetries_.size();
  value_.resize(values);
  weights_.resize(values);
  gradient_.resize(gradients);
  packed_.resize(packed);
  symmetry_value_.resize(fields);
  for (auto* v : {&z_, &d_, &column_, &turn_, &dz_, &dm_, &Hz_}) v->resize(local);
  basis_.resize(local * k);
  R_.resize(k * k);
  c_.resize(k);
  rhs_.resize(k);
  chosen_.reserve(k);
  if (!entries_.empty()) find_fields();
}

// Which symmetries leave the term at a site as it is: asked at a few points, once.
template <class T>
void DiscreteDerivative<T>::find_fields() {
  std::vector<std::vector<std::vector<bool>>> kept;  // entry, site, symmetry
  for (const Entry& entry : entries_)
    kept.emplace_back(entry.sites.size(), std::vector<bool>(symmetries_.size(), true));
  for (int trial = 0; trial < 3; ++trial) {
    for (int node = 0; node < 3; ++node)
      for (int i = 0; i < n_; ++i)
        points_[sz(node * n_ + i)] = T(std::sin(1.7 * (i + 1) * (trial + 1) + 0.3 * trial) + 0.2 * trial);
    std::fill(times_.begin(), times_.end(), T(trial) / T(4));
    evaluate_symmetries();
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const Entry& entry = entries_[e];
      const Term& term = *entry.term;
      const int N = term.coordinates;
      term.at<T>().gradient(nodes(3), value_.data(), gradient_.data());
      for (int s = 0; s < term.site_count(); ++s)
        for (std::size_t k = 0; k < symmetries_.size(); ++k)
          for (int r = 0; r < term.row_count; ++r) {
            const T* slope = gradient(entry, 1, s, r);
            T along(0), size(0);
            for (int c = 0; c < N; ++c) {
              const T a = slope[c] * field_[k][sz(term.sites[sz(s * N + c)])];
              along += a;
              size += math::abs(a);
            }
            if (!(math::abs(along) <= T(1e-10) * size)) kept[e][sz(s)][k] = false;
          }
    }
  }
  std::vector<std::vector<std::vector<int>>> places;  // of every symmetry: the rows of every coordinate
  for (const Term* symmetry : symmetries_) {
    places.emplace_back(sz(n_));
    for (std::size_t r = 0; r < symmetry->sites.size(); ++r)
      places.back()[sz(symmetry->sites[r])].push_back(static_cast<int>(r));
  }
  for (std::size_t e = 0; e < entries_.size(); ++e)
    for (std::size_t s = 0; s < entries_[e].sites.size(); ++s)
      for (std::size_t k = 0; k < symmetries_.size(); ++k) {
        if (!kept[e][s][k]) continue;
        Field field{static_cast<int>(k), {}};
        const Term &term = *entries_[e].term, &symmetry = *symmetries_[k];
        const int N = term.coordinates, Ns = symmetry.coordinates;
        const int* here = term.sites.data() + static_cast<std::ptrdiff_t>(s) * N;
        for (int a = 0; a < N; ++a)
          for (const int r : places[k][sz(here[a])])
            for (int c = 0; c < Ns; ++c) {
              const int* found = std::find(here, here + N, symmetry.sites[sz(r / Ns * Ns + c)]);
              if (found != here + N)
                field.slopes.push_back({a, static_cast<int>(found - here), r * symmetry.variables + c});
            }
        entries_[e].sites[s].fields.push_back(std::move(field));
      }
}

// Fields and their gradients at the middle one of the three points.
template <class T>
void DiscreteDerivative<T>::evaluate_symmetries() {
  const Nodes<T> middle{1, n_, points_.data() + n_, nullptr, times_.data(), parameters_.data()};
  for (std::size_t k = 0; k < symmetries_.size(); ++k) {
    const Term& term = *symmetries_[k];
    term.at<T>().gradient(middle, symmetry_value_.data(), field_gradient_[k].data());
    std::fill(field_[k].begin(), field_[k].end(), T(0));
    for (std::size_t e = 0; e < term.sites.size(); ++e) field_[k][sz(term.sites[e])] += symmetry_value_[e];
  }
}

template <class T>
void DiscreteDerivative<T>::evaluate(const Entry& entry, const T* q0, const T* z, T t) {
  for (int i = 0; i < n_; ++i) {
    points_[sz(i)] = q0[i];
    points_[sz(n_ + i)] = q0[i] + z[i] / T(2);
    points_[sz(2 * n_ + i)] = q0[i] + z[i];
  }
  std::fill(times_.begin(), times_.end(), t);
  entry.term->template at<T>().gradient(nodes(3), value_.data(), gradient_.data());
}

template <class T>
const T* DiscreteDerivative<T>::gradient(const Entry& entry, int node, int site, int row) const {
  const Term& term = *entry.term;
  return gradient_.data() +
         static_cast<std::ptrdiff_t>((node * term.site_count() + site) * term.row_count + row) * term.variables;
}

// d, by Gram and Schmidt on the fields of the site; those that depend on others here are left out.
template <class T>
void DiscreteDerivative<T>::find_direction(const Entry& entry, int site, const T* z) {
  const int N = entry.term->coordinates, most = static_cast<int>(symmetries_.size());
  const int* i = entry.term->sites.data() + static_cast<std::ptrdiff_t>(site) * N;
  for (int c = 0; c < N; ++c) d_[sz(c)] = z_[sz(c)] = z[i[c]];
  const T zz = inner(z_.data(), z_.data(), N);
  chosen_.clear();
  const std::vector<Field>& fields = entry.sites[sz(site)].fields;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const int k = static_cast<int>(chosen_.size());
    T* q = basis_.data() + static_cast<std::ptrdiff_t>(k) * N;
    for (int c = 0; c < N; ++c) q[c] = field_[sz(fields[f].symmetry)][sz(i[c])];
    const T before = inner(q, q, N);
    for (int j = 0; j < k; ++j) R_[sz(j * most + k)] = T(0);
    // Twice: far from the origin a rotation is a translation in all but its last digits.
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < k; ++j) {
        const T* other = basis_.data() + static_cast<std::ptrdiff_t>(j) * N;
        const T r = inner(other, q, N);
        R_[sz(j * most + k)] += r;
        for (int c = 0; c < N; ++c) q[c] -= r * other[c];
      }
    const T after = inner(q, q, N);
    if (!(after > T(1e-12) * before)) continue;
    const T norm = math::sqrt(after);
    R_[sz(k * most + k)] = norm;
    for (int c = 0; c < N; ++c) q[c] /= norm;
    chosen_.push_back(static_cast<int>(f));
    c_[sz(k)] = T(0);
  }
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < static_cast<int>(chosen_.size()); ++k) {
      const T* q = basis_.data() + static_cast<std::ptrdiff_t>(k) * N;
      const T part = inner(q, d_.data(), N);
      c_[sz(k)] += part;
      for (int c = 0; c < N; ++c) d_[sz(c)] -= part * q[c];
    }
  for (int k = static_cast<int>(chosen_.size()) - 1; k >= 0; --k) {
    for (int j = k + 1; j < static_cast<int>(chosen_.size()); ++j) c_[sz(k)] -= R_[sz(k * most + j)] * c_[sz(j)];
    c_[sz(k)] /= R_[sz(k * most + k)];
  }
  dd_ = inner(d_.data(), d_.data(), N);
  // What is left of a motion along the symmetries is round-off.
  const T dirt = T(256) * Scalar<T>::epsilon;
  if (!(dd_ > dirt * dirt * zz)) dd_ = T(0);
}

// f(q1) - f(q0) - Df(q_m) . z.
template <class T>
T DiscreteDerivative<T>::difference(const Entry& entry, int site, int row) const {
  const Term& term = *entry.term;
  const int calls = term.site_count() * term.row_count, at = site * term.row_count + row;
  return value_[sz(2 * calls + at)] - value_[sz(at)] -
         inner(gradient(entry, 1, site, row), z_.data(), term.coordinates);
}

template <class T>
void DiscreteDerivative<T>::add(const T* q0, const T* z, T t, T* F, T* G) {
  amplification_ = T(0);
  bool symmetries = false;
  for (const Entry& entry : entries_) {
    evaluate(entry, q0, z, t);
    if (!symmetries) evaluate_symmetries();
    symmetries = true;
    const Term& term = *entry.term;
    const int N = term.coordinates;
    for (int s = 0; s < term.site_count(); ++s) {
      find_direction(entry, s, z);
      if (!(dd_ > T(0))) continue;
      for (int r = 0; r < term.row_count; ++r) {
        const T sigma = difference(entry, s, r) / dd_;
        if (entry.first_row < 0) {
          amplification_ = math::max(amplification_, math::abs(value_[sz(s)]) / math::sqrt(dd_));
          for (int c = 0; c < N; ++c) F[term.sites[sz(s * N + c)]] += entry.sign * sigma * d_[sz(c)];
        } else {
          for (int c = 0; c < N; ++c)
            if (const int to = entry.sites[sz(s)].jacobian[sz(r * N + c)]; to >= 0) G[to] += sigma * d_[sz(c)];
        }
      }
    }
  }
}

// d(sigma d) for changes dz of z and dm of q_m, with dN that of the difference:
//   d(d) = P (dz - dA c) - Q R^-T (dA^T d),   P = 1 - Q Q^T.
template <class T>
void DiscreteDerivative<T>::correction_slope(const Entry& entry, int site, T sigma, const T* dz, const T* dm, T dN,
                                             T* out) {
  const int N = entry.term->coordinates, most = static_cast<int>(symmetries_.size());
  const int count = static_cast<int>(chosen_.size());
  const std::vector<Field>& fields = entry.sites[sz(site)].fields;
  std::copy_n(dz, N, out);
  for (int k = 0; k < count; ++k) {
    const Field& field = fields[sz(chosen_[sz(k)])];
    const std::vector<T>& slope = field_gradient_[sz(field.symmetry)];
    std::fill_n(turn_.data(), N, T(0));
    for (const Slope& s : field.slopes) turn_[sz(s.row)] += slope[sz(s.from)] * dm[s.column];
    rhs_[sz(k)] = inner(turn_.data(), d_.data(), N);
    for (int c = 0; c < N; ++c) out[c] -= c_[sz(k)] * turn_[sz(c)];
  }
  for (int k = 0; k < count; ++k) {
    for (int j = 0; j < k; ++j) rhs_[sz(k)] -= R_[sz(j * most + k)] * rhs_[sz(j)];
    rhs_[sz(k)] /= R_[sz(k * most + k)];
  }
  for (int k = 0; k < count; ++k) {
    const T* q = basis_.data() + static_cast<std::ptrdiff_t>(k) * N;
    const T off = inner(q, out, N) + rhs_[sz(k)];
    for (int c = 0; c < N; ++c) out[c] -= off * q[c];
  }
  const T change = (dN - T(2) * sigma * inner(d_.data(), out, N)) / dd_;
  for (int c = 0; c < N; ++c) out[c] = change * d_[sz(c)] + sigma * out[c];
}

template <class T>
void DiscreteDerivative<T>::add_slopes(const T* q0, const T* z, T t, T force, const T* multipliers, T factor, T* to_z,
                                       T* to_q0) {
  bool symmetries = false;
  for (const Entry& entry : entries_) {
    evaluate(entry, q0, z, t);
    if (!symmetries) evaluate_symmetries();
    symmetries = true;
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, rows = term.row_count;
    const Nodes<T> middle{1, n_, points_.data() + n_, nullptr, times_.data(), parameters_.data()};
    for (int r = 0; r < rows; ++r) {
      for (int e = 0; e < term.site_count() * rows; ++e) weights_[sz(e)] = T(e % rows == r ? 1 : 0);
      term.at<T>().hessian(middle, weights_.data(), packed_.data());
      for (int s = 0; s < term.site_count(); ++s) {
        find_direction(entry, s, z);
        if (!(dd_ > T(0))) continue;
        const T f = entry.first_row < 0 ? force * entry.sign : factor * multipliers[entry.first_row + s * rows + r];
        const T sigma = difference(entry, s, r) / dd_;
        const T *g0 = gradient(entry, 0, s, r), *gm = gradient(entry, 1, s, r), *g1 = gradient(entry, 2, s, r);
        const T* H = packed_.data() + static_cast<std::ptrdiff_t>(s) * (M * (M + 1) / 2);
        for (int a = 0; a < N; ++a) {
          Hz_[sz(a)] = T(0);
          for (int c = 0; c < N; ++c) Hz_[sz(a)] += H[packed_index(a, c)] * z_[sz(c)];
        }
        const std::vector<int>& to = entry.sites[sz(s)].coupling;
        for (int c = 0; c < N; ++c) {
          std::fill_n(dz_.data(), N, T(0));
          std::fill_n(dm_.data(), N, T(0));
          dz_[sz(c)] = T(1);
          dm_[sz(c)] = T(0.5);
          correction_slope(entry, s, sigma, dz_.data(), dm_.data(), g1[c] - gm[c] - Hz_[sz(c)] / T(2), column_.data());
          for (int a = 0; a < N; ++a) to_z[to[sz(a * N + c)]] += f * column_[sz(a)];
          if (to_q0 == nullptr) continue;
          dz_[sz(c)] = T(0);
          dm_[sz(c)] = T(1);
          correction_slope(entry, s, sigma, dz_.data(), dm_.data(), g1[c] - g0[c] - Hz_[sz(c)], column_.data());
          for (int a = 0; a < N; ++a) to_q0[to[sz(a * N + c)]] += f * column_[sz(a)];
        }
      }
    }
  }
}

#define EXTREMAL_INSTANTIATE(S) template class DiscreteDerivative<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
