// Models as texts of model files.
#include <fstream>
#include <map>

#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "formula/follow.hpp"
#include "formula/formula_term.hpp"
#include "formula/print.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string listed(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? ", " : "") + item;
  return out + "]";
}

std::string quoted_list(std::vector<std::string> items) {
  for (std::string& item : items) item = in_quotes(item);
  return listed(items);
}

constexpr std::pair<Role, const char*> role_words[] = {
    {Role::kinetic, "kinetic"},         {Role::potential, "potential"},   {Role::lagrangian, "lagrangian"},
    {Role::hamiltonian, "hamiltonian"}, {Role::constraint, "constraint"}, {Role::force, "force"},
    {Role::symmetry, "symmetry"}};

class Writer {
 public:
  explicit Writer(const System& system) : system_(system) {}

  // The terms from `first` on, as tables; what they share goes to definitions.
  void terms(std::size_t first) {
    for (std::size_t k = first; k < system_.terms().size(); ++k) term(*system_.terms()[k], k);
  }
  std::string tables, definitions;

  FormulaText formulas(const Term& term, std::size_t number, const std::vector<std::string>& names) const {
    if (const auto* known = dynamic_cast<const FormulaTerm*>(&term); known != nullptr && known->text != nullptr)
      return *known->text;
    const std::optional<Followed> found = follow(term);
    if (!found)
      throw InputError(system_.name() + ": term " + in_quotes(term.name) +
                       " cannot be written as a formula: its function branches, or it has a class of its own; expected "
                       "a function of q, v, t and parameters");
    int count = 0;
    const auto leaf = [&](const Graph::Node& node) -> std::string {
      if (node.leaf == Graph::Leaf::coordinate) return names[sz(node.a)];
      if (node.leaf == Graph::Leaf::velocity)
        return term.role == Role::hamiltonian ? "p." + names[sz(node.a)] : names[sz(node.a)] + "'";
      return node.leaf == Graph::Leaf::t ? "t" : formula_name(system_.parameter_names()[sz(node.a)]);
    };
    PrintedFormulas text = print(found->graph, found->rows, leaf,
                                 [&] { return "part" + std::to_string(number) + "." + std::to_string(++count); });
    return {names, std::move(text.rows), std::move(text.definitions)};
  }

 private:
  void term(const Term& term, std::size_t number) {
    std::vector<std::string> names;
    const std::string prefix = [&] {
      std::string out = "q";
      for (const std::string& parameter : system_.parameter_names())
        while (parameter.starts_with(out)) out += "_";
      return out;
    }();
    for (int c = 0; c < term.coordinates; ++c) names.push_back(prefix + std::to_string(c));
    const FormulaText text = formulas(term, number, names);
    for (const auto& [name, formula] : text.definitions) definitions += name_key(name) + in_quotes(formula) + "\n";
    const char* word = "";
    for (const auto& [role, one] : role_words)
      if (role == term.role) word = one;
    tables += std::string("\n[[") + word + "]]\n";
    if (term.role == Role::constraint || term.role == Role::force || term.role == Role::symmetry)
      tables += "name = " + in_quotes(term.name) + "\n";
    if (term.role == Role::force || term.role == Role::symmetry) {
      std::vector<std::string> along;
      for (std::size_t c = 0; c < text.names.size(); ++c)
        along.push_back(name_key(text.names[c]) + in_quotes(text.rows[c]));
      const std::string inner = listed(along);
      tables += "along = { " + inner.substr(1, inner.size() - 2) + " }\n";
    } else {
      tables += "formula = " + (text.rows.size() > 1 ? quoted_list(text.rows) : in_quotes(text.rows.front())) + "\n";
    }
    std::vector<std::string> sites;
    for (int site = 0; site < term.site_count(); ++site) {
      std::vector<std::string> one;
      for (int c = 0; c < term.coordinates; ++c)
        one.push_back(system_.coordinate_names()[sz(term.sites[sz(site * term.coordinates + c)])]);
      sites.push_back(quoted_list(one));
    }
    tables += "names = " + quoted_list(text.names) + "\nsites = " + listed(sites) + "\n";
    if (!term.site_names.empty()) tables += "labels = " + quoted_list(term.site_names) + "\n";
  }
  static std::string name_key(const std::string& name) { return in_quotes(name) + " = "; }

  const System& system_;
};

