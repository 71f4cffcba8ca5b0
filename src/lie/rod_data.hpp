// What a RodKernel keeps, and the one way in which it goes through its blocks.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lie/rod_kernel.hpp"
#include "lie/rod_layout.hpp"
#include "lie/workers.hpp"

namespace extremal::lie {

template <class S>
struct RodKernel<S>::Data {
  // Indices of the fields.
  enum : std::size_t { x = 0, q = 3, p = 7, pi = 10, state_fields = 13 };
  enum : std::size_t { node_mass = 0, inverse_mass = 1, inverse_inertia = 2, asymmetry = 5, inertia_fields = 6 };
  enum : std::size_t {
    inverse_length = 0,
    force_rate = 1,
    force0 = 4,
    moment_rate = 7,
    moment0 = 10,
    element_fields = 13
  };

  std::vector<RodSpan> rods;
  std::vector<RodBlock> blocks;
  std::size_t slots = 0;
  Fields<S> state, inertia, elements;
  S bound = S(0);

  struct Held {
    std::size_t slot;
    bool position, rotation;
  };
  std::vector<Held> held;
  std::array<S, 3> gravity{};
  S damping = S(0), alpha = S(0.5);

  const RodLoops<S>* loops = nullptr;
  std::unique_ptr<Workers> workers;
  struct Worker {
    std::size_t begin, end;          // its blocks
    std::vector<std::size_t> early;  // those of them whose nodes others look at: moved before anything else
    std::vector<char> is_early;      // by block - begin
    Fields<S> forces;
    bool moved;
  };
  std::vector<Worker> crew;

  NodeArrays<S> nodes(std::size_t slot) {
    NodeArrays<S> a;
    for (std::size_t c = 0; c < 3; ++c)
      a.x[c] = state[x + c] + slot, a.p[c] = state[p + c] + slot, a.pi[c] = state[pi + c] + slot;
    for (std::size_t c = 0; c < 4; ++c) a.q[c] = state[q + c] + slot;
    return a;
  }
  InertiaArrays<S> inertia_at(std::size_t slot) const {
    InertiaArrays<S> a;
    a.mass = inertia[node_mass] + slot, a.inverse_mass = inertia[inverse_mass] + slot;
    a.asymmetry = inertia[asymmetry] + slot;
    for (std::size_t c = 0; c < 3; ++c) a.inverse_inertia[c] = inertia[inverse_inertia + c] + slot;
    return a;
  }
  ElementArrays<S> elements_at(std::size_t slot) const {
    ElementArrays<S> a;
    for (std::size_t c = 0; c < 3; ++c) {
      a.force_rate[c] = elements[force_rate + c] + slot, a.force0[c] = elements[force0 + c] + slot;
      a.moment_rate[c] = elements[moment_rate + c] + slot, a.moment0[c] = elements[moment0 + c] + slot;
    }
    return a;
  }
  // Entry 0 belongs to the first node of a block, entry -1 to the element before it.
  static ForceArrays<S> forces_of(Worker& w) {
    ForceArrays<S> f;
    for (std::size_t c = 0; c < 3; ++c)
      f.n[c] = w.forces[c] + rod_lanes, f.m[c] = w.forces[3 + c] + rod_lanes, f.c[c] = w.forces[6 + c] + rod_lanes;
    return f;
  }

  Vec3<S> position(std::size_t i) const { return {state[x][i], state[x + 1][i], state[x + 2][i]}; }
  Quaternion<S> rotation(std::size_t i) const {
    return {state[q][i], state[q + 1][i], state[q + 2][i], state[q + 3][i]};
  }
  Vec3<S> field(const Fields<S>& fields, std::size_t from, std::size_t i) const {
    return {fields[from][i], fields[from + 1][i], fields[from + 2][i]};
  }
  RodLaw<S> law(std::size_t i) const {
    return {field(elements, force_rate, i), field(elements, force0, i), field(elements, moment_rate, i),
            field(elements, moment0, i)};
  }
  RodElement<S> element(std::size_t i) const {
    const RodLaw<S> l = law(i);
    const S inverse = elements[inverse_length][i], length = S(1) / inverse, half = S(0.5) * length;
    const auto over = [](const Vec3<S>& a, const Vec3<S>& b) {  // a strain without stiffness is as good as none
      return Vec3<S>{b.x > S(0) ? a.x / b.x : S(0), b.y > S(0) ? a.y / b.y : S(0), b.z > S(0) ? a.z / b.z : S(0)};
    };
    const Vec3<S> force = length * l.force_rate, moment = half * l.moment_rate;
    return {inverse, force, moment, over(l.force0, force), over(l.moment0, moment)};
  }

  void build(const std::vector<Rod<S>>& given);
  void employ(int number);

