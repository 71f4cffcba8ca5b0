// RowKeeper: the rows of one run of a sweep, rounded to double, where its block wants them.
#pragma once

#include <algorithm>
#include <limits>

#include "extremal/error.hpp"
#include "sweep/block.hpp"

namespace extremal::sweep {

inline constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

template <class S>
class RowKeeper : public RowSink<S> {
 public:
  RowKeeper(const Sweep& sweep, double* to) : sweep_(sweep), to_(to) {}

  void begin(const Run<S>&, const std::vector<ColumnInfo>& columns) override {
    if (columns != sweep_.all_columns())
      throw InputError("sweep: found a run with other coordinates or constraints; expected the same in all runs");
  }
  void row(const std::vector<S>& values) override {
    const std::size_t width = sweep_.columns().size();
    if (!sweep_.only_end() && count_ >= sweep_.rows()) throw InputError("sweep: found more rows than other runs have");
    double* to = sweep_.only_end() ? to_ : to_ + count_ * width;
    for (std::size_t c = 0; c < width; ++c) to[c] = static_cast<double>(values[sweep_.kept()[c]]);
    ++count_;
  }
  std::size_t count() const { return count_; }

 private:
  const Sweep& sweep_;
  double* to_;
  std::size_t count_ = 0;
};

// What is written of a run that there is not: its fields, and nothing from `rows` on.
inline void mark_refused(double* fields, double* rows, double* end) {
  fields[status] = static_cast<double>(Outcome::refused);
  for (const Field f : {row_count, steps, newton_max, fallbacks, retries, singular}) fields[f] = 0;
  std::fill(rows, end, nothing);
}

}  // namespace extremal::sweep
