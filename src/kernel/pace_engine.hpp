// PaceEngine: a motion of a System whose steps are of different length, by a rate s = dt/dtau (pace.hpp). A step is one
// of tau; state, velocities, multipliers and energies are those of the system in its own time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "extremal/pace.hpp"
#include "kernel/step_engine.hpp"

namespace extremal {

template <class S>
class PaceEngine : public StepEngine<S> {
 public:
  // The time at which the last step ends.
  void until(S end) {
    end_ = end;
    ends_ = true;
  }
  bool landed() const { return landed_; }
  // From a state that a step of h starts from, such a step of another length that ends at t, inside or at the end of
  // it: what the motion is there, to the order of the scheme.
  virtual StepReport reach(const State<S>& from, S h, S t) = 0;
  // What of t the last step took, and the shortest and the longest of all.
  S passed() const { return passed_; }
  S shortest() const { return shortest_; }
  S longest() const { return longest_; }
  // How the motion is paced, for a note.
  const std::string& text() const { return text_; }

  const System& system() const override { return plain_->system(); }
  void threads(int number) override { plain_->threads(number); }
  std::unique_ptr<StepEngine<S>> with(const System& system, bool started) const override;
  void observe(const State<S>& state, Observation<S>& out, bool multipliers) const override {
    plain_->observe(state, out, multipliers);
  }
  std::vector<S> constraint_jacobian(const std::vector<S>& q, S t) const override {
    return plain_->constraint_jacobian(q, t);
  }
  void constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) const override {
    plain_->constraint_norms(q, t, out);
  }
  void hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) const override {
    plain_->hidden(q, v, t, out);
  }

 protected:
  PaceEngine(std::unique_ptr<StepEngine<S>> plain, Rate rate, std::string text);

  // s at a position, and -d ln s / dt there.
  S rate(const std::vector<S>& q) const;
  S log_slope(const std::vector<S>& q, const std::vector<S>& v) const;
  // The start, and the rate if there is none yet.
  Consistency begin(const Start& start, S step);
  // How far t may be from the end.
  S tolerance(S t) const;
  // Whether there is a rate to step on with; the report says why not.
  bool has_rate(StepReport& report) const;
  void took(S t);
  void save_pace(std::vector<S>& out) const;
  const S* restore_pace(const S* from);
  static constexpr std::size_t pace_numbers = 4;

  std::unique_ptr<StepEngine<S>> plain_;
  Rate rate_;
  std::string text_;
  std::vector<S> parameters_;
  S end_{}, passed_{}, shortest_{}, longest_{};
  bool ends_ = false, landed_ = false;

 private:
  Nodes<S> node(const std::vector<S>& q) const;
  mutable std::vector<S> slope_;
};

// InputError if the scheme has no such pace.
void refuse_unpaced(const System& system, const Scheme& scheme, Pace pace);

// A rate of null: the built-in one. InputError if the scheme or the system cannot be paced so.
template <class S>
std::unique_ptr<PaceEngine<S>> make_pace_engine(const System& system, const Scheme& scheme, Pace pace,
                                                const Rate& rate);

}  // namespace extremal