  bool move(const RodBlock& b, const S& h) {
    return loops->drift[b.uniform_nodes][b.round](b.padded(), nodes(b.first), inertia_at(b.first), h);
  }

  // The last element of a block is the one before the next.
  static void carry(const RodBlock& b, const ForceArrays<S>& f) {
    for (int c = 0; c < 3; ++c) {
      f.n[c][-1] = f.n[c][b.nodes - 1];
      f.m[c][-1] = f.m[c][b.nodes - 1];
      f.c[c][-1] = f.c[c][b.nodes - 1];
    }
  }

  // What the elements do to the nodes of a block, the nodes being where they are. `carried`: entry -1 is already there.
  void load_block(const RodBlock& b, const ForceArrays<S>& f, bool carried) {
    const RodSpan& rod = rods[b.rod];
    const std::size_t last = b.first + b.nodes - 1;
    if (b.ends_rod && rod.closed)
      for (std::size_t c = 0; c < 7; ++c) state[x + c][last + 1] = state[x + c][rod.first];
    loops->elements[b.uniform_elements](b.padded(), nodes(b.first), elements_at(b.first), f);
    if (b.ends_rod)
      for (std::size_t i = rod.closed ? b.nodes : b.nodes - 1; i < b.padded(); ++i)
        for (int c = 0; c < 3; ++c) f.n[c][i] = f.m[c][i] = f.c[c][i] = S(0);
    if (carried) return;
    if (b.starts_rod && !rod.closed) {
      for (int c = 0; c < 3; ++c) f.n[c][-1] = f.m[c][-1] = f.c[c][-1] = S(0);
    } else if (b.starts_rod && b.ends_rod) {
      carry(b, f);
    } else {
      const std::size_t from = b.starts_rod ? rod.first + rod.nodes - 1 : b.first - 1;
      const RodForces<S> r = rod_forces(law(from), relative_rotation(rotation(from), rotation(b.first)),
                                        position(b.first) - position(from));
      f.n[0][-1] = r.n.x, f.n[1][-1] = r.n.y, f.n[2][-1] = r.n.z;
      f.m[0][-1] = r.m.x, f.m[1][-1] = r.m.y, f.m[2][-1] = r.m.z;
      f.c[0][-1] = r.c.x, f.c[1][-1] = r.c.y, f.c[2][-1] = r.c.z;
    }
  }

  // Moves the nodes if `h` is given, and hands the forces on every block to `use`. Each thread goes through its blocks
  // in order, the nodes one block ahead of the elements. False if a rotation does not exist.
  template <class Use>
  bool sweep(const S* h, Use use) {
    workers->run([&](int thread) {
      Worker& w = crew[static_cast<std::size_t>(thread)];
      w.moved = true;
      if (h != nullptr) {
        for (const std::size_t b : w.early) w.moved = move(blocks[b], *h) && w.moved;
        workers->meet();
      }
      const ForceArrays<S> f = forces_of(w);
      for (std::size_t b = w.begin; b < w.end; ++b) {
        if (h != nullptr && b + 1 < w.end && !w.is_early[b + 1 - w.begin]) w.moved = move(blocks[b + 1], *h) && w.moved;
        const RodBlock& block = blocks[b];
        load_block(block, f, b > w.begin && !block.starts_rod);
        use(block, f);
        carry(block, f);
      }
    });
    return std::all_of(crew.begin(), crew.end(), [](const Worker& w) { return w.moved; });
  }

  // Slots without a node stay at rest.
  void rest(const RodBlock& b) {
    for (std::size_t i = b.first + b.nodes; i < b.first + b.padded(); ++i)
      for (std::size_t c = 0; c < 6; ++c) state[p + c][i] = S(0);
  }
  void rest_held() {
    for (const Held& node : held)
      for (std::size_t c = 0; c < 3; ++c) {
        if (node.position) state[p + c][node.slot] = S(0);
        if (node.rotation) state[pi + c][node.slot] = S(0);
      }
  }
  bool kick(const S* h, const Kick<S>& k) {
    const bool moved = sweep(h, [&](const RodBlock& b, const ForceArrays<S>& f) {
      loops->kick[b.uniform_nodes](b.padded(), nodes(b.first), inertia_at(b.first), f, k);
      rest(b);
    });
    return moved;
  }
  void add(std::span<const NodeLoad<S>> loads, const S& weight) {
    for (const NodeLoad<S>& load : loads)
      for (std::size_t c = 0; c < 3; ++c) {
        state[p + c][load.slot] += weight * load.force[c];
        state[pi + c][load.slot] += weight * load.torque[c];
      }
  }
  // Of the momenta, by damping: before a drift, and after it.
  S decay_before(const S& h) const { return S(1) / (S(1) + (S(1) - alpha) * h * damping); }
  S decay_after(const S& h) const { return S(1) - alpha * h * damping; }
};

}  // namespace extremal::lie
