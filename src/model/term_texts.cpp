#include "model/term_texts.hpp"

#include <algorithm>
#include <utility>

#include "bodies/joint_coordinates.hpp"
#include "extremal/error.hpp"
#include "formula/follow.hpp"
#include "formula/print.hpp"
#include "numbers/index.hpp"
#include "system/table.hpp"
#include "words/toml.hpp"

namespace extremal {
namespace {

constexpr std::pair<Role, const char*> role_words[] = {
    {Role::kinetic, "kinetic"},         {Role::potential, "potential"},   {Role::lagrangian, "lagrangian"},
    {Role::hamiltonian, "hamiltonian"}, {Role::constraint, "constraint"}, {Role::force, "force"},
    {Role::symmetry, "symmetry"}};

// Of the coordinates of a site; none is the beginning of a parameter's name.
std::string place_name(const System& system) {
  std::string out = "q";
  for (const std::string& parameter : system.parameter_names())
    while (parameter.starts_with(out)) out += "_";
  return out;
}

}  // namespace

TermTexts::TermTexts(const System& system) : system_(system), watched_(system.coordinate_names()) {
  for (const std::string& joint : watched_joints(system)) watched_.push_back(joint);
}

void TermTexts::add_terms(std::size_t first) {
  texts_ = first;
  for (std::size_t k = first; k < system_.terms().size(); ++k) add(*system_.terms()[k]);
}

std::string TermTexts::formula(const Term& term) {
  if (term.row_count != 1 || term.sites.size() != sz(term.coordinates))
    throw InputError(system_.name() + ": found " + toml_text(term.name) + " of several values; expected one");
  std::vector<std::string> names;
  for (const int k : term.sites) names.push_back(formula_name(watched_[sz(k)]));
  const FormulaText text = written(term, names);
  define(text);
  return text.rows.front();
}

std::string TermTexts::needs() const {
  std::string out = definitions_.empty() ? "" : "\n[definitions]\n" + definitions_;
  if (!functions_.empty()) out += "\n[tables]\n";
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const GivenTable table = given_table(functions_[k]);
    std::vector<std::size_t> points(table.x.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = i;
    out += "table" + std::to_string(k + 1) + " = { points = " + toml_list(points, [&](std::size_t i) {
             return "[" + toml_text(to_text(table.x[i])) + ", " + toml_text(to_text(table.y[i])) + "]";
           });
    out += table.between == Between::cubic ? ", between = \"cubic\" }\n" : " }\n";
  }
  return out;
}

std::string TermTexts::table_name(int handle) {
  if (handle % table_orders != 0)
    throw InputError(system_.name() + ": found the derivative of a table; expected the table itself");
  const auto known = std::find(functions_.begin(), functions_.end(), handle);
  const auto number = known - functions_.begin() + 1;
  if (known == functions_.end()) functions_.push_back(handle);
  return "table" + std::to_string(number);
}

FormulaText TermTexts::written(const Term& term, const std::vector<std::string>& names) {
  const std::optional<Followed> found = follow(term);
  if (!found)
    throw InputError(system_.name() + ": term " + toml_text(term.name) +
                     " cannot be written as a formula: its function branches, or it has a class of its own; expected "
                     "a function of q, v, t and parameters");
  const std::size_t number = texts_++;
  int count = 0;
  const auto leaf = [&](const Graph::Node& node) -> std::string {
    if (node.leaf == Graph::Leaf::coordinate) return names[sz(node.a)];
    if (node.leaf == Graph::Leaf::velocity)
      return term.role == Role::hamiltonian ? "p." + names[sz(node.a)] : names[sz(node.a)] + "'";
    return node.leaf == Graph::Leaf::t ? "t" : formula_name(system_.parameter_names()[sz(node.a)]);
  };
  PrintedFormulas text = print(
      found->graph, found->rows, leaf, [&] { return "part" + std::to_string(number) + "." + std::to_string(++count); },
      [&](int handle) { return table_name(handle); });
  return {names, std::move(text.rows), std::move(text.definitions)};
}

void TermTexts::define(const FormulaText& text) {
  for (const auto& [name, formula] : text.definitions)
    definitions_ += toml_text(name) + " = " + toml_text(formula) + "\n";
}

void TermTexts::add(const Term& term) {
  std::vector<std::string> names;
  for (int c = 0; c < term.coordinates; ++c) names.push_back(place_name(system_) + std::to_string(c));
  const auto* known = dynamic_cast<const FormulaTerm*>(&term);
  const bool kept = known != nullptr && known->text != nullptr;
  if (kept) ++texts_;
  const FormulaText text = kept ? *known->text : written(term, names);
  define(text);
  const auto word = std::find_if(std::begin(role_words), std::end(role_words),
                                 [&](const auto& one) { return one.first == term.role; });
  tables_ += std::string("\n[[") + word->second + "]]\n";
  if (term.role == Role::constraint || term.role == Role::force || term.role == Role::symmetry)
    tables_ += "name = " + toml_text(term.name) + "\n";
  if (term.role == Role::force || term.role == Role::symmetry) {
    std::string along;
    for (std::size_t c = 0; c < text.names.size(); ++c)
      along += (c > 0 ? ", " : "") + toml_text(text.names[c]) + " = " + toml_text(text.rows[c]);
    tables_ += "along = { " + along + " }\n";
  } else {
    tables_ +=
        "formula = " + (text.rows.size() > 1 ? toml_list(text.rows, toml_text) : toml_text(text.rows.front())) + "\n";
  }
  std::vector<std::string> sites;
  for (int site = 0; site < term.site_count(); ++site) {
    std::vector<std::string> one;
    for (int c = 0; c < term.coordinates; ++c)
      one.push_back(system_.coordinate_names()[sz(term.sites[sz(site * term.coordinates + c)])]);
    sites.push_back(toml_list(one, toml_text));
  }
  tables_ += "names = " + toml_list(text.names, toml_text) +
             "\nsites = " + toml_list(sites, [](const std::string& site) { return site; }) + "\n";
  if (!term.site_names.empty()) tables_ += "labels = " + toml_list(term.site_names, toml_text) + "\n";
  if (term.slow) tables_ += "slow = true\n";
}

}  // namespace extremal
