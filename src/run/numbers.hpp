// NumberReader: takes back, in order, what was put into the numbers of a Checkpoint.
#pragma once

#include <vector>

#include "extremal/error.hpp"

namespace extremal {

template <class S>
class NumberReader {
 public:
  NumberReader(const std::vector<S>& numbers, std::size_t at) : numbers_(numbers), at_(at) {}
  S next() {
    if (at_ >= numbers_.size())
      throw InputError("checkpoint: found too few numbers; expected one of the same system, scheme, start and span");
    return numbers_[at_++];
  }
  template <class T>
  void take(T& x) {
    x = static_cast<T>(next());
  }
  template <class T>
  void take(std::vector<T>& all) {
    for (T& x : all) x = static_cast<T>(next());
  }
  bool finished() const { return at_ == numbers_.size(); }

 private:
  const std::vector<S>& numbers_;
  std::size_t at_;
};

}  // namespace extremal
