// Rows that repeat themselves are found, and only those.
#include "system/repeats.hpp"

#include <gtest/gtest.h>

namespace extremal::repeats_test {
namespace {

// A row has a value and a column; rows of value 0 have none.
struct Row {
  int value, column;
};

std::vector<Repeat> repeats(const std::vector<Row>& rows) {
  return find_repeats(static_cast<int>(rows.size()), [&](int i, int j) -> std::optional<int> {
    const Row &x = rows[static_cast<std::size_t>(i)], &y = rows[static_cast<std::size_t>(j)];
    if (x.value != y.value) return std::nullopt;
    return x.value == 0 ? anywhere : y.column - x.column;
  });
}

// Every row must be what the first period of its run says.
void expect_equal(const std::vector<Row>& rows, const std::vector<Repeat>& found) {
  int next = 0;
  for (const Repeat& run : found) {
    EXPECT_EQ(run.first, next);
    for (int k = 0; k < run.period * run.count; ++k, ++next) {
      const Row &row = rows[static_cast<std::size_t>(next)],
                &like = rows[static_cast<std::size_t>(run.first + k % run.period)];
      EXPECT_EQ(row.value, like.value);
      if (row.value != 0) {
        EXPECT_EQ(row.column, like.column + k / run.period * run.step);
      }
    }
  }
  EXPECT_EQ(next, static_cast<int>(rows.size()));
}

TEST(Repeat, BodiesThatAreAlikeAreOneRun) {
  std::vector<Row> rows;
  for (int body = 0; body < 50; ++body)
    for (const int value : {3, 3, 0, 5}) rows.push_back({value, 7 * body + value});
  const auto found = repeats(rows);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].period, 4);
  EXPECT_EQ(found[0].count, 50);
  EXPECT_EQ(found[0].step, 7);
  expect_equal(rows, found);
}

TEST(Repeat, OneBodyThatDiffersBreaksIt) {
  std::vector<Row> rows;
  for (int body = 0; body < 50; ++body)
    for (const int value : {3, 4, 5}) rows.push_back({value, 7 * body + value});
  rows[61].value = 9;
  rows[100].column += 1;
  const auto found = repeats(rows);
  EXPECT_GT(found.size(), 3U);
  EXPECT_LT(found.size(), 12U);
  expect_equal(rows, found);
}

TEST(Repeat, RowsThatAreNotAlikeAreTakenAFewAtATime) {
  std::vector<Row> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back({i + 1, (i * i) % 101});
  const auto found = repeats(rows);
  expect_equal(rows, found);
  for (const Repeat& run : found) {
    EXPECT_EQ(run.count, 1);
    EXPECT_LE(run.period, 64);
  }
}

}  // namespace
}  // namespace extremal::repeats_test
