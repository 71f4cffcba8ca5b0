// Validation: the measured tables of docs/validation.md, held to what the tests measure.
//
// A table stands in the document between <!-- name --> and <!-- /name -->. A test that measures it says
//
//   expect_documented("man-orders", "| m | LLL | LGL |\n|---|---|---|\n| 2 | 2.00 | 2.00 |\n");
//
// and fails if the document says something else. With EXTREMAL_WRITE_VALIDATION=1 the document is rewritten
// instead (scripts/validation does that, one test at a time). Print only digits that do not depend on rounding.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace extremal {

inline void expect_documented(const std::string& name, const std::string& table) {
  const std::string path = std::string(EXTREMAL_TEST_DATA) + "/../../docs/validation.md";
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  std::string document = text.str();
  const std::string begin = "<!-- " + name + " -->\n", end = "<!-- /" + name + " -->";
  const auto from = document.find(begin), to = document.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to)
      << "docs/validation.md has no place for table " << name;
  const auto first = from + begin.size();
  if (std::getenv("EXTREMAL_WRITE_VALIDATION") != nullptr) {
    document.replace(first, to - first, table);
    std::ofstream(path) << document;
  } else {
    EXPECT_EQ(document.substr(first, to - first), table)
        << "docs/validation.md is out of date; scripts/validation rewrites it";
  }
}

}  // namespace extremal
