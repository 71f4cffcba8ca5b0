#include "kernel/livens_step.hpp"

#include <algorithm>
#include <type_traits>

#include "algebra/lu.hpp"
#include "kernel/find_blocks.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

namespace {

// Calls visit(row, column, entry) for the entries of a piece, in the flat numbering of rows; columns start at `first`.
template <class T, class Visit>
void entries(const LivensRule<T>& rule, const Piece<T>& piece, int first_column, Visit visit) {
  const Pattern& pattern = piece.shape == PieceShape::coupling ? rule.coupling() : rule.jacobian();
  const int row = rule.first(piece.row);
  for (int i = 0; i < pattern.rows; ++i)
    for (int e = pattern.start[sz(i)]; e < pattern.start[sz(i) + 1]; ++e) {
      const int j = pattern.column[sz(e)];
      if (piece.shape == PieceShape::transposed)
        visit(row + j, first_column + i, e);
      else
        visit(row + i, first_column + j, e);
    }
}

}  // namespace

// Every coordinate has its copies and every constraint its multipliers in the block of its body or joint.
template <class S>
BlockLu LivensStep<S>::block_lu(const System& system, const LivensRule<double>& rule) {
  const Blocks blocks = find_blocks(system, rule.coupling(), rule.jacobian());
  std::vector<int> block;
  for (int copy = 0; copy < rule.copies(); ++copy)
    block.insert(block.end(), blocks.coordinate.begin(), blocks.coordinate.end());
  for (int set = 0; set < rule.sets(); ++set)
    block.insert(block.end(), blocks.constraint.begin(), blocks.constraint.end());
  return BlockLu(blocks, block, block);
}

template <class S>
LivensStep<S>::LivensStep(const System& system, const Livens& scheme)
    : system_(system),
      scheme_(scheme),
      ggl_(scheme.rule == Livens::Rule::ggl || scheme.rule == Livens::Rule::ggl_adjoint),
      rule_(livens_rule<S>(system, scheme)),
      matrix_(livens_rule<double>(system, scheme)),
      newton_(block_lu(system, *matrix_), rule_->copies() * rule_->n()) {
  const int n = rule_->n();
  if constexpr (std::is_same_v<S, double>) reduced_ = GglSolver::make(system, *rule_);
  find_slots();
  xd_.resize(sz(rule_->size()));
  for (auto* v : {&r_, &shorter_, &shortest_}) v->resize(sz(rule_->size()));
  for (auto* v : {&qd_, &pd_}) v->resize(sz(n));
}

template <class S>
void LivensStep<S>::find_slots() {
  const BlockLu& lu = newton_.lu();
  const int m = rule_->m(), sets = rule_->sets(), copies = rule_->copies();
  for (const Piece<double>& piece : matrix_->pieces()) {
    std::vector<int>& slots = slots_.emplace_back();
    const Pattern& pattern = piece.shape == PieceShape::coupling ? rule_->coupling() : rule_->jacobian();
    slots.resize(sz(pattern.size()));
    entries(*matrix_, piece, matrix_->first(piece.column),
            [&](int row, int column, int e) { slots[sz(e)] = needed(lu.slot(row, column)); });
  }
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < sets; ++i)
      for (int j = 0; j < sets; ++j)
        multiplier_slots_.push_back(needed(lu.slot(matrix_->first(copies + i) + k, matrix_->first(copies + j) + k)));
}

// All copies are lengths, all sets forces.
template <class S>
void LivensStep<S>::equilibrate(const std::vector<double>& scales) {
  std::vector<double> all;
  for (int copy = 0; copy < rule_->copies() && !scales.empty(); ++copy)
    all.insert(all.end(), scales.begin(), scales.begin() + rule_->n());
  for (int set = 0; set < rule_->sets() && !scales.empty(); ++set)
    all.insert(all.end(), scales.begin() + rule_->n(), scales.end());
  newton_.lu().equilibrate(all, all);
}

