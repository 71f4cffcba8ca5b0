// HungBody: a body that a joint holds on the ground by a point of it, in trees and in loops. x = anchor - R at takes
// the joint and the centre out of the unknowns.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "lie/model.hpp"

namespace extremal::lie {

template <class S>
struct HungBody {
  bool held = false;
  Vec3<S> at{}, anchor{};      // in the body, in space
  std::vector<int> rows = {};  // of g, one along each axis
  S sign{1};                   // of the body's side in these
  Vec3<S> rounding{};          // of a start: x + R at - anchor
};

// One for every body, held or not. Takes the joints off the model: those whose rows are the differences of two points
// along the axes, one of them on the ground, the first of every body. The order of driven joints must not change.
template <class S>
std::vector<HungBody<S>> take_hung(Model<S>& model) {
  std::vector<HungBody<S>> out(model.bodies.size());
  if (!model.drives.empty()) return out;
  std::vector<Joint<S>> left;
  int rows = 0;
  for (Joint<S>& joint : model.joints) {
    const auto body = static_cast<std::size_t>(std::max(joint.a, joint.b));
    bool holds =
        (joint.a < 0 || joint.b < 0) && joint.count() == model.dimension && model.bodies[body].turns && !out[body].held;
    for (int k = 0; holds && k < joint.count(); ++k) {
      const auto& row = joint.rows[static_cast<std::size_t>(k)];
      holds = row.kind == RigidRow::Kind::gap && row.component == k;
    }
    if (holds) {
      const auto& row = joint.rows.front();
      const bool b = joint.b >= 0;
      out[body] = {true, b ? row.b : row.a, b ? row.a : row.b, joint.index, S(b ? 1 : -1)};
      continue;
    }
    joint.first = rows;
    rows += joint.count();
    left.push_back(std::move(joint));
  }
  model.joints = std::move(left);
  model.rows = rows;
  return out;
}

}  // namespace extremal::lie
