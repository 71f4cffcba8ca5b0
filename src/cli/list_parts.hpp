// extremal list parts: the joints and loads of model files.
#pragma once

#include "words/json.hpp"

namespace extremal::cli {

void print_parts();
Json parts_json();

}  // namespace extremal::cli
