// LaneGroup: up to sixteen members of an ensemble, which advance in lanes as long as small steps take them.
//
// A motion in lanes is a lane of some numbers and nothing else. It gets a Stepper of its own when lanes lose it, or
// when somebody asks what only a Stepper tells; of a motion in lanes that Stepper is a copy, brought up to date when it
// is asked for.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "extremal/detail/lanes.hpp"
#include "kernel/member_start.hpp"
#include "kernel/step_engine.hpp"
#include "small/lane_look.hpp"
#include "small/taker.hpp"

namespace extremal {

// Null if such motions do not advance in lanes. The parameters are those of the lanes.
std::unique_ptr<SmallTaker<Lanes>> lane_taker(const System& system, const Scheme& scheme,
                                              const std::vector<Lanes>& parameters);

// What a group advances and looks with. A group whose work is done leaves it to the next of the same system and scheme,
// which takes it over where the parameters differ in those of potentials only.
struct LaneTools {
  std::vector<Lanes> parameters = {};
  std::unique_ptr<SmallTaker<Lanes>> taker = {};
  std::unique_ptr<LaneLook> look = {};
};

class LaneGroup {
 public:
  // Members first to first + count - 1; as many steps. The starts are asked as long as the group steps.
  LaneGroup(MemberStart& starts, const Scheme& scheme, std::size_t first, int count, const double* steps,
            LaneTools tools = {});
  // The group is of no use after.
  LaneTools leave();

  int count() const { return count_; }
  void step(long count);
  // Where the motions are: those in lanes in the one, the others in their Steppers.
  bool away(int l) const { return away_[static_cast<std::size_t>(l)]; }
  const Motion<Lanes>& lanes() const { return motion_; }
  const Lanes& h() const { return h_; }
  const std::vector<double>& parameters(int l) { return starts_.parameters(first_ + static_cast<std::size_t>(l)); }
  State<double> state(int l) const;
  // Made when it is asked for; not to be stepped.
  Stepper<double>& motion(int l);
  // Looks at the lanes; null if there are none, or they cannot be looked at.
  LaneLook* look();

  const std::string& refused(int l) const { return refused_[static_cast<std::size_t>(l)]; }
  bool failed(int l) const { return failed_[static_cast<std::size_t>(l)]; }
  const StepReport& report(int l) const { return reports_[static_cast<std::size_t>(l)]; }
  const Consistency& consistency(int l) const { return consistency_[static_cast<std::size_t>(l)]; }
  int in_lanes() const;

 private:
  bool take_over(LaneTools tools);
  void start(int l, MemberStart::Begun& begun);
  void make_stepper(int l);
  bool seed(const Lanes& t, const Lanes* q, const Lanes* v, Lanes* lambda);
  void advance(long count);
  void step_alone(int l);
  void collect();
  void level();
  void save(std::vector<Lanes>& out) const;
  void give(int l, const std::vector<Lanes>& numbers);

  MemberStart& starts_;
  Scheme scheme_;
  std::size_t first_;
  int count_;
  std::unique_ptr<SmallTaker<Lanes>> taker_;
  std::unique_ptr<LaneLook> look_;
  Motion<Lanes> motion_;
  Lanes h_{0};
  std::vector<Lanes> parameters_, numbers_, seeds_;
  std::vector<std::vector<double>> scales_;
  std::vector<double> lent_;
  std::vector<std::unique_ptr<Stepper<double>>> steppers_;
  std::vector<StepEngine<double>*> engines_;  // of the steppers
  std::vector<Consistency> consistency_;
  std::vector<StepReport> reports_;
  std::vector<std::string> refused_;
  std::array<bool, Lanes::count> away_{}, failed_{}, known_{};  // known: the stepper is where the lane is
  std::array<bool, Lanes::count> unseeded_{};
  std::array<long, Lanes::count> taken_{};  // steps in lanes that a stepper has not been told of
  bool begun_ = false;                      // lanes have taken steps
};

}  // namespace extremal
