// The documents that a newcomer follows: every model file they show is written, every command they show is run, in
// their order, and prints what they say.
//
//   Save this as `swing.toml`:       the next block of toml, xml or yaml
//   ```console                       a block of commands, each with what it prints
//   $ extremal run swing.toml
//   ...
//   ```
//
// In what is printed, `...` as a line stands for any lines and `...` as a word for any words of its line, as times
// differ from machine to machine. Numbers agree to 1 part in 1000, and all below 1e-9 are alike: round-off is not
// the same with every compiler. EXTREMAL_UPDATE_DOCS=1 writes what the commands print into the documents instead.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "extremal/baseline.hpp"
#include "places.hpp"
#include "program.hpp"

namespace extremal::cli::transcripts_test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path root = fs::path(places::data) / ".." / "..";

std::string contents(const fs::path& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

Lines lines_of(const std::string& text) {
  std::istringstream in(text);
  Lines all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::optional<double> number(std::string word) {
  while (!word.empty() && std::string(",;:)").find(word.back()) != std::string::npos) word.pop_back();
  if (word.starts_with('(')) word.erase(0, 1);
  if (word.empty()) return {};
  char* end = nullptr;
  const double x = std::strtod(word.c_str(), &end);
  return *end == '\0' ? std::optional(x) : std::nullopt;
}

bool alike_word(const std::string& shown, const std::string& printed) {
  const auto p = number(shown), q = number(printed);
  if (!p || !q) return shown == printed;
  const double size = std::max(std::abs(*p), std::abs(*q));
  return size <= 1e-9 || std::abs(*p - *q) <= 1e-3 * size;
}

// As a glob: "..." stands for any number of parts.
template <class Same>
bool matches(const Lines& shown, const Lines& printed, Same same, std::size_t i = 0, std::size_t k = 0) {
  if (i == shown.size()) return k == printed.size();
  if (shown[i] == "...") {
    for (std::size_t next = k; next <= printed.size(); ++next)
      if (matches(shown, printed, same, i + 1, next)) return true;
    return false;
  }
  return k < printed.size() && same(shown[i], printed[k]) && matches(shown, printed, same, i + 1, k + 1);
}

Lines words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

bool alike(const std::string& shown, const std::string& printed) {
  return matches(words_of(shown), words_of(printed), alike_word);
}

// Between two quotes `...` at the end of the text so far, the last that ends like a file's name.
std::string file_named_before(const std::string& prose) {
  std::string name;
  std::size_t last = 0;
  for (const std::string ending : {".toml`", ".urdf`", ".xml`", ".yaml`"}) {
    const std::size_t end = prose.rfind(ending);
    if (end == std::string::npos || end < last) continue;
    const std::size_t begin = prose.rfind('`', end - 1);
    name = prose.substr(begin + 1, end + ending.size() - 1 - begin - 1), last = end;
  }
  return name;
}

class Transcript {
 public:
  explicit Transcript(const fs::path& document) : document_(document), text_(lines_of(contents(document))) {
    fs::create_directories(directory_);
  }
  ~Transcript() { fs::remove_all(directory_); }
  Transcript(const Transcript&) = delete;
  Transcript& operator=(const Transcript&) = delete;

  int commands() const { return commands_; }

  void play() {
    Lines written;
    std::string prose;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const std::string& line = text_[i];
      if (!line.starts_with("```")) prose += line + "\n";
      written.push_back(line);
      if (!line.starts_with("```")) continue;
      Lines block;
      while (++i < text_.size() && text_[i] != "```") block.push_back(text_[i]);
      if ((line == "```toml" || line == "```xml" || line == "```yaml") && !file_named_before(prose).empty())
        std::ofstream(directory_ / file_named_before(prose)) << joined(block);
      const Lines now = line == "```console" ? run(block) : block;
      written.insert(written.end(), now.begin(), now.end());
      written.emplace_back("```");
      prose.clear();
    }
    if (update_) std::ofstream(document_) << joined(written);
  }

 private:
  // What the block should be.
  Lines run(const Lines& block) {
    Lines now;
    for (std::size_t i = 0; i < block.size();) {
      EXPECT_TRUE(block[i].starts_with("$ ")) << block[i];
      const std::string command = block[i].substr(std::min<std::size_t>(2, block[i].size()));
      now.push_back(block[i]);
      Lines shown;
      while (++i < block.size() && !block[i].starts_with("$ ")) shown.push_back(block[i]);
      const Lines printed = lines_of(output(command));
      const bool same = matches(shown, printed, alike);
      EXPECT_TRUE(same || update_) << document_.filename() << ": $ " << command << "\nshows\n"
                                   << joined(shown) << "and prints\n"
                                   << joined(printed);
      now.insert(now.end(), (same ? shown : printed).begin(), (same ? shown : printed).end());
      ++commands_;
    }
    return now;
  }

  std::string output(const std::string& command) const {
    const Scratch out("transcript");
    const std::string whole = "cd '" + directory_.string() + "' && PATH=\"$(dirname '" + std::string(places::program) +
                              "'):$PATH\" sh -c '" + command + "' >'" + out.path.string() + "' 2>&1";
    [[maybe_unused]] const int status = std::system(whole.c_str());  // some are shown to be refused
    return out.text();
  }

  fs::path document_;
  Lines text_;
  fs::path directory_ = fs::temp_directory_path() / ("extremal_transcript_" + std::to_string(getpid()));
  int commands_ = 0;
  bool update_ = std::getenv("EXTREMAL_UPDATE_DOCS") != nullptr;
};

TEST(Transcripts, AreNoticedToDiffer) {
  EXPECT_TRUE(alike("energy 0.123, error 1.1e-15", "energy 0.12301, error 3e-16"));
  EXPECT_FALSE(alike("energy 0.123", "energy 0.124"));
  EXPECT_FALSE(alike("energy 0.123", "entropy 0.123"));
  EXPECT_FALSE(alike("a b", "a b c"));
  EXPECT_TRUE(alike("took ...", "took 0.1 s"));
  EXPECT_TRUE(alike("rattle ... 3", "rattle 0.1 s 3"));
  EXPECT_FALSE(alike("rattle ... 3", "rattle 0.1 s 4"));
  EXPECT_TRUE(matches({"a", "...", "d"}, {"a", "b", "c", "d"}, alike));
  EXPECT_FALSE(matches({"a", "...", "d"}, {"a", "b", "c"}, alike));
  EXPECT_FALSE(matches({"a"}, {"a", "b"}, alike));
}

TEST(Transcripts, OfTheTutorial) {
  Transcript tutorial(root / "docs" / "tutorial.md");
  tutorial.play();
  EXPECT_GE(tutorial.commands(), 8);
}

TEST(Transcripts, OfSweeps) {
  Transcript sweeps(root / "docs" / "sweep.md");
  sweeps.play();
  EXPECT_GE(sweeps.commands(), 3);
}

TEST(Transcripts, OfImport) {
  Transcript import(root / "docs" / "import.md");
  import.play();
  EXPECT_GE(import.commands(), 3);
}

TEST(Transcripts, OfStudies) {
  for (const BaselineKind& kind : baseline_kinds())
    if (!kind.built) GTEST_SKIP() << kind.name << " is not in this build, which was without " << kind.package;
  Transcript studies(root / "docs" / "studies.md");
  studies.play();
  EXPECT_GE(studies.commands(), 1);
}

TEST(Transcripts, OfTheReadme) {
  Transcript readme(root / "README.md");
  readme.play();
  EXPECT_GE(readme.commands(), 1);
}

}  // namespace
}  // namespace extremal::cli::transcripts_test
