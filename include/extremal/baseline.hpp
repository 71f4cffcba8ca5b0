// Baseline: an integrator of others that is not variational, beside the schemes of a study.
//
//   Model m = model("double-four-bar");
//   auto all = study::compare(m, {Scheme::named("ggl"), Scheme::named("spark(2)")}, "double", {},
//                             {.of = {baseline("odeint(rkf78)"), baseline("ida(ggl)")}, .tolerances = {1e-6, 1e-9}});
//   all.baselines[0].energy_error
//
// They solve the equations of motion in double precision, with steps of the length at which an estimate of the local
// error meets a tolerance, relative and absolute:
//
//   q' = v,  M v' + G^T lambda = F,  G v' = -g''                        odeint: of index 1, so that g and G v drift
//   q' = v - G^T mu,  M v' + G^T lambda = F,  g = 0,  G v + g_t = 0     ida(ggl) [GearLeimkuhlerGupta1985]
//
// with the functions and derivatives of the system that schemes have. Which of them there are depends on the libraries
// that were found when this one was built; baselines of one's own derive from the classes below.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/models.hpp"

namespace extremal {

struct BaselineCost {
  long long steps = 0;        // that were accepted
  long long evaluations = 0;  // of the equations of motion
};

// It went no further: the reason in words. Not the user's fault, but there is no result either.
struct BaselineFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// One start of one system at one tolerance.
class BaselineMotion {
 public:
  virtual ~BaselineMotion();
  using Told = std::function<void(double t, const double* q, const double* v)>;
  // From the start to the last of the times, as often as it is asked. `at_times` is told of each of them, `at_steps`,
  // if there is one, of the start and of the end of every step. BaselineFailed, or Interrupted where *stop.
  virtual BaselineCost go(const std::vector<double>& times, const Told& at_times, const Told& at_steps,
                          const std::atomic<bool>* stop) = 0;
};

class Baseline {
 public:
  virtual ~Baseline();
  virtual std::string name() const = 0;
  // InputError, by the name of what it is, if the system cannot be carried.
  virtual std::unique_ptr<BaselineMotion> motion(const System& system, const Start& start, double tolerance) const = 0;
};

// What a study has besides its schemes. Every baseline climbs the ladder of tolerances.
struct Baselines {
  std::vector<std::shared_ptr<const Baseline>> of = {};
  std::vector<double> tolerances = {1e-6, 1e-9, 1e-12};
};

// In extremal::baselines, a library of its own because it needs those of others.

struct BaselineKind {
  std::string name, what;
  std::string library, package;  // whose it is, and Debian's package of it
  bool built = false;            // in this build
};
const std::vector<BaselineKind>& baseline_kinds();

// InputError with the nearest known name, or with the package that this build was without.
std::shared_ptr<const Baseline> baseline(std::string_view name);

// Those of the names; "all" means all that are in this build and can carry the model, and which were left out and why.
struct ChosenBaselines {
  std::vector<std::shared_ptr<const Baseline>> of;
  struct LeftOut {
    std::string name, reason;
  };
  std::vector<LeftOut> left_out;
};
ChosenBaselines choose_baselines(const std::vector<std::string>& names, const Model& model);

}  // namespace extremal
