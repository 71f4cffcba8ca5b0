#include "lie/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "kernel/rank.hpp"
#include "numbers/instantiate.hpp"
#include "scheme/family.hpp"

namespace extremal::lie {
namespace {

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
  for (const Substep& sub : scheme.substeps()) append(sub.scheme, factor * static_cast<S>(sub.coefficient));
  if (scheme.composed()) return;
  const LieGroup* lie = scheme.as<LieGroup>();
  if (lie == nullptr)
    throw InputError(scheme_.name + ": composes lie members with " + scheme.name + "; expected lie members only");
  const Quadrature rule = quadrature(lie->rule);
  S weights[2] = {S(0), S(0)};  // a rule of one end has one node
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    weights[rule.nodes[i] > quad(0) ? 1 : 0] = static_cast<S>(rule.weights[i]);
  members_.push_back({factor, weights[0], weights[1], on_directors(scheme)});
}

template <class S>
std::unique_ptr<StepEngine<S>> LieEngine<S>::retaken() {
  auto engine = make_point_engine<S>(system_, on_directors(scheme_));
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
void LieEngine<S>::sync() const {
  if (synced_) return;
  rods_->give(t_, motion_.bodies());
  motion_.prepare();
  synced_ = true;
  seen_t_ = t_;
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
const std::vector<S>& LieEngine<S>::velocity() {
  sync();
  velocity_.resize(sz(system_.size()));
  state_.t = t_;
  to_directors<S, S>(model_, motion_.bodies(), state_.q.data(), state_.p.data(), velocity_.data());
  current_ = true;
  return velocity_;
}

template <class S>
StepReport LieEngine<S>::step(S h) {
  if (rods_ != nullptr) return step_rods(h);
  StepReport report;
  if (scheme_.composed()) before_ = motion_.bodies();
  before_t_ = t_;
  const S t0 = t_;
  S fraction(0);
  work_ = supplied_ = S(0);
  sources_.assign(motion_.work().size(), S(0));
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
  for (const S& x : sources_) {
    work_ += x;
    if (x > S(0)) supplied_ += x;
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
  report.converged = rods_->step(t_, h, work_, supplied_);
  if (!report.converged) {
    if (const int load = rods_->bad_load(); load >= 0) {
      const RigidLoad& of = model_.plain_loads[sz(load)];
      report.worst = fmt::format("{} on rod node \"{}\" is not finite at t = {:.8g}", of.torque ? "torque" : "force",
                                 model_.body_names[sz(of.body)], static_cast<double>(t_ + h));
      report.finite = false;
    } else if (const int node = rods_->lost(); node >= 0) {
      report.worst = fmt::format("rod node \"{}\" turns by h |omega| = 1 or more in one step, expected less than 0.9",
                                 model_.body_names[sz(node)]);
    } else {
      report.worst = "the momenta of the rods are not finite";
      report.finite = false;
    }
    rods_->take(motion_.bodies());
    t_ = seen_t_;
    t_low_ = S(0);
    current_ = false;
    synced_ = true;
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
    StepResult<S> result = motion_.step(t, h, member.b0, member.b1);
    if (result.outcome == Outcome::done && !motion_.is_finite()) {
      motion_.bodies() = motion_.previous();
      result.outcome = Outcome::not_finite;
    }
    report.iterations += result.iterations;
    report.residual = static_cast<double>(result.residual);
    if (model_.rows == 0 && result.outcome != Outcome::done) {
      describe(result, h, report);
      return false;
    }
    const Trouble trouble = loop_ || result.outcome != Outcome::done ? trouble_of(result) : Trouble::none;
    if (trouble == Trouble::none) {
      last_by_directors_ = false;
      for (std::size_t k = 0; k < sources_.size(); ++k) sources_[k] += motion_.work()[k];
      t_ = t + h;
      current_ = false;
      return true;
    }
    if (result.outcome == Outcome::done) motion_.bodies() = motion_.previous();
    motion_.prepare();
    describe(result, h, report);
    return by_directors(member, t, h, trouble, report);
  }
  return by_directors(member, t, h, Trouble::close, report);
}

template <class S>
Trouble LieEngine<S>::trouble_of(const StepResult<S>& result) const {
  switch (result.outcome) {
    case Outcome::done:
      return result.jumped ? Trouble::jump : motion_.close_pivots() > close_ ? Trouble::close : Trouble::none;
    case Outcome::too_fast:
      return Trouble::too_fast;
    case Outcome::stalled:
      return Trouble::stalled;
    case Outcome::singular:
      return Trouble::singular;
    case Outcome::not_finite:
      return Trouble::not_finite;
  }
  return Trouble::none;
}

// The same map, solved with all that is known about redundant joints and singular configurations.
template <class S>
bool LieEngine<S>::by_directors(const Member& member, S t, S h, Trouble trouble, StepReport& report) {
  t_ = t;
  current_ = false;
  motion_.forget();
  from_ = motion_.bodies();
  StepEngine<S>& engine = directors(member);
  // Without what earlier questions and steps left in it: a run that goes on takes the same step.
  engine.place(state());
  directors_moved_ = true;
  const StepReport found = engine.step(h);
  fell_back_ = last_by_directors_ = true;
  report.iterations += found.iterations;
  report.fallbacks += found.fallbacks;
  report.retries += 1 + found.retries;
  if (report.refused == Trouble::none) report.refused = trouble;
  report.singular += found.singular;
  report.correction = found.correction;
  report.residual = found.residual;
  report.stalled = found.stalled;
  report.finite = found.finite;
  if (!found.converged) {
    report.worst = found.worst;
    return false;
  }
  // Theirs may be another map, and is then worth more mention than that they took the step.
  if (report.remedy == Remedy::none || found.remedy != Remedy::none)
    report.remedy = found.remedy == Remedy::none ? Remedy::directors : found.remedy;
  work_ += engine.work();
  supplied_ += engine.supplied();
  take(engine.state());
  return true;
}

template <class S>
void LieEngine<S>::describe(const StepResult<S>& result, S h, StepReport& report) const {
  report.finite = result.outcome != Outcome::not_finite;
  report.stalled = result.outcome == Outcome::stalled;
  if (result.outcome == Outcome::not_finite) {
    report.worst = "the state at the end of the step is not finite";
  } else if (result.outcome == Outcome::too_fast) {
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
void LieEngine<S>::observe(const State<S>& state, Observation<S>& out, bool multipliers) {
  directors(members_.front()).observe(state, out, multipliers);
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

// Those of rigidity do not exist here and are left 0; those that bodies hang by are found by the directors.
template <class S>
const std::vector<S>& LieEngine<S>::multipliers() {
  const std::size_t m = sz(system_.constraint_count());
  multipliers_.assign(2 * m, S(0));
  const Member& last = members_.back();
  const S h = last.coefficient * last_h_;
  if (h == S(0)) return multipliers_;
  for (const Joint<S>& joint : model_.joints)
    for (int k = 0; k < joint.count(); ++k) {
      const std::size_t row = sz(joint.index[sz(k)]), at = sz(joint.first + k);
      const S unit = joint.rows[sz(k)].kind == RigidRow::Kind::normal ? model_.length : S(1);
      multipliers_[row] = S(2) * unit * motion_.impulses()[at] / h;
      multipliers_[m + row] = S(2) * unit * motion_.projection()[at] / h;
    }
  if (model_.hung_rows.empty()) return multipliers_;
  StepEngine<S>& engine = directors(last);
  State<S> from{t_ - h, state_.q, state_.p};
  to_directors<S, S>(model_, last_by_directors_ ? from_ : motion_.previous(), from.q.data(), from.p.data(), nullptr);
  engine.place(from);
  engine.step(h);
  directors_moved_ = true;
  for (const int row : model_.hung_rows)
    for (const std::size_t at : {sz(row), m + sz(row)}) multipliers_[at] = engine.multipliers()[at];
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
    sync();  // where a step that fails goes back to
    return;
  }
  for (BodyState<S>& b : motion_.bodies())
    for (S* x :
         {&b.x.x, &b.x.y, &b.x.z, &b.q.w, &b.q.x, &b.q.y, &b.q.z, &b.p.x, &b.p.y, &b.p.z, &b.pi.x, &b.pi.y, &b.pi.z})
      *x = *from++;
  motion_.prepare();
  motion_.restore(from);
}

#define EXTREMAL_INSTANTIATE(S) template class LieEngine<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie

namespace extremal {

template <class S>
std::unique_ptr<StepEngine<S>> make_lie_engine(const System& system, const Scheme& scheme) {
  return std::make_unique<lie::LieEngine<S>>(system, scheme);
}

#define EXTREMAL_INSTANTIATE(S) template std::unique_ptr<StepEngine<S>> make_lie_engine(const System&, const Scheme&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
