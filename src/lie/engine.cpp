#include "lie/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "kernel/rank.hpp"

namespace extremal::lie {
namespace {

// Matrices of redundant joints are regularised by this. Where g(q1) leaves the range of S0, by h times itself, the
// impulses run off by 1 / eps along directions that move nothing but for rounding: 1e-12 would stop at |g| = 1e-11. The
// residuals are exact, and eps slows the iteration down only where S has eigenvalues as small.
constexpr double redundant_eps = 1e-5;
// An impulse that changes the velocity by more than this against its guess is no smooth motion.
constexpr double sudden = 0.03;

template <class T, class S>
Vec3<T> lift(const Vec3<S>& x) {
  return {T(x.x), T(x.y), T(x.z)};
}

template <class T>
void put(const Vec3<T>& x, int dimension, T* to) {
  to[0] = x.x;
  to[1] = x.y;
  if (dimension == 3) to[2] = x.z;
}

template <class S>
Vec3<S> get(const S* from, int dimension) {
  return {from[0], from[1], dimension == 3 ? from[2] : S(0)};
}

template <class S>
Vec3<S> euler(const Vec3<S>& J) {
  const S half = (J.x + J.y + J.z) / S(2);
  return {half - J.x, half - J.y, half - J.z};
}

System only_symmetries(const System& system) {
  System out(system.name());
  for (const std::string& name : system.coordinate_names()) out.coordinates(name);
  for (std::size_t i = 0; i < system.parameters().size(); ++i)
    out.parameter(system.parameter_names()[i], system.parameters()[i]);
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) out.add_term(term);
  return out;
}

}  // namespace

template <class S, class T>
void to_directors(const Model<S>& model, const std::vector<BodyState<T>>& bodies, T* q, T* p, T* v) {
  const int D = model.dimension;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto& body = model.bodies[b];
    const BodyState<T>& state = bodies[b];
    put(state.x, D, q + body.first);
    put(state.p, D, p + body.first);
    if (v != nullptr) put(T(S(1) / body.mass) * state.p, D, v + body.first);
    if (!body.turns) continue;
    const Columns<T> R = columns(state.q);
    const Vec3<S>& J = body.inertia;
    const Vec3<T> omega = R.to_space(scaled(lift<T>(Vec3<S>{S(1) / J.x, S(1) / J.y, S(1) / J.z}), R.to_body(state.pi)));
    const Vec3<S> E = euler(J);
    const Vec3<T>* d[3] = {&R.e1, &R.e2, &R.e3};
    const S weights[3] = {E.x, E.y, E.z};
    for (int i = 0; i < D; ++i) {
      const Vec3<T> rate = cross(omega, *d[i]);
      put(*d[i], D, q + body.first + D * (i + 1));
      put(T(weights[i]) * rate, D, p + body.first + D * (i + 1));
      if (v != nullptr) put(rate, D, v + body.first + D * (i + 1));
    }
  }
}

template <class S>
LieEngine<S>::LieEngine(const System& system, const Scheme& scheme)
    : system_(system), scheme_(scheme), model_(system, scheme.name), motion_(model_) {
  append(scheme, S(1));
  loop_ = model_.rows > 0 && has_loop(system);
  motion_.watch_jumps(loop_);
  if (!scheme.composed())
    rods_ = RodMotion<S>::made_for(model_, *system.rigid(), members_.front().b0, members_.front().b1);
  before_ = from_ = motion_.bodies();
  state_.q.assign(sz(system.size()), S(0));
  state_.p = state_.q;
  if (system.has(Role::symmetry))
    symmetries_ = std::make_unique<Evaluation<S>>(only_symmetries(system), 1, Storage::sparse);
}

