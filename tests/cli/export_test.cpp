// Runs as animations and tables of poses, and models as robots, from outside.
#include <cmath>

#include "program.hpp"

namespace extremal::cli::export_test {
namespace {

using ::testing::HasSubstr;

std::string quoted_path(const Scratch& file) { return "'" + file.path.string() + "'"; }

// A pendulum of a box, which swings about y.
constexpr const char* swing = R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "bar"
[[body.part]]
shape = "box"
size = [1, 0.1, 0.1]
density = 100
at = [0.5, 0, 0]
[[joint]]
name = "J"
type = "revolute"
from = "ground"
to = { body = "bar", at = [0, 0, 0] }
axis = [0, 1, 0]
)toml";

// A buffer of binary32 numbers, whose views and accessors fit; bodies are nodes that the animation moves to where the
// run had them.
TEST(Export, RunsAreAnimationsAndTables) {
  const Scratch model("swing.toml"), archive("swing.nc"), animation("swing.gltf");
  std::ofstream(model.path) << swing;
  ASSERT_EQ(
      program("run " + quoted_path(model) + " --step 0.01 --until 0.5 --archive " + quoted_path(archive)).exit_code, 0);
  const Outcome made = program("export " + quoted_path(archive) + " --gltf " + quoted_path(animation));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const json gltf = json::parse(animation.text());
  EXPECT_EQ(gltf["asset"]["version"], "2.0");
  const std::size_t bytes = gltf["buffers"][0]["byteLength"];
  for (const json& view : gltf["bufferViews"])
    EXPECT_LE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(), bytes);
  for (const json& accessor : gltf["accessors"]) {
    const std::string type = accessor["type"];
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    EXPECT_EQ(gltf["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteLength"].get<std::size_t>(),
              4 * width * accessor["count"].get<std::size_t>());
  }
  const json& channels = gltf["animations"][0]["channels"];
  ASSERT_EQ(channels.size(), 2u);
  const json& node = gltf["nodes"][channels[0]["target"]["node"].get<std::size_t>()];
  EXPECT_EQ(node["name"], "bar");
  EXPECT_EQ(node["children"].size(), 1u);  // its box

  const Outcome poses = program("export " + quoted_path(archive) + " --poses");
  std::istringstream lines(poses.out);
  std::string head, line, last;
  std::getline(lines, head);
  EXPECT_EQ(head, "t,bar.x,bar.y,bar.z,bar.qw,bar.qx,bar.qy,bar.qz");
  int count = 0;
  while (std::getline(lines, line)) ++count, last = line;
  EXPECT_EQ(count, 51);
  std::vector<double> row;
  std::istringstream words(last);
  for (std::string word; std::getline(words, word, ',');) row.push_back(std::stod(word));
  ASSERT_EQ(row.size(), 8u);
  // The centre is at half a metre along axis 1, which is turned about y: (1 - 2 qy^2, 0, -2 qw qy) / 2.
  EXPECT_NEAR(row[1], 0.5 * (1 - 2 * row[6] * row[6]), 1e-9);
  EXPECT_NEAR(row[3], -row[4] * row[6], 1e-9);
  EXPECT_LT(row[3], -0.1);
}

TEST(Export, RobotsArePrintedOrRefused) {
  const Outcome robot = program("export bennett --urdf");
  EXPECT_EQ(robot.exit_code, 0) << robot.err;
  EXPECT_THAT(robot.out, HasSubstr("<loop_joint "));
  EXPECT_THAT(program("export pendulum --mjcf").err, HasSubstr("is given by formulas; expected bodies and joints"));
  EXPECT_THAT(program("export bennett").err,
              HasSubstr("found 0 formats; expected one of --urdf, --mjcf, --gltf, --poses"));
}

}  // namespace
}  // namespace extremal::cli::export_test
