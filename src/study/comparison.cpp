// Schemes side by side: the same model, the same step.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include "extremal/error.hpp"
#include "extremal/study.hpp"
#include "numbers/with_scalar.hpp"
#include "study/baseline_run.hpp"
#include "study/cpu_time.hpp"

namespace extremal::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class S>
class Pulse : public RowSink<S> {
 public:
  Pulse(const Control& control, double from, double to) : control_(control), from_(from), to_(to) {}
  bool pulse(const Progress& progress) override {
    if (control_.progress)
      control_.progress(from_ + (to_ - from_) * static_cast<double>(progress.step) /
                                    static_cast<double>(std::max(1LL, progress.steps)));
    return false;
  }

 private:
  const Control& control_;
  double from_, to_;
};

template <class S>
std::vector<S> final_positions(const Run<S>& run, const System& system) {
  std::vector<S> q;
  for (const std::string& name : system.coordinate_names()) q.push_back(run.column(name).back());
  return q;
}

// By a run that is timed, and another one that is looked at.
template <class S>
std::vector<BaselineRow> baseline_rows(const Model& model, const Baselines& baselines, const std::vector<S>& end,
                                       const Control& control) {
  std::vector<BaselineRow> rows;
  for (const auto& one : baselines.of)
    for (const double tolerance : baselines.tolerances) {
      BaselineRun run(model, *one, tolerance, {model.span.until.as<double>()});
      const BaselineLook look = run.look(control);
      rows.push_back({.baseline = one->name(),
                      .tolerance = tolerance,
                      .status = look.failure.empty() ? Status::complete : Status::failed,
                      .reason = look.failure,
                      .steps = look.cost.steps,
                      .evaluations = look.cost.evaluations,
                      .seconds = look.failure.empty() ? run.seconds(control) : nan,
                      .energy_error = look.energy_error,
                      .drift = look.drift,
                      .constraint_max = look.constraint_max,
                      .hidden_max = look.hidden_max,
                      .difference = look.failure.empty() && !end.empty() ? 0 : nan});
      for (std::size_t i = 0; i < end.size() && look.failure.empty(); ++i)
        rows.back().difference =
            math::max(rows.back().difference, static_cast<double>(math::abs(S(look.q.front()[i]) - end[i])));
    }
  return rows;
}

template <class S>
Comparison compare_at(const Model& model, const std::vector<Scheme>& schemes, const Control& control,
                      const Baselines& baselines) {
  Comparison out{.model = model.system.name(),
                 .precision = Scalar<S>::name,
                 .step = model.span.step,
                 .until = model.span.until,
                 .constrained = model.system.constraint_count() > 0};
  const auto order = [&](const Scheme& s) { return out.constrained ? s.declared.order.q : s.declared.order_free; };
  const Scheme& best = *std::max_element(schemes.begin(), schemes.end(),
                                         [&](const Scheme& a, const Scheme& b) { return order(a) < order(b); });
  // The reference takes as many steps as four of the others.
  const auto parts = static_cast<double>(schemes.size() + 4);
  const auto follow = [&](const Scheme& scheme, Span span, double from, double to) {
    span.every = std::numeric_limits<int>::max();
    Pulse<S> pulse(control, from / parts, to / parts);
    Run<S> run = extremal::run<S>(model.system, scheme, model.start, span,
                                  {.sinks = {&pulse}, .collect = false, .stop = control.stop});
    if (run.status == Status::interrupted) throw Interrupted();
    return run;
  };
  const Span span{.step = model.span.step, .until = model.span.until, .pattern = model.span.pattern};
  Span fine{.step = "(" + span.step.text() + ")/4", .until = span.until};
  for (const Number& part : span.pattern) fine.pattern.insert(fine.pattern.end(), 4, part);
  out.reference = best.name + " with a quarter of the step";
  std::vector<std::vector<S>> ends;
  for (const Scheme& scheme : schemes) {
    const auto at = static_cast<double>(out.rows.size());
    const CpuTime clock;
    const Run<S> run = follow(scheme, span, at, at + 1);
    Contestant row{.scheme = scheme,
                   .status = run.status,
                   .reason = run.reason,
                   .steps = run.steps,
                   .seconds = clock.seconds(),
                   .energy_error = static_cast<double>(run.energy_max_error),
                   .drift = run.drift,
                   .constraint_max = static_cast<double>(run.constraint_max),
                   .hidden_max = static_cast<double>(run.hidden_max),
                   .newton_mean = run.newton_mean,
                   .newton_max = run.newton_max,
                   .remedies = run.remedies};
    out.symmetric = !run.momentum_error.empty();
    for (const Column<S>& column : run.momentum_error)
      row.momentum_error = math::max(row.momentum_error, static_cast<double>(column.values.at(0)));
    out.rows.push_back(row);
    ends.push_back(final_positions(run, model.system));
  }
  const Run<S> exact = follow(best, fine, parts - 4, parts);
  const std::vector<S> end = final_positions(exact, model.system);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    Contestant& row = out.rows[k];
    if (row.status != Status::complete || exact.status != Status::complete) row.difference = nan;
    for (std::size_t i = 0; i < end.size(); ++i)
      row.difference = math::max(row.difference, static_cast<double>(math::abs(ends[k][i] - end[i])));
  }
  out.baselines = baseline_rows(model, baselines, exact.status == Status::complete ? end : std::vector<S>(), control);
  return out;
}

}  // namespace

Comparison compare(const Model& model, const std::vector<Scheme>& schemes, const std::string& precision,
                   const Control& control, const Baselines& baselines) {
  if (schemes.size() < 2) throw InputError("compare: found one scheme; expected two or more; try rattle \"spark(3)\"");
  return with_scalar(precision, [&]<class S>(S) { return compare_at<S>(model, schemes, control, baselines); });
}

}  // namespace extremal::study
