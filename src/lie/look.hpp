// Look: what is asked of one state of a mechanism, centres and directors, at O(N): multipliers, defects of symmetries.
//
// With the directors d_i of a body and their inertia E_i, the multipliers of the motion are those of
//   m a + G_x^T lambda = f,   E_i a_i + sum_j Lambda_ij d_j + G_i^T lambda = f_i,   g'' = 0
// [Wenger2017, eq. 70], Lambda those of rigidity, symmetric, and lambda those of joints and drives. The rows of
// rigidity say a_i = -sum_j (v_i . v_j) d_j + alpha x d_i. What is left of the equations is that of rigid bodies,
//   S lambda = G b + g'',   S = G M^-1 G^T,   b the accelerations without joints,
// which Schur solves; and Lambda_ij = d_j . (f_i - E_i a_i - G_i^T lambda) follows body by body.
//
// Of redundant joints lambda is the shortest in the rows' weights. All joints have rows here, also those that Model
// eliminates for a motion, for they share the loads.
#pragma once

#include <string>
#include <vector>

#include "extremal/stepper.hpp"
#include "lie/joints.hpp"
#include "lie/model.hpp"
#include "system/evaluation.hpp"

namespace extremal::lie {

template <class S>
class Look {
 public:
  Look(const System& system, const std::string& scheme);

  // v lies on the tangent space. Not a number where S cannot be factored.
  void multipliers(const State<S>& at, const std::vector<S>& v, std::vector<S>& out);
  // See Stepper::symmetry_defect.
  double symmetry_defect(int index, const State<S>& at, const std::vector<S>& v);
  void momenta(const State<S>& at, std::vector<S>& out);
  // The length of every row of G, and all of G.
  void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out);
  void hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out);
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t);

 private:
  // Rows of the system: those of rigidity are the first, body by body; lambda is in the order of Model.
  struct Rigidity {
    std::size_t body;
    int row;  // d_i . d_i, then d_i . d_j with j > i
  };
  // The vector field of a symmetry that is A q + b, as those of rigid motions are.
  struct Field {
    struct Entry {
      std::size_t i, j;
      S a;
    };
    bool affine = false;
    std::vector<Entry> A;
    std::vector<S> b;
  };
  void find_fields(const System& system);
  void find_field(int index);  // field_ and lifted_, where it looked last
  void see_constraints(const std::vector<S>& q, S t);
  void see(const State<S>& at, const std::vector<S>& v);
  void place_bodies(S t);
  void find_rigid_accelerations();
  void hand_on(std::vector<S>& out);
  void find_loads();
  bool find_joint_multipliers();
  void find_accelerations();
  void find_rigidity_multipliers(std::vector<S>& out);
  const std::vector<S>& stiffness();
  Vec3<S> part(const std::vector<S>& list, std::size_t body, int i) const;
  void add(std::vector<S>& list, std::size_t body, int i, const Vec3<S>& x) const;

  Model<S> model_;
  Workers alone_;  // nobody else: what is looked at now and then
  Joints<S, S> joints_;
  Evaluation<S> evaluation_;
  std::vector<Rigidity> rigidity_;
  std::vector<Field> fields_;
  // Where it looked last, with what it saw there: G, L_q, L_v, and by stiffness() the sizes of the sums L_qq q.
  S t_{};
  std::vector<S> q_, v_, g_, G_, Lq_, Lv_, stiff_, field_, lifted_;
  bool seen_constraints_ = false, seen_ = false, seen_stiff_ = false;
  // Of the multipliers: accelerations of the directors, g'' without those of b, what rigidity has to balance; the
  // bodies as rigid ones.
  std::vector<S> a_, bend_, handed_, left_, lambda_, residual_;
  std::vector<Pose<S>> poses_;
  std::vector<Momenta<S>> load_, rest_;
};

extern template class Look<double>;
extern template class Look<long double>;
extern template class Look<quad>;

}  // namespace extremal::lie