template <class S>
void LieEngine<S>::append(const Scheme& scheme, S factor) {
  for (const Substep& sub : scheme.substeps) append(sub.scheme, factor * static_cast<S>(sub.coefficient));
  if (scheme.composed()) return;
  if (scheme.family != Family::lie)
    throw InputError(scheme_.name + ": composes lie members with " + scheme.name + "; expected lie members only");
  const Quadrature rule = quadrature(scheme.lie.rule);
  Scheme directors = Scheme::named("rattle");
  directors.name = scheme.name + " on directors";
  directors.galerkin.lagrangian = scheme.lie.rule;
  S weights[2] = {S(0), S(0)};  // a rule of one end has one node
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    weights[rule.nodes[i] > quad(0) ? 1 : 0] = static_cast<S>(rule.weights[i]);
  members_.push_back({factor, weights[0], weights[1], directors});
}

template <class S>
std::unique_ptr<StepEngine<S>> LieEngine<S>::retaken() {
  Scheme whole = members_.front().directors;
  if (scheme_.composed()) {
    whole = Scheme();
    for (const Member& member : members_)
      whole.substeps.push_back({static_cast<quad>(member.coefficient), member.directors});
  }
  whole.name = scheme_.name + " on directors";
  auto engine = make_point_engine<S>(system_, whole);
  State<S> state{before_t_, state_.q, state_.p};
  to_directors<S, S>(model_, before_, state.q.data(), state.p.data(), nullptr);
  engine->place(state);
  engine->step(last_h_);
  return engine;
}

template <class S>
StepEngine<S>& LieEngine<S>::directors(const Member& member) const {
  if (directors_ == nullptr || directors_of_ != &member.directors) {
    directors_ = make_point_engine<S>(system_, member.directors);
    directors_of_ = &member.directors;
    directors_moved_ = true;
  }
  // Placing it finds the rank of its constraints and solves for its velocities: once for all questions of a row.
  const State<S>&here = state(), &there = directors_->state();
  if (directors_moved_ || here.t != there.t || here.q != there.q || here.p != there.p) directors_->place(here);
  directors_moved_ = false;
  return *directors_;
}

template <class S>
Consistency LieEngine<S>::start(const Start& start, S step) {
  if (!start.next.empty())
    throw InputError("start: two positions need a single hamilton member; " + scheme_.name + " is none; try q and v");
  Consistency found;
  if (!start_here(start, found)) {
    directors_ = make_point_engine<S>(system_, members_.front().directors);
    directors_of_ = &members_.front().directors;
    found = directors_->start(start, step);
    regularise(found.redundant > 0 ? redundant_eps : 0);
    place(directors_->state());
  }
  refuse_long(math::abs(step));
  return found;
}

// Positions that are consistent already, of a mechanism without loops, need no other engine's help; momenta are
// projected.
template <class S>
bool LieEngine<S>::start_here(const Start& start, Consistency& found) {
  const std::size_t n = sz(system_.size());
  if (loop_ || !model_.drives.empty() || start.q.size() != n || (!start.v.empty() && start.v.size() != n) ||
      !start.p.empty())
    return false;
  State<S> state{start.t.template as<S>(), {}, std::vector<S>(n, S(0))};
  for (const Number& x : start.q) state.q.push_back(x.template as<S>());
  const int D = model_.dimension;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const auto& body = model_.bodies[b];
    const Vec3<S> E = euler(body.inertia);
    const S weights[4] = {body.mass, E.x, E.y, E.z};
    for (int c = 0; !start.v.empty() && c < (body.turns ? D * (D + 1) : D); ++c)
      state.p[sz(body.first + c)] = weights[c / D] * start.v[sz(body.first + c)].template as<S>();
    for (int i = 1; body.turns && i <= D; ++i)
      for (int j = 1; j <= i; ++j) {
        const Vec3<S> x = get(state.q.data() + body.first + D * i, D), y = get(state.q.data() + body.first + D * j, D);
        if (math::abs(dot(x, y) - S(i == j)) > S(16) * Scalar<S>::epsilon) return false;
      }
  }
  regularise(0);
  place(state);
  if (eps_ > 0 || motion_.gap() > S(16) * Scalar<S>::epsilon) return false;
  for (std::size_t i = 0; i < n; ++i)
    found.momentum = std::max(found.momentum, static_cast<double>(math::abs(this->state().p[i] - state.p[i])));
  return true;
}

