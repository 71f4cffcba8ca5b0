// docs/validation.md: every item of its tables has a verdict and a test that is there, and each command of the document
// is run as it stands there, the long ones with --full, and draws its picture, which docs/figures.md shows.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "full.hpp"
#include "places.hpp"
#include "program.hpp"
#include "well_formed.hpp"

namespace extremal::cli::validation_test {
namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path(places::data) / ".." / "..";

std::string text_of(const fs::path& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

std::string tables_of_items() {
  const std::string text = text_of(root / "docs/validation.md");
  return text.substr(text.find("\n## Item by item\n"));
}

// The cells of a row, "| one | two |"; none if it is none.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  if (!line.starts_with("| ") || !line.ends_with(" |")) return all;
  for (std::size_t at = 2, end; at < line.size(); at = end + 3) {
    end = line.find(" | ", at);
    if (end == std::string::npos) end = line.size() - 2;
    all.push_back(line.substr(at, end - at));
  }
  return all;
}

// "tests/laws/x_test.cpp: Suite.Name" with TEST(Suite, Name) in it.
bool is_there(const std::string& shown) {
  const std::size_t colon = shown.find(": ");
  if (colon == std::string::npos) return false;
  const std::string file = shown.substr(0, colon), name = shown.substr(colon + 2), source = text_of(root / file);
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return false;
  return std::regex_search(
      source, std::regex("TEST(_P|_F)?\\(" + name.substr(0, dot) + ",\\s+" + name.substr(dot + 1) + "\\)"));
}

TEST(ValidationTables, HaveAVerdictAndATestForEveryItem) {
  std::map<std::string, std::map<std::string, int>> found;
  std::map<std::string, std::vector<std::string>> summary;
  std::set<std::string> items;
  std::string paper;
  std::istringstream lines(tables_of_items());
  for (std::string line; std::getline(lines, line);) {
    SCOPED_TRACE(line);
    if (line.starts_with("### ")) paper = line.substr(4);
    const std::vector<std::string> row = cells(line);
    if (row.empty() || row[0] == "item" || row[0] == "paper") continue;
    if (paper.empty()) {
      summary[row[0]] = row;
      continue;
    }
    EXPECT_TRUE(items.insert(paper + row[0]).second) << "twice";
    ASSERT_EQ(row.size(), 3U);
    const auto verdicts = {"works", "refuted", "out of scope"};
    const auto verdict = std::find_if(verdicts.begin(), verdicts.end(), [&](auto v) { return row[1].starts_with(v); });
    ASSERT_NE(verdict, verdicts.end());
    ++found[paper][*verdict];
    if (row[2] == "–")
      EXPECT_THAT(row[1], testing::StartsWith("out of scope: "));
    else
      EXPECT_TRUE(is_there(row[2]));
  }
  ASSERT_EQ(found.size(), 5U);
  for (auto& [name, counts] : found) {
    const int works = counts["works"], refuted = counts["refuted"], out = counts["out of scope"];
    EXPECT_EQ(summary[name],
              (std::vector<std::string>{name, std::to_string(works + refuted + out), std::to_string(works),
                                        std::to_string(refuted), std::to_string(out)}))
        << "scripts/validation counts them";
  }
}

// What follows `extremal` in all commands of a document; a line may end inside of one.
std::set<std::string> commands(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::regex command("`extremal ([a-z][^`]+)`");
  std::set<std::string> all;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), command); at != std::sregex_iterator(); ++at)
    all.insert((*at)[1]);
  return all;
}

const std::regex picture("--plot ([a-z0-9-]+\\.svg)");

TEST(ValidationCommands, DoWhatTheDocumentSays) {
  const std::set<std::string> all = commands(text_of(root / "docs/validation.md"));
  EXPECT_GE(all.size(), 24U);

  const fs::path back = fs::current_path(),
                 here = fs::temp_directory_path() / ("extremal_validation_" + std::to_string(getpid()));
  fs::create_directories(here);
  fs::current_path(here);
  for (const std::string& arguments : all) {
    // 1e5 steps each, which tests/papers/kinon2023_energy_momentum_test.cpp takes as well.
    if (arguments.find("energy_momentum(ggl)") != std::string::npos && !papers::full()) continue;
    SCOPED_TRACE(arguments);
    const Outcome outcome = program(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    std::smatch drawn;
    if (!std::regex_search(arguments, drawn, picture)) continue;
    const std::string svg = text_of(here / drawn[1].str());
    EXPECT_EQ(xml_mistake(svg), "");
    EXPECT_THAT(svg, testing::HasSubstr("<polyline"));
  }
  fs::current_path(back);
  fs::remove_all(here);
}

// scripts/figures makes the page of them.
TEST(ValidationFigures, AreAllOnTheirPage) {
  const std::string page = text_of(root / "docs/figures.md");
  std::set<std::string> drawn;
  for (const std::string& arguments : commands(text_of(root / "docs/validation.md"))) {
    std::smatch file;
    if (!std::regex_search(arguments, file, picture)) continue;
    const std::string name = file[1];
    EXPECT_TRUE(drawn.insert(name).second) << name << " is drawn by two commands";
    EXPECT_THAT(page, testing::HasSubstr("\n    extremal " + arguments + "\n"));
    EXPECT_THAT(page, testing::HasSubstr("](figures/" + name + ")"));
    const std::string svg = text_of(root / "docs/figures" / name);
    EXPECT_EQ(xml_mistake(svg), "") << name;
    EXPECT_THAT(svg, testing::HasSubstr("<polyline")) << name;
    EXPECT_LT(svg.size(), 300000U) << name;
  }
  EXPECT_GE(drawn.size(), 9U);
  for (const auto& entry : fs::directory_iterator(root / "docs/figures"))
    EXPECT_TRUE(drawn.contains(entry.path().filename().string())) << entry.path() << " is of no command";
}

}  // namespace
}  // namespace extremal::cli::validation_test
