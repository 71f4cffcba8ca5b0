// SmallGuess: where Newton's method of a small step starts from – the last steps, continued.
//
// Of every step the multipliers lambda_j, the accelerations c_j = M^-1 G^T lambda_j inside and the forces inside are
// remembered. Over the last four steps they are polynomials in the number of the step; within a step those of lambda
// and c are polynomials in time. Short steps are continued by the former, long ones of high order by the latter,
// whichever did better in the last step.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "small/step.hpp"

namespace extremal {

template <class S>
class SmallGuess {
  using T = Shared<S>;
  static constexpr int remembered = 4;  // steps, a power of two

 public:
  SmallGuess(int n, int m, int J, int inner, const std::vector<T>& next)
      : n_(n), m_(m), J_(J), inner_(inner), size_(J * m + std::max(J - 1, 0) * n + inner * n), next_(next) {
    past_.assign(at(remembered * size_), S(0));
    guess_.assign(at(2 * size_), S(0));
    end_.assign(at(m + n), S(0));
    lambda_.assign(at(J * m), S(0));
    c_.assign(at(J * n), S(0));
  }

  // All of a step as at one point: lambda, c and the force a there.
  void seed(S& count, const S* lambda, const S* c, const S* a) {
    newest_ = 0;
    S* x = past_.data();
    const auto put = [](const S* from, int size, S* to) { return std::copy_n(from, size, to); };
    for (int j = 0; j < J_; ++j) x = put(lambda, m_, x), put(lambda, m_, &lambda_[at(j * m_)]);
    for (int j = 0; j < J_; ++j) put(c, n_, &c_[at(j * n_)]);
    for (int j = 1; j < J_; ++j) x = put(c, n_, x);
    for (int i = 0; i < inner_; ++i) x = put(a, n_, x);
    if (J_ > 0) put(c, n_, put(lambda, m_, end_.data()));
    continued_ = S(0);
    count = S(T(0.5));  // less than a step
    weigh(count);
  }

  // J x m, J x n of which the first n are left to the caller, inner x n.
  void make(S* lambda, S* c, S* a) {
    S* x = guess_.data();
    const S *p0 = step(0), *p1 = step(1), *p2 = step(2), *p3 = step(3);
    for (int i = 0; i < size_; ++i)
      x[i] = weights_[0] * p0[i] + weights_[1] * p1[i] + weights_[2] * p2[i] + weights_[3] * p3[i];
    if (J_ >= high_order) continue_polynomials();
    for (int i = 0; i < J_ * m_; ++i) lambda[i] = *x++;
    for (int i = n_; i < J_ * n_; ++i) c[i] = *x++;
    for (int i = 0; i < inner_ * n_; ++i) a[i] = *x++;
  }

  // After a step; end() has been set.
  void keep(S& count, const S* lambda, const S* c, const S* a) {
    if (J_ >= high_order) {
      judge(lambda);
      std::copy_n(lambda, J_ * m_, lambda_.begin());
      std::copy_n(c, J_ * n_, c_.begin());
    }
    newest_ = (newest_ + remembered - 1) & (remembered - 1);
    S* x = past_.data() + newest_ * size_;
    for (int i = 0; i < J_ * m_; ++i) *x++ = lambda[i];
    for (int i = n_; i < J_ * n_; ++i) *x++ = c[i];
    for (int i = 0; i < inner_ * n_; ++i) *x++ = a[i];
    if (all(!less(count, S(remembered)))) return;
    count = select(less(count, S(1)), S(1), select(less(count, S(remembered)), count + S(1), count));
    weigh(count);
  }

  // The multiplier at the end of the last step, m numbers, and c there, n.
  S* end() { return end_.data(); }
  const S* end() const { return end_.data(); }

  void save(std::vector<S>& out) const {
    out.push_back(continued_);
    for (int k = 0; k < remembered; ++k) out.insert(out.end(), step(k), step(k) + size_);
    for (const auto* x : {&end_, &lambda_, &c_}) out.insert(out.end(), x->begin(), x->end());
  }
  const S* restore(const S& count, const S* from) {
    continued_ = *from++;
    newest_ = 0;
    for (auto* x : {&past_, &end_, &lambda_, &c_}) {
      std::copy_n(from, x->size(), x->begin());
      from += x->size();
    }
    weigh(count);
    return from;
  }

 private:
  static constexpr int high_order = 4;  // from so many multipliers on
  static constexpr std::size_t at(int n) { return static_cast<std::size_t>(n); }
  const S* step(int k) const { return past_.data() + ((newest_ + k) & (remembered - 1)) * size_; }

  // The coefficients of the polynomial through as many steps as are known, one step further.
  void weigh(const S& count) {
    static constexpr int binomial[remembered][remembered] = {
        {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    for (int k = 0; k < remembered; ++k) {
      S x(binomial[0][k]);
      for (int steps = 2; steps <= remembered; ++steps)
        x = select(less(S(steps - 1), count), S(binomial[steps - 1][k]), x);
      weights_[at(k)] = x;
    }
  }

  // What is taken is in the first half of guess_ afterwards, the other in the second.
  void continue_polynomials() {
    S* other = guess_.data() + size_;
    const auto further = [&](int j, const S* inside, const S* last, int width) {
      const T* next = next_.data() + j * (J_ + 1);
      for (int i = 0; i < width; ++i) {
        S sum = S(next[J_]) * last[i];
        for (int l = 0; l < J_; ++l) sum += S(next[l]) * inside[l * width + i];
        *other++ = sum;
      }
    };
    for (int j = 0; j < J_; ++j) further(j, lambda_.data(), end_.data(), m_);
    for (int j = 1; j < J_; ++j) further(j, c_.data(), end_.data() + m_, n_);
    const Mask<S> use = less(S(0), continued_);
    const int size = static_cast<int>(other - guess_.data()) - size_;
    for (int i = 0; i < size; ++i) {
      S &first = guess_[at(i)], &second = guess_[at(size_ + i)];
      const S taken = select(use, second, first), left = select(use, first, second);
      first = taken, second = left;
    }
  }
  void judge(const S* lambda) {
    S taken(0), left(0);
    for (int i = 0; i < J_ * m_; ++i) {
      taken = math::max(taken, math::abs(lambda[i] - guess_[at(i)]));
      left = math::max(left, math::abs(lambda[i] - guess_[at(size_ + i)]));
    }
    // After a seed both are alike.
    const Mask<S> change = less(left, taken) || (equal(left, taken) && less(continued_, S(1)));
    continued_ = select(change, S(1) - continued_, continued_);
  }

  int n_, m_, J_, inner_, size_, newest_ = 0;
  std::vector<T> next_;
  S continued_{0};  // 1 if the polynomials in time are taken
  std::array<S, at(remembered)> weights_{};
  std::vector<S> past_, guess_, end_, lambda_, c_;
};

}  // namespace extremal