template <class S>
void LieEngine<S>::refuse_long(S step) const {
  const double h = static_cast<double>(step);
  if (model_.step_bound > 0 && h > model_.step_bound)
    throw InputError(
        fmt::format("{}: step {:.4g} is above the bound {:.4g} of its rods; {} is explicit; try step <= {:.2g}",
                    system_.name(), h, model_.step_bound, scheme_.name, 0.8 * model_.step_bound));
  for (std::size_t b = 0; h > 0 && b < model_.bodies.size(); ++b) {
    const Vec3<S> omega = motion_.angular_velocity(b);
    const double angle = h * static_cast<double>(math::sqrt(dot(omega, omega)));
    if (model_.bodies[b].swings && angle >= 0.9)
      throw InputError(
          fmt::format("{}: body \"{}\" turns by h |omega| = {:.3g} in one step; {} needs less than 0.9; try "
                      "step <= {:.2g}",
                      system_.name(), model_.body_names[b], angle, scheme_.name, h * 0.8 / angle));
  }
}

template <class S>
void LieEngine<S>::regularise(double eps) {
  eps_ = eps;
  motion_.regularise(eps);
  if (dual_ != nullptr) dual_->regularise(eps);
}

template <class S>
void LieEngine<S>::place(const State<S>& state) {
  t_low_ = S(0);
  motion_.forget();
  take(state);
  close_ = motion_.close_pivots();
}

