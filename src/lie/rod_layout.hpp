// Where the nodes of all rods lie in memory, and in which blocks they are worked on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algebra/array.hpp"
#include "lie/rod_loops.hpp"

namespace extremal::lie {

// Many arrays of one length in one piece of memory. Neighbours start 17 cache lines apart modulo a page: arrays that
// start at the same place of their pages compete for the same eight ways of the cache.
template <class S>
class Fields {
 public:
  Fields() = default;
  Fields(std::size_t number, std::size_t length) {
    constexpr std::size_t line = 64 / sizeof(S) > 0 ? 64 / sizeof(S) : 1, page = 64 * line;
    stride_ = (length + page - 1) / page * page + 17 * line;
    memory_.assign(number * stride_ + line, S(0));
    const auto address = reinterpret_cast<std::size_t>(memory_.data());
    start_ = (64 - address % 64) % 64 / sizeof(S);
  }
  S* operator[](std::size_t field) { return memory_.data() + start_ + field * stride_; }
  const S* operator[](std::size_t field) const { return memory_.data() + start_ + field * stride_; }

 private:
  Array<S> memory_;
  std::size_t stride_ = 0, start_ = 0;
};

struct RodSpan {
  std::size_t first, nodes;  // slots first .. first + nodes - 1
  bool closed;
  std::size_t elements() const { return closed ? nodes : nodes - 1; }
};

// A piece of one rod, small enough that all of its data stay in the cache for the three loops over it.
struct RodBlock {
  std::size_t first, nodes;
  std::size_t rod;
  bool starts_rod, ends_rod;
  bool uniform_nodes, uniform_elements, round;
  std::size_t padded() const { return (nodes + rod_lanes - 1) / rod_lanes * rod_lanes; }
};

inline constexpr std::size_t rod_block = 256;

// Slots that a rod of so many nodes takes: whole vectors, and at least one vector more, so that reading the node after
// any slot of a rod never reads another rod.
inline std::size_t rod_slots(std::size_t nodes) { return (nodes + rod_lanes - 1) / rod_lanes * rod_lanes + rod_lanes; }

inline std::vector<RodBlock> rod_blocks(std::span<const RodSpan> rods) {
  std::vector<RodBlock> blocks;
  for (std::size_t r = 0; r < rods.size(); ++r)
    for (std::size_t done = 0; done < rods[r].nodes; done += rod_block) {
      const std::size_t left = rods[r].nodes - done, nodes = left < rod_block ? left : rod_block;
      blocks.push_back({rods[r].first + done, nodes, r, done == 0, nodes == left, false, false, false});
    }
  return blocks;
}

}  // namespace extremal::lie
