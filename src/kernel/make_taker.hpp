// The taker of a member, by its family. Members of lie have steps of their own (lie/engine.hpp), and refuse_unfit
// lets none of them come here.
#pragma once

#include <memory>

#include "kernel/galerkin_step.hpp"
#include "kernel/kicked_step.hpp"
#include "kernel/livens_step.hpp"
#include "kernel/phase_step.hpp"

namespace extremal {

template <class S>
std::unique_ptr<Taker<S>> make_taker(const System& system, const Scheme& member) {
  using Made = std::unique_ptr<Taker<S>>;
  struct Families {
    const System& system;
    Made operator()(const Galerkin& scheme) const {
      if (!scheme.kicks.apart || !system.has_slow()) return std::make_unique<GalerkinStep<S>>(system, scheme);
      if (scheme.kicks.start == 0 && scheme.kicks.end == 0)
        return std::make_unique<GalerkinStep<S>>(system.fast(), scheme);
      return std::make_unique<KickedStep<S>>(system, scheme);
    }
    Made operator()(const PhaseSpace& scheme) const { return std::make_unique<PhaseStep<S>>(system, scheme); }
    Made operator()(const Livens& scheme) const { return std::make_unique<LivensStep<S>>(system, scheme); }
    Made operator()(const LieGroup&) const { return nullptr; }
    Made operator()(const Composition&) const { return nullptr; }
  };
  return std::visit(Families{system}, member.method);
}

}  // namespace extremal
