// RodMotion: a mechanism that is nothing but rods, moved by the rod kernel.
//
// Its bodies are the nodes of rods, held or free; no joints, no dampers, no loads but forces on nodes and torques. The
// step is that of Motion, with the kicks of neighbouring steps made one: the kernel keeps the momenta of the drift.
#pragma once

#include <memory>
#include <vector>

#include "lie/motion.hpp"
#include "lie/rod_kernel.hpp"

namespace extremal::lie {

template <class S>
class RodMotion {
 public:
  // Null if the mechanism is not of that kind, or the weights are none of alpha(a).
  static std::unique_ptr<RodMotion> made_for(const Model<S>& model, const RigidStructure& rigid,
                                             const StepRule<S>& rule);

  // Between the two the kernel goes its way; momenta are those of the node time. give() does nothing, and says so,
  // where the bodies were taken or given last; seen() is the time of that.
  void take(S t, const std::vector<BodyState<S>>& bodies);
  bool give(S t, std::vector<BodyState<S>>& bodies);
  S seen() const { return seen_; }
  // False if a section turns too far, or the numbers are not finite.
  bool step(S t, S h, S& work, S& supplied);
  // After such a step: the first node that has no rotation any more, and the first load that is not finite; or -1.
  int lost() const;
  int bad_load() const;

  void threads(int number) { kernel_.threads(number); }
  int threads() const { return kernel_.threads(); }

  void save(std::vector<S>& out) const;
  const S* restore(const S* from);

 private:
  RodMotion(const Model<S>& model, std::vector<Rod<S>> rods, S b1);
  std::size_t slot(int body) const { return slots_[static_cast<std::size_t>(body)]; }
  void find_loads(S t);
  bool is_finite() const;
  Pose<S> pose(std::size_t slot) const;

  const Model<S>& model_;
  RodKernel<S> kernel_;
  std::vector<std::size_t> slots_;  // of every body
  std::vector<NodeLoad<S>> loads_;
  std::vector<Pose<S>> from_;  // of the bodies with loads, one per load
  std::vector<S> momenta_[6];
  bool moved_ = false;  // since bodies were taken or given
  S seen_{};
  S alpha_, begun_{};  // the step that the stored momenta belong to; 0: they are those of the node time
};

extern template class RodMotion<double>;
extern template class RodMotion<long double>;
extern template class RodMotion<quad>;

}  // namespace extremal::lie
