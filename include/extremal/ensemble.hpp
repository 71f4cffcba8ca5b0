// Ensemble: many motions of one system that differ in parameters, starts and steps, taken side by side.
//
//   std::vector<double> g(1000);
//   for (int k = 0; k < 1000; ++k) g[k] = 9 + 0.001 * k;
//   Members members{.system = pendulum, .start = {.q = {1, 0}}, .count = g.size()};
//   Ensemble ensemble(Scheme::named("rattle"), members.set("g", g), 0.01);
//   ensemble.step(1000);
//   ensemble.state(7).q;
//
// Small systems with constant mass advance in the lanes of the processor's vectors, sixteen at a time; others, and
// steps that are too long for it, one by one. Either way every motion gets the bits that its own Stepper would give it,
// whatever its companions are. What depends on the system and the scheme only is made once; a motion in lanes is
// some numbers in arrays, and becomes a Stepper when it leaves them or is asked for.
#pragma once

#include <memory>
#include <vector>

#include "extremal/members.hpp"
#include "extremal/stepper.hpp"

namespace extremal {

class Ensemble {
 public:
  // Whether motions of such a system can advance in lanes; otherwise an ensemble has no advantage over Steppers.
  static bool has_lanes(const System& system, const Scheme& scheme);

  // Steps of one length, or of one length for every member. InputError if the scheme cannot carry the system.
  Ensemble(const Scheme& scheme, const Members& members, double step);
  Ensemble(const Scheme& scheme, const Members& members, const std::vector<double>& steps);
  ~Ensemble();
  Ensemble(Ensemble&&) noexcept;
  Ensemble& operator=(Ensemble&&) noexcept;

  int size() const;
  // Steps of every motion; one that fails stays where it is. Many at once cost less than one by one.
  void step(long count = 1);

  State<double> state(int k) const;
  // Motion k, to ask it; it is not to be stepped by anyone else. Where it is in lanes a Stepper is made for it first.
  Stepper<double>& motion(int k);
  // Why there is none: its start was refused. Empty if there is one.
  const std::string& refused(int k) const;
  bool failed(int k) const;
  const StepReport& report(int k) const;  // of the step that failed, or of the last one that was taken singly
  const Consistency& consistency(int k) const;

  // How many advance in lanes at present.
  int in_lanes() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace extremal
