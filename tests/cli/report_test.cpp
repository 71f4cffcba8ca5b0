// extremal report: the page has the numbers of the archive, and is what report/schema.json says.
#include <signal.h>
#include <algorithm>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "extremal/archive.hpp"
#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::report_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A folder that this test case may write.
struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("extremal_report_" + std::to_string(getpid()) + "_" + name)) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path / name).string(); }
};

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string content(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

bool built_with_page() {
  static const bool there = [] {
    const Outcome o = program("report nothing.nc");
    return o.err.find("built without") == std::string::npos;
  }();
  return there;
}
#define NEEDS_PAGE() \
  if (!built_with_page()) GTEST_SKIP() << "the program was built without npm"

// The data block of a page.
json data_of(const std::string& path) {
  const std::string page = content(path), mark = "id=\"data\">";
  const std::size_t begin = page.find(mark);
  if (begin == std::string::npos) return nullptr;
  return json::parse(page.substr(begin + mark.size(), page.find("</script>", begin) - begin - mark.size()));
}

// {"f64": "..."} or {"f32": "..."}
std::vector<double> decoded(const json& values) {
  const bool wide = values.contains("f64");
  const std::string text = values.at(wide ? "f64" : "f32");
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(c));
    have += 6;
    if (have >= 8) bytes.push_back(static_cast<unsigned char>(bits >> (have -= 8)));
  }
  std::vector<double> numbers;
  for (std::size_t at = 0; at + (wide ? 8 : 4) <= bytes.size(); at += wide ? 8 : 4) {
    double x = 0;
    float y = 0;
    std::memcpy(wide ? static_cast<void*>(&x) : &y, bytes.data() + at, wide ? 8 : 4);
    numbers.push_back(wide ? x : static_cast<double>(y));
  }
  return numbers;
}

const json& named(const json& list, const std::string& key, const std::string& name) {
  for (const json& one : list)
    if (one.at(key) == name) return one;
  throw std::runtime_error("no " + name);
}
std::vector<double> series(const json& page, const std::string& plot, const std::string& name) {
  return decoded(named(named(page.at("plots"), "id", plot).at("series"), "name", name).at("values"));
}

// What the page itself would say of its data.
void expect_valid(const std::string& path) {
  const std::string folder = places::report;
  if (!std::filesystem::exists(folder + "/node_modules/ajv") || std::system("node --version >/dev/null 2>&1") != 0) {
    std::cout << "not validated: node or the packages of report/ are missing\n";
    return;
  }
  EXPECT_EQ(std::system(("node " + quoted(folder + "/check.mjs") + " " + quoted(path)).c_str()), 0);
}

// Runs a model, makes its report and returns the page.
json page_of(const Folder& folder, const std::string& name, const std::string& arguments, int exit_code = 0) {
  const std::string archive = folder / (name + ".nc"), html = folder / (name + ".html");
  const Outcome run = program("run " + arguments + " --archive " + quoted(archive));
  EXPECT_EQ(run.exit_code, exit_code) << run.err;
  const Outcome made = program("report " + quoted(archive));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, html + "\n");
  expect_valid(html);
  return data_of(html).at("pages").at(0);
}

std::string model_file(const std::string& name) { return quoted(std::string(places::models) + "/" + name + ".toml"); }

