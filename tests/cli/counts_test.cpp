// scripts/counts: what should be few does not become more unseen.
#include <filesystem>
#include <fstream>

#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::counts_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A checkout with an engine of two members.
struct House {
  fs::path root = fs::temp_directory_path() / ("extremal_counts_" + std::to_string(getpid()));
  House() {
    for (const std::string folder : {"src/kernel", "src/scheme", "docs"}) fs::create_directories(root / folder);
    write("src/kernel/engine.hpp", engine(""));
    write("docs/architecture.md", "Before.\n<!-- counted by scripts/counts -->\n<!-- end of the counts -->\nAfter.\n");
  }
  ~House() { fs::remove_all(root); }
  House(const House&) = delete;
  House& operator=(const House&) = delete;

  static std::string engine(const std::string& more) {
    return "class PointEngine final : public StepEngine<S> {\n public:\n  int twice() const { return 2 * a_; }\n\n "
           "private:\n"
           "  void go(int not_a_member_);\n  int a_ = 0, b_{1};\n" +
           more + "};\n";
  }
  void write(const std::string& path, const std::string& text) const { std::ofstream(root / path) << text; }
  std::string read(const std::string& path) const {
    std::ifstream in(root / path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  Outcome counts(const std::string& arguments) const {
    const Scratch said("counts");
    const std::string command = "'" + std::string(places::sources) + "/scripts/counts' " + arguments + " '" +
                                root.string() + "' 2>'" + said.path.string() + "'";
    Outcome outcome;
    outcome.exit_code = WEXITSTATUS(std::system(command.c_str()));
    outcome.err = said.text();
    return outcome;
  }
};

TEST(Counts, AreWrittenAndHeld) {
  const House house;
  EXPECT_EQ(house.counts("").exit_code, 0);
  const std::string page = house.read("docs/architecture.md");
  EXPECT_THAT(page, HasSubstr("| data members of `PointEngine` | 45 | 2 |"));
  EXPECT_THAT(page, HasSubstr("-->\nAfter.\n"));
  const Outcome checked = house.counts("--check");
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST(Counts, MayNotGrow) {
  const House house;
  house.counts("");
  house.write("src/kernel/engine.hpp", House::engine("  std::vector<int> c_;\n  friend class Other;\n"));
  house.write("src/kernel/b.cpp",
              "// for (int iteration = 0;;)\nfor (int iteration = 0; iteration < 3; ++iteration) {\n"
              "if (scheme.as<Livens>() != nullptr) return;\n");
  house.write("src/scheme/c.cpp", "scheme.as<Livens>();\n");
  const Outcome checked = house.counts("--check");
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.err, HasSubstr("data members of `PointEngine`: found 3, at"));
  EXPECT_THAT(checked.err,
              HasSubstr("friends of those who take steps: found 1, at src/kernel/engine.hpp:9; expected 0 at most"));
  EXPECT_THAT(checked.err,
              HasSubstr("Newton loops there, in `system` and in `algebra`: found 1, at src/kernel/b.cpp:2;"));
  EXPECT_THAT(checked.err, HasSubstr("outside of `scheme`: found 1, at src/kernel/b.cpp:3;"));
}

TEST(Counts, AreThoseOfTheSources) {
  const House house;
  house.counts("");
  house.write("src/kernel/engine.hpp", "class PointEngine {\n  int a_;\n};\n");
  EXPECT_THAT(house.counts("--check").err, HasSubstr("the counts are not those of the sources"));
}

}  // namespace
}  // namespace extremal::cli::counts_test
