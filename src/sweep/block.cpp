#include "sweep/block.hpp"

#include "extremal/batch.hpp"
#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "sweep/rows.hpp"

namespace extremal::sweep {
namespace {

// What is kept of a run that was not interrupted.
template <class S>
void keep(const Sweep& sweep, const Run<S>& run, const RowKeeper<S>& keeper, double* fields, double* rows) {
  const bool complete = run.status == Status::complete || run.status == Status::suspect;  // all steps were taken
  if (sweep.only_end() && !complete) std::fill(rows, rows + sweep.columns().size(), nothing);
  fields[status] = static_cast<double>(!complete                       ? Outcome::failed
                                       : run.status == Status::suspect ? Outcome::suspect
                                                                       : Outcome::complete);
  fields[row_count] = sweep.only_end() ? (complete ? 1 : 0) : static_cast<double>(keeper.count());
  fields[steps] = static_cast<double>(run.steps);
  fields[newton_mean] = run.newton_mean;
  fields[newton_max] = run.newton_max;
  fields[fallbacks] = static_cast<double>(run.fallbacks);
  fields[retries] = static_cast<double>(run.retries);
  fields[singular] = static_cast<double>(run.singular);
  fields[energy_max_error] = static_cast<double>(run.energy_max_error);
  fields[constraint_max] = static_cast<double>(run.constraint_max);
  fields[hidden_max] = static_cast<double>(run.hidden_max);
}

template <class S>
bool run_one(const Sweep& sweep, const SweepRun& one, const std::atomic<bool>* stop, double* fields, double* rows,
             std::string& message) {
  RowKeeper<S> keeper(sweep, rows);
  const Run<S> run = extremal::run<S>(one.system, *one.scheme, one.start, one.span,
                                      {.sinks = {&keeper}, .observers = one.observers, .collect = false, .stop = stop});
  if (run.status == Status::interrupted) return false;
  message = run.reason;
  keep(sweep, run, keeper, fields, rows);
  return true;
}

// Of a block whose runs have the same numbers of steps and rows and advance in lanes.
bool run_side_by_side(const Sweep& sweep, const std::vector<SweepRun>& runs, const std::atomic<bool>* stop,
                      const std::vector<double*>& fields, const std::vector<double*>& rows,
                      const std::vector<std::string*>& messages) {
  if (runs.empty()) return true;
  std::vector<RowKeeper<double>> keepers;
  keepers.reserve(runs.size());
  std::vector<BatchMember> members;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    keepers.emplace_back(sweep, rows[i]);
    members.push_back({runs[i].system, runs[i].start, {&keepers[i]}});
  }
  const std::vector<BatchRun> done =
      run_batch(*runs.front().scheme, runs.front().span, members,
                {.observers = runs.front().observers, .collect = false, .keep = sweep.kept(), .stop = stop});
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (done[i].run.status == Status::interrupted) return false;
    *messages[i] = done[i].run.reason;
    if (done[i].refused)
      mark_refused(fields[i], rows[i], rows[i] + sweep.rows() * sweep.columns().size());
    else
      keep(sweep, done[i].run, keepers[i], fields[i], rows[i]);
  }
  return true;
}

}  // namespace

std::size_t run_width(const Sweep& sweep) {
  return field_count + sweep.plan().axes.size() + sweep.rows() * sweep.columns().size();
}

std::uint64_t block_size(const Sweep& sweep) {
  if (sweep.in_lanes()) return sweep.size() >= 1024 ? 64 : 16;
  return sweep.size() >= 4096 ? 64 : sweep.size() >= 256 ? 8 : 1;
}

std::uint64_t block_count(const Sweep& sweep) { return (sweep.size() + block_size(sweep) - 1) / block_size(sweep); }

bool run_block(const Sweep& sweep, std::uint64_t first, std::uint64_t count, const std::atomic<bool>* stop,
               BlockResult& out) {
  const std::size_t width = run_width(sweep);
  out = {.first = first, .count = count};
  out.numbers.assign(count * width, nothing);
  std::vector<std::string> messages(count);
  std::vector<SweepRun> together;
  std::vector<double*> their_fields, their_rows;
  std::vector<std::string*> their_messages;
  for (std::uint64_t k = 0; k < count; ++k) {
    double* fields = out.numbers.data() + k * width;
    double* rows = fields + field_count;
    for (const Number& value : sweep.values(first + k)) *rows++ = value.as<double>();
    try {
      SweepRun one = sweep.run(first + k);
      if (sweep.in_lanes()) {
        together.push_back(std::move(one));
        their_fields.push_back(fields);
        their_rows.push_back(rows);
        their_messages.push_back(&messages[k]);
      } else if (!with_scalar(sweep.precision(),
                              [&]<class S>(S) { return run_one<S>(sweep, one, stop, fields, rows, messages[k]); })) {
        return false;
      }
    } catch (const InputError& error) {
      mark_refused(fields, rows, out.numbers.data() + (k + 1) * width);
      messages[k] = error.what();
    }
  }
  if (!run_side_by_side(sweep, together, stop, their_fields, their_rows, their_messages)) return false;
  for (const std::string& message : messages) {
    out.messages += message;
    out.messages += '\0';
  }
  return true;
}

}  // namespace extremal::sweep
