#include "kernel/livens.hpp"

#include <algorithm>

#include "kernel/energy_momentum.hpp"
#include "kernel/energy_momentum_ggl.hpp"
#include "kernel/livens_galerkin.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"

namespace extremal {

template <class T>
LivensRule<T>::LivensRule(const System& system, const Livens& scheme, int copies, int sets)
    : system_(system),
      n_(system.size()),
      m_(system.constraint_count()),
      copies_(copies),
      sets_(sets),
      evaluation_(system, 1, Storage::sparse),
      weight_(T(1) + T(scheme.perturbation.amount())),
      mass_(couplings()),
      momentum_(coordinates()),
      force_(coordinates()),
      ignored_(coordinates()),
      line_(coordinates()),
      forced_(system.has(Role::force)) {
  const std::vector<T> zero = coordinates();
  const T t(0);
  evaluation_.mass(zero.data(), zero.data(), &t, mass_.data());
  evaluation_.gradient(1, zero.data(), zero.data(), &t, nullptr, ignored_.data(), momentum_.data());
  std::vector<std::vector<int>> columns(sz(n_));
  for_each(coupling(), [&](int e, int i, int j) {
    if (mass_[sz(e)] == T(0)) return;
    columns[sz(i)].push_back(j);
    inertias_.push_back(mass_[sz(e)]);
  });
  inertia_ = Pattern::of(n_, columns);
}

template <class T>
T LivensRule<T>::weighted_lagrangian(const T* q, const T* v, T t) {
  const T L = evaluation_.lagrangian(q, v, &t);
  std::fill(ignored_.begin(), ignored_.end(), T(0));
  add_mass(v, T(0.5), ignored_.data());
  T kinetic(0);
  for (int i = 0; i < n_; ++i) kinetic += (ignored_[sz(i)] + momentum_[sz(i)]) * v[i];
  return kinetic + weight_ * (L - kinetic);
}

// How gamma . (G u + h g_t) bends, by central differences of the exact second derivative. A matrix of Newton's method
// needs no more than the simplest; at higher precision the error of order ten is below round-off.
template <class T>
void LivensRule<T>::third_derivative(const T* q, T t0, const T* u, const T* gamma, T* out) {
  constexpr int reach = sizeof(T) > sizeof(double) ? 5 : 1;
  const T h = start_.h;
  const T extent = largest(q, n_), speed = largest(u, n_);
  const T rate = math::max(math::abs(h), extent > T(0) ? speed / extent : speed);
  const T step = math::pow(Scalar<T>::epsilon, T(1) / T(2 * reach + 1)) / rate;
  std::fill_n(out, coupling().size(), T(0));
  T ratio(1);
  for (int j = 1; j <= reach; ++j) {
    ratio *= T(reach - j + 1) / T(reach + j);
    for (const int side : {1, -1}) {
      const T s = T(side * j) * step, t = t0 + s * h;
      const T c = T(j % 2 == 1 ? side : -side) * ratio / (T(j) * step);
      for (int i = 0; i < n_; ++i) line_[sz(i)] = q[i] + s * u[i];
      evaluation_.add_curvature(1, line_.data(), &t, gamma, &c, out);
    }
  }
}

template <class T>
bool LivensRule<T>::curved() const {
  return std::any_of(system_.terms().begin(), system_.terms().end(), [](const auto& term) {
    return term->role == Role::constraint && (term->uses_time || term->degree.q > 2);
  });
}

template <class T>
Ggl<T>::Ggl(const System& system, const Livens& scheme)
    : LivensRule<T>(system, scheme, 3, 2),
      adjoint_(scheme.rule == Livens::Rule::ggl_adjoint),
      curved_(LivensRule<T>::curved()),
      inset_(inset_of<T>(has_jumps(system))) {
  this->multiplier_nodes_ = {T(0), T(1)};
  for (auto* v : {&bar_, &end_, &v_}) *v = this->coordinates();
  for (auto* v : {&g_, &gt_, &gt_bar_}) *v = this->rows();
  for (auto* v : {&G0_, &Gbar_, &G1_, &bend_}) *v = this->slopes();
  for (auto* v : {&S_, &S0_, &third_, &B_, &C_, &D_, &A0_}) *v = this->couplings();

  const int lambda = 3, gamma = 4, bar = to_bar(), u = hidden();
  auto& p = this->pieces_;
  const T one(1);
  // Rows of the copies, then g(q1) and the hidden constraint, as in the head of livens.hpp.
  p = {{PieceShape::coupling, 0, 0, this->mass_.data(), one},  {PieceShape::transposed, 0, lambda, G0_.data(), one},
       {PieceShape::coupling, 1, 1, this->mass_.data(), one},  {PieceShape::coupling, 1, bar, S_.data(), -one},
       {PieceShape::transposed, 1, gamma, Gbar_.data(), -one}, {PieceShape::coupling, 2, 2, this->mass_.data(), one},
       {PieceShape::coupling, 2, 0, this->mass_.data(), -one}, {PieceShape::coupling, 2, u, S_.data(), one},
       {PieceShape::transposed, 2, gamma, bend_.data(), one},  {PieceShape::slope, lambda, 1, G1_.data(), one},
       {PieceShape::slope, gamma, u, Gbar_.data(), one},       {PieceShape::slope, gamma, bar, bend_.data(), one}};
  if (adjoint_)
    p.push_back({PieceShape::slope, lambda, 2, G1_.data(), one});
  else
    p.push_back({PieceShape::coupling, 1, 0, this->mass_.data(), -one});
  if (!adjoint_ && this->forced_) p.push_back({PieceShape::coupling, 0, 0, B_.data(), -one});
  if (curved_) p.push_back({PieceShape::coupling, 2, bar, third_.data(), one});

  auto& s = this->start_pieces_;
  s = {{PieceShape::coupling, 0, 0, S0_.data(), one},
       {PieceShape::coupling, 1, 0, S_.data(), -one},
       {PieceShape::slope, lambda, 0, G1_.data(), one},
       {PieceShape::slope, gamma, 0, bend_.data(), one}};
  if (!adjoint_) s.push_back({PieceShape::coupling, 0, 0, A0_.data(), -one});
  if (curved_) s.push_back({PieceShape::coupling, 2, 0, third_.data(), one});
}

template <class T>
T Ggl<T>::force_time() const {
  return node_time(this->start_.t, this->start_.h, T(adjoint_ ? 1 : 0), inset_);
}

template <class T>
void Ggl<T>::evaluate_force(const T* q, const T* w, T t) {
  for (int i = 0; i < this->n_; ++i) v_[sz(i)] = w[i] / this->start_.h;
  this->evaluation_.gradient(1, q, v_.data(), &t, nullptr, this->force_.data(), this->ignored_.data());
  for (T& f : this->force_) f *= this->weight_;
}

template <class T>
void Ggl<T>::begin(const LivensStart<T>& start) {
  this->start_ = start;
  std::fill(bar_.begin(), bar_.end(), T(0));
  if (!adjoint_) evaluate_force(start.q, bar_.data(), force_time());
  this->evaluation_.constraints(1, start.q, &start.t, g_.data(), G0_.data(), gt_.data());
}

template <class T>
void Ggl<T>::guess(const T* v, T* x) const {
  const int n = this->n_;
  std::fill_n(x, this->size(), T(0));
  for (int i = 0; i < n; ++i) {
    const T d = this->start_.h * v[i];
    x[i] = x[2 * n + i] = d;
    x[n + i] = adjoint_ ? T(0) : d;
  }
}

template <class T>
void Ggl<T>::push(const T* x, T* out) {
  const LivensStart<T>& start = this->start_;
  const T h = start.h;
  if (!adjoint_ && this->forced_) evaluate_force(start.q, x, force_time());
  for (int i = 0; i < this->n_; ++i)
    out[i] = h * (start.p[i] - this->momentum_[sz(i)]) + (adjoint_ ? T(0) : h * h * this->force_[sz(i)]);
}

template <class T>
void Ggl<T>::reach(const T* x) {
  const int n = this->n_;
  const T *z = x + n, *w = x + 2 * n;
  for (int i = 0; i < n; ++i) end_[sz(i)] = this->start_.q[i] + (adjoint_ ? z[i] + w[i] : z[i]);
}

template <class T>
void Ggl<T>::turn(const T* u) {
  const T h = this->start_.h, t = bar_time();
  for (int i = 0; i < this->n_; ++i) v_[sz(i)] = u[i] / h;
  if (this->m_ == 0) return;
  this->evaluation_.bend(bar_.data(), &t, v_.data(), bend_.data(), nullptr);
  for (T& x_h : bend_) x_h *= h;
}

template <class T>
void Ggl<T>::place(const T* x) {
  const int n = this->n_;
  const T t = bar_time();
  const T *to_bar_at = x + to_bar() * n, *u = x + hidden() * n;
  for (int i = 0; i < n; ++i) bar_[sz(i)] = this->start_.q[i] + to_bar_at[i];
  reach(x);
  if (this->m_ > 0) this->evaluation_.constraints(1, bar_.data(), &t, g_.data(), Gbar_.data(), gt_bar_.data());
  turn(u);
}

template <class T>
void Ggl<T>::close(const T* x, T* position, T* hidden_rows) {
  const T h = this->start_.h, end_time = this->start_.t + h;
  this->evaluation_.constraints(1, end_.data(), &end_time, position, nullptr, nullptr);
  for (int k = 0; k < this->m_; ++k) hidden_rows[k] = h * gt_bar_[sz(k)];
  add_product(this->jacobian(), Gbar_.data(), x + hidden() * this->n_, T(1), hidden_rows);
}

template <class T>
T Ggl<T>::residual(const T* x, T* r) {
  const int n = this->n_, m = this->m_;
  const T *lambda = x + 3 * n, *gamma = lambda + m;
  push(x, r);
  place(x);
  for (int i = 0; i < n; ++i) r[i] = -r[i];
  std::fill(r + n, r + this->size(), T(0));
  this->add_mass(x, T(1), r);
  for (int i = 0; i < n; ++i) this->line_[sz(i)] = adjoint_ ? x[n + i] : x[n + i] - x[i];
  this->add_mass(this->line_.data(), T(1), r + n);
  for (int i = 0; i < n; ++i) this->line_[sz(i)] = x[2 * n + i] - x[i];
  this->add_mass(this->line_.data(), T(1), r + 2 * n);
  if (m > 0) {
    const Pattern& jacobian = this->jacobian();
    add_transposed(jacobian, G0_.data(), lambda, T(1), r);
    add_transposed(jacobian, Gbar_.data(), gamma, T(-1), r + n);
    add_transposed(jacobian, bend_.data(), gamma, T(1), r + 2 * n);
    close(x, r + 3 * n, r + 3 * n + m);
  }
  return largest(r, this->size());
}

template <class T>
void Ggl<T>::linearise(const T* x, bool start) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& from = this->start_;
  const T h = from.h, one(1), t = bar_time(), end_time = from.t + h;
  const T *lambda = x + 3 * n, *gamma = lambda + m, *u = x + hidden() * n, *w = x + velocity() * n;
  Evaluation<T>& evaluation = this->evaluation_;
  place(x);
  if (m > 0) {
    evaluation.constraints(1, end_.data(), &end_time, g_.data(), G1_.data(), gt_.data());
    std::fill(S_.begin(), S_.end(), T(0));
    evaluation.add_curvature(1, bar_.data(), &t, gamma, &one, S_.data());
    if (curved_) this->third_derivative(bar_.data(), t, u, gamma, third_.data());
  }
  if (start && m > 0) {
    std::fill(S0_.begin(), S0_.end(), T(0));
    evaluation.add_curvature(1, from.q, &from.t, lambda, &one, S0_.data());
  }
  if (!start && (adjoint_ || !this->forced_)) return;
  for (int i = 0; i < n; ++i) v_[sz(i)] = w[i] / h;
  evaluation.hessian(1, adjoint_ ? end_.data() : from.q, v_.data(), adjoint_ ? &end_time : &from.t, A0_.data(),
                     B_.data(), C_.data(), D_.data());
  for (T& a : A0_) a *= h * h * this->weight_;
  for (T& b : B_) b *= h * this->weight_;
}

