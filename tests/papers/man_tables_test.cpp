// Table 3 of [Man2020], the order of its eight algorithms with m control points, and the energy errors behind its
// figures 2, 3, 5 and 6, on the spring pendulum and the triple pendulum.
//
// The measurement is that of `extremal study table man` (src/study/man_table.cpp), here against exact states that were
// computed independently. Table 3 for m = 2..7 and the energy errors for m = 2..6 run always; --full adds m = 8, 9 and
// m = 7.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "distance.hpp"
#include "full.hpp"
#include "reference_data.hpp"
#include "study/tables.hpp"
#include "validation.hpp"

namespace extremal::papers::man_tables_test {
namespace {

struct Group {
  std::string model;
  int m;
};
void PrintTo(const Group& group, std::ostream* out) { *out << group.model << ", m = " << group.m; }

struct Algorithm {
  std::string letters;
  int order;
  std::map<int, std::string> energy_errors;  // by the number of steps; "-": not known
};

std::vector<Algorithm> algorithms(const Group& group) {
  std::vector<Algorithm> all;
  for (const auto& row : reference_rows("man-orders.csv"))
    if (row.at(0) == group.model && std::stoi(row.at(2)) == group.m)
      all.push_back({row.at(1), std::stoi(row.at(3)), {{100, row.at(4)}, {200, row.at(5)}, {400, row.at(6)}}});
  return all;
}

State<quad> exact_state(const std::string& model) {
  for (const Json& state : reference_data("end-states.json", "states"))
    if (state["model"] == model) return {quad(10), quads(state["q"]), quads(state["p"])};
  throw std::runtime_error(model + ": no exact state in the file");
}

TEST(ManTables, ProgramHasTheExactStates) {
  for (const char* model : {"spring-pendulum", "triple-pendulum"}) {
    const State<quad> ours = study::man_exact(model), exact = exact_state(model);
    EXPECT_LT(distance(ours.q, exact.q), 1e-28) << model;
    EXPECT_LT(distance(ours.p, exact.p), 1e-28) << model;
  }
}

const study::ManMeasured& measured(const std::vector<study::ManMeasured>& all, const std::string& letters) {
  for (const auto& m : all)
    if (m.letters == letters) return m;
  throw std::runtime_error(letters + ": not measured");
}

// "LLG and LGG have higher precision while taking less computational time" than constrained Lobatto IIIA-IIIB [Man2020,
// section 4.2]: at the same step the energy error is smaller, the error of q is not.
TEST(ManClaim, HoldsForTheEnergyOnly) {
  const Model m = model("spring-pendulum");
  const State<quad> exact = exact_state("spring-pendulum");
  struct Errors {
    double q, energy;
  };
  const auto errors = [&](const std::string& scheme) {
    const auto all = run<quad>(m.system, scheme, m.start, {.step = "0.1", .until = 10});
    std::vector<quad> q;
    for (const std::string& name : m.system.coordinate_names()) q.push_back(all.column(name).back());
    return Errors{distance(q, exact.q), static_cast<double>(all.energy_max_error)};
  };
  const Errors lobatto = errors("lobatto(5)");
  for (const char* letters : {"LLG", "LGG"}) {
    const Errors man = errors(std::string("man(") + letters + ", 5)");
    EXPECT_GT(man.q, 1.2 * lobatto.q) << letters;
    EXPECT_LT(man.energy, 0.8 * lobatto.energy) << letters;
  }
}

class ManOrders : public testing::TestWithParam<Group> {};

TEST_P(ManOrders, AreThoseOfTable3) {
  const Group& group = GetParam();
  if (group.m >= 8) {
    EXTREMAL_FULL_ONLY("m = 8 and 9 of table 3");
  }
  ASSERT_EQ(algorithms(group).size(), 8U);
  const auto all = study::man_orders(group.model, group.m, exact_state(group.model));
  std::map<std::string, double> slopes;  // by letters, from the finest pair of steps
  for (const Algorithm& algorithm : algorithms(group)) {
    SCOPED_TRACE(algorithm.letters);
    const study::ManMeasured& found = measured(all, algorithm.letters);
    EXPECT_EQ(found.scheme.declared.order, (Order{algorithm.order, algorithm.order, algorithm.order}));
    ASSERT_EQ(found.steps.size(), 3U);
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
      SCOPED_TRACE(std::to_string(found.steps[i]) + " steps");
      if (i > 0) {
        const study::ManErrors slope = found.slope(i - 1);
        slopes[algorithm.letters] = slope.q;
        EXPECT_NEAR(slope.q, algorithm.order, 0.25);
        EXPECT_NEAR(slope.p, algorithm.order, 0.25);
      }
      const auto known = algorithm.energy_errors.find(found.steps[i]);
      if (known != algorithm.energy_errors.end() && known->second != "-") {
        const double expected = std::stod(known->second);
        EXPECT_NEAR(found.errors[i].energy, expected, 1.01 * half_unit(expected, 3));
      }
    }
    EXPECT_LE(found.deviation(), 0.25);
  }
  std::string row = fmt::format("| {} | {} |", group.model, group.m);
  for (const char* letters : {"ELL", "EGL", "ELG", "EGG", "LLL", "LGL", "LLG", "LGG"})
    row += fmt::format(" {:.2f} |", slopes.at(letters));
  record("man-orders", row);
}

std::vector<Group> groups(int first, int last) {
  std::vector<Group> all;
  for (const char* model : {"spring-pendulum", "triple-pendulum"})
    for (int m = first; m <= last; ++m) all.push_back({model, m});
  return all;
}
std::string group_name(const testing::TestParamInfo<Group>& info) {
  return identifier(info.param.model + " m " + std::to_string(info.param.m));
}
INSTANTIATE_TEST_SUITE_P(, ManOrders, testing::ValuesIn(groups(2, 9)), group_name);

class ManEnergy : public testing::TestWithParam<Group> {};

// |e_H| on [0, 400] with the step 0.1.
TEST_P(ManEnergy, HasItsBound) {
  const Group& group = GetParam();
  if (group.m >= 7) {
    EXTREMAL_FULL_ONLY("energy errors with m = 7");
  }
  int compared = 0;
  std::map<std::string, double> errors;
  for (const auto& row : reference_rows("man-energy.csv")) {
    if (row.at(0) != group.model || std::stoi(row.at(2)) != group.m) continue;
    SCOPED_TRACE(row.at(1));
    const double expected = std::stod(row.at(3));
    const double found = study::man_energy(group.model, row.at(1), group.m);
    EXPECT_NEAR(found, expected, 1.01 * half_unit(expected, row.at(5) == "quad" ? 5 : 4));
    errors[row.at(1)] = found;
    ++compared;
  }
  EXPECT_GE(compared, 4);
  EXPECT_LT(errors.at("LGG"), errors.at("LLL"));  // "always better" [Man2020, section 4.2]
  std::string line = fmt::format("| {} | {} |", group.model, group.m);
  for (const char* letters : {"LLL", "LGL", "LLG", "LGG"}) line += fmt::format(" {:.3e} |", errors.at(letters));
  record("man-energy", line);
}
INSTANTIATE_TEST_SUITE_P(, ManEnergy, testing::ValuesIn(groups(2, 6)), group_name);
INSTANTIATE_TEST_SUITE_P(High, ManEnergy, testing::Values(Group{"spring-pendulum", 7}), group_name);

}  // namespace
}  // namespace extremal::papers::man_tables_test
