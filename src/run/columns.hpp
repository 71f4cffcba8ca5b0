// Columns: what a row of output is made of. A table with one entry for every column, or for columns whose values are
// found together: name, variable, axis, unit, description and the value. A column is added by an entry in columns.cpp,
// and nowhere else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bodies/joint_coordinates.hpp"
#include "extremal/run.hpp"

namespace extremal {

// What is known of the motion where a row is made.
template <class S>
struct Look {
  Stepper<S>& stepper;
  const State<S>& state;
  const Observation<S>& seen;
  const std::vector<S>& parameters;
  int iterations;  // of Newton's method in the step that ends here
  S work;          // since the start
  bool stepped;    // or this is the start
  const JointTurns<S>& joints;
};

template <class S>
class Columns {
 public:
  // `own`: the multipliers are those of the scheme.
  Columns(const System& system, bool own, bool error_estimate, const std::vector<Observer>& observers);

  const std::vector<ColumnInfo>& infos() const { return infos_; }
  // The row has a place for every column.
  void fill(const Look<S>& look, std::vector<S>& row) const;
  // From now on only what these columns need is found; others are left as they are in the row.
  void keep(const std::vector<std::size_t>& columns);
  bool needs_multipliers() const { return multipliers_; }
  bool needs_symmetries() const { return symmetries_; }
  // Of joints: their turns are counted from step to step, and not from row to row.
  bool needs_turns() const { return turns_; }

  // Of the formulas of the model, and of the error estimate: so many columns from the first on.
  struct Range {
    std::size_t first = 0, count = 0;
  };
  Range observed() const { return observed_; }
  Range estimated() const { return estimated_; }

 private:
  using Values = std::function<void(const Look<S>&, S*)>;
  using Value = std::function<S(const Look<S>&)>;
  struct Entry {
    std::size_t first, count;
    Values values;
  };

  void add(std::vector<ColumnInfo> infos, Values values);
  void one(const std::string& name, const std::string& unit, const std::string& description, Value value,
           const std::string& variable = "");
  void each(const std::string& prefix, const std::string& variable, const std::string& axis,
            const std::vector<std::string>& members, const std::string& unit, const std::string& description,
            Values values);
  void add_motion(const System& system, bool own);
  void add_observers(const System& system, const std::vector<Observer>& observers);
  void add_estimate();
  void add_joints(const System& system);
  void add_reactions(const System& system);

  std::vector<ColumnInfo> infos_;
  std::vector<Entry> entries_;
  Range observed_, estimated_;
  bool multipliers_ = true, symmetries_ = true, turns_ = false;
};

}  // namespace extremal
