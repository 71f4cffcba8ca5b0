#include "formula/formulas.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "formula/definitions.hpp"
#include "formula/derivative.hpp"
#include "formula/follow.hpp"
#include "numbers/index.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

const char* word(Role role) {
  switch (role) {
    case Role::kinetic:
      return "kinetic";
    case Role::potential:
      return "potential";
    case Role::lagrangian:
      return "lagrangian";
    case Role::hamiltonian:
      return "hamiltonian";
    case Role::constraint:
      return "constraint";
    case Role::force:
      return "force";
    case Role::symmetry:
      break;
  }
  return "symmetry";
}

bool has_coordinate(const Graph& graph, int root) {
  const std::vector<bool> used = graph.reachable({root});
  for (int n = 0; n <= root; ++n)
    if (used[sz(n)] && graph[n].leaf == Graph::Leaf::coordinate) return true;
  return false;
}

// Rows of time functions: f, f', f'' at any scalar.
struct Rates {
  std::shared_ptr<const Tape> tape;
  std::shared_ptr<const std::string> text;
  std::string formula() const { return *text; }
  template <class S>
  Jet<S, 1, 2> operator()(const Jet<S, 1, 2>& t) const {
    const Nodes<S> at{1, 0, nullptr, nullptr, &t.a, nullptr};
    S f[3];
    tape->run<S>({&at, nullptr, 1, 0, nullptr, 0}, f, nullptr);
    return t.chain(f[0], f[1], f[2]);
  }
};

}  // namespace

// The names of coordinates at one site of a term. Without names of its own it is that of the system, and coordinates
// are numbered as they occur.
struct Formulas::Local {
  const char* role = nullptr;  // null: neither coordinates nor velocities
  bool velocities = false, momenta = false;
  bool open = true;
  std::vector<int> coordinates = {};                  // index into q of every coordinate, if open
  std::unordered_map<std::string, int> numbers = {};  // of the names that have occurred, or all
  std::unordered_map<int, int> defined = {};          // definitions that the graph has: their nodes

  explicit Local(Role of, bool any = true)
      : role(word(of)),
        velocities(takes_velocity(of) && of != Role::hamiltonian),
        momenta(of == Role::hamiltonian),
        open(any) {}
  Local() = default;
};

Formulas::Formulas(System& system, FormulaLimits limits)
    : system_(system), limits_(limits), computed_(limits.operations) {
  for (std::size_t i = 0; i < system.parameter_names().size(); ++i) {
    parameter_names_.push_back(system.parameter_names()[i]);
    parameters_.emplace(parameter_names_.back(), computed_.parameter(static_cast<int>(i)));
  }
}

void Formulas::refresh_coordinates() {
  for (; coordinate_count_ < system_.size(); ++coordinate_count_) {
    const std::string& name = system_.coordinate_names()[sz(coordinate_count_)];
    if (parameters_.contains(name))
      throw InputError(system_.name() + ": " + quoted(name) +
                       " is a coordinate and a parameter; expected distinct names");
    if (named_index_.contains(name))
      throw InputError(system_.name() + ": " + quoted(name) +
                       " is a coordinate and a definition; expected distinct names");
    coordinates_.emplace(name, coordinate_count_);
  }
}

std::vector<quad> Formulas::parameter_values() const {
  std::vector<quad> values;
  for (const Number& x : system_.parameters()) values.push_back(x.as<quad>());
  return values;
}

std::vector<std::string> Formulas::known_names(const Local* local) const {
  std::vector<std::string> known;
  if (local != nullptr && local->role != nullptr) {
    if (local->open) known = system_.coordinate_names();
    for (const auto& [name, number] : local->numbers)
      if (!local->open || !coordinates_.contains(name)) known.push_back(name);
    std::sort(known.begin(), known.end());
    if (local->momenta)
      for (std::size_t k = 0, count = known.size(); k < count; ++k) known.push_back("p." + known[k]);
  }
  known.insert(known.end(), parameter_names_.begin(), parameter_names_.end());
  if (local != nullptr)
    for (const auto& [name, index] : named_index_) known.push_back(name);
  if (local != nullptr) known.emplace_back("t");
  known.emplace_back("pi");
  for (const NamedFunction& f : named_functions) known.emplace_back(f.name);
  return known;
}

