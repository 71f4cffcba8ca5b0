// read_model in parts: of a document that is read already, with limits of one's own.
#pragma once

#include <string>
#include <string_view>

#include "file/scope.hpp"

namespace extremal {

// The parameters that the arguments of the model's name are, in their order, with the values that the file gives them:
// { n, 10 } for a chain, of which chain(3) has n = 3.
Settings name_arguments(const Document& document);

// The start alone, of a file of formulas: what it costs is little beside the terms.
Start read_start(const Document& document, const Settings& settings, const ModelLimits& limits);
Model read_document(const Document& document, const Settings& settings, const ModelLimits& limits);
Model read_model_within(std::string_view text, const std::string& name, const Settings& settings,
                        const ModelLimits& limits);

}  // namespace extremal
