// Families: a row of functions for each alternative of Method. Whatever is asked of all schemes alike goes through a
// row by std::visit, or is declared by it; nobody above asks of which family a scheme is.
//
//   readers        the names that members are called by, and who reads the calls
//   declarations   what a member declares of itself; the citation is left to its name
//   mirrored       the adjoint, (step of -h)^-1
//   perturbed      with the first weight of its rule for L or for V changed
//   dense_matrix     how large the matrix of a step is, where it is dense
//
// What a family's steps are is said above this room: kernel/make_taker.hpp and lie/engine.cpp.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "extremal/scheme.hpp"
#include "words/grammar.hpp"

namespace extremal {

// A name and who reads a call of it, at some depth of nested calls; refuses wrong arguments and combinations.
struct Reader {
  std::string name;
  Usage usage;
  Scheme (*read)(const Call& call, const Usage& usage, int depth);
};
using Readers = std::vector<Reader>;

// Rows of a dense matrix per coordinate and per constraint; none of a sparse one.
struct DenseRows {
  double per_coordinate = 0, per_constraint = 0;
};

const Readers& readers(std::type_identity<Galerkin>);
Declared declarations(const Galerkin& galerkin);
Galerkin mirrored(const Galerkin& galerkin);
Galerkin perturbed(const Galerkin& galerkin, double amount);
inline DenseRows dense_matrix(const Galerkin& /*galerkin*/) { return {}; }

const Readers& readers(std::type_identity<PhaseSpace>);
Declared declarations(const PhaseSpace& phase_space);
PhaseSpace mirrored(const PhaseSpace& phase_space);
PhaseSpace perturbed(const PhaseSpace& phase_space, double amount);
DenseRows dense_matrix(const PhaseSpace& phase_space);

const Readers& readers(std::type_identity<Livens>);
Declared declarations(const Livens& livens);
Livens mirrored(const Livens& livens);
Livens perturbed(const Livens& livens, double amount);
inline DenseRows dense_matrix(const Livens& /*livens*/) { return {}; }

const Readers& readers(std::type_identity<LieGroup>);
Declared declarations(const LieGroup& lie);
LieGroup mirrored(const LieGroup& lie);
LieGroup perturbed(const LieGroup& lie, double amount);
inline DenseRows dense_matrix(const LieGroup& /*lie*/) { return {}; }

// Of a composition those of its members are their own.
DenseRows dense_matrix(const Scheme& scheme);

bool symmetric(const LieGroup& lie);
// Whether its weights sum to 1, which those of substeps of rkn need not.
bool whole_step(const LieGroup& lie);

const Readers& readers(std::type_identity<Composition>);
Composition mirrored(const Composition& composition);
Composition perturbed(const Composition& composition, double amount);
inline DenseRows dense_matrix(const Composition& /*composition*/) { return {}; }

// The scheme that a text without blanks names, inside of so many calls.
Scheme read_scheme(const std::string& text, int depth);

// A step of a member that fails may be taken by another one: its name, or null. For ggl and its adjoint it is RATTLE
// with the forces at the end of the step where the member has them, which leaves an error of h^3 in place of RATTLE's
// h^2.
const char* stand_in(const Scheme& member);
// The first member is of lie, and all others have to be.
bool on_rotations(const Scheme& scheme);
// The hamilton scheme with the same rules, on the directors of the bodies. Where every rule has its nodes at the ends
// it is the same map [LewMata2016, section 4.1].
bool same_on_directors(const Scheme& scheme);
Scheme on_directors(const Scheme& scheme);

}  // namespace extremal
