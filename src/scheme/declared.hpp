// What a member may be, and what its rules are good for.
#pragma once

#include <string>

#include "extremal/scheme.hpp"

namespace extremal {

// Refuses what is singular, blows up or never reaches a multiplier, with the reason and the nearest good choice.
void require_admissible(const Galerkin& galerkin);
void require_admissible(const PhaseSpace& phase_space);

// What phase_space(k) means unless it says otherwise. q~ without jumps at the start of a step has one value less to
// meet constraints with, and so has p_g~.
PhaseSpace default_phase_space(int degree, Continuity continuity);

// True if the mirrored rule is the rule itself.
bool symmetric(const Rule& rule);
Rule mirrored(const Rule& rule);
Rule perturbed(const Rule& rule, double amount);
// The order of the quadrature, its degree of exactness plus one.
int quadrature_order(const Rule& rule);

std::string to_text(const Rule& rule);               // "gauss(3)"
std::string to_text(const PhaseSpace& phase_space);  // "phase_space(2, pg=1)": what is not said is the default
const char* to_text(Points points);
const char* to_text(Closure closure);
const char* to_text(Continuity continuity);

}  // namespace extremal
