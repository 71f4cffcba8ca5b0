// Table: a function by its points, linear or cubic between them, for formulas.
//
//   const int cam = table_handle({0, 1, 2}, {0, 0.5, 0}, Between::cubic);
//   table_value(x, handle)       the value; handle + k: the k-th derivative, k = 1, 2, 3
//
// Between the points a cubic one is the spline with two continuous derivatives whose third does not jump at the second
// and at the last but one ("not a knot"). Beyond the first and the last point it stays what it is there. A linear one
// may have a point twice, with two values: there it jumps, and has the second.
//
// A formula holds the handle of a table as a constant. Tables are kept as long as the program runs, each once.
#pragma once

#include <vector>

#include "extremal/detail/lanes.hpp"
#include "extremal/scalar.hpp"

namespace extremal {

enum class Between { linear, cubic };

// Derivatives of one table have handles that follow each other.
inline constexpr int table_orders = 4;

// InputError unless there are as many x, which rise, as y, and at least two.
int table_handle(const std::vector<quad>& x, const std::vector<quad>& y, Between between);
// Whether its value jumps or has kinks.
bool table_kinks(int handle);
// What it was made of; for those who write it down.
struct GivenTable {
  const std::vector<quad>&x, &y;
  Between between;
};
GivenTable given_table(int handle);

double table_value(double x, double handle);
long double table_value(long double x, long double handle);
quad table_value(quad x, quad handle);
Lanes table_value(const Lanes& x, const Lanes& handle);

}  // namespace extremal
