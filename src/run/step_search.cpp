#include "run/step_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace extremal {
namespace {

constexpr double lost_motion = 0.05;    // no slope is asked of larger differences, nor accuracy of larger rounding
constexpr double rounding_margin = 10;  // what is wanted is at least so many times what rounding does
constexpr double exact = 1000;          // roundings, of differences that are nothing else
constexpr double farthest = 4;          // times the finest trial

// One digit, rounded up: of what is said to be attainable.
double rounded_up(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return std::ceil(x / unit * (1 - 1e-12)) * unit;
}

}  // namespace

std::vector<double> differences(const Places& one, const Places& other) {
  quad size(0);
  for (const auto& q : other.q)
    for (const quad& x : q) size = math::max(size, math::abs(x));
  std::vector<double> out;
  double largest = 0;
  for (std::size_t k = 0; k < other.q.size(); ++k) {
    quad worst(0);
    for (std::size_t i = 0; i < other.q[k].size(); ++i)
      worst = math::max(worst, math::abs(one.q[k][i] - other.q[k][i]));
    // A motion that stays at 0 is known.
    largest = std::max(largest, size > quad(0) ? static_cast<double>(worst / size) : 0.0);
    out.push_back(largest);
  }
  return out;
}

void StepSearch::search(Accuracy& out) {
  out_ = &out;
  look(out);
  out.trials.insert(out.trials.end(), between_.begin(), between_.end());
}

void StepSearch::look(Accuracy& out) {
  for (;;) {
    try_next();
    const Choice choice = tried_only_ ? choose_tried() : choose();
    if (choice.steps > 0) {
      if (choice.steps > static_cast<double>(asked_.most)) {
        out.refused = fmt::format(
            "about {:.2g} steps would be needed, and {:.2g} are the most; expected a larger accuracy, a shorter time "
            "or a scheme of a higher order than {}",
            choice.steps, static_cast<double>(asked_.most), asked_.order);
        return;
      }
      if (!bear_rounding(choice.steps)) return;
      if (confirm(choice)) {
        out.steps = whole(choice.steps);
        out.predicted = choice.predicted;
        return;
      }
      tried_only_ = true;
    }
    if (suspicious() && !bear_rounding(static_cast<double>(out.trials.back().steps))) return;
    if (out.trials.back().steps > asked_.most / 4) break;
  }
  const Accuracy::Trial& last = out.trials.back();
  if (!last.failed.empty())
    out.refused = fmt::format("no trial of up to {} steps has reached the end: {}", last.steps, last.failed);
  else
    out.refused = fmt::format(
        "no order is seen in up to {} steps, of which the last half of changed positions by {:.2g}; expected a shorter "
        "time, or a motion that is smooth",
        last.steps, last.difference);
}

void StepSearch::try_next() {
  Accuracy::Trial trial;
  trial.steps = out_->trials.empty() ? asked_.first : 2 * out_->trials.back().steps;
  Places places = take_(trial.steps, false);
  trial.seconds = places.seconds;
  trial.failed = places.failed;
  const bool compared = places.failed.empty() && !last_[0].q.empty();
  last_[1] = std::move(last_[0]);
  last_[0] = std::move(places);
  if (compared) {
    trial.difference = differences(last_[1], last_[0]).back();
    // Without any difference there is no slope.
    if (!out_->trials.empty() && out_->trials.back().difference > 0 && trial.difference > 0)
      trial.slope = std::log2(out_->trials.back().difference / trial.difference);
  }
  out_->trials.push_back(std::move(trial));
}

// Of the trial so many before the last: whether it and the one before it have positions.
bool StepSearch::has_difference(std::size_t back) const {
  const auto& trials = out_->trials;
  const std::size_t own = trials.size() - 1 - back;
  return trials.size() > back + 1 && trials[own].failed.empty() && trials[own - 1].failed.empty();
}

bool StepSearch::about_order(std::size_t back) const {
  return has_difference(back) && has_difference(back + 1) && difference(back + 1) < 10 * lost_motion &&
         difference(back) < lost_motion && slope(back) >= 0.75 * asked_.order && slope(back) <= 1.3 * asked_.order;
}

// Three slopes about some order, as that of a scheme that damping costs one.
bool StepSearch::agree() const {
  if (!(has_difference(3) && difference(2) < lost_motion)) return false;
  const auto [least, most] = std::minmax({slope(0), slope(1), slope(2)});
  return least >= 0.7 && most <= 1.2 * least;
}

StepSearch::Choice StepSearch::choose() const {
  if (!has_difference(1)) return {};
  const double n = static_cast<double>(out_->trials.back().steps), quarter = asked_.wanted / 4;
  const double d = difference(0), before = difference(1);
  if (std::max(d, before) <= std::min(quarter, exact * asked_.epsilon)) return {n / 4, 2 * std::max(d, before), d};
  const bool one = about_order(0);
  if (!one && !agree()) return d <= quarter && before <= quarter ? Choice{n, 2 * std::max(d, before), d} : Choice{};
  const double r = one ? std::min<double>(slope(0), asked_.order) : std::min({slope(0), slope(1), slope(2)});
  const double error = d / (std::exp2(r) - 1);
  if (!(one && about_order(1)) && !agree()) {
    if (d + error <= quarter) return {n / 2, d + error, error};
    return error <= quarter ? Choice{n, error, error} : Choice{};
  }
  // Half as many as the finest trial has are the least: fewer were not seen to fall by this order.
  const double steps = std::max(n / 2, n * std::pow(2 * error / asked_.wanted, 1 / r));
  if (steps > farthest * n && n <= static_cast<double>(asked_.most) / 4) return {};
  return {steps, error * std::pow(n / steps, r), error};
}