int Formulas::local_number(const std::string& key, Local& local) {
  if (const auto number = local.numbers.find(key); number != local.numbers.end()) return number->second;
  const auto index = local.open ? coordinates_.find(key) : coordinates_.end();
  if (index == coordinates_.end()) return -1;
  const int number = static_cast<int>(local.coordinates.size());
  local.numbers.emplace(key, number);
  local.coordinates.push_back(index->second);
  if (number >= limits_.coordinates)
    throw NameRefusal{"found " + std::to_string(number + 1) + " coordinates; expected at most " +
                      std::to_string(limits_.coordinates) + " in a term; try several terms"};
  return number;
}

int Formulas::lookup(std::string_view name, bool rate, Graph& graph, Local* local, GraphCopy& copy) {
  if (name == "t" && local != nullptr && !rate) return graph.time();
  const std::string key(name);
  if (local != nullptr && local->role != nullptr) {
    const std::string owner = name.starts_with("p.") ? key.substr(2) : "";
    const bool momentum = local->numbers.contains(owner) || (local->open && coordinates_.contains(owner));
    if (momentum && local->momenta && (coordinates_.contains(key) || parameters_.contains(key)))
      throw NameRefusal{"found " + key + ", which has a meaning of its own and is the momentum of " + owner +
                        "; expected distinct names"};
    if (const int number = local_number(key, *local); number >= 0) {
      if (rate && !local->velocities)
        throw NameRefusal{"found the velocity " + key + "'; expected coordinates " +
                          (local->momenta ? "and momenta, as p." + key + "," : "only") + " in a " + local->role};
      return rate ? graph.velocity(number) : graph.coordinate(number);
    }
    // What is a velocity to all other terms is a momentum to a Hamiltonian.
    if (momentum && local->momenta && !rate) return graph.velocity(local_number(owner, *local));
    if (momentum && !parameters_.contains(key))
      throw NameRefusal{local->momenta ? "found " + key + "'; expected ' after nothing in a hamiltonian"
                                       : "found the momentum " + key + "; expected it in a hamiltonian only"};
  }
  const auto definition = named_index_.find(key);
  if (definition != named_index_.end() && !rate && local != nullptr)
    return defined(definition->second, graph, *local, copy);
  if (rate) {
    const bool known = parameters_.contains(key) || definition != named_index_.end() || key == "t";
    throw NameRefusal{known ? "found " + key + "'; expected ' after coordinates only"
                            : unknown("coordinate", one_line(name, 80), known_names(local))};
  }
  if (const auto found = parameters_.find(key); found != parameters_.end())
    return &graph == &computed_ ? found->second : copy(found->second);
  if (key == "t") throw NameRefusal{"found t; expected numbers and parameters only"};
  throw NameRefusal{unknown("name", one_line(name, 80), known_names(local))};
}

// Those it uses come first, in the order in which they are defined: a chain of them may be as long as there are some.
int Formulas::defined(int definition, Graph& graph, Local& local, GraphCopy& copy) {
  if (const auto known = local.defined.find(definition); known != local.defined.end()) return known->second;
  std::vector<bool> wanted(sz(definition) + 1, false);
  wanted[sz(definition)] = true;
  for (int k = definition; k >= 0; --k) {
    if (!wanted[sz(k)]) continue;
    wanted[sz(k)] = !local.defined.contains(k);
    if (wanted[sz(k)])
      for (const int need : named_[sz(k)].needs) wanted[sz(need)] = true;
  }
  const auto names = [&](std::string_view name, bool rate) { return lookup(name, rate, graph, &local, copy); };
  for (int k = 0; k <= definition; ++k)
    if (wanted[sz(k)]) local.defined.emplace(k, parse(named_[sz(k)].text, graph, names));
  return local.defined.at(definition);
}

