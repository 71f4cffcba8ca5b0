// The grammar of scheme names: calls that nest, with positional, key=value and coefficient:value arguments.
//
//   call     := name [ '(' argument (',' argument)* ')' ]
//   argument := [ key '=' | coefficient ':' ] value
//
//   Call call("galerkin(3,gauss(3),w=2)");
//   call.name                      // galerkin
//   call.arguments[2]              // key w, value 2
//
// A value is kept as text: whether it is a number, a rule or a scheme is for its reader to say. Blanks are
// free between words and signs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace extremal {

// Why a text is not a scheme: *found; expected; example* in one line. Scheme::named puts the whole text in front.
struct Refusal {
  std::string reason;
};

struct Argument {
  std::string key, coefficient, value;
};

struct Call {
  std::string name;
  std::vector<Argument> arguments;
  explicit Call(std::string_view text);  // of a text without blanks
};

// How a call is written: "spark(s)" and "spark(3)".
struct Usage {
  std::string form, example;
};

std::string without_blanks(std::string_view text);
// What a message may repeat of the user's text: one line of bounded length.
std::string one_line(std::string_view text, std::size_t limit);
std::string quoted(std::string_view text);

[[noreturn]] void refuse(const std::string& where, const std::string& found, const std::string& expected,
                         const std::string& example);
// "unknown <what> <found>; did you mean <the nearest>? known: ...", of bounded length.
std::string unknown(const std::string& what, const std::string& found, const std::vector<std::string>& known);
[[noreturn]] void refuse_unknown(const std::string& what, const std::string& found,
                                 const std::vector<std::string>& known);

// The arguments without a key or coefficient, which must be `count` in number.
std::vector<std::string> positional(const Call& call, std::size_t count, const Usage& usage);
int integer(const std::string& text, const std::string& symbol, int least, int most, const Usage& usage);

}  // namespace extremal
