// The laws of the loads: V(u) or Q(u, w, t), each a function of a few numbers; see load.hpp.
//
// `name` is that of the term. K is the number of intermediates, C that of constants; uses_rate: w matters. A force
// writes Q, the factors of its virtual work Q_k delta u_k; f is its function of time.
#pragma once

#include <tuple>

#include "bodies/load.hpp"

namespace extremal::load {

// Whether what a law calls its potential is a row of g.
template <class Law>
inline constexpr bool is_row = requires { Law::is_row; };

// u = |r|^2; constants: stiffness, length.
struct Spring {
  static constexpr const char* name = "spring";
  static constexpr int K = 1, C = 2;
  static constexpr bool is_force = false, uses_time = false, uses_rate = false;
  template <class T, class S>
  static T potential(const T* u, const S* c) {
    const T stretch = sqrt(u[0]) - T(c[1]);
    return T(c[0] / S(2)) * stretch * stretch;
  }
};

// u = (cos, sin) of an angle; stiffness.
// The angle counts from -pi to pi, so that the energy has a kink half a turn away from rest.
struct TorsionSpring {
  static constexpr const char* name = "torsion spring";
  static constexpr int K = 2, C = 1;
  static constexpr bool is_force = false, uses_time = false, uses_rate = false;
  template <class T, class S>
  static T potential(const T* u, const S* c) {
    const T angle = atan2(u[1], u[0]);
    return T(c[0] / S(2)) * angle * angle;
  }
};

// u = |r|^2; damping.
// With the length s = sqrt(u): -c s' delta s = -c w / (4 u) delta u.
struct LineDamper {
  static constexpr const char* name = "line damper";
  static constexpr int K = 1, C = 1;
  static constexpr bool is_force = true, uses_time = false, uses_rate = true;
  template <class T, class S>
  static void force(const T* u, const T* w, const T&, const S* c, T* Q) {
    Q[0] = T(-c[0] / S(4)) * w[0] / u[0];
  }
};

// A torque about the axis of the angle with cosine u0 and sine u1: delta angle = (u0 delta u1 - u1 delta u0) / |u|^2.
template <class T>
void turn(const T* u, const T& torque, T* Q) {
  const T part = torque / (u[0] * u[0] + u[1] * u[1]);
  Q[0] = -(part * u[1]);
  Q[1] = part * u[0];
}

// u = (cos, sin); damping.
struct RotationalDamper {
  static constexpr const char* name = "rotational damper";
  static constexpr int K = 2, C = 1;
  static constexpr bool is_force = true, uses_time = false, uses_rate = true;
  template <class T, class S>
  static void force(const T* u, const T* w, const T&, const S* c, T* Q) {
    const T rate = (u[0] * w[1] - u[1] * w[0]) / (u[0] * u[0] + u[1] * u[1]);
    turn(u, T(-c[0]) * rate, Q);
  }
};

// u = (cos, sin); f is the torque.
struct Motor {
  static constexpr const char* name = "motor";
  static constexpr int K = 2, C = 0;
  static constexpr bool is_force = true, uses_time = true, uses_rate = false;
  template <class T, class S>
  static void force(const T* u, const T*, const T& f, const S*, T* Q) {
    turn(u, f, Q);
  }
};

// u = a coordinate of the point.
struct Force {
  static constexpr const char* name = "force";
  static constexpr int K = 1, C = 0;
  static constexpr bool is_force = true, uses_time = true, uses_rate = false;
  template <class T, class S>
  static void force(const T*, const T*, const T& f, const S*, T* Q) {
    Q[0] = f;
  }
};

// D components: a direction that moves with the body, then the point at which the force acts.
template <int D>
struct BodyForce {
  static constexpr const char* name = "force";
  static constexpr int K = 2 * D, C = 0;
  static constexpr bool is_force = true, uses_time = true, uses_rate = false;
  template <class T, class S>
  static void force(const T* u, const T*, const T& f, const S*, T* Q) {
    for (int k = 0; k < D; ++k) {
      Q[k] = T(S(0));
      Q[D + k] = f * u[k];
    }
  }
};

// u = x1 y1 x2 y2 x3 y3: the directors across an axis, about which f acts.
// A torque tau acts on the directors as F_{d_i} = tau x d_i / 2, for its virtual work is that of the rotation
// delta theta = (1/2) sum d_i x delta d_i. In the plane both directors turn with the body, in space two of three do:
// across an axis, sum |d_i|^2 = 2 either way.
template <int Directors>
struct Torque {
  static constexpr const char* name = "torque";
  static constexpr int K = 2 * Directors, C = 0;
  static constexpr bool is_force = true, uses_time = true, uses_rate = false;
  template <class T, class S>
  static void force(const T* u, const T*, const T& f, const S*, T* Q) {
    const T half = T(S(1) / S(2)) * f;
    for (int i = 0; i < Directors; ++i) {
      Q[2 * i] = -(half * u[2 * i + 1]);
      Q[2 * i + 1] = half * u[2 * i];
    }
  }
};

// u as for torque, of one body or two: damping against their relative angular velocity.
// omega = (1/2) sum d_i x d_i' about one axis of space.
template <int Bodies>
struct Drag {
  static constexpr const char* name = "rotational damper";
  static constexpr int K = 6 * Bodies, C = 1;
  static constexpr bool is_force = true, uses_time = false, uses_rate = true;
  template <class T, class S>
  static void force(const T* u, const T* w, const T&, const S* c, T* Q) {
    T relative(S(0));
    for (int body = 0; body < Bodies; ++body)
      for (int i = 6 * body; i < 6 * body + 6; i += 2) {
        const T swept = u[i] * w[i + 1] - u[i + 1] * w[i];
        relative = body == 0 ? relative + swept : relative - swept;
      }
    const T torque = T(-c[0] / S(2)) * relative;  // on the first body
    for (int body = 0; body < Bodies; ++body) {
      const T half = T(S(body == 0 ? 1 : -1) / S(2)) * torque;
      for (int i = 6 * body; i < 6 * body + 6; i += 2) {
        Q[i] = -(half * u[i + 1]);
        Q[i + 1] = half * u[i];
      }
    }
  }
};

// u = the coordinate of a joint; stiffness, and where it is at rest.
struct JointSpring {
  static constexpr const char* name = "joint spring";
  static constexpr int K = 1, C = 2;
  static constexpr bool is_force = false, uses_time = false, uses_rate = false;
  template <class T, class S>
  static T potential(const T* u, const S* c) {
    const T stretch = u[0] - T(c[1]);
    return T(c[0] / S(2)) * stretch * stretch;
  }
};

// Dry friction, regularised: u = the coordinate of a joint; the torque or force of friction, the rate of creep below
// which it is viscous, damping.
struct JointFriction {
  static constexpr const char* name = "joint friction";
  static constexpr int K = 1, C = 3;
  static constexpr bool is_force = true, uses_time = false, uses_rate = true;
  template <class T, class S>
  static void force(const T*, const T* w, const T&, const S* c, T* Q) {
    Q[0] = T(-c[0]) * w[0] / sqrt(w[0] * w[0] + T(c[1] * c[1])) - T(c[2]) * w[0];
  }
};

// How far the coordinate of a joint is beyond a stop; constants: stiffness, the stop, the side on which it is.
template <class T, class S>
T beyond(const T& u, const S* c) {
  const T depth = T(c[2]) * (u - T(c[1]));
  return depth > T(S(0)) ? depth : T(S(0));
}
struct JointStop {
  static constexpr const char* name = "joint limit";
  static constexpr int K = 1, C = 3;
  static constexpr bool is_force = false, uses_time = false, uses_rate = false;
  template <class T, class S>
  static T potential(const T* u, const S* c) {
    const T depth = beyond(u[0], c);
    return T(c[0] / S(2)) * depth * depth;
  }
};

// Of the torque k depth (1 + c depth') of a stop that damps what the potential is not; a stop does not pull.
struct StopDamper {
  static constexpr const char* name = "joint limit";
  static constexpr int K = 1, C = 4;
  static constexpr bool is_force = true, uses_time = false, uses_rate = true;
  template <class T, class S>
  static void force(const T* u, const T* w, const T&, const S* c, T* Q) {
    const T rate = T(c[2] * c[3]) * w[0], kept = rate > T(S(-1)) ? rate : T(S(-1));
    Q[0] = T(-c[0] * c[2]) * beyond(u[0], c) * kept;
  }
};

// u = the coordinate of a joint; stiffness towards f, damping.
struct Servo {
  static constexpr const char* name = "servo";
  static constexpr int K = 1, C = 2;
  static constexpr bool is_force = true, uses_time = true, uses_rate = true;
  template <class T, class S>
  static void force(const T* u, const T* w, const T& f, const S* c, T* Q) {
    Q[0] = T(c[0]) * (f - u[0]) - T(c[1]) * w[0];
  }
};

// u = the coordinate of a joint, and the integral of f less it; stiffness, damping, and how the integral acts.
struct Pid {
  static constexpr const char* name = "servo";
  static constexpr int K = 2, C = 3;
  static constexpr bool is_force = true, uses_time = true, uses_rate = true;
  template <class T, class S>
  static void force(const T* u, const T* w, const T& f, const S* c, T* Q) {
    Q[0] = T(c[0]) * (f - u[0]) - T(c[1]) * w[0] + T(c[2]) * u[1];
    Q[1] = T(S(0));
  }
};

// u = (cos, sin) of the angle of a joint's bodies, and the joint's coordinate: the sine of their difference.
struct JointAngle {
  static constexpr const char* name = "joint coordinate";
  static constexpr int K = 3, C = 0;
  static constexpr bool is_force = false, uses_time = false, uses_rate = false, is_row = true;
  template <class T, class S>
  static T potential(const T* u, const S*) {
    return u[1] * cos(u[2]) - u[0] * sin(u[2]);
  }
};

// The laws in the order of their terms, in the sources that compile them.
using Springs = std::tuple<Spring, TorsionSpring, LineDamper, RotationalDamper, JointSpring, JointStop, JointAngle>;
using Forces = std::tuple<Motor, Force, BodyForce<3>, BodyForce<2>, Servo, Pid, JointFriction, StopDamper>;
using Torques = std::tuple<Torque<3>, Torque<2>, Drag<2>, Drag<1>>;

// The place of a law in that order.
template <class Law, class... All>
constexpr int place_in(std::tuple<All...>) {
  int place = 0;
  static_cast<void>(((std::is_same_v<Law, All> ? true : (++place, false)) || ...));
  return place;
}
template <class Law>
inline constexpr int law = place_in<Law>(decltype(std::tuple_cat(Springs{}, Forces{}, Torques{})){});

}  // namespace extremal::load
