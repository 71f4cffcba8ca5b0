// Belief: whether what a run has computed can be the motion (docs/theory.md, "Believable or suspect").
//
// Of all steps it keeps what the verdict needs: the energies that move, the error of the balance H - W - H0, and how
// far a step's displacement is from what the velocities at its ends say, p . (q1 - q0) / h against p . v, both in
// energy.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "extremal/run.hpp"
#include "run/numbers.hpp"

namespace extremal {

// The energies that move: what errors are compared with.
struct MovingEnergy {
  double kinetic_min = 0, kinetic_max = 0, potential_min = 0, potential_max = 0;
  double rate_max = 0;  // |p . v| / 2: of a Hamiltonian, which has no kinetic part, it takes the place of that

  void add(bool first, double kinetic, double potential, double rate) {
    if (first) kinetic_min = kinetic_max = kinetic, potential_min = potential_max = potential;
    kinetic_min = std::min(kinetic_min, kinetic);
    kinetic_max = std::max(kinetic_max, kinetic);
    potential_min = std::min(potential_min, potential);
    potential_max = std::max(potential_max, potential);
    rate_max = std::max(rate_max, std::fabs(rate) / 2);
  }
  double range() const { return std::max(kinetic_max - kinetic_min, potential_max - potential_min); }
  double scale() const { return std::max({kinetic_max, rate_max, potential_max - potential_min}); }
  // Of their rounding.
  double floor(double epsilon, long long steps) const {
    const double size = std::max({std::fabs(kinetic_max), std::fabs(potential_min), std::fabs(potential_max)});
    return 1e3 * epsilon * size * std::sqrt(static_cast<double>(std::max(1LL, steps)));
  }
  // Whether a run that was seen at its rows only, and did no work, has to be looked at more closely.
  bool is_doubtful(double error, double epsilon, long long steps) const {
    constexpr double worth_a_look = 0.1;
    return !(error <= worth_a_look * scale() + floor(epsilon, steps));
  }
};

template <class S>
class Belief {
 public:
  // `gauge`: momenta may leave the tangent space, and with them what is said of velocities and energies: no verdict.
  Belief(long long steps, int size, bool gauge)
      : gauge_(gauge), late_(steps - steps / 4), q_(static_cast<std::size_t>(size)), p_(q_) {}

  // After step k, at the end of which the balance has this error, so far in all of the run.
  void add(long long k, long long place, const State<S>& state, const Observation<S>& seen, S error) {
    const double kinetic = to_double(seen.kinetic), potential = to_double(seen.potential);
    if (place >= late_) {
      late_count_ += 1;
      late_kinetic_ += kinetic;
      late_error_ += to_double(error);
    }
    // p . v and p . dq are of the kinetic energy's size, whatever the units of the coordinates.
    double rate = 0, along = 0;
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const double q = to_double(state.q[i]), p = to_double(state.p[i]);
      rate += p * to_double(seen.v[i]);
      along += (p_[i] + p) * (q - q_[i]);
      q_[i] = q;
      p_[i] = p;
    }
    moving_.add(k == 0, kinetic, potential, rate);
    const double t = to_double(state.t);
    // Of a step that only reaches the end rounding is all there is.
    const bool short_step = std::fabs(t - t_) <= 1e3 * to_double(Scalar<S>::epsilon) * std::fabs(t);
    if (k > 0 && k == last_ + 1 && !short_step) {
      const double gap = std::fabs(along / (t - t_) - rate_ - rate) / 2;
      if (!(gap <= gap_)) gap_ = gap, gap_step_ = static_cast<double>(k), gap_t_ = t;
    }
    last_ = k;
    rate_ = rate;
    t_ = t;
  }

  double range() const { return moving_.range(); }

  // Why not to believe it; empty if there is no reason. Called by what is known after the last step.
  std::string doubt(const Run<S>& run, double h, double epsilon) const {
    const double scale = scale_of(run), floor = moving_.floor(epsilon, run.steps) + rounding(epsilon, h);
    const std::string advice = fmt::format("this cannot be the motion; try step <= {:.2g}", std::fabs(h) / 2);
    if (!std::isfinite(scale)) return "the energies are not finite; " + advice;
    if (gauge_) return "";
    if (!(gap_ <= most_gap * scale + floor))
      return fmt::format(
          "step {:.0f}, t = {:.8g}: the positions moved otherwise than the velocities say, by {:.3g} of an energy of "
          "{:.3g}; {}",
          gap_step_, gap_t_, gap_, scale, advice);
    const double error = to_double(run.energy_max_error);
    if (!(error <= most_error * scale + floor))
      return fmt::format("the energy error is {:.3g}, of energies that move by {:.3g}; {}", error, scale, advice);
    // K - (H - H0) = H0 - V(q) is the kinetic energy that the true motion has at q.
    if (run.supplied == S(0) && run.dissipated == S(0) && late_count_ > 0 && moving_.kinetic_max > 0 &&
        late_error_ > late_kinetic_ + late_count_ * (least_error * scale + floor))
      return fmt::format(
          "the last quarter of the run is out of reach: its potential energy exceeds the energy there is by {:.3g} on "
          "average; {}",
          (late_error_ - late_kinetic_) / late_count_, advice);
    return "";
  }

  void save(std::vector<S>& out) const {
    for (const double x : numbers()) out.push_back(S(x));
    for (const auto* list : {&q_, &p_})
      for (const double x : *list) out.push_back(S(x));
  }
  void restore(NumberReader<S>& from) {
    from.take(last_);
    for (double* x :
         {&moving_.kinetic_min, &moving_.kinetic_max, &moving_.potential_min, &moving_.potential_max, &late_count_,
          &late_kinetic_, &late_error_, &gap_, &gap_step_, &gap_t_, &rate_, &moving_.rate_max, &t_})
      from.take(*x);
    from.take(q_);
    from.take(p_);
  }

 private:
  // Half of all the energy that moves: at the coarsest step of the models schemes of second order have 0.3 at most of
  // the first two; what is wrong has 0.9 or more.
  static constexpr double most_gap = 0.5, most_error = 0.5, least_error = 0.01;

  // Of a motion at rest all there is is the rounding of its positions.
  double rounding(double epsilon, double h) const {
    double sum = 0;
    for (std::size_t i = 0; i < q_.size(); ++i) sum += std::fabs(p_[i] * q_[i]);
    return 16 * epsilon * sum / std::fabs(h);
  }
  double scale_of(const Run<S>& run) const {
    return std::max({moving_.scale(), to_double(run.supplied), to_double(run.dissipated)});
  }
  static double to_double(const S& x) { return static_cast<double>(x); }
  std::vector<double> numbers() const {
    return {static_cast<double>(last_),
            moving_.kinetic_min,
            moving_.kinetic_max,
            moving_.potential_min,
            moving_.potential_max,
            late_count_,
            late_kinetic_,
            late_error_,
            gap_,
            gap_step_,
            gap_t_,
            rate_,
            moving_.rate_max,
            t_};
  }

  bool gauge_;
  long long late_, last_ = -1;
  MovingEnergy moving_;
  double late_count_ = 0, late_kinetic_ = 0, late_error_ = 0;  // sums over the last quarter
  double gap_ = 0, gap_step_ = 0, gap_t_ = 0;                  // the worst step
  double rate_ = 0, t_ = 0;                                    // of the last one
  std::vector<double> q_, p_;
};

}  // namespace extremal
