#include "system/evaluation.hpp"

#include <algorithm>

namespace extremal {

template <class S>
Evaluation<S>::Evaluation(const System& system, int max_nodes) : n_(system.size()), m_(system.constraint_count()) {
  for (const Number& p : system.parameters()) parameters_.push_back(p.as<S>());
  std::size_t values = 1, gradients = 1, hessians = 1;
  int row = 0;
  for (const auto& term : system.terms()) {
    Entry entry{term.get(), &term->template at<S>(), row, false, {}};
    const auto calls = static_cast<std::size_t>(max_nodes) * static_cast<std::size_t>(term->site_count());
    const auto rows = static_cast<std::size_t>(term->row_count), variables = static_cast<std::size_t>(term->variables);
    values = std::max(values, calls * rows);
    gradients = std::max(gradients, calls * rows * variables);
    hessians = std::max(hessians, calls * variables * (variables + 1) / 2);
    const DegreeBound& d = term->degree;
    switch (term->role) {
      case Role::kinetic:
      case Role::potential:
      case Role::lagrangian:
        entry.constant_hessian = d.t == 0 && ((d.q == 0 && d.v <= 2) || (d.v == 0 && d.q <= 2));
        if (d.v > 0 && !(d.q == 0 && d.v <= 2 && d.t == 0)) constant_mass_ = false;
        energy_.push_back(entry);
        break;
      case Role::force:
        force_.push_back(entry);
        break;
      case Role::constraint:
        row += term->site_count() * term->row_count;
        constraint_.push_back(entry);
        break;
      case Role::symmetry:
        symmetry_.push_back(entry);
        ++symmetry_count_;
        break;
      case Role::hamiltonian:
        break;  // carried by the system; the families that need L refuse it before they get here
    }
  }
  value_.resize(values);
  weights_.assign(std::max(values, static_cast<std::size_t>(m_)), S(1));
  gradient_.resize(gradients);
  packed_.resize(hessians);
  // Second derivatives that do not depend on the point are computed once.
  const std::vector<S> zero(static_cast<std::size_t>(n_), S(0));
  const S t0(0);
  for (Entry& entry : energy_)
    if (entry.constant_hessian) {
      const auto size =
          static_cast<std::size_t>(entry.term->site_count() * entry.term->variables * (entry.term->variables + 1) / 2);
      entry.at->hessian(nodes(1, zero.data(), zero.data(), &t0), weights_.data(), packed_.data());
      entry.cached_hessian.assign(packed_.begin(), packed_.begin() + static_cast<std::ptrdiff_t>(size));
    }
}

template <class S>
void Evaluation<S>::gradient(int count, const S* q, const S* v, const S* t, S* L, S* Lq, S* Lv) {
  const auto total = static_cast<std::ptrdiff_t>(count) * n_;
  std::fill(Lq, Lq + total, S(0));
  std::fill(Lv, Lv + total, S(0));
  if (L != nullptr) std::fill(L, L + count, S(0));
  const Nodes<S> at = nodes(count, q, v, t);
  for (const Entry& entry : energy_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, sites = term.site_count();
    entry.at->gradient(at, value_.data(), gradient_.data());
    const S s = sign(term);
    for (int k = 0; k < count; ++k)
      for (int site = 0; site < sites; ++site) {
        const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        const S* g = gradient_.data() + static_cast<std::ptrdiff_t>(k * sites + site) * M;
        S* toq = Lq + static_cast<std::ptrdiff_t>(k) * n_;
        S* tov = Lv + static_cast<std::ptrdiff_t>(k) * n_;
        for (int c = 0; c < N; ++c) toq[i[c]] += s * g[c];
        if (term.velocity())
          for (int c = 0; c < N; ++c) tov[i[c]] += s * g[N + c];
        if (L != nullptr) L[k] += s * value_[static_cast<std::size_t>(k * sites + site)];
      }
  }
  for (const Entry& entry : force_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, sites = term.site_count();
    entry.at->value(at, value_.data());
    for (int k = 0; k < count; ++k)
      for (int site = 0; site < sites; ++site)
        for (int c = 0; c < N; ++c)
          Lq[static_cast<std::ptrdiff_t>(k) * n_ + term.sites[static_cast<std::size_t>(site * N + c)]] +=
              value_[static_cast<std::size_t>((k * sites + site) * N + c)];
  }
}

template <class S>
const S* Evaluation<S>::energy_hessian(const Entry& entry, const Nodes<S>& at) {
  if (entry.constant_hessian) return entry.cached_hessian.data();
  entry.at->hessian(at, weights_.data(), packed_.data());
  return packed_.data();
}

// Calls add(node, variable a, variable b, row index in q, column index in q, value) for every entry of the
// full symmetric Hessian of every site; the index of the time variable is -1.
template <class S>
template <class Add>
void Evaluation<S>::scatter_hessian(const Entry& entry, int count, const S* packed, bool repeated, Add add) const {
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables, sites = term.site_count(), size = M * (M + 1) / 2;
  const int space = term.velocity() ? 2 * N : N;
  for (int k = 0; k < count; ++k)
    for (int site = 0; site < sites; ++site) {
      const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
      const S* h = packed + static_cast<std::ptrdiff_t>(repeated ? site : k * sites + site) * size;
      for (int a = 0; a < space; ++a)
        for (int b = 0; b < space; ++b) add(k, a >= N, b >= N, i[a % N], i[b % N], h[packed_index(a, b)]);
    }
}

template <class S>
void Evaluation<S>::hessian(int count, const S* q, const S* v, const S* t, S* A, S* B, S* C, S* D) {
  const auto total = static_cast<std::ptrdiff_t>(count) * n_ * n_;
  for (S* block : {A, B, C, D}) std::fill(block, block + total, S(0));
  const Nodes<S> at = nodes(count, q, v, t);
  for (const Entry& entry : energy_) {
    const S s = sign(*entry.term);
    const S* packed = energy_hessian(entry, at);
    scatter_hessian(entry, count, packed, entry.constant_hessian, [&](int k, bool rv, bool cv, int i, int j, S x) {
      S* block = rv ? (cv ? D : C) : (cv ? B : A);
      block[(static_cast<std::ptrdiff_t>(k) * n_ + i) * n_ + j] += s * x;
    });
  }
  for (const Entry& entry : force_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, sites = term.site_count();
    entry.at->gradient(at, value_.data(), gradient_.data());
    for (int k = 0; k < count; ++k)
      for (int site = 0; site < sites; ++site) {
        const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        for (int r = 0; r < N; ++r) {
          const S* g = gradient_.data() + static_cast<std::ptrdiff_t>((k * sites + site) * N + r) * M;
          for (int c = 0; c < N; ++c) {
            A[(static_cast<std::ptrdiff_t>(k) * n_ + i[r]) * n_ + i[c]] += g[c];
            B[(static_cast<std::ptrdiff_t>(k) * n_ + i[r]) * n_ + i[c]] += g[N + c];
          }
        }
      }
  }
}

template <class S>
void Evaluation<S>::mass(const S* q, const S* v, const S* t, S* D) {
  std::fill(D, D + static_cast<std::ptrdiff_t>(n_) * n_, S(0));
  const Nodes<S> at = nodes(1, q, v, t);
  for (const Entry& entry : energy_) {
    if (!entry.term->velocity()) continue;
    const S s = sign(*entry.term);
    const S* packed = energy_hessian(entry, at);
    scatter_hessian(entry, 1, packed, entry.constant_hessian, [&](int, bool rv, bool cv, int i, int j, S x) {
      if (rv && cv) D[static_cast<std::ptrdiff_t>(i) * n_ + j] += s * x;
    });
  }
}

template <class S>
void Evaluation<S>::velocity_rate(const S* q, const S* v, const S* t, S* out) {
  std::fill(out, out + n_, S(0));
  for (const Entry& entry : energy_) {
    const Term& term = *entry.term;
    if (!term.uses_time || !term.velocity()) continue;
    const int N = term.coordinates, M = term.variables;
    entry.at->hessian(nodes(1, q, v, t), weights_.data(), packed_.data());
    for (int site = 0; site < term.site_count(); ++site)
      for (int c = 0; c < N; ++c)
        out[term.sites[static_cast<std::size_t>(site * N + c)]] +=
            sign(term) * packed_[static_cast<std::size_t>(site * (M * (M + 1) / 2) + packed_index(N + c, M - 1))];
  }
}

template <class S>
void Evaluation<S>::constraints(int count, const S* q, const S* t, S* g, S* G, S* g_t) {
  if (m_ == 0) return;
  const Nodes<S> at = nodes(count, q, nullptr, t);
  if (G != nullptr) {
    std::fill(G, G + static_cast<std::ptrdiff_t>(count) * m_ * n_, S(0));
    std::fill(g_t, g_t + static_cast<std::ptrdiff_t>(count) * m_, S(0));
  }
  for (const Entry& entry : constraint_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, sites = term.site_count(), rows = term.row_count;
    if (G == nullptr)
      entry.at->value(at, value_.data());
    else
      entry.at->gradient(at, value_.data(), gradient_.data());
    for (int k = 0; k < count; ++k)
      for (int site = 0; site < sites; ++site)
        for (int r = 0; r < rows; ++r) {
          const std::ptrdiff_t e = static_cast<std::ptrdiff_t>(k * sites + site) * rows + r;
          const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(k) * m_ + entry.first_row + site * rows + r;
          g[row] = value_[static_cast<std::size_t>(e)];
          if (G == nullptr) continue;
          const S* slope = gradient_.data() + e * M;
          for (int c = 0; c < N; ++c) G[row * n_ + term.sites[static_cast<std::size_t>(site * N + c)]] = slope[c];
          if (term.uses_time) g_t[row] = slope[M - 1];
        }
  }
}

template <class S>
void Evaluation<S>::add_curvature(int count, const S* q, const S* t, const S* weights, const S* factor, S* out) {
  if (m_ == 0) return;
  const Nodes<S> at = nodes(count, q, nullptr, t);
  for (const Entry& entry : constraint_) {
    const Term& term = *entry.term;
    if (term.degree.q <= 1) continue;
    const int block = term.site_count() * term.row_count;
    for (int k = 0; k < count; ++k)
      for (int e = 0; e < block; ++e)
        value_[static_cast<std::size_t>(k * block + e)] =
            weights[static_cast<std::ptrdiff_t>(k) * m_ + entry.first_row + e];
    entry.at->hessian(at, value_.data(), packed_.data());
    scatter_hessian(entry, count, packed_.data(), false, [&](int k, bool, bool, int i, int j, S x) {
      out[(static_cast<std::ptrdiff_t>(k) * n_ + i) * n_ + j] += factor[k] * x;
    });
  }
}

template <class S>
void Evaluation<S>::bend(const S* q, const S* t, const S* w, S* slope, S* second) {
  if (slope != nullptr) std::fill(slope, slope + static_cast<std::ptrdiff_t>(m_) * n_, S(0));
  if (second != nullptr) std::fill(second, second + m_, S(0));
  const Nodes<S> at = nodes(1, q, nullptr, t);
  for (const Entry& entry : constraint_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables, sites = term.site_count(), rows = term.row_count;
    // One row of every site at a time: the Hessian interface sums rows by their weights.
    for (int r = 0; r < rows; ++r) {
      for (int e = 0; e < sites * rows; ++e) value_[static_cast<std::size_t>(e)] = S(e % rows == r ? 1 : 0);
      entry.at->hessian(at, value_.data(), packed_.data());
      for (int site = 0; site < sites; ++site) {
        const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        const S* h = packed_.data() + static_cast<std::ptrdiff_t>(site) * (M * (M + 1) / 2);
        const int row = entry.first_row + site * rows + r;
        S total(0);
        for (int a = 0; a < M; ++a) {
          S sum = term.uses_time ? h[packed_index(a, M - 1)] : S(0);
          for (int c = 0; c < N; ++c) sum += h[packed_index(a, c)] * w[i[c]];
          if (slope != nullptr && a < N) slope[static_cast<std::ptrdiff_t>(row) * n_ + i[a]] += sum;
          total += sum * (a < N ? w[i[a]] : S(1));
        }
        if (second != nullptr) second[row] = total;
      }
    }
  }
}

template <class S>
void Evaluation<S>::energies(const S* q, const S* v, const S* t, S& kinetic, S& potential) {
  kinetic = S(0);
  potential = S(0);
  const Nodes<S> at = nodes(1, q, v, t);
  for (const Entry& entry : energy_) {
    const Term& term = *entry.term;
    const int N = term.coordinates, M = term.variables;
    entry.at->gradient(at, value_.data(), gradient_.data());
    for (int site = 0; site < term.site_count(); ++site) {
      const S f = value_[static_cast<std::size_t>(site)];
      if (term.role == Role::potential) {
        potential += f;
        continue;
      }
      // The energy function v . L_v - L: twice the kinetic energy minus itself where L is quadratic in v.
      S e = -f;
      for (int c = 0; c < N; ++c)
        e += gradient_[static_cast<std::size_t>(site * M + N + c)] *
             v[term.sites[static_cast<std::size_t>(site * N + c)]];
      kinetic += e;
    }
  }
}

template <class S>
S Evaluation<S>::lagrangian(const S* q, const S* v, const S* t) {
  S sum(0);
  for (const Entry& entry : energy_) {
    entry.at->value(nodes(1, q, v, t), value_.data());
    for (int site = 0; site < entry.term->site_count(); ++site)
      sum += sign(*entry.term) * value_[static_cast<std::size_t>(site)];
  }
  return sum;
}

template <class S>
void Evaluation<S>::forces(const S* q, const S* v, const S* t, S* out) {
  std::fill(out, out + n_, S(0));
  for (const Entry& entry : force_) {
    entry.at->value(nodes(1, q, v, t), value_.data());
    for (std::size_t e = 0; e < entry.term->sites.size(); ++e) out[entry.term->sites[e]] += value_[e];
  }
}

template <class S>
void Evaluation<S>::momenta(const S* q, const S* p, const S* t, S* out) {
  for (std::size_t k = 0; k < symmetry_.size(); ++k) {
    const Entry& entry = symmetry_[k];
    entry.at->value(nodes(1, q, nullptr, t), value_.data());
    S sum(0);
    for (std::size_t e = 0; e < entry.term->sites.size(); ++e) sum += p[entry.term->sites[e]] * value_[e];
    out[k] = sum;
  }
}

template <class S>
void Evaluation<S>::symmetry(int index, const S* q, const S* v, const S* t, S* field, S* lifted) {
  const Entry& entry = symmetry_[static_cast<std::size_t>(index)];
  const Term& term = *entry.term;
  const int N = term.coordinates, M = term.variables;
  entry.at->gradient(nodes(1, q, nullptr, t), value_.data(), gradient_.data());
  std::fill(field, field + n_, S(0));
  if (v != nullptr) std::fill(lifted, lifted + n_, S(0));
  for (int site = 0; site < term.site_count(); ++site)
    for (int r = 0; r < N; ++r) {
      const int* i = term.sites.data() + static_cast<std::ptrdiff_t>(site) * N;
      field[i[r]] += value_[static_cast<std::size_t>(site * N + r)];
      if (v == nullptr) continue;
      for (int c = 0; c < N; ++c) lifted[i[r]] += gradient_[static_cast<std::size_t>((site * N + r) * M + c)] * v[i[c]];
    }
}

template class Evaluation<double>;
template class Evaluation<long double>;
template class Evaluation<quad>;

}  // namespace extremal
