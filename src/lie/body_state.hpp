// BodyState: where a body is and how it moves, in space axes.
#pragma once

#include "bodies/quaternion.hpp"

namespace extremal::lie {

// p, pi: linear momentum, and angular momentum about x.
template <class T>
struct BodyState {
  Vec3<T> x;
  Quaternion<T> q;
  Vec3<T> p, pi;
};

// Linear and angular: momenta, or velocities.
template <class T>
struct Momenta {
  Vec3<T> p, pi;
};

}  // namespace extremal::lie
