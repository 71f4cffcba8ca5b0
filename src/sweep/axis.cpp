#include "sweep/axis.hpp"

#include "sweep/random.hpp"

namespace extremal::sweep {
namespace {

// In quad and rounded once: 0.1 and 0.3 in three points have 0.2 between them.
double on_grid(const Axis& axis, std::uint64_t point) {
  const quad from = axis.values[0].as<quad>(), to = axis.values[1].as<quad>();
  if (point == 0) return static_cast<double>(from);
  if (point + 1 == axis.count) return static_cast<double>(to);
  const quad part = quad(point) / quad(axis.count - 1);
  return static_cast<double>(axis.logarithmic ? from * math::pow(to / from, part) : from + (to - from) * part);
}

}  // namespace

double Axis::number(std::uint64_t point, std::uint64_t seed, std::uint64_t run) const {
  const Draw draw{seed, run, name};
  switch (kind) {
    case Kind::grid:
      return on_grid(*this, point);
    case Kind::list:
      return values[point].as<double>();
    case Kind::uniform:
      return draw.uniform(values[0].as<quad>(), values[1].as<quad>());
    case Kind::normal:
      return draw.normal(values[0].as<quad>(), values[1].as<quad>());
  }
  return 0;
}

// Lists are what was written; others are doubles, whatever the precision of the run.
Number Axis::value(std::uint64_t point, std::uint64_t seed, std::uint64_t run) const {
  return kind == Kind::list ? values[point] : Number(number(point, seed, run));
}

}  // namespace extremal::sweep
