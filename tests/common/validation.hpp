// Validation: what a test measured, for docs/validation.md.
//
//   record("man-orders", "| spring-pendulum | 2 | 2.00 | 1.99 |");
//
// prints the row with a prefix; scripts/validation gathers the rows of all tests into the table of that name. Print
// only digits that do not depend on rounding.
#pragma once

#include <cstdio>
#include <string>

namespace extremal {

inline void record(const std::string& table, const std::string& row) {
  std::printf("validation: %s: %s\n", table.c_str(), row.c_str());
}

}  // namespace extremal