template <class S>
void LieEngine<S>::take(const State<S>& state) {
  const int D = model_.dimension;
  t_ = state.t;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const auto& body = model_.bodies[b];
    BodyState<S>& to = motion_.bodies()[b];
    const S *q = state.q.data() + body.first, *p = state.p.data() + body.first;
    const Vec3<S> none{S(0), S(0), S(0)};
    to.x = get(q, D);
    to.p = body.moves ? get(p, D) : none;
    to.pi = none;
    if (!body.turns) continue;
    Columns<S> R{{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
    Vec3<S>* d[3] = {&R.e1, &R.e2, &R.e3};
    for (int i = 0; i < D; ++i) {
      *d[i] = get(q + D * (i + 1), D);
      to.pi = to.pi + cross(*d[i], get(p + D * (i + 1), D));
    }
    Quaternion<S> turn = from_columns(R);
    turn = (S(1) / math::sqrt(squared_norm(turn))) * turn;
    to.q = turn;
    if (!body.swings) to.pi = none;
  }
  motion_.follow_drives(t_);
  if (!motion_.prepare()) {
    regularise(redundant_eps);
    motion_.prepare();
  }
  motion_.project();
  current_ = false;
  synced_ = true;
  if (rods_ != nullptr) rods_->take(motion_.bodies());
}

template <class S>
void LieEngine<S>::sync() const {
  if (synced_) return;
  rods_->give(t_, motion_.bodies());
  motion_.prepare();
  synced_ = true;
}

template <class S>
void LieEngine<S>::recover() {
  sync();
  if (rods_ == nullptr) {
    if (!last_by_directors_) from_ = motion_.previous();
    if (!scheme_.composed()) before_ = from_;
    return;
  }
  const std::vector<BodyState<S>> here = motion_.bodies();
  motion_.step(t_, -last_h_, members_.front().b1, members_.front().b0);
  before_ = from_ = motion_.bodies();
  motion_.bodies() = here;
  motion_.prepare();
}

template <class S>
const State<S>& LieEngine<S>::state() const {
  if (!current_) {
    sync();
    state_.t = t_;
    to_directors<S, S>(model_, motion_.bodies(), state_.q.data(), state_.p.data(), nullptr);
    current_ = true;
  }
  return state_;
}

template <class S>
StepReport LieEngine<S>::step(S h) {
  if (rods_ != nullptr) return step_rods(h);
  StepReport report;
  if (scheme_.composed()) before_ = motion_.bodies();
  before_t_ = t_;
  const S t0 = t_;
  S fraction(0);
  work_ = S(0);
  fell_back_ = false;
  for (const Member& member : members_) {
    report.converged = false;
    if (!advance(member, t0 + fraction * h, member.coefficient * h, report)) {
      if (scheme_.composed()) motion_.bodies() = before_;
      motion_.prepare();
      motion_.forget();
      t_ = t0;
      current_ = false;
      return report;
    }
    report.converged = true;
    fraction += member.coefficient;
  }
  const S y = h + t_low_;
  t_ = t0 + y;
  t_low_ = y - (t_ - t0);
  last_h_ = h;
  current_ = false;
  return report;
}

// A step that fails ends the motion: what the kernel has of the nodes then is no state, and the last one that was
// looked at is put back.
template <class S>
StepReport LieEngine<S>::step_rods(S h) {
  StepReport report;
  before_t_ = t_;
  report.converged = rods_->step(t_, h, work_);
  if (!report.converged) {
    report.worst = fmt::format("rod node \"{}\" turns by h |omega| = 1 or more in one step, expected less than 0.9",
                               model_.body_names[sz(rods_->lost())]);
    if (synced_) rods_->take(motion_.bodies());
    return report;
  }
  const S y = h + t_low_;
  t_ = before_t_ + y;
  t_low_ = y - (t_ - before_t_);
  last_h_ = h;
  current_ = synced_ = false;
  return report;
}

template <class S>
bool LieEngine<S>::advance(const Member& member, S t, S h, StepReport& report) {
  const bool close = loop_ && motion_.close_pivots() > close_;
  if (!close) {
    const StepResult<S> result = motion_.step(t, h, member.b0, member.b1);
    report.iterations += result.iterations;
    report.residual = static_cast<double>(result.residual);
    if (model_.rows == 0 && result.outcome != Outcome::done) {
      describe(result, h, report);
      return false;
    }
    const bool sound = result.outcome == Outcome::done && !(loop_ && result.jump > S(sudden)) &&
                       !(loop_ && motion_.close_pivots() > close_);
    if (sound) {
      last_by_directors_ = false;
      work_ += motion_.work();
      t_ = t + h;
      current_ = false;
      return true;
    }
    if (result.outcome == Outcome::done) motion_.bodies() = motion_.previous();
    motion_.prepare();
    describe(result, h, report);
  }
  return by_directors(member, t, h, report);
}

// The same map, solved with all that is known about redundant joints and singular configurations.
template <class S>
bool LieEngine<S>::by_directors(const Member& member, S t, S h, StepReport& report) {
  t_ = t;
  current_ = false;
  motion_.forget();
  from_ = motion_.bodies();
  StepEngine<S>& engine = directors(member);
  // Without what earlier questions and steps left in it: a run that goes on takes the same step.
  engine.place(state());
  directors_moved_ = true;
  const StepReport found = engine.step(h);
  ++report.fallbacks;
  fell_back_ = last_by_directors_ = true;
  report.iterations += found.iterations;
  report.retries += found.retries;
  report.singular += found.singular;
  report.correction = found.correction;
  report.residual = found.residual;
  if (!found.converged) {
    report.worst = found.worst;
    return false;
  }
  work_ += engine.work();
  take(engine.state());
  return true;
}

template <class S>
void LieEngine<S>::describe(const StepResult<S>& result, S h, StepReport& report) const {
  if (result.outcome == Outcome::too_fast) {
    const double angle = static_cast<double>(result.residual);
    report.worst =
        fmt::format("body \"{}\" turns by h |omega| = {:.3g} in one step, expected less than 0.9 (step {:.2g})",
                    model_.body_names[sz(result.where)], angle, static_cast<double>(h));
  } else if (result.where >= 0) {
    report.worst = "constraint \"" + model_.row_names[sz(result.where)] + "\"";
  } else {
    report.worst = "forces that depend on the velocity";
  }
}

template <class S>
S LieEngine<S>::potential() {
  return motion_.potential(t_);
}

template <class S>
void LieEngine<S>::observe(Observation<S>& out, bool multipliers) {
  const int m = system_.constraint_count();
  sync();
  out.v.resize(sz(system_.size()));
  out.lambda.resize(sz(m));
  current_ = true;
  state_.t = t_;
  to_directors<S, S>(model_, motion_.bodies(), state_.q.data(), state_.p.data(), out.v.data());
  out.kinetic = motion_.kinetic();
  out.potential = potential();
  out.constraint = motion_.gap();
  out.hidden = motion_.hidden();
  out.momenta.resize(symmetries_ == nullptr ? 0 : sz(symmetries_->symmetry_count()));
  if (symmetries_ != nullptr) symmetries_->momenta(state_.q.data(), state_.p.data(), &t_, out.momenta.data());
  if (!multipliers || m == 0) return;
  Observation<S> all;
  directors(members_.front()).observe(all, true);
  out.lambda = all.lambda;
}

template <class S>
double LieEngine<S>::symmetry_defect(int index) {
  return directors(members_.front()).symmetry_defect(index);
}
template <class S>
std::vector<S> LieEngine<S>::constraint_jacobian(const std::vector<S>& q, S t) {
  return directors(members_.front()).constraint_jacobian(q, t);
}
template <class S>
void LieEngine<S>::constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) {
  directors(members_.front()).constraint_norms(q, t, out);
}