// Lambda and Gamma against g(q1) and the hidden constraint.
template <class T>
const double* Ggl<T>::schur() const {
  static constexpr double complement[] = {-1, 1, -1, 0};
  return complement;
}

template <class T>
void Ggl<T>::end(const T* x, T* dq, T* dp) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  for (int i = 0; i < n; ++i) dq[i] = adjoint_ ? x[n + i] + x[2 * n + i] : x[n + i];
  if (adjoint_) evaluate_force(end_.data(), x + 2 * n, force_time());
  // p1 from the sum of the rows: what is added to p0 is as small as it is.
  for (int i = 0; i < n; ++i) dp[i] = start.h * start.h * this->force_[sz(i)];
  if (m > 0) {
    add_transposed(this->jacobian(), G0_.data(), x + 3 * n, T(-1), dp);
    add_transposed(this->jacobian(), bend_.data(), x + 3 * n + m, T(-1), dp);
  }
  for (int i = 0; i < n; ++i) dp[i] /= start.h;
}

// h L + p . (q1 - q0 - h v), of which M^-1 G^T Gamma is left.
template <class T>
T Ggl<T>::action(const T* x) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  const T h = start.h;
  const T *w = x + velocity() * n, *u = x + hidden() * n, *gamma = x + 3 * n + m;
  for (int i = 0; i < n; ++i) v_[sz(i)] = w[i] / h;
  T sum = h * this->weighted_lagrangian(adjoint_ ? end_.data() : start.q, v_.data(), adjoint_ ? start.t + h : start.t);
  for (int i = 0; i < n; ++i) sum += this->momentum_[sz(i)] * (adjoint_ ? x[n + i] : x[n + i] - w[i]);
  if (m == 0) return sum;
  std::fill(g_.begin(), g_.end(), T(0));
  add_product(this->jacobian(), Gbar_.data(), u, T(1) / h, g_.data());
  for (int k = 0; k < m; ++k) sum += gamma[k] * g_[sz(k)];
  return sum;
}

