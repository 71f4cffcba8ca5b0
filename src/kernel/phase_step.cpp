#include "kernel/phase_step.hpp"

#include <algorithm>

#include "algebra/lu.hpp"
#include "kernel/rank.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "scheme/basis.hpp"

namespace extremal {

template <class S>
PhaseStep<S>::PhaseStep(const System& system, const PhaseSpace& scheme) : system_(system), scheme_(scheme) {
  const int n = system.size(), m = system.constraint_count();
  a_.assign(sz(n), S(0));
  lambda_.assign(sz(m), S(0));
  qd_.resize(sz(n));
  pd_.resize(sz(n));
  vd_.resize(sz(n));
  loop_ = m > 0 && has_loop(system);
  make(of_any_length(scheme), 1);
}

// Tables depend on h only where the rule or the ansatz has a length of its own; then the first step of a new
// length builds them.
template <class S>
void PhaseStep<S>::build(S h) {
  const bool fixed = scheme_.rule.kind != RuleKind::riemann && !has_length(scheme_.basis);
  if (fixed || math::abs(h) == built_h_) return;
  built_h_ = math::abs(h);
  make(scheme_, static_cast<quad>(built_h_));
}

template <class S>
void PhaseStep<S>::make(const PhaseSpace& scheme, quad length) {
  residual_ = std::make_unique<PhaseResidual<S>>(system_, scheme, length);
  matrix_ = std::make_unique<PhaseMatrix<double>>(system_, scheme, length);
  const PhaseLayout& l = residual_->layout();
  reduction_ = PhaseReduction<S>::make(system_, scheme, length);
  if (reduction_) {
    blocks_ = std::make_unique<PhaseBlocks>(system_, *PhaseReduction<double>::make(system_, scheme, length));
    newton_ = std::make_unique<Newton<S>>(blocks_->lu(), reduction_->copies() * l.n);
    nodes_.resize(sz(l.r * l.n));
    histories_.resize(newton_->x().size());
  } else {
    newton_ = std::make_unique<Newton<S>>(BlockLu(l.size), l.P(0));
  }
  for (auto* v : {&all_, &rows_}) v->resize(sz(l.size));
  if (!scales_.empty()) equilibrate(scales_);
  xd_.resize(newton_->x().size());
}

// Momenta, and the equations that are lengths, have the inverse scales.
template <class S>
void PhaseStep<S>::equilibrate(const std::vector<double>& scales) {
  scales_ = scales;
  const PhaseLayout& l = residual_->layout();
  std::vector<double> row, column;
  const auto append = [&](std::vector<double>& to, int times, bool inverse) {
    for (int k = 0; k < times; ++k)
      for (int i = 0; i < l.n; ++i) to.push_back(inverse ? 1 / scales[sz(i)] : scales[sz(i)]);
  };
  if (reduction_ && !scales.empty()) {
    append(column, reduction_->copies(), false);
    while (static_cast<int>(column.size()) < reduction_->size())
      column.insert(column.end(), scales.begin() + l.n, scales.end());
    row = column;
  } else if (!scales.empty()) {
    append(column, l.Kq + 1, false);
    append(column, l.Kp, true);
    append(row, l.Kp, true);
    append(row, l.kept_q(), false);
    append(row, 1, true);
    if (l.fixes() == 2) append(row, 1, l.q_continuous);
    for (auto* to : {&row, &column})
      while (static_cast<int>(to->size()) < l.size) to->insert(to->end(), scales.begin() + l.n, scales.end());
  }
  newton_->lu().equilibrate(row, column);
}

// False if there is no such guess.
template <class S>
bool PhaseStep<S>::guess(Guess kind, NodeSolver<S>& node, const TracePart<S>& part) {
  const PhaseLayout& l = residual_->layout();
  const PhaseTables<S>& tab = residual_->point().tables;
  const S h = part.h;
  const S* v = part.v.data();
  if (kind == Guess::continued) return reduction_ && histories_.guess(part.number, h, newton_->x().data());
  if (kind == Guess::accelerated) {
    if (!node.acceleration(part.q.data(), v, part.t, a_.data(), lambda_.data(), part.p.data())) return false;
  } else {
    std::fill(a_.begin(), a_.end(), S(0));
    std::fill(lambda_.begin(), lambda_.end(), S(0));
  }
  std::vector<S>& x = all_;
  std::fill(x.begin(), x.end(), S(0));
  // Not from where the last step ended: the transform depends on its start only, to the last bit, and one that failed
  // leaves nothing behind.
  residual_->guess(v);
  matrix_->guess(vd_.data());
  const auto position = [&](S c, int i) { return c * h * (v[i] + c * h * a_[sz(i)] / S(2)); };
  for (int i = 0; i < l.n; ++i) {
    for (int f = 0; f < l.Kq; ++f) x[sz(l.Q(f) + i)] = position(tab.d[sz(f)], i);
    x[sz(l.E() + i)] = position(S(1), i);
  }
  for (int c = 0; c < l.Kg; ++c)
    for (int k = 0; k < l.m; ++k) x[sz(l.Z(c) + k)] = -tab.dg[sz(c)] * h * h * lambda_[sz(k)];
  if (reduction_)
    reduction_->contract(x.data(), newton_->x().data());
  else
    newton_->x() = x;
  return true;
}

template <class S>
void PhaseStep<S>::solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) {
  const S h = part.h;
  build(h);
  const int n = residual_->layout().n;
  to_double(part.q.data(), n, qd_);
  to_double(part.p.data(), n, pd_);
  to_double(part.v.data(), n, vd_);
  const PhaseStart<double> startd{qd_.data(), pd_.data(), static_cast<double>(part.t), static_cast<double>(h)};
  std::vector<S>& x = all_;
  const auto residual = [&](const S* at, S* r) {
    if (!reduction_) return (*residual_)(start_of(part), at, r);
    reduction_->expand(start_of(part), at, all_.data(), nodes_.data());
    (*residual_)(start_of(part), all_.data(), rows_.data(), nodes_.data());
    reduction_->pick(rows_.data(), r);
    return largest(r, reduction_->size());
  };
  const auto matrix = [&](BlockLu& lu) {
    to_double(newton_->x().data(), static_cast<int>(xd_.size()), xd_);
    if (reduction_)
      blocks_->assemble(startd, xd_.data(), lu);
    else
      matrix_->assemble(startd, xd_.data(), lu.data());
  };
  report.converged = false;
  bool first = true;
  for (const Guess kind : {Guess::continued, Guess::linear, Guess::accelerated}) {
    if (!guess(kind, node, part)) continue;
    if (!first) ++report.fallbacks;
    first = false;
    newton_->trust_first_matrix(reduction_ && (!loop_ || kind == Guess::continued), loop_ || !reduction_);
    if (newton_->solve(residual, matrix, largest(part.q.data(), n), report)) {
      report.converged = true;
      if (!reduction_) x = newton_->x();
      report.worst.clear();
      break;
    }
    report.worst = newton_->singular() >= 0 ? "singular matrix" : row_name(newton_->worst_row());
  }
  if (!report.converged) return;
  if (reduction_) histories_.remember(part.number, h, newton_->x().data());
  std::copy_n(x.data() + residual_->layout().E(), n, part.dq.data());
  residual_->impulse(h, part.dp.data());
  part.x = x;
}

