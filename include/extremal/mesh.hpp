// Mesh: the surface of a body as triangles, from files of STL (text or binary) and OBJ.
//
//   const Mesh mesh = read_mesh("arm.stl");
//   Body arm = robot.body("arm", solid_body(mesh, 2700));      // mass, centre and tensor of a body of this density
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/mechanism.hpp"

namespace extremal {

struct Mesh {
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<int, 3>> triangles;  // of points, counterclockwise from outside
};

// InputError, with the path, if it cannot be read or is no mesh.
Mesh read_mesh(const std::string& path);
// The same for what is in such a file; `name` is what messages call it.
Mesh read_mesh_text(std::string_view bytes, const std::string& name);

// A body that is equally dense inside the mesh, in the frame of the mesh; its sizes are multiplied by `scale`, three
// numbers or none. InputError if the mesh has holes, so that it has no inside.
BodyData solid_body(const Mesh& mesh, const Number& density, const Numbers& scale = {});

}  // namespace extremal
