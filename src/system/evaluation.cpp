#include "system/evaluation.hpp"

#include <algorithm>
#include <array>

#include "numbers/instantiate.hpp"

namespace extremal {

namespace {
// Lanes are not asked for second derivatives.
[[maybe_unused]] std::ptrdiff_t packed_size(const Term& term) {
  return static_cast<std::ptrdiff_t>(term.site_count()) * (term.variables * (term.variables + 1) / 2);
}
}  // namespace

template <class S>
void Evaluation<S>::gradient(int count, const S* q, const S* v, const S* t, S* L, S* Lq, S* Lv) {
  plain_gradient(count, q, v, L, Lq, Lv);
  const Nodes<S> at = nodes(count, q, v, t);
  for (const Entry& entry : energy_) {
    if (entry.plain()) continue;
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
void Evaluation<S>::hessian(int count, const S* q, const S* v, const S* t, S* A, S* B, S* C, S* D) {
  const std::ptrdiff_t size = coupling_.size();
  const std::array<S*, 4> out = {A, B, C, D};
  if (A == nullptr) {
    const auto add = [&](const auto& place, int k, S value) {
      S* to = out[static_cast<std::size_t>(place.block)];
      if (to != nullptr) to[k * size + place.to] += value;
    };
    for (S* block : {C, D})
      if (block != nullptr) std::fill(block, block + count * size, S(0));
    for (int k = 0; k < count; ++k)
      for (const Fixed& f : fixed_) add(f, k, f.value);
    for (const Entry& entry : energy_) {
      const Term& term = *entry.term;
      if (entry.fixed || !term.velocity()) continue;
      entry.at->hessian(nodes(count, q, v, t), weights_.data(), packed_.data());
      for (int k = 0; k < count; ++k)
        for (const Place& p : entry.hessian)
          add(p, k, sign(term) * packed_[static_cast<std::size_t>(k * packed_size(term) + p.from)]);
    }
    return;
  }
  for (S* block : out) std::fill(block, block + count * size, S(0));
  for (int k = 0; k < count; ++k)
    for (const Fixed& f : fixed_) out[static_cast<std::size_t>(f.block)][k * size + f.to] += f.value;
  const Nodes<S> at = nodes(count, q, v, t);
  const auto scatter = [&](const Entry& entry, const S* from, std::ptrdiff_t per_node, S s) {
    for (int k = 0; k < count; ++k)
      for (const Place& p : entry.hessian)
        out[static_cast<std::size_t>(p.block)][k * size + p.to] += s * from[k * per_node + p.from];
  };
  for (const Entry& entry : energy_) {
    if (entry.fixed) continue;
    const Term& term = *entry.term;
    entry.at->hessian(at, weights_.data(), packed_.data());
    scatter(entry, packed_.data(), packed_size(term), sign(term));
  }
  for (const Entry& entry : force_) {
    const Term& term = *entry.term;
    entry.at->gradient(at, value_.data(), gradient_.data());
    scatter(entry, gradient_.data(), static_cast<std::ptrdiff_t>(term.site_count()) * term.row_count * term.variables,
            S(1));
  }
}

template <class S>
void Evaluation<S>::mass(const S* q, const S* v, const S* t, S* D) {
  hessian(1, q, v, t, nullptr, nullptr, nullptr, D);
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
  const std::ptrdiff_t size = jacobian_.size();
  if (G != nullptr) {
    if (plain_rows_ < m_) std::fill(G, G + count * size, S(0));
    std::fill(g_t, g_t + static_cast<std::ptrdiff_t>(count) * m_, S(0));
  }
  if (plain_rows_ > 0) plain_constraints(count, q, g, G);
  for (const Entry& entry : constraint_) {
    if (entry.plain()) continue;
    const Term& term = *entry.term;
    const int M = term.variables, rows = term.site_count() * term.row_count;
    if (G == nullptr)
      entry.at->value(at, value_.data());
    else
      entry.at->gradient(at, value_.data(), gradient_.data());
    for (int k = 0; k < count; ++k) {
      const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(k) * m_ + entry.first_row;
      std::copy_n(value_.data() + static_cast<std::ptrdiff_t>(k) * rows, rows, g + to);
      if (G == nullptr) continue;
      const S* slope = gradient_.data() + static_cast<std::ptrdiff_t>(k) * rows * M;
      for (const Place& p : entry.jacobian) G[k * size + p.to] = slope[p.from];
      if (term.uses_time)
        for (int e = 0; e < rows; ++e) g_t[to + e] = slope[e * M + M - 1];
    }
  }
}

template <class S>
void Evaluation<S>::add_curvature(int count, const S* q, const S* t, const S* weights, const S* factor, S* out) {
  const std::ptrdiff_t size = coupling_.size();
  for (int k = 0; k < count; ++k)
    for (const Curve& c : curves_)
      out[k * size + c.to] += factor[k] * weights[static_cast<std::ptrdiff_t>(k) * m_ + c.row] * c.value;
  const Nodes<S> at = nodes(count, q, nullptr, t);
  for (const Entry& entry : constraint_) {
    const Term& term = *entry.term;
    if (entry.fixed || term.degree.q <= 1) continue;
    const int block = term.site_count() * term.row_count;
    for (int k = 0; k < count; ++k)
      std::copy_n(weights + static_cast<std::ptrdiff_t>(k) * m_ + entry.first_row, block,
                  value_.data() + static_cast<std::ptrdiff_t>(k) * block);
    entry.at->hessian(at, value_.data(), packed_.data());
    for (int k = 0; k < count; ++k)
      for (const Place& p : entry.hessian)
        out[k * size + p.to] += factor[k] * packed_[static_cast<std::size_t>(k * packed_size(term) + p.from)];
  }
}

template <class S>
void Evaluation<S>::bend(const S* q, const S* t, const S* w, S* slope, S* second) {
  if (slope != nullptr) std::fill(slope, slope + jacobian_.size(), S(0));
  if (second != nullptr) std::fill(second, second + m_, S(0));
  for (const Curve& c : curves_) {
    const S x = c.value * w[c.j];
    if (slope != nullptr) slope[c.slope] += x;
    if (second != nullptr) second[c.row] += x * w[c.i];
  }
  const Nodes<S> at = nodes(1, q, nullptr, t);
  for (const Entry& entry : constraint_) {
    if (entry.fixed) continue;
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
          if (slope != nullptr && a < N) slope[jacobian_.find(row, i[a])] += sum;
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
  potential = -plain_L_;
  for (std::size_t e = 0; e < fixed_plain_; ++e) {
    const Fixed& f = fixed_[e];
    if (f.block == Block::D)
      kinetic += v[f.i] * f.value * v[f.j] / S(2);
    else
      potential -= q[f.i] * f.value * q[f.j] / S(2);
  }
  for (int i = 0; i < n_; ++i) potential -= plain_Lq_[static_cast<std::size_t>(i)] * q[i];
  const Nodes<S> at = nodes(1, q, v, t);
  for (const Entry& entry : energy_) {
    if (entry.plain()) continue;
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
void Evaluation<S>::add_work(const S* q, const S* v, const S* t, S factor, S* out) {
  for (const Entry& entry : force_) {
    entry.at->value(nodes(1, q, v, t), value_.data());
    S power(0);
    for (std::size_t e = 0; e < entry.term->sites.size(); ++e) power += value_[e] * v[entry.term->sites[e]];
    *out++ += factor * power;
  }
  for (const Entry& entry : energy_) {
    const Term& term = *entry.term;
    if (!term.uses_time) continue;
    entry.at->gradient(nodes(1, q, v, t), value_.data(), gradient_.data());
    for (int site = 0; site < term.site_count(); ++site)
      *out -= factor * sign(term) * gradient_[static_cast<std::size_t>((site + 1) * term.variables - 1)];
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

#if defined(EXTREMAL_LANES)
// What rows of output need; steps in lanes evaluate their terms themselves.
template void Evaluation<Lanes>::gradient(int, const Lanes*, const Lanes*, const Lanes*, Lanes*, Lanes*, Lanes*);
template void Evaluation<Lanes>::constraints(int, const Lanes*, const Lanes*, Lanes*, Lanes*, Lanes*);
template void Evaluation<Lanes>::bend(const Lanes*, const Lanes*, const Lanes*, Lanes*, Lanes*);
template void Evaluation<Lanes>::energies(const Lanes*, const Lanes*, const Lanes*, Lanes&, Lanes&);
template void Evaluation<Lanes>::momenta(const Lanes*, const Lanes*, const Lanes*, Lanes*);
#else
#define EXTREMAL_INSTANTIATE(S) template class Evaluation<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE
#endif

}  // namespace extremal
