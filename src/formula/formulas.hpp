// Formulas: text that becomes terms of a System.
//
//   System s("pendulum");
//   s.coordinates("x", "y");
//   Formulas f(s);
//   f.parameters({{"m", "1"}, {"l", "g/w^2"}, {"w", "2*pi/T"}, {"T", "2"}, {"g", "9.81"}});   // in any order
//   f.add(Role::kinetic, "m/2*(x'^2 + y'^2)");
//   f.add(Role::potential, "m*g*y");
//   f.add(Role::constraint, "rod", {"x^2 + y^2 - l^2"});
//   f.along(Role::force, "damper", {{"x", "-c*x'"}, {"y", "-c*y'"}});
//
// The names in a formula are the system's coordinates, with ' their velocities, t, and the parameters; in a Hamiltonian
// p.x is the momentum of x. Parameters that are computed from others are no parameters of the System: they stand in
// every formula for their own formula, so that they follow System::with of the others. Whatever is wrong throws
// InputError; what is wrong inside of a formula FormulaError with its column. No text, however made, takes much time or
// memory: see FormulaLimits.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "extremal/system.hpp"
#include "extremal/time_function.hpp"
#include "formula/formula_term.hpp"
#include "formula/parser.hpp"

namespace extremal {

struct FormulaLimits {
  int operations = Graph::default_limit;  // of one term with all its derivatives
  int all_operations = 1000000;           // of all formulas together
  int coordinates = 256;                  // of one site of a term
  int rows = 256;                         // of one term
  std::size_t all_text = 4000000;         // bytes of all formulas together
};

// A node of t alone, with its rates.
TimeFunction rates_of(Graph& graph, int f);

class Formulas {
 public:
  // A name and its formula.
  using Definition = std::pair<std::string, std::string>;
  // Of a formula that is applied at many sites: its own names for coordinates, and for each site what they stand for;
  // labels are the names of a constraint's sites, if they have some.
  struct Sites {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> coordinates;
    std::vector<std::string> labels = {};
  };

  // The system must outlive this object and may get coordinates as long as it lives.
  explicit Formulas(System& system, FormulaLimits limits = {});

  // In any order; may be called again, for parameters that use those before. A text without names becomes a parameter
  // of the system, the others follow.
  void parameters(const std::vector<Definition>& definitions) { define(definitions, false); }
  // The same for names that stand for their values: no parameters of the system, where other terms would not follow.
  void constants(const std::vector<Definition>& definitions) { define(definitions, true); }

  // Names for parts of formulas. Wherever one is used it stands for its formula, whose names mean what they mean there:
  // at the sites of a term they are those of the site.
  void definitions(const std::vector<Definition>& definitions);

  // The next term keeps this text.
  void keep(std::shared_ptr<const FormulaText> text) { kept_ = std::move(text); }

  // Functions by points that formulas may use from now on.
  void tables(const FormulaTables& tables) { tables_ = tables; }
  // Terms of no coordinate, as what is only looked at may be, are no mistake from now on.
  void allow_constants() { constants_ = true; }
  // Whether terms that are added from now on are slow.
  void slow(bool slow) { slow_ = slow; }

  // One value: kinetic, potential, lagrangian, hamiltonian. The name is that of the role.
  void add(Role role, const std::string& formula);
  // One row per formula.
  void add(Role role, const std::string& name, const std::vector<std::string>& rows);
  void add(Role role, const std::string& name, const std::vector<std::string>& rows, const Sites& sites);
  // force and symmetry: the entries of some coordinates; all others are zero.
  // `aliases` are other names, for these formulas, of coordinates that have an entry.
  void along(Role role, const std::string& name, const std::vector<Definition>& entries,
             const std::vector<Definition>& aliases = {});

  // Of a formula without coordinates and t, at the present values of the system's parameters.
  quad value(const std::string& formula);
  Number number(const std::string& formula);
  // Of t and of the parameters at their present values: System::with does not reach it.
  TimeFunction time_function(const std::string& formula);

 private:
  struct Local;
  // Of a coordinate among those of the term, which it joins if it may; -1 if it is none.
  int local_number(const std::string& key, Local& local);
  // `copy` copies from computed_.
  int lookup(std::string_view name, bool rate, Graph& graph, Local* local, GraphCopy& copy);
  // Of a definition, which the graph has once.
  int defined(int definition, Graph& graph, Local& local, GraphCopy& copy);
  void refresh_coordinates();
  void define(const std::vector<Definition>& definitions, bool fixed);
  int read(const std::string& text, Graph& graph, Local* local);
  void spend(int operations);
  void check_rows(Role role, const std::string& where, std::size_t rows) const;
  void finish(Role role, const std::string& name, const std::string& text, Graph graph, std::vector<int> rows,
              const Local& local, std::vector<int> sites, std::vector<std::string> labels = {});
  std::vector<std::string> known_names(const Local* local) const;
  std::vector<quad> parameter_values() const;

  System& system_;
  FormulaLimits limits_;
  bool constants_ = false, slow_ = false;
  std::shared_ptr<const FormulaText> kept_;
  FormulaTables tables_;
  int operations_ = 0;
  std::size_t text_ = 0;
  std::unordered_map<std::string, int> coordinates_;  // index into q
  int coordinate_count_ = 0;
  Graph computed_;                                   // what parameters that are computed stand for
  std::unordered_map<std::string, int> parameters_;  // nodes of computed_
  std::vector<std::string> parameter_names_;         // in the order of their definition
  // A definition and those it uses, which stand before it.
  struct Named {
    std::string text;
    std::vector<int> needs;
  };
  std::vector<Named> named_;
  std::unordered_map<std::string, int> named_index_;
};

}  // namespace extremal
