// What the documents print is what the repository does.
#include <gtest/gtest.h>

#include <algorithm>
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

// The first block of C++ after a heading.
std::string snippet_under(const std::string& text, const std::string& heading) {
  const std::string fence = "\n```cpp\n";
  const std::size_t section = text.find("\n## " + heading + "\n");
  if (section == std::string::npos) return {};
  const std::size_t begin = text.find(fence, section), next = text.find("\n## ", section + 1);
  if (begin == std::string::npos || begin > next) return {};
  const std::size_t end = text.find("\n```\n", begin + fence.size());
  return end == std::string::npos ? std::string() : text.substr(begin + fence.size(), end + 1 - begin - fence.size());
}

// What stands inside of main() is shown without its indentation.
std::string without_indentation(const std::string& program) {
  std::stringstream in(program);
  std::string out;
  for (std::string line; std::getline(in, line);) out += (line.starts_with("  ") ? line.substr(2) : line) + "\n";
  return out;
}

// Of examples/mechanism.cpp, which is run like the first program, the README shows the lines that matter.
TEST(Readme, ShowsAPartOfTheMechanismProgram) {
  const std::string snippet = snippet_under(contents("README.md"), "Mechanisms");
  const std::string program = without_indentation(contents("examples/mechanism.cpp"));
  ASSERT_GT(std::count(snippet.begin(), snippet.end(), '\n'), 10);
  EXPECT_TRUE(snippet.starts_with("Mechanism "));
  EXPECT_NE(snippet.find("extremal::run("), std::string::npos);
  EXPECT_NE(program.find("\n" + snippet), std::string::npos);
  // One character less is noticed.
  EXPECT_EQ(program.find("\n" + std::string(snippet).erase(snippet.size() / 2, 1)), std::string::npos);
}

TEST(Readme, GivesTheCommandThatCiRuns) {
  EXPECT_NE(contents("README.md").find("    ./test "), std::string::npos);
  EXPECT_NE(contents(".ci/run").find("./test"), std::string::npos);
}

}  // namespace
}  // namespace extremal
