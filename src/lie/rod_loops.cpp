#include "lie/rod_loops.hpp"

#include <cstdint>

#include "lie/rod_element.hpp"
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

template <bool Uniform>
constexpr std::size_t entry(std::size_t i) {
  return Uniform ? 0 : i;
}

template <class S, bool Uniform, bool Round>
EXTREMAL_INLINE bool drift(std::size_t n, const NodeArrays<S>& a, const InertiaArrays<S>& j, S h) {
  S* __restrict x0 = a.x[0], * __restrict x1 = a.x[1], * __restrict x2 = a.x[2];
  S* __restrict q0 = a.q[0], * __restrict q1 = a.q[1], * __restrict q2 = a.q[2], * __restrict q3 = a.q[3];
  const S* __restrict p0 = a.p[0], * __restrict p1 = a.p[1], * __restrict p2 = a.p[2];
  const S* __restrict r0 = a.pi[0], * __restrict r1 = a.pi[1], * __restrict r2 = a.pi[2];
  const S* __restrict m = j.inverse_mass, * __restrict asymmetry = j.asymmetry;
  const S* __restrict j0 = j.inverse_inertia[0], * __restrict j1 = j.inverse_inertia[1], * __restrict j2 = j.inverse_inertia[2];
  std::int64_t missing = 0;
  EXTREMAL_VECTORISE
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = entry<Uniform>(i);
    const S hm = h * m[k];
    x0[i] += hm * p0[i];
    x1[i] += hm * p1[i];
    x2[i] += hm * p2[i];
    const Quaternion<S> q{q0[i], q1[i], q2[i], q3[i]};
    const Vec3<S> body = rotate(conj(q), Vec3<S>{r0[i], r1[i], r2[i]});
    const Vec3<S> o{(h * j0[k]) * body.x, (h * j1[k]) * body.y, (h * j2[k]) * body.z};
    const Quaternion<S> f = Round ? round_lamina_rotation(o) : lamina_rotation(o, asymmetry[k]);
    const Quaternion<S> r = renormalised(q * f);
    q0[i] = r.w;
    q1[i] = r.x;
    q2[i] = r.y;
    q3[i] = r.z;
    missing |= r.w == r.w ? 0 : 1;
  }
  return missing == 0;
}

template <class S, bool Uniform>
EXTREMAL_INLINE void elements(std::size_t n, const NodeArrays<S>& a, const ElementArrays<S>& e,
                              const ForceArrays<S>& f) {
  const S* __restrict x0 = a.x[0], * __restrict x1 = a.x[1], * __restrict x2 = a.x[2];
  const S* __restrict q0 = a.q[0], * __restrict q1 = a.q[1], * __restrict q2 = a.q[2], * __restrict q3 = a.q[3];
  S* __restrict n0 = f.n[0], * __restrict n1 = f.n[1], * __restrict n2 = f.n[2];
  S* __restrict s0 = f.t1[0], * __restrict s1 = f.t1[1], * __restrict s2 = f.t1[2];
  S* __restrict t0 = f.t2[0], * __restrict t1 = f.t2[1], * __restrict t2 = f.t2[2];
  EXTREMAL_VECTORISE
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = entry<Uniform>(i);
    const RodElement<S> element{e.inverse_length[k],
                                {e.force_stiffness[0][k], e.force_stiffness[1][k], e.force_stiffness[2][k]},
                                {e.moment_stiffness[0][k], e.moment_stiffness[1][k], e.moment_stiffness[2][k]},
                                {e.gamma0[0][k], e.gamma0[1][k], e.gamma0[2][k]},
                                {e.omega0[0][k], e.omega0[1][k], e.omega0[2][k]}};
    const RodForces<S> r =
        rod_forces(element, Vec3<S>{x0[i], x1[i], x2[i]}, Quaternion<S>{q0[i], q1[i], q2[i], q3[i]},
                   Vec3<S>{x0[i + 1], x1[i + 1], x2[i + 1]}, Quaternion<S>{q0[i + 1], q1[i + 1], q2[i + 1], q3[i + 1]});
    n0[i] = r.n.x;
    n1[i] = r.n.y;
    n2[i] = r.n.z;
    s0[i] = r.t1.x;
    s1[i] = r.t1.y;
    s2[i] = r.t1.z;
    t0[i] = r.t2.x;
    t1[i] = r.t2.y;
    t2[i] = r.t2.z;
  }
}

template <class S, bool Uniform>
EXTREMAL_INLINE void kick(std::size_t n, const NodeArrays<S>& a, const InertiaArrays<S>& j, const ForceArrays<S>& f,
                          const Kick<S>& k) {
  const S* __restrict mass = j.mass, decay = k.decay, weight = k.weight;
  for (int c = 0; c < 3; ++c) {
    S* __restrict p = a.p[c], * __restrict pi = a.pi[c];
    const S* __restrict force = f.n[c], * __restrict right = f.t1[c], * __restrict left = f.t2[c];
    const S* __restrict before = force - 1, * __restrict left_before = left - 1, gravity = k.gravity[c];
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = decay * p[i] + weight * ((force[i] - before[i]) + mass[entry<Uniform>(i)] * gravity);
      pi[i] = decay * pi[i] + weight * (right[i] + left_before[i]);
    }
  }
}

template <class S, bool Uniform>
EXTREMAL_INLINE void sum(std::size_t n, S* const f[3], S* const tau[3], const InertiaArrays<S>& j,
                         const ForceArrays<S>& e, const S gravity[3]) {
  const S* __restrict mass = j.mass;
  for (int c = 0; c < 3; ++c) {
    S* __restrict fc = f[c], * __restrict tc = tau[c];
    const S* __restrict force = e.n[c], * __restrict right = e.t1[c], * __restrict left = e.t2[c], g = gravity[c];
    const S* __restrict before = force - 1, * __restrict left_before = left - 1;
    EXTREMAL_VECTORISE
    for (std::size_t i = 0; i < n; ++i) {
      fc[i] = (force[i] - before[i]) + mass[entry<Uniform>(i)] * g;
      tc[i] = right[i] + left_before[i];
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
#if defined(__x86_64__)
#if defined(__clang__)
EXTREMAL_LOOPS(Avx2, [[gnu::target("avx2")]])
EXTREMAL_LOOPS(Avx512, [[gnu::target("avx512f,avx512dq,avx512vl")]])
#else
EXTREMAL_LOOPS(Avx2, [[gnu::target("avx2")]])
EXTREMAL_LOOPS(Avx512, [[gnu::target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")]])
#endif
#endif

}  // namespace

Instructions best_instructions() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Instructions::avx512;
  if (__builtin_cpu_supports("avx2")) return Instructions::avx2;
#endif
  return Instructions::baseline;
}

template <class S>
const RodLoops<S>& rod_loops(Instructions) {
  return Baseline<S>::loops;
}
template const RodLoops<long double>& rod_loops(Instructions);
template const RodLoops<quad>& rod_loops(Instructions);

template <>
const RodLoops<double>& rod_loops(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx512) return Avx512<double>::loops;
  if (instructions == Instructions::avx2) return Avx2<double>::loops;
#endif
  static_cast<void>(instructions);
  return Baseline<double>::loops;
}

}  // namespace extremal::lie
