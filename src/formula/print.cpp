#include "formula/print.hpp"

#include "formula/parser.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

// How tightly the outermost operation of a text binds.
enum class Binds { sum, product, power, atom };

struct Piece {
  std::string text;
  Binds binds = Binds::atom;
  int depth = 0;  // of nesting
};

constexpr std::size_t short_text = 12;   // what is written again rather than named
constexpr std::size_t long_text = 2000;  // what is named though it is needed once
constexpr int deep = 100;

bool is_negative(const std::string& text) { return text[0] == '-'; }

// c, or p/q where that is the same number and shorter.
std::string constant_text(quad c) {
  std::string text = to_text(c);
  for (int q = 3; text.size() > 20 && q <= 1000; ++q) {
    const quad p = c * quad(q);
    const auto whole = static_cast<long long>(math::abs(p) < quad(1e9) ? p + quad(p < quad(0) ? -0.5 : 0.5) : quad(0));
    if (whole != 0 && quad(whole) / quad(q) == c) return std::to_string(whole) + "/" + std::to_string(q);
  }
  return text;
}

class Printer {
 public:
  Printer(const Graph& graph, const std::function<std::string(const Graph::Node&)>& leaf,
          const std::function<std::string(int)>& table)
      : graph_(graph), leaf_(leaf), table_(table) {}

  PrintedFormulas all(const std::vector<int>& roots, const std::function<std::string()>& fresh) {
    const std::vector<int> uses = count_uses(roots);
    PrintedFormulas out;
    pieces_.resize(sz(graph_.size()));
    for (int n = 0; n < graph_.size(); ++n) {
      if (uses[sz(n)] == 0) continue;
      Piece& piece = pieces_[sz(n)] = made(n);
      const bool leaf = graph_[n].leaf != Graph::Leaf::none;
      if (leaf ||
          !((uses[sz(n)] > 1 && piece.text.size() > short_text) || piece.text.size() > long_text || piece.depth > deep))
        continue;
      out.definitions.emplace_back(fresh(), std::move(piece.text));
      piece = {out.definitions.back().first};
    }
    for (const int root : roots) out.rows.push_back(pieces_[sz(root)].text);
    return out;
  }

 private:
  // How often the text of each node would be written.
  std::vector<int> count_uses(const std::vector<int>& roots) const {
    std::vector<int> uses(sz(graph_.size()), 0);
    for (const int root : roots) ++uses[sz(root)];
    for (int n = graph_.size() - 1; n >= 0; --n) {
      const Graph::Node& node = graph_[n];
      if (uses[sz(n)] == 0 || node.leaf != Graph::Leaf::none) continue;
      ++uses[sz(node.a)];
      if (node.b >= 0 && node.b != node.a) ++uses[sz(node.b)];
    }
    return uses;
  }

  const Piece& of(int n) const { return pieces_[sz(n)]; }
  bool is_operation(int n, Operation operation) const {
    return graph_[n].leaf == Graph::Leaf::none && graph_[n].operation == operation;
  }
  // In parentheses, if it binds less than it has to.
  static std::string within(const Piece& piece, Binds least) {
    return piece.binds < least || (least > Binds::sum && is_negative(piece.text)) ? "(" + piece.text + ")" : piece.text;
  }
  static Piece joined(std::string text, Binds binds, const Piece& x, const Piece& y) {
    return {std::move(text), binds, std::max(x.depth, y.depth) + 1};
  }

