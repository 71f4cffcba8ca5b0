#include "kernel/node.hpp"

#include <algorithm>
#include <type_traits>

#include "algebra/rest.hpp"
#include "kernel/find_blocks.hpp"
#include "kernel/rank.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {

constexpr int max_iterations = 30;

// The right-hand side as BlockLu takes it: itself where it is in double, else the copy.
template <class S>
double* in_double(Array<S>& rhs, std::vector<double>& copy) {
  if constexpr (std::is_same_v<S, double>)
    return rhs.data();
  else
    return copy.data();
}

}  // namespace

template <class S>
NodeSolver<S>::NodeSolver(const System& system)
    : n_(system.size()),
      m_(system.constraint_count()),
      factored_q_(sz(n_)),
      evaluation_(system, 1, Storage::sparse),
      schur_(system.has(Role::hamiltonian) ? m_ : 0),
      matrix_(matrix_of(system)),
      lu_(0),
      lu_free_(0),
      qd_(sz(n_)),
      vd_(sz(n_)),
      mass_(sz(matrix_.coupling().size())),
      mobility_(sz(m_)),
      rhsd_(sz(n_ + m_)),
      g_(sz(m_)),
      G_(sz(evaluation_.jacobian().size())),
      gt_(sz(m_)),
      Lq_(sz(n_)),
      Lv_(sz(n_)),
      rhs_(sz(n_ + m_)),
      second_(sz(m_)) {
  if (system.has(Role::hamiltonian)) {
    hamiltonian_ = std::make_unique<HamiltonianEvaluation<S>>(system, 1);
    for (auto& block : hessian_) block.resize(sz(n_ * n_));
  }
  for (auto* x : {&C_, &D_}) x->resize(sz(evaluation_.coupling().size()));
  for (const auto& term : system.terms())
    if (term->role == Role::constraint) {
      const std::size_t rows = sz(term->site_count() * term->row_count);
      if (term->row_weights.empty())
        row_weights_.insert(row_weights_.end(), rows, 1.0);
      else
        row_weights_.insert(row_weights_.end(), term->row_weights.begin(), term->row_weights.end());
    }
  const Blocks blocks = find_blocks(system, matrix_.coupling(), matrix_.jacobian());
  Units units = find_units(blocks, matrix_, Coupled::by_mass);
  for (int i = 0; i < n_; ++i) units.row.push_back(i);
  units.column = units.row;
  lu_free_ = BlockLu(blocks, units);
  for (int k = 0; k < m_; ++k) units.row.push_back(n_ + k);
  units.column = units.row;
  lu_ = BlockLu(blocks, units);
  find_slots();
  judged_ = has_loop(system);
  for (int i = 0; i < n_; ++i) {
    inertia_at_.push_back(matrix_.coupling().find(i, i));
    free_diagonal_.push_back(needed(lu_free_.slot(i, i)));
  }
  if (blocks.count == 1) shape_ = find_shape();
}

template <class S>
Evaluation<double>& NodeSolver<S>::matrix_of(const System& system) {
  if constexpr (std::is_same_v<S, double>) {
    return evaluation_;
  } else {
    own_matrix_ = std::make_unique<Evaluation<double>>(system, 1, Storage::sparse);
    return *own_matrix_;
  }
}

// Of a constant mass: where it has entries, and whether a body of all coordinates is thin (find_units).
template <class S>
std::vector<bool> NodeSolver<S>::find_shape() {
  if (!matrix_.constant_mass()) return {};
  const std::vector<S> rest(sz(n_), S(0));
  find_mass(rest.data(), rest.data(), S(0));
  std::vector<bool> shape;
  for (const double x : mass_) shape.push_back(x != 0);
  double least = 0, most = 0;
  for (int i = 0; i < n_; ++i) {
    const double inertia = mass_[sz(inertia_at_[sz(i)])];
    least = i == 0 ? inertia : std::min(least, inertia);
    most = std::max(most, inertia);
  }
  shape.push_back(least > thin_body * most);
  return shape;
}

template <class S>
bool NodeSolver<S>::set(const std::vector<S>& parameters) {
  if (hamiltonian_ != nullptr || lu_.block_count() > 1 || !evaluation_.set(parameters)) return false;
  if constexpr (!std::is_same_v<S, double>) {
    std::vector<double> rounded(parameters.size());
    to_double(parameters.data(), static_cast<int>(parameters.size()), rounded);
    if (!own_matrix_->set(rounded)) return false;
  }
  factored_ = known_mass_ = false;
  eps_ = suitable_eps_ = 0;
  return find_shape() == shape_;
}

