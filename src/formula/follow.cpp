#include "formula/follow.hpp"

#include "extremal/time_function.hpp"
#include "formula/formula_term.hpp"
#include "formula/parser.hpp"
#include "formula/print.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

Operation operation_of(Degree::Did what) {
  using Did = Degree::Did;
  switch (what) {
    case Did::add:
      return Operation::add;
    case Did::multiply:
      return Operation::multiply;
    case Did::divide:
      return Operation::divide;
    case Did::negate:
      return Operation::negate;
    case Did::power:
      return Operation::power;
    case Did::sqrt:
      return Operation::sqrt;
    case Did::sin:
      return Operation::sin;
    case Did::cos:
      return Operation::cos;
    case Did::tan:
      return Operation::tan;
    case Did::asin:
      return Operation::asin;
    case Did::acos:
      return Operation::acos;
    case Did::atan:
      return Operation::atan;
    case Did::atan2:
      return Operation::atan2;
    case Did::sinh:
      return Operation::sinh;
    case Did::cosh:
      return Operation::cosh;
    case Did::tanh:
      return Operation::tanh;
    case Did::exp:
      return Operation::exp;
    case Did::log:
      return Operation::log;
    case Did::abs:
      break;
  }
  return Operation::abs;
}

// As long as it lives, this thread's degrees are told to it.
class GraphFollower final : public Degree::Follower {
 public:
  explicit GraphFollower(Graph& graph) : graph_(graph), before_(Degree::follower()) {
    Degree::follower() = this;
    Degree::branched() = false;
  }
  GraphFollower(const GraphFollower&) = delete;
  GraphFollower& operator=(const GraphFollower&) = delete;
  ~GraphFollower() override { Degree::follower() = before_; }

  int constant(double value) override { return graph_.constant(value); }
  int leaf(Degree::From kind, int index) override {
    switch (kind) {
      case Degree::From::coordinate:
        return graph_.coordinate(index);
      case Degree::From::velocity:
        return graph_.velocity(index);
      case Degree::From::parameter:
        return graph_.parameter(index);
      case Degree::From::time:
        break;
    }
    return graph_.time();
  }
  int operation(Degree::Did what, int x, int y) override { return graph_.apply(operation_of(what), x, y); }
  int node(const Degree& d) { return d.node >= 0 ? d.node : constant(d.a); }
  static bool branched() { return Degree::branched(); }

 private:
  Graph& graph_;
  Degree::Follower* before_;
};

}  // namespace

std::optional<Followed> follow(const Term& term) {
  if (const auto* formula = dynamic_cast<const FormulaTerm*>(&term))
    return Followed{formula->graph(), formula->roots()};
  Followed out;
  GraphFollower follower(out.graph);
  std::vector<Degree> rows(static_cast<std::size_t>(term.row_count));
  if (term.rows_of_degrees(rows.data()))
    for (const Degree& row : rows) out.rows.push_back(follower.node(row));
  if (out.rows.empty() || GraphFollower::branched()) return {};
  return out;
}

std::string time_formula(const Graph& graph, int root) {
  // The name of a table is the file's.
  const std::vector<bool> needed = graph.reachable({root});
  for (int n = 0; n <= root; ++n)
    if (needed[sz(n)] && graph[n].leaf == Graph::Leaf::none && graph[n].operation == Operation::table) return {};
  int names = 0;
  const PrintedFormulas text =
      print(graph, {root}, [](const Graph::Node&) { return "t"; }, [&] { return "'" + std::to_string(names++) + "'"; });
  std::string out = text.rows.front();
  // Names stand for themselves here: what they name is put in their place, last ones first.
  for (auto one = text.definitions.rbegin(); one != text.definitions.rend(); ++one)
    for (std::size_t at = out.find(one->first); at != std::string::npos;
         at = out.find(one->first, at + one->second.size() + 2)) {
      out.replace(at, one->first.size(), "(" + one->second + ")");
      if (out.size() > formula_text_limit) return {};
    }
  return out;
}

std::string formula_of_time(const void* self, Degree (*f)(const void* self, const Degree& t)) {
  Graph graph;
  GraphFollower follower(graph);
  const int root = follower.node(f(self, Degree::in_t(0.7)));
  return GraphFollower::branched() ? std::string() : time_formula(graph, root);
}

}  // namespace extremal
