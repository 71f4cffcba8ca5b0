// Pose: where a frame is in another, and how it is turned there.
#pragma once

#include "bodies/frame.hpp"

namespace extremal::robots {

using extremal::operator*;  // of vectors: poses have one of their own

struct Pose {
  Triple at{};
  Directors turn = no_rotation;
};

inline Triple point(const Pose& pose, const Triple& x) { return pose.at + outward(pose.turn, x); }

// The frame b, given in frame a, seen from where a is given.
inline Pose operator*(const Pose& a, const Pose& b) { return {point(a, b.at), product(a.turn, b.turn)}; }

inline Pose inverse(const Pose& a) {
  Directors back;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) back[i][k] = a.turn[k][i];
  return {quad(-1) * inward(a.turn, a.at), back};
}

}  // namespace extremal::robots
