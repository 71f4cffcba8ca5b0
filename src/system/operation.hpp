// Operation: what constant expressions and formulas can do with numbers, and the words for it.
//
// The one list of functions that a user can write, and the one definition of what each does at every scalar.
#pragma once

#include <cstdint>
#include <string_view>

#include "extremal/detail/lanes.hpp"

namespace extremal {

enum class Operation : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  abs,
  // Never written, but found in derivatives: 1/x, and the slope of |x|, which is 1 at 0 as for jets.
  inverse,
  sign,
  // Several at once, found in tapes: a b + c, c - a b, and sine and cosine of the same angle.
  multiply_add,
  subtract_product,
  sine_cosine,
};

struct NamedFunction {
  std::string_view name;
  Operation operation;
  int arguments;
};
inline constexpr NamedFunction named_functions[] = {
    {"sqrt", Operation::sqrt, 1}, {"sin", Operation::sin, 1},     {"cos", Operation::cos, 1},
    {"tan", Operation::tan, 1},   {"asin", Operation::asin, 1},   {"acos", Operation::acos, 1},
    {"atan", Operation::atan, 1}, {"atan2", Operation::atan2, 2}, {"sinh", Operation::sinh, 1},
    {"cosh", Operation::cosh, 1}, {"tanh", Operation::tanh, 1},   {"exp", Operation::exp, 1},
    {"log", Operation::log, 1},   {"ln", Operation::log, 1},      {"abs", Operation::abs, 1},
    {"pow", Operation::power, 2}};

constexpr const NamedFunction* named_function(std::string_view name) {
  for (const NamedFunction& f : named_functions)
    if (f.name == name) return &f;
  return nullptr;
}

// b is for those with two operands.
template <class S>
S apply(Operation operation, const S& a, const S& b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::negate:
      return -a;
    case Operation::power:
      return math::pow(a, b);
    case Operation::sqrt:
      return math::sqrt(a);
    case Operation::sin:
      return math::sin(a);
    case Operation::cos:
      return math::cos(a);
    case Operation::tan:
      return math::tan(a);
    case Operation::asin:
      return math::asin(a);
    case Operation::acos:
      return math::acos(a);
    case Operation::atan:
      return math::atan(a);
    case Operation::atan2:
      return math::atan2(a, b);
    case Operation::sinh:
      return math::sinh(a);
    case Operation::cosh:
      return math::cosh(a);
    case Operation::tanh:
      return math::tanh(a);
    case Operation::exp:
      return math::exp(a);
    case Operation::log:
      return math::log(a);
    case Operation::abs:
      return math::abs(a);
    case Operation::inverse:
      return S(1) / a;
    case Operation::sign:
      return select(less(a, S(0)), S(-1), S(1));
    case Operation::multiply_add:
    case Operation::subtract_product:
    case Operation::sine_cosine:
      break;  // of three operands or with two results
  }
  return a;
}

}  // namespace extremal
