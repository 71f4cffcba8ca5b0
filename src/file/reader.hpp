// read_model_text with limits of one's own: for hostile texts in tests.
#pragma once

#include <string>
#include <string_view>

#include "file/scope.hpp"

namespace extremal {

Model read_model_within(std::string_view text, const std::string& name, const Settings& settings,
                        const ModelLimits& limits);

}  // namespace extremal
