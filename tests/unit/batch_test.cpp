// Runs side by side have the rows that they have alone.
#include "extremal/batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "extremal/error.hpp"
#include "extremal/models.hpp"

namespace extremal::batch_test {
namespace {

const Span span{.step = "0.01", .until = 1, .every = 7};

std::vector<BatchMember> pendulums(int count) {
  const Model model = extremal::model("pendulum");
  std::vector<BatchMember> all;
  for (int k = 0; k < count; ++k)
    all.push_back({model.system.with("g", 9 + 0.01 * k),
                   {.q = {"0.6", "-0.8"}, .v = {Number(0.8 * (1 + 0.1 * k)), Number(0.6 * (1 + 0.1 * k))}}});
  return all;
}

void expect_same(const Run<double>& one, const Run<double>& alone) {
  ASSERT_EQ(one.columns.size(), alone.columns.size());
  for (std::size_t c = 0; c < one.columns.size(); ++c)
    if (one.columns[c].name != "iterations") {
      EXPECT_EQ(one.columns[c].values, alone.columns[c].values) << one.columns[c].name;
    }
  EXPECT_EQ(one.status, alone.status);
  EXPECT_EQ(one.reason, alone.reason);
  EXPECT_EQ(one.steps, alone.steps);
}

TEST(Batch, HasTheRowsOfSingleRuns) {
  for (const char* name : {"rattle", "spark(2)", "suzuki(4, rattle)"}) {
    const Scheme scheme = Scheme::named(name);
    const std::vector<BatchMember> members = pendulums(19);
    ASSERT_TRUE(fits_batch(members[0].system, scheme, span)) << name;
    const std::vector<BatchRun> runs = run_batch(scheme, span, members);
    ASSERT_EQ(runs.size(), members.size());
    for (std::size_t k = 0; k < runs.size(); ++k) {
      EXPECT_FALSE(runs[k].refused);
      expect_same(runs[k].run, run(members[k].system, scheme, members[k].start, span));
    }
    EXPECT_EQ(runs[0].run.column("t").size(), 16u);                       // 0, 7, ..., 98, 100
    EXPECT_NE(runs[0].run.column("x"), runs[1].run.column("x")) << name;  // they are not all the same
  }
}

TEST(Batch, FindsWhatIsKept) {
  const std::vector<BatchMember> members = pendulums(3);
  const Scheme scheme = Scheme::named("rattle");
  const auto all = run_batch(scheme, span, members);
  std::vector<std::size_t> kept;
  for (std::size_t c = 0; c < all[0].run.columns.size(); ++c)
    if (all[0].run.columns[c].name == "x" || all[0].run.columns[c].name == "energy") kept.push_back(c);
  const auto some = run_batch(scheme, span, members, {.keep = kept});
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (const char* name : {"x", "energy"}) EXPECT_EQ(some[k].run.column(name), all[k].run.column(name));
    EXPECT_NE(some[k].run.column("lambda:rod"), all[k].run.column("lambda:rod"));  // which was not asked for
    EXPECT_EQ(some[k].run.energy_max_error, all[k].run.energy_max_error);
  }
}

TEST(Batch, RunsOthersOneByOne) {
  const Model model = extremal::model("double-four-bar");
  const Scheme scheme = Scheme::named("spark(2)");
  const Span shorter{.step = "0.01", .until = "0.1"};
  ASSERT_FALSE(fits_batch(model.system, scheme, shorter));
  const auto runs = run_batch(scheme, shorter, {{model.system, model.start}});
  expect_same(runs[0].run, run(model.system, scheme, model.start, shorter));
  Span inside = span;
  inside.at = {"0.005"};
  EXPECT_EQ(run_batch(Scheme::named("rattle"), inside, pendulums(2))[1].run.dense[0].values.size(), 1u);
}

TEST(Batch, LeavesOutWhatIsRefused) {
  std::vector<BatchMember> members = pendulums(3);
  members[1].start.q = {"0.7", "-0.8"};
  const auto runs = run_batch(Scheme::named("rattle"), span, members);
  EXPECT_FALSE(runs[0].refused);
  EXPECT_TRUE(runs[1].refused);
  EXPECT_THAT(runs[1].run.reason, testing::HasSubstr("\"rod\""));
  expect_same(runs[2].run, run(members[2].system, Scheme::named("rattle"), members[2].start, span));
}

// A step that is too long for the fast one, and a verdict on what it leaves.
TEST(Batch, FailsAsSingleRunsDo) {
  std::vector<BatchMember> members = pendulums(3);
  members[1].start.v = {Number(800), Number(600)};
  const Span coarse{.step = "0.05", .until = 1, .every = 4};
  const auto runs = run_batch(Scheme::named("rattle"), coarse, members);
  const auto alone = run(members[1].system, "rattle", members[1].start, coarse);
  EXPECT_NE(alone.status, Status::complete);
  EXPECT_EQ(runs[1].run.status, alone.status);
  EXPECT_EQ(runs[1].run.reason, alone.reason);
  EXPECT_EQ(runs[0].run.status, Status::complete);
}

TEST(Batch, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  for (const BatchRun& one : run_batch(Scheme::named("rattle"), span, pendulums(2), {.stop = &stop})) {
    EXPECT_EQ(one.run.status, Status::interrupted);
    EXPECT_EQ(one.run.steps, 0);
  }
}

TEST(Batch, RefusesRunsOfDifferentLengths) {
  std::vector<BatchMember> members = pendulums(2);
  members[1].start.t = "0.5";
  const auto runs = run_batch(Scheme::named("rattle"), span, members);
  EXPECT_TRUE(runs[1].refused);
  EXPECT_THAT(runs[1].run.reason, testing::HasSubstr("different lengths"));
}

}  // namespace
}  // namespace extremal::batch_test
