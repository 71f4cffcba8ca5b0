// P12: passages. Motions that are far faster in some places than in others, for which equal steps are too long there or
// too many elsewhere.
//
//   P12a  Kepler's problem of eccentricity 0.9 from the aphelion, 100 orbits: q'' = -q / |q|^3
//   P12b  a bead on the unit sphere past a well 0.01 below its lowest point, to t = 20: V = -0.1 / |q + 1.01 e_z|
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "measure.hpp"

namespace peers::passages {

using Place = std::array<double, 3>;

struct Passage {
  const char* workload;
  double until, step;  // of the coarsest rung
  Place end;
};
inline const double year = 2 * std::acos(-1.0);
inline const Passage orbits{"P12a", 100 * year, year / 50, {1.9, 0, 0}};
// By spark(7) with the symplectic pace in long double, and by RKF78 in long double, which agree to 2e-14.
inline const Passage bead{"P12b", 20, 0.08, {-0.616827577459388, -0.539703965653217, -0.572925273612339}};

inline double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// Climbs to an error of 1e-9 of the last position; run(setting) -> that position. The setting is a step, or a
// tolerance.
template <class F>
void ladder(const Passage& passage, const char* contestant, const char* method, const char* format, double coarse,
            double factor, double budget, F&& run) {
  climb(40, 1e-9, budget, [&](int rung) {
    const double setting = coarse * std::pow(factor, rung);
    double error = 0;
    const double time = least_seconds([&] { error = distance(run(setting), passage.end); }, 0.2, 5);
    print({.workload = passage.workload,
           .contestant = contestant,
           .method = method,
           .setting = text(format, setting),
           .value = time,
           .error = error});
    return std::pair(error, time);
  });
}

}  // namespace peers::passages
