// with_scalar(name, f): f of a number of the scalar that is called so.
//
//   with_scalar("quad", [&]<class S>(S) { return run_at<S>(model); });
#pragma once

#include <string>
#include <string_view>

#include "extremal/error.hpp"
#include "extremal/scalar.hpp"
#include "words/grammar.hpp"

namespace extremal {

template <class F>
decltype(auto) with_scalar(std::string_view name, F&& f) {
  if (name == Scalar<quad>::name) return f(quad());
  if (name == Scalar<long double>::name) return f(0.0L);
  if (name == Scalar<double>::name) return f(0.0);
  throw InputError(
      unknown("precision", std::string(name), {Scalar<double>::name, Scalar<long double>::name, Scalar<quad>::name}));
}

inline quad epsilon_of(std::string_view precision) {
  return with_scalar(precision, []<class S>(S) { return quad(Scalar<S>::epsilon); });
}

}  // namespace extremal