std::string start_text(const System& system, const Start& start) {
  std::string out;
  const auto values = [&](const std::vector<Number>& list, const char* before, const char* between) {
    std::string all;
    for (std::size_t k = 0; k < list.size() && k < sz(system.size()); ++k)
      all += (all.empty() ? before : between) + in_quotes(system.coordinate_names()[k]) + " = " +
             in_quotes(list[k].text());
    return all;
  };
  out += values(start.q, "", "\n");
  if (!out.empty()) out += "\n";
  if (!(start.t == Number(0))) out += "t = " + in_quotes(start.t.text()) + "\n";
  for (const auto& [key, list] : {std::pair{"velocity", &start.v}, {"momentum", &start.p}, {"next", &start.next}})
    if (!list->empty()) out += std::string(key) + " = { " + values(*list, "", ", ") + " }\n";
  return out.empty() ? out : "\n[start]\n" + out;
}

std::string run_text(const Model& model) {
  std::string out = "\n[run]\n";
  if (!model.scheme.empty()) out += "scheme = " + in_quotes(model.scheme) + "\n";
  out += "step = " + in_quotes(model.span.step.text()) + "\nuntil = " + in_quotes(model.span.until.text()) + "\n";
  const bool chosen = !(model.span.accuracy == Number(0));  // the step, when the run begins
  if (chosen) out += "accuracy = " + in_quotes(model.span.accuracy.text()) + "\n";
  if (chosen && model.span.outputs > 0)
    out += "outputs = " + std::to_string(model.span.outputs) + "\n";
  else if (model.span.every != 1)
    out += "every = " + std::to_string(model.span.every) + "\n";
  if (model.span.pace != Pace::none) out += "pace = " + in_quotes(name(model.span.pace)) + "\n";
  if (!model.precision.empty()) out += "precision = " + in_quotes(model.precision) + "\n";
  return out;
}

std::string coordinates_text(const System& system) {
  std::vector<std::vector<std::string>> groups;
  for (std::size_t k = 0; k < sz(system.size()); ++k) {
    if (k == 0 || system.groups()[k] != system.groups()[k - 1]) groups.emplace_back();
    groups.back().push_back(system.coordinate_names()[k]);
  }
  std::vector<std::string> texts;
  for (const auto& group : groups) texts.push_back(quoted_list(group));
  return texts.size() == 1 ? texts.front() : listed(texts);
}

}  // namespace

std::string model_text(const Model& model) {
  if (!model.text.empty()) return model.text;
  const System& system = model.system;
  const Mechanism* const parts = model.mechanism.get();
  if (model.network != nullptr || (parts == nullptr && system.rigid() != nullptr))
    throw InputError(system.name() +
                     ": found bodies, and neither a Mechanism nor the text of a model file; expected one of them");
  if (parts != nullptr && system.size() != parts->system().size())
    throw InputError(system.name() + ": found coordinates besides those of bodies; expected terms of these only");
  Writer writer(system);
  // What was added to the system of a mechanism.
  writer.terms(parts == nullptr ? 0 : parts->system().terms().size());
  std::string out;
  if (!model.title.empty()) out += "title = " + in_quotes(model.title) + "\n";
  if (!model.citation.empty()) out += "citation = " + in_quotes(model.citation) + "\n";
  if (parts == nullptr)
    out += "name = " + in_quotes(system.name()) + "\ncoordinates = " + coordinates_text(system) + "\n";
  else
    out += parts->text();
  out += writer.tables;
  if (!system.parameter_names().empty()) out += "\n[parameters]\n";
  for (std::size_t k = 0; k < system.parameter_names().size(); ++k)
    out += in_quotes(system.parameter_names()[k]) + " = " + in_quotes(system.parameters()[k].text()) + "\n";
  if (model.span.rate != nullptr) {
    std::vector<std::string> names;
    for (const int i : model.span.rate->sites) names.push_back(system.coordinate_names()[sz(i)]);
    const FormulaText rate = writer.formulas(*model.span.rate, system.terms().size(), names);
    for (const auto& [name, formula] : rate.definitions)
      writer.definitions += in_quotes(name) + " = " + in_quotes(formula) + "\n";
    out += "\n[time]\nrate = " + in_quotes(rate.rows.front()) + "\n";
  }
  if (!writer.definitions.empty()) out += "\n[definitions]\n" + writer.definitions;
  if (parts == nullptr) return out + start_text(system, model.start) + run_text(model);
  const std::string start = parts->start_text();
  return out + (start.empty() ? "" : "\n[start]\n" + start) + run_text(model);
}

void save(const Model& model, const std::string& path) {
  const std::string text = model_text(model);
  read_model_text(text, path);  // what cannot be read is not written
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (!out) throw InputError(path + ": cannot be written; expected a place for a model file");
}

}  // namespace extremal
