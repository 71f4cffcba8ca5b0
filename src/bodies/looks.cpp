// How things are placed in a frame, and what bodies look like.
#include <fmt/format.h>

#include "bodies/mechanism_data.hpp"
#include "bodies/principal.hpp"
#include "bodies/quaternion.hpp"
#include "extremal/error.hpp"

namespace extremal {

std::vector<quad> MechanismData::numbers(const std::string& what, const Numbers& list, std::size_t count) const {
  if (list.list().size() != count) refuse(what, fmt::format("{} numbers; expected {}", list.list().size(), count));
  std::vector<quad> x;
  for (const Number& number : list.list()) x.push_back(number.as<quad>());
  return x;
}

Directors MechanismData::orientation(const std::string& what, const Placement& given) const {
  const bool planar = space == Space::planar;
  const int ways = int(!given.angle.empty()) + int(!given.rotation.empty()) + int(!given.euler.empty()) +
                   int(!given.matrix.empty()) + int(!given.quaternion.empty());
  if (ways > 1) refuse(what, "more than one orientation; expected one of angle, rotation, euler, matrix, quaternion");
  if (planar ? ways > int(!given.angle.empty()) : !given.angle.empty())
    refuse(what, planar ? "rotation, euler, matrix or quaternion in the plane; expected angle"
                        : "angle in space; expected rotation, euler, matrix or quaternion");
  if (!given.angle.empty()) return rotation(2, numbers(what + ", angle", given.angle, 1)[0]);
  if (!given.rotation.empty()) return rotation(triple(what + ", rotation", given.rotation));
  if (!given.euler.empty()) {
    const auto x = numbers(what + ", euler", given.euler, 3);
    return product(product(rotation(2, x[0]), rotation(0, x[1])), rotation(2, x[2]));
  }
  if (!given.matrix.empty()) {
    const auto x = numbers(what + ", matrix", given.matrix, 9);
    const Directors columns{{{x[0], x[3], x[6]}, {x[1], x[4], x[7]}, {x[2], x[5], x[8]}}};
    quad defect = math::abs(dot(cross(columns[0], columns[1]), columns[2]) - 1);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        defect = math::max(defect, math::abs(dot(columns[i], columns[j]) - (i == j ? 1 : 0)));
    if (!(defect < 1e-6))
      refuse(what, fmt::format("a matrix that misses a rotation by {:.2g}; expected a rotation",
                               static_cast<double>(defect)));
    return orthonormal(columns);
  }
  if (!given.quaternion.empty()) {
    const auto x = numbers(what + ", quaternion", given.quaternion, 4);
    const quad length = math::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (!(math::abs(length - 1) < 1e-6))
      refuse(what, fmt::format("a quaternion of length {:.6g}; expected 1", static_cast<double>(length)));
    const auto R = lie::columns((1 / length) * lie::Quaternion<quad>{x[0], x[1], x[2], x[3]});
    return {{{R.e1.x, R.e1.y, R.e1.z}, {R.e2.x, R.e2.y, R.e2.z}, {R.e3.x, R.e3.y, R.e3.z}}};
  }
  return no_rotation;
}

void Mechanism::look(const Body& handle, const Shape& look) {
  MechanismData& data = *data_;
  const int index = data.index("look", handle);
  const std::string what =
      "shape of " + (index < 0 ? "the ground" : "\"" + data.bodies[static_cast<std::size_t>(index)].name + "\"");
  LookRecord record;
  record.body = index, record.shape = look.shape, record.file = look.file, record.colour = look.colour;
  if (look.colour.size() != (look.colour.empty() ? 0 : 7) || (!look.colour.empty() && look.colour[0] != '#') ||
      look.colour.find_first_not_of("#0123456789abcdefABCDEF") != std::string::npos)
    data.refuse(what, "colour \"" + look.colour + "\"; expected one as \"#3a6ea5\"");
  if (look.shape == "mesh") {
    if (look.file.empty()) data.refuse(what, "a mesh without a file; expected one of STL or OBJ");
    record.size = {1, 1, 1};
    if (!look.scale.empty()) {
      const std::vector<quad> by = data.numbers(what + ", scale", look.scale, 3);
      record.size = {by[0], by[1], by[2]};
    }
  } else {
    try {
      record.size = shape_extent(look.shape, look.size, look.radius, look.length);
    } catch (const InputError& error) {
      data.refuse(what, error.what());
    }
    if (!look.file.empty() || !look.scale.empty())
      data.refuse(what, "a file or scale of a " + look.shape + "; expected a mesh");
  }
  record.at = data.triple(what + ", at", look.at.position);
  record.turn = data.orientation(what, look.at);
  if (index >= 0) {
    const BodyRecord& body = data.bodies[static_cast<std::size_t>(index)];
    record.at = inward(body.axes, record.at - body.centre);
    if (body.axes != no_rotation) {
      Directors back;
      for (std::size_t i = 0; i < 3; ++i) back[i] = inward(body.axes, record.turn[i]);
      record.turn = back;
    }
  }
  data.looks.push_back(std::move(record));
}

}  // namespace extremal
