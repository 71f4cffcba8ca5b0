#include "kernel/galerkin_step.hpp"

#include <algorithm>

#include "kernel/rank.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "scheme/basis.hpp"

namespace extremal {

namespace {

constexpr int longest_pause = 15;

}  // namespace

template <class S>
GalerkinStep<S>::GalerkinStep(const System& system, const Galerkin& scheme)
    : system_(system),
      scheme_(scheme),
      tables_(tables<S>(of_any_length(scheme))),
      residual_(system, of_any_length(scheme)),
      reduced_(make_reduced_solver<S>(system, scheme)),
      newton_(galerkin_lu(system, scheme), residual_.layout().s * residual_.layout().n),
      matrix_(system, of_any_length(scheme), &newton_.lu(), 1, lent_point()),
      x_(newton_.x()) {
  const GalerkinLayout& layout = residual_.layout();
  for (auto* v : {&previous_x_, &guess_, &raw_, &miss_, &older_miss_}) v->assign(sz(layout.size), S(0));
  for (auto* v : {&lambda0_, &carried_, &lambda_}) v->assign(sz(layout.m), S(0));
  a_.assign(sz(layout.n), S(0));
  xd_.resize(sz(layout.size));
  for (auto* v : {&qd_, &pd_}) v->resize(sz(layout.n));
  for (auto* v : {&lambda0d_, &carriedd_}) v->resize(sz(layout.m));
  loop_ = layout.m > 0 && has_loop(system);
  newton_.trust_first_matrix(!loop_, loop_);
  multiplier_nodes_.assign(tables_.phi.begin(), tables_.phi.begin() + layout.J);
  if (tables_.projects && layout.m > 0) multiplier_nodes_.push_back(S(1));
}

// A basis with a length of its own makes tables that depend on h: the first step of a new length builds them.
template <class S>
void GalerkinStep<S>::build(S h) {
  if (!has_length(scheme_.basis) || math::abs(h) == built_h_) return;
  built_h_ = math::abs(h);
  const quad length = static_cast<quad>(built_h_);
  tables_ = tables<S>(scheme_, length);
  residual_ = GalerkinResidual<S>(system_, scheme_, length);
  matrix_ = GalerkinMatrix<double>(system_, scheme_, &newton_.lu(), length, lent_point());
  has_history_ = false;  // the guess continues a polynomial
  misses_ = 0;
}

template <class S>
void GalerkinStep<S>::place(NodeSolver<S>& node, const Motion<S>& motion) {
  has_history_ = false;
  misses_ = 0;
  pause_ = patience_ = 0;
  usual_close_ = residual_.layout().size;
  std::fill(carried_.begin(), carried_.end(), S(0));
  if (!given_lambda0() || lambda0_.empty()) return;
  const State<S>& at = motion.state;
  std::vector<S> momentum = at.p, v(at.p.size(), S(0));
  if (node.legendre(at.q.data(), at.t, momentum.data(), v.data(), nullptr))
    node.acceleration(at.q.data(), v.data(), at.t, a_.data(), lambda0_.data());
}

template <class S>
void GalerkinStep<S>::equilibrate(const std::vector<double>& scales) {
  const GalerkinLayout& layout = residual_.layout();
  std::vector<double> row, column;
  const auto append = [&](std::vector<double>& to, bool constraints, int times) {
    const auto first = scales.begin() + (constraints ? layout.n : 0);
    for (int k = 0; k < times; ++k) to.insert(to.end(), first, first + (constraints ? layout.m : layout.n));
  };
  if (!scales.empty()) {
    append(row, false, layout.s);
    append(row, true, layout.constraint_rows);
    append(column, false, layout.s);
    append(column, true, layout.unknown_multipliers);
    if (layout.coupled) {
      append(row, false, 1);
      append(row, true, 1);
      append(column, false, 1);
    }
  }
  newton_.lu().equilibrate(row, column);
}

template <class S>
bool GalerkinStep<S>::guess(Guess kind, NodeSolver<S>& node, const StepStart<S>& start, const S* v) {
  const GalerkinLayout& layout = residual_.layout();
  const int n = layout.n, m = layout.m, s = layout.s;
  // With more control points than the multipliers hold (s > w + 1) the step equations have further solutions, and a
  // continued polynomial of high degree ends up in one of them.
  const bool loose = m > 0 && s > scheme_.multiplier_degree + 1;
  // Of redundant constraints the multipliers carry a part that no force depends on, round-off divided by eps: it would
  // add up from step to step. Those of the acceleration are of least norm.
  if (kind == Guess::extrapolated && (!has_history_ || loose || regularisation_ > 0)) return false;
  if (kind == Guess::accelerated && !node.acceleration(start.q, v, start.t, a_.data(), lambda_.data())) return false;
  if (kind == Guess::linear) {
    std::fill(a_.begin(), a_.end(), S(0));
    std::fill(lambda_.begin(), lambda_.end(), S(0));
  }
  if (kind == Guess::extrapolated) {
    // The polynomial of the last step, at 1 + d_k h / h_last, minus its end; Horner-free Lagrange form.
    const S ratio = start.h / previous_h_;
    for (int k = 1; k <= s; ++k) {
      const S c = S(1) + tables_.d[sz(k)] * ratio;
      for (int a = 0; a < n; ++a) x_[sz(layout.z(k - 1) + a)] = -previous_x_[sz(layout.z(s - 1) + a)];
      for (int b = 1; b <= s; ++b) {
        S l(1);
        for (int o = 0; o <= s; ++o)
          if (o != b) l *= (c - tables_.d[sz(o)]) / (tables_.d[sz(b)] - tables_.d[sz(o)]);
        for (int a = 0; a < n; ++a) x_[sz(layout.z(k - 1) + a)] += l * previous_x_[sz(layout.z(b - 1) + a)];
      }
    }
    extrapolate_multipliers(ratio);
    raw_ = x_;
    if (start.h != previous_h_) misses_ = 0;
    // By what it missed in the last two steps of this length it will miss again, if they are alike: small steps.
    if (misses_ > 1) {
      S size(0), change(0);
      for (int i = 0; i < s * n; ++i) {
        size = math::max(size, math::abs(miss_[sz(i)]));
        change = math::max(change, math::abs(miss_[sz(i)] - older_miss_[sz(i)]));
      }
      if (change <= S(0.2) * size)
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += S(2) * miss_[i] - older_miss_[i];
    }
  } else {
    for (int k = 1; k <= s; ++k) {
      const S t = tables_.d[sz(k)] * start.h;
      for (int a = 0; a < n; ++a) x_[sz(layout.z(k - 1) + a)] = t * (v[a] + t * a_[sz(a)] / S(2));
    }
    for (int u = 0; u < layout.unknown_multipliers; ++u)
      for (int k = 0; k < m; ++k) x_[sz(layout.mu(u) + k)] = start.h * start.h * lambda_[sz(k)];
  }
  // The end velocity of the parabola through the guess.
  if (layout.coupled)
    for (int a = 0; a < n; ++a) x_[sz(layout.w() + a)] = S(2) * x_[sz(layout.z(s - 1) + a)] - start.h * v[a];
  return true;
}

// Those of the last node; for a reduction, whose unknowns are fewer and the multipliers' share in them larger, the
// polynomial through those of the last three nodes.
template <class S>
void GalerkinStep<S>::extrapolate_multipliers(S ratio) {
  const GalerkinLayout& layout = residual_.layout();
  const int m = layout.m, U = layout.unknown_multipliers, first = reduced_ == nullptr ? U - 1 : std::max(0, U - 3);
  for (int u = 0; u < U; ++u)
    for (int b = first; b < U; ++b) {
      S l = ratio * ratio;
      for (int o = first; o < U; ++o)
        if (o != b)
          l *= (S(1) + tables_.phi[sz(u)] * ratio - tables_.phi[sz(o)]) / (tables_.phi[sz(b)] - tables_.phi[sz(o)]);
      for (int k = 0; k < m; ++k) {
        const S part = l * previous_x_[sz(layout.mu(b) + k)];
        S& to = x_[sz(layout.mu(u) + k)];
        to = b == first ? part : to + part;
      }
    }
}

template <class S>
bool GalerkinStep<S>::newton(const StepStart<S>& start, StepReport& report) {
  const GalerkinLayout& layout = residual_.layout();
  by_reduction_ = false;
  if (reduced_ != nullptr && regularisation_ == 0 && pause_ == 0) {
    guess_ = x_;
    by_reduction_ = reduced_->solve(start, residual_, x_, report);
    patience_ = by_reduction_ ? std::max(0, patience_ - 1) : std::min(2 * patience_ + 1, longest_pause);
    if (by_reduction_) return true;
    pause_ = patience_;
    x_ = guess_;
  } else if (pause_ > 0) {
    --pause_;
  }
  const bool apart = !std::is_same_v<S, double> || layout.coupled;  // or the matrix needs no more than the lent point
  if (apart) {
    to_double(start.q, layout.n, qd_);
    to_double(start.p, layout.n, pd_);
  }
  StepStart<double> startd{qd_.data(), pd_.data(), static_cast<double>(start.t), static_cast<double>(start.h)};
  if (start.lambda0 != nullptr) {
    to_double(start.lambda0, layout.m, lambda0d_);
    to_double(start.carried, layout.m, carriedd_);
    startd.lambda0 = lambda0d_.data();
    startd.carried = carriedd_.data();
  }
  const auto residual = [&](const S* x, S* r) { return residual_(start, x, r); };
  const auto matrix = [&](BlockLu& lu) {
    if (apart) to_double(x_.data(), layout.size, xd_);
    if (regularisation_ > 0 || layout.coupled) {
      lu.clear();
      matrix_.assemble(startd, xd_.data(), lu.data());
      if (regularisation_ > 0) matrix_.regularise(regularisation_, row_weights_.data(), lu.data());
    } else {
      matrix_.evaluate(startd, xd_.data());
      lu.fill_later(*this);
    }
  };
  const bool converged = newton_.solve(residual, matrix, largest(start.q, layout.n), report);
  if (newton_.singular() >= 0) report.worst = "singular matrix: " + unknown_name(newton_.singular());
  return converged;
}

template <class S>
StepStart<S> GalerkinStep<S>::start_of(const TracePart<S>& part) const {
  StepStart<S> start{part.q.data(), part.p.data(), part.t, part.h};
  if (given_lambda0()) {
    start.lambda0 = part.lambda0.data();
    start.carried = part.carried.data();
  }
  return start;
}

template <class S>
void GalerkinStep<S>::solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) {
  const S h = part.h;
  build(h);
  const GalerkinLayout& layout = residual_.layout();
  if (given_lambda0()) {
    part.lambda0.resize(sz(layout.m));
    for (int k = 0; k < layout.m; ++k) part.lambda0[sz(k)] = lambda0_[sz(k)] * h * h;
    part.carried = carried_;
  }
  const StepStart<S> start = start_of(part);
  const S* v = part.v.data();
  report.converged = false;
  bool first = true, extrapolated = false;
  for (const Guess kind : {Guess::extrapolated, Guess::accelerated, Guess::linear}) {
    if (!guess(kind, node, start, v)) continue;
    if (!first) ++report.fallbacks;
    first = false;
    if (newton(start, report)) {
      report.converged = true;
      report.worst.clear();
      extrapolated = kind == Guess::extrapolated;
      break;
    }
  }
  if (!report.converged) {
    if (report.worst.empty()) report.worst = row_name(newton_.worst_row());
    return;
  }
  if (loop_ && !by_reduction_) {
    // The nodes inside the step are in its matrix only.
    const int close = newton_.lu().close_count();
    usual_close_ = std::min(usual_close_, close);
    if (close > usual_close_) ++report.singular;
  }
  std::copy_n(x_.data() + layout.z(layout.s - 1), layout.n, part.dq.data());
  residual_.impulse(h, part.dp.data());
  part.x = x_;
  if (given_lambda0()) {
    residual_.hand_over(x_.data(), carried_.data(), lambda0_.data());
    for (int k = 0; k < layout.m; ++k) lambda0_[sz(k)] /= h * h;
  }
  if (extrapolated) {
    miss_.swap(older_miss_);
    for (std::size_t i = 0; i < x_.size(); ++i) miss_[i] = x_[i] - raw_[i];
    misses_ = std::min(misses_ + 1, 2);
  } else {
    misses_ = 0;
  }
  previous_x_ = x_;
  previous_h_ = h;
  has_history_ = scheme_.basis == Basis{};
}

