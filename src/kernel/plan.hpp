// Plan: the takers of a scheme, and the ways to take a step with them, in the order in which they are tried.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "extremal/remedies.hpp"
#include "kernel/make_taker.hpp"
#include "numbers/index.hpp"
#include "scheme/family.hpp"

namespace extremal {

template <class S>
class Plan {
 public:
  struct Sub {
    S coefficient;
    int taker;
  };
  // Substeps in turn. Of a remedy the matrices are regularised, or less so where they are already.
  struct Way {
    Remedy remedy;
    std::vector<Sub> subs;
  };

  Plan(const System& system, const Scheme& scheme) : system_(system) {
    std::vector<Sub> substeps, rattle, divided;
    if (!scheme.composed())
      substeps.push_back({S(1), member(scheme)});
    else
      flatten(scheme, S(1), substeps);
    ways_.push_back({Remedy::none, substeps});
    if (system.constraint_count() == 0) return;
    ways_.push_back({Remedy::regularised, substeps});
    if (std::any_of(kinds_.begin(), kinds_.end(), stand_in)) {
      for (const Sub& sub : substeps) {
        const char* other = stand_in(kinds_[sz(sub.taker)]);
        rattle.push_back({sub.coefficient, other == nullptr ? sub.taker : member(Scheme::named(other))});
      }
      ways_.push_back({Remedy::rattle, rattle});
    }
    // In two parts of unequal length, which moves the nodes away from a singular configuration.
    for (const S part : {S(0.6), S(0.4)})
      for (const Sub& sub : substeps) divided.push_back({part * sub.coefficient, sub.taker});
    ways_.push_back({Remedy::divided, divided});
  }

  const std::vector<Way>& ways() const { return ways_; }
  const std::vector<Sub>& substeps() const { return ways_.front().subs; }  // of the scheme itself
  std::size_t most_substeps() const {
    std::size_t most = 0;
    for (const Way& way : ways_) most = std::max(most, way.subs.size());
    return most;
  }
  const std::vector<std::unique_ptr<Taker<S>>>& takers() const { return takers_; }
  Taker<S>& taker(int k) const { return *takers_[sz(k)]; }
  Taker<S>& last() const { return taker(substeps().back().taker); }
  bool has(Remedy remedy) const {
    return std::any_of(ways_.begin(), ways_.end(), [&](const Way& way) { return way.remedy == remedy; });
  }

 private:
  int member(const Scheme& scheme) {
    for (std::size_t k = 0; k < kinds_.size(); ++k)
      if (kinds_[k].method == scheme.method) return static_cast<int>(k);
    kinds_.push_back(scheme);
    takers_.push_back(make_taker<S>(system_, scheme));
    return static_cast<int>(kinds_.size()) - 1;
  }
  void flatten(const Scheme& scheme, S factor, std::vector<Sub>& out) {
    for (const Substep& sub : scheme.substeps()) {
      const S c = factor * static_cast<S>(sub.coefficient);
      if (sub.scheme.composed())
        flatten(sub.scheme, c, out);
      else
        out.push_back({c, member(sub.scheme)});
    }
  }

  System system_;
  std::vector<Scheme> kinds_;  // of the takers
  std::vector<std::unique_ptr<Taker<S>>> takers_;
  std::vector<Way> ways_;
};

}  // namespace extremal