void Formulas::definitions(const std::vector<Definition>& definitions) {
  refresh_coordinates();
  for (const auto& [name, text] : definitions) {
    const std::string where = system_.name() + ": definition " + quoted(name);
    if (!is_formula_name(name))
      throw InputError(where +
                       " cannot be used in formulas; expected letters, digits, _ and ., and neither t, pi nor " +
                       "the name of a function");
    for (const auto& [known, what] : {std::pair{parameters_.contains(name), " is also a parameter"},
                                      {coordinates_.contains(name), " is also a coordinate"},
                                      {named_index_.contains(name), " exists already"}})
      if (known) throw InputError(where + what + "; expected distinct names");
    text_ += text.size();
  }
  for (const int k : definition_order(system_.name(), definitions)) {
    const auto& [name, text] = definitions[sz(k)];
    Named one{text, {}};
    for (const std::string& used : names_in(text))
      if (const auto found = named_index_.find(used); found != named_index_.end()) one.needs.push_back(found->second);
    named_index_.emplace(name, static_cast<int>(named_.size()));
    named_.push_back(std::move(one));
  }
}

int Formulas::read(const std::string& text, Graph& graph, Local* local) {
  check_length(text);
  text_ += text.size();
  if (text_ > limits_.all_text)
    throw InputError(system_.name() + ": formulas of more than " + std::to_string(limits_.all_text) +
                     " bytes in all; expected less");
  GraphCopy copy(computed_, graph, [&](const Graph::Node& leaf) { return graph.parameter(leaf.a); });
  return parse(
      text, graph, [&](std::string_view name, bool rate) { return lookup(name, rate, graph, local, copy); }, tables_);
}

void Formulas::spend(int operations) {
  operations_ += operations;
  if (operations_ > limits_.all_operations)
    throw InputError(system_.name() + ": formulas of more than " + std::to_string(limits_.all_operations) +
                     " operations in all, derivatives included; expected less");
}

void Formulas::define(const std::vector<Definition>& definitions, bool fixed) {
  std::unordered_set<std::string_view> defined;
  for (const auto& [name, text] : definitions) {
    defined.insert(name);
    const std::string where = system_.name() + ": parameter " + quoted(name);
    if (!is_formula_name(name))
      throw InputError(where +
                       " cannot be used in formulas; expected letters, digits, _ and ., and neither t, pi nor " +
                       "the name of a function");
    if (parameters_.contains(name) || named_index_.contains(name))
      throw InputError(where + " exists already; expected distinct names");
  }
  for (const std::string& coordinate : system_.coordinate_names())
    if (defined.contains(coordinate))
      throw InputError(system_.name() + ": parameter " + quoted(coordinate) +
                       " is also a coordinate; expected distinct names");
  const int before = computed_.size();
  const std::vector<int> order = definition_order(system_.name(), definitions);
  const auto name_node = [&](const std::string& name, int node) {
    parameters_.emplace(name, node);
    parameter_names_.push_back(name);
  };
  std::vector<bool> independent;
  for (const auto& [name, text] : definitions) {
    independent.push_back(names_in(text).empty());
    if (!independent.back()) continue;
    const int node = read(text, computed_, nullptr);
    name_node(name, fixed ? node : computed_.parameter(system_.parameter(name, Number(text)).index));
  }
  for (const int k : order)
    if (const auto& [name, text] = definitions[sz(k)]; !independent[sz(k)])
      name_node(name, read(text, computed_, nullptr));
  spend(computed_.size() - before);
}

void Formulas::add(Role role, const std::string& formula) { add(role, word(role), {formula}); }

