// Andrews' squeezing mechanism: seven bodies in the plane in three closed loops, driven by a constant torque, 0.03 s
// [HairerWanner1996, section VII.7]. Angles as there: beta, Theta, gamma, Phi, delta, Omega, epsilon.
//
// K1 turns about O by beta, K2 leads on from its end F to E by beta + Theta, and E is a point of K3, which turns about
// B by gamma and which a spring pulls to C; of K4, from E to G, by Phi + delta; and of K6, from E to H, by Omega +
// epsilon. G and H are points of K5 and K7, which turn about A by delta and epsilon.
#pragma once

#include <array>
#include <cmath>

namespace peers::andrews {

constexpr double until = 0.03, torque = 0.033;
constexpr std::array<double, 7> mass{0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498},
    inertia{2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
constexpr double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, zf = 2e-2, fa = 1421e-5, rr = 7e-3, ra = 92e-5,
                 ss = 35e-3, sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2,
                 ua = 1228e-5, ub = 449e-5, zt = 4e-2, stiffness = 4530, length = 0.07785;

using Angles = std::array<double, 7>;
constexpr Angles start{-0.0617138900142764496358948458001, 0,
                       0.455279819163070380255912382449,   0.222668390165885884674473185609,
                       0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                       1.23054744454982119249735015568};
// The published solution at 0.03 s, of the test set for initial value problems.
constexpr Angles end{15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                     0.5244099658805304, 0.5347301163226948, 1.048080741042263};

// Of the bodies K1, ..., K7.
inline Angles of_bodies(const Angles& q) { return {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]}; }

// The largest error of the angles of bodies, which whole turns are none of.
inline double error(const Angles& bodies) {
  const Angles exact = of_bodies(end);
  double most = 0;
  for (std::size_t k = 0; k < 7; ++k) {
    const double own = std::fabs(std::remainder(bodies[k] - exact[k], 2 * std::acos(-1.0)));
    if (!(own <= most)) most = std::isfinite(own) ? own : INFINITY;
  }
  return most;
}

}  // namespace peers::andrews
