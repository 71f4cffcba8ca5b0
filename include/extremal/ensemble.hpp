// Ensemble: many motions of one system that differ in parameters, starts and steps, taken side by side.
//
//   std::vector<Ensemble::Member> members;
//   for (int k = 0; k < 1000; ++k)
//     members.push_back({pendulum.with("g", 9 + 0.001 * k), {.q = {1, 0}}, 0.01});
//   Ensemble ensemble(Scheme::named("rattle"), members);
//   ensemble.step(1000);
//   ensemble.state(7).q;
//
// Small systems with constant mass advance in the lanes of the processor's vectors, sixteen at a time; others, and
// steps that are too long for it, one by one. Either way every motion gets the bits that its own Stepper would give it,
// whatever its companions are.
#pragma once

#include <memory>
#include <vector>

#include "extremal/stepper.hpp"

namespace extremal {

class Ensemble {
 public:
  struct Member {
    System system;  // all made from the same one by System::with
    Start start;
    double step;
  };
  // Whether motions of such a system can advance in lanes; otherwise an ensemble has no advantage over Steppers.
  static bool has_lanes(const System& system, const Scheme& scheme);

  // InputError if the scheme cannot carry the system, or the systems are not variants of one.
  Ensemble(const Scheme& scheme, const std::vector<Member>& members);
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  int size() const;
  // Steps of every motion; one that fails stays where it is. Many at once cost less than one by one.
  void step(long count = 1);

  // Motion k, to ask it; it is not to be stepped by anyone else.
  Stepper<double>& motion(int k);
  const State<double>& state(int k) { return motion(k).state(); }
  // Why there is none: its start was refused. Empty if there is one.
  const std::string& refused(int k) const;
  bool failed(int k) const;
  const StepReport& report(int k) const;  // of the step that failed, or of the last one that was taken singly
  const Consistency& consistency(int k) const;

  // How many advance in lanes at present.
  int in_lanes() const;

 private:
  class Group;
  std::vector<std::unique_ptr<Group>> groups_;
  int size_ = 0;
};

}  // namespace extremal
