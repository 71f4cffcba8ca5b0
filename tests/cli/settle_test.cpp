// Where models come to rest, from outside: the matrices of small motions, and archives of modes.
#include <cmath>

#include "extremal/archive.hpp"
#include "program.hpp"

namespace extremal::cli::settle_test {
namespace {

using testing::HasSubstr;

std::string quoted_path(const Scratch& file) { return "'" + file.path.string() + "'"; }

// A bar on a hinge and a block behind it on a spring: two angles and a stroke.
constexpr const char* crane = R"toml(space = "planar"
gravity = [0, -9.81]
[[body]]
name = "boom"
mass = 3
inertia = 0.25
position = [0.5, 0]
[[body]]
name = "load"
mass = 2
inertia = 0.1
position = [1.4, 0]
[[joint]]
name = "hinge"
type = "revolute"
from = "ground"
to = { body = "boom", at = [-0.5, 0] }
[[joint]]
name = "hook"
type = "revolute"
from = { body = "boom", at = [0.5, 0] }
to = { body = "load", at = [-0.4, 0] }
[[joint_spring]]
name = "rope"
joint = "hinge"
stiffness = 200
)toml";

// M x'' + C x' + K x = 0 of the output has the frequencies of the output.
TEST(Settle, TellsTheMatricesOfSmallMotions) {
  const Scratch model("crane.toml");
  std::ofstream(model.path) << crane;
  const Outcome told = program("settle " + quoted_path(model) + " --modes --json");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const json rest = told.json(), &linear = rest["linear"];
  ASSERT_EQ(rest["freedom"], 2);
  for (const char* name : {"mass", "damping", "stiffness"}) {
    ASSERT_EQ(linear[name].size(), 2u) << name;
    for (const json& row : linear[name]) ASSERT_EQ(row.size(), 2u);
  }
  ASSERT_EQ(linear["tangent"].size(), rest["q"].size());
  const auto at = [&](const char* name, std::size_t i, std::size_t j) { return linear[name][i][j].get<double>(); };
  for (const json& mode : rest["modes"]) {
    const double w2 = std::pow(mode["omega"].get<double>(), 2);
    const auto entry = [&](std::size_t i, std::size_t j) { return at("stiffness", i, j) - w2 * at("mass", i, j); };
    EXPECT_NEAR(entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0), 0, 1e-9 * w2 * w2);
    EXPECT_EQ(at("damping", 0, 1), 0);
  }
}

TEST(Settle, WritesAnArchiveThatMovesInAMode) {
  const Scratch model("crane.toml"), archive("mode.nc"), page("mode.html");
  std::ofstream(model.path) << crane;
  const json rest = program("settle " + quoted_path(model) + " --modes --json").json();
  for (const int mode : {1, 2}) {
    const Outcome told = program("settle " + quoted_path(model) + " --modes --mode " + std::to_string(mode) +
                                 " --amplitude 0.001 --archive " + quoted_path(archive));
    ASSERT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr(" s in mode " + std::to_string(mode)));
    const Archive motion = Archive::open(archive.path.string());
    EXPECT_EQ(motion.status(), "complete");
    ASSERT_EQ(motion.rows(), 129u);
    const json& shape = rest["modes"][static_cast<std::size_t>(mode - 1)];
    EXPECT_NEAR(motion.column("t").back(), 2 / shape["frequency"].get<double>(), 1e-9);
    double most = 0;
    for (const char* joint : {"hinge", "hook"})
      most = std::max(most, std::fabs(shape["joints"][std::string(joint) + ".angle"].get<double>()));
    for (const char* joint : {"hinge", "hook"}) {
      const std::string name = std::string(joint) + ".angle";
      const std::vector<double> angle = motion.column(std::string("joint:") + joint + ":angle");
      const double at_rest = rest["joints"][name].get<double>(), a = 0.001 * shape["joints"][name].get<double>() / most;
      for (std::size_t k = 0; k < angle.size(); ++k)
        EXPECT_NEAR(angle[k] - at_rest, a * std::cos(4 * std::acos(-1.0) * static_cast<double>(k) / 128), 1e-5) << k;
      EXPECT_NE(a, 0);
    }
  }
  expect_refused("settle " + quoted_path(model) + " --mode 3 --archive " + quoted_path(archive),
                 HasSubstr("--mode: found 3; expected one of 1 to 2"));
  expect_refused("settle " + quoted_path(model) + " --amplitude 0 --archive " + quoted_path(archive),
                 HasSubstr("--amplitude: expected a positive number"));
}

}  // namespace
}  // namespace extremal::cli::settle_test
