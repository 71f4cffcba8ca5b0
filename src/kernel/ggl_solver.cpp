#include "kernel/ggl_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/corrections.hpp"
#include "kernel/rank.hpp"
#include "numbers/index.hpp"

namespace extremal {

namespace {

constexpr int most_corrections = 12;
constexpr int most_passes = 4;            // over what is implicit in products with Gamma
constexpr double poor_contraction = 0.1;  // more corrections would be needed than Newton's cost
// In units of the round-off of w or u.
constexpr double round_off = 8;        // that of G u, a sum of products
constexpr double still = 8;            // what is implicit moves by less: rows, which feel products with Gamma, do not
constexpr double last_digit = 0.1;     // a correction by so few needs no second order,
constexpr double nothing_left = 0.02;  // and one by so few need not be made
constexpr std::size_t most_work = 1 << 22;  // products in a factorisation of A: beyond it Newton's blocks are better

// The rows of g that a coordinate enters, with the places of their slopes.
std::vector<std::vector<std::pair<int, int>>> rows_of_columns(const Pattern& jacobian) {
  std::vector<std::vector<std::pair<int, int>>> rows(sz(jacobian.columns));
  for_each(jacobian, [&](int e, int k, int i) { rows[sz(i)].emplace_back(k, e); });
  return rows;
}

// Calls visit(k, l, left, right, mobility) for the products that A_kl is the sum of, k >= l.
template <class Visit>
void products(const Pattern& jacobian, const MassInverse& inverse, Visit visit) {
  const auto rows = rows_of_columns(jacobian);
  for_each(inverse.pattern(), [&](int at, int i, int j) {
    for (const auto& [k, left] : rows[sz(i)])
      for (const auto& [l, right] : rows[sz(j)])
        if (k >= l) visit(k, l, left, right, inverse.values()[at]);
  });
}

}  // namespace

std::unique_ptr<GglSolver> GglSolver::make(const System& system, LivensRule<double>& rule) {
  auto* ggl = dynamic_cast<Ggl<double>*>(&rule);
  if (ggl == nullptr || rule.m() == 0) return nullptr;
  std::optional<MassInverse> inverse = MassInverse::make(rule.coupling(), ggl->mass());
  if (!inverse) return nullptr;
  std::vector<std::pair<int, int>> entries;
  products(rule.jacobian(), *inverse, [&](int k, int l, int, int, double) { entries.emplace_back(k, l); });
  std::unique_ptr<GglSolver> made(new GglSolver(system, *ggl, std::move(*inverse), entries));
  return made->lu_.work() <= most_work ? std::move(made) : nullptr;
}

GglSolver::GglSolver(const System& system, Ggl<double>& rule, MassInverse inverse,
                     const std::vector<std::pair<int, int>>& entries)
    : rule_(rule),
      loop_(has_loop(system)),
      n_(rule.n()),
      m_(rule.m()),
      inverse_(std::move(inverse)),
      lu_(m_, entries),
      rows_(sz(2 * m_)),
      sum_(sz(n_)),
      by_lambda_(sz(n_)),
      by_gamma_(sz(n_)),
      by_bend_(sz(n_)),
      next_(sz(n_)),
      off_(sz(2 * m_)) {
  products(rule.jacobian(), inverse_, [&](int k, int l, int left, int right, double mobility) {
    if (mobility != 0) products_.push_back({lu_.slot(k, l), left, right, mobility});
  });
  std::sort(products_.begin(), products_.end(), [](const Product& a, const Product& b) { return a.slot < b.slot; });
  for (const auto& column : rows_of_columns(rule.jacobian())) {
    for (const auto& [row, entry] : column) places_.push_back({row, entry});
    columns_.push_back(static_cast<int>(places_.size()));
  }
  histories_.resize(sz(3 * n_ + 2 * m_));
}

bool GglSolver::factor() {
  lu_.clear();
  const double* G = rule_.slope_bar().data();
  double* a = lu_.data();
  for (const Product& p : products_) a[p.slot] += p.mobility * G[p.left] * G[p.right];
  // As where Newton's method distrusts its matrix: another branch of the motion may be near.
  return lu_.factor(newton::singular_pivot) && (!loop_ || lu_.smallest_ratio() >= newton::close_pivot);
}

// out <- M^-1 slopes^T to.
void GglSolver::answer(const double* slopes, const double* to, double* out) {
  const Place* at = places_.data();
  for (int i = 0; i < n_; ++i) {
    double sum = 0;
    for (const Place* end = places_.data() + columns_[sz(i)]; at != end; ++at) sum += slopes[at->entry] * to[at->row];
    sum_[sz(i)] = sum;
    out[i] = 0;
  }
  inverse_.add(sum_.data(), 1.0, out);
}

// The first rows of livens.hpp: of ggl those of w and z, of the adjoint those of u and y. What is left of the hidden
// rows and of g(q1), to rows_. A straight line has multipliers and w or u only.
void GglSolver::place(double* x, bool straight) {
  const double *lambda = x + 3 * n_, *gamma = lambda + m_;
  double *z = x + n_, *late = z + n_;  // of ggl u, of the adjoint w
  const bool adjoint = rule_.adjoint();
  rule_.push(x, sum_.data());
  add_transposed(rule_.jacobian(), rule_.slope_start().data(), lambda, -1.0, sum_.data());
  std::fill_n(x, n_, 0.0);
  inverse_.add(sum_.data(), 1.0, x);
  if (straight) std::copy_n(x, n_, late);
  if (straight && adjoint) answer(rule_.slope_start().data(), gamma, z);
  // Of ggl u, of the adjoint y is implicit in products with Gamma: taken at what it was before, until it is that.
  const double enough = still * Scalar<double>::epsilon * largest(x, n_);
  double* implicit = adjoint ? z : late;
  for (int pass = 0; pass < most_passes; ++pass) {
    if (pass == 0 || adjoint)
      rule_.place(x);
    else
      rule_.turn(late);
    answer(adjoint ? rule_.slope_bar().data() : rule_.bend().data(), gamma, next_.data());
    double moved = 0;
    for (int i = 0; i < n_; ++i) {
      if (!adjoint) next_[sz(i)] = x[i] - next_[sz(i)];
      moved = std::max(moved, std::abs(next_[sz(i)] - implicit[i]));
      implicit[i] = next_[sz(i)];
    }
    if (moved <= enough) break;
  }
  if (adjoint) {
    answer(rule_.bend().data(), gamma, late);
    for (int i = 0; i < n_; ++i) late[i] = x[i] - late[i];
  } else {
    answer(rule_.slope_bar().data(), gamma, z);
    for (int i = 0; i < n_; ++i) z[i] += x[i];
  }
  rule_.reach(x);
  rule_.close(x, rows_.data() + m_, rows_.data());
}

bool GglSolver::solve(const TracePart<double>& part, std::vector<double>& x, StepReport& report) {
  const bool straight = !histories_.guess(part.number, part.h, x.data());
  if (straight) rule_.guess(part.v.data(), x.data());
  const double extent = largest(part.q.data(), n_);
  Corrections<double> corrections;
  report.finite = true;
  // What is left below the round-off of positions is always on the same side: g and momenta would feel it add up. So
  // the next correction would be far below it, or it is made.
  for (bool done = false, last = false; !last;) {
    if (corrections.made() == most_corrections) return false;
    last = done;
    if (!last) ++report.iterations;
    place(x.data(), straight && corrections.made() == 0);
    report.residual = largest(rows_.data(), 2 * m_);
    if (corrections.made() == 0 && !factor()) return false;
    const double reach = largest(x.data(), n_), unit = Scalar<double>::epsilon * reach;
    const double share = reach > 0 && reach < extent ? reach / extent : 1.0;
    Correction<double> made{.change = correct(x.data(), share, last_digit * unit),
                            .reach = reach > 0 ? round_off * reach : 1.0};
    if (!math::finite(made.change)) return false;
    report.correction = made.change / made.reach;
    if (last) break;
    done = corrections.add(made) && corrections.made() > 1;
    if (corrections.made() == 1) continue;
    const double rate = corrections.contraction(), squared = rate * rate;
    last = rate < poor_contraction && rate * made.change <= nothing_left * unit;
    last = last || (done && made.change <= newton::at_floor * round_off * unit);
    // A guess may be so good that little is left to fall by.
    if (!done && !last && rate > poor_contraction && !corrections.rest() &&
        made.change * squared * squared > round_off * unit)
      return false;
  }
  report.stalled = false;
  return math::finite(report.residual);
}

// Of all unknowns, by rows_ and by what the corrections leave of these in first order; the change of w and u. That of
// z, which the hidden rows feel by the share that w has in a position, counts as much. Where it is `small` first order
// is enough.
double GglSolver::correct(double* x, double share, double small) {
  const Pattern& jacobian = rule_.jacobian();
  const double *start = rule_.slope_start().data(), *middle = rule_.slope_bar().data(), *bend = rule_.bend().data();
  double *lambda = off_.data(), *gamma = lambda + m_, *hidden = rows_.data(), *position = hidden + m_;
  double *z = x + n_, *late = z + n_, *multipliers = late + n_;
  const bool adjoint = rule_.adjoint();
  double change = 0;
  for (const bool first : {true, false}) {
    for (int k = 0; k < m_; ++k) lambda[k] = hidden[k], gamma[k] = hidden[k] - position[k];
    lu_.solve(lambda, gamma);
    for (int k = 0; k < 2 * m_; ++k) multipliers[k] += off_[sz(k)];
    answer(start, lambda, by_lambda_.data());
    answer(bend, gamma, by_bend_.data());
    answer(middle, gamma, by_gamma_.data());
    for (int i = 0; i < n_; ++i) {
      const double early = by_lambda_[sz(i)], both = early + by_bend_[sz(i)], middling = by_gamma_[sz(i)];
      x[i] -= early;
      late[i] -= both;
      z[i] += adjoint ? middling : middling - early;
      const double most = std::max({std::abs(early), std::abs(both), share * std::abs(middling)});
      if (first && !(most <= change)) change = most;  // a NaN stays
    }
    if (!first || change <= small) break;
    // Of the adjoint G(q1) is G(qbar) and its bend, and w has that of Gamma.
    if (adjoint) {
      add_product(jacobian, middle, by_lambda_.data(), -1.0, hidden);
      add_product(jacobian, bend, by_gamma_.data(), 1.0, hidden);
      for (int i = 0; i < n_; ++i) sum_[sz(i)] = by_gamma_[sz(i)] - by_lambda_[sz(i)] - by_bend_[sz(i)];
      add_product(jacobian, bend, sum_.data(), 1.0, position);
    } else {
      for (int i = 0; i < n_; ++i) sum_[sz(i)] = by_lambda_[sz(i)] + by_bend_[sz(i)];
      add_product(jacobian, middle, sum_.data(), -1.0, hidden);
      add_product(jacobian, bend, by_lambda_.data(), -1.0, hidden);
      for (int i = 0; i < n_; ++i) sum_[sz(i)] = by_gamma_[sz(i)] - by_lambda_[sz(i)];
    }
    add_product(jacobian, middle, sum_.data(), 1.0, position);
  }
  return change;
}

}  // namespace extremal
