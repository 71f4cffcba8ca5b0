// LieEngine: what is asked of the motion as it is, and of the last step.
#include "lie/engine.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {

// Rods: as the kernel has them.
template <class S>
const std::vector<BodyState<S>>& LieEngine<S>::bodies() const {
  if (rods_ != nullptr && rods_->give(t_, motion_.bodies())) motion_.prepare();
  return motion_.bodies();
}

template <class S>
const typename LieEngine<S>::Shown& LieEngine<S>::shown() const {
  if (shown_.known) return shown_;
  shown_.state.t = t_;
  to_directors<S, S>(model_, bodies(), shown_.state.q.data(), shown_.state.p.data(), shown_.v.data());
  shown_.known = true;
  return shown_;
}

template <class S>
const State<S>& LieEngine<S>::state() const {
  return shown().state;
}
template <class S>
const std::vector<S>& LieEngine<S>::velocity() const {
  return shown().v;
}

template <class S>
Look<S>& LieEngine<S>::look() const {
  if (look_ == nullptr) look_ = std::make_unique<Look<S>>(system_, scheme_.name);
  return *look_;
}

template <class S>
void LieEngine<S>::observe(Observation<S>& out, bool multipliers) const {
  const Shown& here = shown();
  out.v = here.v;
  out.lambda.resize(sz(system_.constraint_count()));
  out.kinetic = motion_.kinetic();
  out.potential = motion_.potential(t_);
  out.constraint = motion_.gap();
  out.hidden = motion_.hidden();
  look().momenta(here.state, out.momenta);
  if (multipliers && !out.lambda.empty()) look().multipliers(here.state, here.v, out.lambda);
}

template <class S>
void LieEngine<S>::observe(const State<S>& state, Observation<S>& out, bool multipliers) const {
  directors(0).observe(state, out, multipliers);
}

template <class S>
double LieEngine<S>::symmetry_defect(int index) const {
  return look().symmetry_defect(index, shown().state, shown().v);
}
template <class S>
std::vector<S> LieEngine<S>::constraint_jacobian(const std::vector<S>& q, S t) const {
  return look().constraint_jacobian(q, t);
}
template <class S>
void LieEngine<S>::constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const {
  look().constraint_norms(q, t, out);
}

template <class S>
void LieEngine<S>::hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const {
  look().hidden(q, v, t, out);
}

// The kernel of rods keeps nothing of a step: Motion takes it back, once.
template <class S>
const std::vector<BodyState<S>>& LieEngine<S>::start_of(std::size_t k) const {
  typename LieTrace<S>::Part& part = trace_.parts[k];
  if (part.kept) return part.from;
  if (trace_.h == S(0)) return bodies();
  if (rods_ == nullptr) return motion_.previous();
  const StepRule<S>& rule = plan_.front().rule;
  const std::vector<BodyState<S>> here = bodies();
  motion_.step(t_, -trace_.h, {rule.b1, rule.b0});
  part.from = motion_.bodies();
  part.kept = true;
  motion_.bodies() = here;
  motion_.prepare();
  return part.from;
}

template <class S>
TakenStep<S> LieEngine<S>::taken(std::size_t k) const {
  S fraction(0);
  for (std::size_t i = 0; i < k; ++i) fraction += plan_[i].coefficient;
  return {trace_.t + fraction * trace_.h,
          plan_[k].coefficient * trace_.h,
          plan_[k].rule,
          start_of(k),
          k + 1 < plan_.size() ? start_of(k + 1) : bodies(),
          scheme_.composed() ? trace_.parts[k].turned : motion_.free_turns()};
}