template <class S>
void PhaseStep<S>::tell(const TracePart<S>& part, Trace<S>& trace) {
  const PhaseLayout& l = residual_->layout();
  const PhaseTables<S>& tab = residual_->point().tables;
  const S h = part.h;
  trace.multiplier_nodes = tab.dg;
  trace.multipliers.resize(sz(l.Kg * l.m));
  // The constraint force at the control points of p_g, p_g' = sum_c f_c' p_g,c per unit of time; lambda = -p_g'.
  for (int a = 0; a < l.Kg; ++a)
    for (int k = 0; k < l.m; ++k) {
      S force(0);
      for (int c = 0; c < l.Kg; ++c) force += tab.force[sz(a * l.Kg + c)] * part.x[sz(l.Z(c) + k)];
      trace.multipliers[sz(a * l.m + k)] = -force / (h * h);
    }
  trace.node_weight = S(0);
  trace.action += action(part);
  if (!trace.sources.empty()) residual_->add_work(h, trace.sources.data());
}

template <class S>
void PhaseStep<S>::tangent(const TracePart<S>& part, std::vector<S>& out,
                           const std::vector<int>& /*dependent: refused at the start*/) {
  const PhaseLayout& l = residual_->layout();
  const int n = l.n, size = l.size, width = 2 * n;
  PhaseMatrix<S> matrix(system_, scheme_, static_cast<quad>(built_h_));
  Lu<S> lu(size);
  const PhaseStart<S> start = start_of(part);
  matrix.assemble(start, part.x.data(), lu.data());
  std::vector<S> to_start(sz(size * width)), to_x(sz(n * size)), to_q0(sz(n * n)), to_p0(sz(n * n)), column(sz(size));
  matrix.assemble_start(start, to_start.data());
  matrix.assemble_momentum(start, to_x.data(), to_q0.data(), to_p0.data());
  out.assign(sz(width * width), S(0));
  if (lu.factor() >= 0) return;
  for (int c = 0; c < width; ++c) {
    for (int i = 0; i < size; ++i) column[sz(i)] = -to_start[sz(i * width + c)];
    lu.solve(column.data());
    for (int a = 0; a < n; ++a) {
      S p1 = c < n ? to_q0[sz(a * n + c)] : to_p0[sz(a * n + c - n)];
      for (int i = 0; i < size; ++i) p1 += to_x[sz(a * size + i)] * column[sz(i)];
      out[sz(a * width + c)] = column[sz(l.E() + a)] + S(a == c ? 1 : 0);
      out[sz((n + a) * width + c)] = p1;
    }
  }
}

