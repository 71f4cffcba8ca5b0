// SmallStep: one step of a hamilton member for a small separable system, with the stages eliminated.
//
// Unknowns are the multipliers lambda_j and the displacements D_i of the nodes where g = 0 is imposed
// (small/tables.hpp):
//   D_i = h y_i v + h^2 sum P_ik a_k - h^2 sum R_ij c_j(D),   c_j = M^-1 G(q + D_j-1)^T lambda_j,
//   g(q + D_i) = 0.
// Newton's method with G at the nodes; the change of c_j with D_j is taken as kappa_j D_j with the scalar
// kappa_j = sum_k lambda_jk tr(M^-1 D^2 g_k) / n, which is exact for rods between equal particles and the ground. The
// change of the forces a_k is left out. Where this does not contract, the step is refused and the general kernel
// (kernel/galerkin_step.hpp), whose equations are the same, takes it.
//
// The scalar may be Lanes: every lane is iterated until it is done and keeps its values from then on, so that it gets
// the bits that it would get alone.
#pragma once

#include <memory>
#include <vector>

#include "extremal/detail/lanes.hpp"
#include "extremal/scheme.hpp"
#include "extremal/system.hpp"
#include "step/motion.hpp"

namespace extremal {

template <class S>
struct SmallTables;

template <class S>
using Mask = std::conditional_t<std::is_same_v<S, Lanes>, LaneMask, bool>;
// The numbers that all lanes share.
template <class S>
using Shared = std::conditional_t<std::is_same_v<S, Lanes>, double, S>;

// The numbers of a Motion. q and p are sums of increments, whose rounding is carried along; v = M^-1 p.
template <class S>
struct SmallState {
  S *q, *p, *q_low, *p_low, *v;  // n numbers each
};

// What is known at the start of a step since the step before ended there: A = M^-1 G^T and a = M^-1 f.
template <class S>
struct SmallNode {
  std::vector<S> A, a;
  bool known = false, pushed = false;  // all but a, and a
};

// What is left of the stages of the last step, in the arrays of a SmallStep; see recover_stages.
template <class S>
struct SmallStages {
  const SmallTables<Shared<S>>* tables;
  int n, m;
  S h;
  const S *lambda, *end;        // multipliers: J x m, and that of the end
  const S *first_pull, *pulls;  // c_0, and c_1 .. c_J-1
  const S* pushes;              // a at the Lagrangian's nodes, r x n
  bool steady;                  // the same at all of them: n
};

template <class S>
class SmallStep {
 public:
  virtual ~SmallStep() = default;

  virtual SmallNode<S> node() const = 0;
  // Evaluates the node at (t, q).
  virtual void visit(const S& t, const S* q, SmallNode<S>& node) = 0;
  // Whether there are steps of the same length to continue; otherwise begin with the multipliers of the acceleration.
  bool seeded(const S& h, const Mask<S>& idle) const { return all(idle || (less(S(0), count_) && equal(h, h_))); }
  virtual void seed(const S& h, const SmallNode<S>& node, const S* lambda) = 0;
  void forget() { count_ = S(0); }
  // Takes the state from t to t + h. Expects to be seeded and the node to be known. Where the mask is false Newton's
  // method did not contract: the state, and what is remembered of that motion, are of no use then.
  virtual Mask<S> advance(const S& t, const S& h, const SmallState<S>& state, SmallNode<S>& node,
                          const Mask<S>& idle) = 0;
  // Whether steps have a closed form (small/closed.hpp), for which nothing but the state changes from one to the next;
  // and as many of these at once, all over the length of the seed.
  virtual bool closed() const = 0;
  virtual Mask<S> advance(const SmallState<S>& state, SmallNode<S>& node, long count) = 0;

  // The force at the end is that at the start of the step that follows, if both have as much of the slow potentials.
  void hand_on(const SmallStep& next) { hands_on_ = end_kick_ == next.start_kick_; }

  // Of the last step.
  int iterations() const { return iterations_; }
  const S& residual() const { return residual_; }  // the largest |g|
  virtual const S* end_multiplier() const = 0;
  // A parameter of V has another value from now on.
  virtual void set(int parameter, const S& value) = 0;
  virtual SmallStages<S> stages() const = 0;
  virtual const S* inverse_mass() const = 0;  // n x n

  // What a checkpoint needs, always as many numbers.
  virtual void save(std::vector<S>& out) const = 0;
  virtual const S* restore(const S* from) = 0;

 protected:
  int iterations_ = 0;
  S residual_{0};
  Shared<S> start_kick_{0}, end_kick_{0};  // by how much the force there has the slow potentials where these are apart
  bool hands_on_ = true;
  S count_{0}, h_{0};  // how many steps are remembered, and their length
};

// Null if the system is too large for it, is not separable or its mass not positive, or the member's stages cannot be
// eliminated. The parameters are those of the system, which may differ from lane to lane.
template <class S>
std::unique_ptr<SmallStep<S>> make_small_step(const System& system, const std::vector<S>& parameters,
                                              const Galerkin& galerkin);

}  // namespace extremal
