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
constexpr double poor_contraction = 0.1;    // more corrections would be needed than Newton's cost
constexpr double round_off = 8;             // of G u, a sum of products, in units of that of u
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
      past_(1),
      rows_(sz(2 * m_)),
      sum_(sz(n_)),
      by_lambda_(sz(n_)),
      by_gamma_(sz(n_)),
      by_bend_(sz(n_)),
      off_(sz(2 * m_)) {
  products(rule.jacobian(), inverse_, [&](int k, int l, int left, int right, double mobility) {
    if (mobility != 0) products_.push_back({lu_.slot(k, l), left, right, mobility});
  });
  std::sort(products_.begin(), products_.end(), [](const Product& a, const Product& b) { return a.slot < b.slot; });
  expect(1);
}

void GglSolver::expect(std::size_t substeps) {
  past_.resize(substeps);
  for (Past& past : past_)
    for (auto* v : {&past.last, &past.before, &past.first}) v->assign(sz(2 * m_), 0.0);
}

void GglSolver::forget() {
  for (Past& past : past_) past.known = 0;
}

void GglSolver::save(std::vector<double>& out) const {
  for (const Past& past : past_) {
    out.push_back(past.h);
    out.push_back(past.known);
    for (const auto* v : {&past.last, &past.before, &past.first}) out.insert(out.end(), v->begin(), v->end());
  }
}

const double* GglSolver::restore(const double* from) {
  for (Past& past : past_) {
    past.h = *from++;
    past.known = static_cast<int>(*from++);
    for (auto* v : {&past.last, &past.before, &past.first}) {
      std::copy_n(from, v->size(), v->begin());
      from += v->size();
    }
  }
  return from;
}

// The polynomial through those that are known.
void GglSolver::continue_multipliers(const Past& past, double* multipliers) const {
  const double *a = past.last.data(), *b = past.before.data(), *c = past.first.data();
  for (int k = 0; k < 2 * m_; ++k)
    multipliers[k] = past.known == 1 ? a[k] : past.known == 2 ? 2 * a[k] - b[k] : 3 * (a[k] - b[k]) + c[k];
}

void GglSolver::remember(const TracePart<double>& part) {
  Past& past = past_[sz(part.number)];
  const double *multipliers = part.x.data() + 3 * n_, h = part.h;
  past.first.swap(past.before);
  past.before.swap(past.last);
  std::copy_n(multipliers, 2 * m_, past.last.begin());
  past.known = past.h == h ? std::min(past.known + 1, 3) : 1;
  past.h = h;
}

bool GglSolver::factor() {
  lu_.clear();
  const double* G = rule_.slope_bar().data();
  double* a = lu_.data();
  for (const Product& p : products_) a[p.slot] += p.mobility * G[p.left] * G[p.right];
  // As where Newton's method distrusts its matrix: another branch of the motion may be near.
  return lu_.factor(newton::singular_pivot) && (!loop_ || lu_.smallest_ratio() >= newton::close_pivot);
}

// sum_ <- slopes^T to.
void GglSolver::push(const double* slopes, const double* to, double factor) {
  add_transposed(rule_.jacobian(), slopes, to, factor, sum_.data());
}

// out <- M^-1 slopes^T to.
void GglSolver::answer(const double* slopes, const double* to, double* out) {
  std::fill(sum_.begin(), sum_.end(), 0.0);
  std::fill_n(out, n_, 0.0);
  push(slopes, to, 1.0);
  inverse_.add(sum_.data(), 1.0, out);
}

