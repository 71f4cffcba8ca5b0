// How a model starts and is run, as tables of a model file.
#pragma once

#include <string>

#include "extremal/models.hpp"

namespace extremal {

// [start]; empty if it is what a file without the table says. Of a mechanism that starts as it was told: joints and
// slack; where it starts otherwise, and with `whole`: every coordinate.
std::string start_text(const Model& model, bool whole = false);
// [run], every key that is not what a file without it says.
std::string run_text(const Model& model);

// Whether two models start alike, numbers as they are in quad.
bool same_start(const System& system, const Start& a, const Start& b);
// The first key of [run] in which two models differ; empty if there is none.
std::string other_key(const Model& a, const Model& b);

}  // namespace extremal
