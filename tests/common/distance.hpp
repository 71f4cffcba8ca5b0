// Distances between computed and reference vectors, as doubles that a message can show.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal::papers {

template <class S>
double magnitude(S x) {
  return static_cast<double>(math::abs(x));
}

// The largest difference of two entries; infinite if the lengths differ or anything is not a number, so that no
// comparison can pass by accident.
template <class S, class R>
double distance(const std::vector<S>& x, const std::vector<R>& y) {
  if (x.size() != y.size() || x.empty()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = magnitude(static_cast<quad>(x[i]) - static_cast<quad>(y[i]));
    if (!std::isfinite(d)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, d);
  }
  return worst;
}

template <class S>
double size(const std::vector<S>& x) {
  double largest = 0;
  for (const S& xi : x) largest = std::max(largest, magnitude(xi));
  return largest;
}

// x / reference - 1: figures that are published with d digits agree if it is below half a unit of the last one.
inline double relative_error(double x, double reference) { return std::fabs(x / reference - 1); }

// Half a unit in the last of `digits` significant digits of `figure`.
inline double half_unit(double figure, int digits) {
  return 0.5 * std::pow(10.0, std::floor(std::log10(std::fabs(figure))) + 1 - digits);
}

// For names of test cases: letters, digits and single underscores.
inline std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

}  // namespace extremal::papers
