// Grammar: the one grammar of numbers and formulas.
//
//   either  := both ('or' both)*
//   both    := holds ('and' holds)*
//   holds   := 'not' holds | sum [('<' | '<=' | '>' | '>=' | '==' | '!=') sum]     1 where it does, otherwise 0
//   sum     := product (('+' | '-') product)*
//   product := signed (('*' | '/') signed)*
//   signed  := ('+' | '-')* power
//   power   := atom ['^' signed]                 right to left, and -2^2 is -(2^2), as in print
//   atom    := decimal | 'pi' | function '(' either (',' either)* ')' | table '(' either ')' | name ["'"]
//              | '(' either ')'
//   name    := letter (letter | digit | '_' | '.')* | "'" anything but ' "'"
//
// What an operation does, and what a name means, is the Algebra's: Number computes at once in quad, formulas build
// graphs. It has
//   Value number(quad x, std::size_t at);
//   Value apply(Operation, Value, Value, std::size_t at);           at: where the operator or the function is
//   Value name(std::string_view, bool rate, std::size_t at);        rate: x' stands for the velocity of x
//   [[noreturn]] void refuse(std::size_t at, std::string found, std::string expected);
//   int table(std::string_view);                                    if it knows some: the handle, or -1
// Only parentheses, functions and powers recurse, to depth_limit.
#pragma once

#include <string>
#include <string_view>

#include "system/operation.hpp"

namespace extremal {

namespace lexical {
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '.'; }
}  // namespace lexical

template <class Algebra>
class Grammar {
 public:
  using Value = typename Algebra::Value;
  static constexpr int depth_limit = 200;

  Grammar(std::string_view text, Algebra& algebra) : text_(text), algebra_(algebra) {}

  Value value() {
    const Value x = either(0);
    if (peek()) refuse(std::string("an operator or the end") + about_units(found()));
    return x;
  }

 private:
  // "2 kg" and "90 deg" are what one would write elsewhere.
  static const char* about_units(const std::string& word) {
    if (word == "\"deg\"" || word == "\"degrees\"" || word == "\"\u00b0\"")
      return ": angles are in radians; try 90*pi/180";
    for (const char* unit : {"kg", "g", "m", "cm", "mm", "s", "ms", "N", "Nm", "rad", "Hz", "rpm", "J", "W", "Pa"})
      if (word == "\"" + std::string(unit) + "\"")
        return ": numbers have no units, quantities are in SI or in any consistent units";
    return "";
  }