TEST(Report, HasTheNumbersOfTheArchive) {
  NEEDS_PAGE();
  const Folder folder("four_bar");
  const json page = page_of(folder, "bars", model_file("double-four-bar") + " --until 2");
  const Archive archive = Archive::open(folder / "bars.nc");
  EXPECT_EQ(page["id"], "double-four-bar");
  EXPECT_EQ(page["meta"]["status"], "complete");
  EXPECT_EQ(page["meta"]["steps"], 200);
  EXPECT_EQ(page["meta"]["model"]["text"], content(std::string(places::models) + "/double-four-bar.toml"));
  EXPECT_THAT(page["meta"]["command"].get<std::string>(), HasSubstr("double-four-bar.toml --until 2 --archive"));
  const auto attribute = [&](const char* name) { return std::stod(archive.attribute(name)); };
  EXPECT_EQ(page["summary"]["energy"]["max_error"], attribute("energy_max_error"));
  EXPECT_EQ(page["summary"]["constraints"]["max"], attribute("constraint_max"));
  EXPECT_EQ(page["summary"]["drift"]["slope"], attribute("drift_slope"));
  EXPECT_EQ(page["summary"]["timing"]["seconds"], attribute("seconds"));
  const std::vector<double> energy = archive.column("energy"), shown = series(page, "energy", "total"),
                            error = series(page, "energy_error", "|H − H₀|");
  EXPECT_EQ(shown, energy);
  ASSERT_EQ(error.size(), energy.size());
  for (std::size_t i = 0; i < energy.size(); ++i) EXPECT_EQ(error[i], energy[i] - energy[0]);
  // Five bars of length 1; those that stand on the ground have one colour, the others the other.
  const json& scene = page["scene"];
  ASSERT_EQ(scene["bodies"].size(), 5u);
  EXPECT_EQ(scene["bodies"][0]["shapes"][0]["kind"], "bar");
  EXPECT_EQ(scene["bodies"][0]["colour"], scene["bodies"][2]["colour"]);
  EXPECT_NE(scene["bodies"][0]["colour"], scene["bodies"][3]["colour"]);
  EXPECT_EQ(scene["ground"].size(), 3u);
  EXPECT_EQ(scene["joints"].size(), 7u);
  for (const json& joint : scene["joints"]) EXPECT_EQ(joint["kind"], "revolute");
  // The last pose is the last row.
  const std::vector<double> poses = decoded(scene["frames"]["poses"]), t = decoded(scene["frames"]["t"]);
  ASSERT_EQ(poses.size(), t.size() * 15);
  EXPECT_EQ(t.back(), archive.column("t").back());
  const double* last = poses.data() + poses.size() - 15;
  EXPECT_NEAR(last[0], archive.column("bar 1.x").back(), 1e-6);
  EXPECT_NEAR(last[1], archive.column("bar 1.y").back(), 1e-6);
  EXPECT_NEAR(std::cos(last[2]), archive.column("bar 1.d1x").back(), 1e-6);
  EXPECT_NEAR(std::sin(last[2]), archive.column("bar 1.d1y").back(), 1e-6);
  // Of each of seven joints the size of its force, two components, and the torque.
  EXPECT_EQ(named(page["plots"], "id", "force")["series"].size(), 7u * 4);
  for (const json& law : page["summary"]["laws"]) EXPECT_TRUE(law["holds"]) << law;
}

TEST(Report, ShowsRodsNetworksChainsAndFormulas) {
  NEEDS_PAGE();
  const Folder folder("kinds");
  const json ring = page_of(folder, "ring", model_file("elastic-ring") + " --until 0.3 --every 4");
  EXPECT_EQ(ring["scene"]["dimension"], 3);
  EXPECT_EQ(ring["scene"]["rods"][0]["nodes"].size(), 80u);
  EXPECT_EQ(ring["scene"]["rods"][0]["closed"], true);
  EXPECT_EQ(named(ring["plots"], "id", "rod_energy")["series"].size(), 6u);
  // Moments do work, and the error is what is left of it.
  const json supplied = named(ring["summary"]["more"], "name", "Energy supplied")["value"];
  EXPECT_LT(ring["summary"]["energy"]["max_error"].get<double>(), 0.01 * supplied.get<double>());
  const std::vector<double> poses = decoded(ring["scene"]["frames"]["poses"]);
  for (std::size_t i = 0; i < poses.size(); i += 7)
    EXPECT_NEAR(std::hypot(std::hypot(poses[i + 3], poses[i + 4]), std::hypot(poses[i + 5], poses[i + 6])), 1, 1e-6);

  const json triangle = page_of(folder, "triangle", model_file("thermoelastic-triangle") + " --until 1");
  EXPECT_EQ(triangle["scene"]["springs"][0]["kind"], "thermoelastic");
  EXPECT_GE(triangle["scene"]["springs"].size(), 3u);

  const json chain = page_of(folder, "chain", model_file("chain") + " --set n=20 --until 0.2");
  EXPECT_EQ(chain["scene"]["bodies"].size(), 20u);

  const json pendulum = page_of(folder, "pendulum", model_file("pendulum") + " --set l=2 --start x=0 --start y=-2");
  EXPECT_EQ(pendulum["scene"]["bodies"].size(), 1u);
  EXPECT_EQ(pendulum["scene"]["ground"].size(), 1u);
  EXPECT_EQ(pendulum["scene"]["links"][0]["from"]["body"], -1);
  EXPECT_NEAR(decoded(pendulum["scene"]["frames"]["poses"])[1], -2, 1e-6);

  const json polar = page_of(folder, "polar", model_file("pendulum-polar") + " --until 1.2");
  const std::vector<double> bob = decoded(polar["scene"]["frames"]["poses"]);
  const double theta = Archive::open(folder / "polar.nc").column("theta").front(), l = 2;
  EXPECT_NEAR(bob[0], l * std::sin(theta), 1e-6);
  EXPECT_NEAR(bob[1], -l * std::cos(theta), 1e-6);
}

