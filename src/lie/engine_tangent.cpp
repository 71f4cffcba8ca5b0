// LieEngine: the derivative of a step.
#include "lie/engine.hpp"

#include "numbers/instantiate.hpp"
#include "scheme/family.hpp"

namespace extremal::lie {

// The step is taken once more, its derivative along every displacement and momentum of every body with it.
template <class S>
std::vector<S> LieEngine<S>::tangent() const {
  using T = Dual<S>;
  const int n = system_.size(), D = model_.dimension;
  const std::size_t width = sz(2 * n), count = model_.bodies.size();
  std::vector<S> out(width * width, S(0));
  if (trace_.by_directors()) return retaken()->tangent();
  const std::vector<BodyState<S>> before = start_of(0);
  if (dual_ == nullptr) {
    dual_ = std::make_unique<Motion<S, T>>(model_, workers_);
    dual_->regularise(dependence_.eps);
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
        const BodyState<S>& s = before[i];
        dual_->bodies()[i] = {
            lifted<S, T>(s.x), {T(s.q.w), T(s.q.x), T(s.q.y), T(s.q.z)}, lifted<S, T>(s.p), lifted<S, T>(s.pi)};
      }
      BodyState<T>& seed = dual_->bodies()[b];
      const Vec3<S> e{S(c % 3 == 0), S(c % 3 == 1), S(c % 3 == 2)};
      const auto tilt = [](Vec3<T>& x, const Vec3<S>& along) {
        x.x.g[0] = along.x, x.y.g[0] = along.y, x.z.g[0] = along.z;
      };
      if (c < 3) tilt(seed.x, e);
      if (c >= 3 && c < 6) {
        const Quaternion<S>& s = before[b].q;
        const Quaternion<S> d = (S(1) / S(2)) * (Quaternion<S>{S(0), e.x, e.y, e.z} * s);
        seed.q.w.g[0] = d.w, seed.q.x.g[0] = d.x, seed.q.y.g[0] = d.y, seed.q.z.g[0] = d.z;
      }
      if (c >= 6 && c < 9) tilt(seed.p, e);
      if (c >= 9) tilt(seed.pi, e);
      dual_->forget();
      dual_->prepare();
      S fraction(0);
      for (const LieSubstep<S>& part : plan_) {
        const S t = trace_.t + fraction * trace_.h;
        const StepResult<S> found = dual_->step(t, part.coefficient * trace_.h, part.rule);
        // Slopes converge later than values, without a guess, and need not at all where the step is long.
        if (found.outcome != Outcome::done && !part.rule.on_directors())
          return std::vector<S>(width * width, S(0) / S(0));
        if (found.outcome != Outcome::done) return retaken()->tangent();
        fraction += part.coefficient;
      }
      to_directors<S, T>(model_, dual_->bodies(), q.data(), p.data(), nullptr);
      std::vector<S>& image = images[12 * b + sz(c)];
      for (std::size_t i = 0; i < q.size(); ++i) image[i] = q[i].g[0], image[sz(n) + i] = p[i].g[0];
    }
  // The displacement that a change of the directors is, and the change of the momentum: theta = sum d x delta d / 2,
  // pi = sum d x p.
  std::vector<S> q0(sz(n)), p0(sz(n));
  to_directors<S, S>(model_, before, q0.data(), p0.data(), nullptr);
  const auto add = [&](std::size_t b, int c, S factor, int column) {
    const std::vector<S>& image = images[12 * b + sz(c)];
    for (std::size_t i = 0; factor != S(0) && i < width; ++i) out[i * width + sz(column)] += factor * image[i];
  };
  for (std::size_t b = 0; b < count; ++b) {
    const auto& body = model_.bodies[b];
    for (int k = 0; k < D; ++k) {
      add(b, k, S(1), body.first + k);
      add(b, 6 + k, S(1), n + body.first + k);
      if (!body.hung) continue;
      // Seen from where it hangs, the centre is one more point that turns.
      const Vec3<S> e{S(k == 0), S(k == 1), S(k == 2)};
      const Vec3<S> by_q = cross(e, get(p0.data() + body.first, D)),
                    by_p = cross(get(q0.data() + body.first, D) - body.anchor, e);
      const S one[3] = {by_q.x, by_q.y, by_q.z}, two[3] = {by_p.x, by_p.y, by_p.z};
      for (int c = 0; c < 3; ++c) {
        add(b, 9 + c, one[c], body.first + k);
        add(b, 9 + c, two[c], n + body.first + k);
      }
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

template <class S>
std::unique_ptr<StepEngine<S>> LieEngine<S>::retaken() const {
  auto engine = make_point_engine<S>(system_, on_directors(scheme_));
  State<S> state{trace_.t, std::vector<S>(sz(system_.size())), std::vector<S>(sz(system_.size()))};
  to_directors<S, S>(model_, start_of(0), state.q.data(), state.p.data(), nullptr);
  engine->place(state);
  engine->step(trace_.h);
  return engine;
}

#define EXTREMAL_INSTANTIATE(S) template std::vector<S> LieEngine<S>::tangent() const;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
