#include "system/hamiltonian.hpp"

#include <algorithm>

#include "algebra/rest.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {
constexpr int max_iterations = 30;
}  // namespace

template <class S>
HamiltonianEvaluation<S>::HamiltonianEvaluation(const System& system, int max_nodes)
    : n_(system.size()),
      direct_(system.has(Role::hamiltonian)),
      separable_(true),
      system_(system),
      evaluation_(system, max_nodes),
      lu_(n_),
      lu_double_(n_) {
  for (const Number& p : system.parameters()) parameters_.push_back(p.as<S>());
  for (auto* x : {&v_, &Lq_, &Lv_}) x->assign(sz(max_nodes * n_), S(0));
  for (auto* x : {&A_, &B_, &C_, &D_}) x->resize(sz(max_nodes * n_ * n_));
  L_.resize(sz(max_nodes));
  force_.resize(sz(n_));
  rhs_.resize(sz(n_));
  rhs_double_.resize(sz(n_));
  std::size_t values = 1, gradients = 1, hessians = 1;
  for (const auto& term : system.terms()) {
    const bool mixed = term->degree.q > 0 && term->degree.v > 0;
    if (term->role == Role::kinetic || term->role == Role::lagrangian || term->role == Role::hamiltonian)
      separable_ = separable_ && !mixed;
    if (term->role != Role::hamiltonian) continue;
    terms_.push_back(term.get());
    const auto calls = sz(max_nodes) * sz(term->site_count()), m = sz(term->variables);
    values = std::max(values, calls);
    gradients = std::max(gradients, calls * m);
    hessians = std::max(hessians, calls * m * (m + 1) / 2);
  }
  value_.resize(values);
  weights_.assign(values, S(1));
  gradient_.resize(gradients);
  packed_.resize(hessians);
}

template <class S>
void HamiltonianEvaluation<S>::guess(const S* v) {
  for (std::size_t at = 0; at < v_.size(); at += sz(n_)) std::copy_n(v, n_, &v_[at]);
}

// L_v(q, v) = p at every node; the last velocities are the guess. The matrix is factored in double and Newton's
// iterations are the refinements.
template <class S>
bool HamiltonianEvaluation<S>::velocities(int count, const S* q, const S* p, const S* t) {
  for (int k = 0; k < count; ++k) {
    S* v = &v_[sz(k * n_)];
    const bool solved = settles<S>(rest::velocity, max_iterations, [&](int iteration) {
      if ((k == 0 && iteration == 0) || !evaluation_.constant_mass()) {
        evaluation_.mass(q + k * n_, v, t + k, D_.data());
        for (int e = 0; e < n_ * n_; ++e) lu_double_.data()[e] = static_cast<double>(D_[sz(e)]);
        if (lu_double_.factor() >= 0) return Settling<S>::failed();
      }
      evaluation_.gradient(1, q + k * n_, v, t + k, nullptr, Lq_.data(), Lv_.data());
      for (int i = 0; i < n_; ++i) rhs_double_[sz(i)] = static_cast<double>(p[k * n_ + i] - Lv_[sz(i)]);
      lu_double_.solve(rhs_double_.data());
      S change(0), scale(0);
      for (int i = 0; i < n_; ++i) {
        v[i] += S(rhs_double_[sz(i)]);
        change = math::max(change, math::abs(S(rhs_double_[sz(i)])));
        scale = math::max(scale, math::abs(v[i]));
      }
      if (!math::finite(change)) return Settling<S>::failed();
      if (!(scale > S(0))) return Settling<S>::settled();
      return Settling<S>::corrected(change, S(4) * Scalar<S>::epsilon * scale);
    });
    if (!solved) return false;
  }
  return true;
}

