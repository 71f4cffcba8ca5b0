// SmallMotion: a motion that advances by small steps, one after the other where the scheme is a composition.
//
// It works on a state that somebody else owns, of one motion or of one in each lane.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "small/step.hpp"

namespace extremal {

template <class S>
struct SmallSubstep {
  S coefficient;
  Galerkin galerkin;
};

// The members of a scheme in turn; nothing if not all of them are of the hamilton family.
template <class S>
std::vector<SmallSubstep<S>> small_plan(const Scheme& scheme) {
  if (!scheme.composed()) {
    const Galerkin* galerkin = scheme.as<Galerkin>();
    if (galerkin == nullptr) return {};
    return {{S(1), *galerkin}};
  }
  std::vector<SmallSubstep<S>> plan;
  for (const Substep& sub : scheme.substeps()) {
    const std::vector<SmallSubstep<S>> part = small_plan<S>(sub.scheme);
    if (part.empty()) return {};
    for (const SmallSubstep<S>& p : part) plan.push_back({static_cast<S>(sub.coefficient) * p.coefficient, p.galerkin});
  }
  return plan;
}

template <class S>
class SmallMotion {
 public:
  // Null unless every substep can be taken by a SmallStep.
  static std::unique_ptr<SmallMotion> make(const System& system, const std::vector<S>& parameters,
                                           const std::vector<SmallSubstep<Shared<S>>>& plan) {
    if (plan.empty()) return nullptr;
    std::unique_ptr<SmallMotion> out(new SmallMotion(system.constraint_count()));
    for (const auto& sub : plan) {
      auto step = make_small_step<S>(system, parameters, sub.galerkin);
      if (step == nullptr) return nullptr;
      out->steps_.push_back({sub.coefficient, std::move(step)});
    }
    out->node_ = out->steps_.front().step->node();
    return out;
  }

  // From t over h. seed(t, q, v, lambda) finds the multipliers of the acceleration, where there is nothing to continue,
  // or fails. Where the mask is false the state is of no use, and `forget` is due. Lanes that are idle are of none
  // before and after.
  template <class Seed>
  Mask<S> step(const S& t, const S& h, const SmallState<S>& state, Seed seed, const Mask<S>& idle = Mask<S>(false)) {
    Mask<S> fine(true);
    Shared<S> fraction(0);
    for (auto& [coefficient, step] : steps_) {
      const S from = t + S(fraction) * h, length = S(coefficient) * h;
      if (!node_.known) step->visit(from, state.q, node_);
      if (!step->seeded(length, idle)) {
        if (!seed(from, state.q, state.v, lambda_.data())) return Mask<S>(false);
        step->seed(length, node_, lambda_.data());
      }
      fine = fine && step->advance(from, length, state, node_, idle);
      if (!any(fine)) return fine;
      fraction += coefficient;
    }
    return fine;
  }
  void forget() {
    node_.known = node_.pushed = false;
    for (auto& sub : steps_) sub.step->forget();
  }

  // Of the last step; residual and multiplier are those at its end.
  int iterations() const {
    int sum = 0;
    for (const auto& sub : steps_) sum += sub.step->iterations();
    return sum;
  }
  const S& residual() const { return steps_.back().step->residual(); }
  const S* end_multiplier() const { return steps_.back().step->end_multiplier(); }

  void save(std::vector<S>& out) const {
    for (const bool x : {node_.known, node_.pushed}) out.push_back(S(x ? 1 : 0));
    for (const auto* x : {&node_.A, &node_.a}) out.insert(out.end(), x->begin(), x->end());
    for (const auto& sub : steps_) sub.step->save(out);
  }
  const S* restore(const S* from) {
    for (bool* x : {&node_.known, &node_.pushed}) *x = all(less(S(0), *from++));
    for (auto* x : {&node_.A, &node_.a}) {
      std::copy_n(from, x->size(), x->begin());
      from += x->size();
    }
    for (auto& sub : steps_) from = sub.step->restore(from);
    return from;
  }

 private:
  explicit SmallMotion(int m) : lambda_(static_cast<std::size_t>(m)) {}

  struct Step {
    Shared<S> coefficient;
    std::unique_ptr<SmallStep<S>> step;
  };
  std::vector<S> lambda_;
  SmallNode<S> node_;
  std::vector<Step> steps_;
};

}  // namespace extremal
