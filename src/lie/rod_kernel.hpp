// RodKernel: the explicit step of many geometrically exact rods [LewMata2016, section 4.2], made for speed.
//
//   RodKernel<double> rods({ring});             // Rod: nodes, sections, open or closed
//   rods.begin(h);                              // momenta p, pi are those of the node time until here
//   while (...) if (!rods.step(h)) ...          // false: a section turns too far in one step
//   rods.momenta(h, p, pi);                     // of the node time again; nothing stored changes
//
// One step of lie(alpha(a)):  p_half = p0 + (1-a) h f(q0),  x1 = x0 + h p_half/m,  Lambda1 = Lambda0 F(h Lambda0^T
// pi_half),  p1 = p_half + a h f(q1).  Between two steps the two kicks are one. What is stored from begin() on is the
// momentum of the drift, p_half, and step() is drift, rotation, force and full kick, block of nodes by block, so that
// every number passes through memory once.
//
// Damping F = -c M v, with the velocity of the drift: (1 + (1-a) h c) p_half = p0 + (1-a) h f,
// p1 = (1 - a h c) p_half + a h f.
//
// Arrays are indexed by slots: node i of rod r has the slot first(r) + i. Behind the nodes of a rod there are slots
// without a node, at least one: they fill vectors, and a closed rod finds its first node again behind its last. Between
// steps they are at rest and nobody's business.
//
// The bits of a result depend neither on the number of threads nor on the instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "bodies/rod_element.hpp"
#include "lie/rod_loops.hpp"

namespace extremal::lie {

// Per unit length. Axis 1 is the tangent, 2 and 3 are the principal axes of the section.
template <class S>
struct RodSection {
  S mass;                      // A_rho
  std::array<S, 3> inertia;    // J1 = J2 + J3, as of every section
  std::array<S, 6> stiffness;  // EA, GA2, GA3, GJ, EI2, EI3
};

// The longest step that is stable for small vibrations of a rod of such elements. Use at most 0.8 of it.
template <class S>
S step_bound(const RodSection<S>& section, const S& length);

template <class S>
struct Rod {
  std::vector<std::array<S, 3>> positions;
  std::vector<std::array<S, 4>> rotations;  // unit quaternions (w, x, y, z), as many
  bool closed = false;                      // the last node is joined to the first

  // One for all, or one per element. Element i joins nodes i and i + 1.
  std::vector<RodSection<S>> sections;
  std::vector<S> lengths;  // none: the distances of the nodes
  std::vector<std::array<S, 3>> gamma0,
      omega0;  // strains of the stress-free shape; none: the given shape is stress-free
};

template <class S>
struct NodeLoad {
  std::size_t slot;
  std::array<S, 3> force, torque;  // in space
};

template <class S>
class RodKernel {
 public:
  // Throws InputError, which names the rod and what is wrong with it.
  explicit RodKernel(const std::vector<Rod<S>>& rods);
  ~RodKernel();
  RodKernel(RodKernel&&) noexcept;
  RodKernel& operator=(RodKernel&&) noexcept;

  std::size_t rods() const;
  std::size_t nodes(std::size_t rod) const;
  std::size_t elements(std::size_t rod) const;
  std::size_t first(std::size_t rod) const;  // slot of its first node
  std::size_t slots() const;                 // the size of every array

  // State by component: x (3), q (4), p (3), pi (3, spatial). Free to be written before begin() and, by whoever knows
  // that p and pi are then momenta of the drift, after it.
  S* x(int component);
  S* q(int component);
  S* p(int component);
  S* pi(int component);
  const S* x(int component) const;
  const S* q(int component) const;
  const S* p(int component) const;
  const S* pi(int component) const;

  S mass(std::size_t slot) const;                    // lumped: half of each element beside the node
  std::array<S, 3> inertia(std::size_t slot) const;  // likewise
  RodElement<S> element(std::size_t slot) const;     // between the node of this slot and the next
  std::size_t next(std::size_t slot) const;  // the node at the other end of that element; slots() if there is none

  // A held node keeps its position or its rotation or both; its momentum is zero.
  void hold(std::size_t slot, bool position, bool rotation);
  void gravity(const std::array<S, 3>& acceleration);
  void damping(const S& c);
  void alpha(const S& a);    // 1/2 unless told
  void threads(int number);  // unless told one below 2e4 slots, else as many as the machine has
  int threads() const;
  void instructions(Instructions instructions);  // unless told the best that the machine has

  // Forces and spatial torques on every node: of the elements, and of gravity unless told not to; arrays of slots().
  void forces(const std::array<S*, 3>& f, const std::array<S*, 3>& tau, bool with_gravity = true) const;
  // x and q over a time h with the stored momenta. False if a section turns too far.
  bool drift(const S& h);

  // Loads at the current time, as they are just after it.
  void begin(const S& h, std::span<const NodeLoad<S>> loads = {});
  // Loads at the end of the step, just before and just after it: a load that jumps there differs.
  bool step(const S& h, std::span<const NodeLoad<S>> before = {}, std::span<const NodeLoad<S>> after = {});
  // p and pi at the current node time, into arrays of slots(). `loads` are those just after it.
  void momenta(const S& h, const std::array<S*, 3>& p, const std::array<S*, 3>& pi,
               std::span<const NodeLoad<S>> loads = {}) const;

  RodEnergy<S> potential() const;  // elastic
  S gravitational() const;
  S kinetic(const std::array<const S*, 3>& p, const std::array<const S*, 3>& pi) const;
  S step_bound() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace extremal::lie
