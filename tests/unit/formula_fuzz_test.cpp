// Replays what the fuzz target (fuzz/) was started with and has found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "formula_fuzz.hpp"
#include "places.hpp"

namespace extremal::formula_fuzz_test {
namespace {

TEST(FormulaFuzz, ReplaysItsCorpus) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(places::data) / ".." / "fuzz" / "formula")) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    SCOPED_TRACE(entry.path().filename().string());
    fuzz_formula(text.str());
    ++count;
  }
  EXPECT_GE(count, 10);
}

}  // namespace
}  // namespace extremal::formula_fuzz_test
