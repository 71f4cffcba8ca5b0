// Replays what the fuzz target (fuzz/robot.cpp) was started with and has found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "places.hpp"
#include "robot_fuzz.hpp"

namespace extremal::robot_fuzz_test {
namespace {

TEST(RobotFuzz, ReplaysItsCorpus) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(places::data) / ".." / "fuzz" / "robot")) {
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    SCOPED_TRACE(entry.path().filename().string());
    fuzz_robot(text.str());
    ++count;
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace extremal::robot_fuzz_test
