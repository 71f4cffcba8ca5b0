// extremal list observers: the columns that a run of a model has.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace extremal::cli {

nlohmann::ordered_json observers_json(const std::string& model);
void print_observers(const std::string& model);

}  // namespace extremal::cli
