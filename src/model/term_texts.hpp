// TermTexts: terms of a system as tables of a model file, functions of C++ among them as formulas.
#pragma once

#include <string>
#include <vector>

#include "extremal/system.hpp"
#include "formula/formula_term.hpp"

namespace extremal {

class TermTexts {
 public:
  explicit TermTexts(const System& system);

  // The terms from `first` on. InputError, with the name of the term, if one cannot be written.
  void add_terms(std::size_t first);
  // A term of one value, in the coordinates of the system and of its joints: what is looked at, a rate.
  std::string formula(const Term& term);

  const std::string& tables() const { return tables_; }
  // What the formulas need besides, as [definitions] and [tables]; empty if they need nothing.
  std::string needs() const;

 private:
  void add(const Term& term);
  FormulaText written(const Term& term, const std::vector<std::string>& names);
  std::string table_name(int handle);
  void define(const FormulaText& text);

  const System& system_;
  std::vector<std::string> watched_;  // names of coordinates that formulas may look at
  std::string tables_, definitions_;
  std::vector<int> functions_;  // by points: handles (system/table.hpp)
  std::size_t texts_ = 0;
};

}  // namespace extremal