template <class S>
void HamiltonianEvaluation<S>::gradient_at(int count, const S* q, const S* p, const S* v, const S* t, S* H, S* Hq) {
  evaluation_.gradient(count, q, v, t, L_.data(), Lq_.data(), Lv_.data());
  for (int k = 0; k < count; ++k) {
    S sum = -L_[sz(k)];
    for (int i = k * n_; i < (k + 1) * n_; ++i) {
      Hq[i] = -Lq_[sz(i)];
      sum += p[i] * v[i];
    }
    if (H != nullptr) H[k] = sum;
  }
}

template <class S>
bool HamiltonianEvaluation<S>::gradient(int count, const S* q, const S* p, const S* t, S* H, S* Hq, S* Hp) {
  const auto total = static_cast<std::ptrdiff_t>(count) * n_;
  if (!direct_) {
    if (!velocities(count, q, p, t)) return false;
    std::copy_n(v_.data(), total, Hp);
    gradient_at(count, q, p, Hp, t, H, Hq);
    return true;
  }
  std::fill_n(Hq, total, S(0));
  std::fill_n(Hp, total, S(0));
  if (H != nullptr) std::fill_n(H, count, S(0));
  for (const Term* term : terms_) {
    const int N = term->coordinates, M = term->variables, sites = term->site_count();
    term->template at<S>().gradient({count, n_, q, p, t, parameters_.data()}, value_.data(), gradient_.data());
    for (int k = 0; k < count; ++k)
      for (int site = 0; site < sites; ++site) {
        const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        const S* g = &gradient_[sz((k * sites + site) * M)];
        for (int c = 0; c < N; ++c) Hq[k * n_ + i[c]] += g[c], Hp[k * n_ + i[c]] += g[N + c];
        if (H != nullptr) H[k] += value_[sz(k * sites + site)];
      }
  }
  if (system_.has(Role::force))
    for (int k = 0; k < count; ++k) {
      evaluation_.forces(q + k * n_, Hp + k * n_, t + k, force_.data());
      for (int i = 0; i < n_; ++i) Hq[k * n_ + i] -= force_[sz(i)];
    }
  return true;
}

template <class S>
bool HamiltonianEvaluation<S>::hessian(int count, const S* q, const S* p, const S* t, S* A, S* B, S* C, S* D) {
  const int nn = n_ * n_;
  const auto at = [&](const S* block, int k, int i, int j) { return block[(k * n_ + i) * n_ + j]; };
  if (!direct_) {
    if (!velocities(count, q, p, t)) return false;
    evaluation_.hessian(count, q, v_.data(), t, A_.data(), B_.data(), C_.data(), D_.data());
    for (int k = 0; k < count; ++k) {
      std::copy_n(&D_[sz(k * nn)], nn, lu_.data());
      if (lu_.factor() >= 0) return false;
      for (int j = 0; j < n_; ++j) {
        for (int i = 0; i < n_; ++i) rhs_[sz(i)] = S(i == j ? 1 : 0);
        lu_.solve(rhs_.data());
        for (int i = 0; i < n_; ++i) D[(k * n_ + i) * n_ + j] = rhs_[sz(i)];
        for (int i = 0; i < n_; ++i) rhs_[sz(i)] = -at(C_.data(), k, i, j);
        lu_.solve(rhs_.data());
        for (int i = 0; i < n_; ++i) C[(k * n_ + i) * n_ + j] = rhs_[sz(i)];
      }
      // H_q = -(L_q + f)(q, v(q, p)): by the chain rule with v_q = C, v_p = D.
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) {
          S a = -at(A_.data(), k, i, j), b(0);
          for (int e = 0; e < n_; ++e) {
            a -= at(B_.data(), k, i, e) * at(C, k, e, j);
            b -= at(B_.data(), k, i, e) * at(D, k, e, j);
          }
          A[(k * n_ + i) * n_ + j] = a;
          B[(k * n_ + i) * n_ + j] = b;
        }
    }
    return true;
  }
  for (S* block : {A, B, C, D}) std::fill_n(block, static_cast<std::ptrdiff_t>(count) * nn, S(0));
  for (const Term* term : terms_) {
    const int N = term->coordinates, M = term->variables, sites = term->site_count(), size = M * (M + 1) / 2;
    term->template at<S>().hessian({count, n_, q, p, t, parameters_.data()}, weights_.data(), packed_.data());
    for (int k = 0; k < count; ++k)
      for (int site = 0; site < sites; ++site) {
        const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        const S* h = &packed_[sz((k * sites + site) * size)];
        for (int a = 0; a < N; ++a)
          for (int b = 0; b < N; ++b) {
            const auto e = static_cast<std::ptrdiff_t>(k * n_ + i[a]) * n_ + i[b];
            A[e] += h[packed_index(a, b)];
            B[e] += h[packed_index(a, N + b)];
            C[e] += h[packed_index(N + a, b)];
            D[e] += h[packed_index(N + a, N + b)];
          }
      }
  }
  if (system_.has(Role::force)) {
    gradient(count, q, p, t, nullptr, Lq_.data(), v_.data());
    evaluation_.hessian(count, q, v_.data(), t, A_.data(), B_.data(), C_.data(), D_.data());
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) {
          S a = at(A_.data(), k, i, j), b(0);
          for (int e = 0; e < n_; ++e) {
            a += at(B_.data(), k, i, e) * at(C, k, e, j);
            b += at(B_.data(), k, i, e) * at(D, k, e, j);
          }
          A[(k * n_ + i) * n_ + j] -= a;
          B[(k * n_ + i) * n_ + j] -= b;
        }
  }
  return true;
}

