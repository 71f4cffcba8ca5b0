// Studies: many runs of a model, and what they say together.
//
//   Model m = model("pendulum");
//   auto orders = study::orders(m, {Scheme::named("rattle"), Scheme::named("spark(3)")});
//   orders.series[1].q.slope                    // 5.99: the slope of log(error) over log(step)
//   orders.holds()                              // no order falls short of the declared one
//   auto work = study::work_precision(m, schemes, {.steps = {25, 50, 100}});
//   work.series[0].seconds_for(1e-6)            // CPU time that reaches this error
//
// Errors of q, p and lambda are 2-norms, the largest over the nodes that all runs have in common, against a reference
// in quad precision whose order is at least six higher. Where the closure is variational the last node has neither p
// nor lambda [Wenger2017, eq. 22].
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "extremal/baseline.hpp"
#include "extremal/control.hpp"
#include "extremal/models.hpp"

namespace extremal::study {

// A run of the study failed: not the user's fault, but there is no result either.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Errors {
  double q = 0, p = 0, lambda = 0;
};

// Errors at several steps ---------------------------------------------------------------------------------------------

// The slope between two points of an order measurement.
double slope(double coarse_error, double fine_error, double refinement);

// A straight line through log(error) over log(step), of least squares, through the three finest points above round-off.
struct Fit {
  double slope = 0;
  int points = 0;        // above round-off, three at most; with less than two there is no slope
  bool settled = false;  // the slopes between the three points agree within 0.1
  // A slope that falls short may still rise, unless it has settled; one from fewer than three points says nothing.
  bool measurable(int declared) const { return points == 3 && (settled || slope >= declared - 0.25); }
  bool reaches(int declared) const { return declared == 0 || (measurable(declared) && slope >= declared - 0.25); }
  bool falls_short(int declared) const { return declared > 0 && measurable(declared) && slope < declared - 0.25; }
};
Fit fit(const std::vector<int>& steps, const std::vector<double>& errors, const std::vector<double>& floors);

struct OrderOptions {
  Number until = 0;                         // 0: forty of the model's own steps
  std::vector<int> steps{20, 40, 80, 160};  // numbers of steps, three or more, ascending
  std::string precision = {};               // empty: long-double up to order 4, quad above
  Control control = {};
};

struct OrderSeries {
  Scheme scheme;
  std::string precision;
  Order declared;                      // on this system: with or without constraints
  std::vector<Errors> errors, floors;  // per number of steps
  std::vector<Remedies> remedies;
  Fit q, p, lambda;
  bool holds() const { return q.reaches(declared.q) && p.reaches(declared.p) && lambda.reaches(declared.lambda); }
  bool falls_short() const {
    return q.falls_short(declared.q) || p.falls_short(declared.p) || lambda.falls_short(declared.lambda);
  }
};

struct OrderStudy {
  std::string model, reference;
  Number until;
  bool constrained = false;
  std::vector<int> steps;
  std::vector<OrderSeries> series;
  bool holds() const;  // no order falls short; orders that are not measurable at these steps do not
};
OrderStudy orders(const Model& model, const std::vector<Scheme>& schemes, const OrderOptions& options = {});

// Error against time --------------------------------------------------------------------------------------------------

struct WorkOptions {
  Number until = 0;                         // 0: forty of the model's own steps
  std::vector<int> steps{20, 40, 80, 160};  // numbers of steps, ascending
  std::string precision = "double";
  int repetitions = 5;  // the least CPU time counts; all runs take turns
  Baselines baselines = {};
  Control control = {};
};

struct WorkPoint {
  int steps = 0;
  double error = 0, energy_error = 0;  // of q; the largest |H - H0| / |H0|
  Remedies remedies = {};
  double seconds = 0;         // CPU time of the steps alone
  long long iterations = 0;   // of Newton's method
  long long evaluations = 0;  // of the Lagrangian: iterations times points of its rule
};

struct WorkSeries {
  Scheme scheme;
  std::vector<WorkPoint> points;
  // By interpolation between the logarithms; NaN if no two points enclose the error.
  double seconds_for(double error) const;
  bool below_at_coarsest(double error) const { return !points.empty() && points.front().error <= error; }
};

// Of a baseline, whose steps are what its tolerance makes them. Its error is at the same nodes, at which it is told to
// arrive (or which it interpolates, as its users would).
struct BaselinePoint {
  double tolerance = 0;
  long long steps = 0, evaluations = 0;  // of the equations of motion
  double error = 0, energy_error = 0;    // of q; the largest |H - H0| / |H0| at the ends of steps
  double seconds = 0;
  std::string failure = {};  // why there is no more than the tolerance
};
struct BaselineSeries {
  std::string baseline;
  std::vector<BaselinePoint> points;  // by falling tolerance
  double seconds_for(double error) const;
  bool below_at_coarsest(double error) const { return !points.empty() && points.front().error <= error; }
};

struct WorkStudy {
  std::string model, reference, precision;
  Number until;
  std::vector<WorkSeries> series;
  std::vector<BaselineSeries> baselines = {};
};
WorkStudy work_precision(const Model& model, const std::vector<Scheme>& schemes, const WorkOptions& options = {});

