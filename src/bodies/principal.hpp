// Principal axes: what becomes of a body that is given in a frame of its own, as a drawing or a robot file gives it.
//
// The tensor J of a body about its centre of mass, in any frame, is A diag(J_1, J_2, J_3) A^T with a rotation A, whose
// columns are the principal axes. Everything is in quad: the eigenvalues have the digits of the entries.
#pragma once

#include <array>
#include <string>

#include "bodies/frame.hpp"
#include "extremal/mechanism.hpp"

namespace extremal {

// xx, yy, zz, xy, xz, yz: the order of BodyData::inertia.
using Tensor = std::array<quad, 6>;

struct PrincipalAxes {
  Triple moments{};
  Directors axes = no_rotation;
};

// By Jacobi's rotations, each of which takes one entry beside the diagonal away. The axes stay in the order of the
// frame: a tensor that is diagonal has the axes of the frame itself, to the last bit.
PrincipalAxes principal_axes(const Tensor& tensor);

// Of the same body in a frame that the given one is turned by `frame` against; and about a point that is `arm` away
// from the centre of mass (Steiner).
Tensor turned(const Tensor& tensor, const Directors& frame);
Tensor shifted(const Tensor& tensor, quad mass, const Triple& arm);

// Adds a mass with its centre and its tensor about it to another; all in one frame.
void add_mass(quad& mass, Triple& centre, Tensor& inertia, quad more, const Triple& at, const Tensor& tensor);

// Volume, and moments about the centre divided by the mass, of a body that is everywhere equally dense.
struct SolidShape {
  quad volume = 0;
  Triple moments{};
};

// By its name: "box", "cylinder", "sphere", "capsule", "ellipsoid". InputError for sizes that it does not have or that
// are not positive.
SolidShape solid_shape(const std::string& shape, const Numbers& size, const Numbers& radius, const Numbers& length);

// The extents that such sizes stand for, with the same refusals.
Triple shape_extent(const std::string& shape, const Numbers& size, const Numbers& radius, const Numbers& length);
// The same by whole extents along the axes, of a capsule without its round ends along the third.
SolidShape solid_extent(const std::string& shape, const Triple& size);

}  // namespace extremal
