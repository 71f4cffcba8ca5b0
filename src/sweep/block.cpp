#include "sweep/block.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "run/batch_end.hpp"
#include "sweep/rows.hpp"

namespace extremal::sweep {
namespace {

// What is kept of a run that was not interrupted, besides its rows.
void keep(const BatchEnd& end, double* fields) {
  const bool complete = end.status == Status::complete || end.status == Status::suspect;  // all steps were taken
  fields[status] = static_cast<double>(!complete                       ? Outcome::failed
                                       : end.status == Status::suspect ? Outcome::suspect
                                                                       : Outcome::complete);
  fields[row_count] = static_cast<double>(end.rows);
  fields[steps] = static_cast<double>(end.steps);
  fields[newton_mean] = end.newton_mean;
  fields[newton_max] = end.newton_max;
  fields[fallbacks] = static_cast<double>(end.fallbacks);
  fields[retries] = static_cast<double>(end.retries);
  fields[singular] = static_cast<double>(end.singular);
  fields[energy_max_error] = end.energy_max_error;
  fields[constraint_max] = end.constraint_max;
  fields[hidden_max] = end.hidden_max;
}

template <class S>
bool run_one(const Sweep& sweep, const SweepRun& one, const std::atomic<bool>* stop, double* fields, double* rows,
             std::string& message) {
  RowKeeper<S> keeper(sweep, rows);
  const Run<S> run = extremal::run<S>(one.system, *one.scheme, one.start, one.span,
                                      {.sinks = {&keeper}, .observers = one.observers, .collect = false, .stop = stop});
  if (run.status == Status::interrupted) return false;
  message = run.reason;
  const bool complete = run.status == Status::complete || run.status == Status::suspect;
  if (sweep.only_end() && !complete) std::fill(rows, rows + sweep.columns().size(), nothing);
  const std::size_t count = !sweep.only_end() ? keeper.count() : complete ? 1 : 0;
  keep(batch_end(run, count), fields);
  return true;
}

// Where the numbers of a run of a block are.
struct Part {
  double *fields, *rows;
  std::string* message;
};

// Those of the runs that advance in lanes; they are taken off `runs`.
bool run_side_by_side(const Sweep& sweep, std::vector<std::uint64_t>& runs, const std::atomic<bool>* stop,
                      const std::function<Part(std::uint64_t)>& part) {
  std::vector<double> numbers;
  std::vector<std::uint64_t> together = runs;
  const Members members = sweep.members(together, numbers);
  const Batch batch =
      run_batch(sweep.schemes().front(), sweep.lane_span(), members,
                {.observers = sweep.observers(), .keep = sweep.kept(), .only_last = sweep.only_end(), .stop = stop});
  const std::size_t size = batch.times * batch.columns.size();
  for (std::size_t i = 0; i < together.size(); ++i) {
    const BatchEnd& end = batch.runs[i];
    const Part to = part(together[i]);
    if (!end.refused && end.status == Status::interrupted) return false;
    *to.message = end.reason;
    if (end.refused) {
      mark_refused(to.fields, to.rows, to.rows + size);
      continue;
    }
    std::copy_n(batch.values.begin() + static_cast<std::ptrdiff_t>(i * size), size, to.rows);
    keep(end, to.fields);
  }
  std::erase_if(runs, [&](std::uint64_t run) { return std::binary_search(together.begin(), together.end(), run); });
  return true;
}

}  // namespace

std::size_t run_width(const Sweep& sweep) {
  return field_count + sweep.plan().axes.size() + sweep.rows() * sweep.columns().size();
}

std::uint64_t block_size(const Sweep& sweep) {
  // What a block of runs in lanes has in common costs as much as some hundred steps of all of them.
  if (sweep.in_lanes()) return sweep.size() >= 16384 ? 512 : sweep.size() >= 1024 ? 64 : 16;
  return sweep.size() >= 4096 ? 64 : sweep.size() >= 256 ? 8 : 1;
}

std::uint64_t block_count(const Sweep& sweep) { return (sweep.size() + block_size(sweep) - 1) / block_size(sweep); }

bool run_block(const Sweep& sweep, std::uint64_t first, std::uint64_t count, const std::atomic<bool>* stop,
               BlockResult& out) {
  const std::size_t width = run_width(sweep), axes = sweep.plan().axes.size();
  out = {.first = first, .count = count};
  out.numbers.assign(count * width, nothing);
  std::vector<std::string> messages(count);
  const auto part = [&](std::uint64_t run) -> Part {
    double* fields = out.numbers.data() + (run - first) * width;
    return {fields, fields + field_count + axes, &messages[run - first]};
  };
  std::vector<std::uint64_t> runs(count);
  std::iota(runs.begin(), runs.end(), first);
  for (const std::uint64_t run : runs) sweep.numbers(run, part(run).fields + field_count);
  if (sweep.in_lanes() && !run_side_by_side(sweep, runs, stop, part)) return false;
  for (const std::uint64_t run : runs) {
    const Part to = part(run);
    try {
      const SweepRun one = sweep.run(run);
      if (!with_scalar(sweep.precision(),
                       [&]<class S>(S) { return run_one<S>(sweep, one, stop, to.fields, to.rows, *to.message); }))
        return false;
    } catch (const InputError& error) {
      mark_refused(to.fields, to.rows, out.numbers.data() + (run - first + 1) * width);
      *to.message = error.what();
    }
  }
  for (const std::string& message : messages) {
    out.messages += message;
    out.messages += '\0';
  }
  return true;
}

}  // namespace extremal::sweep
