// Axis: one thing that differs from run to run, and how.
//
//   l = { from = 0.5, to = 2, count = 100 }      a grid; spacing = "log" for equal ratios
//   x = [0.1, 0.2, "sqrt(2)/2"]                  a list
//   g = { uniform = [9.7, 9.9] }                 a random number of every run
//   "v:x" = { normal = [0, 0.1] }                with this mean and standard deviation
//   scheme = ["rattle", "spark(3)"]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "extremal/number.hpp"
#include "file/document.hpp"

namespace extremal::sweep {

struct Axis {
  enum class Kind { grid, list, uniform, normal };
  // What it changes. `index` is that of a coordinate.
  enum class Target { parameter, position, velocity, momentum, time, scheme, step, until };

  std::string name;
  Kind kind = Kind::list;
  Target target = Target::parameter;
  std::size_t index = 0;
  std::vector<Number> values = {};        // of a list; of others the two numbers that describe them
  std::vector<std::string> schemes = {};  // of a list of schemes, whose values are 0, 1, ...
  std::uint64_t count = 0;                // of points, none for random numbers
  bool logarithmic = false;
  Place place = {};  // in the file

  bool random() const { return kind == Kind::uniform || kind == Kind::normal; }
  // At a point of the grid or list, in a run of a sweep with this seed; and the double that it is rounded to.
  double number(std::uint64_t point, std::uint64_t seed, std::uint64_t run) const;
  Number value(std::uint64_t point, std::uint64_t seed, std::uint64_t run) const;
};

}  // namespace extremal::sweep
