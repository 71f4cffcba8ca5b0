// Any name may be used for observers, symmetries and constraints: an archive gives it back, and so does a run that goes
// on from it.
#include "archive/names.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "extremal/archive.hpp"
#include "extremal/models.hpp"

namespace extremal::archive_names_test {
namespace {

const std::vector<std::string>& odd_names() {
  static const std::vector<std::string> names = {"rotation x/y",
                                                 "ends in a blank ",
                                                 " begins with one",
                                                 std::string(300, 'n'),
                                                 std::string(300, 'n') + "2",
                                                 "\u03c6",
                                                 "\u89d2",
                                                 "e\u0301",  // the letter of the next name, in two parts
                                                 "\u00e9",
                                                 "\U0001F600",
                                                 "x",
                                                 "t",
                                                 "q",
                                                 "v:x",
                                                 "energy",
                                                 "time",
                                                 "q_low",
                                                 "coordinate",
                                                 "double",
                                                 "status",
                                                 "a:b",
                                                 "a_b",
                                                 "100%",
                                                 "-1",
                                                 "semi; colon #",
                                                 "say \"so\", \\ and 'so'",
                                                 "/"};
  return names;
}

std::string in_toml(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Watched under all of these names, the k-th of which sees k + x, with a symmetry and a constraint of that name too.
Model odd_model() {
  std::string text =
      "name = \"odd\"\ncoordinates = [\"x\", \"y\", \"z\"]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
      "potential = \"9.81*z\"\n[[constraint]]\nname = \"rotation x/y\"\nformula = \"(x^2 + y^2 + z^2 - 1)/2\"\n";
  for (const std::string& name : odd_names())
    text += "[[symmetry]]\nname = " + in_toml(name) + "\nalong = { x = \"-y\", y = \"x\", z = 0 }\n";
  text += "[start]\nx = 0.6\ny = 0\nz = -0.8\nvelocity = { x = 0, y = 1, z = 0 }\n[observe]\n";
  for (std::size_t k = 0; k < odd_names().size(); ++k)
    text += in_toml(odd_names()[k]) + fmt::format(" = \"{} + x\"\n", k);
  return read_model_text(text, "odd.toml");
}

struct NamedSpot {
  std::string path =
      (std::filesystem::temp_directory_path() / ("extremal_names_" + std::to_string(getpid()) + ".nc")).string();
  NamedSpot() = default;
  NamedSpot(const NamedSpot&) = delete;
  NamedSpot& operator=(const NamedSpot&) = delete;
  ~NamedSpot() {
    for (const char* end : {"", ".journal", ".part"}) std::filesystem::remove(path + end);
  }
};

// Ends a run after some rows.
template <class S>
struct NamesStopper : RowSink<S> {
  int rows = 4;
  std::atomic<bool> stop = false;
  void row(const std::vector<S>&) override { stop = --rows == 0; }
};

template <class S>
void keeps_every_name() {
  const NamedSpot spot;
  const Model m = odd_model();
  const Span span{.step = "0.05", .until = "0.5"};
  const Provenance from{
      .model = "odd.toml", .scheme = "rattle", .start = m.start, .span = span, .precision = Scalar<S>::name};
  const Run<S> whole = run<S>(m.system, "rattle", m.start, span, {.observers = m.observers});
  {
    ArchiveWriter<S> writer(spot.path, from);
    NamesStopper<S> stopper;
    const Run<S> part = run<S>(m.system, "rattle", m.start, span,
                               {.sinks = {&writer, &stopper}, .observers = m.observers, .stop = &stopper.stop});
    ASSERT_EQ(part.status, Status::interrupted);
  }
  ArchiveWriter<S> writer = ArchiveWriter<S>::resume(spot.path);
  const Checkpoint<S> checkpoint = Archive::open(spot.path).checkpoint<S>();
  const Run<S> rest =
      run<S>(m.system, "rattle", m.start, span, {.sinks = {&writer}, .observers = m.observers, .from = &checkpoint});
  EXPECT_EQ(rest.status, Status::complete) << rest.reason;

  const Archive archive = Archive::open(spot.path);
  ASSERT_EQ(archive.columns().size(), whole.columns.size());
  std::set<std::string> different;
  for (std::size_t c = 0; c < whole.columns.size(); ++c) {
    EXPECT_EQ(archive.columns()[c].name, whole.columns[c].name);
    EXPECT_TRUE(archive.exact<S>(whole.columns[c].name) == whole.columns[c].values) << whole.columns[c].name;
    different.insert(archive.columns()[c].name);
  }
  EXPECT_EQ(different.size(), whole.columns.size());
  const std::vector<double> x = archive.column("x");
  for (std::size_t k = 0; k < odd_names().size(); ++k) {
    const std::string& name = odd_names()[k];
    SCOPED_TRACE(name);
    // What is called as something else is called is an observer by name.
    const bool taken = different.contains("observer:" + name);
    const std::vector<double> seen = archive.column(taken ? "observer:" + name : name);
    for (std::size_t r = 0; r < x.size(); ++r) EXPECT_NEAR(seen[r], x[r] + static_cast<double>(k), 1e-12);
    EXPECT_EQ(archive.attribute("momentum_error:" + name), to_text(rest.momentum_error[k].values[0]));
    EXPECT_EQ(archive.column("momentum:" + name).size(), x.size());
  }
  EXPECT_EQ(archive.column("lambda:rotation x/y").size(), x.size());
}

TEST(ArchiveNames, AreGivenBackWhateverTheyAre) {
  keeps_every_name<double>();
  keeps_every_name<quad>();
}

// Names in the file are distinct, also where netCDF puts them into their normal form, and fit into it.
TEST(ArchiveNames, InTheFileAreReadable) {
  std::set<std::string> taken = reserved_names();
  EXPECT_EQ(stored_name("tip x", taken), "tip x");
  EXPECT_EQ(stored_name("tip x", taken), "tip x_2");
  EXPECT_EQ(stored_name("rotation x/y", taken), "rotation x@2Fy");
  EXPECT_EQ(stored_name("a:b", taken), "a_b");
  EXPECT_EQ(stored_name("a_b", taken), "a_b_2");
  EXPECT_EQ(stored_name("a_b_low", taken), "a_b_low_2");  // a part of a_b in wide precision
  EXPECT_EQ(stored_name("\u03c6", taken), "\u03c6");
  EXPECT_EQ(stored_name("e\u0301", taken), "e@CC@81");
  EXPECT_EQ(stored_name("double", taken), "double_2");
  EXPECT_EQ(stored_name("", taken), "_");
  EXPECT_EQ(stored_name("/", taken), "_@2F");
  EXPECT_EQ(stored_name("end ", taken), "end@20");
  EXPECT_LE(stored_name(std::string(1000, '/'), taken).size(), 210u);
}

}  // namespace
}  // namespace extremal::archive_names_test
