// What a model file says to look at: [observe], [picture] and the rate of [time].
#pragma once

#include "file/fields.hpp"

namespace extremal {

// [observe]: columns of the run.
void read_observers(Fields& top, Model& model, bool fixed_parameters);

// [time]
//   rate = "sqrt(x^2 + y^2)"       # dt/dtau of a run that is paced (pace.hpp), of coordinates and parameters
void read_time(Fields& top, Model& model, bool fixed_parameters);

// [picture]
//   points = { pivot = [0, 0], bob = ["l*sin(phi)", "-l*cos(phi)"] }
//   links = [["pivot", "bob"]]
//   springs = [["wall", "bob"]]
//   trails = ["bob"]
void read_picture(Fields& top, Model& model, bool fixed_parameters);

}  // namespace extremal
