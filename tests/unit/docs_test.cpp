// What the documents print is what the repository does.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace extremal {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(std::filesystem::path(EXTREMAL_TEST_DATA) / ".." / ".." / path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The example itself is run by the tests of examples/, which hold its output to first.expected.
TEST(Readme, ShowsTheFirstProgramAndItsOutput) {
  const std::string readme = contents("README.md"), program = contents("examples/first.cpp"),
                    output = contents("examples/first.expected");
  ASSERT_GT(program.size(), 200u);
  ASSERT_GT(output.size(), 100u);
  EXPECT_NE(readme.find("```cpp\n" + program + "```"), std::string::npos);
  EXPECT_NE(readme.find("```text\n" + output + "```"), std::string::npos);
}

TEST(Readme, GivesTheCommandThatCiRuns) {
  EXPECT_NE(contents("README.md").find("    ./test "), std::string::npos);
  EXPECT_NE(contents(".ci/run").find("./test"), std::string::npos);
}

}  // namespace
}  // namespace extremal
