// LieEngine: how a step is taken, and by whom.
#include "lie/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "extremal/error.hpp"
#include "kernel/rank.hpp"
#include "numbers/instantiate.hpp"
#include "scheme/family.hpp"

namespace extremal::lie {
namespace {

constexpr std::size_t enough_for_threads = 4000;  // bodies

bool in_the_middle(const Rule& rule) { return rule.kind == RuleKind::gauss; }

// A body that hangs has moments about the point, which the kinetic energy of the middle is not that of.
Holds holds_of(const Scheme& scheme) {
  for (const Substep& sub : scheme.substeps())
    if (holds_of(sub.scheme) == Holds::at_centres) return Holds::at_centres;
  const LieGroup* lie = scheme.as<LieGroup>();
  return lie != nullptr && in_the_middle(lie->rule) ? Holds::at_centres : Holds::at_points;
}

template <class S>
StepRule<S> rule_of(const LieGroup& lie) {
  const Rule& given = lie.rule;
  if (lie.free) {
    const quad first = lie.first * (quad(1) + quad(given.perturbation.amount()));
    return {static_cast<S>(first), static_cast<S>(lie.last), false, true};
  }
  const Quadrature rule = quadrature(given);
  if (in_the_middle(given))
    return {static_cast<S>(rule.weights[0] / 2), static_cast<S>(rule.weights[0] / 2), true, false};
  S weights[2] = {S(0), S(0)};  // a rule of one end has one node
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    weights[rule.nodes[i] > quad(0) ? 1 : 0] = static_cast<S>(rule.weights[i]);
  return {weights[0], weights[1], false, false};
}

}  // namespace

template <class S>
LieEngine<S>::LieEngine(const System& system, const Scheme& scheme)
    : system_(system),
      scheme_(scheme),
      model_(system, scheme.name, holds_of(scheme), Laws::of_joints),
      motion_(model_, workers_) {
  append(scheme, S(1));
  if (plan_.front().rule.middle && !model_.elements.empty())
    throw InputError(system.name() + ": has rods; " + scheme.name +
                     " is for bodies: it takes forces between two rotations, those of rods need a rotation; try "
                     "lie(trapezoidal)");
  refuse_unfree();
  dependence_.loop = model_.rows > 0 && has_loop(system);
  motion_.watch_jumps(dependence_.loop);
  if (!scheme.composed()) rods_ = RodMotion<S>::made_for(model_, *system.rigid(), plan_.front().rule);
  if (rods_ == nullptr && model_.bodies.size() >= enough_for_threads)
    threads(static_cast<int>(std::thread::hardware_concurrency()));
  trace_.parts.resize(plan_.size());
  trace_.sources.assign(motion_.work().size(), S(0));
  for (auto* list : {&shown_.state.q, &shown_.state.p, &shown_.v}) list->assign(sz(system.size()), S(0));
}

// Kicks and drifts of their own coefficients have the order of their scheme for the motion without forces alone, which
// joints change, and for forces that depend on where the bodies are.
template <class S>
void LieEngine<S>::refuse_unfree() const {
  const auto is_free = [](const LieSubstep<S>& part) { return part.rule.free; };
  if (std::none_of(plan_.begin(), plan_.end(), is_free)) return;
  const std::string refused = system_.name() + ": ";
  if (!model_.elements.empty())
    throw InputError(refused + "has rods; " + scheme_.name + " is for bodies; try lie(trapezoidal)");
  const auto is_whole = [](const Substep& sub) {
    const LieGroup* lie = sub.scheme.template as<LieGroup>();
    return lie == nullptr || whole_step(*lie);
  };
  if (std::all_of(scheme_.substeps().begin(), scheme_.substeps().end(), is_whole)) return;
  if (model_.rows > 0)
    throw InputError(refused + "has joint rows that stay, the first is \"" + model_.row_names[0] + "\"; " +
                     scheme_.name +
                     " needs the exact motion between kicks, of bodies that are free or hang by a point; try suzuki(4, "
                     "lie(free))");
  if (model_.damped || motion_.drags())
    throw InputError(refused + "has forces that depend on velocities; " + scheme_.name +
                     " needs forces of position and time alone; try suzuki(4, lie(free))");
}

template <class S>
void LieEngine<S>::append(const Scheme& scheme, S factor) {
  for (const Substep& sub : scheme.substeps()) append(sub.scheme, factor * static_cast<S>(sub.coefficient));
  if (scheme.composed()) return;
  const LieGroup* lie = scheme.as<LieGroup>();
  if (lie == nullptr)
    throw InputError(scheme_.name + ": composes lie members with " + scheme.name + "; expected lie members only");
  const Scheme directors = on_directors(scheme);
  const auto known = std::find_if(directors_.begin(), directors_.end(), [&](const DirectorMember<S>& member) {
    return member.scheme.method == directors.method;
  });
  plan_.push_back({factor, rule_of<S>(*lie), static_cast<std::size_t>(known - directors_.begin())});
  if (known == directors_.end()) directors_.push_back({directors, nullptr});
  if (plan_.front().rule.middle != plan_.back().rule.middle)
    throw InputError(scheme_.name + ": composes a rule at the ends with one in the middle; their momenta are not the " +
                     "same; expected rules of one kind");
}

template <class S>
StepEngine<S>& LieEngine<S>::directors(std::size_t which) const {
  DirectorMember<S>& member = directors_[which];
  if (member.engine == nullptr) member.engine = make_point_engine<S>(system_, member.scheme);
  return *member.engine;
}

template <class S>
void LieEngine<S>::pass(S t0, S h) {
  const S y = h + t_low_;
  t_ = t0 + y;
  t_low_ = y - (t_ - t0);
  trace_.finish(h);
  shown_.known = false;
  if (model_.of_joints.empty()) return;
  for (OwnCoordinate<S>& one : model_.of_joints) one.near = state().q[sz(one.index)];
}

template <class S>
StepReport LieEngine<S>::step(S h) {
  if (rods_ != nullptr) return step_rods(h);
  StepReport report;
  const S t0 = t_;
  S fraction(0);
  trace_.begin(t0);
  for (std::size_t k = 0; k < plan_.size(); ++k) {
    const S coefficient = plan_[k].coefficient;
    report.converged = false;
    if (scheme_.composed()) {
      trace_.parts[k].from = motion_.bodies();
      trace_.parts[k].kept = true;
    }
    if (!advance(k, t0 + fraction * h, coefficient * h, report)) {
      if (scheme_.composed()) motion_.bodies() = trace_.parts.front().from;
      motion_.prepare();
      motion_.forget();
      t_ = t0;
      shown_.known = false;
      trace_.forget();
      return report;
    }
    report.converged = true;
    fraction += coefficient;
  }
  pass(t0, h);
  return report;
}

template <class S>
void LieEngine<S>::threads(int number) {
  if (rods_ != nullptr)
    rods_->threads(number);
  else
    workers_.employ(number);
}

// A step that fails ends the motion: what the kernel has of the nodes then is no state, and the last one that was
// looked at is put back.
template <class S>
StepReport LieEngine<S>::step_rods(S h) {
  StepReport report;
  const S t0 = t_;
  trace_.begin(t0);
  report.converged = rods_->step(t0, h, trace_.work, trace_.supplied);
  if (report.converged) {
    pass(t0, h);
    return report;
  }
  trace_.forget();
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
  t_ = rods_->seen();
  rods_->take(t_, motion_.bodies());
  t_low_ = S(0);
  shown_.known = false;
  return report;
}

template <class S>
bool LieEngine<S>::advance(std::size_t k, S t, S h, StepReport& report) {
  const StepRule<S>& rule = plan_[k].rule;
  const bool replaceable = rule.on_directors();
  if (replaceable && dependence_.loop && motion_.close_pivots() > dependence_.close)
    return by_directors(k, t, h, Trouble::close, report);
  StepResult<S> result = motion_.step(t, h, rule);
  // What is not finite stays so over the substeps of bodies that nothing joins.
  const bool look = model_.rows > 0 || k + 1 == plan_.size();
  if (result.outcome == Outcome::done && look && !motion_.is_finite()) {
    motion_.bodies() = motion_.previous();
    result.outcome = Outcome::not_finite;
  }
  report.iterations += result.iterations;
  report.residual = static_cast<double>(result.residual);
  if (model_.rows == 0 && result.outcome != Outcome::done) {
    describe(result, rule, h, report);
    return false;
  }
  const Trouble trouble =
      dependence_.loop || result.outcome != Outcome::done ? trouble_of(result, replaceable) : Trouble::none;
  if (trouble == Trouble::none) {
    if (rule.free && scheme_.composed()) trace_.parts[k].turned = motion_.free_turns();
    for (std::size_t i = 0; i < trace_.sources.size(); ++i) trace_.sources[i] += motion_.work()[i];
    t_ = t + h;
    return true;
  }
  if (result.outcome == Outcome::done) motion_.bodies() = motion_.previous();
  motion_.prepare();
  describe(result, rule, h, report);
  if (replaceable) return by_directors(k, t, h, trouble, report);
  report.refused = trouble;
  return false;
}

// Without the directors to take its place, a step close to a singular configuration counts as long as it is smooth.
template <class S>
Trouble LieEngine<S>::trouble_of(const StepResult<S>& result, bool replaceable) const {
  switch (result.outcome) {
    case Outcome::done:
      if (result.jumped) return Trouble::jump;
      return replaceable && motion_.close_pivots() > dependence_.close ? Trouble::close : Trouble::none;
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
bool LieEngine<S>::by_directors(std::size_t k, S t, S h, Trouble trouble, StepReport& report) {
  t_ = t;
  shown_.known = false;
  motion_.forget();
  typename LieTrace<S>::Part& part = trace_.parts[k];
  part.from = motion_.bodies();
  part.kept = part.by_directors = true;
  StepEngine<S>& engine = directors(plan_[k].directors);
  // Without what earlier questions and steps left in it: a run that goes on takes the same step.
  engine.place(state());
  const StepReport found = engine.step(h);
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
  part.action = engine.trace().action;
  trace_.work += engine.work().done;
  trace_.supplied += engine.work().supplied;
  take(engine.state());
  return true;
}

template <class S>
void LieEngine<S>::describe(const StepResult<S>& result, const StepRule<S>& rule, S h, StepReport& report) const {
  report.finite = result.outcome != Outcome::not_finite;
  report.stalled = result.outcome == Outcome::stalled;
  if (result.outcome == Outcome::not_finite) {
    report.worst = "the state at the end of the step is not finite";
  } else if (result.outcome == Outcome::too_fast) {
    const double angle = static_cast<double>(result.residual);
    report.worst =
        fmt::format("body \"{}\" turns by h |omega| = {:.3g} in one step, expected less than {} (step {:.2g})",
                    model_.body_names[sz(result.where)], angle, rule.most_turn(), static_cast<double>(h));
  } else if (result.where >= 0) {
    report.worst = "constraint \"" + model_.row_names[sz(result.where)] + "\"";
  } else {
    report.worst = rule.middle ? "forces in the middle of the step" : "forces that depend on the velocity";
  }
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
