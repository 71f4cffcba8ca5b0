// Any text as a few formulas: read, differentiated and evaluated, whatever they are.
//
// Lines are formulas: the first defines parameter a, the second parameter b, the others are rows. Each is tried in
// every role. The only thing that may happen is InputError; two ways to the same value must give the same bits.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/error.hpp"
#include "formula/formulas.hpp"

namespace extremal {

template <class S>
bool same_bits(S x, S y) {
  return x == y || (x != x && y != y);
}

template <class S>
void fuzz_evaluate(const Term& term, const System& system) {
  const int nodes = 5, n = system.size();
  std::vector<S> q, v, t, p;
  for (int i = 0; i < nodes * n; ++i) q.push_back(S(i % 7 - 3) / S(4)), v.push_back(S(i % 5 - 2));
  for (int k = 0; k < nodes; ++k) t.push_back(S(k) / S(2));
  for (const Number& x : system.parameters()) p.push_back(x.as<S>());
  const auto calls = static_cast<std::size_t>(nodes * term.site_count() * term.row_count);
  const auto M = static_cast<std::size_t>(term.variables);
  std::vector<S> value(calls), again(calls), slope(calls * M), bend(calls * M * (M + 1) / 2), weights(calls, S(1));
  const Nodes<S> at{nodes, n, q.data(), v.data(), t.data(), p.data()};
  term.at<S>().value(at, value.data());
  term.at<S>().gradient(at, again.data(), slope.data());
  term.at<S>().hessian(at, weights.data(), bend.data());
  for (std::size_t i = 0; i < calls; ++i)
    if (!same_bits(value[i], again[i])) std::abort();
  // Node by node: other lanes.
  for (int k = 0; k < nodes; ++k) {
    const auto i = static_cast<std::size_t>(k) * calls / static_cast<std::size_t>(nodes);
    term.at<S>().value({1, n, q.data() + k * n, v.data() + k * n, t.data() + k, p.data()}, again.data());
    if (!same_bits(value[i], again[0])) std::abort();
  }
}

inline void fuzz_formula(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n' && lines.size() < 6)
      lines.emplace_back();
    else
      lines.back() += c;
  }
  while (lines.size() < 3) lines.emplace_back("a*x + b*y'");
  const std::vector<std::string> rows(lines.begin() + 2, lines.end());

  System s("s");
  s.coordinates("x", "y");
  s.coordinates("bar.x");
  Formulas f(s, {.operations = 4000, .all_operations = 20000, .coordinates = 3, .all_text = 100000});
  const auto attempt = [](auto action) {
    try {
      action();
    } catch (const InputError& error) {
      if (std::strlen(error.what()) > 4000) std::abort();
    }
  };
  attempt([&] { f.parameters({{"a", lines[0]}, {"b", lines[1]}}); });
  attempt([&] { f.add(Role::lagrangian, rows[0]); });
  attempt([&] { f.add(Role::potential, rows[0]); });
  attempt([&] { f.add(Role::constraint, "g", rows); });
  attempt([&] { f.along(Role::force, "f", {{"x", rows.front()}, {"bar.x", rows.back()}}); });
  attempt([&] { f.add(Role::symmetry, "s", {rows.front(), rows.back()}, {{"x", "y"}, {{"x", "y"}, {"bar.x", "x"}}}); });
  attempt([&] { f.number(rows[0]); });
  attempt([&] {
    const TimeFunction wave = f.time_function(rows[0]);
    wave.at(0.5);
    wave.at(quad(0.5));
  });
  attempt([&] { Number(rows[0]).as<double>(); });
  for (const auto& term : s.terms()) {
    fuzz_evaluate<double>(*term, s);
    fuzz_evaluate<quad>(*term, s);
  }
}

}  // namespace extremal
