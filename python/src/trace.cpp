// Functions of users that were called with symbols: nodes of a Graph, and the formulas that they become.
#include "bindings.hpp"
#include "extremal/error.hpp"
#include "formula/parser.hpp"
#include "formula/print.hpp"
#include "numbers/index.hpp"
#include "system/table.hpp"

namespace extremal::python {
namespace {

int applied(Graph& graph, const std::string& name, int a, int b) {
  for (const auto& [word, operation] :
       {std::pair{"less", Operation::less}, {"when", Operation::when}, {"unless", Operation::unless}})
    if (name == word) return graph.apply(operation, a, b);
  const NamedFunction* f = named_function(name);
  if (f == nullptr || f->arguments > 2) throw InputError("found the function " + name + "; expected one of formulas");
  return graph.apply(f->operation, a, b);
}

// The rows as formulas of a site's coordinates by their names, with velocities x', or momenta p.x, and parameters.
std::pair<Texts, NamedTexts> formulas(const Graph& graph, const std::vector<int>& rows, const Texts& names,
                                      const Texts& rates, const Texts& parameters, const std::string& prefix,
                                      const std::map<int, std::string>& tables) {
  int count = 0;
  const auto leaf = [&](const Graph::Node& node) -> std::string {
    if (node.leaf == Graph::Leaf::coordinate) return names.at(sz(node.a));
    if (node.leaf == Graph::Leaf::velocity) return rates.at(sz(node.a));
    return node.leaf == Graph::Leaf::t ? "t" : formula_name(parameters.at(sz(node.a)));
  };
  PrintedFormulas out = print(
      graph, rows, leaf, [&] { return prefix + std::to_string(++count); },
      [&](int handle) { return tables.at(handle); });
  return {std::move(out.rows), std::move(out.definitions)};
}

// The values of the rows, to be compared with those of the function itself.
std::vector<double> evaluate(const Graph& graph, const std::vector<int>& rows, const std::vector<double>& q,
                             const std::vector<double>& v, double t, const std::vector<double>& parameters) {
  std::vector<double> values(sz(graph.size())), out;
  const std::vector<bool> used = graph.reachable(rows);
  for (int n = 0; n < graph.size(); ++n) {
    if (!used[sz(n)]) continue;
    const Graph::Node& node = graph[n];
    const auto operand = [&](int i) { return i >= 0 ? values[sz(i)] : 0.0; };
    switch (node.leaf) {
      case Graph::Leaf::constant:
        values[sz(n)] = static_cast<double>(graph.value(n));
        break;
      case Graph::Leaf::parameter:
        values[sz(n)] = parameters.at(sz(node.a));
        break;
      case Graph::Leaf::coordinate:
        values[sz(n)] = q.at(sz(node.a));
        break;
      case Graph::Leaf::velocity:
        values[sz(n)] = v.at(sz(node.a));
        break;
      case Graph::Leaf::t:
        values[sz(n)] = t;
        break;
      case Graph::Leaf::weight:
      case Graph::Leaf::none:
        values[sz(n)] = apply(node.operation, operand(node.a), operand(node.b));
    }
  }
  for (const int row : rows) out.push_back(values[sz(row)]);
  return out;
}

int table_of(const Texts& x, const Texts& y, const std::string& between) {
  const auto exact = [](const Texts& texts) {
    std::vector<quad> out;
    for (const std::string& text : texts) out.push_back(Number(text).as<quad>());
    return out;
  };
  return table_handle(exact(x), exact(y), between == "cubic" ? Between::cubic : Between::linear);
}

bool depends(const Graph& graph, int root, bool on_time) {
  const std::vector<bool> used = graph.reachable({root});
  for (int n = 0; n <= root; ++n)
    if (used[sz(n)] && graph[n].leaf == (on_time ? Graph::Leaf::t : Graph::Leaf::coordinate)) return true;
  return false;
}

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
      .def("table", [](Graph& g, int a, int handle) { return g.apply(Operation::table, a, g.constant(quad(handle))); })
      .def("formulas", &formulas)
      .def("evaluate", &evaluate)
      .def("has_coordinate", [](const Graph& g, int n) { return depends(g, n, false); })
      .def("__len__", &Graph::size);
  m.def("table", &table_of);
  m.def("table_value", [](double x, int handle) { return table_value(x, static_cast<double>(handle)); });
  m.def("formula_name", &formula_name);
  m.def("is_formula_name", [](const std::string& name) { return is_formula_name(name); });
  m.def("number", [](const std::string& text) { return Number(text).as<double>(); });
}

}  // namespace extremal::python
