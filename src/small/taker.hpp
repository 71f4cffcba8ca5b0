// SmallTaker: takes steps of a motion with the stages eliminated (small/step.hpp), one substep after the other where
// the scheme is a composition. The motion is that of its owner: one, or one in each lane.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "small/multipliers.hpp"
#include "small/step.hpp"
#include "small/tables.hpp"
#include "step/trace.hpp"

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

// The unknowns of the general kernel (kernel/galerkin.hpp) and the impulse of the projection, from what is left of the
// stages of a step that started with velocity v.
template <class S>
void recover_stages(const SmallStages<S>& stages, const S* v, std::vector<S>& x, std::vector<S>& nu) {
  const SmallTables<S>& tab = *stages.tables;
  const int n = stages.n, m = stages.m, r = tab.r, J = tab.J, columns = 1 + r + J, s = tab.s;
  const S h = stages.h, hh = h * h;
  x.resize(static_cast<std::size_t>(s * n + J * m));
  nu.resize(static_cast<std::size_t>(m));
  const auto pull = [&](int j) { return j == 0 ? stages.first_pull : stages.pulls + (j - 1) * n; };
  S* out = x.data();
  for (int k = 0; k < s; ++k) {
    const S* share = tab.control.data() + k * columns;
    for (int a = 0; a < n; ++a) {
      S sum = h * share[0] * v[a];
      for (int i = 0; i < r; ++i) sum += hh * share[1 + i] * stages.pushes[(stages.steady ? 0 : i * n) + a];
      for (int j = 0; j < J; ++j) sum -= hh * share[1 + r + j] * pull(j)[a];
      *out++ = sum;
    }
  }
  for (int e = 0; e < J * m; ++e) *out++ = hh * stages.lambda[e];
  for (int k = 0; k < m; ++k) nu[static_cast<std::size_t>(k)] = stages.end[k] * h * tab.end_weight;
}

template <class S>
class SmallTaker {
 public:
  // Null unless every substep can be taken by a SmallStep.
  static std::unique_ptr<SmallTaker> make(const System& system, const std::vector<S>& parameters,
                                          const std::vector<SmallSubstep<Shared<S>>>& plan) {
    if (plan.empty() || has_jumps(system)) return nullptr;  // the force at an end is the next step's, too
    std::vector<Substep> steps;
    for (const auto& sub : plan) {
      auto step = make_small_step<S>(system, parameters, sub.galerkin);
      if (step == nullptr) return nullptr;
      steps.push_back({sub.coefficient, std::move(step), Motion<S>(system.size())});
    }
    // Not before it is known that the system is small: there are dense matrices in it.
    std::unique_ptr<SmallTaker> out(new SmallTaker(system.size(), system.constraint_count()));
    out->steps_ = std::move(steps);
    out->node_ = out->steps_.front().step->node();
    for (std::size_t k = 0; k < out->steps_.size(); ++k)
      out->steps_[k].step->hand_on(*out->steps_[(k + 1) % out->steps_.size()].step);
    return out;
  }

