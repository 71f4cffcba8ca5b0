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

#include "numbers/index.hpp"
#include "small/part.hpp"
#include "small/step.hpp"

namespace extremal {

// n, m and J are constants where N, M and K are not zero, and there are no forces inside where K is not.
template <class S, int N, int M, int K>
class SmallGuess {
  using T = Shared<S>;
  static constexpr int remembered = 4;  // steps, a power of two

 public:
  static constexpr int high_order = 4;  // from so many multipliers on polynomials in time are considered

  SmallGuess(int n, int m, int J, int inner, const std::vector<T>& next)
      : n_(n), m_(m), J_(J), inner_(inner), size_(J * m + std::max(J - 1, 0) * n + inner * n), next_(next) {
    clear(past_, remembered * size_);
    clear(guess_, 2 * size_);
    clear(end_, m + n);
    clear(lambda_, J * m);
    clear(c_, J * n);
  }

  // All of a step as at one point: lambda, c and the force a there.
  void seed(S& count, const S* lambda, const S* c, const S* a) {
    newest_ = 0;
    S* x = past_.data();
    const auto put = [](const S* from, int size, S* to) { return std::copy_n(from, size, to); };
    for (int j = 0; j < J_; ++j) x = put(lambda, m_, x), put(lambda, m_, &lambda_[sz(j * m_)]);
    for (int j = 0; j < J_; ++j) put(c, n_, &c_[sz(j * n_)]);
    for (int j = 1; j < J_; ++j) x = put(c, n_, x);
    for (int i = 0; i < inner_; ++i) x = put(a, n_, x);
    if (J_ > 0) put(c, n_, put(lambda, m_, end_.data()));
    continued_ = S(0);
    count = S(T(0.5));  // less than a step
    weigh<S>(0, count);
    full_ = is_full(count);
  }

  // Of one part: J x m, J x n of which the first n are left to the caller, inner x n.
  template <class P, class Forces>
  void make(int part, P* lambda, P* c, Forces a) {
    const auto w = view<P>(weights_.data(), part);
    const auto p0 = view<P>(step(0), part), p1 = view<P>(step(1), part), p2 = view<P>(step(2), part),
               p3 = view<P>(step(3), part);
    const auto further = [&](int i) { return w[0] * p0[i] + w[1] * p1[i] + w[2] * p2[i] + w[3] * p3[i]; };
    int next = multipliers();
    if (J() < high_order) {
      for (int i = 0; i < multipliers(); ++i) lambda[i] = further(i);
      for (int i = n(); i < J() * n(); ++i) c[i] = further(next++);
      for (int i = 0; i < inner() * n(); ++i) a[i] = further(next++);
      return;
    }
    const auto x = view<P>(guess_.data(), part);
    for (int i = 0; i < size(); ++i) x[i] = further(i);
    continue_polynomials<P>(part);
    for (int i = 0; i < multipliers(); ++i) lambda[i] = x[i];
    for (int i = n(); i < J() * n(); ++i) c[i] = x[next++];
    for (int i = 0; i < inner() * n(); ++i) a[i] = x[next++];
  }

  // After a step; end() has been set. When all parts are kept the step is the newest.
  template <class P, class Forces>
  void keep(int part, P& count, const P* lambda, const P* c, Forces a) {
    if (J() >= high_order) {
      judge<P>(part, lambda);
      const auto lambdas = view<P>(lambda_.data(), part), cs = view<P>(c_.data(), part);
      for (int i = 0; i < multipliers(); ++i) lambdas[i] = lambda[i];
      for (int i = 0; i < J() * n(); ++i) cs[i] = c[i];
    }
    const auto x = view<P>(past_.data() + oldest() * size(), part);
    int next = multipliers();
    for (int i = 0; i < multipliers(); ++i) x[i] = lambda[i];
    for (int i = n(); i < J() * n(); ++i) x[next++] = c[i];
    for (int i = 0; i < inner() * n(); ++i) x[next++] = a[i];
    if (full_) return;
    count = select(less(count, P(1)), P(1), select(less(count, P(remembered)), count + P(1), count));
    weigh<P>(part, count);
  }
  // The one multiplier of a step that needs no guess.
  template <class P>
  void replace(int part, const P& lambda) {
    view<P>(past_.data() + newest_ * size(), part)[0] = lambda;
  }
  void kept(const S& count) {
    newest_ = oldest();
    if (!full_) full_ = is_full(count);
  }

