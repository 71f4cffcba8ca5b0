#include "extremal/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "extremal/control.hpp"
#include "extremal/run.hpp"
#include "numbers/with_scalar.hpp"
#include "run/span.hpp"
#include "run/step_search.hpp"
#include "words/json.hpp"

namespace extremal {
namespace {

constexpr long long common_times = 32;

// Keeps positions, and tells how far the trial is.
template <class S>
class PlaceSink : public RowSink<S> {
 public:
  PlaceSink(Places& places, const Listener<const Progress&>& progress) : places_(places), progress_(progress) {}
  void row(const std::vector<S>& values) override {
    if (begun_) places_.q.emplace_back(values.begin() + 1, values.end());  // time is the first column
    begun_ = true;
  }
  bool pulse(const Progress& progress) override {
    if (progress_) progress_(progress);
    return false;
  }

 private:
  Places& places_;
  const Listener<const Progress&>& progress_;
  bool begun_ = false;
};

Number step_of(const Start& start, const Span& span, long long steps) {
  if (start.t == Number(0)) return fmt::format("({})/{}", span.until.text(), steps);
  return fmt::format("(({}) - ({}))/{}", span.until.text(), start.t.text(), steps);
}

Places take_trial(const System& system, const Scheme& scheme, const Start& start, const Span& span,
                  const AccuracyOptions& options, const std::string& precision, double usual, long long steps) {
  const auto begin = std::chrono::steady_clock::now();
  Places places;
  const auto fail = [&](const std::string& why) {
    places.q.clear();
    places.failed = why;
  };
  try {
    with_scalar(precision, [&]<class S>(S) {
      PlaceSink<S> sink(places, options.progress);
      const Run<S> run = extremal::run<S>(system, scheme, start,
                                          {.step = step_of(start, span, steps),
                                           .until = span.until,
                                           .every = static_cast<int>(std::max(1LL, steps / common_times)),
                                           .columns = {"q"}},
                                          {.sinks = {&sink}, .collect = false, .stop = options.stop});
      if (run.status == Status::interrupted) throw Interrupted();
      if (run.status != Status::complete) fail(run.reason);  // what is suspect is not chosen
      if (steps % common_times != 0) places.q.clear();
      places.rough = run.singular > 0 || run.retries > 0;
    });
  } catch (const InputError& error) {
    // As of a step that turns a body too far; but what is wrong of any step is said at once.
    if (steps >= usual) throw;
    fail(error.what());
  }
  places.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return places;
}

int order_of(const System& system, const Scheme& scheme) {
  return system.constraint_count() > 0 ? scheme.declared.order.q : scheme.declared.order_free;
}

void refuse_without(const System& system, const Scheme& scheme, const Start& start, const Span& span) {
  const std::string found = "accuracy: " + system.name() + ": found ";
  if (span.pace != Pace::none)
    throw InputError(found + "the " + name(span.pace) + " pace; expected steps of one length; try pace = \"none\"");
  if (!span.pattern.empty()) throw InputError(found + "a pattern of steps; expected steps of one length");
  if (!start.next.empty())
    throw InputError(found + "a start by two positions, which are a step apart; expected q and v, or q and p");
  if (order_of(system, scheme) < 1)
    throw InputError(found + scheme.name + ", which declares no order for it; expected a scheme that does, as rattle");
}

}  // namespace

Accuracy find_accuracy(const System& system, const Scheme& scheme, const Start& start, const Span& span,
                       const AccuracyOptions& options) {
  refuse_without(system, scheme, start, span);
  Accuracy out{.wanted = span.accuracy,
               .scheme = scheme.name,
               .precision = options.precision,
               .order = order_of(system, scheme),
               .every = span.every};
  const double usual = step_count<quad>(start.t, span), wanted = span.accuracy.as<double>();
  if (!(wanted > 0 && wanted < 1))
    throw InputError("accuracy: found " + span.accuracy.text() + "; expected a number between 0 and 1, as 1e-9");
  if (usual == 0) {  // no time in which to be wrong
    out.step = span.step;
    return out;
  }
  const double size = std::max(1, system.size());
  const double most = std::clamp(std::max(64 * usual, 1e8 / size), 64.0 * common_times, 1e9 * common_times);
  // Quad has no neighbour above it, and costs too much to be one: there the neighbour below tells.
  out.wide = options.precision == Scalar<long double>::name ? Scalar<double>::name : Scalar<long double>::name;
  const StepQuestion question{
      .wanted = wanted,
      .order = out.order,
      .first = common_times *
               std::max(1LL, static_cast<long long>(std::min(usual, most) / static_cast<double>(16 * common_times))),
      .most = options.most_steps > 0 ? options.most_steps : static_cast<long long>(most),
      .multiple = span.outputs > 0 ? span.outputs : common_times,
      .epsilon = static_cast<double>(epsilon_of(options.precision)),
      .wide_epsilon = static_cast<double>(epsilon_of(out.wide)),
      .begin = start.t.as<double>(),
      .end = span.until.as<double>()};
  StepSearch search(question, [&](long long steps, bool wide) {
    check_stop({.stop = options.stop});
    return take_trial(system, scheme, start, span, options, wide ? out.wide : options.precision, 4 * usual, steps);
  });
  search.search(out);
  if (!out.found()) {
    out.refused = "accuracy: " + system.name() + ": " + out.refused;
    return out;
  }
  out.step = step_of(start, span, out.steps);
  if (span.outputs > 0) out.every = static_cast<int>(out.steps / span.outputs);
  return out;
}

double Accuracy::seconds() const {
  return std::accumulate(trials.begin(), trials.end(), wide_seconds,
                         [](double sum, const Trial& trial) { return sum + trial.seconds; });
}

std::string Accuracy::text() const {
  std::string out = found() ? fmt::format("accuracy     {} of positions wanted: {} steps, error about {:.1g}",
                                          wanted.text(), steps, predicted)
                            : fmt::format("accuracy     {} of positions wanted", wanted.text());
  if (rounding_steps > 0) out += fmt::format(", of rounding about {:.0e}", rounding);
  out += fmt::format("; {} of order {}\n  {:>12} {:>12} {:>7} {:>9}", scheme, order, "steps", "difference", "slope",
                     "seconds");
  for (const Trial& trial : trials) {
    out += fmt::format("\n  {:>12} {:>12} {:>7} {:>9.2g}", trial.steps,
                       trial.difference > 0 ? fmt::format("{:.2e}", trial.difference) : "",
                       trial.slope != 0 ? fmt::format("{:.2f}", trial.slope) : "", trial.seconds);
    if (!trial.failed.empty()) out += "  failed: " + trial.failed;
  }
  if (rounding_steps > 0)
    out += fmt::format("\n  {:>12} {:>12} {:>7} {:>9.2g}  in {}", rounding_steps, fmt::format("{:.2e}", rounding), "",
                       wide_seconds, wide);
  return out;
}

std::string Accuracy::json() const {
  Json all = Json::array();
  for (const Trial& trial : trials) {
    Json one = {{"steps", trial.steps},
                {"difference", finite(trial.difference)},
                {"slope", finite(trial.slope)},
                {"seconds", trial.seconds}};
    if (!trial.failed.empty()) one["failed"] = trial.failed;
    all.push_back(std::move(one));
  }
  Json out = {{"wanted", wanted.text()},
              {"predicted", predicted},
              {"scheme", scheme},
              {"order", order},
              {"precision", precision},
              {"steps", steps},
              {"step", step.text()},
              {"rounding", rounding},
              {"growth", growth},
              {"wide", wide},
              {"rounding_steps", rounding_steps},
              {"wide_seconds", wide_seconds},
              {"seconds", seconds()}};
  out["trials"] = std::move(all);
  return out.dump(Json::one_line, Json::BadText::replaced);
}

AccuracyRefused::AccuracyRefused(Accuracy found) : InputError(found.refused), tried(std::move(found)) {}

}  // namespace extremal