template <class S>
void LivensStep<S>::assemble(BlockLu& lu) {
  lu.clear();
  to_double(newton_.x().data(), rule_->size(), xd_);
  matrix_->linearise(xd_.data(), false);
  double* a = lu.data();
  const std::vector<Piece<double>>& pieces = matrix_->pieces();
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const double *values = pieces[p].values, factor = pieces[p].factor;
    const std::vector<int>& slots = slots_[p];
    for (std::size_t e = 0; e < slots.size(); ++e) a[slots[e]] += factor * values[e];
  }
  if (regularisation_ > 0) add_regularisation(lu);
}

template <class S>
void LivensStep<S>::add_regularisation(BlockLu& lu) {
  const int m = rule_->m(), block = rule_->sets() * rule_->sets();
  const double* schur = matrix_->schur();
  for (int k = 0; k < m; ++k)
    for (int e = 0; e < block; ++e)
      lu.data()[multiplier_slots_[sz(k * block + e)]] += regularisation_ * row_weights_[sz(k)] * schur[e];
}

// A new step from the same place.
template <class S>
void LivensStep<S>::begin(const TracePart<S>& part, S h) {
  rule_->begin({part.q.data(), part.p.data(), part.t, h});
  matrix_->begin({qd_.data(), pd_.data(), static_cast<double>(part.t), static_cast<double>(h)});
}

// False, and nothing has happened but iterations, where it does not serve.
template <class S>
bool LivensStep<S>::reduced(const TracePart<S>& part, StepReport& report) {
  if constexpr (std::is_same_v<S, double>) {
    return reduced_ != nullptr && regularisation_ == 0 && reduced_->solve(part, newton_.x(), report);
  } else {
    return false;
  }
}

template <class S>
bool LivensStep<S>::newton(S extent, StepReport& report, int most) {
  const auto residual = [&](const S* at, S* r) { return rule_->residual(at, r); };
  const auto matrix = [&](BlockLu& lu) { assemble(lu); };
  return newton_.solve(residual, matrix, extent, report, most);
}

// The root that belongs to the motion is the one that short steps lead to, unless their equations have a fold on the
// way: behind it there is none. Lengths of steps grow as long as a few iterations from where a straight line points
// are enough.
template <class S>
bool LivensStep<S>::follow(const TracePart<S>& part, S extent, StepReport& report) {
  constexpr int few = sizeof(S) > sizeof(double) ? 9 : 6;
  std::vector<S>& x = newton_.x();
  const std::size_t lengths = sz(rule_->copies() * rule_->n());
  const auto scaled = [&](std::size_t i, const S& length) { return i < lengths ? length : length * length; };
  S done(0), before(0), stride(0.25);  // of h
  for (int known = 0; done < S(1);) {
    const S to = std::min(S(1), done + stride);
    begin(part, to * part.h);
    if (known == 0) {
      rule_->guess(part.v.data(), x.data());
    } else {
      const S slope = known > 1 ? (to - done) / (done - before) : S(0);
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = (shorter_[i] + slope * (shorter_[i] - shortest_[i])) * scaled(i, to);
    }
    if (newton(extent, report, few)) {
      shortest_.swap(shorter_);
      for (std::size_t i = 0; i < x.size(); ++i) shorter_[i] = x[i] / scaled(i, to);
      before = done;
      done = to;
      ++known;
      stride *= S(1.5);
    } else if ((stride /= S(2)) < S(1.0 / 64)) {
      return false;
    }
  }
  return true;
}