// The generating function of the step: the action inside it and the momentum times the jumps of q~ at its ends. The
// constraint products add up to sum_c Z_c A_g,c = 0.
template <class S>
S PhaseStep<S>::action(const TracePart<S>& part) const {
  const PhaseLayout& l = residual_->layout();
  const PhaseTables<S>& tab = residual_->point().tables;
  const std::vector<S>& x = part.x;
  S sum(0);
  const auto p = [&](int b, int a) { return part.p[sz(a)] + x[sz(l.P(b) + a)] / part.h; };
  for (int a = 0; a < l.n; ++a) {
    for (int b = 0; b < l.Kp; ++b)
      for (int f = 0; f < l.Kq; ++f) sum += p(b, a) * tab.pairing_pq[sz(b * l.Kq + f)] * x[sz(l.Q(f) + a)];
    if (!l.q_continuous)
      sum += p(0, a) * x[sz(l.Q(0) + a)] + p(l.Kp - 1, a) * (x[sz(l.E() + a)] - x[sz(l.Q(l.Kq - 1) + a)]);
  }
  for (int i = 0; i < l.r; ++i) sum -= part.h * tab.bq[sz(i)] * residual_->H()[sz(i)];
  return sum;
}

template <class S>
void PhaseStep<S>::dense(const Trace<S>& trace, S c, DensePoint<S>& out) const {
  inside(trace.parts[trace.count - 1], c, out);
}

template <class S>
void PhaseStep<S>::inside(const TracePart<S>& part, S c, DensePoint<S>& out) const {
  const PhaseLayout& l = residual_->layout();
  const PhaseTables<S>& tab = residual_->point().tables;
  const std::vector<S>& x = part.x;
  const BasisTable fq = functions(tab.d, c, part.h, true);
  const BasisTable fp = functions(tab.dp, c, part.h, scheme_.continuity != Continuity::q_continuous);
  const BasisTable fg = functions(tab.dg, c, part.h, false);
  out.q.assign(part.q.begin(), part.q.end());
  out.p.assign(part.p.begin(), part.p.end());
  out.lambda.assign(sz(l.m), S(0));
  for (int a = 0; a < l.n; ++a) {
    for (int f = 0; f < l.Kq; ++f) out.q[sz(a)] += static_cast<S>(fq.values[0][sz(f)]) * x[sz(l.Q(f) + a)];
    for (int f = 0; f < l.Kp; ++f) out.p[sz(a)] += static_cast<S>(fp.values[0][sz(f)]) * x[sz(l.P(f) + a)] / part.h;
  }
  for (int f = 0; f < l.Kg; ++f)
    for (int k = 0; k < l.m; ++k)
      // The constraint force of the other family is -G^T lambda, here it is W p_g'.
      out.lambda[sz(k)] -= static_cast<S>(fg.slopes[0][sz(f)]) * x[sz(l.Z(f) + k)] / (part.h * part.h);
}

