#include "file/document.hpp"

#include <algorithm>
#include <cmath>

namespace extremal {
namespace {
// Of the TOML reader's own assertions, which texts such as "[:a]" violate: without NDEBUG they would end the program,
// and with it they would be promises to the compiler.
struct AssertionFailed {};
constexpr void require(bool holds) {
  if (!holds) throw AssertionFailed{};
}
}  // namespace
}  // namespace extremal

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_MAX_NESTED_VALUES 16
#define TOML_ASSERT(expression) extremal::require(static_cast<bool>(expression))
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "extremal/scalar.hpp"
#include "scheme/grammar.hpp"

namespace extremal {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }  // a character of several bytes

Place place_of(const toml::source_position& at) {
  return {std::max(1, static_cast<int>(at.line)), std::max(1, static_cast<int>(at.column))};
}

bool before(const Place& a, const Place& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; }

// What the reader should not see: it would nest tables as deep as a key has dots (numbers and dates have few of them),
// and it is not sure of itself with letters beyond ASCII in keys. What is quoted or said in comments is passed over.
struct Oddity {
  std::size_t at = std::string::npos;  // none
  std::string reason = {};
};

Oddity oddity(const std::string& text, int limit) {
  int dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (c == '"' || c == '\'') {
      const bool block = text.compare(i, 3, std::string(3, c)) == 0;
      const std::string end(block ? 3 : 1, c);
      for (i += end.size(); i < text.size() && text.compare(i, end.size(), end) != 0; ++i) {
        if (!block && text[i] == '\n') break;
        if (c == '"' && text[i] == '\\') ++i;
      }
      if (i < text.size() && text[i] == c) i += end.size() - 1;
      if (i < text.size() && text[i] == '\n') dots = 0;
    } else if (c == '.') {
      if (++dots > limit)
        return {i, "found a key of more than " + std::to_string(limit) +
                       " parts; expected fewer: no table of a model is so deep"};
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return {i, "found a letter beyond ASCII outside of quotes; expected quotes around it"};
    } else if (c == '=' || c == ',' || c == '\n' || c == '[' || c == ']' || c == '{' || c == '}') {
      dots = 0;
    }
  }
  return {};
}

// The first line that begins like the name of a table and does not go on like one, from 1; 1 if there is none.
int odd_header(const std::string& text) {
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto blanks = [&] {
      while (at < end && (text[at] == ' ' || text[at] == '\t')) ++at;
    };
    blanks();
    if (at < end && text[at] == '[') {
      if (++at < end && text[at] == '[') ++at;
      blanks();
      const char c = at < end ? text[at] : '\n';
      const bool key = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                       c == '-' || c == '"' || c == '\'';
      if (!key) return line;
    }
    at = end + 1;
  }
  return 1;
}

}  // namespace

std::string Document::Value::words() const {
  switch (kind) {
    case Kind::text:
      return quoted(text);
    case Kind::number:
      return "the number " + one_line(text, 60);
    case Kind::flag:
      return flag ? "true" : "false";
    case Kind::list:
      return "a list of " + std::to_string(items.size());
    case Kind::table:
      return "a table";
    case Kind::other:
      break;
  }
  return "a date or time";
}

void Document::refuse(Place place, const std::string& reason) const {
  throw ModelError(name_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + reason);
}

std::size_t Document::offset(Place place) const {
  if (place.line < 1 || static_cast<std::size_t>(place.line) > lines_.size()) return text_.size();
  std::size_t at = lines_[static_cast<std::size_t>(place.line - 1)];
  for (int column = 1; column < place.column && at < text_.size(); ++column) {
    ++at;
    while (at < text_.size() && continues(text_[at])) ++at;
  }
  return at;
}

