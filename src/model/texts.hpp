// The files of models/, which are part of the library (cmake/models.cmake).
#pragma once

#include <span>
#include <string_view>

namespace extremal {

struct ModelText {
  std::string_view name, text;
};

// In the order in which `extremal list models` shows them.
std::span<const ModelText> model_texts();

}  // namespace extremal