// Those of rigidity do not exist here and are left 0.
template <class S>
const std::vector<S>& LieEngine<S>::multipliers() const {
  const std::size_t m = sz(system_.constraint_count());
  multipliers_.assign(2 * m, S(0));
  const Member& last = members_.back();
  const S h = last.coefficient * last_h_;
  for (const Joint<S>& joint : model_.joints)
    for (int k = 0; h != S(0) && k < joint.count(); ++k) {
      const std::size_t row = sz(joint.index[sz(k)]), at = sz(joint.first + k);
      multipliers_[row] = S(2) * motion_.impulses()[at] / h;
      multipliers_[m + row] = S(2) * motion_.projection()[at] / h;
    }
  return multipliers_;
}

template <class S>
void LieEngine<S>::dense(S c, DensePoint<S>& out) {
  recover();
  std::vector<BodyState<S>> inside = from_;
  const auto& to = motion_.bodies();
  for (std::size_t b = 0; b < inside.size(); ++b) {
    BodyState<S>& body = inside[b];
    body.x = body.x + c * (to[b].x - body.x);
    body.p = body.p + c * (to[b].p - body.p);
    body.pi = body.pi + c * (to[b].pi - body.pi);
    // Along the geodesic.
    Quaternion<S> r = conj(body.q) * to[b].q;
    if (r.w < S(0)) r = S(-1) * r;
    const Vec3<S> u{r.x, r.y, r.z};
    const S sine = math::sqrt(dot(u, u));
    const S angle = sine > S(0) ? S(2) * math::atan2(sine, r.w) / sine : S(2);
    body.q = body.q * from_rotation_vector(c * angle * u);
  }
  out.q.resize(sz(system_.size()));
  out.p = out.q;
  to_directors<S, S>(model_, inside, out.q.data(), out.p.data(), nullptr);
  out.lambda.assign(sz(system_.constraint_count()), S(0));
  const std::vector<S>& ends = multipliers();
  for (std::size_t k = 0; k < out.lambda.size(); ++k)
    out.lambda[k] = (S(1) - c) * ends[k] + c * ends[k + out.lambda.size()];
}

