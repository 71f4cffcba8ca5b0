#include "extremal/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/lu.hpp"
#include "extremal/error.hpp"
#include "extremal/stepper.hpp"
#include "numbers/index.hpp"
#include "study/statics.hpp"

namespace extremal {
namespace {

constexpr int most_iterations = 2000, most_hills = 10;
constexpr double longest_move = 0.3;  // change of a coordinate in one step, relative to the largest or to 1

double largest_entry(const std::vector<double>& list) {
  double most = 0;
  for (const double x : list) most = std::max(most, std::fabs(x));
  return most;
}

class Descent {
 public:
  Descent(const System& system, const Start& start) : statics_(system), lu_(statics_.n() + statics_.m()) {
    Stepper<double> stepper(system, Scheme::named(system.constraint_count() > 0 ? "rattle" : "trapezoidal"));
    stepper.start(start);
    out_.q = stepper.state().q;
    out_.t = stepper.state().t;
    out_.lambda.assign(sz(statics_.m()), 0.0);
  }

  Equilibrium found(const System& system, Rest rest) {
    look();
    inertia_ = statics_.typical_mass();
    stiff_ = std::max(statics_.typical_stiffness(), statics_.force_scale());
    if (stiff_ == 0) stiff_ = 1;
    floor_ = 1e-8 * stiff_ / inertia_;
    // As stiff as what is there: 1 / the first step in pseudo-time.
    out_.found = descend(stiff_ / inertia_);
    // Steps in pseudo-time that are longer than a hill is steep would go back to its top.
    for (int hill = 0; rest == Rest::stable && out_.found && hill < most_hills && leave(system); ++hill)
      out_.found = descend(std::max(stiff_ / inertia_, 2 * growth_ * growth_));
    if (out_.found && statics_.has_memories()) {
      free_ = true;
      look();
      out_.found = descend(floor_);
    }
    return std::move(out_);
  }

 private:
  void look() {
    statics_.look(out_.q, out_.t, out_.lambda);
    if (free_)
      statics_.rest_memories();
    else
      statics_.hold_memories();
  }

  // Off the top of a hill; false if this is none.
  bool leave(const System& system) {
    Modes about;
    try {
      about = modes(system, out_);
    } catch (const InputError&) {  // freedoms without inertia: nobody knows
      return false;
    }
    const auto most = std::max_element(about.modes.begin(), about.modes.end(),
                                       [](const Mode& a, const Mode& b) { return a.growth < b.growth; });
    if (about.stable || most == about.modes.end()) return false;
    growth_ = most->growth;
    const double size = 0.05 * std::max(1.0, largest_entry(out_.q));
    for (std::size_t i = 0; i < out_.q.size(); ++i) out_.q[i] += size * most->shape[i];
    look();
    return true;
  }

  bool descend(double first) {
    const bool newton = first == floor_;
    double pull = first;
    double before = 0;
    for (int k = 1; k <= most_iterations; ++k, ++out_.iterations) {
      if (!solve(pull)) return fail("its matrix is singular");
      const double way = largest_change(), size = std::max(1.0, largest_entry(out_.q));
      const double shorter = std::min(1.0, longest_move * size / way);
      for (std::size_t i = 0; i < out_.q.size(); ++i) out_.q[i] += shorter * x_[i];
      for (std::size_t e = 0; e < out_.lambda.size(); ++e) out_.lambda[e] += shorter * x_[out_.q.size() + e];
      look();
      const double rest = statics_.residual(), gap = statics_.gap();
      if (!std::isfinite(rest + gap)) return fail("forces that are not finite");
      out_.residual = rest / std::max(statics_.force_scale(), 1e-300);
      bool balanced = out_.residual < 1e-11;
      if (rest < 1e-20 * stiff_ * size) {  // there are no forces at all
        balanced = true;
        out_.residual = 0;
      } else if (!balanced && way < 1e-9 * size) {
        const double ulps = statics_.residual_in_ulps(out_.q);
        balanced = ulps < 64;
        if (balanced) out_.residual = ulps * std::numeric_limits<double>::epsilon();
      }
      if (balanced && gap < 1e-12 * size && shorter == 1 && way < 1e-7 * size) return true;
      // The step in pseudo-time grows as the residual falls.
      const double ratio = before > 0 ? rest / before : 1;
      if (!newton) pull = std::clamp(pull * std::clamp(shorter < 1 ? 2.0 : 0.5 * ratio, 0.1, 2.0), floor_, 4 * first);
      before = rest;
    }
    return fail("it did not come to rest in " + std::to_string(most_iterations) + " iterations");
  }

  bool fail(const std::string& why) {
    out_.reason = why;
    return false;
  }

  // [pull M + K, G^T; G, -eps] (dq, dlambda) = (F - G^T lambda, -g); eps decides between changes of redundant
  // multipliers, and nothing else, as these come to rest.
  bool solve(double pull) {
    const Statics& s = statics_;
    const int n = s.n(), m = s.m(), size = n + m;
    double largest = 0;
    std::fill(lu_.data(), lu_.data() + sz(size) * sz(size), 0.0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double& to = lu_.row(i)[j] = s.stiffness(i, j) + pull * s.mass(i, j);
        largest = std::max(largest, std::fabs(to));
      }
    for (int k = 0; k < m; ++k)
      for (int j = 0; j < n; ++j) lu_.row(n + k)[j] = lu_.row(j)[n + k] = s.slope(k, j);
    for (int k = 0; k < m; ++k) lu_.row(n + k)[n + k] = -1e-12 / std::max(largest, 1e-300);
    x_.assign(sz(size), 0.0);
    for (int i = 0; i < n; ++i) {
      x_[sz(i)] = s.force()[sz(i)];
      for (int k = 0; k < m; ++k) x_[sz(i)] -= s.slope(k, i) * out_.lambda[sz(k)];
    }
    for (int k = 0; k < m; ++k) x_[sz(n + k)] = -s.gaps()[sz(k)];
    if (lu_.factor(0.0) >= 0) return false;  // redundant rows have small pivots
    lu_.solve(x_.data());
    return true;
  }
  double largest_change() const {
    double most = 1e-300;
    for (std::size_t i = 0; i < out_.q.size(); ++i) most = std::max(most, std::fabs(x_[i]));
    return most;
  }

  Statics statics_;
  Lu<double> lu_;
  Equilibrium out_;
  std::vector<double> x_;
  double inertia_ = 1, stiff_ = 1, floor_ = 0, growth_ = 0;
  bool free_ = false;  // what servos remember
};

}  // namespace

Equilibrium settle(const System& system, const Start& start, Rest rest) {
  if (system.has(Role::hamiltonian))
    throw InputError(system.name() + ": is given by a Hamiltonian; settle needs kinetic and potential terms");
  return Descent(system, start).found(system, rest);
}

}  // namespace extremal
