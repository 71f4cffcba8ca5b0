// Rods: geometrically exact, by the stiffness and inertia of their cross-section and a curve [LewMata2016,
// section 4.2].
//
//   Section steel = Section::circle({.E = "2e11", .G = "8e10", .density = 7800}, "0.01");
//   Rod beam = mechanism.rod("beam", {.section = steel, .from = {0, 0, 0}, .to = {1, 0, 0}, .elements = 20,
//                                     .first = RodEnd::clamped});
//   mechanism.force("tip load", beam.last(), {0, 0, -10});
//
// A rod is a row of nodes, each a small rigid body with the mass and inertia of half the elements beside it, joined by
// elements that stretch, shear, twist and bend. Axis 1 of a node is the tangent, axes 2 and 3 are the principal axes
// of the section. lie(trapezoidal) moves rods explicitly, and no faster than Mechanism::step_bound says.
#pragma once

#include <string>
#include <vector>

#include "extremal/number.hpp"
#include "extremal/time_function.hpp"

namespace extremal {

// Per unit length: stiffness against strains and curvatures, mass, and moments of inertia about axes 2 and 3; that
// about axis 1 is their sum.
struct Section {
  Number EA = 0, GA2 = 0, GA3 = 0, GJ = 0, EI2 = 0, EI3 = 0;
  Number mass = 1;
  Number inertia2 = 1, inertia3 = 1;

  // GA2 and GA3 are corrected for shear: 5/6 for a rectangle, 9/10 for a circle, 1/2 for a (thin) tube.
  struct Material {
    Number E = 1, G = 1, density = 1;
  };
  // Axis 2 along the width, axis 3 along the height: EI2 resists bending that moves the rod along its height.
  static Section rectangle(const Material& material, const Number& width, const Number& height);
  static Section circle(const Material& material, const Number& radius);
  static Section tube(const Material& material, const Number& outer, const Number& inner);
};

enum class RodEnd { free, pinned, clamped };

struct RodData {
  Section section;
  // The curve: straight between two points, or the places of all nodes.
  Numbers from = {}, to = {};
  int elements = 0;  // of the straight one
  std::vector<Numbers> points = {};
  bool closed = false;    // the last point is joined to the first
  Number length = 0;      // along the curve; 0: the sum of the chords between the nodes
  Numbers normal = {};    // near axis 3 of the sections; without one it is carried along the curve
  bool straight = false;  // straight when free of stress, whatever its curve is now
  Number damping = 0;     // c: every momentum decays as p' = -c p
  RodEnd first = RodEnd::free, last = RodEnd::free;
  // Loads per length, along the axes of space, constant or in time; what varies along the rod is put on its nodes.
  std::vector<TimeFunction> force = {}, moment = {};
};

// Where a driven body is, in time.
struct Drive {
  std::vector<TimeFunction> position = {};  // of its centre
  std::vector<TimeFunction> rotation = {};  // its rotation vector against the placement
};

// In the middle of an element and in its axes: tension and shear, torsion and bending.
template <class S>
struct SectionForce {
  std::string rod;
  int element = 0;
  S N[3], M[3];
};

template <class S>
struct EnergySplit {
  S translation{}, rotation{}, stretching{}, shear{}, torsion{}, bending{};
};

}  // namespace extremal
