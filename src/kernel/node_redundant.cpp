// Rows of g that depend on others: found at a configuration, with the scales of the matrices and the eps that they are
// treated with; and the multipliers of least norm.
#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/node.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

// Expects mass_, G_ and mobility_. A coordinate without inertia is scaled as the largest of the others, a row that
// moves none of the others so that its largest entry is 1.
template <class S>
std::vector<double> NodeSolver<S>::find_scales() const {
  constexpr int usual = 6;  // powers of two that pivots bear: scaling costs a tenth of a step
  const auto root = [](double x) { return std::ldexp(1.0, -static_cast<int>(std::lround(std::log2(x) / 2))); };
  std::vector<double> scale(sz(n_ + m_), 0.0);
  double most = 0;
  for (int i = 0; i < n_; ++i)
    if (const double inertia = mass_[sz(inertia_at_[sz(i)])]; inertia > 0)
      most = std::max(most, scale[sz(i)] = root(inertia));
  for (int i = 0; i < n_; ++i)
    if (scale[sz(i)] == 0) scale[sz(i)] = most > 0 ? most : 1;
  std::vector<double> longest(sz(m_), 0.0);
  for_each(matrix_.jacobian(), [&](int e, int k, int i) {
    longest[sz(k)] = std::max(longest[sz(k)], std::abs(static_cast<double>(G_[sz(e)])) * scale[sz(i)]);
  });
  for (int k = 0; k < m_; ++k) {
    const double size = std::max(mobility_[sz(k)], longest[sz(k)] * longest[sz(k)]);
    scale[sz(n_ + k)] = size > 0 && std::isfinite(size) ? root(size) : 1;
  }
  const double far = std::ldexp(1.0, usual);
  const bool near = std::all_of(scale.begin(), scale.end(), [&](double x) { return x <= far && x * far >= 1; });
  return near ? std::vector<double>() : scale;
}

template <class S>
void NodeSolver<S>::equilibrate(const std::vector<double>& scales) {
  factored_ = false;
  if (scales == scales_) return;
  scales_ = scales;
  lu_.equilibrate(scales_, scales_);
  const std::vector<double> free(scales_.begin(), scales_.begin() + (scales_.empty() ? 0 : n_));
  lu_free_.equilibrate(free, free);
}

// The scale of G M^-1 G^T is taken from the diagonal of M. eps = 1e-12 of it stands well above round-off and well below
// what a singular configuration that is merely close leaves. A row that depends on others leaves a pivot of eps times
// the square of the combination that vanishes, however long that is (it is around a ring of many bodies): so rows are
// dependent, too, whose pivots grow with eps.
template <class S>
std::vector<int> NodeSolver<S>::dependent_rows(const S* q, S t) {
  std::vector<int> rows;
  if (m_ == 0 || hamiltonian_ != nullptr) return rows;
  const std::vector<S> rest(sz(n_), S(0));
  evaluate_constraints(q, t);
  find_mass(q, rest.data(), t);
  judge();
  equilibrate(find_scales());
  double sum = 0;
  int weighed = 0;
  for (int k = 0; k < m_; ++k)
    if (const double weight = row_weights_[sz(k)]; weight > 0) {
      sum += mobility_[sz(k)] / weight;
      ++weighed;
    }
  suitable_eps_ = weighed > 0 ? 1e-12 * sum / weighed : 0;
  const bool judged = std::exchange(judged_, true);
  // Every row by its own mobility: light bodies at heavy ones make others look dependent otherwise.
  constexpr double eps = 1e-12, more = 16;
  std::vector<double> pivot(sz(n_ + m_), 0.0), grown(pivot), own(mobility_);
  for (int k = 0; k < m_; ++k)
    if (!(row_weights_[sz(k)] > 0)) own[sz(k)] = 0;
  row_weights_.swap(own);
  lu_.note_pivots(grown.data());
  const bool damped = factor(q, rest.data(), t, false, more * eps);
  lu_.note_pivots(pivot.data());
  const bool regular = factor(q, rest.data(), t, false, eps);
  lu_.note_pivots(nullptr);
  row_weights_.swap(own);
  factored_ = false;
  judged_ = judged;
  if (!regular) {
    if (singular_ >= n_) rows.push_back(singular_ - n_);
    return rows;
  }
  // A heavy body at a light one leaves a small pivot, too; without loops it means nothing.
  for (const int column : lu_.weak_columns())
    if (column >= n_ && judged) rows.push_back(column - n_);
  for (int k = 0; k < m_; ++k)
    if (damped && grown[sz(n_ + k)] > more / 4 * pivot[sz(n_ + k)]) rows.push_back(k);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

template <class S>
std::vector<int> NodeSolver<S>::dependence(int row) {
  std::fill(rhsd_.begin(), rhsd_.end(), 0.0);
  rhsd_[sz(n_ + row)] = 1;
  lu_.solve(rhsd_.data());
  const double most = largest(rhsd_.data() + n_, m_);
  std::vector<int> rows;
  for (int k = 0; k < m_; ++k)
    if (row_weights_[sz(k)] > 0 && std::abs(rhsd_[sz(n_ + k)]) > 1e-6 * most) rows.push_back(k);
  return rows;
}

// M x + G^T lambda' = G^T lambda with G x = 0, whose solution is x = 0.
template <class S>
void NodeSolver<S>::shorten(const S* q, const S* v, S t, S* lambda) {
  const Pattern &jacobian = evaluation_.jacobian(), &coupling = evaluation_.coupling();
  evaluate_constraints(q, t);
  if (!factor(q, v, t, false, 1e4 * eps_)) return;
  evaluation_.mass(q, v, &t, D_.data());
  Array<S>&x = Lv_, &shorter = second_;
  std::fill(x.begin(), x.end(), S(0));
  std::fill(shorter.begin(), shorter.end(), S(0));
  for (int pass = 0; pass < 4; ++pass) {
    std::fill(rhs_.begin(), rhs_.end(), S(0));
    add_transposed(jacobian, G_.data(), lambda, S(1), rhs_.data());
    add_transposed(jacobian, G_.data(), shorter.data(), S(-1), rhs_.data());
    add_product(coupling, D_.data(), x.data(), S(-1), rhs_.data());
    add_product(jacobian, G_.data(), x.data(), S(-1), rhs_.data() + n_);
    solve(false);
    for (int i = 0; i < n_; ++i) x[sz(i)] += rhs_[sz(i)];
    for (int k = 0; k < m_; ++k) shorter[sz(k)] += rhs_[sz(n_ + k)];
  }
  std::copy(shorter.begin(), shorter.end(), lambda);
}

#define EXTREMAL_INSTANTIATE(S)                                         \
  template std::vector<double> NodeSolver<S>::find_scales() const;      \
  template void NodeSolver<S>::equilibrate(const std::vector<double>&); \
  template std::vector<int> NodeSolver<S>::dependent_rows(const S*, S); \
  template std::vector<int> NodeSolver<S>::dependence(int);             \
  template void NodeSolver<S>::shorten(const S*, const S*, S, S*);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
