// Number: a constant that is exact at every scalar.
//
//   Number g = "9.81";            // the decimal number 9.81, rounded once to whatever scalar asks
//   Number h = 0.05;              // a double means its shortest decimal text: 0.05, not 0.05000000000000000277
//   Number x = "sqrt(2)/2";       // a constant expression: + - * / ^ ( ) pi and functions, as in formulas
//   quad half_root = x.as<quad>();
//
// A double literal would silently spoil a run in quad precision; a Number cannot.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/scalar.hpp"

namespace extremal {

class Number {
 public:
  Number() = default;
  Number(int value) : value_(value) {}
  Number(double value);
  Number(const char* text);
  Number(std::string text);
  // A computed value, with all its digits: that of a quad is kept as it is, others by their shortest text.
  static Number exactly(quad value);
  static Number exactly(long double value) { return Number(to_text(value)); }
  static Number exactly(double value) { return Number(to_text(value)); }

  template <class S>
  S as() const;  // double, long double or quad

  // As it was given, or every digit of a computed value.
  std::string text() const { return text_.empty() ? to_text(value_) : text_; }
  friend bool operator==(const Number& x, const Number& y) { return x.text() == y.text(); }

 private:
  std::string text_;  // valid: the constructors evaluate it once and throw InputError if it is not a number
  quad value_ = 0;
};

// A few numbers: {0, "-9.81"}; a single one needs no braces.
class Numbers {
 public:
  Numbers() = default;
  Numbers(std::initializer_list<Number> list) : list_(list) {}
  Numbers(std::vector<Number> list) : list_(std::move(list)) {}
  template <class T>
    requires std::convertible_to<T, Number>
  Numbers(const T& one) : list_{Number(one)} {}
  const std::vector<Number>& list() const { return list_; }
  bool empty() const { return list_.empty(); }

 private:
  std::vector<Number> list_;
};

}  // namespace extremal