template <class S>
void NodeSolver<S>::find_slots() {
  std::vector<std::vector<MassEntry>> masses(sz(lu_.block_count()));
  std::vector<std::vector<SlopeEntry>> slopes(masses.size());
  std::vector<std::vector<DiagonalEntry>> diagonals(masses.size());
  // An entry of the mass that is known to be zero has a place in one of the matrices where a block of that is dense, or
  // filled in, and none in the other.
  for_each(matrix_.coupling(), [&](int e, int i, int j) {
    if (const int slot = lu_.local(i, j); slot >= 0) masses[sz(lu_.home(i, j))].push_back({e, slot});
    if (const int slot = lu_free_.slot(i, j); slot >= 0) free_entries_.push_back({e, slot});
  });
  for_each(matrix_.jacobian(), [&](int e, int k, int i) {
    slopes[sz(lu_.home(n_ + k, i))].push_back({e, needed(lu_.local(n_ + k, i)), needed(lu_.local(i, n_ + k))});
  });
  for (int k = 0; k < m_; ++k)
    diagonals[sz(lu_.home(n_ + k, n_ + k))].push_back({k, needed(lu_.local(n_ + k, n_ + k))});
  for (std::size_t b = 0; b <= masses.size(); ++b) {
    first_.push_back({static_cast<int>(mass_entries_.size()), static_cast<int>(slope_entries_.size()),
                      static_cast<int>(diagonal_entries_.size())});
    if (b == masses.size()) break;
    mass_entries_.insert(mass_entries_.end(), masses[b].begin(), masses[b].end());
    slope_entries_.insert(slope_entries_.end(), slopes[b].begin(), slopes[b].end());
    diagonal_entries_.insert(diagonal_entries_.end(), diagonals[b].begin(), diagonals[b].end());
  }
}

template <class S>
bool NodeSolver<S>::fill(int block, double* out) {
  const First &from = first_[sz(block)], &to = first_[sz(block + 1)];
  for (int e = from.mass; e < to.mass; ++e) out[mass_entries_[sz(e)].slot] += mass_[sz(mass_entries_[sz(e)].entry)];
  for (int e = from.slope; e < to.slope; ++e) {
    const SlopeEntry& s = slope_entries_[sz(e)];
    const double slope = static_cast<double>(G_[sz(s.entry)]);
    out[s.down] += slope;
    out[s.up] += slope;
  }
  if (filled_eps_ > 0)
    for (int e = from.diagonal; e < to.diagonal; ++e)
      out[diagonal_entries_[sz(e)].slot] -= filled_eps_ * row_weights_[sz(diagonal_entries_[sz(e)].row)];
  return filled_eps_ > 0 || from.mass < to.mass || from.slope < to.slope;
}

template <class S>
void NodeSolver<S>::evaluate_constraints(const S* q, S t) {
  factored_ = false;
  evaluation_.constraints(1, q, &t, g_.data(), G_.data(), gt_.data());
}

// Whether K is factored at (q, t) already, and G_ evaluated there. The velocity does not matter where the mass is
// constant.
template <class S>
bool NodeSolver<S>::is_factored(const S* q, S t, double eps) const {
  return factored_ && matrix_.constant_mass() && eps == filled_eps_ && t == factored_t_ &&
         std::equal(factored_q_.begin(), factored_q_.end(), q);
}

template <class S>
void NodeSolver<S>::find_mass(const S* q, const S* v, S t) {
  if (known_mass_ && matrix_.constant_mass()) return;
  for (int i = 0; i < n_; ++i) qd_[sz(i)] = static_cast<double>(q[i]), vd_[sz(i)] = static_cast<double>(v[i]);
  const double td = static_cast<double>(t);
  matrix_.mass(qd_.data(), vd_.data(), &td, mass_.data());
  known_mass_ = true;
}

// Expects G_ at (q, t). Takes the right-hand side half of the way, if asked to.
template <class S>
bool NodeSolver<S>::factor(const S* q, const S* v, S t, bool free, double eps, bool with_rhs) {
  factored_ = false;
  find_mass(q, v, t);
  BlockLu& lu = free ? lu_free_ : lu_;
  if (free) {
    lu.clear();
    for (const MassEntry& e : free_entries_) lu.data()[e.slot] = mass_[sz(e.entry)];
    hold_massless();
  } else {
    filled_eps_ = eps;
    lu.fill_later(*this);
    if (judged_) judge();
  }
  if (with_rhs) copy_rhs(free);
  singular_ = lu.factor(eps > 0 ? 16 * Scalar<double>::epsilon : 1e-13, with_rhs ? in_double(rhs_, rhsd_) : nullptr);
  factored_ = singular_ < 0 && !free;
  factored_t_ = t;
  if (factored_) std::copy_n(q, n_, factored_q_.begin());
  return singular_ < 0;
}

