// extremal list, demo, help and version.
#include <algorithm>
#include <set>

#include "extremal/models.hpp"
#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::list_test {
namespace {

using testing::HasSubstr;

TEST(List, ShowsEverySchemeAndModel) {
  const Outcome all = program("list"), schemes = program("list schemes"), models = program("list models"),
                observers = program("list observers"), parts = program("list parts"),
                baselines = program("list baselines");
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(all.out, schemes.out + "\n" + models.out + "\n" + observers.out + "\n" + parts.out + "\n" + baselines.out);
  for (const Scheme& scheme : registry()) EXPECT_THAT(schemes.out, HasSubstr("\n" + scheme.name + " "));
  for (const std::string& name : model_names()) EXPECT_THAT(models.out, HasSubstr("\n" + name + " "));
}

TEST(List, AlignsItsColumns) {
  std::istringstream lines(program("list models").out);
  std::string line;
  std::size_t column = std::string::npos;
  while (std::getline(lines, line)) {
    if (line.starts_with("model ")) column = line.find("title");
    if (column == std::string::npos) continue;
    ASSERT_GT(line.size(), column) << line;
    EXPECT_EQ(line[column - 1], ' ') << line;
    EXPECT_NE(line[column], ' ') << line;
  }
  EXPECT_NE(column, std::string::npos);
}

TEST(List, GivesJson) {
  const json all = program("list --json").json();
  ASSERT_EQ(all["schemes"].size(), registry().size());
  for (std::size_t i = 0; i < registry().size(); ++i) {
    const json& j = all["schemes"][i];
    const Scheme& scheme = registry()[i];
    EXPECT_EQ(j["name"], scheme.name);
    EXPECT_EQ(j["order"]["q"], scheme.declared.order.q);
    EXPECT_EQ(j["order"]["p"], scheme.declared.order.p);
    EXPECT_EQ(j["order"]["lambda"], scheme.declared.order.lambda);
    EXPECT_EQ(j["symplectic"], scheme.declared.symplectic);
    EXPECT_EQ(j["citation"], scheme.declared.citation);
    EXPECT_EQ(j["flags"].get<std::vector<std::string>>(), scheme.declared.flags);
  }
  const json models = program("list models --json").json();
  EXPECT_FALSE(models.contains("schemes"));
  ASSERT_EQ(models["models"].size(), model_names().size());
  const json& pendulum = models["models"][0];
  EXPECT_EQ(pendulum["name"], "pendulum");
  EXPECT_EQ(pendulum["coordinates"], json::array({"x", "y"}));
  EXPECT_EQ(pendulum["constraints"], json::array({"rod"}));
  EXPECT_EQ(pendulum["parameters"]["g"], "9.81");
  EXPECT_EQ(pendulum["start"]["q"]["x"], "0.6");
  EXPECT_EQ(pendulum["arguments"], json::object());
  const auto chain = std::find_if(models["models"].begin(), models["models"].end(),
                                  [](const json& m) { return m["name"] == "chain"; });
  ASSERT_NE(chain, models["models"].end());
  EXPECT_EQ((*chain)["arguments"], (json{{"n", "10"}}));
  EXPECT_EQ((*chain)["citation"], "Kinon2023");
}

// The columns of a table are those that are listed.
TEST(List, ShowsTheObserversOfAModel) {
  const json listed = program("list observers --model pendulum --json").json()["observers"];
  std::string names;
  for (const json& column : listed) names += (names.empty() ? "" : ",") + column["column"].get<std::string>();
  const std::string table = program("run pendulum --until 0.1 --csv -").out;
  EXPECT_EQ(table.substr(0, table.find('\n')), names);
  EXPECT_THAT(program("list observers --model elastic-ring").out, HasSubstr("bending"));
  expect_refused("list observers --model pendulun", HasSubstr("pendulum"));
}

TEST(List, RefusesOtherWords) { expect_refused("list planets", HasSubstr("planets")); }

TEST(Program, SaysItsVersion) {
  const Outcome o = program("--version");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out, "extremal " EXTREMAL_VERSION "\n");
}

TEST(Program, HelpsWithAnExampleForEachCommand) {
  for (const char* arguments : {"--help", ""}) {
    const Outcome o = program(arguments);
    EXPECT_EQ(o.exit_code, 0);
    for (const char* command :
         {"demo", "list", "show", "run", "sweep", "resume", "report", "check", "study", "compare", "cite"})
      EXPECT_THAT(o.out, HasSubstr(command));
  }
  for (const std::string command :
       {"demo", "list", "show", "run", "sweep", "resume", "report", "check", "study", "compare", "cite"}) {
    const Outcome o = program(command + " --help");
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_THAT(o.out, HasSubstr("Example"));
    EXPECT_THAT(o.out, HasSubstr("\n  extremal " + command)) << command;
  }
}

// The examples of the help are commands that work.
TEST(Program, ExamplesOfTheHelpWork) {
  std::set<std::string> examples;
  for (const char* arguments : {"--help", "list --help", "run --help", "compare --help", "cite --help"}) {
    std::istringstream lines(program(arguments).out);
    std::string line;
    while (std::getline(lines, line))
      if (line.starts_with("  extremal ") && line.find("demo") == std::string::npos) {
        std::string example = line.substr(std::string("  extremal ").size());
        example = example.substr(0, example.find("  "));  // what follows is a remark
        if (const std::size_t file = example.find("models/"); file != std::string::npos)
          example.replace(file, 6, places::models);
        // Archives, sweeps and robots (docs/import.md) have tests of their own.
        if (!example.starts_with("resume") && !example.starts_with("sweep") && !example.starts_with("report") &&
            !example.starts_with("import") && example.find("--archive") == std::string::npos)
          examples.insert(example);
      }
  }
  EXPECT_GE(examples.size(), 6U);
  for (const std::string& example : examples) {
    const Outcome o = program(example);
    EXPECT_EQ(o.exit_code, 0) << example << "\n" << o.err;
    EXPECT_NE(o.out, "") << example;
  }
}

TEST(Demo, ShowsRunsAndACertificate) {
  const Scratch page("demo.html");
  const Outcome o = program("demo -o '" + page.path.string() + "'");
  EXPECT_EQ(o.exit_code, 0) << o.out << o.err;
  for (const char* word : {"pendulum", "triple-pendulum", "double-pendulum-3d", "rattle", "spark(3)", "symplectic"})
    EXPECT_THAT(o.out, HasSubstr(word));
  std::istringstream lines(o.out);
  std::string line, last;
  std::size_t next = 0;
  bool suggestions = false;
  while (std::getline(lines, line)) {
    suggestions = suggestions || line.starts_with("Next");
    EXPECT_LE(line.size(), 140U) << line;
    last = line;
    if (suggestions && line.starts_with("  extremal ")) ++next;
  }
  EXPECT_GE(next, 3U);
  if (last.find("without npm") != std::string::npos) GTEST_SKIP() << last;
  EXPECT_EQ(last, page.path.string());
  const std::string report = page.text();
  for (const char* id : {"double-four-bar", "elastic-ring", "pendulum", "bennett"})
    EXPECT_NE(report.find("{\"id\":\"" + std::string(id) + "\""), std::string::npos) << id;
}

}  // namespace
}  // namespace extremal::cli::list_test
