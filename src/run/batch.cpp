#include "extremal/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "extremal/ensemble.hpp"
#include "extremal/error.hpp"
#include "run/batch_end.hpp"
#include "run/lane_record.hpp"
#include "run/record.hpp"
#include "system/evaluation.hpp"

namespace extremal {
namespace {

// The wanted columns of a run into its part of the block.
class BlockSink : public RowSink<double> {
 public:
  BlockSink(const BatchRows& rows, Batch& batch, std::size_t member)
      : rows_(rows), end_(batch.runs[member]), to_(batch.values.data() + member * batch.times * rows.keep.size()) {}
  void row(const std::vector<double>& values) override {
    for (const std::size_t c : rows_.keep) *to_++ = values[c];
    if (!rows_.output.only_last)
      ++end_.rows;
    else
      to_ -= rows_.keep.size();
  }

 private:
  const BatchRows& rows_;
  BatchEnd& end_;
  double* to_;
};

void run_alone(const BatchRows& rows, std::size_t member, Batch& batch) {
  BatchEnd& end = batch.runs[member];
  try {
    BlockSink sink(rows, batch, member);
    Span span = rows.span;
    span.columns.clear();  // of all of them the sink takes those that are wanted
    const Run<double> run = extremal::run<double>(
        rows.members.system_of(member), rows.scheme, rows.members.start_of(member), span,
        {.sinks = {&sink}, .observers = rows.output.observers, .collect = false, .stop = rows.output.stop});
    end = batch_end(run, end.rows);
  } catch (const InputError& error) {
    end = {.refused = true, .reason = error.what()};
  }
  if (!rows.output.only_last) return;
  const bool there = !end.refused && (end.status == Status::complete || end.status == Status::suspect);
  end.rows = there ? 1 : 0;
  const auto from = batch.values.begin() + static_cast<std::ptrdiff_t>(member * rows.keep.size());
  if (!there) std::fill_n(from, rows.keep.size(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::size_t Batch::column(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& column) { return column.name == name; });
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  std::vector<std::string> names;
  for (const ColumnInfo& column : columns) names.push_back(column.name);
  throw InputError(fmt::format("batch: no column \"{}\"; the columns are {}", name, fmt::join(names, ", ")));
}

bool fits_batch(const System& system, const Scheme& scheme, const Span& span) {
  // Work adds up over the steps, of which lanes show those of rows only. Lanes have steps of one length.
  return span.pattern.empty() && span.pace == Pace::none && span.extra_columns.empty() && span.at.empty() &&
         !span.error_estimate && !reports_own(scheme, span) && !does_work(system) &&
         Ensemble::has_lanes(system, scheme);
}

Batch run_batch(const Scheme& scheme, const Span& span, const Members& members, const BatchOutput& output) {
  BatchRows rows(scheme, span, members, output);
  Batch batch;
  for (const std::size_t c : rows.keep) batch.columns.push_back(rows.singles.infos()[c]);
  batch.times = output.only_last ? 1 : static_cast<std::size_t>(rows.count);
  batch.values.assign(members.count * batch.times * rows.keep.size(), std::numeric_limits<double>::quiet_NaN());
  batch.runs.resize(members.count);
  if (!rows.fit() || !fits_batch(members.system, scheme, span)) {
    for (std::size_t k = 0; k < members.count; ++k) run_alone(rows, k, batch);
    return batch;
  }
  rows.only_wanted();
  MemberStart starts(members);
  const std::vector<double> steps(Lanes::count, span.step.as<double>());
  LaneTools tools;
  for (std::size_t first = 0; first < members.count; first += Lanes::count) {
    const auto count = static_cast<int>(std::min<std::size_t>(Lanes::count, members.count - first));
    LaneRecord group(rows, starts, first, count, steps, batch, std::move(tools));
    advance(group, rows.steps, output.stop);
    tools = group.end();
  }
  return batch;
}

}  // namespace extremal
