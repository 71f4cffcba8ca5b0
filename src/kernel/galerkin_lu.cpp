// Where the entries of the matrix of a step are: which coordinates and multipliers of its stages belong together.
#include "kernel/find_blocks.hpp"
#include "kernel/galerkin.hpp"
#include "numbers/index.hpp"
#include "scheme/basis.hpp"

namespace extremal {

BlockLu galerkin_lu(const System& system, const Galerkin& scheme) {
  Evaluation<double> evaluation(system, 1, Storage::sparse);
  const Tables<double> table = tables<double>(of_any_length(scheme));
  const GalerkinLayout layout(table, system.size(), system.constraint_count());
  const Blocks blocks = find_blocks(system, evaluation.coupling(), evaluation.jacobian());
  // Multipliers at the start of the step only, as those of rattle, act with forces that do not depend on z.
  bool curved = layout.coupled;
  for (int j = 0; j < layout.J; ++j)
    for (int nu = 0; nu < layout.s; ++nu)
      for (int k = 1; k <= layout.s; ++k)
        curved = curved ||
                 table.e[sz(j)] * table.lphi[sz(j * (layout.s + 1) + nu)] * table.lphi[sz(j * (layout.s + 1) + k)] != 0;
  Units units = find_units(blocks, evaluation, curved ? Coupled::by_all : Coupled::by_energies);
  // Copies of the coordinates or of the constraints.
  const auto append = [&](std::vector<int>& to, bool constraints, int times) {
    for (int k = 0; k < times; ++k)
      for (int i = 0; i < (constraints ? layout.m : layout.n); ++i) to.push_back(constraints ? layout.n + i : i);
  };
  append(units.row, false, layout.s);
  append(units.row, true, layout.constraint_rows);
  append(units.column, false, layout.s);
  append(units.column, true, layout.unknown_multipliers);
  if (layout.coupled) {
    append(units.row, false, 1);
    append(units.row, true, 1);
    append(units.column, false, 1);
  }
  return BlockLu(blocks, units);
}

}  // namespace extremal
