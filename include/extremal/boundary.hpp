// Boundary: the motion between two given positions, on the discrete equations of a scheme.
//
//   auto path = boundary(pendulum, "spark(2)", {.begin = {1, 0}, .end = {0, -1}}, {.step = 0.001, .until = 1});
//   if (path.converged) use(path.states.front().p);      // where an initial value run must start
//
// All steps are solved at once by Newton's method with a banded matrix: the cost is linear in their number
// [Wenger2017, remark on boundary value problems]. There may be several motions between two positions; Newton
// finds the one near the guess, by default the straight line projected to the constraints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extremal/run.hpp"

namespace extremal {

struct Boundary {
  std::vector<Number> begin = {}, end = {};
  Number t = 0;
  std::vector<std::vector<double>> guess = {};  // one position per node, or empty
  Number slack = "1e-6";                        // largest |g| of begin and end that is corrected
};

template <class S = double>
struct Path {
  bool converged = false;
  std::string reason;  // empty if converged
  int iterations = 0;
  double residual = 0, correction = 0;
  std::vector<State<S>> states;  // one per node, momenta projected to G v = 0
};

template <class S = double>
Path<S> boundary(const System& system, const Scheme& scheme, const Boundary& ends, const Span& span);
template <class S = double>
Path<S> boundary(const System& system, std::string_view scheme, const Boundary& ends, const Span& span) {
  return boundary<S>(system, Scheme::named(scheme), ends, span);
}

extern template Path<double> boundary(const System&, const Scheme&, const Boundary&, const Span&);
extern template Path<long double> boundary(const System&, const Scheme&, const Boundary&, const Span&);
extern template Path<quad> boundary(const System&, const Scheme&, const Boundary&, const Span&);

}  // namespace extremal
