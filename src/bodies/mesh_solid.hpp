// What is inside a mesh.
#pragma once

#include "bodies/principal.hpp"
#include "extremal/mesh.hpp"

namespace extremal {

struct MeshSolid {
  quad volume = 0;
  Triple centre{};
  Tensor inertia{};  // about the centre, of density 1
};

// InputError if the mesh has holes.
MeshSolid mesh_solid(const Mesh& mesh, const Triple& scale);

}  // namespace extremal