template <class S>
S HamiltonianEvaluation<S>::time_derivative(const S* q, const S* p, S t) {
  S sum(0);
  if (!direct_ && !velocities(1, q, p, &t)) return S(0) / S(0);
  for (const auto& term : system_.terms()) {
    if (!term->uses_time || term->role == Role::constraint || term->role == Role::force || term->role == Role::symmetry)
      continue;
    std::vector<S> value(sz(term->site_count())), gradient(sz(term->site_count() * term->variables));
    term->template at<S>().gradient({1, n_, q, direct_ ? p : v_.data(), &t, parameters_.data()}, value.data(),
                                    gradient.data());
    // L = T - V: what is added to H is -T, +V, -L, +H, at fixed q and v (or p).
    const S sign(term->role == Role::potential || term->role == Role::hamiltonian ? 1 : -1);
    for (int site = 0; site < term->site_count(); ++site) sum += sign * gradient[sz((site + 1) * term->variables - 1)];
  }
  return sum;
}

template <class S>
void HamiltonianEvaluation<S>::velocity_rate(const S* q, const S* p, S t, S* out) {
  std::fill_n(out, n_, S(0));
  for (const Term* term : terms_) {
    if (!term->uses_time) continue;
    const int N = term->coordinates, M = term->variables, size = M * (M + 1) / 2;
    term->template at<S>().hessian({1, n_, q, p, &t, parameters_.data()}, weights_.data(), packed_.data());
    for (int site = 0; site < term->site_count(); ++site)
      for (int c = 0; c < N; ++c)
        out[term->sites[sz(site * N + c)]] += packed_[sz(site * size + packed_index(N + c, M - 1))];
  }
}

template <class S>
void HamiltonianEvaluation<S>::add_work(const S* q, const S* p, const S* v, const S* t, S factor, S* out) {
  evaluation_.add_work(q, v, t, factor, out);
  S& given = out[evaluation_.source_count() - 1];
  for (const Term* term : terms_) {
    if (!term->uses_time) continue;
    term->template at<S>().gradient({1, n_, q, p, t, parameters_.data()}, value_.data(), gradient_.data());
    for (int site = 0; site < term->site_count(); ++site)
      given += factor * gradient_[sz((site + 1) * term->variables - 1)];
  }
}

#define EXTREMAL_INSTANTIATE(S) template class HamiltonianEvaluation<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
