#include "kernel/boundary_solver.hpp"

#include <algorithm>

#include "algebra/banded.hpp"
#include "algebra/rest.hpp"
#include "extremal/error.hpp"
#include "kernel/node.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {
constexpr int most_corrections = 60;
}  // namespace

template <class S>
BoundarySolver<S>::BoundarySolver(const System& system, const Galerkin& scheme, int steps, S h)
    : steps_(steps),
      system_(system),
      residual_(system, scheme, static_cast<quad>(math::abs(h))),
      matrix_(system, scheme, nullptr, static_cast<quad>(math::abs(h))),
      h_(h) {
  const GalerkinLayout& layout = residual_.layout();
  const Tables<S>& tables = residual_.point().tables;
  const bool node_first = layout.m == 0 || (layout.J == layout.I && tables.phi[0] == S(0) && tables.psi.back() == S(1));
  if (!node_first || layout.coupled || !tables.spread.empty())
    throw InputError(
        "boundary: the closure must impose g = 0 at the nodes with a multiplier there; try rattle or spark(2)");
  nodes_.resize(sz((steps + 1) * layout.n));
  x_.assign(sz(steps * layout.size), S(0));
  rows_.resize(sz(steps * (layout.size + layout.n)));
  const int unknowns = column_q(steps);
  r_.resize(sz(unknowns));
  d_.resize(sz(unknowns));
}

// Step k holds: [node multiplier (k > 0)] [inner control points and inner multipliers] [position of node k + 1].
template <class S>
int BoundarySolver<S>::column_mu(int k) const {
  const GalerkinLayout& l = residual_.layout();
  return k == 0 ? 0 : k * (l.J * l.m + l.s * l.n) - l.m;
}
template <class S>
int BoundarySolver<S>::column_inner(int k) const {
  return column_mu(k) + (k > 0 ? residual_.layout().m : 0);
}
template <class S>
int BoundarySolver<S>::column_q(int k) const {
  const GalerkinLayout& l = residual_.layout();
  return column_inner(k - 1) + (l.s - 1) * l.n + std::max(0, l.J - 1) * l.m;
}
// Rows of step k: [balance at node k (k > 0)] [inner rows] [constraints].
template <class S>
int BoundarySolver<S>::row_balance(int k) const {
  const GalerkinLayout& l = residual_.layout();
  return k == 0 ? 0 : k * (l.I * l.m + l.s * l.n) - l.n;
}
template <class S>
int BoundarySolver<S>::row_inner(int k) const {
  return row_balance(k) + (k > 0 ? residual_.layout().n : 0);
}

template <class S>
S BoundarySolver<S>::residual() {
  const GalerkinLayout& l = residual_.layout();
  const int n = l.n, m = l.m, s = l.s, size = l.size;
  const std::vector<S> no_momentum(sz(n), S(0));
  S largest(0);
  for (int k = 0; k < steps_; ++k) {
    S* x = &x_[sz(k * size)];
    for (int a = 0; a < n; ++a) x[l.z(s - 1) + a] = nodes_[sz((k + 1) * n + a)] - nodes_[sz(k * n + a)];
    S* rows = &rows_[sz(k * (size + n))];
    residual_({&nodes_[sz(k * n)], no_momentum.data(), t0_ + S(k) * h_, h_}, x, rows);
    residual_.impulse(h_, rows + size);
    for (int a = 0; a < n; ++a) {
      S end = h_ * rows[size + a];
      for (int nu = 0; nu < s; ++nu) end -= rows[nu * n + a];
      rows[size + a] = end;  // h times the momentum at the end
    }
    if (k > 0)
      for (int a = 0; a < n; ++a) r_[sz(row_balance(k) + a)] = rows[a] + rows_[sz((k - 1) * (size + n) + size + a)];
    std::copy_n(rows + n, (s - 1) * n, r_.data() + row_inner(k));
    const int constraints = (k == steps_ - 1 ? l.I - 1 : l.I) * m;
    if (constraints > 0) std::copy_n(rows + l.constraint_row(0), constraints, r_.data() + row_inner(k) + (s - 1) * n);
  }
  for (const S& x : r_) largest = math::max(largest, math::abs(x));
  return largest;
}

