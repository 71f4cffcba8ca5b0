// Examples in the heads of headers that are texts of their own: what they show can be read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "file/document.hpp"
#include "places.hpp"
#include "sweep/sweep.hpp"

namespace extremal::header_examples_test {
namespace {

// The lines of the comment that a header begins with that are indented.
std::string example(const std::string& header) {
  std::ifstream in(std::filesystem::path(places::data) / ".." / ".." / header);
  std::string text;
  for (std::string line; std::getline(in, line) && line.starts_with("//");)
    if (line.starts_with("//   ")) text += line.substr(5) + "\n";
  return text;
}

TEST(HeaderExamples, OfSweepsIsASweep) {
  const std::string text = example("src/sweep/sweep.hpp");
  const Document document(text, "sweep.hpp");
  const sweep::Plan plan = sweep::read_plan(document, {});
  EXPECT_EQ(plan.model, "pendulum-cartesian");
  EXPECT_EQ(plan.outputs, 10);
  ASSERT_EQ(plan.axes.size(), 3u) << text;
  EXPECT_EQ(plan.axes[0].name, "m");
  EXPECT_EQ(plan.axes[1].name, "g");
  EXPECT_EQ(plan.samples, 100u);
  EXPECT_EQ(sweep::Sweep(document, plan, "").size(), 2u * 11u * 100u);
}

}  // namespace
}  // namespace extremal::header_examples_test
