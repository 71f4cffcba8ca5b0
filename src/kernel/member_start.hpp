// MemberStart: starts members of an ensemble one after the other, with one NodeSolver for all of them.
//
// What it finds has the bits that PointEngine::start and its first step find: state, velocity, and the multipliers that
// small steps begin with.
#pragma once

#include <memory>
#include <vector>

#include "extremal/members.hpp"
#include "kernel/node.hpp"
#include "step/motion.hpp"
#include "system/start_numbers.hpp"

namespace extremal {

class MemberStart {
 public:
  // The members have to outlive it.
  explicit MemberStart(const Members& members);

  const Members& members() const { return members_; }
  // The parameters of a member.
  const std::vector<double>& parameters(std::size_t member);
  // Whether constraints, or energies of velocities, depend on a parameter.
  bool shapes(std::size_t parameter) const { return shapes_[parameter]; }

  struct Begun {
    Motion<double> motion;
    std::vector<double> lambda;  // of the acceleration
    std::vector<double> scales;  // NodeSolver::scales
    Consistency consistency;
  };
  // False if the member needs an engine of its own: its constraints are redundant, or it starts with two positions.
  // InputError, with the words of Stepper::start, if it cannot start.
  bool start(std::size_t member, Begun& out);
  // The multipliers of the acceleration of a member elsewhere; false if there are none.
  bool multipliers(std::size_t member, const std::vector<double>& scales, double t, const double* q, const double* v,
                   double* lambda);

 private:
  void bind(std::size_t member);
  // Whether a start with other parameters is the same: they are of potentials and forces.
  bool same_shape(const std::vector<double>& a, const std::vector<double>& b) const;

  const Members& members_;
  std::vector<bool> shapes_;  // parameters that constraints, or energies of velocities, depend on
  // The last one that was resolved, without its multipliers; and what it was resolved from.
  Begun last_;
  std::vector<double> last_parameters_;
  StartNumbers<double> last_numbers_;
  bool resolved_ = false;
  std::vector<double> own_parameters_, parameters_, bound_, a_;
  StartNumbers<double> base_, numbers_;
  std::unique_ptr<NodeSolver<double>> node_;  // with the parameters bound_
};

}  // namespace extremal
