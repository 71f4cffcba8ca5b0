// Report: one HTML file that shows runs (report/README.md), from their archives.
//
//   Report report("double-four-bar");
//   report.add(Archive::open("run.nc"), model, {.archive = "run.nc"});
//   report.write("run.html");
//
// The file needs no network. Link extremal::report.
#pragma once

#include <iosfwd>
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

// The bodies of a run with their shapes, and how they move, as glTF 2.0 in one file: most programs that show or edit
// scenes read it. InputError if the model has no bodies, or the file cannot be written.
void write_gltf(const Archive& archive, const Model& model, const std::string& path);
// The poses of the bodies at every row as CSV: t, and for each body x y z of its centre of mass and the quaternion w i
// j k of its axes.
void write_poses(const Archive& archive, const Model& model, std::ostream& out);

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
