// Error against time, with all runs taking turns so that a busy moment of the machine hits none of them alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "study/cpu_time.hpp"
#include "study/nodes.hpp"

namespace extremal::study {
namespace {

// One run that is repeated and timed. Short ones are timed several times over, since clocks are coarse.
template <class S>
class Timed {
 public:
  Timed(const Model& model, const Scheme& scheme, const Number& until, int steps)
      : stepper_(model.system, scheme), h_(step_of(model, until, steps).as<S>()), steps_(steps) {
    stepper_.start(model.start, h_);
    start_ = stepper_.save();
  }
  void repeat(WorkPoint& point) {
    constexpr double long_enough = 2e-3;
    int rounds = 0;
    const CpuTime clock;
    double seconds = 0;
    do {
      stepper_.restore(start_);
      point.iterations = 0;
      for (int k = 0; k < steps_; ++k) point.iterations += stepper_.step(h_).iterations;
      ++rounds;
      seconds = clock.seconds();
    } while (seconds < long_enough);
    point.seconds = point.seconds == 0 ? seconds / rounds : std::min(point.seconds, seconds / rounds);
  }

 private:
  Stepper<S> stepper_;
  S h_;
  int steps_;
  Checkpoint<S> start_;
};

template <class S>
void time_all(const Model& model, const Number& until, const WorkOptions& options, WorkStudy& study) {
  std::vector<std::pair<Timed<S>, WorkPoint*>> runs;
  for (WorkSeries& series : study.series)
    for (WorkPoint& point : series.points)
      runs.emplace_back(Timed<S>(model, series.scheme, until, point.steps), &point);
  for (int round = 0; round < options.repetitions; ++round) {
    for (auto& [timed, point] : runs) {
      check_stop(options.control);
      timed.repeat(*point);
    }
    if (options.control.progress) options.control.progress(0.5 + 0.5 * (round + 1) / options.repetitions);
  }
}

}  // namespace

double WorkSeries::seconds_for(double error) const {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const WorkPoint &a = points[i - 1], &b = points[i];
    if (!(a.error >= error && error >= b.error) || a.error == b.error) continue;
    const double part = std::log(a.error / error) / std::log(a.error / b.error);
    return a.seconds * std::pow(b.seconds / a.seconds, part);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

WorkStudy work_precision(const Model& model, const std::vector<Scheme>& schemes, const WorkOptions& options) {
  check_steps(options.steps, 2);
  if (schemes.empty()) throw InputError("study work-precision: found no scheme; expected one or more; try rattle");
  if (options.repetitions < 1) throw InputError("study work-precision: repetitions; expected 1 or more");
  const int common = common_nodes(options.steps);
  WorkStudy out{.model = model.system.name(), .precision = options.precision, .until = usual_end(model, options.until)};
  const Reference exact = reference(model, schemes, out.until, options.steps, options.control);
  out.reference = exact.scheme.name;
  for (const Scheme& scheme : schemes) {
    WorkSeries series{.scheme = scheme};
    for (const int steps : options.steps) {
      const Nodes found = nodes(options.precision, model, scheme, out.until, steps, steps / common, options.control);
      series.points.push_back({.steps = steps,
                               .error = position_error(found, exact.nodes),
                               .energy_error = found.energy_error,
                               .remedies = found.remedies});
    }
    out.series.push_back(std::move(series));
    if (options.control.progress)
      options.control.progress(0.5 * static_cast<double>(out.series.size()) / static_cast<double>(schemes.size()));
  }
  with_scalar(options.precision, [&]<class S>(S) { time_all<S>(model, out.until, options, out); });
  for (WorkSeries& series : out.series)
    for (WorkPoint& point : series.points) point.evaluations = point.iterations * series.scheme.declared.points;
  return out;
}

}  // namespace extremal::study