template <class S>
void GalerkinStep<S>::adopt(const TracePart<S>& part) {
  residual_(start_of(part), part.x.data(), raw_.data());  // which is of use within `solve` only
}

template <class S>
void GalerkinStep<S>::tell(const TracePart<S>& part, Trace<S>& trace) {
  const std::size_t m = sz(residual_.layout().m);
  const S h = part.h;
  const std::vector<S>& mu = residual_.point().mu;
  trace.multiplier_nodes = multiplier_nodes_;
  trace.multipliers.resize(multiplier_nodes_.size() * m);
  for (std::size_t e = 0; e < mu.size(); ++e) trace.multipliers[e] = mu[e] / (h * h);
  std::copy_n(trace.multipliers.begin(), std::min(m, mu.size()), trace.node_multiplier.begin());
  // The end multiplier acts with the weight of the last node; nu is its impulse.
  if (tables_.projects)
    for (std::size_t k = 0; k < m; ++k) trace.multipliers[mu.size() + k] = part.nu[k] / (h * tables_.node_weight);
  trace.node_weight = tables_.node_weight;
  trace.action += residual_.action(h);
  if (trace.sources.empty()) return;
  residual_.add_work(h, trace.sources.data());
  trace.node_work = residual_.node_work(h);
}

// q from the step's polynomial, p = L_v of it, lambda from the polynomial through the multipliers.
template <class S>
void GalerkinStep<S>::dense(const Trace<S>& trace, S c, DensePoint<S>& out) const {
  const TracePart<S>& part = trace.parts[trace.count - 1];
  const GalerkinLayout& layout = residual_.layout();
  const int n = layout.n, m = layout.m;
  const std::vector<quad> at{static_cast<quad>(c)};
  const std::vector<quad> points(tables_.d.begin(), tables_.d.end());
  const BasisTable l = basis_table(scheme_.basis, layout.s, static_cast<quad>(part.h), points, at);
  std::vector<S> v(sz(n), S(0)), Lq(sz(n));
  out.q = part.q;
  out.p.resize(sz(n));
  for (int k = 1; k <= layout.s; ++k)
    for (int a = 0; a < n; ++a) {
      out.q[sz(a)] += static_cast<S>(l.values[0][sz(k)]) * part.x[sz(layout.z(k - 1) + a)];
      v[sz(a)] += static_cast<S>(l.slopes[0][sz(k)]) * part.x[sz(layout.z(k - 1) + a)] / part.h;
    }
  const S t = part.t + c * part.h;
  Evaluation<S>(system_, 1, Storage::sparse).gradient(1, out.q.data(), v.data(), &t, nullptr, Lq.data(), out.p.data());
  out.lambda.assign(sz(m), S(0));
  if (m == 0) return;
  const BasisTable f = lagrange_basis({multiplier_nodes_.begin(), multiplier_nodes_.end()}, at);
  for (std::size_t j = 0; j < multiplier_nodes_.size(); ++j)
    for (int k = 0; k < m; ++k)
      out.lambda[sz(k)] += static_cast<S>(f.values[0][j]) * trace.multipliers[j * sz(m) + sz(k)];
}