void Formulas::finish(Role role, const std::string& name, const std::string& text, Graph graph, std::vector<int> rows,
                      const Local& local, std::vector<int> sites, std::vector<std::string> labels) {
  const std::string where = system_.name() + ": " + word(role) + " " + quoted(name);
  int N = static_cast<int>(local.open ? local.coordinates.size() : local.numbers.size());
  if (N == 0 && constants_) {
    N = 1;
    sites = {0};
  }
  if (N == 0) throw InputError(where + " depends on no coordinate; expected at least one");
  // A row such as x - x + 1 mentions a coordinate and does not depend on it.
  if (role == Role::constraint)
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (!has_coordinate(graph, rows[row]))
        throw InputError(where + (rows.size() > 1 ? ", row " + std::to_string(row) + "," : "") +
                         " depends on no coordinate; expected at least one");
  try {
    auto term = std::make_shared<FormulaTerm>(role, name, std::move(graph), rows, N, std::move(sites));
    term->site_names = std::move(labels);
    term->formula = text;
    term->text = std::move(kept_);
    term->slow = slow_;
    spend(term->operation_count());
    system_.add_term(std::move(term));
  } catch (const Graph::Full& full) {
    throw InputError(where + " needs more than " + std::to_string(full.limit) +
                     " operations for its derivatives; expected less; try several terms");
  }
}

void Formulas::check_rows(Role role, const std::string& where, std::size_t rows) const {
  if (rows == 0) throw InputError(where + " has no formula; expected at least one");
  const bool energy =
      role == Role::kinetic || role == Role::potential || role == Role::lagrangian || role == Role::hamiltonian;
  const int most = energy ? 1 : limits_.rows;
  if (rows > sz(most))
    throw InputError(where + " has " + std::to_string(rows) + " formulas; expected at most " + std::to_string(most));
}

void Formulas::add(Role role, const std::string& name, const std::vector<std::string>& rows) {
  const std::string where = system_.name() + ": " + word(role) + " " + quoted(name);
  check_rows(role, where, rows.size());
  if (!(role == Role::force || role == Role::symmetry)) {
    refresh_coordinates();
    Graph graph(limits_.operations);
    Local local(role);
    std::vector<int> nodes;
    for (const std::string& row : rows) nodes.push_back(read(row, graph, &local));
    finish(role, name, rows.front(), std::move(graph), std::move(nodes), local, local.coordinates);
    return;
  }
  throw InputError(where + " has formulas without coordinates; expected one formula per named coordinate");
}

void Formulas::along(Role role, const std::string& name, const std::vector<Definition>& entries,
                     const std::vector<Definition>& aliases) {
  const std::string where = system_.name() + ": " + word(role) + " " + quoted(name);
  if (role != Role::force && role != Role::symmetry)
    throw InputError(where + " has entries along coordinates; expected a force or a symmetry");
  check_rows(role, where, entries.size());
  refresh_coordinates();
  Graph graph(limits_.operations);
  Local local(role);
  for (const auto& [coordinate, text] : entries) {
    const auto index = coordinates_.find(coordinate);
    if (index == coordinates_.end())
      throw InputError(where + ": " + unknown("coordinate", coordinate, system_.coordinate_names()));
    if (!local.numbers.emplace(coordinate, static_cast<int>(local.coordinates.size())).second)
      throw InputError(where + " has two entries for " + quoted(coordinate) + "; expected one");
    local.coordinates.push_back(index->second);
  }
  for (const auto& [alias, coordinate] : aliases) {
    if (parameters_.contains(alias))
      throw InputError(where + ": " + quoted(alias) + " is the coordinate " + quoted(coordinate) +
                       " and a parameter; expected another name of the parameter");
    local.numbers.emplace(alias, local.numbers.at(coordinate));
  }
  std::vector<int> rows;
  for (const auto& [coordinate, text] : entries) rows.push_back(read(text, graph, &local));
  rows.resize(local.coordinates.size(), graph.constant(0));
  if (static_cast<int>(rows.size()) > limits_.coordinates)
    throw InputError(where + " has " + std::to_string(rows.size()) + " coordinates; expected at most " +
                     std::to_string(limits_.coordinates));
  finish(role, name, "", std::move(graph), std::move(rows), local, local.coordinates);
}

