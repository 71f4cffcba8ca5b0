// edited_text: the text of a model that was read, with what has been changed of it since.
#pragma once

#include <string>

#include "extremal/models.hpp"

namespace extremal {

// The text itself where nothing was changed. Values of [parameters] are put in their places, [start] and [run] are
// written anew. `where` is the file's name, beside which its tables in CSV are. InputError if more was changed, or if
// what is written is not read as the model.
std::string edited_text(const Model& model, const std::string& where);

}  // namespace extremal
