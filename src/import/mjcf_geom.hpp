// Mass and inertia of MJCF's geoms, where a body has no <inertial>.
#pragma once

#include "import/mjcf_words.hpp"

namespace extremal::robots {

// Adds a geom to the mass, centre and inertia of its link. Returns false if its shape is one of which it cannot be
// known, as a mesh.
bool add_geom(const MjcfCompiler& compiler, const Attributes& geom, Link& link);

}  // namespace extremal::robots
