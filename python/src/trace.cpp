// Functions of users that were called with symbols: nodes of a Graph, and the systems that are made of them.
#include "bindings.hpp"
#include "extremal/error.hpp"
#include "formula/formula_term.hpp"
#include "formula/parser.hpp"
#include "numbers/index.hpp"

namespace extremal::python {
namespace {

Role role_named(const std::string& name) {
  using enum Role;
  for (const auto& [word, role] : {std::pair{"kinetic", kinetic},
                                   {"potential", potential},
                                   {"lagrangian", lagrangian},
                                   {"hamiltonian", hamiltonian},
                                   {"constraint", constraint},
                                   {"force", force},
                                   {"symmetry", symmetry}})
    if (name == word) return role;
  throw InputError("found the term " + name + "; expected kinetic, potential, constraint, force, ...");
}

// Of a node: what it is, its operands or its index, and the text of a constant.
py::tuple node_of(const Graph& graph, int n) {
  const Graph::Node& node = graph[n];
  static constexpr const char* leaves[] = {"", "constant", "parameter", "coordinate", "velocity", "t", "weight"};
  if (node.leaf == Graph::Leaf::constant) return py::make_tuple("constant", to_text(graph.value(n)), -1);
  if (node.leaf != Graph::Leaf::none) return py::make_tuple(leaves[sz(static_cast<int>(node.leaf))], node.a, -1);
  switch (node.operation) {
    case Operation::add:
      return py::make_tuple("+", node.a, node.b);
    case Operation::subtract:
      return py::make_tuple("-", node.a, node.b);
    case Operation::multiply:
      return py::make_tuple("*", node.a, node.b);
    case Operation::divide:
      return py::make_tuple("/", node.a, node.b);
    case Operation::power:
      return py::make_tuple("^", node.a, node.b);
    case Operation::negate:
      return py::make_tuple("negate", node.a, -1);
    case Operation::inverse:
      return py::make_tuple("inverse", node.a, -1);
    default:
      break;
  }
  for (const NamedFunction& f : named_functions)
    if (f.operation == node.operation) return py::make_tuple(std::string(f.name), node.a, node.b);
  return py::make_tuple("?", node.a, node.b);
}

int applied(Graph& graph, const std::string& name, int a, int b) {
  const NamedFunction* f = named_function(name);
  if (f == nullptr) throw InputError("found the function " + name + "; expected one of formulas");
  return graph.apply(f->operation, a, b);
}

// A system under construction.
struct Builder {
  System system;
  explicit Builder(const std::string& name) : system(name) {}

  void coordinates(const Texts& names) {
    for (const std::string& name : names)
      if (!is_formula_name(name))
        throw InputError(system.name() + ": found the coordinate \"" + name +
                         "\"; expected letters, digits, _ and ., and neither t, pi nor the name of a function");
    system.coordinates(names);
  }
  void parameter(const std::string& name, const std::string& value) {
    if (!is_formula_name(name))
      throw InputError(system.name() + ": found the parameter \"" + name +
                       "\"; expected letters, digits, _ and ., and neither t, pi nor the name of a function");
    system.parameter(name, Number(value));
  }
  void term(const std::string& role, const std::string& name, const Graph& graph, const std::vector<int>& rows,
            int coordinates, const std::vector<int>& sites, const Texts& labels) {
    auto made = std::make_shared<FormulaTerm>(role_named(role), name, graph, rows, coordinates, sites);
    made->site_names = labels;
    system.add_term(std::move(made));
  }
  // The rows of the last term at its first site.
  std::vector<double> evaluate(const std::vector<double>& q, const std::vector<double>& v, double t) const {
    const Term& last = *system.terms().back();
    std::vector<double> parameters;
    for (const Number& x : system.parameters()) parameters.push_back(x.as<double>());
    std::vector<double> all_q(sz(system.size())), all_v(all_q), out(sz(last.site_count() * last.row_count));
    for (std::size_t i = 0; i < q.size(); ++i) {
      all_q[sz(last.sites[i])] = q[i];
      all_v[sz(last.sites[i])] = v[i];
    }
    last.at<double>().value(
        {1, system.size(), all_q.data(), all_v.data(), &t, parameters.data(), static_cast<int>(parameters.size())},
        out.data());
    out.resize(sz(last.row_count));
    return out;
  }
  Problem problem(const std::string& text, const NamedTexts& set) const {
    System out = system;
    for (const auto& [name, value] : set) out = out.with(name, Number(value));
    Model model{.system = std::move(out), .start = {}, .span = {}, .title = "", .citation = ""};
    model.text = text;
    return {system.name(), std::move(model)};
  }
};

}  // namespace

void bind_trace(py::module_& m) {
  py::class_<Graph>(m, "Graph")
      .def(py::init<>())
      .def("constant", [](Graph& g, const std::string& text) { return g.constant(Number(text).as<quad>()); })
      .def("parameter", &Graph::parameter)
      .def("coordinate", &Graph::coordinate)
      .def("velocity", &Graph::velocity)
      .def("time", &Graph::time)
      .def("add", &Graph::add)
      .def("subtract", &Graph::subtract)
      .def("negate", &Graph::negate)
      .def("multiply", &Graph::multiply)
      .def("divide", &Graph::divide)
      .def("power", &Graph::power)
      .def("apply", &applied)
      .def("node", &node_of)
      .def("is_constant", &Graph::is_constant)
      .def("__len__", &Graph::size);
  py::class_<Builder>(m, "Builder")
      .def(py::init<const std::string&>())
      .def("coordinates", &Builder::coordinates)
      .def("parameter", &Builder::parameter)
      .def("term", &Builder::term)
      .def("evaluate", &Builder::evaluate)
      .def("problem", &Builder::problem);
}

}  // namespace extremal::python
