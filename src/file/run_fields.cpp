#include "file/run_fields.hpp"

#include <algorithm>

#include "extremal/scheme.hpp"
#include "words/grammar.hpp"
#include "words/toml.hpp"

namespace extremal {
namespace {

using Kind = Document::Value::Kind;

constexpr int largest_count = 2000000000;

// { repeat = 100, of = "1 + sin(i)/2" }
std::vector<Number> repeated_numbers(Scope& scope, const Document::Value& table, const std::string& name) {
  const Scope::Index outside = scope.index();
  std::vector<Number> all;
  Fields fields(scope, table, name);
  const Repetition repeat = scope.repeat(&fields.need("repeat"));
  for (int i = repeat.first; i <= repeat.last; ++i) {
    scope.index(i);
    all.push_back(fields.number("of"));
  }
  scope.index(outside);
  fields.finish();
  return all;
}

// A list, or one.
std::vector<std::string> names_of(Scope& scope, const Document::Value& value, const std::vector<std::string>& known) {
  std::vector<std::string> all;
  const auto add = [&](const Document::Value& one) {
    all.push_back(scope.text(one));
    if (!known.empty() && std::find(known.begin(), known.end(), all.back()) == known.end())
      scope.refuse(one, unknown("word", all.back(), known));
  };
  if (value.kind == Kind::list)
    std::for_each(value.items.begin(), value.items.end(), add);
  else
    add(value);
  return all;
}

}  // namespace

std::optional<std::string> said_in(Fields& fields, const RunKey& key, bool sweep) {
  const Document::Value* value = fields.find(key.name);
  if (value == nullptr) return {};
  Scope& scope = fields.scope();
  switch (key.kind) {
    case RunKey::Kind::scheme:
      return Fields::placed_at(scope, *value, [&] { return Scheme::named(scope.text(*value)).name; });
    case RunKey::Kind::word:
      return key.words[fields.one_of(key.name, key.words, true)];
    case RunKey::Kind::number:
      if (!sweep && value->kind == Kind::text && key.is_word(value->text)) return value->text;
      return scope.number(*value).text();
    case RunKey::Kind::numbers:
      return list_text(value->kind == Kind::table ? repeated_numbers(scope, *value, key.name) : scope.numbers(*value));
    case RunKey::Kind::names:
      return list_text(names_of(scope, *value, key.words));
    case RunKey::Kind::count:
      return std::to_string(scope.integer(*value, 1, largest_count));
    case RunKey::Kind::flag:
      return fields.flag(key.name) ? "1" : "0";
  }
  return {};
}

std::string said_as(const RunKey& key, const std::string& text) {
  switch (key.kind) {
    case RunKey::Kind::scheme:
    case RunKey::Kind::word:
    case RunKey::Kind::number:
      return toml_text(text);
    case RunKey::Kind::numbers:
    case RunKey::Kind::names:
    case RunKey::Kind::count:
      break;  // a list in JSON is one of TOML
    case RunKey::Kind::flag:
      return text == "1" ? "true" : "false";
  }
  return text;
}

}  // namespace extremal
