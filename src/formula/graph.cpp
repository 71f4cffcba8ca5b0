#include "formula/graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "numbers/index.hpp"

namespace extremal {
namespace {

bool commutes(Operation o) { return o == Operation::add || o == Operation::multiply; }

// Whether 1/x is exact: multiplying by it is then as good as dividing by x.
bool power_of_two(quad x) {
  const double d = static_cast<double>(x);
  if (quad(d) != x || d == 0 || !math::finite(d)) return false;
  int exponent = 0;
  const double mantissa = std::frexp(d, &exponent);
  return math::abs(mantissa) == 0.5 && exponent > -1000 && exponent < 1000;
}

}  // namespace

std::size_t Graph::Hash::operator()(const Key& key) const {
  std::uint64_t x = key.high * 0x9e3779b97f4a7c15u ^ key.low;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::size_t>(x ^ (x >> 31));
}

Graph::Key Graph::key(Leaf leaf, Operation operation, int a, int b) {
  return {static_cast<std::uint64_t>(leaf) << 8 | static_cast<std::uint64_t>(operation),
          static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b)};
}

int Graph::node(Leaf leaf, Operation operation, int a, int b) {
  const auto [place, fresh] = known_.try_emplace(key(leaf, operation, a, b), size());
  if (!fresh) return place->second;
  if (size() >= limit_) {
    known_.erase(place);
    throw Full(limit_);
  }
  std::uint8_t flags = 0;
  if (leaf == Leaf::none)
    flags = static_cast<std::uint8_t>(flags_[sz(a)] | (b >= 0 ? flags_[sz(b)] : 0));
  else if (leaf == Leaf::weight)
    flags = 1;
  else if (leaf != Leaf::constant && leaf != Leaf::parameter)
    flags = 3;
  nodes_.push_back({leaf, operation, a, b});
  flags_.push_back(flags);
  return size() - 1;
}

int Graph::find(Operation operation, int a, int b) const {
  const auto found = known_.find(key(Leaf::none, operation, a, b));
  return found == known_.end() ? -1 : found->second;
}

int Graph::constant(quad x) {
  if (x == 0) x = 0;  // one zero, without a sign
  Key bits{};
  static_assert(sizeof x == sizeof bits);
  std::memcpy(&bits, &x, sizeof x);
  const auto [place, fresh] = known_constants_.try_emplace(bits, static_cast<int>(constants_.size()));
  if (fresh) constants_.push_back(x);
  return node(Leaf::constant, Operation::add, place->second, -1);
}

int Graph::leaf(Leaf kind, int index) { return node(kind, Operation::add, index, -1); }

int Graph::folded(quad x) { return math::finite(static_cast<double>(x)) ? constant(x) : -1; }

int Graph::raw(Operation operation, int a, int b) {
  if (commutes(operation) && a > b) std::swap(a, b);
  return node(Leaf::none, operation, a, b);
}

Graph::Split Graph::split(int n) const {
  const Node& node = (*this)[n];
  if (node.leaf == Leaf::none && node.operation == Operation::multiply) {
    // Operands are sorted by age, so that either may be the one in front.
    for (const auto& [k, rest] : {std::pair{node.a, node.b}, std::pair{node.b, node.a}})
      if (varies(n) ? !varies(k) : is_constant(k)) return {k, rest};
  }
  return {-1, n};
}

int Graph::unvarying_product(int a, int b) {
  if (is_constant(a) && is_constant(b))
    if (const int c = folded(value(a) * value(b)); c >= 0) return c;
  if (is(a, 0) || is(b, 1)) return a;
  if (is(b, 0) || is(a, 1)) return b;
  if (is_constant(a) && is_constant(b)) return raw(Operation::multiply, a, b);
  const auto parts = [&](int n) { return is_constant(n) ? Split{n, -1} : split(n); };
  const Split x = parts(a), y = parts(b);
  int c = x.k, rest = x.rest;
  if (y.k >= 0) {
    if (c >= 0) {
      const int both = folded(value(c) * value(y.k));
      if (both < 0) return raw(Operation::multiply, a, b);
      c = both;
    } else {
      c = y.k;
    }
  }
  if (y.rest >= 0) rest = rest >= 0 ? raw(Operation::multiply, rest, y.rest) : y.rest;
  if (c < 0 || is(c, 1)) return rest;
  return is(c, 0) ? c : raw(Operation::multiply, c, rest);
}

