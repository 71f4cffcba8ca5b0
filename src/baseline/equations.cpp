#include "baseline/equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "kernel/rank.hpp"
#include "kernel/start_solver.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

constexpr int small_size = 40;  // rows of K: above it blocks are faster than a dense matrix

// What has no second derivative v' of q and v alone that an estimate of the local error could judge.
void refuse_what_has_none(const std::string& who, const System& system, const Start& start) {
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw InputError(fmt::format("{}: {}: found {}; expected {}", who, system.name(), found, expected));
  };
  for (const auto& term : system.terms()) {
    if (term->role == Role::hamiltonian)
      refuse("the Hamiltonian \"" + term->name + "\"",
             "a Lagrangian, or energies: baselines integrate positions and velocities");
    if (term->jumps)
      refuse("the term \"" + term->name + "\", which jumps in time",
             "terms that are smooth in time: steps by local error do not end where one jumps");
  }
  if (!start.next.empty()) refuse("a start of two positions", "one of positions and velocities, or momenta");
}

}  // namespace

Equations::Equations(const std::string& who, const System& system, const Start& start)
    : n_(system.size()), m_(system.constraint_count()), dense_(n_ + m_ <= small_size), lu_(dense_ ? n_ + m_ : 0) {
  refuse_what_has_none(who, system, start);
  node_ = std::make_unique<NodeSolver<double>>(system);
  StartSolver<double> solver(system, *node_);
  State<double> state;
  solver.resolve(StartNumbers<double>(start), state, v_);
  t_ = state.t;
  q_ = state.q;
  const Rank& rank = solver.rank();
  redundant_ = rank.names;
  node_->regularise(rank.eps);
  dense_ = dense_ && rank.redundant == 0;
  evaluation_ = std::make_unique<Evaluation<double>>(system, 1, dense_ ? Storage::full : Storage::sparse);
  for (auto* x : {&Lq_, &Lv_}) x->resize(sz(n_));
  for (auto* x : {&A_, &B_, &C_, &D_}) x->resize(sz(evaluation_->coupling().size()));
  for (auto* x : {&g_, &gt_, &second_, &lambda_}) x->resize(sz(m_));
  for (auto* x : {&G_, &slope_}) x->resize(sz(evaluation_->jacobian().size()));
  solution_.resize(sz(n_ + m_));
  if (evaluation_->constant_mass()) evaluation_->mass(q_.data(), v_.data(), &t_, D_.data());
  if (dense_ && m_ == 0 && evaluation_->constant_mass()) {
    std::copy(D_.begin(), D_.end(), lu_.data());
    lu_.factor();
  }
  std::vector<double> a(sz(n_));
  if (!accelerate(t_, q_.data(), v_.data(), a.data()))
    throw InputError(
        fmt::format("{}: {}: found no acceleration at the start, where the mass matrix is singular; "
                    "expected inertia along every motion that the constraints allow",
                    who, system.name()));
  evaluations_ = 0;
}

// sum += L_vq v + L_vt, which vanish where the mass is constant; finds D.
void Equations::add_inertia(double t, const double* q, const double* v, double* sum) {
  if (evaluation_->constant_mass()) return;
  evaluation_->hessian(1, q, v, &t, nullptr, nullptr, C_.data(), D_.data());
  evaluation_->velocity_rate(q, v, &t, Lv_.data());
  for (int i = 0; i < n_; ++i) sum[i] += Lv_[sz(i)];
  add_product(evaluation_->coupling(), C_.data(), v, 1.0, sum);
}

