// All blocks of a sweep that are left to do: on the threads of this process, or on all ranks of a Transport.
#pragma once

#include <functional>

#include "sweep/block.hpp"
#include "sweep/transport.hpp"

namespace extremal::sweep {

struct Work {
  const Sweep* sweep;
  std::vector<std::uint64_t> blocks;  // to do
  unsigned threads = 1;               // of this process
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const BlockResult&)> keep;  // gets every finished block, one at a time, in the caller's thread
  std::function<void()> tick = [] {};            // called ten times a second or more often
};

void work_here(const Work& work);

// Of rank 0, which hands out blocks to all, as they ask for them, and keeps the results.
void lead(const Work& work, Transport& transport);
// Of the other ranks; blocks, keep and tick are those of rank 0.
void follow(const Work& work, Transport& transport);

}  // namespace extremal::sweep
