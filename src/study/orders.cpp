// Order studies: errors at several steps, and the slopes of what is above round-off.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/probe.hpp"
#include "extremal/error.hpp"
#include "study/nodes.hpp"

namespace extremal::study {
namespace {

std::string usual_precision(const Order& order) {
  return order.q <= 4 ? Scalar<long double>::name : Scalar<quad>::name;
}

quad epsilon(const std::string& precision) {
  if (precision == Scalar<quad>::name) return Scalar<quad>::epsilon;
  if (precision == Scalar<long double>::name) return quad(Scalar<long double>::epsilon);
  return quad(Scalar<double>::epsilon);
}

// Round-off of all steps, added up at its worst, as the law of order has it.
Errors floor_of(laws::Probe& probe, quad span, int steps, const std::string& precision) {
  const laws::Floor one = probe.floor(probe.initial, span / quad(steps));
  const quad scale = quad(steps) * epsilon(precision) / Scalar<quad>::epsilon;
  return {static_cast<double>(scale * one.q), static_cast<double>(scale * one.p),
          static_cast<double>(scale * one.lambda)};
}

Fit fit_of(const std::vector<int>& steps, const OrderSeries& series, double Errors::* quantity) {
  std::vector<double> errors, floors;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    errors.push_back(series.errors[i].*quantity);
    floors.push_back(series.floors[i].*quantity);
  }
  return fit(steps, errors, floors);
}

}  // namespace

double slope(double coarse_error, double fine_error, double refinement) {
  return std::log(coarse_error / fine_error) / std::log(refinement);
}

Fit fit(const std::vector<int>& steps, const std::vector<double>& errors, const std::vector<double>& floors) {
  std::size_t above = 0;
  while (above < steps.size() && !(errors[above] <= floors[above])) ++above;
  Fit out{.points = static_cast<int>(std::min<std::size_t>(above, 3))};
  if (out.points < 2) return out;
  const auto between = [&](std::size_t i) {
    return slope(errors[i], errors[i + 1], static_cast<double>(steps[i + 1]) / steps[i]);
  };
  out.settled = out.points == 3 && std::fabs(between(above - 3) - between(above - 2)) <= 0.1;
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = above - static_cast<std::size_t>(out.points); i < above; ++i) {
    const double xi = -std::log(steps[i]), yi = std::log(errors[i]);
    x += xi / out.points;
    y += yi / out.points;
    xx += xi * xi / out.points;
    xy += xi * yi / out.points;
  }
  out.slope = (xy - x * y) / (xx - x * x);
  return out;
}

bool OrderStudy::holds() const {
  return std::all_of(series.begin(), series.end(), [](const OrderSeries& s) { return !s.falls_short(); });
}

OrderStudy orders(const Model& model, const std::vector<Scheme>& schemes, const OrderOptions& options) {
  check_steps(options.steps, 3);
  if (schemes.empty()) throw InputError("study orders: found no scheme; expected one or more; try rattle");
  const int common = common_nodes(options.steps);
  for (const Scheme& scheme : schemes)
    if (common < 2 && ends_bare(model, scheme))
      throw InputError(
          fmt::format("study orders: {} has no momentum at the last node, and {} have no other in common; "
                      "expected numbers of steps with a common divisor; try 20 40 80 160",
                      scheme.name, fmt::join(options.steps, " ")));
  OrderStudy out{.model = model.system.name(),
                 .until = usual_end(model, options.until),
                 .constrained = model.system.constraint_count() > 0,
                 .steps = options.steps};
  const Reference exact = reference(model, schemes, out.until, options.steps, options.control);
  out.reference = exact.scheme.name;
  const quad span = out.until.as<quad>() - model.start.t.as<quad>();
  double done = 0;
  for (const Scheme& scheme : schemes) {
    OrderSeries series{.scheme = scheme, .declared = declared_order(model, scheme)};
    series.precision = options.precision.empty() ? usual_precision(series.declared) : options.precision;
    laws::Probe probe(model.system, scheme, model.start, {.step = step_of(model, out.until, options.steps[0])});
    for (const int steps : options.steps) {
      const Nodes found = nodes(series.precision, model, scheme, out.until, steps, steps / common, options.control);
      series.errors.push_back(errors(found, exact.nodes));
      series.remedies.push_back(found.remedies);
      series.floors.push_back(floor_of(probe, span, steps, series.precision));
      if (options.control.progress)
        options.control.progress(++done / static_cast<double>(schemes.size() * options.steps.size()));
    }
    series.q = fit_of(options.steps, series, &Errors::q);
    series.p = fit_of(options.steps, series, &Errors::p);
    if (out.constrained) series.lambda = fit_of(options.steps, series, &Errors::lambda);
    out.series.push_back(std::move(series));
  }
  return out;
}

}  // namespace extremal::study
