// How a Tape is made of nodes: powers are written out, instructions chosen, slots assigned.
#include "formula/tape.hpp"

#include <array>
#include <utility>

#include "numbers/index.hpp"

namespace extremal {
namespace {

// Beyond this a power is left to pow: repeated multiplication would lose more digits.
constexpr int most_multiplications = 64;

// x^n for n >= 1.
int integer_power(Graph& g, int x, int n) {
  int result = -1;
  for (;; n /= 2, x = g.multiply(x, x)) {
    if (n % 2 == 1) result = result < 0 ? x : g.multiply(result, x);
    if (n <= 1) return result;
  }
}

// The outputs with x^3, x^-2 or x^1.5 as products, quotients and square roots. Derivatives are taken before, since
// they are shorter and, at x = 0, finite as long as possible in terms of powers.
std::vector<int> write_out_powers(Graph& g, const std::vector<int>& outputs) {
  const int count = g.size();
  const std::vector<bool> needed = g.reachable(outputs);
  std::vector<int> now(sz(count), -1), result;
  for (int n = 0; n < count; ++n) {
    if (!needed[sz(n)]) continue;
    const Graph::Node node = g[n];
    now[sz(n)] = n;
    if (node.leaf != Graph::Leaf::none) continue;
    const int a = now[sz(node.a)], b = node.b < 0 ? -1 : now[sz(node.b)];
    if (node.operation == Operation::power && g.is_constant(b)) {
      const quad twice = 2 * math::abs(g.value(b));
      if (twice <= quad(2 * most_multiplications) && twice == quad(static_cast<int>(twice)) && twice != 0) {
        const int whole = static_cast<int>(twice) / 2, half = static_cast<int>(twice) % 2;
        int x = whole > 0 ? integer_power(g, a, whole) : -1;
        if (half == 1) {
          const int root = g.apply(Operation::sqrt, a);
          x = x < 0 ? root : g.multiply(x, root);
        }
        now[sz(n)] = g.value(b) < 0 ? g.inverse(x) : x;
        continue;
      }
    }
    if (a != node.a || b != node.b) now[sz(n)] = g.apply(node.operation, a, b);
  }
  for (const int output : outputs) result.push_back(now[sz(output)]);
  return result;
}

// A node's instruction with nodes in place of slots.
struct Choice {
  Operation operation;
  int a, b, c;
};

class Chooser {
 public:
  Chooser(const Graph& graph, const std::vector<int>& outputs) : g_(graph), uses_(sz(graph.size()), 0) {
    const std::vector<bool> reachable = g_.reachable(outputs);
    for (int n = 0; n < g_.size(); ++n) {
      const Graph::Node& node = g_[n];
      if (!reachable[sz(n)] || node.leaf != Graph::Leaf::none) continue;
      ++uses_[sz(node.a)];
      if (node.b >= 0) ++uses_[sz(node.b)];
    }
    for (const int output : outputs) uses_[sz(output)] += 2;  // an output is no part of another instruction
  }

  Choice choose(int n) const {
    const Graph::Node& node = g_[n];
    if (node.operation == Operation::multiply)
      for (const auto& [x, y] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}})
        if (g_.is(x, -1)) return {Operation::negate, y, -1, -1};
    if (node.operation != Operation::add) return {node.operation, node.a, node.b, -1};
    for (const auto& [x, y] : {std::pair{node.b, node.a}, std::pair{node.a, node.b}})
      if (const int positive = negated(x); positive >= 0) {
        if (inner_product(n, positive)) return {Operation::subtract_product, g_[positive].a, g_[positive].b, y};
        return {Operation::subtract, y, positive, -1};
      }
    for (const auto& [x, y] : {std::pair{node.b, node.a}, std::pair{node.a, node.b}})
      if (inner_product(n, x)) return {Operation::multiply_add, g_[x].a, g_[x].b, y};
    return {Operation::add, node.a, node.b, -1};
  }

 private:
  bool is_product(int n) const { return g_[n].leaf == Graph::Leaf::none && g_[n].operation == Operation::multiply; }
  // x if n is -x, otherwise -1.
  int negated(int n) const {
    if (!is_product(n)) return -1;
    return g_.is(g_[n].a, -1) ? g_[n].b : g_.is(g_[n].b, -1) ? g_[n].a : -1;
  }
  // Whether x is a product that nobody but n needs and that varies as n does.
  bool inner_product(int n, int x) const {
    return is_product(x) && uses_[sz(x)] == 1 && g_.varies(x) == g_.varies(n) && negated(x) < 0;
  }

  const Graph& g_;
  std::vector<int> uses_;
};

}  // namespace