void Formulas::add(Role role, const std::string& name, const std::vector<std::string>& rows, const Sites& sites) {
  const std::string where = system_.name() + ": " + word(role) + " " + quoted(name);
  check_rows(role, where, rows.size());
  if ((role == Role::force || role == Role::symmetry) && rows.size() != sites.names.size())
    throw InputError(where + " has " + std::to_string(rows.size()) + " formulas; expected one per coordinate, " +
                     std::to_string(sites.names.size()));
  if (static_cast<int>(sites.names.size()) > limits_.coordinates)
    throw InputError(where + " has " + std::to_string(sites.names.size()) + " coordinates; expected at most " +
                     std::to_string(limits_.coordinates));
  refresh_coordinates();
  Graph graph(limits_.operations);
  Local local(role, false);
  for (const std::string& local_name : sites.names) {
    if (!is_formula_name(local_name) || parameters_.contains(local_name) || named_index_.contains(local_name))
      throw InputError(where + ": " + quoted(local_name) + " cannot name a coordinate of a site; expected letters, " +
                       "digits, _ and ., and no other meaning");
    if (!local.numbers.emplace(local_name, static_cast<int>(local.numbers.size())).second)
      throw InputError(where + ": " + quoted(local_name) + " names two coordinates; expected distinct names");
  }
  std::vector<int> nodes, indices;
  for (const std::string& row : rows) nodes.push_back(read(row, graph, &local));
  for (const auto& site : sites.coordinates) {
    if (site.size() != sites.names.size())
      throw InputError(where + ": a site of " + std::to_string(site.size()) + " coordinates; expected " +
                       std::to_string(sites.names.size()));
    for (const std::string& coordinate : site) {
      const auto index = coordinates_.find(coordinate);
      if (index == coordinates_.end())
        throw InputError(where + ": " + unknown("coordinate", coordinate, system_.coordinate_names()));
      indices.push_back(index->second);
    }
  }
  finish(role, name, rows.front(), std::move(graph), std::move(nodes), local, std::move(indices), sites.labels);
}

quad Formulas::value(const std::string& formula) {
  Graph graph(limits_.operations);
  const int node = read(formula, graph, nullptr);
  spend(graph.size());
  const quad x = graph.evaluate(node, parameter_values());
  if (!math::finite(static_cast<double>(x)))
    throw FormulaError(formula, 0, "found " + to_text(x) + "; expected a finite number below 1.8e308 in size");
  return x;
}

Number Formulas::number(const std::string& formula) {
  // The text itself where it needs no names: it is shorter and rounded once only.
  return names_in(formula).empty() ? Number(formula) : Number::exactly(value(formula));
}

TimeFunction Formulas::time_function(const std::string& formula) {
  Graph symbolic(limits_.operations), graph(limits_.operations);
  Local local;
  const int root = read(formula, symbolic, &local);
  const std::vector<quad> values = parameter_values();
  const int f = GraphCopy(symbolic, graph, [&](const Graph::Node& leaf) {
    return leaf.leaf == Graph::Leaf::t ? graph.time() : graph.constant(values[sz(leaf.a)]);
  })(root);
  if (graph.is_constant(f)) return Number::exactly(graph.value(f));
  TimeFunction out = rates_of(graph, f);
  spend(graph.size());
  return out;
}

TimeFunction rates_of(Graph& graph, int f) {
  const auto text = std::make_shared<const std::string>(time_formula(graph, f));
  const int t = graph.time();
  const int f1 = gradient(graph, {{f, graph.constant(1)}}, {t})[0];
  const int f2 = gradient(graph, {{f1, graph.constant(1)}}, {t})[0];
  Rates rates{std::make_shared<const Tape>(graph, std::vector<int>{f, f1, f2}, 3), text};
  return graph.jumps_in_time({f}) ? TimeFunction::with_jumps(rates) : TimeFunction(rates);
}

}  // namespace extremal