// Those of rigidity do not exist here and are left 0. Those that hold a body at a point are what its momentum needs, or
// those of the acceleration at the ends where bodies turn freely in between, for then the momentum is not kept.
template <class S>
void LieEngine<S>::find_multipliers() const {
  const std::size_t m = sz(system_.constraint_count()), last = plan_.size() - 1;
  std::vector<S>& out = trace_.told.multipliers;
  out.assign(2 * m, S(0));
  if (trace_.h == S(0)) return;
  if (trace_.parts[last].by_directors) {
    const std::vector<S>& theirs = directors(plan_[last].directors).trace().multipliers;
    if (theirs.size() == out.size()) out = theirs;
    return;
  }
  const TakenStep<S> step = taken(last);
  for (const Joint<S>& joint : model_.joints)
    for (int k = 0; k < joint.count(); ++k) {
      const std::size_t row = sz(joint.index[sz(k)]), at = sz(joint.first + k);
      const S unit = joint.rows[sz(k)].kind == RigidRow::Kind::normal ? model_.length : S(1);
      out[row] = S(2) * unit * motion_.impulses()[at] / step.h;
      out[m + row] = S(2) * unit * motion_.projection()[at] / step.h;
    }
  if (model_.held_points.empty()) return;
  if (step.rule.free) {
    State<S> from{step.t, std::vector<S>(sz(system_.size())), std::vector<S>(sz(system_.size()))};
    std::vector<S> v(sz(system_.size())), begin(m), end(m);
    to_directors<S, S>(model_, step.from, from.q.data(), from.p.data(), v.data());
    look().multipliers(from, v, begin);
    look().multipliers(shown().state, shown().v, end);
    for (const auto& point : model_.held_points)
      for (const int row : point.rows) out[sz(row)] = begin[sz(row)], out[m + sz(row)] = end[sz(row)];
    return;
  }
  for (const bool at_end : {false, true}) {
    const std::vector<Vec3<S>> impulses = motion_.held_impulses(step, at_end);
    for (std::size_t i = 0; i < impulses.size(); ++i) {
      const auto& point = model_.held_points[i];
      for (std::size_t k = 0; k < point.rows.size(); ++k)
        out[(at_end ? m : 0) + sz(point.rows[k])] = S(2) * dot(point.axes[k], impulses[i]) / step.h;
    }
  }
}

template <class S>
const Trace<S>& LieEngine<S>::trace() const {
  Trace<S>& told = trace_.told;
  if (told.told) return told;
  find_multipliers();
  told.multiplier_nodes = {S(0), S(1)};
  told.action = action();
  told.told = true;
  return told;
}

template <class S>
S LieEngine<S>::action() const {
  S sum(0);
  for (std::size_t k = 0; trace_.h != S(0) && k < plan_.size(); ++k)
    sum += trace_.parts[k].by_directors ? trace_.parts[k].action : motion_.action(taken(k));
  return sum;
}

template <class S>
void LieEngine<S>::dense(S c, DensePoint<S>& out) const {
  std::vector<BodyState<S>> inside = start_of(plan_.size() - 1);
  const auto& to = bodies();
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
  find_multipliers();
  const std::vector<S>& ends = trace_.told.multipliers;
  for (std::size_t k = 0; k < out.lambda.size(); ++k)
    out.lambda[k] = (S(1) - c) * ends[k] + c * ends[k + out.lambda.size()];
}

#define EXTREMAL_INSTANTIATE(S)                                                                  \
  template const std::vector<BodyState<S>>& LieEngine<S>::bodies() const;                        \
  template const State<S>& LieEngine<S>::state() const;                                          \
  template const std::vector<S>& LieEngine<S>::velocity() const;                                 \
  template void LieEngine<S>::observe(Observation<S>&, bool) const;                              \
  template void LieEngine<S>::observe(const State<S>&, Observation<S>&, bool) const;             \
  template double LieEngine<S>::symmetry_defect(int) const;                                      \
  template std::vector<S> LieEngine<S>::constraint_jacobian(const std::vector<S>&, S) const;     \
  template void LieEngine<S>::constraint_norms(const std::vector<S>&, S, std::vector<S>&) const; \
  template const std::vector<BodyState<S>>& LieEngine<S>::start_of(std::size_t) const;           \
  template const Trace<S>& LieEngine<S>::trace() const;                                          \
  template void LieEngine<S>::dense(S, DensePoint<S>&) const;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