template <class S>
void GalerkinStep<S>::tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) {
  const GalerkinLayout& layout = residual_.layout();
  const int n = layout.n, size = layout.size, width = 2 * n;
  GalerkinMatrix<S> matrix(system_, scheme_, nullptr, static_cast<quad>(built_h_));
  Lu<S> lu(size);
  const StepStart<S> start = start_of(part);
  matrix.assemble(start, part.x.data(), lu.data());
  std::vector<S> to_start(sz(size * width)), to_x(sz(n * size)), to_q0(sz(n * n)), column(sz(size));
  matrix.assemble_start(start, to_start.data());
  matrix.assemble_momentum(part.h, to_x.data(), to_q0.data());
  for (const int k : dependent)
    for (int u = 0; u < layout.unknown_multipliers; ++u) {
      const int row = u < layout.constraint_rows ? layout.constraint_row(u) + k : layout.hidden_row() + n + k;
      std::fill_n(lu.row(row), size, S(0));
      lu.row(row)[layout.mu(u) + k] = S(1);
      std::fill_n(&to_start[sz(row) * sz(width)], width, S(0));
    }
  out.assign(sz(width * width), S(0));
  if (lu.factor() >= 0) return;
  for (int c = 0; c < width; ++c) {
    for (int i = 0; i < size; ++i) column[sz(i)] = -to_start[sz(i * width + c)];
    lu.solve(column.data());
    for (int a = 0; a < n; ++a) {
      S q1 = column[sz(layout.z(layout.s - 1) + a)] + S(a == c ? 1 : 0), p1 = S(n + a == c ? 1 : 0);
      if (c < n) p1 += to_q0[sz(a * n + c)];
      for (int i = 0; i < size; ++i) p1 += to_x[sz(a * size + i)] * column[sz(i)];
      out[sz(a * width + c)] = q1;
      out[sz((n + a) * width + c)] = p1;
    }
  }
}

