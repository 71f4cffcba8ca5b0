// How steps that were not taken as the scheme says are told, wherever runs are.
#pragma once

#include <iostream>
#include <string>

#include "extremal/remedies.hpp"
#include "words/json.hpp"

namespace extremal::cli {

// Steps by how they were taken, and by why the scheme's own way was refused.
inline Json remedies_json(const Remedies& of) {
  Json out = {{"total", of.total()}}, reasons = Json::object();
  for (std::size_t k = 1; k <= Remedies::kinds; ++k) out[name(static_cast<Remedy>(k))] = of.taken[k - 1];
  for (std::size_t k = 1; k <= Remedies::reasons; ++k) reasons[name(static_cast<Trouble>(k))] = of.refused[k - 1];
  out["reasons"] = reasons;
  return out;
}

// One line, or none.
inline void print_remedies(const Remedies& of, const std::string& scheme, long long steps) {
  if (of.total() > 0) std::cout << of.text(scheme, steps) << "\n";
}

}  // namespace extremal::cli
