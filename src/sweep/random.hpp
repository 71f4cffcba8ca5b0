// Random numbers that depend on a seed, the index of the run and a name only: whatever the order in which runs are
// made, and on however many threads, a run has the same numbers.
//
// A counter goes through the finaliser of splitmix64 [Steele2014]. Values are computed in quad and rounded once, so
// that their bits do not depend on the machine's mathematical library.
#pragma once

#include <cstdint>
#include <string_view>

#include "extremal/scalar.hpp"

namespace extremal::sweep {

constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

struct Draw {
  std::uint64_t seed, run;
  std::string_view name;

  std::uint64_t bits(std::uint64_t k) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    std::uint64_t of_name = 0xcbf29ce484222325U;  // FNV-1a
    for (const char c : name) of_name = (of_name ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return mixed(mixed(mixed(seed + golden) ^ of_name) + golden * (2 * run + k + 1));
  }
  // Between 0 and 1, and neither.
  quad unit(std::uint64_t k) const { return (quad(bits(k) >> 11U) + quad(0.5)) * quad(0x1p-53); }

  double uniform(quad from, quad to) const { return static_cast<double>(from + (to - from) * unit(0)); }
  // By [BoxMuller1958].
  double normal(quad mean, quad deviation) const {
    const quad full_turn = quad(8) * math::atan(quad(1));
    return static_cast<double>(mean +
                               deviation * math::sqrt(quad(-2) * math::log(unit(0))) * math::cos(full_turn * unit(1)));
  }
};

}  // namespace extremal::sweep
