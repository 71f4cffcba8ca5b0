// Remedies: how many steps of a run were not taken as its scheme says, how they were taken instead, and why.
//
// Most are the same map, solved in another way; `rattle` and `divided` are other maps, whose energy is not that of the
// scheme: see docs/theory.md, "When a step fails".
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace extremal {

enum class Remedy {
  none,
  regularised,  // with a matrix that is regularised, or less so
  rattle,       // of ggl: by RATTLE with the forces where ggl has them, alpha(0), or alpha(1) for the adjoint
  divided,      // in two parts, .6 h and .4 h
  directors,    // of lie: by the hamilton member of the same rule
};

// Why the scheme's own step was refused.
enum class Trouble {
  none,
  stalled,     // Newton's method did not converge
  singular,    // its matrix, or that of the projection, was singular
  fold,        // of ggl: there is no root that belongs to the motion
  jump,        // of velocities or impulses, as between two branches of the motion
  close,       // of lie: to a singular configuration
  too_fast,    // of lie: a body turned too far
  not_finite,  // numbers
};

const char* name(Remedy remedy);
const char* name(Trouble trouble);

struct StepReport;

struct Remedies {
  static constexpr std::size_t kinds = 4, reasons = 7;  // without `none`
  std::array<long long, kinds> taken{};
  std::array<long long, reasons> refused{};

  void count(const StepReport& report);
  long long by(Remedy remedy) const { return taken[static_cast<std::size_t>(remedy) - 1]; }
  long long because(Trouble trouble) const { return refused[static_cast<std::size_t>(trouble) - 1]; }
  long long total() const;
  // "12 of 100 steps were not taken as ggl says: 10 by RATTLE in its place, 2 in two parts (8 at a fold of its
  // equations, 4 where Newton's method stalled)"; empty if there are none.
  std::string text(const std::string& scheme, long long steps) const;
};

}  // namespace extremal