template <class S>
void NodeSolver<S>::hold_massless() {
  const Pattern& coupling = matrix_.coupling();
  massless_ = -1;
  for (int i = n_ - 1; i >= 0; --i) {
    if (mass_[sz(inertia_at_[sz(i)])] != 0) continue;
    const auto row = mass_.begin() + coupling.start[sz(i)], end = mass_.begin() + coupling.start[sz(i + 1)];
    if (std::any_of(row, end, [](double x) { return x != 0; })) continue;
    lu_free_.data()[free_diagonal_[sz(i)]] = 1;
    massless_ = i;
  }
}

// Without loops no row comes to depend on others on the way, and there is nothing to judge.
template <class S>
void NodeSolver<S>::judge() {
  std::fill(mobility_.begin(), mobility_.end(), 0.0);
  for_each(matrix_.jacobian(), [&](int e, int k, int i) {
    const double inertia = mass_[sz(inertia_at_[sz(i)])], slope = static_cast<double>(G_[sz(e)]);
    if (inertia > 0) mobility_[sz(k)] += slope * slope / inertia;
  });
  for (int k = 0; k < m_; ++k) lu_.refer(n_ + k, mobility_[sz(k)]);
}

template <class S>
void NodeSolver<S>::copy_rhs(bool free) {
  if constexpr (!std::is_same_v<S, double>)
    for (int i = 0; i < (free ? n_ : n_ + m_); ++i) rhsd_[sz(i)] = static_cast<double>(rhs_[sz(i)]);
}

template <class S>
void NodeSolver<S>::solve(bool free, bool half_done) {
  BlockLu& lu = free ? lu_free_ : lu_;
  if (half_done) {
    lu.finish(in_double(rhs_, rhsd_));
  } else {
    copy_rhs(free);
    lu.solve(in_double(rhs_, rhsd_));
  }
  if constexpr (!std::is_same_v<S, double>)
    for (int i = 0; i < (free ? n_ : n_ + m_); ++i) rhs_[sz(i)] = S(rhsd_[sz(i)]);
}

template <class S>
bool NodeSolver<S>::legendre(const S* q, S t, S* p, S* v, S* nu, bool free) {
  if (hamiltonian_ != nullptr && m_ > 0 && !free) return tangent_momentum(q, t, p, v, nu);
  if (hamiltonian_ != nullptr) return hamiltonian_->gradient(1, q, p, &t, nullptr, Lq_.data(), v);
  const int m = free ? 0 : m_;
  const Pattern& jacobian = evaluation_.jacobian();
  Array<S>& total = second_;  // the multiplier so far
  std::fill(total.begin(), total.end(), S(0));
  if (m > 0) evaluate_constraints(q, t);
  // The equations are linear then, and solved where their residual cannot be told from its rounding.
  const bool linear = matrix_.constant_mass() && eps_ == 0;
  const bool found = settles<S>(rest::projection, max_iterations, [&](int iteration) {
    evaluation_.gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
    for (int i = 0; i < n_; ++i) rhs_[sz(i)] = p[i] - Lv_[sz(i)];
    if (m > 0) {
      add_transposed(jacobian, G_.data(), total.data(), S(-1), rhs_.data());
      for (int k = 0; k < m; ++k) rhs_[sz(n_ + k)] = -gt_[sz(k)];
      add_product(jacobian, G_.data(), v, S(-1), rhs_.data() + n_);
    }
    if (linear && iteration > 0 && largest(rhs_.data(), n_) <= S(2) * Scalar<S>::epsilon * largest(p, n_) &&
        largest(rhs_.data() + n_, m) <= S(2) * Scalar<S>::epsilon * largest(v, n_))
      return Settling<S>::settled();
    const bool renew = iteration == 0 || !matrix_.constant_mass();
    if (renew && !factor(q, v, t, free, eps_, true)) return Settling<S>::failed();
    solve(free, renew);
    for (int i = 0; i < n_; ++i) v[i] += rhs_[sz(i)];
    for (int k = 0; k < m; ++k) total[sz(k)] += rhs_[sz(n_ + k)];
    // Both parts contract alike; v alone may vanish, so that its size sets no scale. Where constraints are redundant
    // the part of the multipliers that no force depends on is round-off divided by eps: it is not judged.
    const int judged = eps_ > 0 ? n_ : n_ + m;
    const S scale = math::max(largest(v, n_), largest(total.data(), m));
    if (!(scale > S(0))) return Settling<S>::settled();
    return Settling<S>::corrected(largest(rhs_.data(), judged), S(4) * Scalar<S>::epsilon * scale);
  });
  if (!found) return false;
  if (m > 0) add_transposed(jacobian, G_.data(), total.data(), S(-1), p);
  if (nu != nullptr) std::copy_n(total.data(), m, nu);
  return true;
}