// The first rows of livens.hpp: of ggl those of w and z, of the adjoint those of u and y.
void GglSolver::place(double* x, bool first) {
  const double *lambda = x + 3 * n_, *gamma = lambda + m_;
  double *z = x + n_, *late = z + n_;  // of ggl u, of the adjoint w
  const bool adjoint = rule_.adjoint();
  rule_.push(x, sum_.data());
  push(rule_.slope_start().data(), lambda, -1.0);
  for (int i = 0; i < n_; ++i) late[i] = first ? 0 : late[i] - x[i];
  std::fill_n(x, n_, 0.0);
  inverse_.add(sum_.data(), 1.0, x);
  for (int i = 0; i < n_; ++i) late[i] += x[i];
  // What follows is implicit, in products with Gamma: taken at what it was before.
  if (adjoint) answer(first ? rule_.slope_start().data() : rule_.slope_bar().data(), gamma, z);
  rule_.place(x);
  for (int pass = 0; pass < (first && !adjoint ? 2 : 1); ++pass) {
    if (pass > 0) rule_.turn(late);
    answer(rule_.bend().data(), gamma, late);
    for (int i = 0; i < n_; ++i) late[i] = x[i] - late[i];
  }
  answer(rule_.slope_bar().data(), gamma, z);
  for (int i = 0; i < n_ && !adjoint; ++i) z[i] += x[i];
  rule_.reach(x);
}

// What is left of the hidden rows and of g(q1), to rows_.
void GglSolver::evaluate(double* x, bool first) {
  place(x, first);
  rule_.close(x, rows_.data() + m_, rows_.data());
}

bool GglSolver::solve(const TracePart<double>& part, std::vector<double>& x, StepReport& report) {
  const Past& past = past_[sz(part.number)];
  double* multipliers = x.data() + 3 * n_;
  rule_.guess(part.v.data(), x.data());
  if (past.known > 0 && past.h == part.h) continue_multipliers(past, multipliers);
  const double extent = largest(part.q.data(), n_);
  Corrections<double> corrections;
  report.finite = true;
  for (bool done = false; !done;) {
    if (corrections.made() == most_corrections) return false;
    ++report.iterations;
    evaluate(x.data(), corrections.made() == 0);
    if (corrections.made() == 0 && !factor()) return false;
    const double reach = largest(x.data(), n_);
    Correction<double> made{.change = correct(multipliers, reach > 0 && reach < extent ? reach / extent : 1.0),
                            .reach = reach > 0 ? round_off * reach : 1.0};
    if (!math::finite(made.change)) return false;
    report.correction = made.change / made.reach;
    done = corrections.add(made) && corrections.made() > 1;
    if (!done && corrections.made() > 1 && corrections.contraction() > poor_contraction && !corrections.rest())
      return false;
  }
  // What is left is below the round-off of positions, but always on the same side: g and momenta would feel it add up.
  evaluate(x.data(), false);
  correct(multipliers, 1.0);
  evaluate(x.data(), false);
  report.residual = largest(rows_.data(), 2 * m_);
  report.stalled = false;
  return math::finite(report.residual);
}

// By rows_, and by what the corrections leave of them in first order; the change of w and u. That of z, which the
// hidden rows feel by the share that w has in a position, counts as much.
double GglSolver::correct(double* multipliers, double share) {
  const Pattern& jacobian = rule_.jacobian();
  const double *start = rule_.slope_start().data(), *middle = rule_.slope_bar().data(), *bend = rule_.bend().data();
  double *lambda = off_.data(), *gamma = lambda + m_, *hidden = rows_.data(), *position = hidden + m_;
  double change = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < m_; ++k) lambda[k] = hidden[k], gamma[k] = hidden[k] - position[k];
    lu_.solve(lambda);
    lu_.solve(gamma);
    for (int k = 0; k < 2 * m_; ++k) multipliers[k] += off_[sz(k)];
    if (pass > 0) break;
    answer(start, lambda, by_lambda_.data());
    answer(bend, gamma, by_bend_.data());
    answer(middle, gamma, by_gamma_.data());
    for (int i = 0; i < n_; ++i) {
      const double early = std::abs(by_lambda_[sz(i)]), late = std::abs(by_lambda_[sz(i)] + by_bend_[sz(i)]);
      const double most = std::max({early, late, share * std::abs(by_gamma_[sz(i)])});
      if (!(most <= change)) change = most;  // a NaN stays
    }
    // Of the adjoint G(q1) is G(qbar) and its bend, and w has that of Gamma.
    if (rule_.adjoint()) {
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
