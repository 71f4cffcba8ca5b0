// Plan: the takers of a scheme, and the ways to take a step with them, in the order in which they are tried.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "extremal/remedies.hpp"
#include "kernel/galerkin_step.hpp"
#include "kernel/livens_step.hpp"
#include "kernel/phase_step.hpp"
#include "numbers/index.hpp"

namespace extremal {

template <class S>
class Plan {
 public:
  struct Sub {
    S coefficient;
    int taker;
  };
  // Substeps in turn. Of a remedy the matrices are regularised, or less so where they are already.
  struct Way {
    Remedy remedy;
    std::vector<Sub> subs;
  };

  Plan(const System& system, const Scheme& scheme) : system_(system) {
    std::vector<Sub> substeps, rattle, divided;
    if (!scheme.composed())
      substeps.push_back({S(1), member(scheme)});
    else
      flatten(scheme, S(1), substeps);
    const auto is_ggl = [](const Scheme& kind) {
      return kind.family == Family::livens && kind.livens.rule != Livens::Rule::energy_momentum;
    };
    ways_.push_back({Remedy::none, substeps});
    if (system.constraint_count() == 0) return;
    ways_.push_back({Remedy::regularised, substeps});
    if (std::any_of(kinds_.begin(), kinds_.end(), is_ggl)) {
      for (const Sub& sub : substeps)
        rattle.push_back({sub.coefficient, is_ggl(kinds_[sz(sub.taker)]) ? beside_ggl(sub.taker) : sub.taker});
      ways_.push_back({Remedy::rattle, rattle});
    }
    // In two parts of unequal length, which moves the nodes away from a singular configuration.
    for (const S part : {S(0.6), S(0.4)})
      for (const Sub& sub : substeps) divided.push_back({part * sub.coefficient, sub.taker});
    ways_.push_back({Remedy::divided, divided});
  }

  const std::vector<Way>& ways() const { return ways_; }
  const std::vector<Sub>& substeps() const { return ways_.front().subs; }  // of the scheme itself
  std::size_t most_substeps() const {
    std::size_t most = 0;
    for (const Way& way : ways_) most = std::max(most, way.subs.size());
    return most;
  }
  const std::vector<std::unique_ptr<Taker<S>>>& takers() const { return takers_; }
  Taker<S>& taker(int k) const { return *takers_[sz(k)]; }
  Taker<S>& last() const { return taker(substeps().back().taker); }
  template <class Of>
  bool any_kind(Of of) const {
    return std::any_of(kinds_.begin(), kinds_.end(), of);
  }
  bool has(Remedy remedy) const {
    return std::any_of(ways_.begin(), ways_.end(), [&](const Way& way) { return way.remedy == remedy; });
  }

 private:
  int member(const Scheme& scheme) {
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (kinds_[k].family == scheme.family && kinds_[k].galerkin == scheme.galerkin &&
          kinds_[k].phase_space == scheme.phase_space && kinds_[k].livens == scheme.livens)
        return static_cast<int>(k);
    kinds_.push_back(scheme);
    if (scheme.family == Family::phase_space)
      takers_.push_back(std::make_unique<PhaseStep<S>>(system_, scheme.phase_space));
    else if (scheme.family == Family::livens)
      takers_.push_back(std::make_unique<LivensStep<S>>(system_, scheme.livens));
    else
      takers_.push_back(std::make_unique<GalerkinStep<S>>(system_, scheme.galerkin));
    return static_cast<int>(kinds_.size()) - 1;
  }
  // RATTLE with the forces at the end of the step where ggl, or its adjoint, has them: by it a step of ggl is replaced
  // with an error of h^3, where RATTLE itself leaves h^2.
  int beside_ggl(int of) {
    const bool adjoint = kinds_[sz(of)].livens.rule == Livens::Rule::ggl_adjoint;
    return member(Scheme::named(adjoint ? "alpha(1)" : "alpha(0)"));
  }
  void flatten(const Scheme& scheme, S factor, std::vector<Sub>& out) {
    for (const Substep& sub : scheme.substeps) {
      const S c = factor * static_cast<S>(sub.coefficient);
      if (sub.scheme.composed())
        flatten(sub.scheme, c, out);
      else
        out.push_back({c, member(sub.scheme)});
    }
  }

  System system_;
  std::vector<Scheme> kinds_;  // of the takers
  std::vector<std::unique_ptr<Taker<S>>> takers_;
  std::vector<Way> ways_;
};

}  // namespace extremal
