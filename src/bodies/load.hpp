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

struct Load {
  int law;  // load::law<Spring> (load_laws.hpp)
  std::vector<Quadratic> u;
  std::vector<quad> constants;
  TimeFunction f;
  std::string name = {};  // the user's
  bool plain = false;     // a force on a centre or a torque, as a RigidLoad
};

// A law as a term: `term` makes one for loads of that law whose intermediates have equally many coordinates; `sites` is
// [load][coordinates].
struct LoadLaw {
  std::shared_ptr<const Term> (*term)(int coordinates, const std::vector<int>& sites,
                                      const std::vector<const Load*>& loads);
};
// In their order in load_laws.hpp; compiled in load_springs.cpp, load_forces.cpp and load_torques.cpp, side by side.
const std::vector<LoadLaw>& load_laws();
std::vector<LoadLaw> spring_laws();
std::vector<LoadLaw> force_laws();
std::vector<LoadLaw> torque_laws();

}  // namespace extremal
