// Start: the user's initial data, made consistent with g = 0 and G v = 0 or refused with the reason.
//
//   Start a{.q = {1, 0}, .v = {0, 0}};
//   Start b{.q = {"sqrt(2)/2", "sqrt(2)/2"}, .p = {"0.1", "-0.1"}, .t = 3};
//   Start c{.q = {1, 0}, .next = {"0.99", "-0.1"}};     // the two-step form: q(t) and q(t + step)
//
// Positions that violate g = 0 by no more than `slack` are corrected by Newton's method in the mass metric
// (the smallest change of q measured by the kinetic energy); momenta are projected.
#pragma once

#include <string>
#include <vector>

#include "extremal/number.hpp"

namespace extremal {

struct Start {
  // Every member has an initialiser, so that naming only some of them is no warning.
  std::vector<Number> q = {};
  std::vector<Number> v = {};  // one of v, p, next; none means rest
  std::vector<Number> p = {};
  std::vector<Number> next = {};  // the position one step later
  Number t = 0;
  Number slack = "1e-6";  // largest |g| that is corrected rather than refused
};

// What had to be changed to make a Start consistent.
struct Consistency {
  double position = 0;  // largest change of a coordinate
  double momentum = 0;  // largest change of a momentum
  int redundant =
      0;  // rows of g that depend on others; the motion is unique, their multipliers are those of least norm
  std::vector<std::string> dependent = {};  // the constraints involved, by name
};

}  // namespace extremal
