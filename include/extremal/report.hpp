// Report: one HTML file that shows runs (report/README.md), from their archives.
//
//   Report report("double-four-bar");
//   report.add(Archive::open("run.nc"), model, {.archive = "run.nc"});
//   report.write("run.html");
//
// The file needs no network. Link extremal::report.
#pragma once

#include <memory>
#include <string>

#include "extremal/archive.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"

namespace extremal {

struct PageOptions {
  std::string archive = {};                  // where it is
  std::string note = {};                     // what the reader should know of it
  const Certificate* certificate = nullptr;  // laws beside those of the run itself
};

class Report {
 public:
  explicit Report(std::string title);
  ~Report();
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;

  // Whether the library has the page: it is made by npm when the library is built.
  static bool available();
  // InputError if it has not.
  static void expect_available();

  // The model as it was in the run; without coordinates if nobody knows it any more.
  void add(const Archive& archive, const Model& model, const PageOptions& options = {});
  // InputError if the file cannot be written.
  void write(const std::string& path) const;

 private:
  struct Pages;
  std::unique_ptr<Pages> pages_;
};

}  // namespace extremal
