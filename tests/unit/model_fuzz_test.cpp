// Replays what the fuzz target (fuzz/model.cpp) was started with and has found, and every file of models/.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model_fuzz.hpp"
#include "places.hpp"

namespace extremal::model_fuzz_test {
namespace {

int replay(const std::filesystem::path& folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    SCOPED_TRACE(entry.path().filename().string());
    fuzz_model(text.str());
    ++count;
  }
  return count;
}

TEST(ModelFuzz, ReplaysItsCorpus) {
  EXPECT_GE(replay(std::filesystem::path(places::data) / ".." / "fuzz" / "model"), 10);
}

TEST(ModelFuzz, ReadsTheGallery) { EXPECT_GE(replay(places::models), 30); }

TEST(ModelFuzz, KnowsAPlaceFromNone) {
  EXPECT_TRUE(has_place("fuzz.toml:3:14: found", "fuzz.toml"));
  EXPECT_FALSE(has_place("fuzz.toml:3: found", "fuzz.toml"));
  EXPECT_FALSE(has_place("fuzz: found", "fuzz.toml"));
}

}  // namespace
}  // namespace extremal::model_fuzz_test
