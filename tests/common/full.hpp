// What runs always, and what runs only with ./test --full (EXTREMAL_FULL=1).
//
//   TEST(Table, Rest) {
//     EXTREMAL_FULL_ONLY("cells with s = 5 and 6");
//     ...
//   }
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace extremal::papers {

inline bool full() {
  const char* value = std::getenv("EXTREMAL_FULL");
  return value && *value && std::string(value) != "0";
}

}  // namespace extremal::papers

#define EXTREMAL_FULL_ONLY(what) \
  if (!::extremal::papers::full()) GTEST_SKIP() << "only with --full: " << (what)
