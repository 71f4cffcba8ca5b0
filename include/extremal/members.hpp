// Members: variants of one motion, by the numbers in which they differ, as arrays.
//
//   std::vector<double> g = {9, 9.5, 10}, q = {1, 0, 0.8, 0.6, 0.6, 0.8};
//   Members members{.system = pendulum, .start = {.q = {1, 0}}, .count = 3};
//   members.set("g", g).positions(q);
//
// An Ensemble steps them (ensemble.hpp), run_batch makes rows of them (batch.hpp). The arrays are read where they are
// and stay those of the caller. A double means what it means for a Number, so that a member is the motion of
// system_of(k) from start_of(k).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "extremal/start.hpp"
#include "extremal/system.hpp"

namespace extremal {

// One number of every member.
struct Varied {
  enum class Kind { parameter, position, velocity, momentum };
  Kind kind = Kind::parameter;
  std::size_t index = 0;           // of the parameter or the coordinate
  const double* values = nullptr;  // that of the first member
  std::size_t stride = 1;          // from there to the next
};

struct Members {
  System system;
  Start start = {};
  std::size_t count = 1;
  std::vector<Varied> varied = {};

  // As many values as members. InputError if there is no such parameter.
  Members& set(std::string_view parameter, std::span<const double> values);
  // Of the start: x, v:x or p:x, as many values as members.
  Members& place(std::string_view name, std::span<const double> values);
  // All coordinates, one member after the other. Velocities go before the momenta of the start, and these before those.
  Members& positions(std::span<const double> values) { return all(Varied::Kind::position, values); }
  Members& velocities(std::span<const double> values) { return all(Varied::Kind::velocity, values); }
  Members& momenta(std::span<const double> values) { return all(Varied::Kind::momentum, values); }

  // Of one member, as it would be by itself.
  System system_of(std::size_t member) const;
  Start start_of(std::size_t member) const;

 private:
  Members& all(Varied::Kind kind, std::span<const double> values);
};

}  // namespace extremal
