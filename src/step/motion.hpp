// Motion: where one motion is – (t, q, p), what rounding took off these sums, and the velocity.
//
// The one copy of it: whoever takes a step takes it on this motion, and a checkpoint begins with its numbers. With S =
// Lanes it is sixteen motions side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "extremal/stepper.hpp"

namespace extremal {

// x + dx with what rounding took off carried to the next addition.
template <class S>
inline void add_compensated(S& x, S& low, const S& dx) {
  const S y = dx + low;
  const S sum = x + y;
  low = y - (sum - x);
  x = sum;
}

template <class S>
struct Motion {
  State<S> state;
  S t_low{0};
  std::vector<S> q_low, p_low;  // of q and p
  std::vector<S> v;             // the velocity that belongs to p, on the tangent space

  explicit Motion(int n = 0) {
    each_vector(*this, [&](std::vector<S>& x) { x.assign(static_cast<std::size_t>(n), S(0)); });
    state.t = S(0);
  }

  // The motion `other` of as many coordinates, without a detour: small steps begin with it.
  void copy(const Motion& other) {
    state.t = other.state.t;
    t_low = other.t_low;
    for (std::size_t i = 0; i < v.size(); ++i) {
      state.q[i] = other.state.q[i];
      state.p[i] = other.state.p[i];
      q_low[i] = other.q_low[i];
      p_low[i] = other.p_low[i];
      v[i] = other.v[i];
    }
  }
  // Time, after a step from t0 over h.
  void pass(const S& t0, const S& h) {
    state.t = t0;
    add_compensated(state.t, t_low, h);
  }
  // Over `count` steps one after the other.
  void pass(const S& h, long count) {
    S now = state.t, low = t_low;
    const S by = h;
    for (long k = 0; k < count; ++k) add_compensated(now, low, by);
    state.t = now;
    t_low = low;
  }

  // The numbers of a checkpoint, appended or taken back in the same order.
  void save(std::vector<S>& out) const {
    out.push_back(state.t);
    out.push_back(t_low);
    each_vector(*this, [&](const std::vector<S>& x) { out.insert(out.end(), x.begin(), x.end()); });
  }
  const S* restore(const S* from) {
    state.t = *from++;
    t_low = *from++;
    each_vector(*this, [&](std::vector<S>& x) {
      std::copy_n(from, x.size(), x.begin());
      from += x.size();
    });
    return from;
  }

 private:
  template <class Self, class See>
  static void each_vector(Self& self, See see) {
    see(self.state.q), see(self.state.p), see(self.q_low), see(self.p_low), see(self.v);
  }
};

}  // namespace extremal
