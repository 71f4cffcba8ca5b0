#include "sweep/block.hpp"

#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"
#include "sweep/rows.hpp"

namespace extremal::sweep {
namespace {

template <class S>
bool run_one(const Sweep& sweep, const SweepRun& one, const std::atomic<bool>* stop, double* fields, double* rows,
             std::string& message) {
  RowKeeper<S> keeper(sweep, rows);
  const Run<S> run = extremal::run<S>(one.system, *one.scheme, one.start, one.span,
                                      {.sinks = {&keeper}, .observers = one.observers, .collect = false, .stop = stop});
  if (run.status == Status::interrupted) return false;
  const bool complete = run.status == Status::complete || run.status == Status::suspect;  // all steps were taken
  message = run.reason;
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
  if (sweep.in_lanes()) return run_together(sweep, stop, out);
  for (std::uint64_t k = 0; k < count; ++k) {
    double* fields = out.numbers.data() + k * width;
    double* rows = fields + field_count;
    for (const Number& value : sweep.values(first + k)) *rows++ = value.as<double>();
    std::string message;
    try {
      const SweepRun one = sweep.run(first + k);
      const bool finished = with_scalar(
          sweep.precision(), [&]<class S>(S) { return run_one<S>(sweep, one, stop, fields, rows, message); });
      if (!finished) return false;
    } catch (const InputError& error) {
      mark_refused(fields, rows, out.numbers.data() + (k + 1) * width);
      message = error.what();
    }
    out.messages += message;
    out.messages += '\0';
  }
  return true;
}

}  // namespace extremal::sweep