// "LLG and LGG have higher precision while taking less computational time" than constrained Lobatto IIIA-IIIB with the
// same number m of points [Man2020, section 4.2]. Ratios are theirs over that of IIIA-IIIB, geometric means over steps.
struct ManClaim {
  std::string model;
  std::string letters;
  int m = 0;
  double error = 0, energy_error = 0;  // at the same step
  double seconds = 0;                  // at the same step
  double seconds_at_error = 0;         // at the same error of q
  bool more_precise() const { return error < 1 && energy_error < 1; }
  bool faster() const { return seconds < 1; }
};
// Also the studies behind it: per model and m, lobatto(m), man(LLL, m), man(LLG, m), man(LGG, m).
struct ManWork {
  std::vector<WorkStudy> studies;
  std::vector<ManClaim> claims;
};
ManWork man_work(const std::vector<int>& m, int repetitions, const Control& control = {});

// Long runs -----------------------------------------------------------------------------------------------------------

// A sum of columns of the run that should not change.
struct Watch {
  std::string name;
  std::vector<std::string> columns;
  bool relative = false;  // changes are divided by the size of the initial value
};

struct Window {
  double from = 0, to = 0;
  double largest = 0, mean = 0;  // |change|, change
};

struct Watched {
  Watch watch;
  double initial = 0, largest = 0;
  Drift drift;  // of the change
  std::vector<Window> windows;
  std::vector<double> t, change;  // row by row, in the first window, of 2000 rows at the most
};

struct LongTimeOptions {
  std::vector<Watch> watches = {};  // empty: the energy, relative, and all momenta
  int windows = 20;
  std::string precision = "double";
  Control control = {};
};

struct LongTime {
  std::string model, scheme, precision;
  Number step, until;
  long long steps = 0;
  double seconds = 0;
  double constraint_max = 0, hidden_max = 0;
  Remedies remedies;
  std::vector<Watched> watched;
};
LongTime long_time(const Model& model, const Scheme& scheme, const Number& step, const Number& until,
                   const LongTimeOptions& options = {});

// The area of a set of starts -----------------------------------------------------------------------------------------

// A rectangle of starts in the plane of two of their numbers, x, v:x or p:x; all others are the model's.
struct StartBox {
  struct Side {
    std::string name;
    Number from, to;
  };
  Side first, second;
};

struct AreaOptions {
  int looks = 4;  // at so many times after the start, equally spaced
  Control control = {};
};

// The boundary of the set at a time, by both numbers, and what it encloses: the sum over all coordinates of the
// oriented areas in (q, p), by Stokes' theorem the integral of p . dq along the boundary [LewMata2016, section 2.5.2].
struct AreaLook {
  double t = 0, area = 0;
  double floor = 0;  // error of that integral: what twice as many points change of it
  std::vector<double> x, y;
};

// What may be said of an area. Not resolved: the boundary is folded more than its polynomials can follow, as by steps
// that are too long. Forced: forces do work, so that areas change in the motion itself.
enum class AreaVerdict { keeps, changes, not_resolved, forced };

struct AreaSeries {
  Scheme scheme;
  StartBox box;
  bool declared = false, forced = false;  // symplectic, on this system; some force acts in it
  double size = 0;                        // of the area at the start; if there is none, of the integral of |p| |dq|
  std::vector<AreaLook> looks;            // the first is the start
  double change() const;                  // the largest, relative to the size
  double floor() const;                   // of the changes, relative too
  AreaVerdict verdict() const;
  std::string told() const;  // the verdict in words
  bool keeps() const { return verdict() == AreaVerdict::keeps; }
  bool holds() const { return verdict() != AreaVerdict::changes || !declared; }
};

struct AreaStudy {
  std::string model;
  Number step, until;
  std::vector<AreaSeries> series;  // scheme by scheme, box by box
  bool holds() const;
};
// Steps are those of the model's span.
AreaStudy area(const Model& model, const std::vector<Scheme>& schemes, const std::vector<StartBox>& boxes,
               const AreaOptions& options = {});

// Schemes side by side ------------------------------------------------------------------------------------------------

struct Contestant {
  Scheme scheme;
  Status status = Status::failed;
  std::string reason;
  long long steps = 0;
  double seconds = 0;
  double energy_error = 0;  // largest |H - H0|
  Drift drift;
  double constraint_max = 0, hidden_max = 0;
  double momentum_error = 0;  // the largest over all symmetries
  double newton_mean = 0;
  int newton_max = 0;
  Remedies remedies = {};
  double difference = 0;  // of the final positions from those of the reference, the largest
};

// A baseline at one tolerance. It is not variational: its energy error is what tells it from those that are.
struct BaselineRow {
  std::string baseline;
  double tolerance = 0;
  Status status = Status::failed;
  std::string reason = {};
  long long steps = 0, evaluations = 0;  // of the equations of motion
  double seconds = 0;
  double energy_error = 0;  // largest |H - H0| at the ends of its steps
  Drift drift = {};
  double constraint_max = 0, hidden_max = 0;
  double difference = 0;
};

struct Comparison {
  std::string model, precision, reference;
  Number step, until;
  bool constrained = false, symmetric = false;
  std::vector<Contestant> rows;
  std::vector<BaselineRow> baselines = {};
};
// The reference is the scheme of the highest order among them with a quarter of the step. A run that fails is a row.
Comparison compare(const Model& model, const std::vector<Scheme>& schemes, const std::string& precision = "double",
                   const Control& control = {}, const Baselines& baselines = {});

}  // namespace extremal::study