// With jumps on either side of q~ and p~ the balance reads
//   q~'(1).(p1 - p_z(1-)) + q~'(0).(p_z(0+) - p0) - p~'(1).(q1 - q~(1)) - p~'(0).(q~(0+) - q0) + p_g'(0).g(q~(0+))
//   + p_g'(1).(g(q1) - g(q~(1))) + H1 - H0 = int dH/dt - p_g'.dg/dt + q~'.f,
// of which the continuity of the scheme leaves two jumps [Muehlebach2016, eqs. 24, 40].
template <class S>
bool PhaseStep<S>::balance(const TracePart<S>& part, StepBalance<S>& out) const {
  const PhaseLayout& l = residual_->layout();
  const PhaseTables<S>& tab = residual_->point().tables;
  const PhasePoint<S>& point = residual_->point();
  const int n = l.n, m = l.m;
  const S h = part.h;
  out = {};
  HamiltonianEvaluation<S> hamiltonian(system_, 1);
  Evaluation<S> evaluation(system_, 1);
  DensePoint<S> at;
  std::vector<S> Hq(sz(n)), Hp(sz(n)), slope_q(sz(n)), slope_p(sz(n)), dp(sz(n)), work(sz(n));
  std::vector<S> g(sz(m)), G(sz(m * n)), gt(sz(m)), force(sz(m));
  const auto look = [&](S c, S& H) {
    inside(part, c, at);
    slopes(part, c, slope_q, slope_p);
    const S t = part.t + c * h;
    hamiltonian.gradient(1, at.q.data(), at.p.data(), &t, &H, Hq.data(), Hp.data());
    evaluation.forces(at.q.data(), Hp.data(), &t, work.data());
    if (m > 0) evaluation.constraints(1, at.q.data(), &t, g.data(), G.data(), gt.data());
    for (int k = 0; k < m; ++k) force[sz(k)] = -at.lambda[sz(k)];
  };
  // The jumps at one end: `outer` is the state there, W p_g what p~ has beyond p_z.
  S jumps(0), impulse(0), jump(0);
  const auto add_jumps = [&](const std::vector<S>& q, const std::vector<S>& p, const std::vector<S>& Wpg, S sign) {
    S square_p(0), square_q(0);
    for (int i = 0; i < n; ++i) {
      const S by_p = sign * (p[sz(i)] + Wpg[sz(i)] - at.p[sz(i)]), by_q = sign * (q[sz(i)] - at.q[sz(i)]);
      jumps += slope_q[sz(i)] * by_p - slope_p[sz(i)] * by_q;
      square_p += by_p * by_p;
      square_q += by_q * by_q;
    }
    impulse = math::max(impulse, square_p);
    jump = math::max(jump, square_q);
  };
  const auto products = [&](const std::vector<S>& rows, const std::vector<S>& Z) {
    std::vector<S> sum(sz(n), S(0));
    if (m > 0) add_transposed(point.constraints.jacobian(), rows.data(), Z.data(), S(1) / h, sum.data());
    return sum;
  };
  S H0(0), H1(0), H(0);
  look(S(0), H0);
  add_jumps(part.q, part.p, products(point.G0, point.Z0), S(-1));
  for (int k = 0; k < m; ++k) jumps += force[sz(k)] * g[sz(k)];
  look(S(1), H1);
  residual_->impulse(h, dp.data());
  for (int i = 0; i < n; ++i) dp[sz(i)] += part.p[sz(i)];
  add_jumps(point.q1, dp, products(point.G1, point.Z1), S(1));
  for (int k = 0; k < m; ++k) jumps += force[sz(k)] * (point.g1[sz(k)] - g[sz(k)]);

  // Along the step, by its own rules: H_q comes with the forces taken off.
  S given(0), along(0);
  for (int i = 0; i < l.r; ++i) {
    look(tab.c[sz(i)], H);
    S by_q(0), by_p(0), power(0), z2(0), v2(0);
    for (int a = 0; a < n; ++a) {
      S z = slope_p[sz(a)] + Hq[sz(a)];
      for (int k = 0; k < m; ++k) z -= G[sz(k * n + a)] * force[sz(k)];
      const S v = slope_q[sz(a)] - Hp[sz(a)];
      by_q += (Hq[sz(a)] + work[sz(a)]) * slope_q[sz(a)];
      by_p += Hp[sz(a)] * slope_p[sz(a)];
      power += work[sz(a)] * slope_q[sz(a)];
      z2 += z * z;
      v2 += v * v;
    }
    const S rate = hamiltonian.time_derivative(at.q.data(), at.p.data(), part.t + tab.c[sz(i)] * h);
    along += h * (tab.bq[sz(i)] * (by_q + rate) + tab.bp[sz(i)] * by_p);
    given += h * tab.bq[sz(i)] * (rate + power);
    for (int k = 0; k < m; ++k) {
      given -= h * tab.bq[sz(i)] * gt[sz(k)] * force[sz(k)];
      out.gap = math::max(out.gap, math::abs(g[sz(k)]));
    }
    out.force += tab.bq[sz(i)] * z2;
    out.velocity += tab.bq[sz(i)] * v2;
  }
  out.energy = jumps + H1 - H0 - given;
  out.energy_quadrature = jumps + along - given;
  out.force = math::sqrt(out.force);
  out.velocity = math::sqrt(out.velocity);
  out.impulse = math::sqrt(impulse);
  out.jump = math::sqrt(jump);
  return true;
}