template <class S>
void LivensStep<S>::solve(NodeSolver<S>&, TracePart<S>& part, StepReport& report) {
  const int n = rule_->n(), m = rule_->m();
  const S* q = part.q.data();
  to_double(q, n, qd_);
  to_double(part.p.data(), n, pd_);
  begin(part, part.h);
  std::vector<S>& x = newton_.x();
  report.worst.clear();
  if (reduced(part, report)) {
    report.converged = true;
    finish(part);
    return;
  }
  rule_->guess(part.v.data(), x.data());
  const S extent = largest(q, n);
  // Close to a fold of the ggl equations (see docs/theory.md) Newton's method wanders and may end at a root far from
  // the motion. On the way to the right one it takes 3 to 5 iterations, in more digits two or three more.
  const bool folds = ggl_ && m > 0;
  constexpr int direct = sizeof(S) > sizeof(double) ? 12 : 8;
  report.converged = newton(extent, report, folds ? direct : Newton<S>::max_iterations);
  // Where round-off of the terms is amplified, corrections stop falling above that of the positions.
  if (!report.converged && newton_.singular() < 0 && math::finite(rule_->extent()) && rule_->extent() > extent)
    report.converged = newton(rule_->extent(), report, Newton<S>::max_iterations);
  if (!report.converged && newton_.singular() < 0 && folds) {
    ++report.fallbacks;
    report.converged = follow(part, extent, report);
  }
  if (!report.converged) {
    report.worst = newton_.singular() >= 0 ? "singular matrix: " + unknown_name(newton_.singular())
                                           : row_name(newton_.worst_row());
    // Off g = 0, where the points inside of a step are, rows may contradict each other that agree on it.
    if (regularisation_ > 0 && scheme_.rule == Livens::Rule::galerkin && report.finite)
      report.worst +=
          ", which is redundant only where g = 0 holds, and not inside of a step of livens(s): try spark(2)";
    if (folds && report.finite && newton_.singular() < 0) {
      report.refused = Trouble::fold;
      report.worst =
          "ggl has a fold of its equations before the end of the step, and no root that belongs to the motion";
    }
    return;
  }
  if (scheme_.rule == Livens::Rule::energy_momentum || scheme_.rule == Livens::Rule::energy_momentum_ggl) refine();
  finish(part);
}

template <class S>
void LivensStep<S>::finish(TracePart<S>& part) {
  rule_->end(newton_.x().data(), part.dq.data(), part.dp.data());
  part.x = newton_.x();
  if constexpr (std::is_same_v<S, double>)
    if (reduced_ != nullptr) reduced_->remember(part);
}

// One more correction with the last matrix. What Newton's method leaves is below the round-off of q, but always on the
// same side: in p, and so in the energy, it would add up.
template <class S>
void LivensStep<S>::refine() {
  std::vector<S>& x = newton_.x();
  const S size = rule_->residual(x.data(), r_.data());
  if (!(size > S(0))) return;
  for (std::size_t i = 0; i < r_.size(); ++i) xd_[i] = static_cast<double>(r_[i] / size);
  newton_.lu().solve(xd_.data());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= size * S(xd_[i]);
  rule_->residual(x.data(), r_.data());
}

template <class S>
void LivensStep<S>::tell(const TracePart<S>& part, Trace<S>& trace) {
  trace.multiplier_nodes = rule_->multiplier_nodes();
  trace.multipliers.resize(trace.multiplier_nodes.size() * sz(rule_->m()));
  rule_->multipliers(part.x.data(), part.nu.data(), trace.multipliers.data());
  trace.node_weight = S(0);
  if (!trace.gamma.empty()) rule_->add_gamma(part.x.data(), trace.gamma.data());
  trace.action += rule_->action(part.x.data());
  if (!trace.sources.empty()) rule_->add_work(part.x.data(), trace.sources.data());
}