template <class S>
void NodeSolver<S>::energies(const S* q, const S* p, const S* v, S t, S& kinetic, S& potential) {
  if (hamiltonian_ == nullptr) return evaluation_.energies(q, v, &t, kinetic, potential);
  kinetic = S(0);
  hamiltonian_->gradient(1, q, p, &t, &potential, Lq_.data(), Lv_.data());
}

template <class S>
bool NodeSolver<S>::acceleration(const S* q, const S* v, S t, S* a, S* lambda, const S* p) {
  if (hamiltonian_ != nullptr) return p != nullptr && canonical_acceleration(q, p, t, a, lambda);
  const Pattern &jacobian = evaluation_.jacobian(), &coupling = evaluation_.coupling();
  // Of redundant constraints the multipliers of least norm are asked for: a larger eps separates them from round-off.
  if (!is_factored(q, t, 1e4 * eps_)) {
    evaluate_constraints(q, t);
    if (!factor(q, v, t, false, 1e4 * eps_)) return false;
  }
  evaluation_.gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
  evaluation_.hessian(1, q, v, &t, nullptr, nullptr, C_.data(), D_.data());
  evaluation_.velocity_rate(q, v, &t, Lv_.data());
  evaluation_.bend(q, &t, v, nullptr, second_.data());
  std::fill_n(a, n_, S(0));
  std::fill_n(lambda, m_, S(0));
  // Refinement: each pass gains the digits of double, or those of eps.
  const int passes = eps_ > 0 ? 8 : 4;
  S before(0);
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < n_; ++i) rhs_[sz(i)] = Lq_[sz(i)] - Lv_[sz(i)];
    add_product(coupling, C_.data(), v, S(-1), rhs_.data());
    add_product(coupling, D_.data(), a, S(-1), rhs_.data());
    add_transposed(jacobian, G_.data(), lambda, S(-1), rhs_.data());
    for (int k = 0; k < m_; ++k) rhs_[sz(n_ + k)] = -second_[sz(k)];
    add_product(jacobian, G_.data(), a, S(-1), rhs_.data() + n_);
    solve(false);
    const S change = largest(rhs_.data(), n_ + m_);
    if (!math::finite(change)) return false;
    for (int i = 0; i < n_; ++i) a[i] += rhs_[sz(i)];
    for (int k = 0; k < m_; ++k) lambda[k] += rhs_[sz(n_ + k)];
    // What the next pass would gain is less than this one by what this one was less than that before.
    const S round_off = Scalar<S>::epsilon * math::max(largest(a, n_), largest(lambda, m_));
    if (change <= round_off || (pass > 0 && change * (change / before) <= round_off)) break;
    before = change;
  }
  return true;
}

template <class S>
S NodeSolver<S>::loads(const S* q, const S* v, S t, const S* lambda) {
  if (hamiltonian_ != nullptr) return S(0);
  evaluation_.gradient(1, q, v, &t, nullptr, Lq_.data(), Lv_.data());
  Array<S>& sum = rhs_;
  for (int i = 0; i < n_; ++i) sum[sz(i)] = math::abs(Lq_[sz(i)]);
  for_each(evaluation_.jacobian(), [&](int e, int k, int i) { sum[sz(i)] += math::abs(G_[sz(e)] * lambda[k]); });
  S squares(0);
  for (int i = 0; i < n_; ++i)
    if (const S inertia = S(mass_[sz(inertia_at_[sz(i)])]); inertia > S(0)) {
      const S a = sum[sz(i)] / inertia;
      squares += a * a;
    }
  return math::sqrt(squares);
}

template <class S>
S NodeSolver<S>::constraint(const S* q, S t, int* worst, bool loaded) {
  evaluation_.constraints(1, q, &t, g_.data(), nullptr, nullptr);
  S r(0);
  for (int k = 0; k < m_; ++k)
    if (const S x = math::abs(g_[sz(k)]); r == r && !(x <= r) && (!loaded || row_weights_[sz(k)] > 0)) {
      r = x;
      if (worst != nullptr) *worst = k;
    }
  return r;
}

template <class S>
S NodeSolver<S>::hidden(const S* q, const S* v, S t) {
  evaluate_constraints(q, t);
  std::copy(gt_.begin(), gt_.end(), second_.begin());
  add_product(evaluation_.jacobian(), G_.data(), v, S(1), second_.data());
  return largest(second_.data(), m_);
}

#define EXTREMAL_INSTANTIATE(S) template class NodeSolver<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
