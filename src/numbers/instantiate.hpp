// EXTREMAL_FOR_SCALARS(X): X(S) for every scalar S that this compilation is for.
//
// Sources of templates over the scalar are compiled twice (cmake/levels.cmake): for double, as hard as steps deserve,
// and, a folder at a time, for long double and quad, which spend their time in the processor's slow unit and in
// libquadmath.
//
//   #define EXTREMAL_INSTANTIATE(S) template class NodeSolver<S>;
//   EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
//   #undef EXTREMAL_INSTANTIATE
#pragma once

#include "extremal/detail/lanes.hpp"
#include "extremal/scalar.hpp"

#if defined(EXTREMAL_WIDE)
#define EXTREMAL_FOR_SCALARS(X) X(long double) X(quad)
#elif defined(EXTREMAL_LANES)
#define EXTREMAL_FOR_SCALARS(X) X(Lanes)
#else
#define EXTREMAL_FOR_SCALARS(X) X(double)
#endif
