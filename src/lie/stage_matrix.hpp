// StageMatrix: Newton's matrix of a hamilton step on rigid bodies, in double, with all but the joints eliminated.
//
// At the control points k = 0..s of a step a body has the directors d_i^k, k = 0 its start. A small rotation theta_k of
// them and a displacement xi_k of the centre, k = 1..s, change the rows l = 0..s-1 of its momenta by
//   sum_k K_lk m xi_k,
//   sum_k K_lk T_lk theta_k + U_l theta_l,   T_lk = sum_i E_i ((d_i^l . d_i^k) - d_i^k d_i^l^T),
//                                            U_l = sum_i E_i (d_i^l W_i^l^T - (d_i^l . W_i^l)),  W_i^l = sum_k K_lk
//                                            d_i^k
// with K the stiffness matrix of the basis and E the weights of the directors, less e_l G_l^T mu_l and what theta_l
// changes of this torque in the body itself. The rows of joints are those at k = 1..s. What is left for the multipliers
// is sum G_k (..)^-1_kl e_l G_l^T over the bodies that joints share: blocks along the graph of the mechanism.
// A body whose point is held on the ground has no displacement of its own: its centre is one more director, of weight
// m, a = x - the point, and what acts on it acts on its rotation by theta + a x r. What rotations of one body change of
// the torque on another, and loads, is left out: corrections then fall by h^2 times their size instead of
// quadratically.
#pragma once

#include <memory>
#include <vector>

#include "algebra/block_lu.hpp"
#include "lie/joint.hpp"
#include "lie/model.hpp"

namespace extremal::lie {

// Of a step: what the matrix needs of its tables.
struct StageTables {
  int s = 0;
  std::vector<double> K;        // s x (s + 1): rows l = 0..s-1, columns k = 0..s
  std::vector<double> inverse;  // s x s: of the columns 1..s
  std::vector<double> e;        // s
};

// What is not closed, and the correction of the unknowns that would close it.
struct StageVectors {
  std::vector<Covector<double>> bodies;  // of every body: s rows of forces and torques; or displacements and rotations
  std::vector<double> joints;            // of every joint: s times its rows; constraints, or multipliers
};

class StageMatrix {
 public:
  // The joints of `model` are those that are left; hung: whether a point of a body is held.
  StageMatrix(const Model<double>& model, std::vector<bool> hung, StageTables tables);

  // What the matrix is made of, for the caller to fill: poses of the bodies, [body * (s + 1) + k] at control point k, x
  // from the point that is held if there is one; the rows of joints for either side, from slopes(joint, k) on;
  // multipliers by the order of StageVectors::joints.
  std::vector<Pose<double>> poses;
  std::vector<Covector<double>> Ga, Gb;
  std::vector<double> mu;
  std::vector<Vec3<double>> weight;  // what gravity adds to row l of a centre of mass 1
  std::size_t slopes(const Joint<double>& joint, int point) const {
    return static_cast<std::size_t>(joint.first * (tables_.s + 1) + point * joint.count());
  }

  // False if it is singular.
  bool factor();
  // The rows that are not closed become the correction that closes them.
  void solve(StageVectors& rows);
  int size() const { return size_; }
  double smallest_ratio() const { return lu_ == nullptr ? 1 : lu_->smallest_ratio(); }

 private:
  struct Side {
    int joint;
    bool b;
  };
  // Where the block of two sides of a body goes.
  struct Place {
    int to, stride;
  };
  template <int turning, int stages>
  bool factor_bodies();
  template <int turning>
  bool factor_stages();
  template <int turning, int stages>
  void find_body(std::size_t body, double* A) const;
  template <int turning, int stages>
  void add_body(std::size_t body, const double* A, const Place*& place);

  const Model<double>& model_;
  StageTables tables_;
  std::vector<bool> hung_;
  int turning_;             // rotations of a body at a control point: 3, or 1 in the plane
  std::vector<int> first_;  // of every joint, in StageVectors::joints
  int size_ = 0;
  std::vector<std::vector<Side>> sides_;  // of every body
  std::vector<Place> places_;             // of every body, and of every two of its sides
  std::vector<double> inverse_;           // of every body: that of its rotations
  std::vector<double> turned_, moved_, block_;
  std::vector<Covector<double>> pull_;
  std::vector<Covector<double>> Fa_, Fb_;  // Ga and Gb as they act on bodies that hang
  std::unique_ptr<BlockLu> lu_;            // null without joints
};

}  // namespace extremal::lie
