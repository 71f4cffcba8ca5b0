// What the documents print is what the repository does.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "bodies/joint_type.hpp"
#include "bodies/load_type.hpp"
#include "extremal/models.hpp"
#include "places.hpp"
#include "refusal.hpp"

namespace extremal::docs_test {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(std::filesystem::path(places::data) / ".." / ".." / path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The example itself is run by the tests of examples/, which hold its output to first.expected.
TEST(Readme, ShowsTheFirstProgramAndItsOutput) {
  const std::string readme = contents("README.md"), program = contents("examples/first.cpp"),
                    output = contents("examples/first.expected");
  ASSERT_GT(program.size(), 200u);
  ASSERT_GT(output.size(), 100u);
  EXPECT_NE(readme.find("```cpp\n" + program + "```"), std::string::npos);
  EXPECT_NE(readme.find("```text\n" + output + "```"), std::string::npos);
}

// The first block of C++ after a heading.
std::string snippet_under(const std::string& text, const std::string& heading) {
  const std::string fence = "\n```cpp\n";
  const std::size_t section = text.find("\n## " + heading + "\n");
  if (section == std::string::npos) return {};
  const std::size_t begin = text.find(fence, section), next = text.find("\n## ", section + 1);
  if (begin == std::string::npos || begin > next) return {};
  const std::size_t end = text.find("\n```\n", begin + fence.size());
  return end == std::string::npos ? std::string() : text.substr(begin + fence.size(), end + 1 - begin - fence.size());
}

// What stands inside of main() is shown without its indentation.
std::string without_indentation(const std::string& program) {
  std::stringstream in(program);
  std::string out;
  for (std::string line; std::getline(in, line);) out += (line.starts_with("  ") ? line.substr(2) : line) + "\n";
  return out;
}

// Of examples/four_bar.cpp, which is run like the first program, the README shows the lines that matter.
TEST(Readme, ShowsAPartOfTheMechanismProgram) {
  const std::string snippet = snippet_under(contents("README.md"), "Mechanisms");
  const std::string program = without_indentation(contents("examples/four_bar.cpp"));
  ASSERT_GT(std::count(snippet.begin(), snippet.end(), '\n'), 10);
  EXPECT_TRUE(snippet.starts_with("Mechanism "));
  EXPECT_NE(snippet.find("extremal::run("), std::string::npos);
  EXPECT_NE(program.find("\n" + snippet), std::string::npos);
  // One character less is noticed.
  EXPECT_EQ(program.find("\n" + std::string(snippet).erase(snippet.size() / 2, 1)), std::string::npos);
}

std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  const std::string fence = "\n```" + language + "\n";
  std::vector<std::string> all;
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1)) {
    const std::size_t begin = at + fence.size();
    all.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return all;
}

// As `extremal run` would take it, for its first steps.
TEST(ModelsDocument, ShowsModelsThatRun) {
  const auto models = blocks(contents("docs/models.md"), "toml");
  EXPECT_GE(models.size(), 11u);
  for (const std::string& text : models) {
    const Model m = read_model_text(text, "docs/models.md");
    const std::string usual = m.system.has(Role::hamiltonian) ? "phase_space(2)" : "spark(3)";
    Span span = m.span;
    const double h = span.step.as<double>();
    span.until = std::min(span.until.as<double>(), m.start.t.as<double>() + 4 * h);
    const auto done = run(m.system, Scheme::named(m.scheme.empty() ? usual : m.scheme), m.start, span);
    EXPECT_EQ(done.status, Status::complete) << text << done.reason;
  }
}

// The reader's own lists of what it knows, which it tells where it meets a key it does not.
TEST(ModelsDocument, HasEveryKey) {
  const std::string document = contents("docs/models.md");
  const std::string bodies =
      "[[body]]\nname = \"a\"\ninertia = [1, 1, 1]\n[[body]]\nname = \"b\"\ninertia = [1, 1, 1]\n";
  const std::string pair = "name = \"p\"\nfrom = \"a\"\nto = \"b\"\n", axis = "axis = [1, 0, 0]\n";
  const std::string circle = "shape = \"circle\", E = 1, G = 1, density = 1, radius = 1";
  const std::vector<std::string> tables = {
      "coordinates = [\"x\"]\nkinetic = \"x'^2\"\n",
      "coordinates = [\"x\"]\nkinetic = \"x'^2\"\n[run]\n",
      "[[coordinates]]\nnames = [\"x\"]\n",
      "coordinates = [\"x\"]\nkinetic = \"x'^2\"\n[picture]\npoints = { a = [\"x\", 0] }\n",
      bodies,
      "[[point_mass]]\nname = \"a\"\n",
      bodies + "[[spring]]\n" + pair,
      bodies + "[[joint]]\ntype = \"universal\"\naxis_to = [0, 1, 0]\n" + axis + pair,
      bodies + "[[joint]]\ntype = \"distance\"\nlength = 1\n" + pair,
      bodies + "[[joint]]\ntype = \"point_on_plane\"\nnormal = [1, 0, 0]\n" + pair,
      bodies + "[[torsion_spring]]\nstiffness = 1\n" + axis + pair,
      bodies + "[[motor]]\ntorque = 1\n" + axis + pair,
      bodies + "[[rotational_damper]]\ndamping = 1\n" + pair,
      bodies + "[[damper]]\ndamping = 1\n" + pair,
      bodies + "[[force]]\nname = \"f\"\non = \"a\"\ncomponents = [1, 0, 0]\n",
      bodies + "[[torque]]\nname = \"f\"\non = \"a\"\ncomponents = [1, 0, 0]\n",
      bodies + "[[drive]]\nname = \"f\"\nbody = \"a\"\nposition = [0, 0, 0]\n",
      "[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 1\nsection = { " + circle + " }\n",
      "[[rod]]\nname = \"r\"\nsection = { " + circle + ", zzz = 1 }\n",
      "[[thermoelastic_mass]]\nname = \"a\"\n",
      "[[support]]\nname = \"a\"\nposition = [0, 0, 0]\n",
  };
  for (const JointType& type : joint_types()) {
    EXPECT_NE(document.find("`" + std::string(type.name) + "`"), std::string::npos) << type.name;
    for (const JointType::Key& key : type.keys)
      EXPECT_NE(document.find("`" + std::string(key.name) + "`"), std::string::npos) << key.name;
  }
  for (const LoadType& type : load_types()) {
    EXPECT_NE(document.find("`[[" + std::string(type.name) + "]]`"), std::string::npos) << type.name;
    for (const LoadType::Key& key : type.keys)
      EXPECT_NE(document.find("`" + std::string(key.name) + "`"), std::string::npos) << key.name;
  }
  int keys = 0;
  for (const std::string& text : tables) {
    const std::string message = refusal([&] { read_model_text(text + "zzz = 1\n", "m.toml"); });
    ASSERT_NE(message.find("\"zzz\""), std::string::npos) << text << message;
    std::istringstream known(message.substr(message.find("known: ") + 7));
    for (std::string key; known >> key; ++keys) {
      while (key.ends_with(',')) key.pop_back();
      bool named = false;
      for (const std::string& form : {"`" + key + "`", "`[[" + key + "]]`", "`[" + key + "]`", "`" + key + " ="})
        named = named || document.find(form) != std::string::npos;
      EXPECT_TRUE(named) << key << " of " << text;
    }
  }
  EXPECT_GT(keys, 100);
}

