// StepSearch: what trials are made and what they say (extremal/accuracy.hpp), apart from how a trial is a run.
//
// Of the differences d_k between successive trials: where two slopes log2(d_k-1 / d_k) in a row are about the order, or
// three agree about another one, the error of the finest is d_k / (2^r - 1), and that of n steps is (n_k / n)^r of it;
// n is at most four times what was tried. One slope about the order is enough if a trial has a quarter of what is
// wanted. Without an order, two differences in a row below a quarter of what is wanted are, for the finest trial:
// motions that are not smooth. Two that are nothing but rounding tell of a scheme that is exact for the motion: the
// coarsest of the three trials will do.
//
// What is chosen between trials is tried itself: close to a singular configuration a step may be unlucky by its place
// alone. If it was rough, or is not where the finest trial says, only trials are chosen, each by what half its step
// says of it.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "extremal/accuracy.hpp"
#include "extremal/scalar.hpp"

namespace extremal {

// What a trial leaves: positions at the common times, the start left out; or why there are none.
struct Places {
  std::vector<std::vector<quad>> q = {};
  double seconds = 0;
  std::string failed = {};
  bool rough = false;  // steps not taken as the scheme says, or nodes where digits are lost
};

struct StepQuestion {
  double wanted = 0;
  int order = 1;
  long long first = 32, most = 1, multiple = 1;  // steps of the first trial, of any, and a divisor of those chosen
  double epsilon = 0, wide_epsilon = 0;          // of the precision of the run, and of that of comparison
  double begin = 0, end = 1;                     // times
};

class StepSearch {
 public:
  // So many steps; `wide`: in the precision in which rounding is measured.
  using Taker = std::function<Places(long long steps, bool wide)>;
  StepSearch(const StepQuestion& question, Taker take) : asked_(question), take_(std::move(take)) {}

  // `out` has what is known of the run; trials, rounding and choice are entered.
  void search(Accuracy& out);

 private:
  struct Choice {
    double steps = 0, predicted = 0;  // 0: none yet
    double finest = 0;                // error of the finest trial
  };
  void look(Accuracy& out);
  void try_next();
  bool has_difference(std::size_t back) const;
  double difference(std::size_t back) const { return out_->trials[out_->trials.size() - 1 - back].difference; }
  double slope(std::size_t back) const { return out_->trials[out_->trials.size() - 1 - back].slope; }
  bool about_order(std::size_t back) const;
  bool agree() const;
  Choice choose() const;
  Choice choose_tried() const;
  // False if a trial of so many steps is not what it was chosen for.
  bool confirm(const Choice& choice);
  long long whole(double steps) const;  // that are chosen for them
  // False if rounding is too large for what is wanted.
  bool bear_rounding(double steps);
  bool suspicious() const;
  void measure_rounding(const Places& wide);
  void refuse_rounding(double rounding);

  StepQuestion asked_;
  Taker take_;
  Accuracy* out_ = nullptr;
  std::array<Places, 2> last_;    // the finest trial, and the one before
  std::vector<double> rounding_;  // by the common times, the largest so far
  bool lost_ = false;             // the measure of rounding itself failed
  bool tried_only_ = false;       // what was chosen between trials was not confirmed
  std::vector<Accuracy::Trial> between_;
};

// The largest difference at each of the times, so far, over the largest coordinate of all.
std::vector<double> differences(const Places& one, const Places& other);

}  // namespace extremal