// By what a shift in time changes the discrete action (see galerkin.cpp): L at the force's end of the step, Lambda at
// q0, and Gamma . (G u + h g_t) at qbar, whose slope in time is h (g_qt w + g_tt) = h (g'' - d(G w + g_t)/dq w), w = u
// / h.
template <class T>
void Ggl<T>::add_work(const T* x, T* out) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  const T h = start.h, force_at = force_time(), bar = bar_time();
  const T *w = x + velocity() * n, *u = x + hidden() * n, *lambda = x + 3 * n, *gamma = lambda + m;
  Evaluation<T>& evaluation = this->evaluation_;
  for (int i = 0; i < n; ++i) v_[sz(i)] = w[i] / h;
  evaluation.add_work(adjoint_ ? end_.data() : start.q, v_.data(), &force_at, h, out);
  if (m == 0) return;
  T& given = out[evaluation.source_count() - 1];
  for (int i = 0; i < n; ++i) v_[sz(i)] = u[i] / h;
  evaluation.bend(bar_.data(), &bar, v_.data(), nullptr, g_.data());
  add_product(this->jacobian(), bend_.data(), v_.data(), T(-1) / h, g_.data());
  for (int k = 0; k < m; ++k) given += (lambda[k] * gt_[sz(k)] / h + gamma[k] * g_[sz(k)]);
}

