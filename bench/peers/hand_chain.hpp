// A hand-written kernel of the chain: bars with an axis of symmetry, joints at both of their ends, and nothing else. It
// is the map of RATTLE on rotations [LewMata2016, eqs. 84, 107]. With a = R e_1 / 2 and impulses mu_j of the joints,
//   P = p - h m g e_z / 2 + mu_j - mu_{j+1},   Pi = pi - a x (mu_j + mu_{j+1}),
//   x1 = x0 + h P / m,   R1 = R0 F,   2 f_0 J f + 2 f x J f = h R0^T Pi   for the unit quaternion (f_0, f) of F,
// and g_j = (x - a)_j - (x + a)_{j-1} = 0 at the end. dg/dmu is h S with 3 x 3 blocks
//   S_jj = 2 + B_j + B_{j-1},   S_{j,j+1} = B_j - 1,   B = (a.a - a a^T) / J_across = 3 - 12 a a^T
// (m = 1), factored once a step: the projection of the momenta at the end of a step and the Newton iterations of the
// next share it. Substeps of a composition have a history of impulses each.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "chain.hpp"

namespace peers::chain {

struct V3 {
  double x = 0, y = 0, z = 0;
  friend V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend V3 operator*(double s, V3 a) { return {s * a.x, s * a.y, s * a.z}; }
};
inline double dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(V3 a, V3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

struct Symmetric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  V3 operator*(V3 v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
  }
};

inline Symmetric inverse(const Symmetric& m) {
  const double a = m.yy * m.zz - m.yz * m.yz, b = m.xz * m.yz - m.xy * m.zz, c = m.xy * m.yz - m.xz * m.yy;
  const double d = 1 / (m.xx * a + m.xy * b + m.xz * c);
  return {d * a,
          d * b,
          d * c,
          d * (m.xx * m.zz - m.xz * m.xz),
          d * (m.xy * m.xz - m.xx * m.yz),
          d * (m.xx * m.yy - m.xy * m.xy)};
}

struct Quaternion {
  double w = 1;
  V3 v;
  friend Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
  }
  V3 axis() const { return {1 - 2 * (v.y * v.y + v.z * v.z), 2 * (v.x * v.y + w * v.z), 2 * (v.x * v.z - w * v.y)}; }
  V3 back(V3 u) const {  // R^T u
    const V3 t = 2.0 * cross(u, v);
    return u + w * t + cross(t, v);
  }
};

// The rotation of a step from momentum = h R0^T Pi. The scalar part is found by iteration; without spin it is right at
// once.
inline Quaternion rotation(V3 momentum) {
  constexpr double difference = along - across;
  const double b = momentum.x / (2 * along),
               q = (momentum.y * momentum.y + momentum.z * momentum.z) / (across * across);
  double w = std::sqrt(0.5 + 0.5 * std::sqrt(1 - q));
  for (int k = 0;; ++k) {
    const double f1 = b / w, c = 2 * w * across, s = 2 * difference * f1, d = 1 / (c * c + s * s);
    const V3 f{f1, d * (c * momentum.y - s * momentum.z), d * (c * momentum.z + s * momentum.y)};
    const double next = std::sqrt(1 - dot(f, f));
    if (std::fabs(next - w) < 1e-16 || k == 20) return {next, f};
    w = next;
  }
}

