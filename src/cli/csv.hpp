// CsvSink: the table of all columns as text, written as the run goes.
#pragma once

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

#include "extremal/error.hpp"
#include "extremal/run.hpp"

namespace extremal::cli {

template <class S>
class CsvSink : public RowSink<S> {
 public:
  // "-" is standard output.
  explicit CsvSink(std::string place) : place_(std::move(place)) {
    if (place_ == "-") return;
    file_.open(place_);
    if (!file_) throw InputError("--csv " + place_ + ": cannot be written; expected a file in a folder that exists");
  }

  void begin(const Run<S>&, const std::vector<ColumnInfo>& columns) override {
    const char* separator = "";
    for (const ColumnInfo& column : columns) out() << std::exchange(separator, ",") << column.name;
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
      throw InputError("--csv " + place_ + ": could not be written to the end; expected room for it");
  }

  std::string place_;
  std::ofstream file_;
  std::chrono::steady_clock::time_point flushed_ = {};
};

}  // namespace extremal::cli
