// MJCF's geoms: what bodies look like, and mass and inertia where a body has no <inertial>.
#pragma once

#include "extremal/mesh.hpp"
#include "import/mjcf_words.hpp"

namespace extremal::robots {

// A geom in the frame of its link: its shape, sizes (whole extents; of a capsule without its round ends) and place.
// False if it has none that can be drawn, as a plane.
bool read_geom(const MjcfCompiler& compiler, const Attributes& geom, const Pose& within, Visual& visual);

// Adds the mass of a geom to mass, centre and inertia of its link; of a mesh it is that of its file, `mesh`, which may
// be null. Returns false if it cannot be known.
bool add_geom(const Attributes& geom, const Visual& visual, const Mesh* mesh, Link& link);

}  // namespace extremal::robots
