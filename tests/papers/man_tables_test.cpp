// Table 3 of [Man2020], the order of its eight algorithms with m control points, and the energy errors behind its
// figures 2, 3, 5 and 6, on the spring pendulum and the triple pendulum.
//
// Table 3 for m = 2..7 and the energy errors for m = 2..6 run always; --full adds m = 8, 9 and m = 7.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "full.hpp"
#include "reference_data.hpp"
#include "validation.hpp"

namespace extremal::papers {
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
  Scheme scheme(int m) const { return Scheme::named("man(" + letters + ", " + std::to_string(m) + ")"); }
};

std::vector<Algorithm> algorithms(const Group& group) {
  std::vector<Algorithm> all;
  for (const auto& row : reference_rows("man-orders.csv"))
    if (row.at(0) == group.model && std::stoi(row.at(2)) == group.m)
      all.push_back({row.at(1), std::stoi(row.at(3)), {{100, row.at(4)}, {200, row.at(5)}, {400, row.at(6)}}});
  return all;
}

struct EndErrors {
  double q, p, energy;  // energy: the largest |H - H0| / |H0| over all nodes
};

template <class S>
EndErrors end_errors(const Model& m, const Scheme& scheme, int steps, const Json& exact) {
  const auto run =
      extremal::run<S>(m.system, scheme, m.start, {.step = "10/" + std::to_string(steps), .until = 10, .every = steps});
  if (run.status != Status::complete) throw std::runtime_error(run.summary());
  std::vector<S> q, p;
  for (const auto& name : m.system.coordinate_names()) {
    q.push_back(run.column(name).back());
    p.push_back(run.column("p:" + name).back());
  }
  return {distance(q, quads(exact["q"])), distance(p, quads(exact["p"])),
          magnitude(run.energy_max_error / run.energy_initial)};
}

class ManOrders : public testing::TestWithParam<Group> {};

TEST_P(ManOrders, AreThoseOfTable3) {
  const Group& group = GetParam();
  if (group.m >= 8) {
    EXTREMAL_FULL_ONLY("m = 8 and 9 of table 3");
  }
  const Model m = model(group.model);
  Json exact;
  for (const Json& state : reference_data("end-states.json", "states"))
    if (state["model"] == group.model) exact = state;

  ASSERT_EQ(algorithms(group).size(), 8U);
  std::map<std::string, double> slopes;  // by letters, from the finest pair of steps
  for (const Algorithm& algorithm : algorithms(group)) {
    SCOPED_TRACE(algorithm.letters);
    const Scheme scheme = algorithm.scheme(group.m);
    EXPECT_EQ(scheme.declared.order, (Order{algorithm.order, algorithm.order, algorithm.order}));
    // High orders are asymptotic late and meet the floor of quad precision, and of the exact state, early.
    const std::array<int, 3> counts = algorithm.order > 14    ? std::array{140, 170, 200}
                                      : algorithm.order == 14 ? std::array{140, 200, 280}
                                                              : std::array{100, 200, 400};
    const auto measure = algorithm.order <= 6 ? end_errors<long double> : end_errors<quad>;
    EndErrors coarse{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      SCOPED_TRACE(std::to_string(counts[i]) + " steps");
      const EndErrors fine = measure(m, scheme, counts[i], exact);
      if (i > 0) {
        const double refinement = std::log(static_cast<double>(counts[i]) / counts[i - 1]);
        const double slope = slopes[algorithm.letters] = std::log(coarse.q / fine.q) / refinement;
        EXPECT_NEAR(slope, algorithm.order, 0.25);
        EXPECT_NEAR(std::log(coarse.p / fine.p) / refinement, algorithm.order, 0.25);
      }
      const auto known = algorithm.energy_errors.find(counts[i]);
      if (known != algorithm.energy_errors.end() && known->second != "-") {
        const double expected = std::stod(known->second);
        EXPECT_NEAR(fine.energy, expected, 1.01 * half_unit(expected, 3));
      }
      coarse = fine;
    }
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

template <class S>
double energy_error(const Model& m, const Scheme& scheme) {
  const auto run = extremal::run<S>(m.system, scheme, m.start, {.step = "0.1", .until = 400, .every = 4000});
  if (run.status != Status::complete) throw std::runtime_error(run.summary());
  return magnitude(run.energy_max_error / run.energy_initial);
}

// |e_H| on [0, 400] with the step 0.1.
TEST_P(ManEnergy, HasItsBound) {
  const Group& group = GetParam();
  if (group.m >= 7) {
    EXTREMAL_FULL_ONLY("energy errors with m = 7");
  }
  const Model m = model(group.model);
  int compared = 0;
  std::map<std::string, double> errors;
  for (const auto& row : reference_rows("man-energy.csv")) {
    if (row.at(0) != group.model || std::stoi(row.at(2)) != group.m) continue;
    SCOPED_TRACE(row.at(1));
    const double expected = std::stod(row.at(3));
    const Scheme scheme = Scheme::named("man(" + row.at(1) + ", " + row.at(2) + ")");
    const double found = expected > 1e-13 ? energy_error<long double>(m, scheme) : energy_error<quad>(m, scheme);
    EXPECT_NEAR(found, expected, 1.01 * half_unit(expected, row.at(5) == "quad" ? 5 : 4));
    errors[row.at(1)] = found;
    ++compared;
  }
  EXPECT_GE(compared, 4);
  std::string line = fmt::format("| {} | {} |", group.model, group.m);
  for (const char* letters : {"LLL", "LGL", "LLG", "LGG"}) line += fmt::format(" {:.3e} |", errors.at(letters));
  record("man-energy", line);
}
INSTANTIATE_TEST_SUITE_P(, ManEnergy, testing::ValuesIn(groups(2, 6)), group_name);
INSTANTIATE_TEST_SUITE_P(High, ManEnergy, testing::Values(Group{"spring-pendulum", 7}), group_name);

}  // namespace
}  // namespace extremal::papers
