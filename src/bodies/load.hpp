// LoadTerm: springs, dampers and motors, which act through a few intermediate quantities u(q).
//
// A spring depends on the squared distance of its ends, a torsion spring on the sine and cosine of an angle, a motor on
// the same and on time. Each u_k is a polynomial of degree two at the most (quadratic.hpp), and with w = du/dt
//   a potential   V(u)         has  dV/dq = V_k u_k,q   and  V_kl u_k,q u_l,q^T + V_k u_k,qq,
//   a force       Q(u, w, t),  given by its virtual work  Q_k delta u_k,  is  F = Q_k u_k,q.
// V and Q are differentiated by jets in u, w and t only; the way from there to the coordinates is the chain rule.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bodies/quadratic.hpp"
#include "extremal/time_function.hpp"

namespace extremal {

enum class LoadKind {
  spring,             // u = |r|^2; constants: stiffness, length
  torsion_spring,     // u = (cos, sin) of an angle; stiffness
  line_damper,        // u = |r|^2; damping
  rotational_damper,  // u = (cos, sin); damping
  motor,              // u = (cos, sin); f(t) is the torque
  force,              // u = a coordinate of the point; f(t)
  body_force,         // u = a direction, then the point (6); f(t) along the direction
  body_force_planar,  // the same in the plane (4)
  torque,             // u = x1 y1 x2 y2 x3 y3: the directors across an axis; f(t) about it
  torque_planar,      // u = x1 y1 x2 y2
  drag,               // u as for torque, of two bodies (12): damping against their relative angular velocity
  drag_to_ground      // the same of one body (6)
};

struct Load {
  LoadKind kind;
  std::vector<Quadratic> u;
  std::vector<quad> constants;
  TimeFunction f;
  std::string name = {};  // the user's
};

// The number of intermediates of a kind.
int intermediates(LoadKind kind);

// One term for loads of one kind whose intermediates have equally many coordinates; `sites` is [load][N].
std::shared_ptr<const Term> load_term(LoadKind kind, const std::string& name, int coordinates,
                                      const std::vector<int>& sites, const std::vector<const Load*>& loads);

}  // namespace extremal
