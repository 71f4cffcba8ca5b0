// RotationSolver: a hamilton step on rigid bodies, solved for a rotation of every body at every control point.
//
// In the equations of the directors (kernel/galerkin.hpp) the multipliers of rigidity act along sum_j Lambda_ij d_j
// with Lambda symmetric. If g = 0 is imposed at the control points and multipliers act there, sum_i d_i x (.) at a
// control point leaves no Lambda of it: 3 rows in place of 9 + 6, in the plane 1 in place of 4 + 3, for the rotations
// that are left of 9 or 4 coordinates,
//   d_i^k = C_k d_i^0,   C_k the rotation of a unit quaternion relative to the start.
// Where bodies have nothing but weight and joints, rows and constraints are written down for rotations; otherwise they
// are taken off the residual of all equations, loads, drives and time included. At the end Lambda_ij follows from what
// the rows of the directors leave, and the residual of all equations with all multipliers judges the solution.
#pragma once

#include <vector>

#include "kernel/corrections.hpp"
#include "kernel/reduced_solver.hpp"
#include "lie/hung_body.hpp"
#include "lie/stage_matrix.hpp"

namespace extremal::lie {

template <class S>
class RotationSolver final : public ReducedSolver<S> {
 public:
  // Null where bodies are not all there is, or the scheme does not close the constraints at its control points.
  static std::unique_ptr<RotationSolver> make(const System& system, const Galerkin& scheme);

  bool solve(const StepStart<S>& start, GalerkinResidual<S>& residual, std::vector<S>& x, StepReport& report) override;

 private:
  RotationSolver(const System& system, const Galerkin& scheme, const Tables<S>& tables);

  StageMatrix made_matrix(const Tables<S>& tables);
  void begin(const std::vector<S>& x);
  void place(std::vector<S>& x);             // the bodies at all control points, their directors in x
  void look(int point);                      // the joints there
  void find_rows(const std::vector<S>& x);   // of weight and joints, to rows_
  void take_rows();                          // those of r_, to rows_
  void see(const std::vector<S>& x);         // what the matrix is made of
  Correction<S> correct(std::vector<S>& x);  // takes rows_ off
  void add_holds(std::vector<S>& x);         // r_ of the centres of hung bodies, to the multipliers of their joints
  void add_rigidity(std::vector<S>& x) const;
  bool closed(const std::vector<S>& x, S extent) const;
  // Where a body has its part 0, the centre, and its directors, among coordinates.
  int at(std::size_t body, int part) const { return model_.bodies[body].first + model_.dimension * part; }
  const Pose<S>& pose(std::size_t body, int point) const {
    return poses_[body * static_cast<std::size_t>(layout_.s + 1) + static_cast<std::size_t>(point)];
  }

  Model<S> model_;
  std::vector<HungBody<S>> hung_;  // of every body
  Model<double> narrow_;           // of matrix_
  GalerkinLayout layout_;
  StageMatrix matrix_;
  StageVectors rows_;
  std::vector<S> K_, points_, weights_, shares_;  // K, control points, e, and sum_i b_i l_l(c_i)
  bool loop_, plain_;
  double stiffness_ = 0, weight_ = 0;  // the largest of K and of e
  std::vector<int> rigidity_;          // of every body: its first row of g, or -1
  StepStart<S> start_{};
  std::vector<Quaternion<S>> turn_;   // of every body and control point: C
  std::vector<Columns<S>> base_;      // of every body: the directors of the start without their round-off,
  std::vector<Columns<S>> rounding_;  // and what that changed
  std::vector<Pose<S>> poses_;        // of every body, from the start on
  std::vector<Covector<S>> Ga_, Gb_;  // of every joint, control point and row
  std::vector<Covector<S>> sums_;     // of every body and row
  std::vector<S> g_, r_;              // g of a joint; of all equations
};

}  // namespace extremal::lie
