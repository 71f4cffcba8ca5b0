// A hand-written kernel of the four-bars, by their ends: RATTLE with full Newton iterations, as the linkage passes
// singular configurations, where frozen matrices lose the way. A step solves
//   M u + G(d)^T L = h p + h^2 f / 2,   g(d + u) = 0,
// and the projection the same matrix at the new place. Unknowns of leg k in the order (u_k, L of the leg, L of the
// coupler before it) make the matrix block tridiagonal with blocks of 4; coupling is through the ends only, so that an
// elimination needs no more than the upper left 2 x 2 part of an inverse.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "four_bars.hpp"

namespace peers::four_bars {

class HandFourBars {
 public:
  explicit HandFourBars(int n) : legs_(static_cast<std::size_t>(n + 1)) {
    for (std::size_t k = 0; k < legs_.size(); ++k) {
      Leg& leg = legs_[k];
      leg.d = {0, 1};
      leg.mass = mass(static_cast<int>(k), n + 1);
      leg.force = weight(static_cast<int>(k), n + 1);
      leg.p = {leg.mass, 0};
      if (k > 0) leg.p[0] += 1.0 / 6;
      if (k + 1 < legs_.size()) leg.p[0] += 1.0 / 6;
      leg.v = {1, 0};
    }
  }

  // False if Newton's method does not converge.
  bool step(double h) {
    // Impulses grow with h^2.
    const double scale = last_ == 0 ? 0 : (h / last_) * (h / last_);
    last_ = h;
    for (Leg& leg : legs_) {
      leg.start = leg.d;
      leg.c0 = leg.c;
      leg.d = {leg.d[0] + h * leg.v[0], leg.d[1] + h * leg.v[1]};
      leg.l *= scale, leg.m *= scale;
    }
    double before = 1e300;
    for (int iteration = 0;; ++iteration) {
      couplers();
      double size = 0;
      for (std::size_t k = 0; k < legs_.size(); ++k) {
        Leg& leg = legs_[k];
        const double ux = leg.d[0] - leg.start[0], uy = leg.d[1] - leg.start[1];
        leg.r[0] = h * leg.p[0] - leg.mass * ux - leg.start[0] * leg.l;
        leg.r[1] = h * leg.p[1] + h * h / 2 * leg.force - leg.mass * uy - leg.start[1] * leg.l;
        if (k > 0) {
          leg.r[0] -= (legs_[k - 1].d[0] - legs_[k - 1].start[0]) / 6 + leg.c0[0] * leg.m;
          leg.r[1] -= (legs_[k - 1].d[1] - legs_[k - 1].start[1]) / 6 + leg.c0[1] * leg.m;
        }
        if (k + 1 < legs_.size()) {
          const Leg& next = legs_[k + 1];
          leg.r[0] -= (next.d[0] - next.start[0]) / 6 - next.c0[0] * next.m;
          leg.r[1] -= (next.d[1] - next.start[1]) / 6 - next.c0[1] * next.m;
        }
        leg.r[2] = (1 - leg.d[0] * leg.d[0] - leg.d[1] * leg.d[1]) / 2;
        leg.r[3] = k > 0 ? (1 - leg.c[0] * leg.c[0] - leg.c[1] * leg.c[1]) / 2 : 0;
        size = std::max({size, std::fabs(leg.r[2]), std::fabs(leg.r[3])});
      }
      // The momentum equations are linear: after one correction they hold.
      if (iteration > 0 && size < 4e-16) break;
      if (iteration == 30 || !std::isfinite(size)) return false;
      factor(true);
      solve();
      for (Leg& leg : legs_) leg.d[0] += leg.r[0], leg.d[1] += leg.r[1], leg.l += leg.r[2], leg.m += leg.r[3];
      if (iteration > 0 && size * size < 1e-17 * before) break;  // what the contraction promises of the next
      before = size;
    }
    couplers();
    for (std::size_t k = 0; k < legs_.size(); ++k) {
      Leg& leg = legs_[k];
      leg.p[0] -= leg.start[0] * leg.l / h;
      leg.p[1] -= leg.start[1] * leg.l / h - h * leg.force;
      if (k > 0) impulse(k, leg.c0, leg.m / h);
    }
    factor(false);
    for (Leg& leg : legs_) leg.r = {leg.p[0], leg.p[1], 0, 0};
    solve();
    for (std::size_t k = 0; k < legs_.size(); ++k) {
      Leg& leg = legs_[k];
      leg.v = {leg.r[0], leg.r[1]};
      leg.p[0] -= leg.d[0] * leg.r[2];
      leg.p[1] -= leg.d[1] * leg.r[2];
      if (k > 0) impulse(k, leg.c, leg.r[3]);
    }
    return true;
  }

  double energy() const {
    std::vector<double> d, v;
    for (const Leg& leg : legs_)
      d.insert(d.end(), leg.d.begin(), leg.d.end()), v.insert(v.end(), leg.v.begin(), leg.v.end());
    return four_bars::energy(static_cast<int>(legs_.size()), d.data(), v.data());
  }

 private:
  using Pair = std::array<double, 2>;
  struct Leg {
    Pair d{}, v{}, p{}, start{};
    Pair c{1, 0}, c0{1, 0};  // the coupler before it, now and at the start of the step
    double l = 0, m = 0;     // impulses of the leg and of that coupler, times h
    double mass = 0, force = 0;
    std::array<double, 4> r{};
    std::array<double, 16> inverse{};  // of the eliminated diagonal block
    Pair left{}, right{};              // coupler columns and rows: G(d)^T at the start, G at the end
  };

