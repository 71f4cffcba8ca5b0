#include "lie/rod_loops.hpp"

#include <cstdint>

#include "bodies/rod_element.hpp"
#include "lie/rotation_step.hpp"

namespace extremal::lie {
namespace {

// The bodies are inlined into one function per instruction set, which is how they are compiled for it.
#define EXTREMAL_INLINE [[gnu::always_inline]] inline

// GCC's `omp simd` keeps the small structs of a loop body in memory, one per lane, and then gives up; told only that
// iterations are independent, it first dissolves them into numbers.
#if defined(__clang__)
#define EXTREMAL_VECTORISE
#else
#define EXTREMAL_VECTORISE _Pragma("GCC ivdep")
#endif

template <class S>
using In = const S* __restrict;
template <class S>
using Out = S* __restrict;

template <bool Uniform>
constexpr std::size_t entry(std::size_t i) {
  return Uniform ? 0 : i;
}

// Tiles: both this loop and that over the elements are done in two parts, a few vectors at a time. One part waits for
// roots and quotients, the other is many operations; in one loop body the processor does not look far enough ahead to
// do the one while it waits for the other.
inline constexpr std::size_t tile = 4 * rod_lanes;

template <class S, bool Uniform, bool Round>
EXTREMAL_INLINE bool drift(std::size_t n, const NodeArrays<S>& a, const InertiaArrays<S>& j, S h) {
  alignas(64) S f[4][tile];
  std::int64_t missing = 0;
  for (std::size_t from = 0; from < n; from += tile) {
    const std::size_t left = n - from < tile ? n - from : tile, lanes = left / rod_lanes * rod_lanes;
    const Out<S> q0 = a.q[0] + from, q1 = a.q[1] + from, q2 = a.q[2] + from, q3 = a.q[3] + from;
    const In<S> r0 = a.pi[0] + from, r1 = a.pi[1] + from, r2 = a.pi[2] + from;
    const In<S> j0 = j.inverse_inertia[0], j1 = j.inverse_inertia[1], j2 = j.inverse_inertia[2];
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::size_t k = entry<Uniform>(from + i);
      const Vec3<S> body = rotate_back(Quaternion<S>{q0[i], q1[i], q2[i], q3[i]}, Vec3<S>{r0[i], r1[i], r2[i]});
      const Vec3<S> o{(h * j0[k]) * body.x, (h * j1[k]) * body.y, (h * j2[k]) * body.z};
      const Quaternion<S> r = Round ? round_lamina_rotation(o) : lamina_rotation(o, j.asymmetry[k]);
      f[0][i] = r.w, f[1][i] = r.x, f[2][i] = r.y, f[3][i] = r.z;
    }
    const Out<S> x0 = a.x[0] + from, x1 = a.x[1] + from, x2 = a.x[2] + from;
    const In<S> p0 = a.p[0] + from, p1 = a.p[1] + from, p2 = a.p[2] + from;
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < lanes; ++i) {
      const S hm = h * j.inverse_mass[entry<Uniform>(from + i)];
      x0[i] += hm * p0[i];
      x1[i] += hm * p1[i];
      x2[i] += hm * p2[i];
      const Quaternion<S> q =
          renormalised(Quaternion<S>{q0[i], q1[i], q2[i], q3[i]} * Quaternion<S>{f[0][i], f[1][i], f[2][i], f[3][i]});
      q0[i] = q.w, q1[i] = q.x, q2[i] = q.y, q3[i] = q.z;
      missing |= q.w == q.w ? 0 : 1;
    }
  }
  return missing == 0;
}

template <class S, bool Uniform>
EXTREMAL_INLINE void elements(std::size_t n, const NodeArrays<S>& a, const ElementArrays<S>& e,
                              const ForceArrays<S>& f) {
  alignas(64) S r[10][tile];
  for (std::size_t from = 0; from < n; from += tile) {
    const std::size_t left = n - from < tile ? n - from : tile, lanes = left / rod_lanes * rod_lanes;
    {
      const In<S> q0 = a.q[0] + from, q1 = a.q[1] + from, q2 = a.q[2] + from, q3 = a.q[3] + from;
      EXTREMAL_VECTORISE
      for (std::size_t i = 0; i < lanes; ++i) {
        const RelativeRotation<S> t = relative_rotation(Quaternion<S>{q0[i], q1[i], q2[i], q3[i]},
                                                        Quaternion<S>{q0[i + 1], q1[i + 1], q2[i + 1], q3[i + 1]});
        r[0][i] = t.sum.w, r[1][i] = t.sum.x, r[2][i] = t.sum.y, r[3][i] = t.sum.z;
        r[4][i] = t.scale;
        r[5][i] = t.v.x, r[6][i] = t.v.y, r[7][i] = t.v.z;
        r[8][i] = t.k, r[9][i] = t.beyond;
      }
    }
    const In<S> x0 = a.x[0] + from, x1 = a.x[1] + from, x2 = a.x[2] + from;
    const Out<S> n0 = f.n[0] + from, n1 = f.n[1] + from, n2 = f.n[2] + from;
    const Out<S> m0 = f.m[0] + from, m1 = f.m[1] + from, m2 = f.m[2] + from;
    const Out<S> c0 = f.c[0] + from, c1 = f.c[1] + from, c2 = f.c[2] + from;
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::size_t k = Uniform ? 0 : from + i;
      const RodLaw<S> law{{e.force_rate[0][k], e.force_rate[1][k], e.force_rate[2][k]},
                          {e.force0[0][k], e.force0[1][k], e.force0[2][k]},
                          {e.moment_rate[0][k], e.moment_rate[1][k], e.moment_rate[2][k]},
                          {e.moment0[0][k], e.moment0[1][k], e.moment0[2][k]}};
      const RelativeRotation<S> t{
          {r[0][i], r[1][i], r[2][i], r[3][i]}, r[4][i], {r[5][i], r[6][i], r[7][i]}, r[8][i], r[9][i]};
      const RodForces<S> g = rod_forces(law, t, Vec3<S>{x0[i + 1] - x0[i], x1[i + 1] - x1[i], x2[i + 1] - x2[i]});
      n0[i] = g.n.x, n1[i] = g.n.y, n2[i] = g.n.z;
      m0[i] = g.m.x, m1[i] = g.m.y, m2[i] = g.m.z;
      c0[i] = g.c.x, c1[i] = g.c.y, c2[i] = g.c.z;
    }
  }
}

