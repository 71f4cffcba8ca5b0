#include "formula/definitions.hpp"

#include <algorithm>
#include <unordered_map>

#include "extremal/error.hpp"
#include "formula/parser.hpp"
#include "numbers/index.hpp"
#include "system/grammar.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

// Reads without computing.
struct NameAlgebra {
  using Value = char;
  static constexpr const char* words = "a name";
  std::string_view text;
  std::vector<std::string> names = {};

  char number(quad, std::size_t) const { return 0; }
  char apply(Operation, char, char, std::size_t) const { return 0; }
  int table(std::string_view word) {
    names.emplace_back(word);
    return 0;
  }
  char name(std::string_view word, bool, std::size_t) {
    names.emplace_back(word);
    return 0;
  }
  [[noreturn]] void refuse(std::size_t at, const std::string& found, const std::string& expected) const {
    throw FormulaError(text, at, "found " + found + "; expected " + expected);
  }
};

[[noreturn]] void refuse_circle(const std::string& where, const std::vector<std::string>& names) {
  constexpr std::size_t most = 10, longest = 40;
  std::string circle;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    circle.append(one_line(names[k], longest)).append(" -> ");
  if (names.size() > most) circle += "... -> ";
  throw InputError(where + ": " + quoted(names[0]) + " is defined by itself: " + circle + one_line(names[0], longest) +
                   "; expected definitions without a circle");
}

}  // namespace

std::vector<std::string> names_in(const std::string& formula) {
  check_length(formula);
  NameAlgebra algebra{formula};
  Grammar(formula, algebra).value();
  std::sort(algebra.names.begin(), algebra.names.end());
  algebra.names.erase(std::unique(algebra.names.begin(), algebra.names.end()), algebra.names.end());
  return algebra.names;
}

std::vector<int> definition_order(const std::string& where,
                                  const std::vector<std::pair<std::string, std::string>>& definitions) {
  const int count = static_cast<int>(definitions.size());
  std::unordered_map<std::string, int> index;
  for (int k = 0; k < count; ++k)
    if (!index.emplace(definitions[sz(k)].first, k).second)
      throw InputError(where + ": " + quoted(definitions[sz(k)].first) + " is defined twice; expected distinct names");
  std::vector<std::vector<int>> needs(sz(count));
  for (int k = 0; k < count; ++k)
    for (const std::string& name : names_in(definitions[sz(k)].second))
      if (const auto found = index.find(name); found != index.end()) needs[sz(k)].push_back(found->second);

  // Depth first with a stack of its own: a chain may be as long as there are definitions.
  enum class Mark : char { none, open, done };
  std::vector<Mark> marks(sz(count), Mark::none);
  std::vector<int> order;
  struct Visit {
    int k;
    std::size_t next;
  };
  std::vector<Visit> stack;
  for (int root = 0; root < count; ++root) {
    if (marks[sz(root)] != Mark::none) continue;
    stack.push_back({root, 0});
    marks[sz(root)] = Mark::open;
    while (!stack.empty()) {
      const int k = stack.back().k;
      if (stack.back().next == needs[sz(k)].size()) {
        marks[sz(k)] = Mark::done;
        order.push_back(k);
        stack.pop_back();
        continue;
      }
      const int other = needs[sz(k)][stack.back().next++];
      if (marks[sz(other)] == Mark::open) {
        std::vector<std::string> circle;
        const auto begin = std::find_if(stack.begin(), stack.end(), [&](const Visit& v) { return v.k == other; });
        for (auto v = begin; v != stack.end(); ++v) circle.push_back(definitions[sz(v->k)].first);
        refuse_circle(where, circle);
      }
      if (marks[sz(other)] == Mark::none) {
        marks[sz(other)] = Mark::open;
        stack.push_back({other, 0});
      }
    }
  }
  return order;
}

}  // namespace extremal
