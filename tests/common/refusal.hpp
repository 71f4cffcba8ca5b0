// The message with which an action is refused, or nothing.
#pragma once

#include <string>

#include "extremal/error.hpp"

namespace extremal {

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace extremal
