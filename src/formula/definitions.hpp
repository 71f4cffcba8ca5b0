// Definitions that use each other, in the order in which they can be computed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace extremal {

// The names that a formula uses, sorted, without repetitions; FormulaError if it is none.
std::vector<std::string> names_in(const std::string& formula);

// The indices of the definitions (name, formula), each after those it uses, otherwise as given. InputError if two have
// the same name or some need each other in a circle; names that none of them defines are left for the reader.
std::vector<int> definition_order(const std::string& where,
                                  const std::vector<std::pair<std::string, std::string>>& definitions);

}  // namespace extremal
