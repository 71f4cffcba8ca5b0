// How large an Evaluation, coordinates times constraints, keeps what it was made from, so that it can be set to other
// parameters.
#pragma once

namespace extremal {

// The product may be more than an int counts.
inline bool is_settable(int coordinates, int constraints) {
  constexpr long long most = 4096;
  return static_cast<long long>(coordinates) * constraints <= most;
}

}  // namespace extremal