  Piece made(int n) const {
    const Graph::Node& node = graph_[n];
    if (node.leaf == Graph::Leaf::constant) {
      std::string text = constant_text(graph_.value(n));
      const bool plain = text.find_first_of("-/") == std::string::npos;
      return {std::move(text), plain ? Binds::atom : Binds::product};
    }
    if (node.leaf != Graph::Leaf::none) return {leaf_(node)};
    const Piece &x = of(node.a), &y = node.b >= 0 ? of(node.b) : x;
    switch (node.operation) {
      case Operation::add:
        return sum(node.a, node.b);
      case Operation::multiply:
        return product(node.a, node.b);
      case Operation::divide:
        return joined(within(x, Binds::product) + "/" + within(y, Binds::power), Binds::product, x, y);
      case Operation::inverse:
        return joined("1/" + within(x, Binds::power), Binds::product, x, x);
      case Operation::power:
        return joined(within(x, Binds::atom) + "^" + within(y, Binds::atom), Binds::power, x, y);
      case Operation::less:
        return joined("(" + x.text + " < " + y.text + ")", Binds::atom, x, y);
      case Operation::when:
        return joined("if(" + x.text + ", " + y.text + ", 0)", Binds::atom, x, y);
      case Operation::unless:
        return joined("if(" + x.text + ", 0, " + y.text + ")", Binds::atom, x, y);
      case Operation::table:
        if (!table_) break;
        return joined(table_(static_cast<int>(graph_.value(node.b))) + "(" + x.text + ")", Binds::atom, x, x);
      default:
        break;
    }
    for (const NamedFunction& f : named_functions)
      if (f.operation == node.operation)
        return joined(std::string(f.name) + "(" + x.text + (f.arguments > 1 ? ", " + y.text : "") + ")", Binds::atom, x,
                      y);
    throw InputError("a formula has an operation that cannot be written; expected those of docs/formulas.md");
  }

  Piece sum(int a, int b) const {
    // One condition and its two branches.
    for (const auto& [yes, no] : {std::pair{a, b}, std::pair{b, a}})
      if (is_operation(yes, Operation::when) && is_operation(no, Operation::unless) && graph_[yes].a == graph_[no].a &&
          of(yes).text.starts_with("if(") && of(no).text.starts_with("if(")) {
        const Piece &c = of(graph_[yes].a), &x = of(graph_[yes].b), &y = of(graph_[no].b);
        return {"if(" + c.text + ", " + x.text + ", " + y.text + ")", Binds::atom,
                std::max({c.depth, x.depth, y.depth}) + 1};
      }
    // Sums on the left need no parentheses, what is negative is subtracted on the right.
    const bool swap = (of(b).binds == Binds::sum && of(a).binds != Binds::sum) ||
                      (of(a).binds != Binds::sum && is_negative(of(a).text) && !is_negative(of(b).text));
    const Piece &x = of(swap ? b : a), &y = of(swap ? a : b);
    if (y.binds != Binds::sum && is_negative(y.text))
      return {x.text + " - " + y.text.substr(1), Binds::sum, std::max(x.depth, y.depth + 1)};
    return {x.text + " + " + (y.binds == Binds::sum ? "(" + y.text + ")" : y.text), Binds::sum,
            std::max(x.depth, y.depth + 1)};
  }

  Piece product(int a, int b) const {
    if (a == b) return joined(within(of(a), Binds::atom) + "^2", Binds::power, of(a), of(a));
    for (const auto& [c, other] : {std::pair{a, b}, std::pair{b, a}})
      if (graph_.is_constant(c)) {
        const Piece& rest = of(other);
        const std::string tail = within(rest, Binds::product);
        if (graph_.is(c, -1)) return {"-" + tail, Binds::product, rest.depth + 1};
        return {of(c).text + "*" + (rest.binds == Binds::product ? "(" + rest.text + ")" : tail), Binds::product,
                rest.depth + 1};
      }
    const bool swap = of(b).binds == Binds::product && of(a).binds != Binds::product;
    const Piece &x = of(swap ? b : a), &y = of(swap ? a : b);
    return {within(x, Binds::product) + "*" + within(y, Binds::power), Binds::product, std::max(x.depth, y.depth) + 1};
  }

  const Graph& graph_;
  const std::function<std::string(const Graph::Node&)>& leaf_;
  const std::function<std::string(int)>& table_;
  std::vector<Piece> pieces_;
};

}  // namespace

PrintedFormulas print(const Graph& graph, const std::vector<int>& roots,
                      const std::function<std::string(const Graph::Node&)>& leaf,
                      const std::function<std::string()>& fresh, const std::function<std::string(int)>& table) {
  return Printer(graph, leaf, table).all(roots, fresh);
}

std::string formula_name(const std::string& name) {
  if (is_formula_name(name)) return name;
  if (name.find('\'') != std::string::npos)
    throw InputError("found the name \"" + name + "\"; expected one without ', which formulas cannot have in a name");
  return "'" + name + "'";
}

}  // namespace extremal