Place Document::within(const Value& value, std::size_t index) const {
  std::size_t at = offset(value.place);
  if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return value.place;
  const char quote = text_[at];
  const bool block = text_.compare(at, 3, std::string(3, quote)) == 0, escapes = quote == '"';
  Place place = value.place;
  const auto advance = [&] {
    if (text_[at] == '\n')
      place = {place.line + 1, 1};
    else if (!continues(text_[at]))
      ++place.column;
    ++at;
  };
  for (int k = block ? 3 : 1; k > 0; --k) advance();
  // A line break right after three quotes is not part of the text.
  while (block && at < text_.size() && text_[at] == '\r') advance();
  if (block && at < text_.size() && text_[at] == '\n') advance();
  for (std::size_t done = 0; done < index && at < text_.size();) {
    if (!escapes || text_[at] != '\\' || at + 1 >= text_.size()) {
      ++done;
      advance();
      continue;
    }
    advance();
    const char kind = text_[at];
    if (kind == 'u' || kind == 'U') {
      const std::size_t digits = kind == 'u' ? 4 : 8;
      const unsigned long code = std::strtoul(text_.substr(at + 1, digits).c_str(), nullptr, 16);
      done += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      for (std::size_t k = 0; k <= digits && at < text_.size(); ++k) advance();
    } else if (kind == '\n' || kind == ' ' || kind == '\t' || kind == '\r') {
      while (at < text_.size() && (text_[at] == '\n' || text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\r'))
        advance();
    } else {
      ++done;
      advance();
    }
  }
  return place;
}

struct Document::Builder {
  const Document& document;

  // What the file says, if it is that number; a double's shortest text otherwise (hexadecimal integers).
  std::string digits(Place place, double value) const {
    std::string text;
    for (std::size_t i = document.offset(place); i < document.text_.size() && text.size() < 1000; ++i) {
      const char c = document.text_[i];
      const bool part = (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-' || c == '_';
      if (!part) break;
      if (c != '_' && !(text.empty() && c == '+')) text += c;
    }
    double x = 0;
    return from_text(text, x) && x == value ? text : to_text(value);
  }

  Value build(const toml::node& node, Place place) const {
    Value value{.place = place};
    if (const auto* text = node.as_string()) {
      value.kind = Value::Kind::text;
      value.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
      value.kind = Value::Kind::number;
      value.text = digits(place, static_cast<double>(integer->get()));
    } else if (const auto* number = node.as_floating_point()) {
      value.kind = Value::Kind::number;
      if (!std::isfinite(number->get()))
        document.refuse(place, std::string("found ") + (std::isnan(number->get()) ? "nan" : "an infinite number") +
                                   "; expected a finite number below 1.8e308 in size");
      value.text = digits(place, number->get());
    } else if (const auto* flag = node.as_boolean()) {
      value.kind = Value::Kind::flag;
      value.flag = flag->get();
    } else if (const auto* list = node.as_array()) {
      value.kind = Value::Kind::list;
      for (const toml::node& item : *list) value.items.push_back(build(item, place_of(item.source().begin)));
    } else if (const auto* table = node.as_table()) {
      value.kind = Value::Kind::table;
      for (const auto& [key, item] : *table)
        value.entries.push_back(
            {std::string(key.str()), place_of(key.source().begin), build(item, place_of(item.source().begin))});
      std::stable_sort(value.entries.begin(), value.entries.end(),
                       [](const Entry& a, const Entry& b) { return before(a.place, b.place); });
    }
    return value;
  }
};

Document::Document(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {
  if (text_.size() > size_limit)
    refuse({}, "found a file of " + std::to_string(text_.size()) + " bytes; expected at most " +
                   std::to_string(size_limit) + "; try repeat for parts that are alike");
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
  lines_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
  if (const Oddity odd = oddity(text_, nesting_limit); odd.at != std::string::npos) {
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), odd.at) - lines_.begin();
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(lines_[static_cast<std::size_t>(line - 1)]);
    const auto column =
        std::count_if(begin, text_.begin() + static_cast<std::ptrdiff_t>(odd.at), [](char c) { return !continues(c); });
    refuse({static_cast<int>(line), static_cast<int>(column) + 1}, odd.reason);
  }
  try {
    root_ = Builder{*this}.build(toml::parse(text_), {});
  } catch (const AssertionFailed&) {
    refuse({odd_header(text_), 1}, "found a table without a name; expected TOML (docs/models.md)");
  } catch (const toml::parse_error& error) {
    const bool number = error.description().find("floating-point") != std::string_view::npos;
    refuse(place_of(error.source().begin),
           one_line(error.description(), 300) + "; expected " +
               (number ? "a finite number below 1.8e308 in size" : "TOML (docs/models.md)"));
  }
}

}  // namespace extremal
