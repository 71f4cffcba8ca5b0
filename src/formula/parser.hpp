// The text of a formula becomes nodes of a Graph.
//
//   Graph g;
//   const int f = parse("m/2*(x'^2 + y'^2)", g, names);
//
// The grammar is that of Number (system/grammar.hpp) with names; `names` says what they mean.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "extremal/error.hpp"
#include "formula/graph.hpp"

namespace extremal {

// What is wrong with a formula and where: whoever knows the file and line can add them.
class FormulaError : public InputError {
 public:
  // `where` is the byte from 0, `why` *found; expected; try*.
  FormulaError(std::string_view formula, std::size_t where, const std::string& why);
  std::string text;    // the formula
  std::size_t column;  // from 1
  std::string reason;
};

// A node for a name, with or without "'"; throws NameRefusal if it has no meaning here.
using NameLookup = std::function<int(std::string_view name, bool rate)>;
struct NameRefusal {
  std::string reason;
};

// Longer texts are refused before they are read.
inline constexpr std::size_t formula_text_limit = 100000;
void check_length(std::string_view text);

// Functions by points, by their names: handles (system/table.hpp).
using FormulaTables = std::unordered_map<std::string, int>;

int parse(std::string_view text, Graph& graph, const NameLookup& names, const FormulaTables& tables = {});

// Whether a formula could use this as a name: not a function, pi or t, and spelled as names are.
bool is_formula_name(std::string_view name);

}  // namespace extremal