  // What stands at `at_`, for a message: a word, or one character even if it has several bytes.
  std::string found() const {
    if (at_ >= text_.size()) return "the end";
    std::size_t end = at_ + 1;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text_[i]); };
    if (lexical::is_letter(text_[at_]))
      while (end < text_.size() && end < at_ + 40 && lexical::is_word(text_[end])) ++end;
    else if (byte(at_) >= 0xC2)
      while (end < text_.size() && end < at_ + 4 && byte(end) >= 0x80 && byte(end) < 0xC0) ++end;
    if (byte(at_) < 0x20 || byte(at_) >= 0x7F) {
      const std::size_t size = end - at_;
      const bool whole = size >= 2 && size == (byte(at_) < 0xE0 ? 2u : byte(at_) < 0xF0 ? 3u : 4u);
      if (!whole) return "a byte that is no text";
    }
    return "\"" + std::string(text_.substr(at_, end - at_)) + "\"";
  }
  [[noreturn]] void refuse(const std::string& expected) { algebra_.refuse(at_, found(), expected); }

  // The next character that is not blank, or 0 at the end; a zero byte within the text is not the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) ++at_;
    if (at_ >= text_.size()) return '\0';
    return text_[at_] == '\0' ? '\1' : text_[at_];
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  // Whether the word stands here, and takes it.
  bool take_word(std::string_view word) {
    peek();
    if (text_.substr(at_, word.size()) != word) return false;
    if (at_ + word.size() < text_.size() && lexical::is_word(text_[at_ + word.size()])) return false;
    at_ += word.size();
    return true;
  }

  // a or b is a + b - a b, a and b is a b, not a is 1 - a.
  Value either(int depth) {
    Value x = both(depth);
    for (std::size_t where = at_; take_word("or"); where = at_) {
      const Value y = both(depth), product = algebra_.apply(Operation::multiply, x, y, where);
      x = algebra_.apply(Operation::subtract, algebra_.apply(Operation::add, x, y, where), product, where);
    }
    return x;
  }

  Value both(int depth) {
    Value x = holds(depth);
    for (std::size_t where = at_; take_word("and"); where = at_)
      x = algebra_.apply(Operation::multiply, x, holds(depth), where);
    return x;
  }

  Value holds(int depth) {
    if (depth >= depth_limit) refuse("at most " + std::to_string(depth_limit) + " levels of nesting");
    const std::size_t start = at_;
    if (take_word("not")) return negation(holds(depth + 1), start);
    const Value x = sum(depth);
    const char c = peek();
    if (c != '<' && c != '>' && c != '=' && c != '!') return x;
    const std::size_t where = at_++;
    const bool equal = at_ < text_.size() && text_[at_] == '=';
    if (equal) ++at_;
    if (!equal && (c == '=' || c == '!')) {
      at_ = where;
      refuse("an operator or the end; to compare: <, <=, >, >=, == or !=");
    }
    const Value y = sum(depth);
    if (const char next = peek(); next == '<' || next == '>' || next == '=')
      refuse("one comparison at a time; try a < b and b < c");
    const auto less = [&](const Value& a, const Value& b) { return algebra_.apply(Operation::less, a, b, where); };
    if (c == '<') return equal ? negation(less(y, x), where) : less(x, y);
    if (c == '>') return equal ? negation(less(x, y), where) : less(y, x);
    const Value differ = algebra_.apply(Operation::add, less(x, y), less(y, x), where);
    return c == '!' ? differ : negation(differ, where);
  }

  Value negation(const Value& x, std::size_t where) {
    return algebra_.apply(Operation::subtract, algebra_.number(1, where), x, where);
  }

  Value sum(int depth) {
    Value x = product(depth);
    for (;;) {
      const char c = peek();
      if (c != '+' && c != '-') return x;
      const std::size_t where = at_++;
      x = algebra_.apply(c == '+' ? Operation::add : Operation::subtract, x, product(depth), where);
    }
  }

  Value product(int depth) {
    Value x = signed_power(depth);
    for (;;) {
      const char c = peek();
      if (c != '*' && c != '/') return x;
      const std::size_t where = at_++;
      x = algebra_.apply(c == '*' ? Operation::multiply : Operation::divide, x, signed_power(depth), where);
    }
  }

  Value signed_power(int depth) {
    bool negative = false;
    for (;;) {
      if (take('-'))
        negative = !negative;
      else if (!take('+'))
        break;
    }
    const std::size_t where = at_;
    const Value x = power(depth);
    return negative ? algebra_.apply(Operation::negate, x, x, where) : x;
  }

  Value power(int depth) {
    if (depth >= depth_limit) refuse("at most " + std::to_string(depth_limit) + " levels of nesting");
    const Value x = atom(depth);
    if (peek() != '^') return x;
    const std::size_t where = at_++;
    return algebra_.apply(Operation::power, x, signed_power(depth + 1), where);
  }

  Value atom(int depth) {
    const char c = peek();
    if (lexical::is_digit(c) || c == '.') return decimal();
    if (lexical::is_letter(c)) return named(depth);
    if (c == '\'') return quoted_name();
    if (!take('(')) refuse(std::string("a number, ") + Algebra::words + ", a function or \"(\"");
    const Value x = either(depth + 1);
    if (!take(')')) refuse("\")\"");
    return x;
  }

  Value decimal() {
    const std::size_t start = at_;
    const auto digits = [&] {
      while (at_ < text_.size() && lexical::is_digit(text_[at_])) ++at_;
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
    return algebra_.number(x, start);
  }

  Value named(int depth) {
    const std::size_t start = at_;
    while (at_ < text_.size() && lexical::is_word(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (const NamedFunction* function = named_function(name)) return call(*function, start, depth);
    if constexpr (requires { algebra_.table(name); })
      if (const int handle = peek() == '(' ? algebra_.table(name) : -1; handle >= 0) {
        take('(');
        const Value x = either(depth + 1);
        if (!take(')')) refuse("\")\": a table has one argument");
        return algebra_.apply(Operation::table, x, algebra_.number(handle, start), start);
      }
    if (name == "pi") return algebra_.number(4 * math::atan(quad(1)), start);
    const bool rate = take('\'');
    return algebra_.name(name, rate, start);
  }

  // 'front leg.x': a name that is none without quotes.
  Value quoted_name() {
    const std::size_t start = at_++, end = text_.find('\'', at_);
    if (end == std::string_view::npos || end == at_) {
      at_ = start;
      refuse(std::string("a number, ") + Algebra::words + ", a function or \"(\"; a name in quotes ends with '");
    }
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = end + 1;
    const bool rate = take('\'');
    return algebra_.name(name, rate, start);
  }

  Value call(const NamedFunction& function, std::size_t start, int depth) {
    if (!take('(')) refuse("\"(\" after " + std::string(function.name));
    Value x = either(depth + 1), y = x, z = x;
    for (int k = 1; k < function.arguments; ++k) {
      if (!take(',')) {
        const char* const count = function.arguments == 2 ? "two" : "three";
        refuse("\",\": " + std::string(function.name) + " has " + count + " arguments");
      }
      (k == 1 ? y : z) = either(depth + 1);
    }
    if (!take(')')) refuse("\")\"");
    if (function.arguments < 3) return algebra_.apply(function.operation, x, y, start);
    return algebra_.apply(Operation::add, algebra_.apply(Operation::when, x, y, start),
                          algebra_.apply(Operation::unless, x, z, start), start);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Algebra& algebra_;
};

}  // namespace extremal
