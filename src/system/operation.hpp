// Operation: what constant expressions and formulas can do with numbers, and the words for it.
//
// The one list of functions that a user can write, and the one definition of what each does at every scalar.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "extremal/detail/lanes.hpp"
#include "system/table.hpp"

extern "C" __float128 floorq(__float128);

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
  floor,
  modulo,   // a - b floor(a/b), which has the sign of b
  minimum,  // of these three a graph makes others
  maximum,
  signum,  // -1, 0 or 1
  // Conditions are 1 where they hold and 0 where they do not, and what is not a number stays so: a < b; a where the
  // condition holds, otherwise 0; and the reverse. A branch that is not taken may be anything, infinite or no number.
  less,
  when,    // (condition, a)
  unless,  // (condition, a)
  table,   // (x, handle), a function by points (system/table.hpp)
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
    {"sqrt", Operation::sqrt, 1},   {"sin", Operation::sin, 1},     {"cos", Operation::cos, 1},
    {"tan", Operation::tan, 1},     {"asin", Operation::asin, 1},   {"acos", Operation::acos, 1},
    {"atan", Operation::atan, 1},   {"atan2", Operation::atan2, 2}, {"sinh", Operation::sinh, 1},
    {"cosh", Operation::cosh, 1},   {"tanh", Operation::tanh, 1},   {"exp", Operation::exp, 1},
    {"log", Operation::log, 1},     {"ln", Operation::log, 1},      {"abs", Operation::abs, 1},
    {"pow", Operation::power, 2},   {"floor", Operation::floor, 1}, {"mod", Operation::modulo, 2},
    {"min", Operation::minimum, 2}, {"max", Operation::maximum, 2}, {"sign", Operation::signum, 1},
    {"if", Operation::when, 3}};

constexpr const NamedFunction* named_function(std::string_view name) {
  for (const NamedFunction& f : named_functions)
    if (f.name == name) return &f;
  return nullptr;
}

// Words that stand between conditions, or in front of one.
constexpr bool is_condition_word(std::string_view name) { return name == "and" || name == "or" || name == "not"; }

namespace math {
inline double floor(double x) { return std::floor(x); }
inline long double floor(long double x) { return std::floor(x); }
inline quad floor(quad x) { return floorq(x); }
inline Lanes floor(const Lanes& x) {
  Lanes r;
  for (int l = 0; l < Lanes::count; ++l) r[l] = std::floor(x[l]);
  return r;
}
}  // namespace math

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
    case Operation::floor:
      return math::floor(a);
    case Operation::modulo:
      return a - b * math::floor(a / b);
    case Operation::minimum:
      return select(less(a, b), a, b) + S(0) * (a - b);
    case Operation::maximum:
      return select(less(b, a), a, b) + S(0) * (a - b);
    case Operation::signum:
      return select(less(a, S(0)), S(-1), select(less(S(0), a), S(1), a));
    case Operation::less:
      return select(less(a, b), S(1), S(0)) + S(0) * (a - b);
    case Operation::when:
      return select(less(S(0.5), a), b, S(0) * a);
    case Operation::unless:
      return select(less(a, S(0.5)), b, S(0) * a);
    case Operation::table:
      return table_value(a, b);
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
