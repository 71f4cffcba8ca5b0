// LaneRecord: the runs of one LaneGroup while they go on, seen at their rows. What is in lanes is seen and written
// there; a motion that has left them is asked by itself, and shows the same.
#pragma once

#include <array>
#include <vector>

#include "extremal/batch.hpp"
#include "kernel/lane_group.hpp"
#include "run/believe.hpp"
#include "run/columns.hpp"

namespace extremal {

// What the runs of a batch have in common.
struct BatchRows {
  const Scheme& scheme;
  const Span& span;
  const Members& members;
  const BatchOutput& output;
  long long steps;  // 0 where they are paced
  long long count;  // of rows
  std::vector<std::size_t> keep;
  Columns<Lanes> lanes;
  Columns<double> singles;

  BatchRows(const Scheme& scheme, const Span& span, const Members& members, const BatchOutput& output);
  // Whether all that is wanted can be made in lanes.
  // Lanes do not count the turns of joints, which observers of mechanisms may use.
  bool fit() const {
    return keep.back() < lanes.infos().size() && (output.observers.empty() || members.system.rigid() == nullptr);
  }
  void only_wanted();
};

class LaneRecord {
 public:
  // Of the members first to first + count - 1; the first row is made.
  LaneRecord(const BatchRows& rows, MemberStart& starts, std::size_t first, int count, const std::vector<double>& steps,
             Batch& batch, LaneTools tools);

  // For advance (run/record.hpp).
  long long taken() const { return 0; }
  long long step(long long k);
  bool watch(long long k);
  void interrupt();
  // The verdict on those that have taken all steps; and what the next group may go on with.
  LaneTools end();

 private:
  BatchEnd& run(int l) const { return batch_.runs[first_ + static_cast<std::size_t>(l)]; }
  double* place(int l, long long k) const;
  void stop(int l, Status status, std::string reason);
  void look(long long k);
  void look_at_lanes(long long k, std::array<bool, Lanes::count>& seen);
  void look_at(int l, long long k);
  void add(int l, long long k, double kinetic, double potential, double rate, double constraint, double hidden);

  const BatchRows& rows_;
  std::size_t first_;
  Batch& batch_;
  LaneGroup group_;
  std::array<bool, Lanes::count> going_{};
  std::array<MovingEnergy, Lanes::count> moving_{};
  std::array<double, Lanes::count> energy_{};  // at the start
  Observation<Lanes> seen_;
  Observation<double> single_;
  std::vector<Lanes> lane_row_;
  std::vector<double> row_, parameters_;
};

}  // namespace extremal
