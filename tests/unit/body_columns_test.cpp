// Where bodies are, as columns of a run and variables of an archive; which columns there are; what of a start was
// changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>
#include <unistd.h>
#include <cmath>
#include <filesystem>

#include "extremal/archive.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::body_columns_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

// A bar whose frame has its origin in the pivot, turned by a quarter before it is started.
const std::string bar = R"toml(space = "planar"
[[body]]
name = "bar"
mass = 2
inertia = 0.5
centre = [0.5, 0]
[[body]]
name = "tip"
inertia = 0.25
[[joint]]
name = "pivot"
type = "revolute"
from = { at = [1, 2] }
to = { body = "bar", at = [0, 0] }
[[joint]]
name = "wrist"
type = "revolute"
from = { body = "bar", at = [1, 0] }
to = "tip"
[start]
joints = { pivot = { position = "pi/2", rate = 3 }, wrist = { rate = -3 } }
)toml";

TEST(BodyColumns, AreThoseOfTheFrameThatWasGiven) {
  const Model m = read_model_text(bar, "bar.toml");
  for (const char* scheme : {"spark(3)", "rattle", "lie(trapezoidal)"}) {
    const auto run = extremal::run(m.system, scheme, m.start, {.step = "0.001", .until = "0.1"});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    for (std::size_t k = 0; k < run.column("t").size(); ++k) {
      const double a = run.column("joint:pivot:angle")[k], w = run.column("v:joint:pivot:angle")[k];
      const auto at = [&](const char* name) { return run.column(name)[k]; };
      EXPECT_NEAR(at("position:bar:x"), 1, 1e-12);
      EXPECT_NEAR(at("position:bar:y"), 2, 1e-12);
      EXPECT_NEAR(at("velocity:bar:x"), 0, 1e-11);
      EXPECT_NEAR(at("omega:bar:z"), w, 1e-11);
      EXPECT_NEAR(at("quaternion:bar:w"), std::cos(a / 2), 1e-12);
      EXPECT_NEAR(at("quaternion:bar:z"), std::sin(a / 2), 1e-12);
      EXPECT_NEAR(at("position:tip:x"), 1 + std::cos(a), 1e-11);
      EXPECT_NEAR(at("velocity:tip:y"), w * std::cos(a), 1e-11);
      EXPECT_NEAR(at("omega:tip:z"), 0, 1e-9);  // nothing turns it
      EXPECT_EQ(at("position:tip:z"), 0);
    }
  }
}

struct Place {
  std::string path =
      (std::filesystem::temp_directory_path() / ("extremal_bodies_" + std::to_string(getpid()))).string();
  ~Place() {
    for (const char* end : {"", ".journal", ".part"}) std::filesystem::remove(path + end);
  }
};

template <class S>
void archive(const std::string& path, const Model& m, const Span& span) {
  ArchiveWriter<S> writer(path, {.model = m.system.name(),
                                 .scheme = "rattle",
                                 .start = m.start,
                                 .span = span,
                                 .precision = Scalar<S>::name,
                                 .command = "none"});
  extremal::run<S>(m.system, Scheme::named("rattle"), m.start, span, {.sinks = {&writer}, .collect = false});
}