template <class T>
void Ggl<T>::end_tangent(const T* dq0, const T*, const T* dx, T* dq1, T* dp1) const {
  const int n = this->n_;
  const T h = this->start_.h;
  for (int i = 0; i < n; ++i) dq1[i] = dq0[i] + dx[n + i] + (adjoint_ ? dx[2 * n + i] : T(0));
  std::fill_n(dp1, n, T(0));
  this->add_mass(dx + 2 * n, T(1) / h, dp1);
  if (!adjoint_) return;
  add_product(this->coupling(), A0_.data(), dq1, T(1) / h, dp1);
  add_product(this->coupling(), B_.data(), dx + 2 * n, T(1) / h, dp1);
}

// Impulses at the start of the step and of the projection at its end, per h.
template <class T>
void Ggl<T>::multipliers(const T* x, const T* nu, T* out) const {
  const int m = this->m_;
  const T h = this->start_.h;
  for (int k = 0; k < m; ++k) {
    out[k] = x[this->first(3) + k] / (h * h);
    out[m + k] = nu[k] / h;
  }
}

template <class T>
void Ggl<T>::add_gamma(const T* x, T* out) const {
  for (int k = 0; k < this->m_; ++k) out[k] += x[this->first(4) + k];
}

template <class T>
std::unique_ptr<LivensRule<T>> livens_rule(const System& system, const Livens& scheme) {
  switch (scheme.rule) {
    case Livens::Rule::galerkin:
      return std::make_unique<LivensGalerkin<T>>(system, scheme);
    case Livens::Rule::energy_momentum:
      return std::make_unique<EnergyMomentum<T>>(system, scheme);
    case Livens::Rule::energy_momentum_ggl:
      return std::make_unique<EnergyMomentumGgl<T>>(system, scheme);
    case Livens::Rule::ggl:
    case Livens::Rule::ggl_adjoint:
      break;
  }
  return std::make_unique<Ggl<T>>(system, scheme);
}

#define EXTREMAL_INSTANTIATE(T) \
  template class LivensRule<T>; \
  template class Ggl<T>;        \
  template std::unique_ptr<LivensRule<T>> livens_rule(const System&, const Livens&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
