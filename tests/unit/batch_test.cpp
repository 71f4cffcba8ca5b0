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

// Members with the arrays that they refer to.
struct Some {
  std::vector<double> g, q, v;
  Members members;
  explicit Some(int count, const std::vector<double>& fast = {}) {
    const Model model = extremal::model("pendulum");
    members = {.system = model.system, .start = model.start, .count = static_cast<std::size_t>(count)};
    for (int k = 0; k < count; ++k) {
      const double f = fast.empty() ? 1 + 0.1 * k : fast[static_cast<std::size_t>(k)];
      g.push_back(9 + 0.01 * k);
      q.insert(q.end(), {0.6, -0.8});
      v.insert(v.end(), {0.8 * f, 0.6 * f});
    }
    members.set("g", g).positions(q).velocities(v);
  }
  Some(const Some&) = delete;
  Some& operator=(const Some&) = delete;
};

void expect_same(const Batch& batch, std::size_t k, const Run<double>& alone) {
  for (std::size_t c = 0; c < batch.columns.size(); ++c) {
    const std::string& name = batch.columns[c].name;
    if (name == "iterations") continue;
    const std::vector<double>& values = alone.column(name);
    ASSERT_EQ(batch.runs[k].rows, values.size()) << name;
    for (std::size_t row = 0; row < values.size(); ++row) ASSERT_EQ(batch.value(k, row, c), values[row]) << name;
  }
  EXPECT_EQ(batch.runs[k].status, alone.status);
  EXPECT_EQ(batch.runs[k].reason, alone.reason);
  EXPECT_EQ(batch.runs[k].steps, alone.steps);
}

Run<double> alone(const Members& members, std::size_t k, const Scheme& scheme, const Span& how) {
  return run(members.system_of(k), scheme, members.start_of(k), how);
}

TEST(Batch, HasTheRowsOfSingleRuns) {
  for (const char* name : {"rattle", "spark(2)", "suzuki(4, rattle)"}) {
    const Scheme scheme = Scheme::named(name);
    const Some some(19);
    ASSERT_TRUE(fits_batch(some.members.system, scheme, span)) << name;
    const Batch batch = run_batch(scheme, span, some.members);
    ASSERT_EQ(batch.runs.size(), 19U);
    EXPECT_EQ(batch.times, 16U);  // 0, 7, ..., 98, 100
    EXPECT_EQ(batch.columns.size(), alone(some.members, 0, scheme, span).columns.size());
    for (std::size_t k = 0; k < batch.runs.size(); ++k) {
      EXPECT_FALSE(batch.runs[k].refused);
      expect_same(batch, k, alone(some.members, k, scheme, span));
    }
    const std::size_t x = batch.column("x");
    EXPECT_NE(batch.value(0, 15, x), batch.value(1, 15, x)) << name;  // they are not all the same
  }
}

// Of bodies, too, which have columns that lanes do not make.
TEST(Batch, HasTheRowsOfSmallMechanisms) {
  const Model model = extremal::model("chain(1)");
  const Scheme scheme = Scheme::named("rattle");
  const Members members{.system = model.system, .start = model.start, .count = 3};
  const Batch batch = run_batch(scheme, span, members);
  expect_same(batch, 2, alone(members, 2, scheme, span));
}

TEST(Batch, FindsWhatIsKept) {
  const Some some(3);
  const Scheme scheme = Scheme::named("rattle");
  const Batch all = run_batch(scheme, span, some.members);
  const Batch few = run_batch(scheme, span, some.members, {.keep = {all.column("x"), all.column("energy")}});
  ASSERT_EQ(few.columns.size(), 2U);
  for (std::size_t k = 0; k < 3; ++k) {
    for (const char* name : {"x", "energy"})
      for (std::size_t row = 0; row < all.times; ++row)
        EXPECT_EQ(few.value(k, row, few.column(name)), all.value(k, row, all.column(name)));
    EXPECT_EQ(few.runs[k].energy_max_error, all.runs[k].energy_max_error);
  }
  const Batch last = run_batch(scheme, span, some.members, {.keep = {all.column("x")}, .only_last = true});
  EXPECT_EQ(last.times, 1U);
  EXPECT_EQ(last.value(2, 0, 0), all.value(2, all.times - 1, all.column("x")));
}

