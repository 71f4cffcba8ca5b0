#include "file/body_parts.hpp"

#include <filesystem>

#include "bodies/mechanism_data.hpp"
#include "bodies/mesh_solid.hpp"

namespace extremal {
namespace {

using Value = Document::Value;

Number exact(quad x) { return Number::exactly(x); }

// Of a mesh, as seen from the folder of the model.
std::string mesh_path(Fields& fields) {
  std::string file = fields.text("file", "");
  if (file.empty() || std::filesystem::path(file).is_absolute()) return file;
  return (std::filesystem::path(fields.scope().document().name()).parent_path() / file).generic_string();
}

// Where a part is in the frame of its body.
Placement place_of(Fields& fields) {
  return {.position = fields.numbers("at"),
          .angle = fields.numbers("angle"),
          .rotation = fields.numbers("rotation"),
          .euler = fields.numbers("euler_angles"),
          .matrix = fields.numbers("matrix"),
          .quaternion = fields.numbers("quaternion")};
}

Triple scale_of(Fields& fields) {
  const Numbers scale = fields.numbers("scale");
  if (scale.empty()) return {1, 1, 1};
  if (scale.list().size() != 3)
    fields.refuse("found " + std::to_string(scale.list().size()) + " numbers as scale; expected three");
  return {scale.list()[0].as<quad>(), scale.list()[1].as<quad>(), scale.list()[2].as<quad>()};
}

// Three moments, a tensor of six, or one in the plane.
Tensor tensor_of(const Fields& fields, const Numbers& given, Space space) {
  const std::size_t count = given.list().size();
  Tensor J{};
  if (space == Space::planar ? count != 1 : count != 3 && count != 6)
    fields.refuse("found " + std::to_string(count) + " moments of inertia; expected " +
                  (space == Space::planar ? "1" : "3, or 6 of a tensor"));
  if (space == Space::planar) J[2] = given.list()[0].as<quad>();
  for (std::size_t i = 0; i < count && space == Space::spatial; ++i) J[i] = given.list()[i].as<quad>();
  return J;
}

}  // namespace

Shape read_look(Fields& part) {
  return {.shape = part.text("shape"),
          .size = part.numbers("size"),
          .radius = part.numbers("radius"),
          .length = part.numbers("length"),
          .file = mesh_path(part),
          .scale = part.numbers("scale"),
          .at = place_of(part),
          .colour = part.text("colour", "")};
}

BodyParts::BodyParts(Fields& body, const Mechanism& mechanism) : mechanism_(mechanism), space_(mechanism.space()) {
  data_ = {.mass = body.numbers("mass"),
           .inertia = body.numbers("inertia"),
           .euler = body.numbers("euler_tensor"),
           .centre = body.numbers("centre"),
           .shape = body.text("shape", ""),
           .density = body.numbers("density"),
           .size = body.numbers("size"),
           .radius = body.numbers("radius"),
           .length = body.numbers("length")};
  const std::string colour = body.text("colour", "");
  if (data_.shape == "mesh") {
    // A mesh is where it is: it has its own centre.
    if (!data_.centre.empty()) body.refuse("found a centre of a mesh; expected none: it is that of the mesh");
    pieces_.push_back(weighed(body, "mesh"));
    if (!(pieces_[0].mass > 0)) body.refuse("found a mesh without mass and density; expected one of them");
    looks_.push_back({.shape = "mesh", .file = mesh_path(body), .scale = body.numbers("scale"), .colour = colour});
    data_ = {};
  } else if (!data_.shape.empty()) {
    looks_.push_back({.shape = data_.shape,
                      .size = data_.size,
                      .radius = data_.radius,
                      .length = data_.length,
                      .at = {.position = data_.centre},
                      .colour = colour});
  } else if (!colour.empty()) {
    body.refuse("found a colour without a shape; expected both, or none");
  }
  if (const Value* list = body.find("part")) {
    if (list->kind != Value::Kind::list)
      body.scope().refuse(*list, "found " + list->words() + "; expected tables [[body.part]]");
    for (const Value& table : list->items) {
      Fields fields(body.scope(), table, "[[body.part]]");
      fields.placed([&] {
        part(fields);
        fields.finish();
      });
    }
  }
  if (!pieces_.empty()) merge(body);
}

void BodyParts::part(Fields& fields) {
  const std::string shape = fields.text("shape", "");
  const Piece piece = weighed(fields, shape);
  if (shape.empty() && !(piece.mass > 0)) fields.refuse("found a part without shape and mass; expected one of them");
  if (piece.mass > 0) pieces_.push_back(piece);
  if (!shape.empty()) looks_.push_back(read_look(fields));
}

BodyParts::Piece BodyParts::weighed(Fields& fields, const std::string& shape) const {
  const Numbers mass = fields.numbers("mass"), density = fields.numbers("density"), inertia = fields.numbers("inertia");
  const Placement place = place_of(fields);
  const std::string file = mesh_path(fields);
  if (!mass.empty() && !density.empty()) fields.refuse("found both mass and density; expected one of them");
  if (mass.empty() && density.empty()) {
    if (!inertia.empty()) fields.refuse("found inertia without a mass; expected a mass");
    return {};
  }
  const Number& given = mass.empty() ? density.list()[0] : mass.list()[0];
  if (mass.list().size() + density.list().size() != 1 || !(given.as<quad>() > 0))
    fields.refuse("found a mass or density that is not positive; expected another");
  if (shape.empty() && mass.empty()) fields.refuse("found a density without a shape; expected a shape, as box");
  if (!shape.empty() && !inertia.empty()) fields.refuse("found both inertia and a shape; expected one of them");
  Piece piece;
  const Directors turn = mechanism_.told().orientation("part", place);
  const Triple at = mechanism_.told().triple("at", place.position);
  if (shape.empty()) {
    piece.mass = given.as<quad>(), piece.centre = at;
    if (!inertia.empty()) piece.inertia = turned(tensor_of(fields, inertia, space_), turn);
    return piece;
  }
  Tensor J{};
  quad volume = 0;
  if (shape == "mesh") {
    const MeshSolid solid = mesh_solid(read_mesh(file), scale_of(fields));
    volume = solid.volume, J = solid.inertia;
    piece.centre = at + outward(turn, solid.centre);
  } else {
    const SolidShape solid =
        solid_shape(shape, fields.numbers("size"), fields.numbers("radius"), fields.numbers("length"));
    volume = solid.volume, piece.centre = at;
    for (std::size_t k = 0; k < 3; ++k) J[k] = volume * solid.moments[k];
  }
  piece.mass = mass.empty() ? given.as<quad>() * volume : given.as<quad>();
  for (quad& x : J) x *= piece.mass / volume;
  piece.inertia = turned(J, turn);
  return piece;
}

BodyParts::Piece BodyParts::own(const Fields& body) const {
  Piece piece;
  piece.centre = mechanism_.told().triple("centre", data_.centre);
  piece.mass = data_.mass.empty() ? quad(1) : data_.mass.list()[0].as<quad>();
  if (!data_.euler.empty()) body.refuse("found euler_tensor besides parts with a mass; expected inertia");
  if (data_.shape.empty()) {
    piece.inertia = tensor_of(body, data_.inertia, space_);
    return piece;
  }
  const SolidShape solid = solid_shape(data_.shape, data_.size, data_.radius, data_.length);
  if (!data_.density.empty()) piece.mass = data_.density.list()[0].as<quad>() * solid.volume;
  for (std::size_t k = 0; k < 3; ++k) piece.inertia[k] = piece.mass * solid.moments[k];
  return piece;
}

void BodyParts::merge(const Fields& body) {
  const bool bare = data_.mass.empty() && data_.inertia.empty() && data_.euler.empty() && data_.shape.empty() &&
                    data_.density.empty();
  if (bare && !data_.centre.empty())
    body.refuse("found a centre besides parts that have the mass; expected none: it is that of the parts");
  Piece all = bare ? Piece() : own(body);
  for (const Piece& piece : pieces_)
    add_mass(all.mass, all.centre, all.inertia, piece.mass, piece.centre, piece.inertia);
  data_ = {.mass = exact(all.mass)};
  if (space_ == Space::planar) {
    data_.inertia = exact(all.inertia[2]);
    data_.centre = {exact(all.centre[0]), exact(all.centre[1])};
    return;
  }
  const Tensor& J = all.inertia;
  data_.inertia = {exact(J[0]), exact(J[1]), exact(J[2]), exact(J[3]), exact(J[4]), exact(J[5])};
  data_.centre = {exact(all.centre[0]), exact(all.centre[1]), exact(all.centre[2])};
}

}  // namespace extremal
