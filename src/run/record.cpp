#include "run/record.hpp"

#include "extremal/error.hpp"
#include "numbers/instantiate.hpp"
#include "run/identity.hpp"
#include "run/span.hpp"

namespace extremal {
namespace {

std::string no_place(long long steps, const OutputError& error) {
  return fmt::format("interrupted after step {}: {}", steps, error.what());
}

}  // namespace

template <class S>
Record<S>::Record(const System& system, const Scheme& scheme, const Start& start, const Span& span,
                  const Output<S>& output, std::shared_ptr<const Columns<S>> columns)
    : system_(system),
      scheme_(scheme),
      start_(start),
      span_(span),
      output_(output),
      steps_(whole_steps<S>(start.t, span)),
      h_(span.step.as<S>()),
      collects_(output.collect || columns == nullptr),
      collector_(run_, output.collect),
      recorder_(system, scheme, span, output.observers, std::move(columns), run_, steps_) {
  if (collects_) sinks_.push_back(&collector_);
  sinks_.insert(sinks_.end(), output.sinks.begin(), output.sinks.end());
  run_.model = system.name();
  run_.scheme = scheme.name;
  run_.precision = Scalar<S>::name;
  run_.version = EXTREMAL_VERSION;
  run_.step = span.step;
  run_.until = span.until;
  run_.start = start;
  run_.notes = scheme.declared.flags;
  if (system.has(Role::force) && !scheme.declared.damped.empty()) run_.notes.push_back(scheme.declared.damped);
  for (const Number& t : span.at) {
    const S c = (t.as<S>() - start.t.as<S>()) / h_;
    if (!(c >= S(-1e-9) && c <= S(steps_) + S(1e-9)))
      throw InputError(fmt::format("span: asks for t = {}; expected a time between {} and {}", t.text(), start.t.text(),
                                   span.until.text()));
  }
}

template <class S>
void Record<S>::begin(Stepper<S>& stepper, Consistency found) {
  run_.consistency = std::move(found);
  if (const Consistency& c = run_.consistency; c.redundant > 0)
    run_.notes.push_back(fmt::format("{} redundant rows among the constraints {}; multipliers of least norm",
                                     c.redundant, fmt::join(c.dependent, ", ")));
  if (span_.multipliers == Multipliers::scheme && system_.constraint_count() > 0)
    run_.notes.push_back(scheme_.name + (recorder_.reports_own(scheme_, span_)
                                             ? ": lambda is the scheme's own multiplier"
                                             : " has no multiplier of its own at the ends of its steps: lambda is "
                                               "that of the motion"));
  for (RowSink<S>* sink : sinks_) sink->begin(run_, recorder_.columns());
  if (output_.from != nullptr)
    restore(stepper, *output_.from);
  else
    recorder_.begin(stepper, sinks_);
  run_.status = Status::complete;  // unless something comes in between
}

template <class S>
void Record<S>::taken(Stepper<S>& stepper, long long k, const StepReport& report) {
  run_.steps = k;
  iterations_ += report.iterations;
  run_.newton_max = std::max(run_.newton_max, report.iterations);
  run_.fallbacks += report.fallbacks;
  if (report.retries > 0) ++run_.retries;
  run_.remedies.count(report);
  run_.singular += report.singular;
  if (!recorder_.step(stepper, k, h_, report.iterations, row_after(k)))
    return stop(Status::failed, sight_text(k, stepper));
  if (output_.sinks.empty() || !pace_.due()) return;
  try {
    for (RowSink<S>* sink : output_.sinks)
      if (sink->pulse({k, steps_, static_cast<double>(stepper.state().t)})) sink->checkpoint(save(stepper));
  } catch (const OutputError& error) {
    stop(Status::interrupted, no_place(run_.steps, error));
  }
}

template <class S>
void Record<S>::failed(Stepper<S>& stepper, long long k, const StepReport& report) {
  run_.steps = k - 1;
  stop(Status::failed, failure_text(k, static_cast<double>(stepper.state().t), static_cast<double>(h_), report));
}

template <class S>
void Record<S>::interrupt(Stepper<S>& stepper) {
  stop(Status::interrupted,
       fmt::format("interrupted after step {}, t = {:.8g}", run_.steps, static_cast<double>(stepper.state().t)));
}

template <class S>
void Record<S>::stop(Status status, std::string reason) {
  going_ = false;
  run_.status = status;
  run_.reason = std::move(reason);
}

template <class S>
void Record<S>::end(Stepper<S>& stepper, bool seen_at_every_step) {
  recorder_.end(stepper);
  if (run_.status == Status::complete) {
    if (seen_at_every_step)
      run_.reason = recorder_.doubt(h_);
    else if (recorder_.doubtful())
      run_.reason = extremal::run<S>(system_, scheme_, start_, span_, {.collect = false}).reason;
    if (!run_.reason.empty()) run_.status = Status::suspect;
  }
  if (collects_ && run_.columns[0].values.empty()) collector_.row(recorder_.last_row());
  run_.newton_mean = run_.steps > 0 ? static_cast<double>(iterations_) / static_cast<double>(run_.steps) : 0;
  for (RowSink<S>* sink : output_.sinks) {
    try {
      sink->end(run_);
    } catch (const OutputError& error) {
      if (run_.status == Status::complete) run_.status = Status::interrupted;
      if (run_.reason.empty()) run_.reason = no_place(run_.steps, error);
    }
  }
}

// The stepper's numbers, the loop's and the recorder's, and how many the last two are.
template <class S>
Checkpoint<S> Record<S>::save(Stepper<S>& stepper) const {
  Checkpoint<S> here = stepper.save();
  const std::size_t own = here.numbers.size();
  for (const long long x :
       {run_.steps, iterations_, static_cast<long long>(run_.newton_max), run_.fallbacks, run_.retries, run_.singular})
    here.numbers.push_back(S(x));
  for (const long long x : run_.remedies.taken) here.numbers.push_back(S(x));
  for (const long long x : run_.remedies.refused) here.numbers.push_back(S(x));
  for (const IdentityPart& part : identity_of(system_, scheme_, start_, span_)) here.numbers.push_back(S(part.sum));
  recorder_.save(here.numbers);
  here.numbers.push_back(S(static_cast<double>(here.numbers.size() - own)));
  return here;
}

template <class S>
void Record<S>::restore(Stepper<S>& stepper, const Checkpoint<S>& from) {
  Checkpoint<S> all = from;
  const std::size_t own = stepper.save().numbers.size();
  if (all.numbers.size() <= own || all.numbers.back() != S(static_cast<double>(all.numbers.size() - 1 - own)))
    throw InputError("checkpoint: found one of another run; expected the same system, scheme, start and span");
  all.numbers.pop_back();
  stepper.restore(all);
  NumberReader<S> reader(all.numbers, own);
  reader.take(run_.steps);
  reader.take(iterations_);
  reader.take(run_.newton_max);
  for (long long* x : {&run_.fallbacks, &run_.retries, &run_.singular}) reader.take(*x);
  for (long long& x : run_.remedies.taken) reader.take(x);
  for (long long& x : run_.remedies.refused) reader.take(x);
  for (const IdentityPart& part : identity_of(system_, scheme_, start_, span_))
    if (reader.next() != S(part.sum))
      throw InputError(std::string("checkpoint: found that of a run with another ") + part.what +
                       "; expected the same system, scheme, start and span");
  recorder_.restore(reader, sinks_);
  if (!reader.finished())
    throw InputError("checkpoint: found too many numbers; expected one of the same system, scheme, start and span");
}

#define EXTREMAL_INSTANTIATE(S) template class Record<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