  // Of the last step: lambda, J x m, and c inside, (J - 1) x n.
  const S* newest() const { return step(0); }
  // The multiplier at the end of the last step, m numbers, and c there, n.
  S* end() { return end_.data(); }
  const S* end() const { return end_.data(); }

  void save(std::vector<S>& out) const {
    out.push_back(continued_);
    for (int k = 0; k < remembered; ++k) out.insert(out.end(), step(k), step(k) + size_);
    const auto put = [&](const auto& x) { out.insert(out.end(), x.begin(), x.end()); };
    put(end_), put(lambda_), put(c_);
  }
  const S* restore(const S& count, const S* from) {
    continued_ = *from++;
    newest_ = 0;
    const auto take = [&](auto& x) {
      std::copy_n(from, x.size(), x.begin());
      from += x.size();
    };
    take(past_), take(end_), take(lambda_), take(c_);
    weigh<S>(0, count);
    full_ = is_full(count);
    return from;
  }

 private:
  int n() const { return N > 0 ? N : n_; }
  int m() const { return M > 0 ? M : m_; }
  int J() const { return K > 0 ? K : J_; }
  int multipliers() const { return J() * m(); }
  static bool is_full(const S& count) { return all(!less(count, S(remembered))); }
  int oldest() const { return (newest_ + remembered - 1) & (remembered - 1); }
  const S* step(int k) const { return past_.data() + ((newest_ + k) & (remembered - 1)) * size(); }

  int size() const { return K > 0 ? K * M + (K - 1) * N : size_; }
  int inner() const { return K > 0 ? 0 : inner_; }
  // The coefficients of the polynomial through as many steps as are known, one step further.
  template <class P>
  void weigh(int part, const P& count) {
    static constexpr int binomial[remembered][remembered] = {
        {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    for (int k = 0; k < remembered; ++k) {
      P x(binomial[0][k]);
      for (int steps = 2; steps <= remembered; ++steps)
        x = select(less(P(steps - 1), count), P(binomial[steps - 1][k]), x);
      view<P>(weights_.data(), part)[k] = x;
    }
  }

  // What is taken is in the first half of guess_ afterwards, the other in the second.
  template <class P>
  void continue_polynomials(int part) {
    const auto first = view<P>(guess_.data(), part), second = first + size();
    const auto lambdas = view<P>(lambda_.data(), part), cs = view<P>(c_.data(), part), end = view<P>(end_.data(), part);
    int size = 0;
    const auto further = [&](int j, auto inside, auto last, int width) {
      const T* next = next_.data() + j * (J() + 1);
      for (int i = 0; i < width; ++i) {
        P sum = P(next[J()]) * last[i];
        for (int l = 0; l < J(); ++l) sum += P(next[l]) * inside[l * width + i];
        second[size++] = sum;
      }
    };
    for (int j = 0; j < J(); ++j) further(j, lambdas, end, m());
    for (int j = 1; j < J(); ++j) further(j, cs, end + m(), n());
    const typename MaskFor<P>::type use = less(P(0), view<P>(&continued_, part)[0]);
    for (int i = 0; i < size; ++i) {
      const P taken = select(use, second[i], first[i]), left = select(use, first[i], second[i]);
      first[i] = taken, second[i] = left;
    }
  }
  template <class P>
  void judge(int part, const P* lambda) {
    const auto first = view<P>(guess_.data(), part), second = first + size();
    P taken(0), left(0);
    for (int i = 0; i < multipliers(); ++i) {
      taken = larger(taken, math::abs(lambda[i] - first[i]));
      left = larger(left, math::abs(lambda[i] - second[i]));
    }
    // After a seed both are alike.
    P& continued = view<P>(&continued_, part)[0];
    const typename MaskFor<P>::type change = less(left, taken) || (equal(left, taken) && less(continued, P(1)));
    continued = select(change, P(1) - continued, continued);
  }

  static constexpr int entries = K > 0 ? K* M + (K - 1) * N : 0;
  int n_, m_, J_, inner_, size_, newest_ = 0;
  bool full_ = false;  // as many steps are known as are remembered
  std::vector<T> next_;
  S continued_{0};  // 1 if the polynomials in time are taken
  std::array<S, sz(remembered)> weights_{};
  Store<S, remembered * entries> past_;
  Store<S, 2 * entries> guess_;
  Store<S, K == 0 ? 0 : M + N> end_;
  Store<S, K * M> lambda_;
  Store<S, K * N> c_;
};

}  // namespace extremal
