// Errors: bad input is refused before the first step with *where: found; expected; try*.
//
// Numerical trouble is never thrown: it ends a Run with a status and a reason (run.hpp).
#pragma once

#include <stdexcept>

namespace extremal {

// The message is complete by itself: it names the place, what was found and what was expected.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace extremal
