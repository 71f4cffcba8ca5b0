// Number: the text of a constant and its only reader.
//
// A plain decimal is rounded once, by the reader of the scalar that asks. Everything else is evaluated in quad, once,
// and rounded from there; a computed number has no text until somebody asks for it.
#include "extremal/number.hpp"

#include <cctype>
#include <type_traits>

#include "extremal/error.hpp"
#include "system/grammar.hpp"

namespace extremal {
namespace {

constexpr std::size_t quote_limit = 80;

// What a message may quote of the user's text: one line of bounded length.
std::string quoted(std::string_view text) {
  std::string line;
  for (char c : text.substr(0, quote_limit)) line += std::iscntrl(static_cast<unsigned char>(c)) ? '?' : c;
  return "\"" + line + (text.size() > quote_limit ? "..." : "") + "\"";
}

// Computes as it reads, in quad.
struct Quads {
  using Value = quad;
  static constexpr const char* words = "pi";
  std::string_view text;

  quad number(quad x, std::size_t) const { return x; }
  quad apply(Operation operation, quad x, quad y, std::size_t) const { return extremal::apply(operation, x, y); }
  quad name(std::string_view word, bool, std::size_t at) const {
    std::string expected = "pi";
    for (const NamedFunction& f : named_functions) expected += ", " + std::string(f.name);
    refuse(at, quoted(word), expected);
  }
  [[noreturn]] void refuse(std::size_t at, const std::string& found, const std::string& expected) const {
    throw InputError("number " + quoted(text) + ": at position " + std::to_string(at + 1) + ": found " + found +
                     "; expected " + expected + "; e.g. sqrt(2)/2");
  }
};

quad evaluate(std::string_view text) {
  Quads quads{text};
  return Grammar(text, quads).value();
}

// Every Number must be one at every scalar, so the range is that of double.
bool in_range(quad x) { return math::finite(x) && math::finite(static_cast<double>(x)); }

}  // namespace

Number::Number(double value) : text_(to_text(value)) {
  if (!math::finite(value)) throw InputError("number: found " + text_ + "; expected a finite number");
  from_text(text_, value_);
}

Number::Number(const char* text) : Number(std::string(text ? text : "")) {}

Number::Number(std::string text) : text_(std::move(text)) {
  if (!from_text(text_, value_)) value_ = evaluate(text_);
  if (!in_range(value_))
    throw InputError("number " + quoted(text_) + ": found " + to_text(value_) +
                     "; expected a finite number below 1.8e308 in size");
}

Number Number::exactly(quad value) {
  if (!in_range(value))
    throw InputError("number: found " + to_text(value) + "; expected a finite number below 1.8e308 in size");
  Number computed;
  computed.value_ = value;
  return computed;
}

template <class S>
S Number::as() const {
  if constexpr (!std::is_same_v<S, quad>) {
    S x;
    if (!text_.empty() && from_text(text_, x)) return x;
  }
  return static_cast<S>(value_);
}

template double Number::as<double>() const;
template long double Number::as<long double>() const;
template quad Number::as<quad>() const;

}  // namespace extremal
