// The chain of models/fermi-pasta-ulam.toml with n pairs of points, and models/stiff-triple-pendulum.toml, as a program
// has them; their potentials count.
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

inline Model counted_triple_pendulum() {
  Model m = model("stiff-triple-pendulum");
  System s("triple pendulum");
  const auto first = s.coordinates("x1", "y1"), second = s.coordinates("x2", "y2"), third = s.coordinates("x3", "y3");
  s.kinetic(std::vector{first, second, third},
            [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(join(first, second), [](const auto& q) {
    ++potential_calls;
    const auto x = q[2] - q[0], y = q[3] - q[1];
    const auto stretch = sqrt(x * x + y * y) - 1.0;
    return 1000.0 * stretch * stretch;
  });
  s.slow_potential(std::vector{first, second, third}, [](const auto& q) {
    ++potential_calls;
    return 9.81 * q[1];
  });
  s.constraint("first rod", first, [](const auto& q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
  s.constraint("third rod", join(second, third),
               [](const auto& q) { return (q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - 1.0; });
  m.system = s;
  return m;
}

}  // namespace extremal::papers
