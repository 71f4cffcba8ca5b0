// Graph: expressions as a directed graph in which equal expressions are the same node.
//
//   Graph g;
//   const int x = g.coordinate(0), m = g.parameter(0);
//   const int f = g.multiply(m, g.multiply(x, x));       // m x^2
//   const int df = gradient(g, {{f, g.constant(1)}}, {x})[0];   // derivative.hpp: 2 m x
//
// Nodes are made by normalising constructors only: constants are folded in quad, c (d x) is (c d) x, a - b is
// a + (-1) b, k x + l x is (k + l) x, what does not vary (constants and parameters) is gathered in front of what
// does, and operands of + and * are in the order of their birth. So the structural zeros of derivatives and common
// subexpressions need no search. Operands are older than what uses them: every pass is a loop, whatever the depth.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "extremal/detail/degree.hpp"
#include "extremal/error.hpp"
#include "system/operation.hpp"

namespace extremal {

class Graph {
 public:
  static constexpr int default_limit = 50000;

  enum class Leaf : std::uint8_t { none, constant, parameter, coordinate, velocity, t, weight };
  struct Node {
    Leaf leaf;
    Operation operation;  // if it is no leaf
    int a, b;             // operands (b = -1 if there is one only), or the index of a leaf
  };
  // Thrown where a node more than the limit would be needed.
  struct Full : InputError {
    int limit;
    explicit Full(int most)
        : InputError("a formula needs more than " + std::to_string(most) +
                     " operations, derivatives included; expected less"),
          limit(most) {}
  };

  explicit Graph(int limit = default_limit) : limit_(limit) {}

  int constant(quad x);
  int leaf(Leaf kind, int index);
  int parameter(int index) { return leaf(Leaf::parameter, index); }
  int coordinate(int index) { return leaf(Leaf::coordinate, index); }
  int velocity(int index) { return leaf(Leaf::velocity, index); }
  int time() { return leaf(Leaf::t, 0); }
  int weight(int row) { return leaf(Leaf::weight, row); }  // of a row of a term, see TermAt::hessian

  int add(int a, int b);
  int subtract(int a, int b) { return add(a, negate(b)); }
  int negate(int a) { return multiply(constant(-1), a); }
  int multiply(int a, int b);
  int divide(int a, int b);
  int inverse(int a);
  int power(int a, int b);
  int apply(Operation operation, int a, int b = -1);  // any of Operation's that can be written, inverse and sign

  int size() const { return static_cast<int>(nodes_.size()); }
  const Node& operator[](int n) const { return nodes_[static_cast<std::size_t>(n)]; }
  bool is_constant(int n) const { return (*this)[n].leaf == Leaf::constant; }
  quad value(int constant) const { return constants_[static_cast<std::size_t>((*this)[constant].a)]; }
  bool is(int n, int value) const { return is_constant(n) && this->value(n) == quad(value); }
  // Whether it depends on coordinates, velocities, time or weights; whether on what is differentiated (all but
  // weights).
  bool varies(int n) const { return (flags_[static_cast<std::size_t>(n)] & 1) != 0; }
  bool differentiable(int n) const { return (flags_[static_cast<std::size_t>(n)] & 2) != 0; }
  // The node of an operation if there is one, otherwise -1.
  int find(Operation operation, int a, int b = -1) const;

  // Whether each node is one of `roots` or needed for it.
  std::vector<bool> reachable(const std::vector<int>& roots) const;
  // The polynomial degree of each node in q, v, t; conservative, by the rules of Degree.
  std::vector<DegreeBound> degrees() const;
  // Whether one of `roots` has a jump or a kink that depends on time: a condition, floor, sign, abs.
  bool jumps_in_time(const std::vector<int>& roots) const;
  // The value of a node without variables at the given values of the parameters.
  quad evaluate(int root, const std::vector<quad>& parameters) const;

 private:
  struct Key {
    std::uint64_t high, low;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  // k times the rest, where k does not vary (or, of a node that does not vary itself, is a constant).
  struct Split {
    int k, rest;
  };
  Split split(int n) const;
  static Key key(Leaf leaf, Operation operation, int a, int b);
  int node(Leaf leaf, Operation operation, int a, int b);
  int unvarying_product(int a, int b);
  int raw(Operation operation, int a, int b);
  // The constant, if it is finite at every scalar; otherwise -1: then the operation stays.
  int folded(quad x);

  int limit_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> flags_;
  std::vector<quad> constants_;
  std::unordered_map<Key, int, Hash> known_, known_constants_;
};

// Copies nodes of one graph to another, each once; leaf(node of `from`) gives what a leaf other than a constant
// becomes.
class GraphCopy {
 public:
  using LeafMap = std::function<int(const Graph::Node&)>;
  GraphCopy(const Graph& from, Graph& to, LeafMap leaf) : from_(from), to_(to), leaf_(std::move(leaf)) {}
  int operator()(int root);

 private:
  const Graph& from_;
  Graph& to_;
  LeafMap leaf_;
  std::vector<int> here_, stack_;
};

}  // namespace extremal
