// The page calls joints what they are, and plots the coordinates of a run against time.
#include <cmath>

#include "program.hpp"

namespace extremal::cli::report_joints_test {
namespace {

// The data of the page of a run.
json page_of_model(const std::string& name, const std::string& text, const std::string& options) {
  const Scratch model(name + ".toml"), archive(name + ".nc"), html(name + ".html");
  std::ofstream(model.path) << text;
  const Outcome run =
      program("run '" + model.path.string() + "' " + options + " --archive '" + archive.path.string() + "'");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Outcome made = program("report '" + archive.path.string() + "' -o '" + html.path.string() + "'");
  if (made.err.find("built without") != std::string::npos) return nullptr;
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const std::string page = html.text(), mark = "id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin)).at("pages").at(0);
}

// Bodies, each on a joint of its own.
TEST(ReportJoints, HaveTheirKinds) {
  const std::vector<std::pair<std::string, std::string>> types = {
      {"revolute", "axis = [0, 1, 0]"},
      {"spherical", ""},
      {"universal", "axis = [1, 0, 0]\naxis_to = [0, 1, 0]"},
      {"cylindrical", "axis = [1, 0, 0]"},
      {"fixed", ""},
      {"prismatic", "axis = [1, 0, 0]"},
      {"planar", "normal = [0, 0.3, 1]"},
      {"point_on_line", "axis = [0, 1, -1]"},
      {"point_on_plane", "normal = [0, 0.3, 1]"}};
  std::string text = "gravity = [0, 0, -9.81]\n";
  for (const auto& [type, more] : types)
    text += "[[body]]\nname = \"on " + type + "\"\ninertia = [0.1, 0.12, 0.2]\n[[joint]]\nname = \"" + type +
            "\"\ntype = \"" + type + "\"\nfrom = \"ground\"\nto = \"on " + type + "\"\n" + more + "\n";
  const json page = page_of_model("kinds", text, "--scheme rattle --step 0.01 --until 0.1");
  if (page.is_null()) GTEST_SKIP() << "the program was built without npm";
  const json& joints = page["scene"]["joints"];
  ASSERT_EQ(joints.size(), types.size());
  for (std::size_t k = 0; k < types.size(); ++k) {
    const std::string& type = types[k].first;
    EXPECT_EQ(joints[k]["kind"], type);
    // A line or plane is where its first side is; the others are drawn with the body.
    const bool guide = type.starts_with("point_on") || type == "planar";
    EXPECT_EQ(joints[k]["body"], guide ? -1 : static_cast<int>(k)) << type;
    EXPECT_EQ(joints[k].contains("to"), guide) << type;
    EXPECT_EQ(guide ? joints[k]["to"]["body"].get<std::size_t>() : k, k);
    EXPECT_EQ(joints[k].contains("axis"), type != "spherical" && type != "universal" && type != "fixed") << type;
  }
  const auto along = [&](std::size_t joint, const std::array<double, 3>& axis) {
    double dot = 0, own = 0, given = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = joints[joint]["axis"][i];
      dot += x * axis[i], own += x * x, given += axis[i] * axis[i];
    }
    EXPECT_NEAR(std::abs(dot), std::sqrt(own * given), 1e-12) << types[joint].first;
  };
  along(0, {0, 1, 0});
  along(3, {1, 0, 0});
  along(5, {1, 0, 0});
  along(6, {0, 0.3, 1});
  along(7, {0, 1, -1});
  along(8, {0, 0.3, 1});
}

TEST(ReportJoints, CoordinatesArePlottedAgainstTime) {
  const json page =
      page_of_model("swing",
                    "space = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"bar\"\ninertia = 0.1\n"
                    "position = [0.5, 0]\n[[joint]]\nname = \"P\"\ntype = \"revolute\"\nfrom = \"ground\"\n"
                    "to = { body = \"bar\", at = [-0.5, 0] }\n[[body]]\nname = \"wall\"\ninertia = 1\n"
                    "[[joint]]\nname = \"W\"\ntype = \"fixed\"\nfrom = \"ground\"\nto = \"wall\"\n",
                    "--scheme rattle --step 0.01 --until 0.1");
  if (page.is_null()) GTEST_SKIP() << "the program was built without npm";
  const json& plot = page["plots"][0];
  EXPECT_EQ(plot["id"], "coordinates");
  EXPECT_EQ(plot["axis"], "t");
  EXPECT_EQ(plot["smooth"], true);
  std::vector<std::string> names;
  std::vector<std::string> shown;
  for (const json& series : plot["series"]) {
    names.push_back(series["name"]);
    if (!series.contains("hidden")) shown.push_back(series["name"]);
  }
  // All there are: joints first, what moves before what stands still, directors last, then velocities.
  EXPECT_EQ(names, (std::vector<std::string>{"P angle", "P angle rate", "bar.x", "bar.y", "wall.x", "wall.y", "bar.d1x",
                                             "bar.d1y", "bar.d2x", "bar.d2y", "wall.d1x", "wall.d1y", "wall.d2x",
                                             "wall.d2y", "bar.x'", "bar.y'", "wall.x'", "wall.y'"}));
  EXPECT_EQ(shown, (std::vector<std::string>{"P angle", "P angle rate"}));
  EXPECT_EQ(plot["series"][0]["unit"], "rad");
  EXPECT_EQ(plot["series"][2]["unit"], "m");
  EXPECT_EQ(plot["choose"], true);
  EXPECT_EQ(page["plots"][1]["id"], "force");
  EXPECT_EQ(page["plots"][1]["series"][0]["name"], "|f| P");
  EXPECT_EQ(page["plots"][1]["series"][0]["unit"], "N");
}

// Of joints those are shown first that something acts on, and the last link of an arm is a bar and no ball.
TEST(ReportJoints, ThoseWithMotorsAreShownFirst) {
  const json page = page_of_model(
      "arm",
      "space = \"planar\"\nbody = [{ name = \"upper\", inertia = 0.1, position = [0.5, 0] },\n"
      "{ name = \"lower\", mass = 1.5, inertia = 0.1, position = [1.4, 0] }]\n"
      "joint = [{ name = \"P\", type = \"revolute\", from = \"ground\", to = { body = \"upper\", at = [-0.5, 0] } },\n"
      "{ name = \"Q\", type = \"revolute\", from = { body = \"upper\", at = [0.5, 0] }, to = { body = \"lower\", at = "
      "[-0.4, 0] } }]\n[[servo]]\nname = \"S\"\njoint = \"Q\"\nstiffness = 3\ntarget = 1\n",
      "--scheme rattle --step 0.01 --until 0.1");
  if (page.is_null()) GTEST_SKIP() << "the program was built without npm";
  std::vector<std::string> shown;
  for (const json& series : page["plots"][0]["series"])
    if (!series.contains("hidden")) shown.push_back(series["name"]);
  EXPECT_EQ(shown, std::vector<std::string>{"Q angle"});
  const json& shapes = page["scene"]["bodies"][1]["shapes"];
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0]["kind"], "bar");
}

}  // namespace
}  // namespace extremal::cli::report_joints_test
