#include "check/probe.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bodies/rigid.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "scheme/family.hpp"

namespace extremal::laws {

namespace {

// Number and smallest coefficient of the steps that a step consists of.
struct Make {
  int pieces = 0;
  quad smallest = 1;
};
void collect(const Scheme& scheme, quad factor, Make& make) {
  for (const Substep& sub : scheme.substeps()) collect(sub.scheme, factor * sub.coefficient, make);
  if (scheme.composed()) return;
  make.smallest = std::min(make.smallest, math::abs(factor));
  ++make.pieces;
}

}  // namespace

Probe::Probe(const System& s, const Scheme& sch, const Start& st, const CheckOptions& opt)
    : system(s),
      scheme(sch),
      start(st),
      options(opt),
      n(s.size()),
      m(s.constraint_count()),
      h(opt.step.as<quad>()),
      evaluation(s, 1),
      legendre_(s, Scheme::named(s.has(Role::hamiltonian) ? "phase_space(1)" : "trapezoidal")) {
  if (h == quad(0) || !math::finite(h))
    throw InputError("check: step " + opt.step.text() + "; expected one that is not 0");
  if (opt.long_steps < 1) throw InputError(fmt::format("check: {} long steps; expected 1 or more", opt.long_steps));
  Stepper<quad> stepper(system, scheme);
  redundant_ = stepper.start(start, h).redundant > 0;
  initial = stepper.state();
  for (const auto& term : system.terms()) {
    if (term->role == Role::symmetry) continue;
    timed_ = timed_ || term->uses_time;
    if (term->role == Role::constraint) continue;
    const DegreeBound& d = term->degree;
    quadratic_ = quadratic_ && d.q + d.v <= (term->role == Role::force ? 1 : 2) && d.t == 0;
  }
}

bool Probe::variational() const { return constrained() && scheme.declared.momentum == EndMomentum::bare; }

bool Probe::meets_hidden() const {
  return on_manifold() && !variational() && scheme.declared.momentum != EndMomentum::near;
}

Symmetry Probe::symmetry() const {
  const Symmetry declared = scheme.declared.symmetry;
  return !constrained() && declared == Symmetry::configuration ? Symmetry::full : declared;
}

Order Probe::order() const {
  if (constrained()) return scheme.declared.order;
  return {scheme.declared.order_free, scheme.declared.order_free, 0};
}

Stepper<quad> Probe::stepper(const Scheme& of, const State<quad>& state) const {
  Stepper<quad> result(system, of);
  result.place(state);
  return result;
}

State<quad> Probe::inside() {
  if (!inside_) {
    Stepper<quad> s = stepper(scheme, initial);
    advance(s, h, 3);
    inside_ = s.state();
  }
  return *inside_;
}

Vector Probe::velocity(const State<quad>& state) {
  legendre_.place(state);
  Observation<quad> seen;
  legendre_.observe(seen, false);
  return seen.v;
}

Matrix Probe::mass(const State<quad>& state, const Vector& v) {
  Matrix D(n, n);
  if (!hamiltonian()) {
    evaluation.mass(state.q.data(), v.data(), &state.t, D.entries.data());
    return D;
  }
  // L_vv is the inverse of H_pp.
  Vector A(sz(n * n)), B(A), C(A), column(sz(n));
  Lu<quad> lu(n);
  HamiltonianEvaluation<quad>(system, 1).hessian(1, state.q.data(), state.p.data(), &state.t, A.data(), B.data(),
                                                 C.data(), lu.data());
  if (lu.factor() >= 0)
    throw InputError(system.name() +
                     ": H_pp is singular; laws are measured between motions that start with other velocities, which "
                     "need its inverse; expected a Hamiltonian that depends on every momentum");
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) column[sz(i)] = quad(i == j ? 1 : 0);
    lu.solve(column.data());
    for (int i = 0; i < n; ++i) D(i, j) = column[sz(i)];
  }
  return D;
}

Vector Probe::impulse(const State<quad>& state, quad step, quad share, Dice& dice) {
  const Vector v = velocity(state);
  const quad speed = share * (largest(v) + largest(state.q) / math::abs(step));
  Vector change(sz(n));
  for (quad& x : change) x = speed * dice();
  const Matrix D = mass(state, v);
  change = D.times(change);
  if (!constrained()) return change;
  State<quad> kicked = state;
  for (std::size_t i = 0; i < change.size(); ++i) kicked.p[i] += change[i];
  Vector along = velocity(kicked);
  for (std::size_t i = 0; i < along.size(); ++i) along[i] -= v[i];
  return D.times(along);
}

Matrix Probe::jacobian(const State<quad>& state) {
  Matrix G(m, n);
  Vector g(sz(m)), gt(sz(m));
  evaluation.constraints(1, state.q.data(), &state.t, g.data(), G.entries.data(), gt.data());
  return G;
}

