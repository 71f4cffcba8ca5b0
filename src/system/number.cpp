// Number: the text of a constant and its only reader.
//
//   sum     := product (('+' | '-') product)*
//   product := signed (('*' | '/') signed)*
//   signed  := ('+' | '-')* power
//   power   := atom ['^' signed]                 right to left, and -2^2 is -(2^2), as in print
//   atom    := decimal | 'pi' | function '(' sum ')' | '(' sum ')'
//
// A plain decimal is rounded once, by the reader of the scalar that asks. Everything else is evaluated in quad
// and rounded from there.
#include "extremal/number.hpp"

#include <cctype>

#include "extremal/error.hpp"

namespace extremal {
namespace {

constexpr int depth_limit = 100;
constexpr std::size_t quote_limit = 80;

// What a message may quote of the user's text: one line of bounded length.
std::string quoted(std::string_view text) {
  std::string line;
  for (char c : text.substr(0, quote_limit)) line += std::iscntrl(static_cast<unsigned char>(c)) ? '?' : c;
  return "\"" + line + (text.size() > quote_limit ? "..." : "") + "\"";
}

class Expression {
 public:
  explicit Expression(std::string_view text) : text_(text) {}

  quad value() {
    quad x = sum(0);
    if (peek()) refuse("an operator or the end");
    return x;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void refuse(const std::string& expected) const {
    std::string found = at_ < text_.size() ? quoted(text_.substr(at_, 1)) : "the end";
    throw InputError("number " + quoted(text_) + ": at position " + std::to_string(at_ + 1) + ": found " + found +
                     "; expected " + expected + "; e.g. sqrt(2)/2");
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  quad sum(int depth) {
    quad x = product(depth);
    for (;;) {
      if (take('+'))
        x += product(depth);
      else if (take('-'))
        x -= product(depth);
      else
        return x;
    }
  }

  quad product(int depth) {
    quad x = signed_power(depth);
    for (;;) {
      if (take('*'))
        x *= signed_power(depth);
      else if (take('/'))
        x /= signed_power(depth);
      else
        return x;
    }
  }

  quad signed_power(int depth) {
    bool negative = false;
    for (;;) {
      if (take('-'))
        negative = !negative;
      else if (!take('+'))
        break;
    }
    quad x = power(depth);
    return negative ? -x : x;
  }

  quad power(int depth) {
    if (depth >= depth_limit) refuse("at most " + std::to_string(depth_limit) + " levels of nesting");
    quad x = atom(depth);
    return take('^') ? math::pow(x, signed_power(depth + 1)) : x;
  }

  quad atom(int depth) {
    char c = peek();
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return decimal();
    if (std::isalpha(static_cast<unsigned char>(c))) return named(depth);
    if (!take('(')) refuse("a number, pi, a function or \"(\"");
    quad x = sum(depth + 1);
    if (!take(')')) refuse("\")\"");
    return x;
  }

  quad decimal() {
    std::size_t start = at_;
    auto digits = [&] {
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') ++at_;
    digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      digits();
    }
    quad x;
    if (!from_text(text_.substr(start, at_ - start), x)) {
      at_ = start;
      refuse("a finite decimal number");
    }
    return x;
  }

  quad named(int depth) {
    std::size_t start = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    std::string_view name = text_.substr(start, at_ - start);
    if (name == "pi") return 4 * math::atan(quad(1));

    quad (*function)(quad) = nullptr;
    if (name == "sqrt") function = math::sqrt;
    if (name == "sin") function = math::sin;
    if (name == "cos") function = math::cos;
    if (name == "tan") function = math::tan;
    if (name == "exp") function = math::exp;
    if (name == "log") function = math::log;
    if (name == "abs") function = math::abs<quad>;
    if (!function) {
      at_ = start;
      refuse("pi, sqrt, sin, cos, tan, exp, log or abs");
    }
    if (!take('(')) refuse("\"(\" after " + std::string(name));
    quad x = sum(depth + 1);
    if (!take(')')) refuse("\")\"");
    return function(x);
  }
};

// Every Number must be one at every scalar, so the range is that of double.
void validate(const std::string& text) {
  quad x;
  if (!from_text(text, x)) x = Expression(text).value();
  if (!math::finite(x) || !math::finite(static_cast<double>(x)))
    throw InputError("number " + quoted(text) + ": found " + to_text(x) +
                     "; expected a finite number below 1.8e308 in size");
}

}  // namespace

Number::Number(int value) : text_(std::to_string(value)) {}

Number::Number(double value) : text_(to_text(value)) {
  if (!math::finite(value)) throw InputError("number: found " + text_ + "; expected a finite number");
}

Number::Number(const char* text) : Number(std::string(text ? text : "")) {}

Number::Number(std::string text) : text_(std::move(text)) { validate(text_); }

template <class S>
S Number::as() const {
  S x;
  if (from_text(text_, x)) return x;
  return static_cast<S>(Expression(text_).value());
}

template double Number::as<double>() const;
template long double Number::as<long double>() const;
template quad Number::as<quad>() const;

}  // namespace extremal
