// The chain of models/fermi-pasta-ulam.toml with n pairs of points, as a program has it; its potentials count.
#pragma once

#include <string>
#include <vector>

#include "extremal/models.hpp"

namespace extremal::papers {

// Of the potentials below, each of them for a value, a gradient or more at one site.
inline long potential_calls = 0;

inline Model stiff_chain(int n) {
  System s("chain");
  std::vector<Coordinates<1>> q;
  for (int i = 0; i < 2 * n; ++i) q.push_back(s.coordinates("q" + std::to_string(i)));
  std::vector<Coordinates<2>> stiff, soft;
  for (std::size_t i = 0; i + 1 < q.size(); ++i) (i % 2 == 0 ? stiff : soft).push_back(join(q[i], q[i + 1]));
  s.kinetic(q, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0]); });
  s.potential(stiff, [](const auto& x) {
    ++potential_calls;
    return 100.0 * (x[1] - x[0]) * (x[1] - x[0]);
  });
  const auto fourth = [](const auto& x) {
    ++potential_calls;
    return x * x * x * x;
  };
  s.slow_potential(soft, [fourth](const auto& x) { return fourth(x[1] - x[0]); });
  s.slow_potential(std::vector{q.front(), q.back()}, [fourth](const auto& x) { return fourth(x[0]); });
  Start start;
  for (int i = 0; i < 2 * n; ++i) {
    start.q.push_back(Number(i == 0 ? "0.7" : i == 1 ? "0.75" : "0"));
    start.v.push_back(Number(i == 1 ? "1.4" : "0"));
  }
  return {.system = s, .start = start, .span = {}, .title = "", .citation = ""};
}

}  // namespace extremal::papers
