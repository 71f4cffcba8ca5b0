#include "formula/parser.hpp"

#include <algorithm>

#include "system/grammar.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

struct GraphAlgebra {
  using Value = int;
  static constexpr const char* words = "a name";
  std::string_view text;
  Graph& graph;
  const NameLookup& names;
  const FormulaTables& tables;

  int table(std::string_view word) const {
    const auto found = tables.find(std::string(word));
    return found == tables.end() ? -1 : found->second;
  }
  int number(quad x, std::size_t at) const {
    if (!math::finite(static_cast<double>(x)))
      refuse(at, "a number of " + to_text(x), "a finite number below 1.8e308 in size");
    return guarded(at, [&] { return graph.constant(x); });
  }

  int apply(Operation operation, int a, int b, std::size_t at) const {
    if (operation == Operation::divide && graph.is(b, 0)) refuse(at, "a division by zero", "a divisor other than zero");
    const int n = guarded(at, [&] { return graph.apply(operation, a, b); });
    // A constant that cannot be folded is none.
    if (graph.is_constant(a) && graph.is_constant(b) && !graph.is_constant(n))
      refuse(at, "a constant part that is " + to_text(extremal::apply(operation, graph.value(a), graph.value(b))),
             "a finite number below 1.8e308 in size");
    return n;
  }

  int name(std::string_view word, bool rate, std::size_t at) const {
    try {
      return guarded(at, [&] { return names(word, rate); });
    } catch (const NameRefusal& refusal) {
      throw FormulaError(text, at, refusal.reason);
    }
  }

  [[noreturn]] void refuse(std::size_t at, const std::string& found, const std::string& expected) const {
    throw FormulaError(text, at, "found " + found + "; expected " + expected);
  }

 private:
  template <class Make>
  int guarded(std::size_t at, Make make) const {
    try {
      return make();
    } catch (const Graph::Full& full) {
      refuse(at, "more than " + std::to_string(full.limit) + " operations", "less; try several terms");
    }
  }
};

}  // namespace

FormulaError::FormulaError(std::string_view formula, std::size_t where, const std::string& why)
    : InputError("formula " + quoted(formula) + ": column " + std::to_string(where + 1) + ": " + why),
      text(formula),
      column(where + 1),
      reason(why) {}

void check_length(std::string_view text) {
  if (text.size() > formula_text_limit)
    throw FormulaError(text, 0,
                       "found " + std::to_string(text.size()) + " characters; expected at most " +
                           std::to_string(formula_text_limit) + "; try several terms");
}

int parse(std::string_view text, Graph& graph, const NameLookup& names, const FormulaTables& tables) {
  check_length(text);
  GraphAlgebra algebra{text, graph, names, tables};
  return Grammar(text, algebra).value();
}

bool is_formula_name(std::string_view name) {
  return !name.empty() && lexical::is_letter(name[0]) && std::all_of(name.begin(), name.end(), lexical::is_word) &&
         !named_function(name) && !is_condition_word(name) && name != "pi" && name != "t";
}

}  // namespace extremal
