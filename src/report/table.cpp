#include "report/table.hpp"
#include "numbers/with_scalar.hpp"

#include <algorithm>

namespace extremal::report {
namespace {

template <class S>
std::vector<double> changes(const Archive& archive, const std::string& name, const std::string& less) {
  std::vector<S> values = archive.exact<S>(name);
  if (!less.empty()) {
    const std::vector<S> others = archive.exact<S>(less);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= others[i];
  }
  std::vector<double> all;
  all.reserve(values.size());
  for (const S& x : values) all.push_back(static_cast<double>(x - values.front()));
  return all;
}

}  // namespace

Table::Table(const Archive& archive) : archive_(archive), t_(archive.column("t")) {
  backwards_ = !t_.empty() && t_.back() < t_.front();
  if (backwards_) std::reverse(t_.begin(), t_.end());
}

bool Table::has(const std::string& column) const {
  const auto& all = archive_.columns();
  return std::any_of(all.begin(), all.end(), [&](const ColumnInfo& info) { return info.name == column; });
}

std::vector<std::string> Table::names(const std::string& variable) const {
  std::vector<std::string> found;
  for (const ColumnInfo& info : archive_.columns())
    if (info.variable == variable) found.push_back(info.name);
  return found;
}

std::vector<double> Table::column(const std::string& name) const {
  std::vector<double> values = archive_.column(name);
  if (backwards_) std::reverse(values.begin(), values.end());
  return values;
}

std::vector<double> Table::change(const std::string& name) const { return change(name, ""); }

std::vector<double> Table::change(const std::string& name, const std::string& less) const {
  std::vector<double> values =
      with_scalar(archive_.attribute("precision"), [&]<class S>(S) { return changes<S>(archive_, name, less); });
  if (backwards_) std::reverse(values.begin(), values.end());
  return values;
}

std::vector<double> Table::block(const std::string& variable, std::size_t first, std::size_t count) const {
  if (!backwards_) return archive_.block(variable, first, count);
  std::vector<double> values = archive_.block(variable, rows() - first - count, count);
  const std::size_t width = count == 0 ? 0 : values.size() / count;
  for (std::size_t r = 0; 2 * r + 1 < count; ++r)
    std::swap_ranges(values.begin() + static_cast<std::ptrdiff_t>(r * width),
                     values.begin() + static_cast<std::ptrdiff_t>((r + 1) * width),
                     values.begin() + static_cast<std::ptrdiff_t>((count - 1 - r) * width));
  return values;
}

}  // namespace extremal::report
