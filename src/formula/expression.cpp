#include "extremal/expression.hpp"

#include <algorithm>

#include "extremal/pace.hpp"
#include "formula/follow.hpp"
#include "formula/formulas.hpp"
#include "formula/print.hpp"
#include "numbers/index.hpp"

namespace extremal {

// What Expressions have in common: nodes of one graph.
struct ExpressionNodes {
  std::shared_ptr<Graph> graph;

  explicit ExpressionNodes(std::initializer_list<const Expression*> all) {
    for (const Expression* one : all) take(*one);
    if (graph == nullptr) graph = std::make_shared<Graph>();
  }
  explicit ExpressionNodes(const std::vector<Expression>& all) {
    for (const Expression& one : all) take(one);
    if (graph == nullptr) graph = std::make_shared<Graph>();
  }
  int operator()(const Expression& x) const {
    return x.graph_ != nullptr ? x.node_ : graph->constant(x.number_.as<quad>());
  }
  Expression made(int node) const { return {graph, node}; }

 private:
  void take(const Expression& x) {
    if (x.graph_ == nullptr) return;
    if (graph != nullptr && graph != x.graph_)
      throw InputError("found expressions of different Symbols in one formula; expected those of one");
    graph = x.graph_;
  }
};

Expression::Expression(double number) : number_(Number::exactly(static_cast<quad>(number))) {}
Expression::Expression(int number) : number_(number) {}
Expression::Expression(const Number& number) : number_(number) {}

Expression operator-(const Expression& x) {
  const ExpressionNodes of{&x};
  return of.made(of.graph->negate(of(x)));
}
Expression operator+(const Expression& x, const Expression& y) {
  const ExpressionNodes of{&x, &y};
  return of.made(of.graph->add(of(x), of(y)));
}
Expression operator-(const Expression& x, const Expression& y) {
  const ExpressionNodes of{&x, &y};
  return of.made(of.graph->subtract(of(x), of(y)));
}
Expression operator*(const Expression& x, const Expression& y) {
  const ExpressionNodes of{&x, &y};
  return of.made(of.graph->multiply(of(x), of(y)));
}
Expression operator/(const Expression& x, const Expression& y) {
  const ExpressionNodes of{&x, &y};
  return of.made(of.graph->divide(of(x), of(y)));
}
Expression pow(const Expression& x, const Expression& y) {
  const ExpressionNodes of{&x, &y};
  return of.made(of.graph->power(of(x), of(y)));
}
Expression apply(const std::string& function, const Expression& x, const Expression& y) {
  const NamedFunction* const named = named_function(function);
  if (named == nullptr || named->arguments > 2)
    throw InputError("found the function " + function + "; expected one of docs/formulas.md with one or two arguments");
  const ExpressionNodes of{&x, &y};
  return of.made(of.graph->apply(named->operation, of(x), of(y)));
}
Expression where_less(const Expression& x, const Expression& y, const Expression& a, const Expression& b) {
  const ExpressionNodes of{&x, &y, &a, &b};
  const int less = of.graph->apply(Operation::less, of(x), of(y));
  return of.made(
      of.graph->add(of.graph->apply(Operation::when, less, of(a)), of.graph->apply(Operation::unless, less, of(b))));
}

namespace {

// q0, q0', c0 and t, or p.q0 in a Hamiltonian.
PrintedFormulas written(const Graph& graph, const std::vector<int>& rows, const std::vector<std::string>& names,
                        const std::vector<std::string>& parameters, bool momenta, const std::string& prefix) {
  int count = 0;
  const auto leaf = [&](const Graph::Node& node) -> std::string {
    const auto of_site = [&] {
      if (sz(node.a) >= names.size())
        throw InputError("found coordinate " + std::to_string(node.a) + " of a site; expected less than " +
                         std::to_string(names.size()));
      return names[sz(node.a)];
    };
    if (node.leaf == Graph::Leaf::coordinate) return of_site();
    if (node.leaf == Graph::Leaf::velocity) return momenta ? "p." + of_site() : of_site() + "'";
    if (node.leaf == Graph::Leaf::t) return "t";
    return sz(node.a) < parameters.size() ? formula_name(parameters[sz(node.a)]) : "c" + std::to_string(node.a);
  };
  return print(graph, rows, leaf, [&] { return prefix + std::to_string(++count); });
}

std::vector<std::string> site_names(const System& system, int count) {
  std::string prefix = "q";
  const auto taken = [&](const std::string& name) { return name.starts_with(prefix); };
  while (std::any_of(system.parameter_names().begin(), system.parameter_names().end(), taken)) prefix += "_";
  std::vector<std::string> names;
  for (int k = 0; k < count; ++k) names.push_back(prefix + std::to_string(k));
  return names;
}

}  // namespace

std::string Expression::text() const {
  if (graph_ == nullptr) return number_.text();
  std::vector<std::string> names;
  for (int k = 0; k < graph_->size(); ++k) names.push_back("q" + std::to_string(k));
  const PrintedFormulas out = written(*graph_, {node_}, names, {}, false, "part.");
  std::string all = out.rows.front();
  for (const auto& [name, formula] : out.definitions) all.append("; ").append(name).append(" = ").append(formula);
  return all;
}

Symbols::Symbols() : graph_(std::make_shared<Graph>()) {}
Expression Symbols::coordinate(int of_site) const { return {graph_, graph_->coordinate(of_site)}; }
Expression Symbols::velocity(int of_site) const { return {graph_, graph_->velocity(of_site)}; }
Expression Symbols::parameter(Parameter parameter) const { return {graph_, graph_->parameter(parameter.index)}; }
Expression Symbols::time() const { return {graph_, graph_->time()}; }

// By way of its text: what is written to a file and read again is then the same term to the last bit.
void add_term(System& system, Role role, const std::string& name, const std::vector<Expression>& rows,
              const std::vector<int>& sites, int per_site) {
  const int size = per_site > 0 ? per_site : static_cast<int>(sites.size());
  const std::string where = system.name() + ": term \"" + name + "\"";
  if (size == 0 || sites.size() % sz(size) != 0)
    throw InputError(where + " has " + std::to_string(sites.size()) + " coordinates; expected " + std::to_string(size) +
                     " for every site");
  Formulas::Sites places{site_names(system, size), {}, {}};
  for (std::size_t first = 0; first < sites.size(); first += sz(size)) {
    auto& site = places.coordinates.emplace_back();
    for (std::size_t k = first; k < first + sz(size); ++k) {
      if (sites[k] < 0 || sites[k] >= system.size())
        throw InputError(where + " names a coordinate of another system; expected coordinates of this one");
      site.push_back(system.coordinate_names()[sz(sites[k])]);
    }
  }
  const ExpressionNodes of(rows);
  std::vector<int> nodes;
  for (const Expression& row : rows) nodes.push_back(of(row));
  const PrintedFormulas text = written(*of.graph, nodes, places.names, system.parameter_names(),
                                       role == Role::hamiltonian, "part" + std::to_string(system.terms().size()) + ".");
  Formulas formulas(system);
  formulas.definitions(text.definitions);
  formulas.keep(std::make_shared<const FormulaText>(FormulaText{places.names, text.rows, text.definitions}));
  formulas.add(role, name, text.rows, places);
}

TimeFunction time_function(const Expression& of_time) {
  const ExpressionNodes of{&of_time};
  Graph graph = *of.graph;
  const int root = of(of_time);
  const std::vector<bool> used = of.graph->reachable({root});
  for (int n = 0; n <= root; ++n)
    if (const Graph::Leaf leaf = (*of.graph)[n].leaf;
        used[sz(n)] && leaf != Graph::Leaf::none && leaf != Graph::Leaf::constant && leaf != Graph::Leaf::t)
      throw InputError("found a function of time that depends on coordinates or parameters; expected numbers and t");
  if (of.graph->is_constant(root)) return Number::exactly(of.graph->value(root));
  return rates_of(graph, root);
}

namespace {

std::shared_ptr<const Term> looked_at(const System& system, Role role, const std::string& name, const Expression& value,
                                      const std::vector<int>& site) {
  const ExpressionNodes of{&value};
  const int root = of(value);
  for (const int coordinate : site)
    if (coordinate < 0 || coordinate >= system.size())
      throw InputError(name + " names a coordinate of another system; expected coordinates of this one");
  return std::make_shared<const FormulaTerm>(role, name, *of.graph, std::vector<int>{root},
                                             static_cast<int>(site.size()), site);
}

}  // namespace

Observer observer(const System& system, const std::string& name, const Expression& value,
                  const std::vector<int>& site) {
  return {name, looked_at(system, Role::lagrangian, name, value, site)};
}

Rate rate(const System& system, const Expression& s, const std::vector<int>& site) {
  return looked_at(system, Role::potential, "rate", s, site);
}

}  // namespace extremal
