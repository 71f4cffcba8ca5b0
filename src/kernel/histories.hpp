// Histories: what a taker's unknowns were in its last steps, and the guess that continues them.
//
// The polynomial through as many steps of one length as are known, at most `most`: x_1, 2 x_1 - x_2,
// 3 x_1 - 3 x_2 + x_3, ... Every step more brings an order, and the noise of the steps is doubled. Substeps of a
// composition have a history each, since their lengths differ.
//
// A polynomial that would have missed the last step by much is no guess for the next: Newton's method might find
// another solution from there, of which long steps have several.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "numbers/index.hpp"

namespace extremal {

template <class S, int most>
class Histories {
 public:
  // Of so many unknowns, or of so many substeps of a step. Forgets all, if these are others than before.
  void resize(std::size_t size) {
    if (size != size_) make(size, past_.size());
  }
  void expect(std::size_t substeps) {
    if (substeps != past_.size()) make(size_, substeps);
  }
  void forget() {
    for (Past& past : past_) past.known = 0, past.trusted = false;
  }

  // False, and nothing has happened, if there is nothing to continue in this substep.
  bool guess(int substep, const S& h, S* out) const {
    const Past& past = past_[sz(substep)];
    if (!past.trusted || past.h != h) return false;
    past.go_on(size_, out);
    return true;
  }
  // A solution.
  void remember(int substep, const S& h, const S* x) {
    Past& past = past_[sz(substep)];
    past.trusted = past.known > 0 && past.h == h && meets(past, x);
    for (std::size_t k = sz(most) - 1; k > 0; --k) past.x[k].swap(past.x[k - 1]);
    std::copy_n(x, size_, past.x[0].begin());
    past.known = past.h == h ? std::min(past.known + 1, most) : 1;
    past.h = h;
  }

  // The numbers of a checkpoint.
  void save(std::vector<S>& out) const {
    for (const Past& past : past_) {
      out.push_back(past.h);
      out.push_back(S(past.known));
      out.push_back(S(past.trusted ? 1 : 0));
      for (const auto& x : past.x) out.insert(out.end(), x.begin(), x.end());
    }
  }
  const S* restore(const S* from) {
    for (Past& past : past_) {
      past.h = *from++;
      past.known = static_cast<int>(*from++);
      past.trusted = *from++ != S(0);
      for (auto& x : past.x) {
        std::copy_n(from, size_, x.begin());
        from += size_;
      }
    }
    return from;
  }

 private:
  void make(std::size_t size, std::size_t substeps) {
    size_ = size;
    met_.resize(size);
    past_.assign(substeps, Past{});
    for (Past& past : past_)
      for (auto& x : past.x) x.assign(size, S(0));
  }

  struct Past {
    S h{};
    int known = 0;
    bool trusted = false;
    std::array<std::vector<S>, sz(most)> x;  // the latest first

    // With known > 0.
    void go_on(std::size_t size, S* out) const {
      S weight(known);
      for (std::size_t i = 0; i < size; ++i) out[i] = weight * x[0][i];
      for (int k = 1; k < known; ++k) {
        weight *= -S(known - k) / S(k + 1);
        const S* old = x[sz(k)].data();
        for (std::size_t i = 0; i < size; ++i) out[i] += weight * old[i];
      }
    }
  };

  static constexpr double most_missed = 1.0 / 16;  // of the largest of a solution
  // Whether what goes on from the past comes near to what was found.
  bool meets(const Past& past, const S* x) {
    past.go_on(size_, met_.data());
    S missed(0), extent(0);
    for (std::size_t i = 0; i < size_; ++i) {
      missed = math::max(missed, math::abs(met_[i] - x[i]));
      extent = math::max(extent, math::abs(x[i]));
    }
    return missed <= S(most_missed) * extent;
  }

  std::size_t size_ = 0;
  std::vector<Past> past_ = std::vector<Past>(1);
  std::vector<S> met_;  // what the past would have guessed
};

}  // namespace extremal