// No peak is lost, whatever is between the points that stay.
TEST(Report, KeepsPeaksOfALongRun) {
  NEEDS_PAGE();
  const Folder folder("long");
  const json page = page_of(folder, "long", model_file("pendulum") + " --scheme rattle --step 0.01 --until 250");
  const Archive archive = Archive::open(folder / "long.nc");
  const std::vector<double> energy = archive.column("energy"), shown = series(page, "energy", "total");
  ASSERT_EQ(energy.size(), 25001u);
  ASSERT_LT(shown.size(), 5000u);
  EXPECT_EQ(page["axes"]["t"]["thinned"]["samples"], 25001);
  const std::size_t bucket = page["axes"]["t"]["thinned"]["bucket"];
  for (std::size_t b = 0; 2 * b < shown.size(); ++b) {
    const auto from = energy.begin() + static_cast<std::ptrdiff_t>(b * bucket);
    const auto to = energy.begin() + static_cast<std::ptrdiff_t>(std::min(energy.size(), (b + 1) * bucket));
    EXPECT_EQ(std::min(shown[2 * b], shown[2 * b + 1]), *std::min_element(from, to));
    EXPECT_EQ(std::max(shown[2 * b], shown[2 * b + 1]), *std::max_element(from, to));
  }
  const std::vector<double> t = decoded(page["scene"]["frames"]["t"]);
  EXPECT_LE(t.size(), 2000u);
  EXPECT_LT(t[1] - t[0], 0.11) << "frames that tear the motion apart";
  EXPECT_THAT(page["meta"]["notes"].dump(), HasSubstr("the animation shows"));
}

TEST(Report, OfQuadKeepsItsDigits) {
  NEEDS_PAGE();
  const Folder folder("quad");
  const json page = page_of(folder, "quad", model_file("pendulum") + " --precision quad --until 1 --step 0.01");
  const Archive archive = Archive::open(folder / "quad.nc");
  EXPECT_EQ(page["summary"]["energy"]["max_error"], archive.attribute("energy_max_error"));
  const auto energy = archive.exact<quad>("energy");
  const std::vector<double> error = series(page, "energy_error", "|H − H₀|");
  EXPECT_EQ(error[50], static_cast<double>(energy[50] - energy[0]));
}

TEST(Report, OfARunBackwardsHasTimesThatGrow) {
  NEEDS_PAGE();
  const Folder folder("back");
  const json page = page_of(folder, "back", model_file("pendulum") + " --step -0.05 --until -1");
  const std::vector<double> t = decoded(page["axes"]["t"]["values"]), y = decoded(page["scene"]["frames"]["poses"]);
  EXPECT_EQ(t.back(), 0);
  EXPECT_TRUE(std::is_sorted(t.begin(), t.end()));
  EXPECT_NEAR(y[y.size() - 2], -0.8, 1e-6);
  EXPECT_EQ(series(page, "energy_error", "|H − H₀|").back(), 0);
}

TEST(Report, OfAFailedRunSaysWhy) {
  NEEDS_PAGE();
  const Folder folder("failed");
  const json page = page_of(folder, "failed", model_file("pendulum") + " --step 2 --until 200 --scheme rattle", 1);
  EXPECT_EQ(page["meta"]["status"], "failed");
  EXPECT_THAT(page["meta"]["reason"].get<std::string>(), HasSubstr("Newton stalled"));
  for (const json& law : page["summary"]["laws"]) EXPECT_EQ(law["declared"], "-") << law["name"];
}

