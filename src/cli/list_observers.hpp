// extremal list observers: the columns that a run of a model has.
#pragma once

#include <string>

#include "words/json.hpp"

namespace extremal::cli {

Json observers_json(const std::string& model);
void print_observers(const std::string& model);

}  // namespace extremal::cli