TEST(Batch, RunsOthersOneByOne) {
  const Model model = extremal::model("double-four-bar");
  const Scheme scheme = Scheme::named("spark(2)");
  const Span shorter{.step = "0.01", .until = "0.1"};
  ASSERT_FALSE(fits_batch(model.system, scheme, shorter));
  const Members members{.system = model.system, .start = model.start};
  expect_same(run_batch(scheme, shorter, members), 0, run(model.system, scheme, model.start, shorter));
  const Batch last = run_batch(scheme, shorter, members, {.only_last = true});
  EXPECT_EQ(last.runs[0].rows, 1U);
}

TEST(Batch, LeavesOutWhatIsRefused) {
  Some some(3);
  some.q[2] = 0.7;  // x of the second
  const Batch batch = run_batch(Scheme::named("rattle"), span, some.members);
  EXPECT_FALSE(batch.runs[0].refused);
  EXPECT_TRUE(batch.runs[1].refused);
  EXPECT_THAT(batch.runs[1].reason, testing::HasSubstr("\"rod\""));
  EXPECT_TRUE(std::isnan(batch.value(1, 0, 0)));
  expect_same(batch, 2, alone(some.members, 2, Scheme::named("rattle"), span));
}

// A step that is too long for the fast one, and a verdict on what it leaves.
TEST(Batch, FailsAsSingleRunsDo) {
  const Some some(3, {1, 1000, 1.2});
  const Span coarse{.step = "0.05", .until = 1, .every = 4};
  const Batch batch = run_batch(Scheme::named("rattle"), coarse, some.members);
  const auto single = alone(some.members, 1, Scheme::named("rattle"), coarse);
  EXPECT_NE(single.status, Status::complete);
  EXPECT_EQ(batch.runs[1].status, single.status);
  EXPECT_EQ(batch.runs[1].reason, single.reason);
  EXPECT_EQ(batch.runs[0].status, Status::complete);
}

// By one way or the other: in lanes, and one by one because of times inside of steps.
TEST(Batch, HasTheColumnsOfItsSpan) {
  const Some some(5);
  const Scheme scheme = Scheme::named("rattle");
  Span few = span;
  few.columns = {"energy", "v:y"};
  for (const std::vector<Number>& at : {std::vector<Number>{}, std::vector<Number>{"0.5"}}) {
    few.at = at;
    EXPECT_EQ(fits_batch(some.members.system, scheme, few), at.empty());
    const Batch batch = run_batch(scheme, few, some.members);
    ASSERT_EQ(batch.columns.size(), 3U);
    EXPECT_EQ(batch.columns[1].name, "v:y");
    for (std::size_t k = 0; k < 5; ++k) expect_same(batch, k, alone(some.members, k, scheme, few));
    const std::size_t y = 2;  // of all columns
    const Batch one = run_batch(scheme, few, some.members, {.keep = {y}});
    ASSERT_EQ(one.columns.size(), 1U);
    EXPECT_EQ(one.value(4, 3, 0), alone(some.members, 4, scheme, span).column("y")[3]);
  }
  few.columns = {"z"};
  EXPECT_THROW(run_batch(scheme, few, some.members), InputError);
}

TEST(Batch, StopsWhenItIsTold) {
  const std::atomic<bool> stop = true;
  const Some some(2);
  for (const BatchEnd& one : run_batch(Scheme::named("rattle"), span, some.members, {.stop = &stop}).runs) {
    EXPECT_EQ(one.status, Status::interrupted);
    EXPECT_EQ(one.steps, 0);
  }
}

}  // namespace
}  // namespace extremal::batch_test
