// Scope: what the names in the numbers and texts of a model file mean – its parameters, and i in a repeated part.
//
//   [parameters]                        [[body]]
//   n = 1000                            repeat = "n"                  # i = 1, ..., n; [2, "n"] for i = 2, ..., n
//   l = "1/n"                           name = "bar {i}"              # "bar 1", "bar 2", ...
//   g = 9.81                            position = ["(i - 1/2)*l", 0]
//
// Numbers are numbers of TOML, with all the digits that are written, or formulas; what is wrong with either is refused
// with its place in the file.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "extremal/models.hpp"
#include "file/document.hpp"
#include "formula/formulas.hpp"

namespace extremal {

// Of one file, however it was made.
struct ModelLimits {
  int parameters = 10000;
  int parts = 200000;                  // with all repetitions
  std::size_t evaluated = 64'000'000;  // bytes of numbers and names, with all repetitions
  FormulaLimits formulas = {};
};

struct Repetition {
  bool given = false;
  int first = 1, last = 1;
};

// A text in which {...} has been replaced; byte k stood at origin[k].
struct Expanded {
  std::string text;
  std::vector<std::size_t> origin;
};

class Scope {
 public:
  using Value = Document::Value;
  Scope(const Document& document, const ModelLimits& limits) : document_(document), limits_(limits) {}

  // The table [parameters]; `settings` go before what it says.
  void parameters(const Value& table, const Settings& settings);
  const std::vector<Formulas::Definition>& definitions() const { return definitions_; }
  // Those of them that a number or a function of time has needed since, and those that they are computed from; the
  // others are for formulas alone.
  std::vector<Formulas::Definition> used_definitions() const;
  std::vector<Formulas::Definition> unused_definitions() const;
  // [definitions]: names for parts of formulas.
  void named_formulas(std::vector<Formulas::Definition> list) { named_formulas_ = std::move(list); }
  const std::vector<Formulas::Definition>& named_formulas() const { return named_formulas_; }
  // Functions by points, for all formulas.
  void tables(FormulaTables tables);
  const FormulaTables& tables() const { return tables_; }
  // The list `inputs` of the file, or null: parameters that a program sets between steps. Numbers of parts may not
  // depend on them, formulas may.
  void inputs(const Value* list);
  // Whether a formula depends on one of them.
  bool uses_inputs(const std::string& formula) const;
  // Of a definition, at the present values.
  Number number_of(const Formulas::Definition& definition) const;

  const Document& document() const { return document_; }
  const ModelLimits& limits() const { return limits_; }
  [[noreturn]] void refuse(const Value& at, const std::string& reason) const { document_.refuse(at.place, reason); }

  // i of the part that is read next.
  struct Index {
    bool given = false;
    int i = 0;
  };
  Index index() const { return {indexed_, i_}; }
  void index(Index index) { index.given ? this->index(index.i) : no_index(); }
  void index(int i);
  void no_index();
  Repetition repeat(const Value* value);  // null: none
  // s, the arc length of the node of a rod that is placed next; `at` is the rod.
  void arc(const Value& at, quad s);
  void no_arc() { values_.erase("s"); }

  quad value(const Value& value);
  Number number(const Value& value);
  int integer(const Value& value, int least, int most);
  std::vector<Number> numbers(const Value& value);  // a list, or one
  std::string text(const Value& value);
  TimeFunction time_function(const Value& value);
  // Formulas of t: a list, or one.
  std::vector<TimeFunction> time_functions(const Value& value);
  // {...} replaced; with `bare` also the word i, as a formula has it.
  Expanded expanded(const Value& text, bool bare = false);
  // So many parts at once.
  void charge(int parts);

  // What is wrong inside of a formula is refused with its place in the file; origin as in Expanded, if it is one.
  template <class Action>
  auto located(const Value& value, const std::vector<std::size_t>& origin, Action action) const {
    try {
      return action();
    } catch (const FormulaError& error) {
      refuse_formula(value, origin, error);
    }
  }

 private:
  struct Quads;
  struct Computed {
    quad value;
    bool named;  // whether it needed a name
  };
  Computed compute(const std::string& text);
  quad whole(const std::string& text);
  [[noreturn]] void refuse_formula(const Value& value, const std::vector<std::size_t>& origin,
                                   const FormulaError& error) const;
  void spend(std::size_t bytes);

  const Document& document_;
  ModelLimits limits_;
  int parts_ = 0;
  std::size_t evaluated_ = 0;
  struct Known {
    quad value;
    mutable bool used = false;
  };
  std::unordered_set<std::string> used_names() const;

  std::vector<Formulas::Definition> definitions_, named_formulas_;
  FormulaTables tables_;
  std::unordered_map<std::string, Known> values_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> varied_;  // the inputs, and parameters that depend on them
  bool indexed_ = false;
  int i_ = 0;
  System times_{"time functions"};
  Formulas formulas_{times_, limits_.formulas};
};

}  // namespace extremal
