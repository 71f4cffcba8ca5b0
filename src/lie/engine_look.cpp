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

// The kernel of rods keeps nothing: its step is taken back.
template <class S>
std::vector<BodyState<S>> LieEngine<S>::start_of_last() const {
  if (trace_.last_by_directors) return trace_.from;
  if (rods_ == nullptr) return motion_.previous();
  const StepRule<S>& rule = plan_.front().rule;
  const std::vector<BodyState<S>> here = bodies();
  motion_.step(t_, -trace_.h, {rule.b1, rule.b0, false});
  std::vector<BodyState<S>> out = motion_.bodies();
  motion_.bodies() = here;
  motion_.prepare();
  return out;
}
template <class S>
std::vector<BodyState<S>> LieEngine<S>::start_of_step() const {
  return scheme_.composed() ? trace_.start : start_of_last();
}

// Those of rigidity do not exist here and are left 0; those that bodies hang by are found by the directors.
template <class S>
void LieEngine<S>::find_multipliers() const {
  const std::size_t m = sz(system_.constraint_count());
  std::vector<S>& out = trace_.told.multipliers;
  out.assign(2 * m, S(0));
  const LieSubstep<S>& last = plan_.back();
  const S h = last.coefficient * trace_.h;
  if (h == S(0)) return;
  for (const Joint<S>& joint : model_.joints)
    for (int k = 0; k < joint.count(); ++k) {
      const std::size_t row = sz(joint.index[sz(k)]), at = sz(joint.first + k);
      const S unit = joint.rows[sz(k)].kind == RigidRow::Kind::normal ? model_.length : S(1);
      out[row] = S(2) * unit * motion_.impulses()[at] / h;
      out[m + row] = S(2) * unit * motion_.projection()[at] / h;
    }
  if (model_.hung_rows.empty()) return;
  StepEngine<S>& engine = directors(last.directors);
  State<S> from{t_ - h, std::vector<S>(sz(system_.size())), std::vector<S>(sz(system_.size()))};
  to_directors<S, S>(model_, start_of_last(), from.q.data(), from.p.data(), nullptr);
  engine.place(from);
  engine.step(h);
  for (const int row : model_.hung_rows)
    for (const std::size_t at : {sz(row), m + sz(row)}) out[at] = engine.trace().multipliers[at];
}

template <class S>
const Trace<S>& LieEngine<S>::trace() const {
  Trace<S>& told = trace_.told;
  if (told.told) return told;
  find_multipliers();
  told.multiplier_nodes = {S(0), S(1)};
  told.action = trace_.h == S(0) ? S(0) : action();
  told.told = true;
  return told;
}

template <class S>
void LieEngine<S>::dense(S c, DensePoint<S>& out) const {
  std::vector<BodyState<S>> inside = start_of_last();
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
  template std::vector<BodyState<S>> LieEngine<S>::start_of_step() const;                        \
  template const Trace<S>& LieEngine<S>::trace() const;                                          \
  template void LieEngine<S>::dense(S, DensePoint<S>&) const;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
