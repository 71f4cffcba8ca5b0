#include <algorithm>

#include "extremal/error.hpp"
#include "run/columns.hpp"
#include "words/grammar.hpp"

namespace extremal {

std::vector<std::size_t> chosen_columns(const std::vector<ColumnInfo>& all, const std::vector<std::string>& named) {
  std::vector<bool> kept(all.size(), false);
  kept[0] = true;
  for (const std::string& name : named) {
    bool found = false;
    for (std::size_t c = 0; c < all.size(); ++c) {
      if (all[c].name != name && all[c].variable != name && !all[c].name.starts_with(name + ":")) continue;
      found = kept[c] = true;
    }
    if (found) continue;
    std::vector<std::string> known;
    for (const ColumnInfo& info : all)
      if (std::find(known.begin(), known.end(), info.variable) == known.end()) known.push_back(info.variable);
    throw InputError("columns: " + unknown("column", name, known));
  }
  std::vector<std::size_t> chosen;
  for (std::size_t c = 0; c < all.size(); ++c)
    if (kept[c]) chosen.push_back(c);
  return chosen;
}

}  // namespace extremal
