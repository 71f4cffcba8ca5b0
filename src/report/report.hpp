// Report: one HTML file that shows runs (report/README.md), from their archives.
//
//   Report report("double-four-bar");
//   report.add(Archive::open("run.nc"), model, {.archive = "run.nc"});
//   report.write("run.html");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "report/pack.hpp"
#include "report/table.hpp"

namespace extremal::report {

struct PageOptions {
  std::string archive = {};                  // where it is
  std::string note = {};                     // what the reader should know of it
  const Certificate* certificate = nullptr;  // laws beside those of the run itself
};

class Report {
 public:
  explicit Report(std::string title) : title_(std::move(title)) {}
  // The model as it was in the run; without coordinates if nobody knows it any more.
  void add(const Archive& archive, const Model& model, const PageOptions& options = {});
  Json data() const;
  // InputError if the file cannot be written.
  void write(const std::string& path) const;

 private:
  std::string title_;
  Json pages_ = Json::array();
};

// The page with the mark for its data; empty if the program was built without.
std::string_view page_template();
// InputError if it was.
void expect_template();

}  // namespace extremal::report
