// The parts of a model file that are formulas: coordinates, energies, constraints, forces, symmetries.
//
//   [[constraint]]
//   repeat = 5                                                        # i = 1, ..., 5
//   name = "bar {i}"
//   formula = "(x{i+1} - x{i})^2 + (y{i+1} - y{i})^2 - l^2"
//
// A repeated formula becomes one term with many sites where it is the same for every i but for its coordinates.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "file/fields.hpp"

namespace extremal {

// Values of some coordinates when the motion starts.
struct StartValues {
  std::unordered_map<std::string, Number> q, v, p;
};

// coordinates = ["x", "y"], or [["x1", "y1"], ["x2", "y2"]] in groups that belong together, or tables [[coordinates]].
void read_coordinates(Fields& top, System& system, StartValues& start);
// [definitions]: names for parts of formulas, which stand for them wherever they are used.
void read_definitions(Fields& top, Formulas& formulas);
// kinetic, potential, lagrangian or hamiltonian, [[constraint]], [[force]] along coordinates, [[symmetry]].
void read_terms(Fields& top, const System& system, Formulas& formulas);

}  // namespace extremal
