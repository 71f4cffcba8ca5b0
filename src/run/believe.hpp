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

template <class S>
class Belief {
 public:
  // `gauge`: momenta may leave the tangent space, and with them what is said of velocities and energies: no verdict.
  Belief(long long steps, int size, bool gauge)
      : gauge_(gauge), late_(steps - steps / 4), q_(static_cast<std::size_t>(size)), p_(q_) {}

  // After step k, at the end of which the balance has this error.
  void add(long long k, const State<S>& state, const Observation<S>& seen, S error) {
    const double kinetic = to_double(seen.kinetic), potential = to_double(seen.potential);
    if (k == 0) kinetic_min_ = kinetic_max_ = kinetic, potential_min_ = potential_max_ = potential;
    kinetic_min_ = std::min(kinetic_min_, kinetic);
    kinetic_max_ = std::max(kinetic_max_, kinetic);
    potential_min_ = std::min(potential_min_, potential);
    potential_max_ = std::max(potential_max_, potential);
    if (k >= late_) {
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
    rate_max_ = std::max(rate_max_, std::fabs(rate) / 2);
    const double t = to_double(state.t);
    if (k > 0 && k == last_ + 1) {
      const double gap = std::fabs(along / (t - t_) - rate_ - rate) / 2;
      if (!(gap <= gap_)) gap_ = gap, gap_step_ = static_cast<double>(k), gap_t_ = t;
    }
    last_ = k;
    rate_ = rate;
    t_ = t;
  }

  double range() const { return std::max(kinetic_max_ - kinetic_min_, potential_max_ - potential_min_); }

  // Why not to believe it; empty if there is no reason. Called by what is known after the last step.
  std::string doubt(const Run<S>& run, double h, double epsilon) const {
    const double scale = scale_of(run), floor = floor_of(run, epsilon);
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
    if (run.supplied == S(0) && run.dissipated == S(0) && late_count_ > 0 && kinetic_max_ > 0 &&
        late_error_ > late_kinetic_ + late_count_ * (least_error * scale + floor))
      return fmt::format(
          "the last quarter of the run is out of reach: its potential energy exceeds the energy there is by {:.3g} on "
          "average; {}",
          (late_error_ - late_kinetic_) / late_count_, advice);
    return "";
  }

  // Whether a run that was not seen at every step has to be looked at more closely.
  bool doubtful(const Run<S>& run, double epsilon) const {
    return !(to_double(run.energy_max_error) <= worth_a_look * scale_of(run) + floor_of(run, epsilon));
  }

  void save(std::vector<S>& out) const {
    for (const double x : numbers()) out.push_back(S(x));
    for (const auto* list : {&q_, &p_})
      for (const double x : *list) out.push_back(S(x));
  }
  void restore(NumberReader<S>& from) {
    from.take(last_);
    for (double* x : {&kinetic_min_, &kinetic_max_, &potential_min_, &potential_max_, &late_count_, &late_kinetic_,
                      &late_error_, &gap_, &gap_step_, &gap_t_, &rate_, &rate_max_, &t_})
      from.take(*x);
    from.take(q_);
    from.take(p_);
  }

 private:
  // Half of all the energy that moves: at the coarsest step of the models schemes of second order have 0.3 at most of
  // the first two; what is wrong has 0.9 or more.
  static constexpr double most_gap = 0.5, most_error = 0.5, least_error = 0.01, worth_a_look = 0.1;

  // The energies that move.
  double scale_of(const Run<S>& run) const {
    // p . v / 2 is the kinetic energy; of a Hamiltonian, which has no such part, it takes its place.
    return std::max(
        {kinetic_max_, rate_max_, potential_max_ - potential_min_, to_double(run.supplied), to_double(run.dissipated)});
  }
  // Of their rounding.
  double floor_of(const Run<S>& run, double epsilon) const {
    const double size = std::max({std::fabs(kinetic_max_), std::fabs(potential_min_), std::fabs(potential_max_)});
    return 1e3 * epsilon * size * std::sqrt(static_cast<double>(std::max(1LL, run.steps)));
  }
  static double to_double(const S& x) { return static_cast<double>(x); }
  std::vector<double> numbers() const {
    return {static_cast<double>(last_),
            kinetic_min_,
            kinetic_max_,
            potential_min_,
            potential_max_,
            late_count_,
            late_kinetic_,
            late_error_,
            gap_,
            gap_step_,
            gap_t_,
            rate_,
            rate_max_,
            t_};
  }

  bool gauge_;
  long long late_, last_ = -1;
  double kinetic_min_ = 0, kinetic_max_ = 0, potential_min_ = 0, potential_max_ = 0;
  double late_count_ = 0, late_kinetic_ = 0, late_error_ = 0;  // sums over the last quarter
  double gap_ = 0, gap_step_ = 0, gap_t_ = 0;                  // the worst step
  double rate_ = 0, rate_max_ = 0, t_ = 0;                     // of the last one
  std::vector<double> q_, p_;
};

}  // namespace extremal