int Graph::multiply(int a, int b) {
  if (!varies(a) && !varies(b)) return unvarying_product(a, b);
  const auto parts = [&](int n) { return varies(n) ? split(n) : Split{n, -1}; };
  const Split x = parts(a), y = parts(b);
  const int k = x.k < 0 ? y.k : y.k < 0 ? x.k : unvarying_product(x.k, y.k);
  if (k >= 0 && is(k, 0)) return k;
  const int rest = x.rest < 0 ? y.rest : y.rest < 0 ? x.rest : raw(Operation::multiply, x.rest, y.rest);
  return k < 0 || is(k, 1) ? rest : raw(Operation::multiply, k, rest);
}

int Graph::add(int a, int b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if (is_constant(a) && is_constant(b))
    if (const int c = folded(value(a) + value(b)); c >= 0) return c;
  const Split x = split(a), y = split(b);
  if (x.rest == y.rest) {
    const int one = constant(1);
    return multiply(add(x.k < 0 ? one : x.k, y.k < 0 ? one : y.k), x.rest);
  }
  // c + (d + x)
  for (const auto& [c, other] : {std::pair{a, b}, std::pair{b, a}}) {
    const Node inner = (*this)[other];
    if (!is_constant(c) || inner.leaf != Leaf::none || inner.operation != Operation::add) continue;
    for (const auto& [d, rest] : {std::pair{inner.a, inner.b}, std::pair{inner.b, inner.a}})
      if (is_constant(d))
        if (const int both = folded(value(c) + value(d)); both >= 0) return add(both, rest);
  }
  return raw(Operation::add, a, b);
}

int Graph::divide(int a, int b) {
  if (is(a, 0) || is(b, 1)) return a;
  if (is_constant(a) && is_constant(b))
    if (const int c = folded(value(a) / value(b)); c >= 0) return c;
  // Only where it is exact: x/10 is not 0.1 x.
  if (is_constant(b) && power_of_two(value(b))) return multiply(constant(1 / value(b)), a);
  if (is_constant(a) && power_of_two(value(a))) return multiply(a, inverse(b));
  if (is(split(a).k < 0 ? a : split(a).k, -1)) return negate(divide(split(a).rest, b));
  return raw(Operation::divide, a, b);
}

int Graph::inverse(int a) {
  if (is_constant(a))
    if (const int c = folded(1 / value(a)); c >= 0) return c;
  const Node node = (*this)[a];
  if (node.leaf == Leaf::none && node.operation == Operation::inverse) return node.a;
  return raw(Operation::inverse, a, -1);
}

int Graph::power(int a, int b) {
  if (is(a, 1) || is(b, 1)) return a;
  if (!is_constant(b)) return raw(Operation::power, a, b);
  const quad exponent = value(b);
  if (is_constant(a))
    if (const int c = folded(math::pow(value(a), exponent)); c >= 0) return c;
  if (exponent == 0) return constant(1);
  if (exponent == 2) return multiply(a, a);
  if (exponent == -1) return inverse(a);
  if (exponent == quad(0.5)) return apply(Operation::sqrt, a);
  if (exponent == quad(-0.5)) return inverse(apply(Operation::sqrt, a));
  return raw(Operation::power, a, b);
}

int Graph::apply(Operation operation, int a, int b) {
  switch (operation) {
    case Operation::add:
      return add(a, b);
    case Operation::subtract:
      return subtract(a, b);
    case Operation::multiply:
      return multiply(a, b);
    case Operation::divide:
      return divide(a, b);
    case Operation::negate:
      return negate(a);
    case Operation::power:
      return power(a, b);
    case Operation::inverse:
      return inverse(a);
    default:
      break;
  }
  // Those that others can say: derivatives and branches are then theirs too.
  if (operation == Operation::minimum || operation == Operation::maximum) {
    const int first = operation == Operation::minimum ? apply(Operation::less, a, b) : apply(Operation::less, b, a);
    return add(apply(Operation::when, first, a), apply(Operation::unless, first, b));
  }
  if (operation == Operation::modulo) return subtract(a, multiply(b, apply(Operation::floor, divide(a, b))));
  if (operation == Operation::signum && !is_constant(a)) {
    const int zero = constant(0);
    return subtract(apply(Operation::less, zero, a), apply(Operation::less, a, zero));
  }
  if (operation == Operation::when || operation == Operation::unless) {
    if (is(b, 0)) return b;
    if (is_constant(a)) return (value(a) > quad(0.5)) == (operation == Operation::when) ? b : constant(0);
  }
  const bool two = operation == Operation::atan2 || operation == Operation::less || operation == Operation::when ||
                   operation == Operation::unless || operation == Operation::table;
  if (is_constant(a) && (!two || is_constant(b)))
    if (const int c = folded(extremal::apply(operation, value(a), two ? value(b) : quad(0))); c >= 0) return c;
  return raw(operation, a, two ? b : -1);
}