Floor Probe::floor(const State<quad>& state, quad step) {
  Make make;
  collect(scheme, quad(1), make);
  const Vector v = velocity(state);
  const quad eps = Scalar<quad>::epsilon * quad(headroom) * quad(make.pieces);
  const quad smallest = math::abs(step) * make.smallest,
             s2 = quad(scheme.declared.degree) * quad(scheme.declared.degree);
  const quad reach = std::max(largest(state.q), smallest * largest(v));
  const Matrix D = mass(state, v);
  quad inertia = 0;
  for (int i = 0; i < n; ++i) {
    quad row = 0;
    for (int j = 0; j < n; ++j) row += math::abs(D(i, j));
    inertia = std::max(inertia, row);
  }
  Floor floor;
  floor.q = eps * reach;
  floor.p = eps * (largest(state.p) + s2 * inertia * reach / smallest);
  if (constrained())
    floor.lambda = floor.p * s2 / (redundant_ ? smallest : smallest * largest(jacobian(state).entries));
  return floor;
}

Floor largest_difference(const std::vector<Sample>& a, const std::vector<Sample>& b) {
  Floor most;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most.q = math::max(most.q, distance(a[k].q, b[k].q));
    most.p = math::max(most.p, distance(a[k].p, b[k].p));
    most.lambda = math::max(most.lambda, distance(a[k].lambda, b[k].lambda));
  }
  return most;
}

std::vector<Sample> Probe::follow(const Scheme& of, quad span, int steps) {
  check_stop(options.control);
  Stepper<quad> s = stepper(of, initial);
  const quad step = span / quad(steps);
  const bool node_momentum =
      &of == &scheme && variational() && scheme.declared.multiplier == EndMultiplier::late && !scheme.composed();
  std::vector<Sample> samples;
  Observation<quad> seen;
  for (int k = 1; k <= 4; ++k) {
    advance(s, step, steps / 4);
    Sample sample{s.state().q, s.state().p, {}};
    if (node_momentum) {
      // The multiplier of this node is known when the next step has been taken [Wenger2017, eq. 22].
      const Matrix G = jacobian(s.state());
      const Checkpoint<quad> here = s.save();
      advance(s, step);
      sample.lambda = s.node_multiplier();
      for (quad& x : sample.lambda) x /= quad(2);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) sample.p[sz(i)] -= step * s.node_weight() * G(j, i) * sample.lambda[sz(j)];
      s.restore(here);
    } else if (constrained()) {
      // Of the scheme's own multiplier an order is declared.
      if (!s.end_multiplier(sample.lambda)) {
        s.observe(seen);
        sample.lambda = seen.lambda;
      }
    }
    if (redundant_) {
      Vector force(sz(n));
      const Matrix G = jacobian(s.state());
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) force[sz(i)] += G(j, i) * sample.lambda[sz(j)];
      sample.lambda = std::move(force);
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

Scheme Probe::reference_scheme() const {
  // Rods are stiff and have many coordinates: implicit steps of directors in quad take minutes.
  if (on_rotations(scheme) && system.rigid() != nullptr && !system.rigid()->rods.empty())
    return Scheme::named("kahan_li(8, lie(trapezoidal))");
  const Galerkin* last = (scheme.composed() ? scheme.substeps().back().scheme : scheme).as<Galerkin>();
  const bool gauss = last == nullptr || last->lagrangian.kind == RuleKind::gauss;
  return laws::reference_scheme(system, std::max(order().q, scheme.declared.order_free),
                                gauss ? RuleKind::lobatto : RuleKind::gauss);
}

Scheme reference_scheme(const System& system, int order, RuleKind rule) {
  const int k = std::max(5, (order + 7) / 2);
  if (system.has(Role::hamiltonian))
    return Scheme::named(fmt::format("phase_space({}, quadrature=lobatto({}))", k, k + 2));
  // Multipliers by [Wenger2017, eq. 70] have the order of q.
  return Scheme::named(rule == RuleKind::lobatto
                           ? fmt::format("galerkin({}, lobatto({}), w={}, closure=projected)", k, k + 1, k)
                           : fmt::format("galerkin({}, gauss({}), w={}, closure=projected)", k, k, k));
}

const Reference& Probe::reference(quad span) {
  if (!reference_.samples.empty() && reference_span_ == span) return reference_;
  reference_span_ = span;
  reference_.steps = 8;
  reference_.samples = follow(reference_scheme(), span, reference_.steps);
  refine_reference();
  return reference_;
}

bool Probe::refine_reference() {
  if (reference_.steps >= std::max(32, (1 << 14) / n)) return false;
  reference_.steps *= 2;
  std::vector<Sample> finer = follow(reference_scheme(), reference_span_, reference_.steps);
  reference_.error = largest_difference(finer, reference_.samples);
  reference_.samples = std::move(finer);
  return true;
}

quad Probe::long_step() const {
  const quad given = options.long_step.as<quad>();
  return given == quad(0) ? h : given;
}

double Probe::long_time() const { return std::fabs(static_cast<double>(long_step())) * options.long_steps; }

namespace {

Run<double> complete_run(const Probe& probe, long long steps, int every, int divisor) {
  check_stop(probe.options.control);
  const quad step = probe.long_step() / quad(divisor), until = probe.start.t.as<quad>() + step * quad(steps);
  Run<double> result = run<double>(probe.system, probe.scheme, probe.start,
                                   {.step = Number::exactly(step), .until = Number::exactly(until), .every = every});
  if (result.status == Status::failed) throw StepFailure{result.reason};  // what is suspect is for the laws to tell
  return result;
}

}  // namespace

const Run<double>& Probe::long_run() {
  // Rows of large systems cost more than their steps.
  const auto every = static_cast<int>(std::max(1LL, 1LL * options.long_steps * n / 40000));
  if (!long_run_) long_run_ = std::make_unique<Run<double>>(complete_run(*this, options.long_steps, every, 1));
  return *long_run_;
}

Run<double> Probe::run_for(long long steps, int divisor) {
  return complete_run(*this, steps, static_cast<int>(steps), divisor);
}

void advance(Stepper<quad>& stepper, quad step, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = stepper.step(step);
    if (!report.converged)
      throw StepFailure{fmt::format("a step of {:.3g} is not solved ({})", static_cast<double>(step), report.worst)};
  }
}

