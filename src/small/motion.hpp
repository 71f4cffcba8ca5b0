// SmallMotion: a motion that advances by small steps, one after the other where the scheme is a composition.
//
// It works on a state that somebody else owns, of one motion or of a lane each, and does to it what PointEngine does:
// increments with compensated summation, p = M v.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "small/step.hpp"

namespace extremal {

template <class S>
struct SmallState {
  S *q, *p, *q_low, *p_low, *v;  // n numbers each
};

// x + dx with what rounding took off carried to the next addition.
template <class S>
void add_compensated(int n, S* x, S* low, const S* dx) {
  for (int i = 0; i < n; ++i) {
    const S y = dx[i] + low[i];
    const S sum = x[i] + y;
    low[i] = y - (sum - x[i]);
    x[i] = sum;
  }
}

template <class S>
class SmallMotion {
 public:
  struct Substep {
    Shared<S> coefficient;
    Galerkin galerkin;
  };
  // Null unless every substep can be taken by a SmallStep.
  static std::unique_ptr<SmallMotion> make(const System& system, const std::vector<S>& parameters,
                                           const std::vector<Substep>& substeps) {
    std::unique_ptr<SmallMotion> out(new SmallMotion(system.size(), system.constraint_count()));
    for (const Substep& sub : substeps) {
      auto step = make_small_step<S>(system, parameters, sub.galerkin);
      if (step == nullptr) return nullptr;
      out->steps_.push_back({sub.coefficient, std::move(step)});
    }
    out->node_ = out->steps_.front().step->node();
    return out;
  }

  // From t over h. seed(t, q, v, lambda) finds the multipliers of the acceleration, where there is nothing to continue,
  // or fails. Where the mask is false the state is of no use, and `forget` is due.
  template <class Seed>
  Mask<S> step(const S& t, const S& h, const SmallState<S>& state, Seed seed) {
    iterations_ = 0;
    Mask<S> fine(true);
    Shared<S> fraction(0);
    for (auto& [coefficient, step] : steps_) {
      const SmallStart<S> start{state.q, state.v, t + S(fraction) * h, S(coefficient) * h};
      if (!node_.known) step->visit(start, node_);
      if (!step->seeded(start.h)) {
        if (!seed(start.t, state.q, state.v, nu_.data())) return Mask<S>(false);
        step->seed(start, node_, nu_.data());
      }
      SmallEnd<S> end{dq_.data(), dv_.data(), nu_.data()};
      fine = fine && step->solve(start, node_, end);
      iterations_ += end.iterations;
      residual_ = end.residual;
      if (!any(fine)) return fine;
      add_compensated(n_, state.q, state.q_low, dq_.data());
      step->multiply(dv_.data(), dq_.data());
      add_compensated(n_, state.p, state.p_low, dq_.data());
      step->divide(state.p, state.v);
      fraction += coefficient;
    }
    const S inverse = S(1) / (S(steps_.back().coefficient) * h * steps_.back().step->end_weight());
    for (S& nu : nu_) nu *= inverse;
    return fine;
  }
  void forget() {
    node_.known = false;
    for (auto& sub : steps_) sub.step->forget();
  }

  // Of the last step.
  int iterations() const { return iterations_; }
  const S& residual() const { return residual_; }
  const std::vector<S>& end_multiplier() const { return nu_; }

  void save(std::vector<S>& out) const {
    out.push_back(S(node_.known ? 1 : 0));
    for (const auto* x : {&node_.G, &node_.A, &node_.g_t, &node_.a, &nu_}) out.insert(out.end(), x->begin(), x->end());
    for (const auto& sub : steps_) sub.step->save(out);
  }
  const S* restore(const S* from) {
    node_.known = all(less(S(0), *from++));
    for (auto* x : {&node_.G, &node_.A, &node_.g_t, &node_.a, &nu_}) {
      std::copy_n(from, x->size(), x->begin());
      from += x->size();
    }
    for (auto& sub : steps_) from = sub.step->restore(from);
    return from;
  }

 private:
  SmallMotion(int n, int m) : n_(n), dq_(static_cast<std::size_t>(n)), dv_(dq_), nu_(static_cast<std::size_t>(m)) {}

  struct Step {
    Shared<S> coefficient;
    std::unique_ptr<SmallStep<S>> step;
  };
  int n_, iterations_ = 0;
  S residual_{0};
  std::vector<S> dq_, dv_, nu_;
  SmallNode<S> node_;
  std::vector<Step> steps_;
};

}  // namespace extremal
