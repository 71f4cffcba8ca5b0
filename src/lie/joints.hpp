// Joints: all joints of a mechanism where its bodies are: g, G^T mu, G v, and the factors of S = G M^-1 G^T.
//
// Most joints hold two points together, g = x_b - x_a. Their rows are one vector, and their G is known by two arms:
//   G^T mu = (mu, rho_b x mu) on b, -(mu, rho_a x mu) on a.
// Other joints are done row by row.
//
// Threads share the joints in runs of them that have their bodies to themselves; joints at the seams between runs come
// last, one after the other. The runs do not depend on the threads, so that a body's impulses are added in one order.
#pragma once

#include <vector>

#include "lie/body_state.hpp"
#include "lie/dual.hpp"
#include "lie/model.hpp"
#include "lie/schur.hpp"
#include "numbers/index.hpp"

namespace extremal::lie {

template <class S, class T>
class Joints {
 public:
  Joints(const Model<S>& model, Workers& workers);

  // g where the bodies might be; returns the largest |g|, in slopes of their own size. With `rows` also what G needs.
  S look(const std::vector<Pose<T>>& poses, bool rows, const S& slopes, std::vector<T>& g);
  int worst() const { return worst_; }  // the row of the largest
  // The bodies are where look() was last: G is that of this place.
  void arrive(const std::vector<Pose<T>>& poses, std::vector<T>& g);
  // Factors S; false if it is singular.
  bool factor(const std::vector<Pose<T>>& poses);
  const typename Schur<S>::Pivot& pivot() const { return pivot_; }
  // Regularises S by eps times the rows' weights.
  void regularise(double eps);
  bool regular() const { return regular_; }

  // sum += factor S^-1 b; b becomes S^-1 b.
  void solve(std::vector<T>& b, S factor, std::vector<T>& sum);
  // Whether S times the solution x of the last solve() is known to be its right-hand side but for the rounding of
  // numbers of size `scale`: the rounding errors of L D L^T are, row by row, those of the products of S and x.
  bool exact(const std::vector<T>& x, const S& scale) const;
  // momenta -= G^T mu; what holds or drives a body takes the impulse.
  template <class M>
  void subtract(const std::vector<T>& mu, std::vector<M>& momenta) const;
  // G v; returns the size of what it is summed from.
  S rate(const std::vector<Momenta<T>>& velocities, std::vector<T>& out) const;

 private:
  struct Ball {
    int a, b, first, joint;
    bool moves_a, swings_a, moves_b, swings_b;
    Vec3<T> at_a, at_b;
  };
  // Where runs begin in a list of joints, and last the seams.
  using Runs = std::vector<std::size_t>;
  template <class Item, class Bodies>
  Runs find_runs(std::vector<Item>& items, Bodies bodies_of) const;
  template <class Item, class Visit>
  void each(const std::vector<Item>& items, const Runs& runs, Visit visit) const;
  const Pose<T>& at(const std::vector<Pose<T>>& poses, int body) const { return body < 0 ? ground_ : poses[sz(body)]; }

  const Model<S>& model_;
  Workers& workers_;
  Schur<S> schur_;
  typename Schur<S>::Pivot pivot_;
  std::vector<Ball> balls_;
  std::vector<int> others_;  // the joints that are none
  Runs ball_runs_, other_runs_;
  std::vector<Arms<T>> arms_, next_arms_;  // of all joints; those of the others are not used
  std::vector<Covector<T>> Ga_, Gb_, next_Ga_, next_Gb_;
  std::vector<Pose<S>> value_poses_;
  std::vector<Arms<S>> value_arms_;
  std::vector<Covector<S>> value_Ga_, value_Gb_;
  std::vector<S> rhs_, eps_;
  std::vector<InverseMass<S>> inverse_;
  Pose<T> ground_;
  int worst_ = -1;
  bool rows_known_ = false, regular_ = true;
};

}  // namespace extremal::lie