bool Equations::accelerate(double t, const double* q, const double* v, double* a) {
  ++evaluations_;
  if (!dense_) return node_->acceleration(q, v, t, a, lambda_.data());
  evaluation_->gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
  double* const x = solution_.data();
  std::fill_n(x, n_, 0.0);
  add_inertia(t, q, v, x);
  for (int i = 0; i < n_; ++i) x[i] = Lq_[sz(i)] - x[i];
  if (m_ > 0) {
    evaluation_->constraints(1, q, &t, g_.data(), G_.data(), gt_.data());
    evaluation_->bend(q, &t, v, nullptr, second_.data());
    for (int k = 0; k < m_; ++k) x[n_ + k] = -second_[sz(k)];
  }
  if (m_ > 0 || !evaluation_->constant_mass()) {
    for (int i = 0; i < n_; ++i) {
      std::copy_n(D_.data() + static_cast<std::ptrdiff_t>(i) * n_, n_, lu_.row(i));
      for (int k = 0; k < m_; ++k) lu_.row(i)[n_ + k] = G_[sz(k * n_ + i)];
    }
    for (int k = 0; k < m_; ++k) {
      std::copy_n(G_.data() + static_cast<std::ptrdiff_t>(k) * n_, n_, lu_.row(n_ + k));
      std::fill_n(lu_.row(n_ + k) + n_, m_, 0.0);
    }
    if (lu_.factor() >= 0) return false;
  }
  lu_.solve(x);
  std::copy_n(x, n_, a);
  std::copy_n(x + n_, m_, lambda_.data());
  return std::all_of(x, x + n_ + m_, [](double one) { return std::isfinite(one); });
}

bool Equations::residual(double t, const double* y, const double* rate, double* r) {
  ++evaluations_;
  const double *q = y, *v = y + n_, *lambda = v + n_, *mu = lambda + m_;
  double *motion = r, *force = r + n_, *position = force + n_, *hidden = position + m_;
  evaluation_->gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
  for (int i = 0; i < n_; ++i) motion[i] = rate[i] - v[i], force[i] = -Lq_[sz(i)];
  add_inertia(t, q, v, force);
  add_product(evaluation_->coupling(), D_.data(), rate + n_, 1.0, force);
  if (m_ > 0) {
    evaluation_->constraints(1, q, &t, position, G_.data(), gt_.data());
    add_transposed(evaluation_->jacobian(), G_.data(), mu, 1.0, motion);
    add_transposed(evaluation_->jacobian(), G_.data(), lambda, 1.0, force);
    std::copy_n(gt_.data(), m_, hidden);
    add_product(evaluation_->jacobian(), G_.data(), v, 1.0, hidden);
  }
  return std::all_of(r, r + unknowns(), [](double one) { return std::isfinite(one); });
}

bool Equations::jacobian(double t, double c, const double* y, double* columns) {
  const double *q = y, *v = y + n_, *lambda = v + n_, *mu = lambda + m_;
  const int force = n_, position = 2 * n_, hidden = 2 * n_ + m_;  // rows; the columns of v, lambda and mu are the same
  const double one = 1;
  const Pattern &coupling = evaluation_->coupling(), &jacobian = evaluation_->jacobian();
  const auto at = [&](int row, int column) -> double& { return columns[sz(column) * sz(unknowns()) + sz(row)]; };
  std::fill_n(columns, sz(unknowns()) * sz(unknowns()), 0.0);
  evaluation_->hessian(1, q, v, &t, A_.data(), B_.data(), C_.data(), D_.data());
  for (int i = 0; i < n_; ++i) at(i, i) = c, at(i, n_ + i) = -1;
  std::fill(C_.begin(), C_.end(), 0.0);  // is zero where the mass is constant; now the curvature of mu
  if (m_ > 0) {
    const double minus = -1;
    evaluation_->constraints(1, q, &t, g_.data(), G_.data(), gt_.data());
    evaluation_->bend(q, &t, v, slope_.data(), nullptr);
    evaluation_->add_curvature(1, q, &t, mu, &one, C_.data());
    evaluation_->add_curvature(1, q, &t, lambda, &minus, A_.data());
    for_each(jacobian, [&](int e, int k, int i) {
      at(i, hidden + k) = at(force + i, position + k) = G_[sz(e)];
      at(position + k, i) = at(hidden + k, n_ + i) = G_[sz(e)];
      at(hidden + k, i) = slope_[sz(e)];
    });
  }
  for_each(coupling, [&](int e, int i, int j) {
    at(i, j) += C_[sz(e)];
    at(force + i, j) = -A_[sz(e)];
    at(force + i, n_ + j) = c * D_[sz(e)] - B_[sz(e)];
  });
  return std::all_of(columns, columns + sz(unknowns()) * sz(unknowns()), [](double x) { return std::isfinite(x); });
}

}  // namespace extremal