// d/dt of q~ and p~ at t + c h.
template <class S>
void PhaseStep<S>::slopes(const TracePart<S>& part, S c, std::vector<S>& dq, std::vector<S>& dp) const {
  const PhaseLayout& l = residual_->layout();
  const PhaseTables<S>& tab = residual_->point().tables;
  const std::vector<S>& x = part.x;
  const BasisTable fq = functions(tab.d, c, part.h, true);
  const BasisTable fp = functions(tab.dp, c, part.h, scheme_.continuity != Continuity::q_continuous);
  for (int a = 0; a < l.n; ++a) {
    dq[sz(a)] = dp[sz(a)] = S(0);
    for (int f = 0; f < l.Kq; ++f) dq[sz(a)] += static_cast<S>(fq.slopes[0][sz(f)]) * x[sz(l.Q(f) + a)] / part.h;
    for (int f = 0; f < l.Kp; ++f)
      dp[sz(a)] += static_cast<S>(fp.slopes[0][sz(f)]) * x[sz(l.P(f) + a)] / (part.h * part.h);
  }
}

template <class S>
BasisTable PhaseStep<S>::functions(const std::vector<S>& points, S c, S h, bool ansatz) const {
  const std::vector<quad> d(points.begin(), points.end()), at{static_cast<quad>(c)};
  return ansatz ? basis_table(scheme_.basis, scheme_.degree, static_cast<quad>(h), d, at) : lagrange_basis(d, at);
}

template <class S>
std::string PhaseStep<S>::row_name(int row) const {
  const PhaseLayout& l = residual_->layout();
  if (reduction_) row = reduction_->row(row);
  if (row < l.row_q(0)) return "velocity of \"" + system_.coordinate_names()[sz(row % l.n)] + "\"";
  if (row < l.row_g(0)) return "momentum of \"" + system_.coordinate_names()[sz(row % l.n)] + "\"";
  return "constraint \"" + system_.constraint_names()[sz((row - l.row_g(0)) % l.m)] + "\"";
}

#define EXTREMAL_INSTANTIATE(S) template class PhaseStep<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
