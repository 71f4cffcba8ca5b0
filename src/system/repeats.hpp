// Repeat: rows of a table that repeat themselves.
//
// The bodies of a mechanism are mostly alike: what is known of the rows of one is what is known of the rows of the
// next, with all indices shifted. A table that is kept once per run stays in the cache while thousands of bodies pass.
#pragma once

#include <limits>
#include <optional>
#include <vector>

namespace extremal {

// Rows first, first + 1, ... first + period * count - 1: row + period is row with its columns shifted by step.
struct Repeat {
  int first, period, count, step;
};

// shift(i, j): by what the columns of row j are shifted against those of row i if the rows are alike otherwise; nothing
// if they are not. Rows without columns are alike at any shift: `anywhere`.
inline constexpr int anywhere = std::numeric_limits<int>::min();
template <class Shift>
std::vector<Repeat> find_repeats(int rows, Shift shift) {
  constexpr int longest = 64, least = 4;
  std::vector<Repeat> runs;
  // How often the rows from `first` repeat with this period.
  const auto repeated = [&](int first, int period) {
    Repeat run{first, period, 1, anywhere};
    for (int i = first; i + period < rows; ++i) {
      const std::optional<int> step = shift(i, i + period);
      if (!step || (*step != anywhere && run.step != anywhere && *step != run.step)) break;
      if (*step != anywhere) run.step = *step;
      run.count = (i + 1 - first) / period + 1;
    }
    if (run.step == anywhere) run.step = 0;
    return run;
  };
  bool open = false;  // the last run is one of rows that do not repeat
  for (int first = 0; first < rows;) {
    Repeat best{first, 1, 1, 0};
    for (int period = 1; period <= longest && first + period < rows; ++period)
      if (const Repeat run = repeated(first, period);
          run.count >= least && run.count * period > best.count * best.period)
        best = run;
    const bool single = best.count == 1;
    if (single && open && runs.back().period < longest)
      ++runs.back().period;
    else
      runs.push_back(best);
    open = single;
    first += best.period * best.count;
  }
  return runs;
}

}  // namespace extremal