// All files of the repository that a document may name.
std::vector<std::string> repository() {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(places::data) / ".." / "..";
  std::vector<std::string> all;
  for (const char* folder :
       {"bench", "cmake", "docs", "examples", "fuzz", "include", "models", "report", "scripts", "src", "tests"})
    for (auto at = fs::recursive_directory_iterator(root / folder); at != fs::recursive_directory_iterator(); ++at) {
      if (at->path().filename() == "node_modules") at.disable_recursion_pending();
      all.push_back(fs::relative(at->path(), root).string());
    }
  return all;
}

// What stands between single quotes of the given kind, or is the target of a link, and looks like a file of ours.
std::vector<std::string> files_named(const std::string& text) {
  static const std::regex quoted("`([A-Za-z0-9_./-]+)`"), link("\\]\\(([A-Za-z0-9_./-]+)\\)"),
      ours(
          "(?:(?:bench|cmake|docs|examples|fuzz|include|models|report|scripts|src|tests)/[A-Za-z0-9_./-]*[A-Za-z0-9_]|"
          "[A-Za-z0-9_-]+\\.(?:cpp|hpp|mjs|md|bib))");
  std::vector<std::string> all;
  for (const std::regex& form : {quoted, link})
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
      if (const std::string name = (*at)[1]; std::regex_match(name, ours)) all.push_back(name);
  return all;
}

TEST(Documents, NameFilesThatExist) {
  const std::vector<std::string> all = repository();
  // By its path, or, below the sentence that has said where, by its name.
  const auto exists = [&](const std::string& name) {
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& path) { return path == name || path.ends_with("/" + name); });
  };
  EXPECT_TRUE(exists("tests/unit/docs_test.cpp"));
  EXPECT_FALSE(exists("tests/unit/no_test.cpp"));
  std::size_t named = 0;
  for (const std::string& path : all) {
    if (!path.ends_with(".md")) continue;
    for (const std::string& name : files_named(contents(path))) {
      EXPECT_TRUE(exists(name)) << path << " names " << name;
      ++named;
    }
  }
  for (const char* path : {"README.md", "CONTRIBUTING.md"})
    for (const std::string& name : files_named(contents(path)))
      EXPECT_TRUE(exists(name) || !contents(name).empty()) << path << " names " << name;
  EXPECT_GT(named, 40u);
}

// scripts/gallery makes it of a run.
TEST(Readme, HasAPictureThatMoves) {
  EXPECT_NE(contents("README.md").find("](docs/gallery/double-four-bar.svg)"), std::string::npos);
  const std::string picture = contents("docs/gallery/double-four-bar.svg");
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_NE(picture.find("<animate attributeName=\"x1\" dur=\"10s\" repeatCount=\"indefinite\""), std::string::npos);
  EXPECT_NE(contents("scripts/gallery").find("double-four-bar.svg"), std::string::npos);
}

// scripts/gallery makes it.
TEST(Gallery, HasAPictureOfEveryModel) {
  const std::string gallery = contents("docs/gallery.md");
  for (const std::string& name : model_names()) {
    EXPECT_NE(gallery.find("](gallery/" + name + ".png)"), std::string::npos) << name;
    EXPECT_NE(gallery.find("[" + name + "](../models/" + name + ".toml): " + model(name).title), std::string::npos)
        << name;
    EXPECT_TRUE(contents("docs/gallery/" + name + ".png").starts_with("\x89PNG")) << name;
  }
}

TEST(Readme, GivesTheCommandThatCiRuns) {
  EXPECT_NE(contents("README.md").find("    ./test "), std::string::npos);
  EXPECT_NE(contents(".ci/run").find("./test"), std::string::npos);
}

}  // namespace
}  // namespace extremal::docs_test
