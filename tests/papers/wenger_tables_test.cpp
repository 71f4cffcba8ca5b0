// Tables 1 and 2 of [Wenger2017]: orders of q, p and lambda in every cell with s <= 6, on the paper's two pendulums, on
// the spring pendulum, whose potential is not linear, and on the triple pendulum, whose mass matrix depends on q.
//
// The measurement is that of `extremal study table wenger` (src/study/wenger_table.cpp). With projected momenta and the
// multipliers of [Wenger2017, eq. 70] p and lambda reach the order of q in every cell.
// All 132 cells on all four systems run always, in --full and without.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include <array>
#include <optional>

#include "distance.hpp"
#include "reference_data.hpp"
#include "study/tables.hpp"
#include "validation.hpp"

namespace extremal::papers::wenger_tables_test {
namespace {

using study::WengerMeasured;
using study::WengerRow;

struct Cell : study::WengerCell {
  int q, p, lambda;  // lambda = 0: 'd', the error does not decrease
};

std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const auto& row : reference_rows("wenger-orders.csv"))
    all.push_back({{row.at(0), std::stoi(row.at(1)), std::stoi(row.at(2)), std::stoi(row.at(3))},
                   std::stoi(row.at(4)),
                   std::stoi(row.at(5)),
                   row.at(6) == "d" ? 0 : std::stoi(row.at(6))});
  return all;
}

TEST(WengerTables, HaveAllCells) {
  int gauss = 0, lobatto = 0;
  for (const Cell& cell : cells()) ++(cell.rule == "gauss" ? gauss : lobatto);
  EXPECT_EQ(gauss, 56);
  EXPECT_EQ(lobatto, 76);
}

TEST(WengerTables, AreThoseOfTheProgram) {
  const auto ours = study::wenger_cells();
  ASSERT_EQ(ours.size(), cells().size());
  for (const Cell& cell : cells()) {
    const auto same = [&](const study::WengerCell& c) {
      return c.rule == cell.rule && c.w == cell.w && c.s == cell.s && c.r == cell.r;
    };
    EXPECT_EQ(std::count_if(ours.begin(), ours.end(), same), 1) << cell.variational().name;
  }
}

TEST(WengerTables, AreWhatSchemesDeclare) {
  for (const Cell& cell : cells()) {
    SCOPED_TRACE(cell.variational().name);
    EXPECT_EQ(cell.variational().declared.order, (Order{cell.q, cell.p, cell.lambda}));
    EXPECT_EQ(cell.projected().declared.order, (Order{cell.q, cell.q, cell.q}));
  }
}

using Errors = study::FiveErrors;

}  // namespace
}  // namespace extremal::papers::wenger_tables_test

namespace extremal::study {
void PrintTo(const WengerRow& row, std::ostream* out) { *out << row.model << ", " << row.rule << ", w = " << row.w; }
}  // namespace extremal::study

namespace extremal::papers::wenger_tables_test {
namespace {

// The errors with 160 steps that an independent implementation found: nothing for the triple pendulum.
std::optional<Errors> expected_errors(const std::string& model, const Cell& cell) {
  for (const auto& row : reference_rows("wenger-errors.csv"))
    if (row.at(0) == model && row.at(1) == cell.rule && std::stoi(row.at(2)) == cell.w &&
        std::stoi(row.at(3)) == cell.s && std::stoi(row.at(4)) == cell.r) {
      Errors all;
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::stod(row.at(5 + i));
      return all;
    }
  if (model != "triple-pendulum") throw std::runtime_error(cell.variational().name + ": no errors in the file");
  return {};
}

const WengerMeasured& measured_cell(const std::vector<WengerMeasured>& all, const Cell& cell) {
  for (const WengerMeasured& m : all)
    if (m.cell.s == cell.s && m.cell.r == cell.r) return m;
  throw std::runtime_error(cell.variational().name + ": not measured");
}

class WengerOrders : public testing::TestWithParam<WengerRow> {};

TEST_P(WengerOrders, HoldInEveryCell) {
  const auto& [name, rule, w] = GetParam();
  const std::vector<WengerMeasured> all = study::measure(GetParam());
  int compared = 0;
  double worst = 0;
  for (const Cell& cell : cells()) {
    if (cell.rule != rule || cell.w != w) continue;
    ++compared;
    SCOPED_TRACE(cell.variational().name);
    const WengerMeasured& found = measured_cell(all, cell);
    ASSERT_EQ(found.steps.size(), 3U);
    // Projection is a gauge: the positions do not change.
    for (const double gauge : found.gauge) EXPECT_LT(gauge, 100);
    const std::optional<Errors> expected = expected_errors(name, cell);
    const std::array<int, 5> orders{cell.q, cell.p, cell.lambda, cell.q, cell.q};
    const std::vector<Errors> slopes = found.slopes();
    ASSERT_EQ(slopes.size(), 2U);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      SCOPED_TRACE(study::five_names[i]);
      for (const Errors& slope : slopes) {
        worst = std::max(worst, std::fabs(slope[i] - orders[i]));
        EXPECT_NEAR(slope[i], orders[i], 0.25);
      }
      for (std::size_t k = 0; k < found.steps.size(); ++k)
        if (found.steps[k] == 160 && expected) {
          EXPECT_NEAR(found.errors[k][i], (*expected)[i], 1.01 * half_unit((*expected)[i], 2));
        }
    }
    EXPECT_LE(found.deviation(), 0.25);
  }
  EXPECT_EQ(static_cast<std::size_t>(compared), all.size());
  record("wenger", fmt::format("| {} | {} | {} | {} | {:.2f} |", name, rule, w, compared, worst));
}

INSTANTIATE_TEST_SUITE_P(, WengerOrders, testing::ValuesIn(study::wenger_rows()), [](const auto& info) {
  return identifier(info.param.model + " " + info.param.rule + " w " + std::to_string(info.param.w));
});

}  // namespace
}  // namespace extremal::papers::wenger_tables_test