template <class S>
void LivensStep<S>::dense(const Trace<S>& trace, S c, DensePoint<S>& out) const {
  const TracePart<S>& part = trace.parts[trace.count - 1];
  const std::size_t n = part.q.size(), m = sz(rule_->m());
  out.q = part.q;
  out.p = part.p;
  out.lambda.assign(m, S(0));
  if (rule_->inside(part.x.data(), c, out.q.data(), out.p.data())) {
    const std::vector<S>& nodes = trace.multiplier_nodes;
    const BasisTable f = lagrange_basis({nodes.begin(), nodes.end()}, {static_cast<quad>(c)});
    for (std::size_t e = 0; e < trace.multipliers.size(); ++e)
      out.lambda[e % m] += static_cast<S>(f.values[0][e / m]) * trace.multipliers[e];
    return;
  }
  for (std::size_t i = 0; i < n; ++i) out.q[i] += c * part.dq[i], out.p[i] += c * part.dp[i];
  for (std::size_t e = 0; e < trace.multipliers.size(); ++e) out.lambda[e % m] += trace.multipliers[e];
}

// Implicit differentiation of the equations, dense: asked of small systems.
template <class S>
void LivensStep<S>::tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) {
  const int n = rule_->n(), size = rule_->size(), width = 2 * n;
  rule_->begin({part.q.data(), part.p.data(), part.t, part.h});
  rule_->residual(part.x.data(), r_.data());
  rule_->linearise(part.x.data(), true);
  Lu<S> lu(size);
  for (const Piece<S>& piece : rule_->pieces())
    entries(*rule_, piece, rule_->first(piece.column),
            [&](int row, int column, int e) { lu.row(row)[column] += piece.factor * piece.values[e]; });
  std::vector<S> to_q0(sz(size) * sz(n), S(0)), dx(sz(size)), start(sz(width)), end(sz(width));
  for (const Piece<S>& piece : rule_->start_pieces())
    entries(*rule_, piece, 0,
            [&](int row, int column, int e) { to_q0[sz(row * n + column)] += piece.factor * piece.values[e]; });
  for (const int k : dependent)
    for (int set = 0; set < rule_->sets(); ++set) {
      const int row = rule_->copies() * n + set * rule_->m() + k;
      std::fill_n(lu.row(row), size, S(0));
      lu.row(row)[row] = S(1);
      std::fill_n(&to_q0[sz(row) * sz(n)], n, S(0));
    }
  out.assign(sz(width) * sz(width), S(0));
  if (lu.factor() >= 0) return;
  for (int c = 0; c < width; ++c) {
    std::fill(dx.begin(), dx.end(), S(0));
    std::fill(start.begin(), start.end(), S(0));
    start[sz(c)] = S(1);
    if (c < n)
      for (int i = 0; i < size; ++i) dx[sz(i)] = -to_q0[sz(i * n + c)];
    else
      dx[sz(c - n)] = part.h;
    lu.solve(dx.data());
    rule_->end_tangent(start.data(), start.data() + n, dx.data(), end.data(), end.data() + n);
    for (int i = 0; i < width; ++i) out[sz(i * width + c)] = end[sz(i)];
  }
}

template <class S>
std::string LivensStep<S>::row_name(int row) const {
  const int n = rule_->n(), m = rule_->m(), copies = rule_->copies();
  static const char* const parts[] = {"momentum of \"", "position of \"", "end momentum of \""};
  const bool stages = scheme_.rule == Livens::Rule::galerkin;
  if (row < copies * n)
    return parts[stages ? row / n / scheme_.degree : row / n] + system_.coordinate_names()[sz(row % n)] + "\"";
  row -= copies * n;
  return (row < (rule_->sets() + 1) / 2 * m ? "constraint \"" : "velocity of constraint \"") +
         system_.constraint_names()[sz(row % m)] + "\"";
}

template <class S>
std::string LivensStep<S>::unknown_name(int column) const {
  const int n = rule_->n(), copies = rule_->copies();
  if (column >= copies * n)
    return "multiplier of constraint \"" + system_.constraint_names()[sz((column - copies * n) % rule_->m())] +
           "\" is undetermined (redundant constraints?)";
  return "coordinate \"" + system_.coordinate_names()[sz(column % n)] + "\" is undetermined";
}

#define EXTREMAL_INSTANTIATE(S) template class LivensStep<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