// Differences that do not fall, or stay large: steps may be too long still, or the motion may be lost by rounding.
bool StepSearch::suspicious() const {
  if (!has_difference(1)) return false;
  const double d = difference(0);
  if (d < lost_motion) return d > difference(1) / 1.2;
  const std::size_t count = out_->trials.size();
  return count >= 6 && count % 2 == 0;
}

// Against more digits it is the difference. Against fewer it is so many times less as the digits are finer; where the
// coarser motion is lost, rounding is taken to grow on at the rate of before.
void StepSearch::measure_rounding(const Places& wide) {
  rounding_ = differences(last_[1], wide);
  if (asked_.wide_epsilon <= asked_.epsilon) return;
  double known = 1, look = 0, growth = 1;  // of the last time at which the coarser motion is not lost
  for (double& here : rounding_) {
    ++look;
    if (here < lost_motion) {
      known = look;
      growth = std::max(1.0, here / asked_.wide_epsilon);
      here = growth * asked_.epsilon;
    } else {
      here = std::min(1.0, std::pow(growth, look / known) * asked_.epsilon);
    }
  }
}

bool StepSearch::bear_rounding(double steps) {
  const Accuracy::Trial& trial = out_->trials[out_->trials.size() - 2];
  if (out_->rounding_steps != trial.steps && !lost_) {
    Places wide = take_(trial.steps, true);
    out_->wide_seconds += wide.seconds;
    lost_ = !wide.failed.empty() || last_[1].q.empty();
    if (!lost_) {
      measure_rounding(wide);
      out_->rounding = rounding_.back();
      out_->rounding_steps = trial.steps;
      out_->growth = out_->rounding / asked_.epsilon;
    }
  }
  if (lost_) return true;
  const double here = out_->rounding * std::max(1.0, std::sqrt(steps / static_cast<double>(out_->rounding_steps)));
  if (rounding_margin * here <= asked_.wanted) return true;
  refuse_rounding(here);
  return false;
}

void StepSearch::refuse_rounding(double rounding) {
  const auto looks = static_cast<double>(rounding_.size());
  const auto time_of = [&](std::size_t look) {
    return asked_.begin + (asked_.end - asked_.begin) * static_cast<double>(look) / looks;
  };
  // The last of the times at which it is still so small.
  const auto until = [&](double most) {
    std::size_t look = 0;
    while (look < rounding_.size() && rounding_[look] * rounding / out_->rounding <= most) ++look;
    return look;
  };
  out_->refused = fmt::format("errors of rounding grow by {:.2g} until t = {:.6g}; ", out_->growth, asked_.end);
  if (const double least = rounding_margin * rounding; least < lost_motion) {
    out_->attainable = rounded_up(least);
    out_->refused += fmt::format("attainable in {} about {:.0e}", out_->precision, out_->attainable);
  } else {
    out_->refused += fmt::format("nothing is attainable in {}", out_->precision);
  }
  if (const std::size_t look = until(asked_.wanted / rounding_margin); look > 0)
    out_->refused += fmt::format(", and {:.2g} until t = {:.6g}", asked_.wanted, time_of(look));
  if (out_->precision != Scalar<quad>::name)
    out_->refused += std::string("; try precision ") +
                     (out_->precision == Scalar<double>::name ? Scalar<long double>::name : Scalar<quad>::name);
}

StepSearch::Choice StepSearch::choose_tried() const {
  if (!has_difference(0) || difference(0) > asked_.wanted / 4) return {};
  return {static_cast<double>(out_->trials.back().steps) / 2, 2 * difference(0), difference(0)};
}

long long StepSearch::whole(double steps) const {
  const double parts = std::ceil(steps * (1 - 1e-12) / static_cast<double>(asked_.multiple));
  return static_cast<long long>(std::max(1.0, parts)) * asked_.multiple;
}

bool StepSearch::confirm(const Choice& choice) {
  const long long steps = whole(choice.steps);
  if (std::any_of(out_->trials.begin(), out_->trials.end(), [&](const auto& trial) { return trial.steps == steps; }))
    return true;
  const Places places = take_(steps, false);
  Accuracy::Trial trial{.steps = steps, .seconds = places.seconds, .failed = places.failed};
  if (places.failed.empty()) {
    // Of rows that are not at the common times nothing is compared.
    if (!places.q.empty()) trial.difference = differences(places, last_[0]).back();
    if (places.rough)
      trial.failed = "digits are lost close to a singular configuration";
    else if (trial.difference > 2 * (choice.predicted + choice.finest) + 4 * out_->rounding)
      trial.failed = "off by more than predicted";
  }
  between_.push_back(trial);
  return trial.failed.empty();
}

}  // namespace extremal
