#include "small/lane_look.hpp"

#include "numbers/index.hpp"

namespace extremal {
namespace {

// As `largest` of the other scalars.
Lanes largest_lanes(const std::vector<Lanes>& x) {
  Lanes r(0);
  for (const Lanes& one : x) r = math::max(r, math::abs(one));
  return r;
}

}  // namespace

LaneLook::LaneLook(const System& system, std::vector<Lanes> parameters, SmallTaker<Lanes>& taker)
    : evaluation_(system, std::move(parameters), 1, Storage::sparse),
      taker_(taker),
      g_(sz(system.constraint_count())),
      G_(sz(evaluation_.jacobian().size())),
      g_t_(g_) {}

LaneMask LaneLook::observe(const Motion<Lanes>& motion, bool multipliers, Observation<Lanes>& out) {
  const State<Lanes>& at = motion.state;
  const int m = evaluation_.m();
  LaneMask fine(true);
  out.v = motion.v;
  out.lambda.resize(sz(m));
  out.momenta.resize(sz(evaluation_.symmetry_count()));
  out.constraint = out.hidden = Lanes(0);
  if (multipliers && m > 0) fine = taker_.multipliers(evaluation_, at.t, at.q.data(), out.v.data(), out.lambda.data());
  evaluation_.energies(at.q.data(), out.v.data(), &at.t, out.kinetic, out.potential);
  evaluation_.momenta(at.q.data(), at.p.data(), &at.t, out.momenta.data());
  if (m > 0) {
    evaluation_.constraints(1, at.q.data(), &at.t, g_.data(), nullptr, nullptr);
    out.constraint = largest_lanes(g_);
    evaluation_.constraints(1, at.q.data(), &at.t, g_.data(), G_.data(), g_t_.data());
    // Not by add_product: Lanes are not passed by value, as what that means depends on the compiler's version.
    const Pattern& jacobian = evaluation_.jacobian();
    for (int k = 0; k < m; ++k) {
      Lanes sum(0);
      for (int e = jacobian.start[sz(k)]; e < jacobian.start[sz(k + 1)]; ++e)
        sum += G_[sz(e)] * out.v[sz(jacobian.column[sz(e)])];
      g_t_[sz(k)] += sum;
    }
    out.hidden = largest_lanes(g_t_);
  }
  return fine && math::finite(out.kinetic + out.potential);
}

void LaneLook::norms(const State<Lanes>& state, std::vector<Lanes>& out) {
  evaluation_.constraints(1, state.q.data(), &state.t, g_.data(), G_.data(), g_t_.data());
  out.assign(g_.size(), Lanes(0));
  for_each(evaluation_.jacobian(), [&](int e, int k, int) { out[sz(k)] += G_[sz(e)] * G_[sz(e)]; });
  for (Lanes& x : out) x = math::sqrt(x);
}

}  // namespace extremal