Tape::Tape(Graph& graph, const std::vector<int>& wanted, int first) : first_(first) {
  const std::vector<int> outputs = write_out_powers(graph, wanted);
  const Graph& g = graph;
  const Chooser chooser(g, outputs);
  std::vector<Choice> choice(sz(g.size()));
  std::vector<bool> needed(sz(g.size()), false);
  for (const int output : outputs) needed[sz(output)] = true;
  for (int n = g.size() - 1; n >= 0; --n) {
    if (!needed[sz(n)] || g[n].leaf != Graph::Leaf::none) continue;
    choice[sz(n)] = chooser.choose(n);
    for (const int x : {choice[sz(n)].a, choice[sz(n)].b, choice[sz(n)].c})
      if (x >= 0) needed[sz(x)] = true;
  }

  // Sine and cosine of the same angle are one instruction, where the first of them stands.
  std::vector<bool> done(sz(g.size()), false);
  std::vector<std::pair<int, Choice>> shared, program;  // with the node that is computed
  for (int n = 0; n < g.size(); ++n) {
    if (!needed[sz(n)] || g[n].leaf != Graph::Leaf::none || done[sz(n)]) continue;
    Choice c = choice[sz(n)];
    int node = n;
    if (c.operation == Operation::sin || c.operation == Operation::cos) {
      const int sine = g.find(Operation::sin, c.a), cosine = g.find(Operation::cos, c.a);
      if (sine >= 0 && cosine >= 0 && needed[sz(sine)] && needed[sz(cosine)]) {
        c = {Operation::sine_cosine, c.a, -1, cosine};
        node = sine;
        done[sz(cosine)] = done[sz(sine)] = true;
      }
    }
    (g.varies(n) ? program : shared).emplace_back(node, c);
  }

  // Slots that live as long as the frame.
  std::vector<int> slot(sz(g.size()), -1);
  const auto assign = [&](Graph::Leaf leaf, auto note) {
    for (int n = 0; n < g.size(); ++n)
      if (needed[sz(n)] && g[n].leaf == leaf) {
        slot[sz(n)] = slots_++;
        note(n);
      }
  };
  assign(Graph::Leaf::constant, [&](int n) {
    std::apply([&]<class... S>(std::vector<S>&... list) { (list.push_back(static_cast<S>(g.value(n))), ...); },
               constants_);
  });
  assign(Graph::Leaf::parameter, [&](int n) { parameters_.push_back(g[n].a); });
  for (const auto& [n, c] : shared) {
    slot[sz(n)] = slots_++;
    if (c.operation == Operation::sine_cosine) slot[sz(c.c)] = slots_++;
  }
  shared_slots_ = slots_;
  assign(Graph::Leaf::coordinate, [&](int n) { q_.push_back(g[n].a); });
  assign(Graph::Leaf::velocity, [&](int n) { v_.push_back(g[n].a); });
  assign(Graph::Leaf::weight, [&](int n) { weights_.push_back(g[n].a); });
  assign(Graph::Leaf::t, [&](int) { time_ = true; });

  // Of the program, slots are used again after the last use of what they hold.
  const auto emit = [&](int n, const Choice& c) {
    const auto of = [&](int x) { return x < 0 ? 0 : slot[sz(x)]; };
    return Instruction{c.operation, slot[sz(n)], of(c.a), of(c.b), of(c.c)};
  };
  for (const auto& [n, c] : shared) shared_.push_back(emit(n, c));
  std::vector<int> last(sz(g.size()), -1);
  const auto operands = [](const Choice& c) {
    return std::array<int, 3>{c.a, c.b, c.operation == Operation::sine_cosine ? -1 : c.c};
  };
  for (int i = 0; i < static_cast<int>(program.size()); ++i)
    for (const int x : operands(program[sz(i)].second))
      if (x >= 0) last[sz(x)] = i;
  for (const int output : outputs) last[sz(output)] = static_cast<int>(program.size());
  std::vector<int> free;
  const auto fresh = [&] {
    if (free.empty()) return slots_++;
    const int s = free.back();
    free.pop_back();
    return s;
  };
  for (int i = 0; i < static_cast<int>(program.size()); ++i) {
    const auto& [n, c] = program[sz(i)];
    for (const int x : operands(c))
      if (x >= 0 && last[sz(x)] == i && g[x].leaf == Graph::Leaf::none && g.varies(x)) {
        free.push_back(slot[sz(x)]);
        last[sz(x)] = -1;  // an operand that occurs twice is freed once
      }
    slot[sz(n)] = fresh();
    if (c.operation == Operation::sine_cosine) slot[sz(c.c)] = fresh();
    program_.push_back(emit(n, c));
  }
  for (const int output : outputs) outputs_.push_back(slot[sz(output)]);

  std::vector<bool> used(sz(shared_slots_), false);
  const auto use = [&](int s) {
    if (s < shared_slots_) used[sz(s)] = true;
  };
  for (const auto& [n, c] : program)
    for (const int x : operands(c))
      if (x >= 0 && !g.varies(x)) use(slot[sz(x)]);
  for (const int s : outputs_) use(s);
  for (int s = 0; s < shared_slots_; ++s)
    if (used[sz(s)]) broadcast_.push_back(s);
}

}  // namespace extremal