template <class S, bool Uniform>
EXTREMAL_INLINE void kick(std::size_t n, const NodeArrays<S>& a, const InertiaArrays<S>& j, const ForceArrays<S>& f,
                          const Kick<S>& k) {
  const S decay = k.decay, weight = k.weight;
  const In<S> mass = j.mass;
  for (int c = 0; c < 3; ++c) {
    const S gravity = k.gravity[c];
    const Out<S> p = a.p[c], pi = a.pi[c];
    const In<S> force = f.n[c], force_before = force - 1, moment = f.m[c], moment_before = moment - 1;
    const In<S> arm = f.c[c], arm_before = arm - 1;
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = decay * p[i] + weight * ((force[i] - force_before[i]) + mass[entry<Uniform>(i)] * gravity);
      pi[i] = decay * pi[i] + weight * ((moment[i] - moment_before[i]) - S(0.5) * (arm[i] + arm_before[i]));
    }
  }
}

template <class S, bool Uniform>
EXTREMAL_INLINE void sum(std::size_t n, S* const f[3], S* const tau[3], const InertiaArrays<S>& j,
                         const ForceArrays<S>& e, const S gravity[3]) {
  const In<S> mass = j.mass;
  for (int c = 0; c < 3; ++c) {
    const S g = gravity[c];
    const Out<S> fc = f[c], tc = tau[c];
    const In<S> force = e.n[c], force_before = force - 1, moment = e.m[c], moment_before = moment - 1;
    const In<S> arm = e.c[c], arm_before = arm - 1;
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < n; ++i) {
      fc[i] = (force[i] - force_before[i]) + mass[entry<Uniform>(i)] * g;
      tc[i] = (moment[i] - moment_before[i]) - S(0.5) * (arm[i] + arm_before[i]);
    }
  }
}

#define EXTREMAL_LOOPS(Name, Target)                                                                          \
  template <class S>                                                                                          \
  struct Name {                                                                                               \
    template <bool Uniform, bool Round>                                                                       \
    Target static bool drift_for(std::size_t n, const NodeArrays<S>& a, const InertiaArrays<S>& j, S h) {     \
      return drift<S, Uniform, Round>(n / rod_lanes * rod_lanes, a, j, h);                                    \
    }                                                                                                         \
    template <bool Uniform>                                                                                   \
    Target static void elements_for(std::size_t n, const NodeArrays<S>& a, const ElementArrays<S>& e,         \
                                    const ForceArrays<S>& f) {                                                \
      elements<S, Uniform>(n / rod_lanes * rod_lanes, a, e, f);                                               \
    }                                                                                                         \
    template <bool Uniform>                                                                                   \
    Target static void kick_for(std::size_t n, const NodeArrays<S>& a, const InertiaArrays<S>& j,             \
                                const ForceArrays<S>& f, const Kick<S>& k) {                                  \
      kick<S, Uniform>(n / rod_lanes * rod_lanes, a, j, f, k);                                                \
    }                                                                                                         \
    template <bool Uniform>                                                                                   \
    Target static void sum_for(std::size_t n, S* const f[3], S* const tau[3], const InertiaArrays<S>& j,      \
                               const ForceArrays<S>& e, const S gravity[3]) {                                 \
      sum<S, Uniform>(n / rod_lanes * rod_lanes, f, tau, j, e, gravity);                                      \
    }                                                                                                         \
    static constexpr RodLoops<S> loops{                                                                       \
        {{drift_for<false, false>, drift_for<false, true>}, {drift_for<true, false>, drift_for<true, true>}}, \
        {elements_for<false>, elements_for<true>},                                                            \
        {kick_for<false>, kick_for<true>},                                                                    \
        {sum_for<false>, sum_for<true>}};                                                                     \
  };

EXTREMAL_LOOPS(Baseline, )
EXTREMAL_LOOPS(Avx2, EXTREMAL_AVX2)
EXTREMAL_LOOPS(Avx512, EXTREMAL_AVX512)

}  // namespace

template <class S>
const RodLoops<S>& rod_loops(Instructions) {
  return Baseline<S>::loops;
}
template const RodLoops<long double>& rod_loops(Instructions);
template const RodLoops<quad>& rod_loops(Instructions);

template <>
const RodLoops<double>& rod_loops(Instructions instructions) {
  if (instructions == Instructions::avx512) return Avx512<double>::loops;
  if (instructions == Instructions::avx2) return Avx2<double>::loops;
  return Baseline<double>::loops;
}

}  // namespace extremal::lie
