// MassInverse: M^-1 of a constant mass matrix whose coordinates hang together in small groups, as those of a body do.
#pragma once

#include <optional>
#include <vector>

#include "algebra/pattern.hpp"

namespace extremal {

class MassInverse {
 public:
  // By the entries of M at `coupling`. Nothing where a group is large or M singular.
  static std::optional<MassInverse> make(const Pattern& coupling, const double* mass);

  const Pattern& pattern() const { return pattern_; }
  const double* values() const { return values_.data(); }
  // y += f M^-1 x.
  void add(const double* x, double f, double* y) const {
    if (diagonal_)
      for (std::size_t i = 0; i < values_.size(); ++i) y[i] += f * values_[i] * x[i];
    else
      add_product(pattern_, values_.data(), x, f, y);
  }

 private:
  Pattern pattern_;
  std::vector<double> values_;
  bool diagonal_ = false;
};

}  // namespace extremal