bool Slope::agrees(double slope) const { return std::fabs(slope - local_ - declared_) <= 0.25; }

void Slope::add(quad error, quad floor, quad lacking) {
  if (settled_) return;
  // An error ten times that of the reference is wrong by a tenth at most, a slope by 0.15.
  if (!(error > floor + quad(10) * lacking)) {  // a NaN never gets here: the step would have failed
    exact_ = points_ == 0 && error <= floor;
    settled_ = true;
    return;
  }
  if (points_++ > 0) slopes_.push_back(static_cast<double>(log2(last_error_ / error)));
  last_error_ = error;
  const std::size_t count = slopes_.size();
  if (count < 2 || std::fabs(slopes_[count - 2] - slopes_[count - 1]) > 0.05) return;
  settled_ = declared_ == 0 || agrees((slopes_[count - 2] + slopes_[count - 1]) / 2);
}

bool Slope::holds() const {
  const std::size_t count = slopes_.size();
  return settled_ || declared_ == 0 || (count >= 2 && agrees(slopes_[count - 2]) && agrees(slopes_[count - 1]));
}

Law Slope::law(const std::string& name, bool quadratic) const {
  Law law{.name = name, .declared = declared_ > 0 ? std::to_string(declared_) : "-", .floor = 0.25};
  const auto last = static_cast<double>(last_error_);
  const std::size_t count = slopes_.size();
  if (exact_) {
    law.measured = "exact on this system";
    law.holds = true;
    return law;
  }
  if (count < 2) {
    law.measured =
        fmt::format("not measurable: fewer than three points above round-off, the last {}", scientific(last));
    law.defect = last;
    law.holds = declared_ == 0;
    law.measurable = law.holds;
    return law;
  }
  const double before = slopes_[count - 2], latest = slopes_[count - 1], order = (before + latest) / 2 - local_;
  law.measured = order < 0.25 ? fmt::format("no convergence: {}", scientific(last)) : fmt::format("{:.2f}", order);
  if (declared_ == 0) {
    law.defect = last;
    law.holds = true;
    return law;
  }
  law.defect = std::fabs(order - declared_);
  law.holds =
      settled_ && std::fabs(before - latest) <= 0.05 ? agrees(order + local_) : agrees(before) && agrees(latest);
  if (law.holds) return law;
  // Wrong by three slopes that agree and do not come nearer; otherwise it is too early to tell.
  const auto away = [&](double slope) { return std::fabs(slope - local_ - declared_); };
  const bool firm = count >= 3 && std::fabs(slopes_[count - 3] - before) <= 0.05 &&
                    std::fabs(before - latest) <= 0.05 && away(slopes_[count - 3]) - away(latest) <= 0.02;
  law.measurable = firm;
  if (!firm)
    law.measured =
        fmt::format("not measurable: slopes {:.2f}, {:.2f} have not settled", before - local_, latest - local_);
  else if (order > declared_) {
    law.measured += quadratic ? ", as L is quadratic" : ", super-convergent";
    law.holds = quadratic;
  }
  return law;
}

int halvings(int n, int first_steps) {
  int count = 5;
  while (count < 9 && (first_steps << (count + 1)) <= (1 << 16) / std::max(n, 1)) ++count;
  return count;
}

std::string scientific(double x) { return fmt::format("{:.1e}", x); }

std::string defect_text(quad coarse, quad fine) {
  std::string text = scientific(static_cast<double>(coarse));
  if (fine > quad(0)) text += fmt::format(" ~ h^{:.1f}", log2(coarse / fine));
  return text;
}

quad Dice::operator()() {
  // xorshift64: the standard library's distributions differ between implementations.
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return quad(static_cast<long long>(state_ >> 12)) / quad(0x1p51) - quad(1);
}

}  // namespace extremal::laws
