// The tables of a model file: functions by points, in the file or in a CSV file beside it.
//
//   [tables]
//   torque = { file = "torque.csv", x = "t", y = "tau", between = "cubic" }
//   cam = { points = [[0, 0], [1, 0.5], [2, 0]] }
#pragma once

#include "file/fields.hpp"

namespace extremal {

// By their names, for formulas: torque(t), cam(shaft.angle).
FormulaTables read_tables(Fields& top);

}  // namespace extremal