template <class S>
bool BoundarySolver<S>::correct(double& largest) {
  const GalerkinLayout& l = residual_.layout();
  const int n = l.n, m = l.m, s = l.s, size = l.size, width = 2 * n;
  const int unknowns = static_cast<int>(r_.size());
  // A balance row reaches back over one whole step and the node before it.
  const int reach = 2 * (std::max(l.J, 1) * m + s * n) + n;
  Banded band(unknowns, reach, reach);
  std::vector<double> q(sz(n)), p(sz(n), 0.0), x(sz(size)), block(sz(size * size)), start(sz(size * width)),
      end(sz(n * size)), end_q0(sz(n * n));
  for (int k = 0; k < steps_; ++k) {
    for (int a = 0; a < n; ++a) q[sz(a)] = static_cast<double>(nodes_[sz(k * n + a)]);
    for (int i = 0; i < size; ++i) x[sz(i)] = static_cast<double>(x_[sz(k * size + i)]);
    const StepStart<double> at{q.data(), p.data(), static_cast<double>(t0_ + S(k) * h_), static_cast<double>(h_)};
    std::fill(block.begin(), block.end(), 0.0);
    matrix_.assemble(at, x.data(), block.data());
    matrix_.assemble_start(at, start.data());
    matrix_.assemble_momentum(at.h, end.data(), end_q0.data());
    for (int a = 0; a < n; ++a) {
      for (int i = 0; i < size; ++i) {
        end[sz(a * size + i)] *= at.h;
        for (int nu = 0; nu < s; ++nu) end[sz(a * size + i)] -= block[sz((nu * n + a) * size + i)];
      }
      for (int c = 0; c < n; ++c) {
        end_q0[sz(a * n + c)] *= at.h;
        for (int nu = 0; nu < s; ++nu) end_q0[sz(a * n + c)] -= start[sz((nu * n + a) * width + c)];
      }
    }
    // One row of the step, with its derivatives in the step's own unknowns and in q at its start.
    const auto put = [&](int row, const double* to_x, const double* to_q0) {
      if (k > 0 && m > 0)
        for (int c = 0; c < m; ++c) band.at(row, column_mu(k) + c) += to_x[l.mu(0) + c];
      for (int i = 0; i < (s - 1) * n; ++i) band.at(row, column_inner(k) + i) += to_x[i];
      for (int i = 0; i < (l.J - 1) * m; ++i) band.at(row, column_inner(k) + (s - 1) * n + i) += to_x[l.mu(1) + i];
      for (int c = 0; c < n; ++c) {
        const double to_end = to_x[l.z(s - 1) + c];
        if (k < steps_ - 1) band.at(row, column_q(k + 1) + c) += to_end;
        if (k > 0) band.at(row, column_q(k) + c) += to_q0[c] - to_end;
      }
    };
    for (int a = 0; a < n; ++a) {
      if (k > 0) put(row_balance(k) + a, &block[sz(a * size)], &start[sz(a * width)]);
      if (k < steps_ - 1) put(row_balance(k + 1) + a, &end[sz(a * size)], &end_q0[sz(a * n)]);
    }
    for (int i = n; i < s * n; ++i) put(row_inner(k) + i - n, &block[sz(i * size)], &start[sz(i * width)]);
    const int constraints = (k == steps_ - 1 ? l.I - 1 : l.I) * m;
    for (int i = 0; i < constraints; ++i)
      put(row_inner(k) + (s - 1) * n + i, &block[sz((l.constraint_row(0) + i) * size)],
          &start[sz((l.constraint_row(0) + i) * width)]);
  }
  for (int i = 0; i < unknowns; ++i) d_[sz(i)] = -static_cast<double>(r_[sz(i)]);
  if (unknowns > 0 && !band.solve(d_)) return false;
  largest = 0;
  for (int k = 0; k < steps_; ++k) {
    for (int i = 0; i < (s - 1) * n; ++i) largest = math::max(largest, std::fabs(d_[sz(column_inner(k) + i)]));
    if (k > 0)
      for (int a = 0; a < n; ++a) largest = math::max(largest, std::fabs(d_[sz(column_q(k) + a)]));
  }
  return largest - largest == 0;
}

