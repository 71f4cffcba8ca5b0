// LieEngine: where a motion starts.
#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "lie/engine.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

// Matrices of redundant joints are regularised by this. The residuals are exact, and eps slows the iteration down only
// where S has eigenvalues as small. Pivots are not exchanged: on the way of a mechanism the dependent row is now this
// one and now another, and between them two pivots are sqrt(eps), which must not look close to singular.
constexpr double redundant_eps = 1e-6;

}  // namespace

template <class S>
Consistency LieEngine<S>::start(const Start& start, S step) {
  if (!start.next.empty())
    throw InputError("start: two positions need a single hamilton member; " + scheme_.name + " is none; try q and v");
  Consistency found;
  if (!start_here(start, found)) {
    StepEngine<S>& engine = directors(0);
    found = engine.start(start, step);
    dependence_.redundant = found.redundant;
    regularise(dependence_.redundant > 0 ? redundant_eps : 0);
    place(engine.state());
  }
  refuse_long(math::abs(step));
  return found;
}

// Positions that are consistent already, of a mechanism without loops, need no other engine's help; momenta are
// projected.
template <class S>
bool LieEngine<S>::start_here(const Start& start, Consistency& found) {
  const std::size_t n = sz(system_.size());
  if (dependence_.loop || !model_.drives.empty() || !model_.of_joints.empty() || start.q.size() != n ||
      (!start.v.empty() && start.v.size() != n) || !start.p.empty())
    return false;
  State<S> state{start.t.template as<S>(), {}, std::vector<S>(n, S(0))};
  for (const Number& x : start.q) state.q.push_back(x.template as<S>());
  const int D = model_.dimension;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const auto& body = model_.bodies[b];
    const S weights[4] = {body.mass, body.euler.x, body.euler.y, body.euler.z};
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
  const S rounding = S(4) * motion_.floor();
  if (dependence_.eps > 0 || motion_.gap() > rounding) return false;
  for (const auto& point : model_.held_points) {
    const std::size_t b = sz(point.body);
    const Vec3<S> arm = motion_.poses()[b].R.to_space(point.at),
                  off = get(state.q.data() + model_.bodies[b].first, D) + arm - point.anchor;
    const S most = math::max(rounding, S(16) * Scalar<S>::epsilon * math::sqrt(dot(arm, arm)));
    if (dot(off, off) > most * most) return false;
  }
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
  const double most = plan_.front().rule.most_turn();
  for (std::size_t b = 0; h > 0 && b < model_.bodies.size(); ++b) {
    const Vec3<S> omega = motion_.angular_velocity(b);
    const double angle = h * static_cast<double>(math::sqrt(dot(omega, omega)));
    if (model_.bodies[b].swings && angle >= most)
      throw InputError(
          fmt::format("{}: body \"{}\" turns by h |omega| = {:.3g} in one step; {} needs less than {}; try "
                      "step <= {:.2g}",
                      system_.name(), model_.body_names[b], angle, scheme_.name, most, h * (8 * most / 9) / angle));
  }
}

template <class S>
void LieEngine<S>::regularise(double eps) {
  dependence_.eps = eps;
  motion_.regularise(eps);
  if (dual_ != nullptr) dual_->regularise(eps);
}

template <class S>
void LieEngine<S>::place(const State<S>& state) {
  t_low_ = S(0);
  motion_.forget();
  trace_.forget();
  take(state);
  dependence_.close = std::max(dependence_.redundant, motion_.close_pivots());
}

template <class S>
void LieEngine<S>::take(const State<S>& state) {
  t_ = state.t;
  for (OwnCoordinate<S>& one : model_.of_joints) one.near = state.q[sz(one.index)];
  from_directors(model_, state.q.data(), state.p.data(), motion_.bodies());
  motion_.follow_drives(t_);
  if (!motion_.prepare()) {
    regularise(redundant_eps);
    motion_.prepare();
  }
  motion_.project();
  shown_.known = false;
  if (rods_ != nullptr) rods_->take(t_, motion_.bodies());
}

template <class S>
Checkpoint<S> LieEngine<S>::save() const {
  Checkpoint<S> out;
  out.numbers = {t_, t_low_, S(dependence_.eps), S(dependence_.close)};
  if (rods_ != nullptr) {
    rods_->save(out.numbers);
    return out;
  }
  for (const BodyState<S>& b : motion_.bodies())
    for (const S x : {b.x.x, b.x.y, b.x.z, b.q.w, b.q.x, b.q.y, b.q.z, b.p.x, b.p.y, b.p.z, b.pi.x, b.pi.y, b.pi.z})
      out.numbers.push_back(x);
  for (const OwnCoordinate<S>& one : model_.of_joints) out.numbers.push_back(one.near);
  motion_.save(out.numbers);
  return out;
}

template <class S>
void LieEngine<S>::restore(const Checkpoint<S>& checkpoint) {
  const S* from = checkpoint.numbers.data();
  t_ = *from++;
  t_low_ = *from++;
  regularise(static_cast<double>(*from++));
  dependence_.close = static_cast<int>(*from++);
  shown_.known = false;
  trace_.forget();
  if (rods_ != nullptr) {
    rods_->restore(from);
    bodies();  // where a step that fails goes back to
    return;
  }
  for (BodyState<S>& b : motion_.bodies())
    for (S* x :
         {&b.x.x, &b.x.y, &b.x.z, &b.q.w, &b.q.x, &b.q.y, &b.q.z, &b.p.x, &b.p.y, &b.p.z, &b.pi.x, &b.pi.y, &b.pi.z})
      *x = *from++;
  for (OwnCoordinate<S>& one : model_.of_joints) one.near = *from++;
  motion_.prepare();
  motion_.restore(from);
}

#define EXTREMAL_INSTANTIATE(S)                                       \
  template Consistency LieEngine<S>::start(const Start&, S);          \
  template bool LieEngine<S>::start_here(const Start&, Consistency&); \
  template void LieEngine<S>::refuse_long(S) const;                   \
  template void LieEngine<S>::regularise(double);                     \
  template void LieEngine<S>::place(const State<S>&);                 \
  template void LieEngine<S>::take(const State<S>&);                  \
  template Checkpoint<S> LieEngine<S>::save() const;                  \
  template void LieEngine<S>::restore(const Checkpoint<S>&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
