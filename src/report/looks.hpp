// Shapes and meshes that a model gives its bodies, for the scene.
#pragma once

#include "extremal/mesh.hpp"
#include "report/scene.hpp"

namespace extremal::report {

// Adds them to the bodies of the scene, in place of what would be guessed, and to what stands around. Meshes that
// cannot be read are noted.
void add_looks(const Mechanism& mechanism, Scene& scene);

// At most so many triangles: points that share a cell of a grid become one.
Mesh decimated(const Mesh& mesh, std::size_t most);

}  // namespace extremal::report