TEST(BodyColumns, AreVariablesWithTwoAxesInArchives) {
  const Model m = read_model_text(bar, "bar.toml");
  const Place place;
  const Span span{.step = "0.01", .until = "0.05"};
  archive<quad>(place.path, m, span);
  const auto run = extremal::run<quad>(m.system, Scheme::named("rattle"), m.start, span);
  const Archive a = Archive::open(place.path);
  ASSERT_EQ(a.columns().size(), run.columns.size());
  for (const Column<quad>& column : run.columns) EXPECT_EQ(a.exact<quad>(column.name), column.values) << column.name;
  // Whole rows of a variable, the second axis within the first.
  const std::vector<double> block = a.block("quaternion", 2, 2);
  ASSERT_EQ(block.size(), 2u * 2 * 4);
  EXPECT_EQ(block[8 + 4], static_cast<double>(run.column("quaternion:tip:w")[3]));
  int file = -1, id = -1, rank = 0, dimensions[NC_MAX_VAR_DIMS];
  ASSERT_EQ(nc_open(place.path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  const std::pair<const char*, std::vector<std::string>> expected[] = {
      {"position", {"time", "body", "xyz"}},
      {"omega", {"time", "body", "xyz"}},
      {"quaternion", {"time", "body", "wxyz"}},
      {"reaction_force", {"time", "joint", "force_component"}},
      {"joint_angle_position", {"time", "joint_angle"}}};
  for (const auto& [variable, axes] : expected) {
    ASSERT_EQ(nc_inq_varid(file, variable, &id), NC_NOERR) << variable;
    ASSERT_EQ(nc_inq_var(file, id, nullptr, nullptr, &rank, dimensions, nullptr), NC_NOERR);
    ASSERT_EQ(rank, static_cast<int>(axes.size())) << variable;
    for (int d = 0; d < rank; ++d) {
      char name[NC_MAX_NAME + 1] = {};
      nc_inq_dimname(file, dimensions[d], name);
      EXPECT_EQ(name, axes[static_cast<std::size_t>(d)]) << variable;
    }
  }
  nc_close(file);
}

TEST(ChosenColumns, AreKeptAlone) {
  const Model m = read_model_text(bar + "[run]\ncolumns = [\"position\", \"joint:pivot\", \"energy\"]\n", "bar.toml");
  const Place place;
  Span span = m.span;
  ASSERT_EQ(span.columns.size(), 3u);
  span.step = "0.01", span.until = "0.05";
  archive<double>(place.path, m, span);
  std::vector<std::string> names;
  const Archive kept = Archive::open(place.path);
  for (const ColumnInfo& info : kept.columns()) names.push_back(info.name);
  EXPECT_EQ(names, (std::vector<std::string>{"t", "energy", "joint:pivot:angle", "position:bar:x", "position:bar:y",
                                             "position:bar:z", "position:tip:x", "position:tip:y", "position:tip:z"}));
  EXPECT_EQ(kept.provenance().span.columns, span.columns);
  const auto run = extremal::run(m.system, "rattle", m.start, span);
  EXPECT_EQ(run.columns.size(), names.size());
  span.columns = {"positoin"};
  EXPECT_THAT(refusal([&] { extremal::run(m.system, "rattle", m.start, span); }),
              HasSubstr("columns: unknown column \"positoin\"; did you mean \"position\"?"));
}

// The crank turns and nothing else does, as its own table says: what becomes of it is told.
TEST(StartChanges, AreToldByName) {
  Mechanism out("four-bar", Space::planar);
  std::vector<Body> bodies;
  for (const char* name : {"crank", "coupler", "rocker"})
    bodies.push_back(out.body(name, {.mass = 1, .inertia = "1/12"}));
  out.revolute("A", out.ground(0, 0), bodies[0].at("-1/2", 0));
  out.revolute("B", bodies[0].at("1/2", 0), bodies[1].at("-1/2", 0));
  out.revolute("C", bodies[1].at("1/2", 0), bodies[2].at("1/2", 0));
  out.revolute("D", bodies[2].at("-1/2", 0), out.ground(1, 0));
  out.place(bodies[0], {.position = {0, "1/2"}, .angle = "pi/2", .velocity = {-3, 0}, .angular_velocity = 6});
  out.place(bodies[1], {.position = {"1/2", 1}});
  out.place(bodies[2], {.position = {1, "1/2"}, .angle = "pi/2"});
  const auto run = extremal::run(out.system(), "rattle", out.start(), {.step = "0.001", .until = "0.002"});
  const double w = run.column("omega:crank:z")[0];
  EXPECT_LT(w, 5);
  EXPECT_THAT(run.notes, Contains(HasSubstr("start: crank.omega.z was 6 and is ")));
  EXPECT_THAT(run.notes, Contains(HasSubstr("start: rocker.omega.z was 0 and is ")));
  // Told by its joint it is kept, and nothing is to be said of it.
  out.start_joint("A", {.rate = 6});
  const auto kept = extremal::run(out.system(), "rattle", out.start(), {.step = "0.001", .until = "0.002"});
  EXPECT_NEAR(kept.column("v:joint:A:angle")[0], 6, 1e-14);
  EXPECT_THAT(kept.notes, testing::Not(Contains(HasSubstr("start:"))));
  // Two angles that contradict each other, with both names.
  out.start_joint("A", {.position = "1/5"});
  out.start_joint("D", {.position = "1/5"});
  EXPECT_THAT(refusal([&] { out.start(); }), testing::AllOf(HasSubstr("\"A\""), HasSubstr("\"D\"")));
}

}  // namespace
}  // namespace extremal::body_columns_test
