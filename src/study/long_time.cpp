// Long runs: the largest change of what should not change, window by window, in bounded memory.
#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "run/drift.hpp"
#include "run/span.hpp"
#include "study/cpu_time.hpp"
#include "study/nodes.hpp"

namespace extremal::study {
namespace {

constexpr std::size_t rows_kept = 2000;  // of the first window

template <class S>
class WindowSink : public RowSink<S> {
 public:
  // `late`: the last node has no momentum of its own [Wenger2017, eq. 22], and is left out.
  WindowSink(std::vector<Watched>& watched, int windows, long long steps, bool late, const Control& control)
      : watched_(watched),
        late_(late),
        windows_(std::min<long long>(windows, steps)),
        steps_(steps),
        control_(control),
        counts_(static_cast<std::size_t>(windows_)) {}

  void begin(const Run<S>& /*run*/, const std::vector<ColumnInfo>& columns) override {
    for (const Watched& w : watched_) {
      std::vector<std::size_t> places;
      for (const std::string& name : w.watch.columns) {
        const auto found =
            std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& c) { return c.name == name; });
        if (found == columns.end()) throw InputError("study long-time: the run has no column \"" + name + "\"");
        places.push_back(static_cast<std::size_t>(found - columns.begin()));
      }
      places_.push_back(std::move(places));
      drifts_.emplace_back(steps_);
    }
  }

  void row(const std::vector<S>& values) override {
    if (late_ && row_ == steps_) return;
    const auto t = static_cast<double>(values[0]);
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      Watched& w = watched_[i];
      S sum(0);
      for (const std::size_t place : places_[i]) sum += values[place];
      if (row_ == 0) {
        initial_.push_back(sum);
        w.initial = static_cast<double>(sum);
        w.windows.assign(static_cast<std::size_t>(windows_), {});
        w.t.push_back(t);
        w.change.push_back(0);
        drifts_[i].add(0, t, 0);
        continue;
      }
      S change = sum - initial_[i];
      if (w.watch.relative && initial_[i] != S(0)) change /= math::abs(initial_[i]);
      add(w, drifts_[i], t, static_cast<double>(change));
    }
    if (row_ > 0) counts_[window_of()] += 1;
    last_ = t;
    ++row_;
  }

  bool pulse(const Progress& progress) override {
    if (control_.progress)
      control_.progress(static_cast<double>(progress.step) / static_cast<double>(std::max(1LL, progress.steps)));
    return false;
  }

  void finish() {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      watched_[i].drift = drifts_[i].line();
      for (std::size_t k = 0; k < counts_.size(); ++k) watched_[i].windows[k].mean /= std::max(1.0, counts_[k]);
    }
  }

 private:
  std::size_t window_of() const { return static_cast<std::size_t>((row_ - 1) * windows_ / steps_); }
  void add(Watched& w, DriftMeter& drift, double t, double change) {
    Window& window = w.windows[window_of()];
    if (window.to == 0 && window.from == 0) window.from = last_;
    window.to = t;
    if (window_of() == 0 && w.t.size() < rows_kept) {
      w.t.push_back(t);
      w.change.push_back(change);
    }
    window.largest = math::max(window.largest, std::fabs(change));
    window.mean += change;
    w.largest = math::max(w.largest, std::fabs(change));
    drift.add(row_, t, change);
  }

  std::vector<Watched>& watched_;
  const bool late_;
  long long windows_, steps_, row_ = 0;
  const Control& control_;
  double last_ = 0;
  std::vector<double> counts_;  // of the steps in each window
  std::vector<S> initial_;
  std::vector<std::vector<std::size_t>> places_;
  std::vector<DriftMeter> drifts_;
};

std::vector<Watch> usual_watches(const System& system) {
  std::vector<Watch> all{{"energy", {"energy"}, true}};
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) all.push_back({"momentum " + term->name, {"momentum:" + term->name}});
  return all;
}

template <class S>
LongTime long_time_at(const Model& model, const Scheme& scheme, const Number& step, const Number& until,
                      const LongTimeOptions& options) {
  LongTime out{
      .model = model.system.name(), .scheme = scheme.name, .precision = Scalar<S>::name, .step = step, .until = until};
  const Span span{.step = step, .until = until, .pattern = model.span.pattern};
  out.steps = whole_steps<S>(model.start.t, span);
  if (options.windows < 1 || out.steps < 1)
    throw InputError(
        fmt::format("study long-time: {} windows of {} steps; expected 1 or more of each", options.windows, out.steps));
  for (const Watch& watch : options.watches.empty() ? usual_watches(model.system) : options.watches)
    out.watched.push_back({.watch = watch});
  const bool late = scheme.declared.multiplier == EndMultiplier::late && model.system.constraint_count() > 0;
  WindowSink<S> sink(out.watched, options.windows, out.steps, late, options.control);
  const CpuTime clock;
  const Run<S> run = extremal::run<S>(model.system, scheme, model.start, span,
                                      {.sinks = {&sink}, .collect = false, .stop = options.control.stop});
  out.seconds = clock.seconds();
  if (run.status == Status::interrupted) throw Interrupted();
  if (run.status == Status::failed) throw Failed(run.model + ", " + run.scheme + ": " + run.reason);
  sink.finish();
  out.constraint_max = static_cast<double>(run.constraint_max);
  out.hidden_max = static_cast<double>(run.hidden_max);
  out.remedies = run.remedies;
  return out;
}

}  // namespace

LongTime long_time(const Model& model, const Scheme& scheme, const Number& step, const Number& until,
                   const LongTimeOptions& options) {
  return with_scalar(options.precision,
                     [&]<class S>(S) { return long_time_at<S>(model, scheme, step, until, options); });
}

}  // namespace extremal::study
