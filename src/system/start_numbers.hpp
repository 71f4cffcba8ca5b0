// StartNumbers: the numbers of a Start at one scalar, each rounded once; or those that a member of an ensemble has.
#pragma once

#include <vector>

#include "extremal/start.hpp"

namespace extremal {

template <class S>
struct StartNumbers {
  S t{}, slack{};
  std::vector<S> q = {}, v = {}, p = {}, next = {};

  StartNumbers() = default;
  explicit StartNumbers(const Start& start) : t(start.t.as<S>()), slack(start.slack.as<S>()) {
    const auto round = [](const std::vector<Number>& from, std::vector<S>& to) {
      to.reserve(from.size());
      for (const Number& x : from) to.push_back(x.as<S>());
    };
    round(start.q, q);
    round(start.v, v);
    round(start.p, p);
    round(start.next, next);
  }
};

}  // namespace extremal
