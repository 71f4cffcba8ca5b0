// The order tables of two papers, measured: what `extremal study table` prints and tests/papers hold to the figures.
//
//   for (const WengerRow& row : wenger_rows())
//     for (const WengerMeasured& cell : measure(row)) cell.slopes();
#pragma once

#include <array>
#include <string>
#include <vector>

#include "extremal/study.hpp"

namespace extremal::study {

// Tables 1 and 2 of [Wenger2017]: the degree s of q_d, the degree w of lambda_d, r points in the rule of the
// Lagrangian, w + 1 Lobatto points in that of the constraints.
struct WengerCell {
  std::string rule;  // gauss (table 1), lobatto (table 2)
  int w = 0, s = 0, r = 0;
  Scheme variational() const;  // the paper's: p and lambda from the discrete Legendre transform
  Scheme projected() const;    // the same q; p projected, lambda by [Wenger2017, eq. 70]
};
// All 132 with s <= 6.
std::vector<WengerCell> wenger_cells();

// The cells of one w and one rule, on one model.
struct WengerRow {
  std::string model, rule;
  int w = 0;
};
// All four models: the paper's two pendulums, and two whose Lagrangian tests the rule of L.
std::vector<WengerRow> wenger_rows();

using FiveErrors = std::array<double, 5>;  // q, p, lambda, projected p, projected lambda
inline constexpr std::array<const char*, 5> five_names{"q", "p", "lambda", "projected p", "projected lambda"};

struct WengerMeasured {
  WengerCell cell;
  std::string precision;
  std::array<int, 5> declared;  // lambda 0: 'd', the error does not decrease
  std::vector<int> steps;
  std::vector<FiveErrors> errors;  // largest over the nodes
  // By how many units of round-off the positions of both closures differ: projection is a gauge.
  std::vector<double> gauge;
  // Between consecutive numbers of steps; the last is the finest.
  std::vector<FiveErrors> slopes() const;
  double deviation() const;  // the largest of any slope from the table's integer
};
std::vector<WengerMeasured> measure(const WengerRow& row, const Control& control = {});

// Table 3 of [Man2020]: eight algorithms with m points, errors at t = 10.
struct ManErrors {
  double q = 0, p = 0, energy = 0;  // largest entry; energy: the largest |H - H0| / |H0| over all nodes
};
struct ManMeasured {
  std::string letters;
  int m = 0;
  Scheme scheme;
  std::vector<int> steps;
  std::vector<ManErrors> errors;
  ManErrors slope(std::size_t i) const;  // between steps i and i + 1; energy is left out
  double deviation() const;              // the largest of q and p from the declared order
};
inline constexpr std::array<const char*, 8> man_letters{"ELL", "EGL", "ELG", "EGG", "LLL", "LGL", "LLG", "LGG"};
// The state at t = 10 by a member of order 24.
State<quad> man_exact(const std::string& model);
std::vector<ManMeasured> man_orders(const std::string& model, int m, const State<quad>& exact,
                                    const Control& control = {});
// Figures 2, 3, 5 and 6: the largest |H - H0| / |H0| on [0, 400] with the step 0.1.
double man_energy(const std::string& model, const std::string& letters, int m, const Control& control = {});

}  // namespace extremal::study
