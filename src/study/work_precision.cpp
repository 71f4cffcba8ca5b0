// Error against time, with all runs taking turns so that a busy moment of the machine hits none of them alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "study/baseline_run.hpp"
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

// A baseline's run and the point that it is timed for.
using TimedBaseline = std::pair<BaselineRun, BaselinePoint*>;

template <class S>
void time_all(const Model& model, const Number& until, const WorkOptions& options, WorkStudy& study,
              std::vector<TimedBaseline>& baselines) {
  std::vector<std::pair<Timed<S>, WorkPoint*>> runs;
  for (WorkSeries& series : study.series)
    for (WorkPoint& point : series.points)
      runs.emplace_back(Timed<S>(model, series.scheme, until, point.steps), &point);
  for (int round = 0; round < options.repetitions; ++round) {
    for (auto& [timed, point] : runs) {
      check_stop(options.control);
      timed.repeat(*point);
    }
    for (auto& [run, point] : baselines) {
      const double seconds = run.seconds(options.control);
      point->seconds = round == 0 ? seconds : std::min(point->seconds, seconds);
    }
    if (options.control.progress) options.control.progress(0.5 + 0.5 * (round + 1) / options.repetitions);
  }
}

template <class Point>
double between(const std::vector<Point>& points, double error) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point &a = points[i - 1], &b = points[i];
    if (!(a.error >= error && error >= b.error) || a.error == b.error) continue;
    const double part = std::log(a.error / error) / std::log(a.error / b.error);
    return a.seconds * std::pow(b.seconds / a.seconds, part);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// The ladders of all baselines, with their errors at the nodes of the reference; what is left to do is to time them.
std::vector<TimedBaseline> climb(const Model& model, const Nodes& exact, const WorkOptions& options, WorkStudy& study) {
  const double begin = model.start.t.as<double>(), end = study.until.as<double>();
  const int common = common_nodes(options.steps);
  std::vector<double> times;
  for (int k = 1; k <= common; ++k) times.push_back(k == common ? end : begin + (end - begin) * k / common);
  std::vector<TimedBaseline> runs;
  study.baselines.reserve(options.baselines.of.size());
  for (const auto& one : options.baselines.of) {
    study.baselines.push_back({one->name(), std::vector<BaselinePoint>(options.baselines.tolerances.size())});
    for (std::size_t i = 0; i < options.baselines.tolerances.size(); ++i) {
      BaselinePoint& point = study.baselines.back().points[i];
      point.tolerance = options.baselines.tolerances[i];
      BaselineRun run(model, *one, point.tolerance, times);
      const BaselineLook look = run.look(options.control);
      point.failure = look.failure;
      point.error = point.energy_error = point.seconds = std::numeric_limits<double>::quiet_NaN();
      if (!look.failure.empty()) continue;
      point.steps = look.cost.steps;
      point.evaluations = look.cost.evaluations;
      point.energy_error =
          look.energy_initial == 0 ? look.energy_error : look.energy_error / std::fabs(look.energy_initial);
      Nodes found;
      found.q.push_back(exact.q.front());  // the start, which counts for nothing
      for (const auto& q : look.q) found.q.emplace_back(q.begin(), q.end());
      point.error = position_error(found, exact);
      runs.emplace_back(std::move(run), &point);
    }
  }
  return runs;
}

}  // namespace

double WorkSeries::seconds_for(double error) const { return between(points, error); }
double BaselineSeries::seconds_for(double error) const { return between(points, error); }

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
  std::vector<TimedBaseline> baselines = climb(model, exact.nodes, options, out);
  with_scalar(options.precision, [&]<class S>(S) { time_all<S>(model, out.until, options, out, baselines); });
  for (WorkSeries& series : out.series)
    for (WorkPoint& point : series.points) point.evaluations = point.iterations * series.scheme.declared.points;
  return out;
}

}  // namespace extremal::study
