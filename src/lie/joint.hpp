// Joint: the rows of g between two rigid bodies, and their derivatives by small translations and rotations.
//
// With the point x_a = r_a + R_a X_a and the arm rho_a = R_a X_a, a displacement (delta r, delta theta) of a body moves
// its points by delta r + delta theta x rho and turns its vectors u by delta theta x u, so that, for side b and side a,
//   gap       e . (x_b - x_a)                (e, rho_b x e)     -(e, rho_a x e)
//   plane     n . (x_b - x_a), n = R_a u     (n, rho_b x n)     -(n, rho_a x n) + (0, n x (x_b - x_a))
//   normal    u . w, u = R_a U, w = R_b W    (0, w x u)          (0, u x w)
//   distance  (|d|^2 - l^2) / (2 l)          the gap along e = d / l.
#pragma once

#include <vector>

#include "bodies/quaternion.hpp"
#include "bodies/rigid.hpp"

namespace extremal::lie {

template <class T>
struct Pose {
  Vec3<T> x;
  Columns<T> R;
};

// A derivative by (delta r, delta theta) of one body.
template <class T>
struct Covector {
  Vec3<T> r, theta;
};

// The points of a joint as seen from their bodies, in space axes.
template <class T>
struct Arms {
  Vec3<T> a, b;
};

template <class S>
struct Joint {
  struct Row {
    RigidRow::Kind kind;
    Vec3<S> a, b, axis;
    int component;  // of a gap along a coordinate axis; -1: any other direction
  };
  int a = -1, b = -1;  // bodies; -1: the ground
  int first = 0;       // of its rows, among all
  std::vector<Row> rows;
  std::vector<int> index;  // of its rows, in the system's constraints

  int count() const { return static_cast<int>(rows.size()); }
  // Whether its rows are x_b - x_a, and nothing else.
  bool ball() const {
    bool yes = rows.size() == 3;
    for (std::size_t k = 0; yes && k < 3; ++k)
      yes = rows[k].kind == RigidRow::Kind::gap && rows[k].component == static_cast<int>(k);
    return yes;
  }

  // The poses are those of the bodies, or of the ground. One entry per row; Ga and Gb may be null.
  template <class T>
  void evaluate(const Pose<T>& A, const Pose<T>& B, T* g, Covector<T>* Ga, Covector<T>* Gb) const {
    Vec3<T> ra, rb, d;
    const Row* known = nullptr;  // the row whose points these are
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Row& row = rows[k];
      if (row.kind == RigidRow::Kind::normal) {
        const Vec3<T> u = to_space(A.R, row.a), w = to_space(B.R, row.b);
        g[k] = dot(u, w);
        if (Ga == nullptr) continue;
        const Vec3<T> turn = cross(u, w), none{T(S(0)), T(S(0)), T(S(0))};
        Ga[k] = {none, turn};
        Gb[k] = {none, -turn};
        continue;
      }
      // The rows of a joint that compare points compare the same ones.
      if (known == nullptr) {
        ra = to_space(A.R, row.a);
        rb = to_space(B.R, row.b);
        d = (B.x - A.x) + (rb - ra);
        known = &row;
      }
      points(row, A, ra, rb, d, g[k], Ga == nullptr ? nullptr : Ga + k, Ga == nullptr ? nullptr : Gb + k);
    }
  }

 private:
  template <class T>
  static Vec3<T> to_space(const Columns<T>& R, const Vec3<S>& X) {
    return R.to_space({T(X.x), T(X.y), T(X.z)});
  }
  template <class T>
  static void points(const Row& row, const Pose<T>& A, const Vec3<T>& ra, const Vec3<T>& rb, const Vec3<T>& d, T& g,
                     Covector<T>* Ga, Covector<T>* Gb) {
    Vec3<T> e;
    switch (row.kind) {
      case RigidRow::Kind::plane:
        e = to_space(A.R, row.axis);
        g = dot(e, d);
        break;
      case RigidRow::Kind::distance: {
        const T l(row.axis.x);
        g = (dot(d, d) - l * l) / (T(S(2)) * l);
        e = (T(S(1)) / l) * d;
        break;
      }
      default:
        g = row.component == 0 ? d.x : row.component == 1 ? d.y : d.z;
        e = {T(row.axis.x), T(row.axis.y), T(row.axis.z)};
    }
    if (Ga == nullptr) return;
    *Gb = {e, cross(rb, e)};
    *Ga = {-e, cross(e, ra)};
    if (row.kind == RigidRow::Kind::plane) Ga->theta = Ga->theta + cross(e, d);
  }
};

}  // namespace extremal::lie