TEST(Report, OfASuspectRunShowsNoLaw) {
  NEEDS_PAGE();
  const Folder folder("suspect");
  const json page = page_of(folder, "suspect", model_file("pendulum") + " --step 0.5 --until 1000", 1);
  EXPECT_EQ(page["meta"]["status"], "suspect");
  EXPECT_THAT(page["meta"]["reason"].get<std::string>(), HasSubstr("cannot be the motion"));
  for (const json& law : page["summary"]["laws"]) EXPECT_EQ(law["declared"], "-") << law["name"];
}

TEST(Report, OfAKilledRunShowsWhatIsThere) {
  NEEDS_PAGE();
  const Folder folder("killed");
  const std::string archive = folder / "killed.nc", html = folder / "page.html";
  // The run looks at the clock at steps 1, 3, 7, 15, ... or more often: more than 50 of 100 rows are flushed.
  const Outcome killed = program(
      "run " + model_file("double-four-bar") + " --every 1 --flush 1e-9 --archive " + quoted(archive), "step 100 KILL");
  ASSERT_EQ(killed.signal, SIGKILL) << killed.err;
  const Outcome made = program("report " + quoted(archive) + " -o " + quoted(html));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  expect_valid(html);
  const json page = data_of(html)["pages"][0];
  EXPECT_EQ(page["meta"]["status"], "interrupted");
  EXPECT_THAT(page["meta"]["reason"].get<std::string>(), AllOf(HasSubstr("killed"), HasSubstr("extremal resume")));
  EXPECT_GT(decoded(page["axes"]["t"]["values"]).size(), 20u);
  EXPECT_TRUE(page["summary"]["energy"].contains("max_error"));
}

TEST(Report, OfSeveralArchivesIsAGallery) {
  NEEDS_PAGE();
  const Folder folder("several");
  page_of(folder, "a", model_file("pendulum") + " --until 1");
  page_of(folder, "b", model_file("pendulum") + " --until 1 --scheme rattle");
  const std::string html = folder / "both.html";
  const Outcome made = program("report " + quoted(folder / "a.nc") + " " + quoted(folder / "b.nc") +
                               " --check --json -o " + quoted(html));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.json()["report"], html);
  EXPECT_EQ(made.json()["archives"].size(), 2u);
  expect_valid(html);
  const json data = data_of(html);
  ASSERT_EQ(data["pages"].size(), 2u);
  EXPECT_EQ(data["pages"][0]["id"], "pendulum");
  EXPECT_EQ(data["pages"][1]["id"], "pendulum-2");
  EXPECT_EQ(named(data["pages"][1]["summary"]["laws"], "name", "symplecticity")["declared"], "yes");
}

// The text of a model cannot end the element that the data are in.
TEST(Report, CarriesAnyText) {
  NEEDS_PAGE();
  const Folder folder("text");
  const std::string text =
      "# </script><script>alert(1)</script> \"\\ \xC3\xA4\n" + content(std::string(places::models) + "/pendulum.toml");
  std::ofstream(folder / "mine.toml") << text;
  const json page = page_of(folder, "mine", quoted(folder / "mine.toml") + " --until 1");
  EXPECT_EQ(page["meta"]["model"]["text"], text);
}

TEST(Report, RefusesWhatIsNoArchive) {
  NEEDS_PAGE();
  const Folder folder("refused");
  expect_refused("report " + quoted(folder / "none.nc"), HasSubstr("there is no such file"));
  std::ofstream(folder / "text.nc") << "no archive";
  expect_refused("report " + quoted(folder / "text.nc"), HasSubstr("text.nc"));
  ASSERT_EQ(program("run pendulum --until 1 --archive " + quoted(folder / "a.nc")).exit_code, 0);
  expect_refused("report " + quoted(folder / "a.nc") + " -o " + quoted(folder / "no/such/page.html"),
                 HasSubstr("cannot be written"));
  expect_refused("report " + quoted(folder / "a.nc") + " -o " + quoted(folder / "a.nc"),
                 HasSubstr("expected a new name"));
}

}  // namespace
}  // namespace extremal::cli::report_test
