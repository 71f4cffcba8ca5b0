// Where a mechanism comes to rest, and how it vibrates about there.
//
//   Equilibrium at = settle(model.system, model.start);
//   Modes about = modes(model.system, at);
//   about.modes[0].frequency();                        // Hz
//
// Equilibrium: with all forces at v = 0, potential ones, motors and servos alike,
//   F(q, 0, t) - G^T lambda = 0,   g(q, t) = 0,
// by implicit steps of M q' = F - G^T lambda, which goes downhill, that become Newton's (pseudo-transient
// continuation). About it, with delta q = Z x on the tangent space G Z = 0,
//   M x'' + C x' + K x = 0,   M = Z^T L_vv Z,  C = -Z^T F_v Z,  K = Z^T (sum_k lambda_k D^2 g_k - F_q) Z.
// Matrices are dense: systems of up to a few thousand rows.
#pragma once

#include <string>
#include <vector>

#include "extremal/start.hpp"
#include "extremal/system.hpp"

namespace extremal {

struct Equilibrium {
  bool found = false;
  std::string reason;  // if it is not
  double t = 0;
  std::vector<double> q, lambda;
  // Largest |F - G^T lambda|, relative to the largest force, or where these are stiff to what they would be without
  // each other.
  double residual = 0;
  int iterations = 0;
};

// Where a system rests for good, or the next place without forces, as the top of a hill may be, which is left otherwise
// along the mode that grows.
enum class Rest { stable, any };

// At the time of the start, from its positions. InputError for a Hamiltonian and for a start that is none.
Equilibrium settle(const System& system, const Start& start, Rest rest = Rest::stable);

// The motion Re(exp(s t) (shape + i late)) with s = growth + i omega. Shapes are of length 1 in q, with the phase in
// which the largest component is real and positive; without damping nothing is late.
struct Mode {
  double growth = 0, omega = 0;     // 1/s, rad/s; omega is not negative
  std::vector<double> shape, late;  // changes of q
  double frequency() const;         // Hz
  double damping() const;           // -growth / |s|; 0 for s = 0
};

struct Modes {
  int freedom = 0;
  std::vector<Mode> modes;  // by |s|
  bool stable = true;       // none grows, beyond round-off
  // The equations of small motions, freedom x freedom, row by row, and Z: coordinates x freedom.
  std::vector<double> mass, damping, stiffness, tangent;
};

Modes modes(const System& system, const Equilibrium& at);

}  // namespace extremal
