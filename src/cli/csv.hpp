// CsvSink: the table of all columns as text, written as the run goes.
#pragma once

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

#include "cli/replaceable.hpp"
#include "extremal/error.hpp"
#include "extremal/output_error.hpp"
#include "extremal/run.hpp"

namespace extremal::cli {

// As RFC 4180 has it: what would be read as more than one cell is in quotes.
inline std::string csv_text(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos && !name.starts_with(' ') && !name.ends_with(' ')) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

template <class S>
class CsvSink : public RowSink<S> {
 public:
  // "-" is standard output.
  explicit CsvSink(std::string place) : place_(std::move(place)) {
    if (place_ == "-") return;
    expect_replaceable("--csv", place_, "t,", true, "a table");
    file_.open(place_);
    if (!file_) throw InputError("--csv " + place_ + ": cannot be written; expected a file in a folder that exists");
  }

  void begin(const Run<S>&, const std::vector<ColumnInfo>& columns) override {
    const char* separator = "";
    for (const ColumnInfo& column : columns) out() << std::exchange(separator, ",") << csv_text(column.name);
    out() << "\n";
  }
  void row(const std::vector<S>& values) override {
    const char* separator = "";
    for (const S& x : values) out() << std::exchange(separator, ",") << to_text(x);
    out() << "\n";
  }
  // A reader who follows the file sees its first rows at once, and is not behind by more than about a second.
  bool pulse(const Progress&) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - flushed_ >= std::chrono::seconds(1)) {
      check();
      flushed_ = now;
    }
    return false;
  }
  void end(const Run<S>&) override { check(); }

 private:
  std::ostream& out() { return place_ == "-" ? std::cout : file_; }
  void check() {
    out().flush();
    if (!out() && place_ != "-")
      throw OutputError("--csv " + place_ + ": could not be written to the end; expected room for it");
  }

  std::string place_;
  std::ofstream file_;
  std::chrono::steady_clock::time_point flushed_ = {};
};

}  // namespace extremal::cli
