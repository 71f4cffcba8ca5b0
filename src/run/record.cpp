#include "run/record.hpp"

#include "extremal/error.hpp"
#include "numbers/instantiate.hpp"
#include "run/identity.hpp"
#include "run/span.hpp"
#include "run/start_changes.hpp"
#include "run/time_jumps.hpp"
#include "system/evaluation.hpp"

namespace extremal {
namespace {

// Of the numbers of a checkpoint, those of steppers included: another one whenever they are others.
constexpr int checkpoint_layout = 170002;

void refuse_with_pace(const Scheme& scheme, const Span& span) {
  const std::string found = std::string("span: found the ") + name(span.pace) + " pace and ";
  if (!span.pattern.empty()) throw InputError(found + "a pattern of steps; expected one of them");
  if (span.error_estimate && span.pace == Pace::symplectic)
    throw InputError(found + "error_estimate, whose forces would be those of fictitious time; try the reversible pace");
  if (!span.at.empty() && scheme.composed())
    throw InputError(found + "times inside the steps of the composition " + scheme.name +
                     ", which shows its last substep only; expected a scheme of one step, as spark(3)");
}

// A node of closure variational is complete after the next step.
void refuse_rows_inside(const System& system, const Scheme& scheme, const Span& span) {
  if (scheme.declared.multiplier == EndMultiplier::late && system.constraint_count() > 0)
    throw InputError(std::string("span: found the ") + name(span.pace) + " pace and outputs of " + scheme.name +
                     ", whose momenta are known at the ends of its steps only; expected every, or rattle");
}

std::string no_place(long long steps, const OutputError& error) {
  return fmt::format("interrupted after step {}: {}", steps, error.what());
}

}  // namespace

template <class S>
Record<S>::Record(const System& system, const Scheme& scheme, const Start& start, const Span& span,
                  const Output<S>& output)
    : system_(system),
      scheme_(scheme),
      start_(start),
      span_(span),
      output_(output),
      steps_(span.pace == Pace::none ? whole_steps<S>(start.t, span) : most_paced_steps<S>(start.t, span)),
      lengths_(step_lengths<S>(span)),
      collector_(run_),
      recorder_(system, scheme, span, output.observers, run_, steps_) {
  if (!span.columns.empty()) columns_ = chosen_columns(recorder_.columns(), span.columns);
  const auto through = [&](RowSink<S>& sink) -> RowSink<S>* {
    if (columns_.empty()) return &sink;
    chosen_.push_back(std::make_unique<Chosen<S>>(sink, columns_));
    return chosen_.back().get();
  };
  // The last row alone is for a summary, and has all.
  if (output.collect) sinks_.push_back(through(collector_));
  for (RowSink<S>* sink : output.sinks) sinks_.push_back(through(*sink));
  run_.model = system.name();
  run_.scheme = scheme.name;
  run_.precision = Scalar<S>::name;
  run_.version = EXTREMAL_VERSION;
  run_.step = span.step;
  run_.until = span.until;
  run_.pattern = span.pattern;
  run_.start = start;
  run_.notes = scheme.declared.flags;
  if (span.pace != Pace::none) refuse_with_pace(scheme, span);
  if (has_row_times(span)) refuse_rows_inside(system, scheme, span);
  if (!span.pattern.empty())
    run_.notes.push_back(
        fmt::format("steps follow a pattern of {}: each is symplectic where the scheme is, and momenta are kept, but "
                    "steps of different length have no modified energy in common",
                    span.pattern.size()));
  if (system.has(Role::force) && !scheme.declared.damped.empty()) run_.notes.push_back(scheme.declared.damped);
  for (const Number& t : span.at) {
    const S whole = span.until.as<S>() - start.t.as<S>(), c = (t.as<S>() - start.t.as<S>()) / whole;
    const S tolerance = S(1e-9) / S(std::max(1LL, steps_));
    if (!(c >= -tolerance && c <= S(1) + tolerance))
      throw InputError(fmt::format("span: asks for t = {}; expected a time between {} and {}", t.text(), start.t.text(),
                                   span.until.text()));
  }
}

template <class S>
void Record<S>::rows_inside(std::unique_ptr<PaceEngine<S>> there) {
  PaceEngine<S>* const engine = there.get();
  inside_.emplace(Inside{engine, Stepper<S>(std::move(there)), {}});
  inside_->stepper.start(start_, h(1));
}

// The next row is as many as there are; the last is that of the step that lands.
template <class S>
bool Record<S>::make_rows_inside(long long k, const StepReport& report, S now) {
  const quad begin = start_.t.as<quad>(), end = span_.until.as<quad>(), forward = end > begin ? 1 : -1;
  for (long long row = recorder_.rows(); row < span_.outputs; ++row) {
    const S t = static_cast<S>(begin + (end - begin) * quad(row) / quad(span_.outputs));
    // What rounding leaves of a step is none.
    const S rounding = S(8) * Scalar<S>::epsilon * math::max(math::abs(now), math::abs(span_.until.as<S>()));
    if ((t - now) * static_cast<S>(forward) > rounding) return true;
    const StepReport there = inside_->engine->reach(inside_->from, h(k), t);
    if (!there.converged) {
      stop(Status::failed, fmt::format("row at t = {:.8g}, in ", static_cast<double>(t)) +
                               failure_text(k, static_cast<double>(inside_->from.t), static_cast<double>(h(k)), there));
      return false;
    }
    if (!recorder_.inside(inside_->stepper, t, report.iterations)) {
      stop(Status::failed, sight_text(k, inside_->stepper));
      return false;
    }
  }
  return true;
}

template <class S>
void Record<S>::begin(Stepper<S>& stepper, Consistency found) {
  run_.consistency = std::move(found);
  if (const Consistency& c = run_.consistency; c.redundant > 0)
    run_.notes.push_back(fmt::format("{} redundant rows among the constraints {}; multipliers of least norm",
                                     c.redundant, fmt::join(c.dependent, ", ")));
  if (std::max(run_.consistency.position, run_.consistency.momentum) > 1e-9) {
    const auto rounded = [](const std::vector<S>& x) { return std::vector<double>(x.begin(), x.end()); };
    for (std::string& note : start_changes(system_, start_, rounded(stepper.state().q), rounded(stepper.observe().v)))
      run_.notes.push_back(std::move(note));
  }
  if (span_.multipliers == Multipliers::scheme && system_.constraint_count() > 0)
    run_.notes.push_back(scheme_.name + (reports_own(scheme_, span_)
                                             ? ": lambda is the scheme's own multiplier"
                                             : " has no multiplier of its own at the ends of its steps: lambda is "
                                               "that of the motion"));
  if (!output_.collect) collector_.begin(run_, recorder_.columns());
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
  if (inside_ && !make_rows_inside(k, report, stepper.state().t)) return;
  if (!recorder_.step(stepper, k, pace_ == nullptr ? h(k) : pace_->passed(), report.iterations, row_after(k)))
    return stop(Status::failed, sight_text(k, stepper));
  if (output_.sinks.empty() || !beat_.due()) return;
  try {
    for (RowSink<S>* sink : output_.sinks)
      if (sink->pulse(progress(k, stepper.state().t))) sink->checkpoint(save(stepper));
  } catch (const OutputError& error) {
    stop(Status::interrupted, no_place(run_.steps, error));
  }
}

template <class S>
Progress Record<S>::progress(long long k, S t) const {
  const auto now = static_cast<double>(t);
  if (pace_ == nullptr) return {k, steps_, now};
  // As many as there will be if the others are like those so far.
  const double begin = start_.t.as<double>(), part = (now - begin) / (span_.until.as<double>() - begin);
  return {k, std::max(k, static_cast<long long>(static_cast<double>(k) / std::max(part, 1e-9))), now};
}

template <class S>
void Record<S>::failed(Stepper<S>& stepper, long long k, const StepReport& report) {
  run_.steps = k - 1;
  stop(Status::failed, failure_text(k, static_cast<double>(stepper.state().t), static_cast<double>(h(k)), report));
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
void Record<S>::end(Stepper<S>& stepper) {
  recorder_.end(stepper);
  if (pace_ != nullptr && run_.steps > 0)
    run_.notes.push_back(fmt::format("paced by {}: {}; the shortest took {:.3g} of t, the longest {:.3g}",
                                     span_.rate == nullptr         ? "the rate of the energies"
                                     : span_.rate->formula.empty() ? "a rate"
                                                                   : "rate = " + span_.rate->formula,
                                     pace_->text(), static_cast<double>(pace_->shortest()),
                                     static_cast<double>(pace_->longest())));
  if (pace_ == nullptr && run_.steps > 0 && has_jumps(system_)) {
    std::string found = jumps_inside<S>(system_, scheme_, {start_.t.as<S>(), run_.steps, lengths_}, stepper.state().q,
                                        stepper.observe().v);
    if (!found.empty()) run_.notes.push_back(std::move(found));
  }
  if (run_.status == Status::complete) {
    run_.reason = recorder_.doubt(span_.step.as<S>());
    if (!run_.reason.empty()) run_.status = Status::suspect;
  }
  if (run_.columns[0].values.empty()) collector_.row(recorder_.last_row());
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

// The stepper's numbers, the loop's and the recorder's, the layout, and how many these but the first are.
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
  here.numbers.push_back(S(checkpoint_layout));
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
  if (all.numbers.back() != S(checkpoint_layout))
    throw InputError("checkpoint: found one of another version of extremal; expected one of this; try a new run");
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
