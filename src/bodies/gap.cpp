// What is wrong with a joint at a position, in words: a row "elbow.2" says little to those who placed two bodies.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bodies/rigid.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

using Vector = std::array<double, 3>;

class GapWords {
 public:
  GapWords(const RigidStructure& rigid, const std::vector<double>& q) : rigid_(rigid), q_(q) {}

  std::string of(const RigidJoint& joint, const RigidRow& row) const {
    const Vector a = place(row.a), b = place(row.b), gap = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double apart = std::hypot(gap[0], gap[1], gap[2]);
    switch (row.kind) {
      case RigidRow::Kind::gap:
        return fmt::format("its points, at {} and {}, are {:.3g} apart", text(a), text(b), apart);
      case RigidRow::Kind::plane: {
        const char* off = joint.type->picture == JointPicture::plane ? "plane" : "line";
        return fmt::format("its point at {} is {:.3g} off the {} through {}", text(b), across(joint, gap), off,
                           text(a));
      }
      case RigidRow::Kind::distance:
        return fmt::format("its points, at {} and {}, are {:.6g} apart and not {:.6g}", text(a), text(b), apart,
                           static_cast<double>(row.axis[0]));
      case RigidRow::Kind::normal: {
        const Vector u = direction(row.a.body, row.a.at), w = direction(row.b.body, row.b.at);
        const double sine = std::clamp(u[0] * w[0] + u[1] * w[1] + u[2] * w[2], -1.0, 1.0);
        return fmt::format("one side is turned by {:.3g} rad against the other", std::abs(std::asin(sine)));
      }
    }
    return {};
  }

  std::string side(const Side& side) const {
    return side.body < 0 ? "the ground" : "\"" + rigid_.bodies[sz(side.body)].name + "\"";
  }

 private:
  Vector direction(int body, const Triple& in_body) const {
    Vector x{};
    for (std::size_t i = 0; i < D(); ++i)
      for (std::size_t k = 0; k < D(); ++k) {
        const double director = body < 0 ? (i == k ? 1.0 : 0.0) : q_[first(body) + D() * (i + 1) + k];
        x[k] += static_cast<double>(in_body[i]) * director;
      }
    return x;
  }

  Vector place(const Side& side) const {
    if (side.body >= 0 && !rigid_.bodies[sz(side.body)].turns) {
      Vector centre{};
      for (std::size_t k = 0; k < D(); ++k) centre[k] = q_[first(side.body) + k];
      return centre;
    }
    Vector x = direction(side.body, side.at);
    for (std::size_t k = 0; side.body >= 0 && k < D(); ++k) x[k] += q_[first(side.body) + k];
    return x;
  }

  // The part of the gap along the normals that the rows of the joint hold.
  double across(const RigidJoint& joint, const Vector& gap) const {
    double square = 0;
    for (const RigidRow& row : joint.rows)
      if (row.kind == RigidRow::Kind::plane) {
        const Vector n = direction(row.a.body, row.axis);
        square += std::pow(n[0] * gap[0] + n[1] * gap[1] + n[2] * gap[2], 2);
      }
    return std::sqrt(square);
  }

  std::string text(const Vector& x) const {
    return D() == 2 ? fmt::format("({:.4g}, {:.4g})", x[0], x[1])
                    : fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]);
  }

  std::size_t D() const { return sz(rigid_.dimension); }
  std::size_t first(int body) const { return sz(rigid_.bodies[sz(body)].first); }

  const RigidStructure& rigid_;
  const std::vector<double>& q_;
};

}  // namespace

std::optional<JointGap> joint_gap(const RigidStructure& rigid, const std::vector<double>& q, int row) {
  for (const RigidJoint& joint : rigid.joints) {
    const auto found = std::find(joint.index.begin(), joint.index.end(), row);
    if (found == joint.index.end()) continue;
    const GapWords words(rigid, q);
    return JointGap{joint.place,
                    fmt::format("joint \"{}\" of {} and {}", joint.name, words.side(joint.a), words.side(joint.b)),
                    words.of(joint, joint.rows[static_cast<std::size_t>(found - joint.index.begin())])};
  }
  return {};
}

}  // namespace extremal
