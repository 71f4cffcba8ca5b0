// Number: a constant that is exact at every scalar.
//
//   Number g = "9.81";            // the decimal number 9.81, rounded once to whatever scalar asks
//   Number h = 0.05;              // a double means its shortest decimal text: 0.05, not 0.05000000000000000277
//   Number x = "sqrt(2)/2";       // a constant expression: + - * / ^ ( ) pi and functions, as in formulas
//   quad half_root = x.as<quad>();
//
// A double literal would silently spoil a run in quad precision; a Number cannot.
#pragma once

#include <string>
#include <string_view>

#include "extremal/scalar.hpp"

namespace extremal {

class Number {
 public:
  Number() : text_("0") {}
  Number(int value);
  Number(double value);
  Number(const char* text);
  Number(std::string text);
  // The digits of a computed value, all of them.
  template <class S>
  static Number exactly(S value) {
    return Number(to_text(value));
  }

  template <class S>
  S as() const;  // double, long double or quad

  const std::string& text() const { return text_; }
  friend bool operator==(const Number&, const Number&) = default;

 private:
  std::string text_;  // valid: the constructors evaluate it once and throw InputError if it is not a number
};

}  // namespace extremal
