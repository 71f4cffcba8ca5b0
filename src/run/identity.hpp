// Identity: what a run is of, as a few numbers that its checkpoint carries, so that it goes on as the run that it was.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "extremal/run.hpp"

namespace extremal {

struct IdentityPart {
  const char* what = "";
  double sum = 0;  // of texts, 52 bits: a whole number in every scalar
};
using Identity = std::array<IdentityPart, 7>;

// The terms of a system are known by their names and roles: functions cannot be compared.
Identity identity_of(const System& system, const Scheme& scheme, const Start& start, const Span& span);

}  // namespace extremal
