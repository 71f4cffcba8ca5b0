// TimeFunction: a number that depends on time, exact at every scalar.
//
//   TimeFunction constant = "9.81";
//   TimeFunction torque = [](auto t) { return 3.0 * cos(2.0 * t); };   // generic: called with every scalar
//
// The function is written once; its rates come by automatic differentiation.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include "extremal/detail/degree.hpp"
#include "extremal/detail/jet.hpp"
#include "extremal/number.hpp"

namespace extremal {

// f as a formula of t, found by following it; empty if it branches.
std::string formula_of_time(const void* self, Degree (*f)(const void* self, const Degree& t));

class TimeFunction {
 public:
  TimeFunction() : TimeFunction(Number(0)) {}
  template <class T>
    requires std::convertible_to<T, Number>
  TimeFunction(const T& constant)
      : function_(std::make_shared<Of<Constant>>(Constant{std::make_shared<const Values>(Number(constant))})),
        constant_(true) {}
  template <class F>
    requires(!std::convertible_to<F, Number> && std::invocable<const F&, const Jet<double, 1, 2>&>)
  TimeFunction(F f) : function_(std::make_shared<Of<F>>(std::move(f))) {}

  // One that jumps, or has kinks, at times where steps end: these see the values of their own side. Formulas find out
  // by themselves.
  template <class F>
  static TimeFunction with_jumps(F f) {
    TimeFunction out(std::move(f));
    out.jumps_ = true;
    return out;
  }

  bool constant() const { return constant_; }
  // As model files have it; empty if there is no formula, as of a function that branches.
  std::string formula() const { return function_->formula(); }
  bool jumps() const { return jumps_; }
  // f, f' and f''
  template <class S>
  std::array<S, 3> at(S t) const {
    std::array<S, 3> out;
    function_->at(t, out);
    return out;
  }

 private:
  struct Function {
    virtual ~Function() = default;
    virtual void at(double t, std::array<double, 3>& out) const = 0;
    virtual void at(long double t, std::array<long double, 3>& out) const = 0;
    virtual void at(quad t, std::array<quad, 3>& out) const = 0;
    virtual std::string formula() const = 0;
  };
  struct Values {
    double as_double;
    long double as_long;
    quad as_quad;
    explicit Values(const Number& x) : as_double(x.as<double>()), as_long(x.as<long double>()), as_quad(x.as<quad>()) {}
    double get(double) const { return as_double; }
    long double get(long double) const { return as_long; }
    quad get(quad) const { return as_quad; }
  };
  struct Constant {
    std::shared_ptr<const Values> values;
    template <class S>
    Jet<S, 1, 2> operator()(const Jet<S, 1, 2>& t) const {
      return Jet<S, 1, 2>(values->get(t.a));
    }
    std::string formula() const { return to_text(values->as_quad); }
  };
  template <class F>
  struct Of final : Function {
    F f;
    explicit Of(F function) : f(std::move(function)) {}
    template <class S>
    void evaluate(S t, std::array<S, 3>& out) const {
      using T = Jet<S, 1, 2>;
      const T x = T(f(T::variable(t, 0)));
      out = {x.a, x.g[0], x.h[0]};
    }
    std::string formula() const override {
      if constexpr (requires { f.formula(); })
        return f.formula();
      else if constexpr (std::is_invocable_v<const F&, const Degree&>)
        return formula_of_time(
            this, [](const void* self, const Degree& t) { return Degree(static_cast<const Of*>(self)->f(t)); });
      else
        return {};
    }
    void at(double t, std::array<double, 3>& out) const override { evaluate(t, out); }
    void at(long double t, std::array<long double, 3>& out) const override { evaluate(t, out); }
    void at(quad t, std::array<quad, 3>& out) const override { evaluate(t, out); }
  };

  std::shared_ptr<const Function> function_;
  bool constant_ = false, jumps_ = false;
};

}  // namespace extremal