std::vector<bool> Graph::reachable(const std::vector<int>& roots) const {
  std::vector<bool> needed(nodes_.size(), false);
  for (const int root : roots) needed[sz(root)] = true;
  for (int n = size() - 1; n >= 0; --n) {
    const Node& node = (*this)[n];
    if (!needed[sz(n)] || node.leaf != Leaf::none) continue;
    needed[sz(node.a)] = true;
    if (node.b >= 0) needed[sz(node.b)] = true;
  }
  return needed;
}

bool Graph::jumps_in_time(const std::vector<int>& roots) const {
  const std::vector<bool> needed = reachable(roots);
  const std::vector<DegreeBound> bounds = degrees();
  for (int n = 0; n < size(); ++n) {
    const Node& node = (*this)[n];
    if (!needed[sz(n)] || node.leaf != Leaf::none) continue;
    const bool jumps = node.operation == Operation::less || node.operation == Operation::floor ||
                       node.operation == Operation::sign || node.operation == Operation::abs ||
                       (node.operation == Operation::table && table_kinks(static_cast<int>(value(node.b))));
    if (jumps && (bounds[sz(node.a)].t != 0 || (node.b >= 0 && bounds[sz(node.b)].t != 0))) return true;
  }
  return false;
}

std::vector<DegreeBound> Graph::degrees() const {
  std::vector<DegreeBound> all(nodes_.size());
  const auto each = [](const DegreeBound& x, const DegreeBound& y, auto f) {
    return DegreeBound{f(x.q, y.q), f(x.v, y.v), f(x.t, y.t)};
  };
  const auto unbounded = [](int x, int y) { return x > 0 || y > 0 ? Degree::unbounded : 0; };
  for (int n = 0; n < size(); ++n) {
    const Node& node = (*this)[n];
    DegreeBound& degree = all[sz(n)];
    if (node.leaf != Leaf::none) {
      degree = {node.leaf == Leaf::coordinate ? 1 : 0, node.leaf == Leaf::velocity ? 1 : 0,
                node.leaf == Leaf::t ? 1 : 0};
      continue;
    }
    const DegreeBound a = all[sz(node.a)], b = node.b >= 0 ? all[sz(node.b)] : DegreeBound{0, 0, 0};
    if (node.operation == Operation::add) {
      degree = each(a, b, [](int x, int y) { return std::max(x, y); });
    } else if (node.operation == Operation::multiply) {
      degree = each(a, b, [](int x, int y) { return Degree::cap(x + y); });
    } else if (node.operation == Operation::divide) {
      degree = each(a, b, [](int x, int y) { return y > 0 ? Degree::unbounded : x; });
    } else if (node.operation == Operation::power && is_constant(node.b) && value(node.b) > 0 &&
               value(node.b) < quad(Degree::unbounded) && value(node.b) == quad(static_cast<int>(value(node.b)))) {
      const int exponent = static_cast<int>(value(node.b));
      degree = each(a, a, [&](int x, int) { return Degree::cap(x * exponent); });
    } else {
      degree = each(a, b, unbounded);
    }
  }
  return all;
}

quad Graph::evaluate(int root, const std::vector<quad>& parameters) const {
  const std::vector<bool> needed = reachable({root});
  std::vector<quad> values(nodes_.size());
  for (int n = 0; n <= root; ++n) {
    const Node& node = (*this)[n];
    if (!needed[sz(n)]) continue;
    if (node.leaf == Leaf::constant)
      values[sz(n)] = value(n);
    else if (node.leaf == Leaf::parameter)
      values[sz(n)] = parameters[sz(node.a)];
    else if (node.leaf == Leaf::none)
      values[sz(n)] = extremal::apply(node.operation, values[sz(node.a)], node.b >= 0 ? values[sz(node.b)] : quad(0));
  }
  return values[sz(root)];
}

int GraphCopy::operator()(int root) {
  here_.resize(sz(from_.size()), -1);
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const int n = stack_.back();
    const Graph::Node node = from_[n];  // a copy: both graphs may be the same
    if (here_[sz(n)] < 0 && node.leaf == Graph::Leaf::none) {
      const std::size_t before = stack_.size();
      for (const int operand : {node.a, node.b})
        if (operand >= 0 && here_[sz(operand)] < 0) stack_.push_back(operand);
      if (stack_.size() > before) continue;
      here_[sz(n)] = to_.apply(node.operation, here_[sz(node.a)], node.b < 0 ? -1 : here_[sz(node.b)]);
    } else if (here_[sz(n)] < 0) {
      here_[sz(n)] = node.leaf == Graph::Leaf::constant ? to_.constant(from_.value(n)) : leaf_(node);
    }
    stack_.pop_back();
  }
  return here_[sz(root)];
}

}  // namespace extremal
