// The program from outside: its arguments in, its two streams and its exit code out.
//
//   Outcome o = program("run pendulum --scheme rattle --json");
//   o.exit_code, o.out, o.err, o.json()
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "places.hpp"

namespace extremal::cli {

using nlohmann::json;

struct Outcome {
  int exit_code = -1, signal = 0;  // the signal that ended it
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

// A file that this test case may write, removed afterwards.
struct Scratch {
  std::filesystem::path path;
  explicit Scratch(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("extremal_cli_" + std::to_string(getpid()) + "_" + name)) {}
  ~Scratch() { std::filesystem::remove(path); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }
};

// `arguments` as a shell would read them; `moment` is what the program does to itself, and when (run/moment.hpp).
inline Outcome program(const std::string& arguments, const std::string& moment = "") {
  const Scratch errors("stderr");
  const std::string command = "exec " + (moment.empty() ? "" : "env EXTREMAL_TEST_AT='" + moment + "' ") + "'" +
                              std::string(places::program) + "' " + arguments + " 2>'" + errors.path.string() + "'";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) outcome.out.append(buffer.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.err = errors.text();
  return outcome;
}

// Bad input: nothing on stdout, exit code 2, and one line `extremal: ...` that says so.
inline void expect_refused(const std::string& arguments, const testing::Matcher<const std::string&>& message) {
  const Outcome outcome = program(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments;
  EXPECT_EQ(outcome.out, "") << arguments;
  EXPECT_THAT(outcome.err, testing::StartsWith("extremal: ")) << arguments;
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << "one line: " << outcome.err;
  EXPECT_THAT(outcome.err, message) << arguments;
}

}  // namespace extremal::cli
