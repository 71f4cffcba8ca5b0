// BaselineRun: a baseline on a model at one tolerance, looked at and timed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "extremal/study.hpp"

namespace extremal::study {

struct BaselineLook {
  BaselineCost cost;
  std::vector<std::vector<double>> q;  // at every time
  // Largest |H - H0| at the ends of steps; NaN where energy goes in or out, of which baselines keep no account.
  double energy_initial = 0, energy_error = 0;
  Drift drift;
  double constraint_max = 0, hidden_max = 0;
  std::string failure;  // why it did not reach the last time
};

class BaselineRun {
 public:
  BaselineRun(const Model& model, const Baseline& baseline, double tolerance, std::vector<double> times)
      : system_(model.system),
        begin_(model.start.t.as<double>()),
        times_(std::move(times)),
        motion_(baseline.motion(model.system, model.start, tolerance)) {}

  BaselineLook look(const Control& control);
  // CPU time of a run that nobody looks at; short ones are repeated, since clocks are coarse.
  double seconds(const Control& control);

 private:
  System system_;
  double begin_;
  std::vector<double> times_;
  std::unique_ptr<BaselineMotion> motion_;
};

}  // namespace extremal::study
