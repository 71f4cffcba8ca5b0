#include "scheme/nearest_root.hpp"

#include "algebra/lu.hpp"

namespace extremal {

std::vector<quad> nearest_root(std::vector<quad> x,
                               const std::function<std::vector<quad>(const std::vector<quad>&)>& defects) {
  const quad small = math::sqrt(Scalar<quad>::epsilon);
  for (int iteration = 0; iteration < 5; ++iteration) {
    const std::vector<quad> r = defects(x);
    std::vector<std::vector<quad>> columns;
    for (quad& unknown : x) {
      const quad kept = unknown;
      unknown += small;
      std::vector<quad> column = defects(x);
      for (std::size_t i = 0; i < r.size(); ++i) column[i] = (column[i] - r[i]) / (unknown - kept);
      columns.push_back(std::move(column));
      unknown = kept;
    }
    Lu<quad> normal(static_cast<int>(r.size()));
    for (std::size_t i = 0; i < r.size(); ++i)
      for (std::size_t j = 0; j < r.size(); ++j)
        for (const auto& column : columns) normal.row(static_cast<int>(i))[j] += column[i] * column[j];
    normal.factor();
    std::vector<quad> multipliers = r;
    normal.solve(multipliers.data());
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t i = 0; i < r.size(); ++i) x[k] -= columns[k][i] * multipliers[i];
  }
  return x;
}

}  // namespace extremal
