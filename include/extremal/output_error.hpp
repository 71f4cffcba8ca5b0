// OutputError: what a sink throws when there is no place for what it has to write, as on a disk that is full.
//
// A run ends there as if it had been interrupted, with the reason and all data so far; an archive can be gone on with.
#pragma once

#include <stdexcept>

namespace extremal {

// The message is complete by itself: it names the place and the reason.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace extremal