template <class S>
void BoundarySolver<S>::apply(double factor) {
  const GalerkinLayout& l = residual_.layout();
  const S f(factor);
  for (int k = 0; k < steps_; ++k) {
    S* x = &x_[sz(k * l.size)];
    if (k > 0)
      for (int c = 0; c < l.m; ++c) x[l.mu(0) + c] += f * S(d_[sz(column_mu(k) + c)]);
    for (int i = 0; i < (l.s - 1) * l.n; ++i) x[i] += f * S(d_[sz(column_inner(k) + i)]);
    for (int i = 0; i < (l.J - 1) * l.m; ++i) x[l.mu(1) + i] += f * S(d_[sz(column_inner(k) + (l.s - 1) * l.n + i)]);
    if (k > 0)
      for (int a = 0; a < l.n; ++a) nodes_[sz(k * l.n + a)] += f * S(d_[sz(column_q(k) + a)]);
  }
}

template <class S>
BoundaryReport BoundarySolver<S>::solve(S t0, const S* q_begin, const S* q_end, const S* q_guess) {
  const GalerkinLayout& l = residual_.layout();
  const int n = l.n;
  t0_ = t0;
  NodeSolver<S> node(system_);
  for (int k = 0; k <= steps_; ++k) {
    const S c = S(k) / S(steps_);
    for (int a = 0; a < n; ++a)
      nodes_[sz(k * n + a)] = k == 0               ? q_begin[a]
                              : k == steps_        ? q_end[a]
                              : q_guess != nullptr ? q_guess[k * n + a]
                                                   : q_begin[a] + c * (q_end[a] - q_begin[a]);
    // A guess on the constraints: from a straight line Newton would have to bend the whole path at once.
    double moved = 0;
    if (k > 0 && k < steps_ && q_guess == nullptr) node.nearest_position(&nodes_[sz(k * n)], t0 + S(k) * h_, moved);
  }
  const std::vector<S>& d = residual_.point().tables.d;
  for (int k = 0; k < steps_; ++k)
    for (int i = 1; i < l.s; ++i)
      for (int a = 0; a < n; ++a)
        x_[sz(k * l.size + l.z(i - 1) + a)] = d[sz(i)] * (nodes_[sz((k + 1) * n + a)] - nodes_[sz(k * n + a)]);

  BoundaryReport report;
  S extent(0);
  for (const S& x : nodes_) extent = math::max(extent, math::abs(x));
  const double floor = 4 * static_cast<double>(Scalar<S>::epsilon * (extent > S(0) ? extent : S(1)));
  S size = residual();
  // Round-off of the balance grows with the number of steps it is summed over.
  RestRule rule = rest::path;
  rule.magnified *= steps_;
  Rest<double> ending(rule);
  for (; report.iterations < most_corrections; ++report.iterations) {
    double change = 0;
    if (!correct(change)) {
      report.reason = "singular matrix: the path between the ends is not determined, or not finite";
      break;
    }
    // Far from the solution the full step may overshoot: halve it while the residual grows much.
    double factor = 1;
    apply(factor);
    S next = residual();
    while (factor > 1e-3 && change > 1e-6 && !(next <= S(4) * size)) {
      apply(-factor / 2);
      factor /= 2;
      next = residual();
    }
    size = next;
    report.residual = static_cast<double>(size);
    report.correction = change;
    if (!math::finite(size)) {
      report.reason = "the path leaves where the system is finite";
      break;
    }
    if (ending.reached(change, floor)) {
      report.converged = true;
      break;
    }
  }
  if (!report.converged && report.reason.empty()) report.reason = "Newton's method did not come to an end";
  return report;
}

template <class S>
const S* BoundarySolver<S>::position(int k) const {
  return &nodes_[sz(k * residual_.layout().n)];
}

template <class S>
void BoundarySolver<S>::momentum(int k, S* p) {
  const GalerkinLayout& l = residual_.layout();
  for (int a = 0; a < l.n; ++a)
    p[a] = k < steps_ ? -rows_[sz(k * (l.size + l.n) + a)] / h_ : rows_[sz((k - 1) * (l.size + l.n) + l.size + a)] / h_;
}

#define EXTREMAL_INSTANTIATE(S) template class BoundarySolver<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