class HandChain {
 public:
  // The whole chain turns about the vertical at the start, by `rate`.
  explicit HandChain(int n, std::size_t substeps = 1, double rate = 0)
      : bodies_(static_cast<std::size_t>(n)), joints_(bodies_.size() + 1), history_(substeps * bodies_.size()) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i].x = {static_cast<double>(i) + 0.5, 0, 0};
      bodies_[i].a = {0.5, 0, 0};
      bodies_[i].p = {0, rate * bodies_[i].x.x, 0};
      bodies_[i].pi = {0, 0, rate * across};
    }
    factor();
  }

  bool step(double h = chain::h, std::size_t substep = 0) {
    const std::size_t n = bodies_.size();
    History* before = history_.data() + substep * n;
    for (std::size_t j = 0; j < n; ++j) joints_[j].mu = 3.0 * (before[j].mu - before[j].mu1) + before[j].mu2;
    double last = 0;
    for (int k = 0;; ++k) {
      move(h);
      double size = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const Body& b = bodies_[j];
        joints_[j].g = b.x1 - b.a1;
        if (j > 0) joints_[j].g = joints_[j].g - (bodies_[j - 1].x1 + bodies_[j - 1].a1);
        size = std::max({size, std::fabs(joints_[j].g.x), std::fabs(joints_[j].g.y), std::fabs(joints_[j].g.z)});
      }
      // Round-off of coordinates as large as the chain; before that, the correction that the contraction promises.
      if (size < 1e-16 * static_cast<double>(n) + 2e-16) break;
      if (k == 30 || !std::isfinite(size)) return false;
      solve();
      for (std::size_t j = 0; j < n; ++j) joints_[j].mu = joints_[j].mu - (1 / h) * joints_[j].g;
      if (k > 0 && size * size < 1e-16 * last) {
        move(h);
        break;
      }
      last = size;
    }
    for (std::size_t j = 0; j < n; ++j) before[j] = {joints_[j].mu, before[j].mu, before[j].mu1};
    for (Body& b : bodies_) {
      b.x = b.x1, b.a = b.a1, b.r = b.r1;
      b.p = b.half - V3{0, 0, h / 2 * gravity};
      b.pi = b.half_pi;
    }
    factor();
    // The velocity of a joint on its two bodies is to be the same.
    for (std::size_t j = 0; j < n; ++j) {
      joints_[j].g = end_velocity(bodies_[j], -1);
      if (j > 0) joints_[j].g = joints_[j].g - end_velocity(bodies_[j - 1], 1);
    }
    solve();
    for (std::size_t j = 0; j < n; ++j) {
      Body& b = bodies_[j];
      const V3 left = joints_[j].g, right = j + 1 < n ? joints_[j + 1].g : V3{};
      b.p = b.p - left + right;
      b.pi = b.pi + cross(b.a, left + right);
    }
    return true;
  }

  double energy() const {
    double sum = 0;
    for (const Body& b : bodies_) {
      const V3 m = b.r.back(b.pi);
      sum += dot(b.p, b.p) / 2 + m.x * m.x / (2 * along) + (m.y * m.y + m.z * m.z) / (2 * across) + gravity * b.x.z;
    }
    return sum;
  }

 private:
  struct Body {
    V3 x, p, pi, a;
    Quaternion r;
    V3 x1, a1, half, half_pi;
    Quaternion r1;
  };
  struct Joint {
    V3 g, mu;
    Symmetric pivot;  // inverse of the eliminated diagonal block
    Symmetric next;   // S_{j, j+1}
  };
  struct History {
    V3 mu, mu1, mu2;
  };

  static V3 end_velocity(const Body& b, double side) {  // p / m + omega x (side a); only what is across turns a
    return b.p + (side / across) * cross(b.pi, b.a);
  }

  void move(double h) {
    const std::size_t n = bodies_.size();
    for (std::size_t j = 0; j < n; ++j) {
      Body& b = bodies_[j];
      const V3 left = joints_[j].mu, right = j + 1 < n ? joints_[j + 1].mu : V3{};
      b.half = b.p + left - right - V3{0, 0, h / 2 * gravity};
      b.half_pi = b.pi - cross(b.a, left + right);
      b.x1 = b.x + h * b.half;
      b.r1 = b.r * rotation(h * b.r.back(b.half_pi));
      b.a1 = 0.5 * b.r1.axis();
    }
  }

  void factor() {
    Symmetric carry;  // S_{j-1,j} pivot_{j-1} S_{j-1,j}
    V3 before;
    for (std::size_t j = 0; j < bodies_.size(); ++j) {
      const V3 a = bodies_[j].a;
      const double d = j > 0 ? 8 : 4;
      const Symmetric block{
          d - 12 * (a.x * a.x + before.x * before.x) - carry.xx, -12 * (a.x * a.y + before.x * before.y) - carry.xy,
          -12 * (a.x * a.z + before.x * before.z) - carry.xz,    d - 12 * (a.y * a.y + before.y * before.y) - carry.yy,
          -12 * (a.y * a.z + before.y * before.z) - carry.yz,    d - 12 * (a.z * a.z + before.z * before.z) - carry.zz};
      Joint& joint = joints_[j];
      joint.pivot = inverse(block);
      joint.next = {2 - 12 * a.x * a.x, -12 * a.x * a.y, -12 * a.x * a.z,
                    2 - 12 * a.y * a.y, -12 * a.y * a.z, 2 - 12 * a.z * a.z};
      // (2 - 12 a a^T) P (2 - 12 a a^T) = 4 P - 24 (a u^T + u a^T) + 144 (a.u) a a^T, u = P a.
      const V3 u = joint.pivot * a;
      const double s = 144 * dot(a, u);
      const Symmetric& p = joint.pivot;
      carry = {4 * p.xx - 48 * a.x * u.x + s * a.x * a.x,
               4 * p.xy - 24 * (a.x * u.y + a.y * u.x) + s * a.x * a.y,
               4 * p.xz - 24 * (a.x * u.z + a.z * u.x) + s * a.x * a.z,
               4 * p.yy - 48 * a.y * u.y + s * a.y * a.y,
               4 * p.yz - 24 * (a.y * u.z + a.z * u.y) + s * a.y * a.z,
               4 * p.zz - 48 * a.z * u.z + s * a.z * a.z};
      before = a;
    }
  }

  // S g = g.
  void solve() {
    const std::size_t n = bodies_.size();
    for (std::size_t j = 1; j < n; ++j)
      joints_[j].g = joints_[j].g - joints_[j - 1].next * (joints_[j - 1].pivot * joints_[j - 1].g);
    for (std::size_t j = n; j-- > 0;) {
      if (j + 1 < n) joints_[j].g = joints_[j].g - joints_[j].next * joints_[j + 1].g;
      joints_[j].g = joints_[j].pivot * joints_[j].g;
    }
  }

  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<History> history_;  // of every substep and joint
};

}  // namespace peers::chain