// The step is taken once more, its derivative along every displacement and momentum of every body with it.
template <class S>
std::vector<S> LieEngine<S>::tangent() {
  using T = Dual<S>;
  const int n = system_.size(), D = model_.dimension;
  const std::size_t width = sz(2 * n), count = model_.bodies.size();
  std::vector<S> out(width * width, S(0));
  recover();
  if (fell_back_) return retaken()->tangent();
  if (dual_ == nullptr) {
    dual_ = std::make_unique<Motion<S, T>>(model_);
    dual_->regularise(eps_);
  }
  std::vector<T> q(sz(n)), p(sz(n));
  // images[12 b + c]: the derivative of the end by displacement or momentum c of body b.
  std::vector<std::vector<S>> images(12 * count, std::vector<S>(width, S(0)));
  for (std::size_t b = 0; b < count; ++b)
    for (int c = 0; c < 12; ++c) {
      const auto& body = model_.bodies[b];
      const bool turning = c % 6 >= 3;
      if (!(turning ? body.swings : body.moves) || (D == 2 && (turning ? c % 3 != 2 : c % 3 == 2))) continue;
      for (std::size_t i = 0; i < count; ++i) {
        const BodyState<S>& s = before_[i];
        dual_->bodies()[i] = {lift<T>(s.x), {T(s.q.w), T(s.q.x), T(s.q.y), T(s.q.z)}, lift<T>(s.p), lift<T>(s.pi)};
      }
      BodyState<T>& seed = dual_->bodies()[b];
      const Vec3<S> e{S(c % 3 == 0), S(c % 3 == 1), S(c % 3 == 2)};
      const auto tilt = [](Vec3<T>& x, const Vec3<S>& along) {
        x.x.g[0] = along.x, x.y.g[0] = along.y, x.z.g[0] = along.z;
      };
      if (c < 3) tilt(seed.x, e);
      if (c >= 3 && c < 6) {
        const Quaternion<S>& s = before_[b].q;
        const Quaternion<S> d = (S(1) / S(2)) * (Quaternion<S>{S(0), e.x, e.y, e.z} * s);
        seed.q.w.g[0] = d.w, seed.q.x.g[0] = d.x, seed.q.y.g[0] = d.y, seed.q.z.g[0] = d.z;
      }
      if (c >= 6 && c < 9) tilt(seed.p, e);
      if (c >= 9) tilt(seed.pi, e);
      dual_->forget();
      dual_->prepare();
      S fraction(0);
      for (const Member& member : members_) {
        const S t = before_t_ + fraction * last_h_;
        const StepResult<S> found = dual_->step(t, member.coefficient * last_h_, member.b0, member.b1);
        // Slopes converge later than values, without a guess, and need not at all where the step is long.
        if (found.outcome != Outcome::done) return retaken()->tangent();
        fraction += member.coefficient;
      }
      to_directors<S, T>(model_, dual_->bodies(), q.data(), p.data(), nullptr);
      std::vector<S>& image = images[12 * b + sz(c)];
      for (std::size_t i = 0; i < q.size(); ++i) image[i] = q[i].g[0], image[sz(n) + i] = p[i].g[0];
    }
  // The displacement that a change of the directors is, and the change of the momentum: theta = sum d x delta d / 2,
  // pi = sum d x p.
  std::vector<S> q0(sz(n)), p0(sz(n));
  to_directors<S, S>(model_, before_, q0.data(), p0.data(), nullptr);
  const auto add = [&](std::size_t b, int c, S factor, int column) {
    const std::vector<S>& image = images[12 * b + sz(c)];
    for (std::size_t i = 0; factor != S(0) && i < width; ++i) out[i * width + sz(column)] += factor * image[i];
  };
  for (std::size_t b = 0; b < count; ++b) {
    const auto& body = model_.bodies[b];
    for (int k = 0; k < D; ++k) {
      add(b, k, S(1), body.first + k);
      add(b, 6 + k, S(1), n + body.first + k);
    }
    for (int i = 1; body.turns && i <= D; ++i)
      for (int k = 0; k < D; ++k) {
        const int at = body.first + D * i;
        const Vec3<S> e{S(k == 0), S(k == 1), S(k == 2)}, d = get(q0.data() + at, D), m = get(p0.data() + at, D);
        const Vec3<S> theta = (S(1) / S(2)) * cross(d, e), by_q = cross(e, m), by_p = cross(d, e);
        const S turn[3] = {theta.x, theta.y, theta.z}, one[3] = {by_q.x, by_q.y, by_q.z},
                two[3] = {by_p.x, by_p.y, by_p.z};
        for (int c = 0; c < 3; ++c) {
          add(b, 3 + c, turn[c], at + k);
          add(b, 9 + c, one[c], at + k);
          add(b, 9 + c, two[c], n + at + k);
        }
      }
  }
  return out;
}

