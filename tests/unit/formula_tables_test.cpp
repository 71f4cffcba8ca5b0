// Tables in formulas: points from the file or from CSV, linear or cubic between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "extremal/models.hpp"
#include "refusal.hpp"
#include "system/table.hpp"

namespace extremal::formula_tables_test {
namespace {

using testing::HasSubstr;

// A cubic spline with "not a knot" is every cubic polynomial, and converges with the fourth power otherwise.
TEST(Table, CubicIsExactForPolynomials) {
  std::vector<quad> x, y;
  for (const double at : {-1.0, -0.5, 0.25, 1.0, 1.5, 3.0}) {
    x.push_back(quad(at));
    y.push_back(quad(2) - quad(at) + quad(3) * quad(at) * quad(at) - quad(at) * quad(at) * quad(at));
  }
  const int cubic = table_handle(x, y, Between::cubic);
  EXPECT_EQ(table_handle(x, y, Between::cubic), cubic);
  EXPECT_NE(table_handle(x, y, Between::linear), cubic);
  for (double at = -1; at < 3; at += 0.0625) {
    const double s = at;
    EXPECT_NEAR(table_value(at, cubic), 2 - s + 3 * s * s - s * s * s, 1e-13);
    EXPECT_NEAR(table_value(at, cubic + 1), -1 + 6 * s - 3 * s * s, 1e-12);
    EXPECT_NEAR(table_value(at, cubic + 2), 6 - 6 * s, 1e-12);
    EXPECT_NEAR(table_value(at, cubic + 3), -6, 1e-11);
  }
  // Beyond its ends it stays what it is there.
  EXPECT_EQ(table_value(-5.0, static_cast<double>(cubic)), 7);
  EXPECT_EQ(table_value(-5.0, cubic + 1.0), 0);
  EXPECT_EQ(table_value(9.0, static_cast<double>(cubic)), -1);
  double worst[2] = {};
  for (const int k : {0, 1}) {
    const int n = k == 0 ? 80 : 160;
    std::vector<quad> knots, sines;
    for (int i = 0; i <= n; ++i) {
      knots.push_back(quad(3 * i) / quad(n));
      sines.push_back(math::sin(knots.back()));
    }
    const int handle = table_handle(knots, sines, Between::cubic);
    for (double at = 0; at < 3; at += 0.001)
      worst[k] = std::max(worst[k], std::fabs(table_value(at, static_cast<double>(handle)) - std::sin(at)));
  }
  EXPECT_NEAR(std::log2(worst[0] / worst[1]), 4, 0.4);
}

const std::string pushed = R"toml(coordinates = ["x"]
kinetic = "x'^2/2"
[[force]]
name = "push"
along = { x = "profile(t)" }
[tables]
)toml";

Run<double> moved(const std::string& tables, const std::string& name = "m.toml") {
  const Model m = read_model_text(pushed + tables, name);
  return run(m.system, "lobatto(3)", m.start, {.step = "0.1", .until = 3});
}

// 0 until 1, rises to 2 at 2, jumps to -1 there: x' = 0, 1, 0 at t = 1, 2, 3; and the velocity of a kink at a node and
// of a jump at one is right to round-off.
TEST(Table, LinearDrivesAForceWithAJump) {
  const auto run = moved("profile = { points = [[1, 0], [2, 2], [2, -1], [4, -1]] }\n");
  EXPECT_NEAR(run.column("v:x")[10], 0, 1e-14);
  EXPECT_NEAR(run.column("v:x")[20], 1, 1e-14);
  EXPECT_NEAR(run.column("v:x")[30], 0, 1e-14);
  EXPECT_NEAR(run.column("x")[20], 1.0 / 3, 1e-14);
  EXPECT_NEAR(run.column("x")[30], 1.0 / 3 + 1 - 0.5, 1e-14);
}

TEST(Table, IsReadFromCsv) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "extremal_formula_tables_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "p.csv") << "# a profile\ntime, other, force\n1, 7, 0\n2, 7, 2\n\n2,7,-1\n4, 7, -1\n";
  const std::string path = (folder / "m.toml").string();
  const auto run = moved("profile = { file = \"p.csv\", x = \"time\", y = \"force\" }\n", path);
  EXPECT_NEAR(run.column("x")[30], 1.0 / 3 + 1 - 0.5, 1e-14);
  EXPECT_EQ(moved("profile = { file = \"p.csv\", x = 1, y = 3 }\n", path).column("x")[30], run.column("x")[30]);
  const auto said = [&](const std::string& table) { return refusal([&] { moved(table + "\n", path); }); };
  EXPECT_THAT(said("profile = { file = \"q.csv\" }"), HasSubstr("m.toml:7:20: found no file \"q.csv\" beside"));
  EXPECT_THAT(said("profile = { file = \"p.csv\", x = \"tiem\", y = 3 }"), HasSubstr("did you mean \"time\"?"));
  EXPECT_THAT(said("profile = { file = \"p.csv\", y = 4 }"), HasSubstr("p.csv:3: found 3 columns; expected a number"));
  EXPECT_THAT(said("profile = { file = \"p.csv\", x = 2, y = 3 }"), HasSubstr("expected arguments that rise"));
  EXPECT_THAT(said("profile = { points = [[0, 0]] }"), HasSubstr("found 1 points; expected at least two"));
  EXPECT_THAT(said("profile = { points = [[0, 0], [1, 1]], betwen = \"cubic\" }"),
              HasSubstr("did you mean \"between\"?"));
  std::filesystem::remove_all(folder);
}

TEST(Table, IsAFunctionOfAnyCoordinate) {
  const Model m = read_model_text(R"toml(coordinates = ["x"]
kinetic = "x'^2/2"
potential = "k*well(x)"
[tables]
well = { points = [[-2, 4], [-1, 1], [0, 0], [1, 1], [2, 4]], between = "cubic" }
[parameters]
k = "well(1)/2"
[start]
x = 1
)toml",
                                  "well.toml");
  const auto run = extremal::run(m.system, "spark(4)", m.start, {.step = "0.05", .until = 5});
  EXPECT_NEAR(run.column("x").back(), std::cos(5.0), 1e-9);  // x^2 is its own spline
  EXPECT_THAT(refusal([] { read_model_text("coordinates = [\"x\"]\nkinetic = \"x'^2/2 + wel(x)\"\n", "w.toml"); }),
              HasSubstr("w.toml:2:"));
}

}  // namespace
}  // namespace extremal::formula_tables_test
