// Columns: what a row of output is made of. A table with one entry for every column, or for columns whose values are
// found together: name, variable, axis, unit, description and the value. A column is added by an entry in columns.cpp,
// and nowhere else.
//
// With S = Lanes a row is that of sixteen motions. Columns of joints, which count turns, are not made there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bodies/joint_coordinates.hpp"
#include "extremal/detail/lanes.hpp"
#include "extremal/run.hpp"

namespace extremal {

// Who answers what few columns ask: the Stepper of a motion, or the lanes of many.
template <class S>
class Asked {
 public:
  virtual ~Asked() = default;
  virtual void norms(const State<S>& state, std::vector<S>& out) = 0;  // of the rows of G
  virtual void balance(StepBalance<S>& /*out*/) {}                     // see Stepper
  virtual void hidden(const State<S>& /*state*/, const std::vector<S>& /*v*/, std::vector<S>& /*out*/) {}
  virtual bool gamma(std::vector<S>& /*out*/) { return false; }
};

template <class S>
class StepperAsked final : public Asked<S> {
 public:
  explicit StepperAsked(const Stepper<S>& stepper) : stepper_(stepper) {}
  void norms(const State<S>& state, std::vector<S>& out) override { out = stepper_.constraint_norms(state.q, state.t); }
  void balance(StepBalance<S>& out) override { stepper_.balance(out); }
  void hidden(const State<S>& state, const std::vector<S>& v, std::vector<S>& out) override {
    stepper_.hidden(state.q, v, state.t, out);
  }
  bool gamma(std::vector<S>& out) override { return stepper_.gamma(out); }

 private:
  const Stepper<S>& stepper_;
};

// What is known of the motion where a row is made.
template <class S>
struct Look {
  Asked<S>& asked;
  const State<S>& state;
  const Observation<S>& seen;
  const std::vector<S>& parameters;
  int iterations;  // of Newton's method in the step that ends here
  S work;          // since the start
  S first_energy;  // at the start
  bool stepped;    // or this is the start
  const JointTurns<S>* joints;
};

// The indices of time and of what is named: columns, all of a variable, or all whose names begin so, "joint:elbow".
// InputError for what none of them is.
std::vector<std::size_t> chosen_columns(const std::vector<ColumnInfo>& all, const std::vector<std::string>& named);
// Whether the columns of multipliers have those of the scheme itself.
inline bool reports_own(const Scheme& scheme, const Span& span) {
  return span.multipliers == Multipliers::scheme && scheme.declared.multiplier != EndMultiplier::acceleration;
}

// The columns that a Span may ask for, by name.
inline const std::vector<std::string>& columns_on_request() {
  static const std::vector<std::string> names{"hidden", "gamma", "angular_momentum", "energy_error"};
  return names;
}

template <class S>
class Columns {
 public:
  // InputError for columns that the scheme cannot fill.
  Columns(const System& system, const Scheme& scheme, const Span& span, const std::vector<Observer>& observers);

  const std::vector<ColumnInfo>& infos() const { return infos_; }
  // The row has a place for every column.
  void fill(const Look<S>& look, std::vector<S>& row) const;
  // From now on only what these columns need is found; others are left as they are in the row.
  void keep(const std::vector<std::size_t>& columns);
  bool needs_multipliers() const { return multipliers_; }
  bool needs_symmetries() const { return symmetries_; }

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
            Values values, const std::string& second = "");
  void add_motion(const System& system, bool own);
  void add_angular_momentum(const System& system);
  void add_requested(const System& system, const Scheme& scheme, const Span& span);
  void add_rods(const System& system);
  void add_observers(const std::vector<Observer>& observers);
  void add_estimate();
  void add_joints(const System& system);
  void add_motors(const System& system);
  void add_poses(const System& system);
  void add_reactions(const System& system);

  std::vector<ColumnInfo> infos_;
  std::vector<Entry> entries_;
  Range observed_, estimated_;
  bool multipliers_ = true, symmetries_ = true;
};

}  // namespace extremal