// Taken once more, since a step alone has no use for it.
template <class S>
S LieEngine<S>::action() {
  recover();
  if (fell_back_) return retaken()->action();
  Motion<S> again(model_);
  again.regularise(eps_);
  again.bodies() = before_;
  again.prepare();
  S sum(0), fraction(0);
  for (const Member& member : members_) {
    const S t = before_t_ + fraction * last_h_, h = member.coefficient * last_h_;
    sum -= h * member.b0 * again.potential(t);
    again.step(t, h, member.b0, member.b1);
    sum += again.kinetic_action() - h * member.b1 * again.potential(t + h);
    fraction += member.coefficient;
  }
  return sum;
}

template <class S>
Checkpoint<S> LieEngine<S>::save() const {
  Checkpoint<S> out;
  out.numbers = {t_, t_low_, S(eps_), S(close_)};
  if (rods_ != nullptr) {
    rods_->save(out.numbers);
    return out;
  }
  for (const BodyState<S>& b : motion_.bodies())
    for (const S x : {b.x.x, b.x.y, b.x.z, b.q.w, b.q.x, b.q.y, b.q.z, b.p.x, b.p.y, b.p.z, b.pi.x, b.pi.y, b.pi.z})
      out.numbers.push_back(x);
  motion_.save(out.numbers);
  return out;
}

template <class S>
void LieEngine<S>::restore(const Checkpoint<S>& checkpoint) {
  const S* from = checkpoint.numbers.data();
  t_ = *from++;
  t_low_ = *from++;
  regularise(static_cast<double>(*from++));
  close_ = static_cast<int>(*from++);
  current_ = false;
  if (rods_ != nullptr) {
    rods_->restore(from);
    synced_ = false;
    return;
  }
  for (BodyState<S>& b : motion_.bodies())
    for (S* x :
         {&b.x.x, &b.x.y, &b.x.z, &b.q.w, &b.q.x, &b.q.y, &b.q.z, &b.p.x, &b.p.y, &b.p.z, &b.pi.x, &b.pi.y, &b.pi.z})
      *x = *from++;
  motion_.prepare();
  motion_.restore(from);
}

template class LieEngine<double>;
template class LieEngine<long double>;
template class LieEngine<quad>;

}  // namespace extremal::lie

namespace extremal {

template <class S>
std::unique_ptr<StepEngine<S>> make_lie_engine(const System& system, const Scheme& scheme) {
  return std::make_unique<lie::LieEngine<S>>(system, scheme);
}

template std::unique_ptr<StepEngine<double>> make_lie_engine(const System&, const Scheme&);
template std::unique_ptr<StepEngine<long double>> make_lie_engine(const System&, const Scheme&);
template std::unique_ptr<StepEngine<quad>> make_lie_engine(const System&, const Scheme&);

}  // namespace extremal