  // Takes q, p and v of the motion over h; its time is left to the caller. seed(t, q, v, lambda) finds the multipliers
  // of the acceleration, where there is nothing to continue, or fails. Where the mask is false the motion is of no use,
  // and `forget` is due. Lanes that are idle are of none before and after.
  template <class Seed>
  Mask<S> step(Motion<S>& motion, const S& h, Seed seed, const Mask<S>& idle = Mask<S>(false)) {
    const SmallState<S> state = state_of(motion);
    const S& t = motion.state.t;
    Mask<S> fine(true);
    Shared<S> fraction(0);
    for (auto& [coefficient, step, start] : steps_) {
      const S from = t + S(fraction) * h, length = S(coefficient) * h;
      if (!node_.known) step->visit(from, state.q, node_);
      if (!step->seeded(length, idle)) {
        if (!seed(from, state.q, state.v, lambda_.data())) return Mask<S>(false);
        step->seed(length, node_, lambda_.data());
      }
      if (!std::is_same_v<S, Lanes> && steps_.size() > 1) start.copy(motion);
      fine = fine && step->advance(from, length, state, node_, idle);
      if (!any(fine)) return fine;
      fraction += coefficient;
    }
    return fine;
  }
  // Takes `count` steps and passes their time, after one with which they have begun. Lanes that are lost on the way are
  // of no use after.
  Mask<S> steps(Motion<S>& motion, const S& h, long count, const Mask<S>& idle) {
    Mask<S> lost = idle;
    if (steps_.size() == 1 && steps_.front().step->closed()) {
      SmallStep<S>& step = *steps_.front().step;
      if (!node_.known || !step.seeded(h, idle)) return Mask<S>(false);
      lost = lost || !step.advance(state_of(motion), node_, count);
      motion.pass(h, count);
      return !lost;
    }
    for (long k = 0; k < count && !all(lost); ++k) {
      lost = lost || !step(motion, h, [](auto&&...) { return false; }, lost);
      motion.pass(motion.state.t, h);
    }
    return !lost;
  }
  void set(int parameter, const S& value) {
    node_.pushed = false;
    for (auto& sub : steps_) sub.step->set(parameter, value);
  }
  void forget() {
    node_.known = node_.pushed = false;
    for (auto& sub : steps_) sub.step->forget();
  }

  // Whether another taker has this step. Where steps are too long for the elimination they stay so for a while: after a
  // step that was refused it rests, the longer the more often this happens.
  bool rests() { return pause_ > 0 && pause_-- > 0; }
  bool resting() const { return pause_ > 0; }
  void refused() {
    forget();
    patience_ = std::min(2 * patience_ + 1, 63);
    pause_ = patience_;
  }
  void taken(long steps) { patience_ = static_cast<int>(std::max(0L, patience_ - steps)); }

  // Of the last step; residual and multiplier are those at its end.
  int iterations() const {
    int sum = 0;
    for (const auto& sub : steps_) sum += sub.step->iterations();
    return sum;
  }
  const S& residual() const { return steps_.back().step->residual(); }
  const S* end_multiplier() const { return steps_.back().step->end_multiplier(); }

  // Of the acceleration, anywhere; see SmallMultipliers.
  Mask<S> multipliers(Evaluation<S>& evaluation, const S& t, const S* q, const S* v, S* lambda) {
    return multipliers_.find(evaluation, steps_.front().step->inverse_mass(), t, q, v, lambda);
  }
  // The substeps of the last step as parts of its trace; their takers are the caller's.
  void tell(Trace<S>& trace) const {
    S fraction(0);
    trace.count = 0;
    for (const auto& [coefficient, step, start] : steps_) {
      TracePart<S>& part = trace.parts[trace.count++];
      const Motion<S>& from = steps_.size() > 1 ? start : trace.before;
      part.t = trace.before.state.t + fraction * trace.h;
      part.h = coefficient * trace.h;
      part.q = from.state.q;
      part.p = from.state.p;
      part.v = from.v;
      recover_stages(step->stages(), part.v.data(), part.x, part.nu);
      fraction += coefficient;
    }
  }

  // What small steps remember of a motion, as numbers; and how it takes turns with others.
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
  void save_turns(std::vector<S>& out) const {
    for (const int x : {pause_, patience_}) out.push_back(S(x));
  }
  const S* restore_turns(const S* from) {
    for (int* x : {&pause_, &patience_}) *x = static_cast<int>(*from++);
    return from;
  }

 private:
  static SmallState<S> state_of(Motion<S>& motion) {
    return {motion.state.q.data(), motion.state.p.data(), motion.q_low.data(), motion.p_low.data(), motion.v.data()};
  }
  SmallTaker(int n, int m) : lambda_(static_cast<std::size_t>(m)), multipliers_(n, m) {}

  struct Substep {
    Shared<S> coefficient;
    std::unique_ptr<SmallStep<S>> step;
    Motion<S> start;  // of the last step, in compositions
  };
  std::vector<S> lambda_;
  SmallMultipliers<S> multipliers_;
  SmallNode<S> node_;
  std::vector<Substep> steps_;
  int pause_ = 0, patience_ = 0;  // steps left to others; by how many more the next time
};

}  // namespace extremal