template <class S>
void GalerkinStep<S>::save(std::vector<S>& out) const {
  out.push_back(S(has_history_ ? 1 : 0));
  out.push_back(previous_h_);
  out.push_back(S(misses_));
  for (const int x : {usual_close_, pause_, patience_}) out.push_back(S(x));
  for (const auto* v : {&previous_x_, &miss_, &older_miss_, &lambda0_, &carried_})
    out.insert(out.end(), v->begin(), v->end());
}

template <class S>
const S* GalerkinStep<S>::restore(const S* from) {
  has_history_ = *from++ != S(0);
  previous_h_ = *from++;
  misses_ = static_cast<int>(*from++);
  for (int* x : {&usual_close_, &pause_, &patience_}) *x = static_cast<int>(*from++);
  for (auto* v : {&previous_x_, &miss_, &older_miss_, &lambda0_, &carried_}) {
    std::copy_n(from, v->size(), v->begin());
    from += v->size();
  }
  return from;
}

template <class S>
std::string GalerkinStep<S>::row_name(int row) const {
  const GalerkinLayout& layout = residual_.layout();
  const auto& coordinates = system_.coordinate_names();
  const auto& constraints = system_.constraint_names();
  if (row < layout.s * layout.n)
    return "momentum of \"" + coordinates[sz(row % layout.n)] + "\" at control point " + std::to_string(row / layout.n);
  if (row < layout.hidden_row())
    return "constraint \"" + constraints[sz((row - layout.s * layout.n) % layout.m)] + "\"";
  row -= layout.hidden_row();
  if (row < layout.n) return "end momentum of \"" + coordinates[sz(row)] + "\"";
  return "velocity of constraint \"" + constraints[sz(row - layout.n)] + "\"";
}

template <class S>
std::string GalerkinStep<S>::unknown_name(int column) const {
  const GalerkinLayout& layout = residual_.layout();
  if (column >= layout.s * layout.n && column < layout.w())
    return "multiplier of constraint \"" + system_.constraint_names()[sz((column - layout.s * layout.n) % layout.m)] +
           "\" is undetermined (redundant constraints?)";
  return "coordinate \"" + system_.coordinate_names()[sz(column % layout.n)] + "\" is undetermined";
}

#define EXTREMAL_INSTANTIATE(S) template class GalerkinStep<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
