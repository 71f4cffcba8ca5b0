// Arrays as the report page takes them, and thinning that hides no peak (report/README.md).
#pragma once

#include <string>
#include <vector>

#include "words/json.hpp"

namespace extremal::report {

// {"f32": "..."}, {"f64": "..."}: little-endian numbers in base64.
Json f32(const std::vector<double>& values);
Json f64(const std::vector<double>& values);

// Buckets of consecutive samples; each keeps two points, its smallest and its largest value in the order in which they
// occurred. The same as `thin` of report/src/thin.js.
struct Buckets {
  static constexpr std::size_t most_samples = 20000, count = 2000;

  explicit Buckets(std::size_t samples, std::size_t most = most_samples, std::size_t buckets = count);
  bool thins() const { return size > 1; }
  std::vector<double> values(const std::vector<double>& column) const;
  std::vector<double> times(const std::vector<double>& t) const;  // of the first and last sample of each

  std::size_t samples, size;  // of all, and of one bucket
};

// The points of a curve that stay, as `thin_curve` of report/src/thin.js has them.
std::vector<std::size_t> thin_curve(const std::vector<double>& x, const std::vector<double>& y, std::size_t buckets);

// A finite number, or null.
Json number(double x);

}  // namespace extremal::report
