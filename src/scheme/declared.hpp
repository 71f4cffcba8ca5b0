// What a hamilton member may be, and what it declares of itself.
#pragma once

#include <string>

#include "extremal/scheme.hpp"

namespace extremal {

// Refuses what is singular, blows up or never reaches a multiplier, with the reason and the nearest good choice.
void require_admissible(const Galerkin& galerkin);

// Orders, symmetry, symplecticity and flags; the citation is left to the name it is known by.
Declared declarations(const Galerkin& galerkin);

// True if the mirrored rule is the rule itself.
bool symmetric(const Rule& rule);

std::string to_text(const Rule& rule);  // "gauss(3)"
const char* to_text(Points points);
const char* to_text(Closure closure);

}  // namespace extremal
