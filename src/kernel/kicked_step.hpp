// KickedStep: a step of a hamilton member between two kicks by the slow potentials V (Kicks in extremal/scheme.hpp).
//
// The discrete action of the step is that of the member without them, less w_0 V(q_0) and w_1 V(q_1):
//   (q_0, p_0) -> (q_0, p_0 - w_0 V_q(q_0)) -> the member's step -> (q_1, p_1 - w_1 V_q(q_1)).
// What the first kick has across the constraints changes the multiplier of the node, what the last one has the engine's
// projection takes off.
#pragma once

#include <string>
#include <vector>

#include "kernel/galerkin_step.hpp"

namespace extremal {

template <class S>
class KickedStep final : public Taker<S> {
 public:
  KickedStep(const System& system, const Galerkin& scheme);

  std::size_t size() const override { return inner_.size(); }
  const std::vector<S>& multiplier_nodes() const override { return inner_.multiplier_nodes(); }
  void place(NodeSolver<S>& node, const Motion<S>& motion) override { inner_.place(node, motion); }
  void solve(NodeSolver<S>& node, TracePart<S>& part, StepReport& report) override;
  void adopt(const TracePart<S>& part) override;
  void tell(const TracePart<S>& part, Trace<S>& trace) override;
  std::vector<Visited<S>> visited() const override;
  void regularise(double eps, const std::vector<double>& row_weights) override { inner_.regularise(eps, row_weights); }
  void equilibrate(const std::vector<double>& scales) override { inner_.equilibrate(scales); }
  bool projects() const override { return inner_.projects(); }
  bool hidden() const override { return inner_.hidden(); }
  bool kicks() const override { return true; }
  void tangent(const TracePart<S>& part, std::vector<S>& out, const std::vector<int>& dependent) override;
  void dense(const Trace<S>& trace, S c, DensePoint<S>& out) const override { inner_.dense(trace, c, out); }
  void save(std::vector<S>& out) const override { inner_.save(out); }
  const S* restore(const S* from) override { return inner_.restore(from); }

 private:
  struct End {
    S weight;
    S t{};
    std::vector<S> q, push;  // where it is, and -V_q there
    S potential{};
  };
  void begin(const TracePart<S>& part);
  void finish(const TracePart<S>& part, const S* dq);
  void evaluate(End& end);
  std::vector<S> stiffness(const End& end);

  GalerkinStep<S> inner_;
  Evaluation<S> slow_;
  TracePart<S> kicked_;  // the part of the member, whose p has been kicked
  End first_, last_;
  std::vector<S> rest_, unused_;  // no velocity; L_v
};

}  // namespace extremal