  void couplers() {
    for (std::size_t k = 1; k < legs_.size(); ++k)
      legs_[k].c = {legs_[k].d[0] - legs_[k - 1].d[0] + 1, legs_[k].d[1] - legs_[k - 1].d[1]};
  }

  void impulse(std::size_t k, const Pair& c, double m) {
    for (std::size_t i = 0; i < 2; ++i) legs_[k].p[i] -= c[i] * m, legs_[k - 1].p[i] += c[i] * m;
  }

  // [M G_left^T; G 0], G_left at the start of the step or, for the projection, here.
  void factor(bool from_start) {
    for (std::size_t k = 0; k < legs_.size(); ++k) {
      Leg& leg = legs_[k];
      leg.left = from_start ? leg.c0 : leg.c;
      leg.right = leg.c;
      const Pair& column = from_start ? leg.start : leg.d;
      double p00 = leg.mass, p01 = 0, p10 = 0, p11 = leg.mass;
      double q00 = column[0], q10 = column[1], q01 = leg.left[0], q11 = leg.left[1];  // Q: columns l, m
      double r00 = leg.d[0], r01 = leg.d[1], r10 = leg.right[0], r11 = leg.right[1];  // R: rows l, m
      double t11 = 0;
      if (k == 0) {
        q01 = q11 = r10 = r11 = 0;
        t11 = 1;
      } else {
        // L E U with L = [I / 6; 0; -c^T] and U = [I / 6, 0, -c_left].
        const auto& e = legs_[k - 1].inverse;
        const double a0 = e[0] * leg.left[0] + e[1] * leg.left[1], a1 = e[4] * leg.left[0] + e[5] * leg.left[1];
        const double b0 = leg.right[0] * e[0] + leg.right[1] * e[4], b1 = leg.right[0] * e[1] + leg.right[1] * e[5];
        p00 -= e[0] / 36, p01 -= e[1] / 36, p10 -= e[4] / 36, p11 -= e[5] / 36;
        q01 += a0 / 6, q11 += a1 / 6;
        r10 += b0 / 6, r11 += b1 / 6;
        t11 -= b0 * leg.left[0] + b1 * leg.left[1];
      }
      // Inverse by 2 x 2 blocks: P first, then the Schur complement.
      const double dp = 1 / (p00 * p11 - p01 * p10);
      const double i00 = dp * p11, i01 = -dp * p01, i10 = -dp * p10, i11 = dp * p00;
      const double x00 = i00 * q00 + i01 * q10, x01 = i00 * q01 + i01 * q11, x10 = i10 * q00 + i11 * q10,
                   x11 = i10 * q01 + i11 * q11;  // P^-1 Q
      const double y00 = r00 * i00 + r01 * i10, y01 = r00 * i01 + r01 * i11, y10 = r10 * i00 + r11 * i10,
                   y11 = r10 * i01 + r11 * i11;  // R P^-1
      const double s00 = -(r00 * x00 + r01 * x10), s01 = -(r00 * x01 + r01 * x11), s10 = -(r10 * x00 + r11 * x10),
                   s11 = t11 - (r10 * x01 + r11 * x11);
      const double ds = 1 / (s00 * s11 - s01 * s10);
      const double j00 = ds * s11, j01 = -ds * s01, j10 = -ds * s10, j11 = ds * s00;
      const double z00 = x00 * j00 + x01 * j10, z01 = x00 * j01 + x01 * j11, z10 = x10 * j00 + x11 * j10,
                   z11 = x10 * j01 + x11 * j11;
      leg.inverse = {i00 + z00 * y00 + z01 * y10, i01 + z00 * y01 + z01 * y11, -z00, -z01,
                     i10 + z10 * y00 + z11 * y10, i11 + z10 * y01 + z11 * y11, -z10, -z11,
                     -(j00 * y00 + j01 * y10),    -(j00 * y01 + j01 * y11),    j00,  j01,
                     -(j10 * y00 + j11 * y10),    -(j10 * y01 + j11 * y11),    j10,  j11};
    }
  }

  static double row(const std::array<double, 16>& m, std::size_t i, const std::array<double, 4>& r) {
    return m[4 * i] * r[0] + m[4 * i + 1] * r[1] + m[4 * i + 2] * r[2] + m[4 * i + 3] * r[3];
  }

  void solve() {
    for (std::size_t k = 1; k < legs_.size(); ++k) {
      Leg& leg = legs_[k];
      const Leg& before = legs_[k - 1];
      const double x = row(before.inverse, 0, before.r), y = row(before.inverse, 1, before.r);
      leg.r[0] -= x / 6;
      leg.r[1] -= y / 6;
      leg.r[3] += leg.right[0] * x + leg.right[1] * y;
    }
    for (std::size_t k = legs_.size(); k-- > 0;) {
      Leg& leg = legs_[k];
      if (k + 1 < legs_.size()) {
        const Leg& next = legs_[k + 1];
        leg.r[0] -= next.r[0] / 6 - next.left[0] * next.r[3];
        leg.r[1] -= next.r[1] / 6 - next.left[1] * next.r[3];
      }
      leg.r = {row(leg.inverse, 0, leg.r), row(leg.inverse, 1, leg.r), row(leg.inverse, 2, leg.r),
               row(leg.inverse, 3, leg.r)};
    }
  }

  std::vector<Leg> legs_;
  double last_ = 0;
};

}  // namespace peers::four_bars
