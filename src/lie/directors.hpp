// (q, p) of the system, centres and directors, from bodies that are known by rotations, and back.
#pragma once

#include <vector>

#include "lie/body_state.hpp"
#include "lie/dual.hpp"
#include "lie/model.hpp"

namespace extremal::lie {

template <class T>
void put(const Vec3<T>& x, int dimension, T* to) {
  to[0] = x.x;
  to[1] = x.y;
  if (dimension == 3) to[2] = x.z;
}

template <class S>
Vec3<S> get(const S* from, int dimension) {
  return {from[0], from[1], dimension == 3 ? from[2] : S(0)};
}

// Directors d_i, and p = E_i omega x d_i, on any scalar over S; v may be null.
template <class S, class T>
void to_directors(const Model<S>& model, const std::vector<BodyState<T>>& bodies, T* q, T* p, T* v);

// pi = sum d_i x p_i about the centre, or about the point where the body hangs.
template <class S>
void from_directors(const Model<S>& model, const S* q, const S* p, std::vector<BodyState<S>>& bodies);

}  // namespace extremal::lie
