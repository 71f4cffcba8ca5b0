// Every citation in the sources, the docs and the schemes has its entry in docs/references.bib.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "extremal/models.hpp"
#include "extremal/scheme.hpp"
#include "places.hpp"

namespace extremal::citations_test {
namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path(places::data) / ".." / "..";

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::set<std::string> known() {
  std::set<std::string> keys;
  const std::string bib = contents(root / "docs" / "references.bib");
  const std::regex entry("@[a-z]+\\{([A-Za-z]+[0-9]{4})");
  for (std::sregex_iterator i(bib.begin(), bib.end(), entry), end; i != end; ++i) keys.insert((*i)[1]);
  return keys;
}

// Keys look like Wenger2017, inside brackets, perhaps several: [Wenger2017, eq. 22; Man2020].
std::set<std::string> cited(const std::string& text) {
  std::set<std::string> keys;
  const std::regex bracket("\\[[^\\]\\n]*\\]"), key("\\b[A-Z][A-Za-z]+(19|20)[0-9]{2}\\b");
  for (std::sregex_iterator i(text.begin(), text.end(), bracket), end; i != end; ++i) {
    const std::string inside = i->str();
    for (std::sregex_iterator k(inside.begin(), inside.end(), key); k != end; ++k) keys.insert(k->str());
  }
  return keys;
}

TEST(Citations, OfTheSourcesAreKnown) {
  const auto keys = known();
  ASSERT_GT(keys.size(), 10u);
  int found = 0;
  for (const char* folder : {"include", "src", "docs", "tests", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const auto ending = entry.path().extension();
      if (ending != ".hpp" && ending != ".cpp" && ending != ".md") continue;
      for (const auto& key : cited(contents(entry.path()))) {
        ++found;
        EXPECT_TRUE(keys.contains(key)) << entry.path().filename() << " cites " << key;
      }
    }
  EXPECT_GT(found, 20);
}

TEST(Citations, OfSchemesAndModelsAreKnown) {
  const auto keys = known();
  const auto hold = [&](const std::string& name, const std::string& citation) {
    EXPECT_FALSE(citation.empty()) << name;
    for (const auto& key : cited("[" + citation + "]")) EXPECT_TRUE(keys.contains(key)) << name << " cites " << key;
  };
  for (const Scheme& scheme : registry()) hold(scheme.name, scheme.declared.citation);
  for (const auto& name : model_names()) hold(name, model(name).citation);
}

TEST(Citations, AnUnknownKeyIsFound) {
  // Split, so that the test above does not find it here.
  EXPECT_EQ(cited("see [Nobody"
                  "1901, eq. 3; Wenger2017]"),
            (std::set<std::string>{"Nobody1901", "Wenger2017"}));
  EXPECT_FALSE(known().contains("Nobody1901"));
}

}  // namespace
}  // namespace extremal::citations_test
