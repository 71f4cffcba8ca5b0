// What the parameters of a model file reach besides its formulas.
//
// A parameter that stands in formulas of energies, constraints and forces only is a parameter of the System: a run with
// another value needs another number and no other terms. One that stands in [start] changes where the motion starts;
// one that stands in [run], in repeat = or in {...}, or in a file of bodies, may change anything.
#pragma once

#include <set>
#include <string>

#include "file/document.hpp"

namespace extremal::sweep {

struct Dependence {
  std::set<std::string> start, run, structure;  // names of parameters
  explicit Dependence(const Document& model);
};

}  // namespace extremal::sweep
