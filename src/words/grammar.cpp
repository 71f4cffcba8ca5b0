#include "words/grammar.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>

namespace extremal {
namespace {

constexpr std::size_t quote_limit = 160;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_word(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '.'; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Levenshtein's distance, blind to case.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t change = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

Argument argument(std::string_view text, const std::string& call) {
  Argument result;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size() && result.key.empty() && result.coefficient.empty(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth > 0 || (text[i] != '=' && text[i] != ':')) continue;
    (text[i] == '=' ? result.key : result.coefficient) = text.substr(0, i);
    start = i + 1;
    if (i == 0) break;
  }
  result.value = text.substr(start);
  if (result.value.empty() || start == 1)
    refuse(call, "an argument that is empty", "value, key=value or coefficient:value", "galerkin(2, gauss(2), w=1)");
  return result;
}

}  // namespace

std::string without_blanks(std::string_view text) {
  std::string result;
  bool blank = false;
  for (char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      blank = true;
      continue;
    }
    if (blank && !result.empty() && is_word(result.back()) && is_word(c))
      refuse("text", "a blank between " + quoted(std::string(1, result.back())) + " and " + quoted(std::string(1, c)),
             "blanks only beside ( ) , = :", "galerkin(2, gauss(2), w=1)");
    blank = false;
    result += c;
  }
  return result;
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  const auto inside = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  const bool whole = text.size() <= limit;
  while (!whole && limit > 0 && inside(limit)) --limit;  // not within a character of several bytes
  for (char c : text.substr(0, limit)) line += std::iscntrl(static_cast<unsigned char>(c)) ? '?' : c;
  return line + (whole ? "" : "...");
}

std::string quoted(std::string_view text) { return "\"" + one_line(text, quote_limit) + "\""; }

void refuse(const std::string& where, const std::string& found, const std::string& expected,
            const std::string& example) {
  throw Refusal{where + ": found " + found + "; expected " + expected + "; e.g. " + example};
}

std::string unknown(const std::string& what, const std::string& found, const std::vector<std::string>& known) {
  constexpr std::size_t most_listed = 60, longest = 60;
  std::string list;
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string& word = known[i];
    if (i < most_listed) list += (list.empty() ? "" : ", ") + word;
    if (i == most_listed) list += ", ...";
    if (found.size() > longest || word.size() > longest) continue;
    // An abbreviation is nearer than its missing letters suggest.
    std::size_t distance = found.size() >= 3 && word.starts_with(found) ? 1 : edits(found, word);
    if (nearest && distance >= least) continue;
    nearest = &word;
    least = distance;
  }
  std::string hint;
  if (nearest && least <= std::max<std::size_t>(2, found.size() / 3))
    hint = "; did you mean " + quoted(*nearest) + "?";
  else
    hint = ";";
  return "unknown " + what + " " + quoted(found) + hint + " known: " + list;
}

void refuse_unknown(const std::string& what, const std::string& found, const std::vector<std::string>& known) {
  throw Refusal{unknown(what, found, known)};
}

Call::Call(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && (is_letter(text[i]) || (i > 0 && std::isdigit(static_cast<unsigned char>(text[i]))))) ++i;
  if (i == 0) refuse(quoted(text), text.empty() ? "no text" : "no name", "a name", "spark(3)");
  name = text.substr(0, i);
  if (i == text.size()) return;
  if (text[i] != '(') refuse(name, quoted(text.substr(i)) + " after the name", "\"(\" or nothing", "spark(3)");
  if (text.back() != ')') refuse(name, quoted(text.substr(i)), "\")\" at the end", "spark(3)");

  std::string_view inside = text.substr(i + 1, text.size() - i - 2);
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t j = 0; j <= inside.size(); ++j) {
    if (j < inside.size() && inside[j] == '(') ++depth;
    if (j < inside.size() && inside[j] == ')') --depth;
    if (depth < 0 || (j == inside.size() && depth > 0))
      refuse(name, "a parenthesis without its partner", "as many \")\" as \"(\"", "suzuki(4, rattle)");
    if (j < inside.size() && (depth > 0 || inside[j] != ',')) continue;
    arguments.push_back(argument(inside.substr(start, j - start), name));
    start = j + 1;
  }
}

std::vector<std::string> positional(const Call& call, std::size_t count, const Usage& usage) {
  std::vector<std::string> values;
  for (const Argument& a : call.arguments)
    if (a.key.empty() && a.coefficient.empty()) values.push_back(a.value);
  if (values.size() != count)
    refuse(usage.form, std::to_string(values.size()) + (values.size() == 1 ? " argument" : " arguments"),
           std::to_string(count), usage.example);
  return values;
}

int integer(const std::string& text, const std::string& symbol, int least, int most, const Usage& usage) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    refuse(usage.form, symbol + " = " + one_line(text, quote_limit),
           "an integer from " + std::to_string(least) + " to " + std::to_string(most), usage.example);
  return value;
}

}  // namespace extremal
