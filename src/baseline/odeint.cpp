// odeint(rkf78), odeint(dopri5), odeint(bulirsch_stoer): steppers of Boost.odeint with steps by local error, on the
// equations of index 1.
#include <algorithm>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/generation/generation_controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation/generation_runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/generation/generation_runge_kutta_fehlberg78.hpp>
#include <boost/numeric/odeint/stepper/generation/make_controlled.hpp>
#include <cmath>

#include "baseline/equations.hpp"
#include "baseline/makers.hpp"
#include "extremal/control.hpp"

namespace extremal {
namespace {

namespace odeint = boost::numeric::odeint;
using Unknowns = std::vector<double>;  // q, v

struct Rates {
  Equations* equations;
  void operator()(const Unknowns& y, Unknowns& rate, double t) const {
    const int n = equations->n();
    std::copy_n(y.begin() + n, n, rate.begin());
    if (!equations->accelerate(t, y.data(), y.data() + n, rate.data() + n))
      throw BaselineFailed("no acceleration: the configuration is singular, or a number is not finite");
  }
};

double norm(const Unknowns& x) {
  double sum = 0;
  for (const double one : x) sum += one * one;
  return std::sqrt(sum);
}

template <class Stepper>
class OdeintMotion : public BaselineMotion {
 public:
  using Make = Stepper (*)(double tolerance);
  OdeintMotion(std::unique_ptr<Equations> equations, Make make, double tolerance)
      : equations_(std::move(equations)), make_(make), tolerance_(tolerance) {}

  BaselineCost go(const std::vector<double>& times, const Told& at_times, const Told& at_steps,
                  const std::atomic<bool>* stop) override {
    const int n = equations_->n();
    const Rates rates{equations_.get()};
    const long long before = equations_->evaluations();
    Unknowns y = equations_->q();
    y.insert(y.end(), equations_->v().begin(), equations_->v().end());
    double t = equations_->t();
    Stepper stepper = make_(tolerance_);
    const double way = times.back() - t;
    double h = first_step(rates, y, t, way);
    BaselineCost cost;
    if (at_steps) at_steps(t, y.data(), y.data() + n);
    for (const double end : times) {
      while (t != end) {
        // A step to the end of less than the proposed length says nothing against that length.
        const bool last = std::fabs(end - t) <= std::fabs(h);
        const double proposed = h;
        if (last) h = end - t;
        double reached = t;
        const bool accepted = stepper.try_step(rates, y, reached, h) == odeint::success;
        if (accepted) {
          t = last ? end : reached;
          if (last && std::fabs(h) < std::fabs(proposed)) h = proposed;
          ++cost.steps;
          if (at_steps) at_steps(t, y.data(), y.data() + n);
        }
        refuse_to_crawl(std::fabs(h), std::fabs(way), cost.steps);
        if (stop != nullptr && *stop) throw Interrupted();
      }
      at_times(t, y.data(), y.data() + n);
    }
    cost.evaluations = equations_->evaluations() - before;
    return cost;
  }

 private:
  // So short that any stepper accepts it, or shortens it soon: steps grow by up to five times each.
  static double first_step(const Rates& rates, const Unknowns& y, double t, double way) {
    Unknowns rate(y.size());
    rates(y, rate, t);
    const double fast = norm(rate), size = norm(y);
    const double h = fast > 0 && size > 0 ? 0.01 * size / fast : 1e-3 * std::fabs(way);
    return std::copysign(std::min(h, std::fabs(way)), way);
  }

  std::unique_ptr<Equations> equations_;
  Make make_;
  double tolerance_;
};

template <class Plain>
auto controlled(double tolerance) {
  return odeint::make_controlled(tolerance, tolerance, Plain());
}

class Odeint : public Baseline {
 public:
  explicit Odeint(std::string stepper) : stepper_(std::move(stepper)) {}
  std::string name() const override { return "odeint(" + stepper_ + ")"; }
  std::unique_ptr<BaselineMotion> motion(const System& system, const Start& start, double tolerance) const override {
    auto equations = std::make_unique<Equations>(name(), system, start);
    const auto make = [&](auto make_stepper) -> std::unique_ptr<BaselineMotion> {
      return std::make_unique<OdeintMotion<decltype(make_stepper(tolerance))>>(std::move(equations), make_stepper,
                                                                               tolerance);
    };
    if (stepper_ == "rkf78") return make(&controlled<odeint::runge_kutta_fehlberg78<Unknowns>>);
    if (stepper_ == "dopri5") return make(&controlled<odeint::runge_kutta_dopri5<Unknowns>>);
    return make(+[](double most) { return odeint::bulirsch_stoer<Unknowns>(most, most); });
  }

 private:
  std::string stepper_;
};

}  // namespace

std::shared_ptr<const Baseline> make_odeint(const std::string& stepper) { return std::make_shared<Odeint>(stepper); }

}  // namespace extremal
