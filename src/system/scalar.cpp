// Decimal text of the scalars, independent of the locale: a comma as decimal point must never reach an archive.
//
// double and long double have std::to_chars and std::from_chars. For quad, libquadmath's conversions are
// correctly rounded but read and write the locale's decimal point, so they are only ever given and asked for
// digits and an exponent: 12.345e-6 is read as 12345e-9.
#include "extremal/scalar.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

extern "C" {
__float128 strtoflt128(const char*, char**);
int quadmath_snprintf(char*, std::size_t, const char*, ...);
}

namespace extremal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// sign, digits without the point and without leading zeros, and the power of ten of the last digit.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

// Exponents beyond this are zero or infinite at every scalar; clipping keeps the arithmetic on them safe.
constexpr long exponent_limit = 1000000;

bool read_decimal(std::string_view text, Decimal& decimal) {
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) decimal.negative = text[i++] == '-';
  bool any = false, point = false;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      point = true;
      continue;
    }
    any = true;
    if (point) --decimal.exponent;
    if (!decimal.digits.empty() || text[i] != '0') decimal.digits += text[i];
  }
  if (!any) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool negative = false;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) negative = text[i++] == '-';
    if (i == text.size()) return false;
    long exponent = 0;
    for (; i < text.size() && is_digit(text[i]); ++i)
      exponent = std::min(10 * exponent + (text[i] - '0'), exponent_limit);
    decimal.exponent += negative ? -exponent : exponent;
  }
  if (decimal.digits.empty()) {
    decimal.digits = "0";
    decimal.exponent = 0;
  }
  return i == text.size();
}

quad read_quad(const Decimal& decimal) {
  std::string text = (decimal.negative ? "-" : "") + decimal.digits + "e" + std::to_string(decimal.exponent);
  return strtoflt128(text.c_str(), nullptr);
}

template <class S>
std::string shortest(S x) {
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, x);
  return error == std::errc() ? std::string(buffer, end) : std::string();
}

template <class S>
bool read_native(std::string_view text, S& x) {
  Decimal decimal;
  if (!read_decimal(text, decimal)) return false;
  if (text.front() == '+') text.remove_prefix(1);
  S value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // Underflow is a number, overflow is not; from_chars does not say which it met.
    quad wide = read_quad(decimal);
    if (!math::finite(wide) || math::abs(wide) > quad(1)) return false;
    value = static_cast<S>(wide);
  } else if (error != std::errc() || end != text.data() + text.size()) {
    return false;
  }
  x = value;
  return true;
}

}  // namespace

std::string to_text(double x) { return shortest(x); }
std::string to_text(long double x) { return shortest(x); }

std::string to_text(quad x) {
  if (!math::finite(x)) return x != x ? "nan" : x > 0 ? "inf" : "-inf";
  if (x == 0) return shortest(static_cast<double>(x));  // keeps the sign of zero
  for (int precision = 32;; ++precision) {              // 33 to 36 significant digits; 36 always suffice
    char buffer[64];
    quadmath_snprintf(buffer, sizeof buffer, "%.*Qe", precision, x);
    std::string_view printed = buffer;
    auto e = printed.find('e');
    std::string digits;
    for (char c : printed.substr(0, e))
      if (is_digit(c)) digits += c;
    int exponent = std::stoi(std::string(printed.substr(e + 1)));
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();

    std::string text = x < 0 ? "-" : "";
    int count = static_cast<int>(digits.size());
    if (exponent >= -5 && exponent < 0) {
      text += "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    } else if (exponent >= 0 && exponent < 21) {
      if (count <= exponent) digits.append(static_cast<std::size_t>(exponent + 1 - count), '0');
      text += digits.substr(0, static_cast<std::size_t>(exponent) + 1);
      if (count > exponent + 1) text += "." + digits.substr(static_cast<std::size_t>(exponent) + 1);
    } else {
      text += digits.substr(0, 1);
      if (count > 1) text += "." + digits.substr(1);
      text += "e" + std::to_string(exponent);
    }
    quad back;
    if (precision == 35 || (from_text(text, back) && back == x)) return text;
  }
}

bool from_text(std::string_view text, double& x) { return read_native(text, x); }
bool from_text(std::string_view text, long double& x) { return read_native(text, x); }

bool from_text(std::string_view text, quad& x) {
  Decimal decimal;
  if (!read_decimal(text, decimal)) return false;
  quad value = read_quad(decimal);
  if (!math::finite(value)) return false;
  x = value;
  return true;
}

}  // namespace extremal
