// scripts/rooms: folders of src/ include those below them only, and do not ask of which family a scheme is.
#include <filesystem>
#include <fstream>

#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::rooms_test {
namespace {

namespace fs = std::filesystem;

// A checkout with two rooms, of which system/a.cpp includes `header`.
struct House {
  fs::path root = fs::temp_directory_path() / ("extremal_rooms_" + std::to_string(getpid()));
  explicit House(const std::string& header, const std::string& room = "system") {
    for (const std::string folder : {"src/algebra", "src/kernel", "docs"}) fs::create_directories(root / folder);
    fs::create_directories(root / "src" / room);
    std::ofstream(root / "src" / room / "a.cpp") << "// A comment.\n#include \"" << header << "\"\n";
    std::ofstream(root / "docs/architecture.md") << "<!-- drawn by scripts/rooms -->\n<!-- end of the drawing -->\n";
  }
  ~House() { fs::remove_all(root); }
  House(const House&) = delete;
  House& operator=(const House&) = delete;

  Outcome rooms(const std::string& arguments) const {
    const Scratch said("rooms");
    const std::string command = "'" + std::string(places::sources) + "/scripts/rooms' " + arguments + " '" +
                                root.string() + "' 2>'" + said.path.string() + "'";
    Outcome outcome;
    outcome.exit_code = WEXITSTATUS(std::system(command.c_str()));
    outcome.err = said.text();
    return outcome;
  }
};

TEST(Rooms, MayIncludeThoseBelow) {
  const House house("algebra/lu.hpp");
  EXPECT_EQ(house.rooms("").exit_code, 0);
  const Outcome checked = house.rooms("--check");
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
}

TEST(Rooms, MayNotIncludeThoseAbove) {
  const House house("kernel/node.hpp");
  const Outcome checked = house.rooms("--check");
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.err, testing::HasSubstr("src/system/a.cpp:2: system includes kernel, which is above it"));
}

TEST(Rooms, AreAllInThePlan) {
  const House house("algebra/lu.hpp", "attic");
  EXPECT_THAT(house.rooms("--check").err, testing::HasSubstr("src/attic: not in the plan"));
}

TEST(Rooms, AreDrawnAsTheyAre) {
  const House house("algebra/lu.hpp");
  EXPECT_THAT(house.rooms("--check").err, testing::HasSubstr("the drawing is not that of the sources"));
}

TEST(Rooms, DoNotAskOfWhichFamilyASchemeIs) {
  const House house("algebra/lu.hpp");
  std::ofstream(house.root / "src/kernel/b.cpp") << "\nif (scheme.as<Livens>() != nullptr) return;\n";
  fs::create_directories(house.root / "src/scheme");
  std::ofstream(house.root / "src/scheme/c.cpp") << "scheme.as<Livens>();\n";
  const Outcome checked = house.rooms("--check");
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.err, testing::HasSubstr("src/kernel/b.cpp:2: asks of which family a scheme is"));
  EXPECT_THAT(checked.err, testing::Not(testing::HasSubstr("c.cpp")));
}

}  // namespace
}  // namespace extremal::cli::rooms_test
