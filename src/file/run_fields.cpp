#include "file/run_fields.hpp"

#include "extremal/scheme.hpp"

namespace extremal {
namespace {

using Kind = Document::Value::Kind;

constexpr int largest_count = 2000000000;

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
      return list_text(scope.numbers(*value));
    case RunKey::Kind::count:
      return std::to_string(scope.integer(*value, 1, largest_count));
    case RunKey::Kind::flag:
      return fields.flag(key.name) ? "1" : "0";
  }
  return {};
}

}  // namespace extremal
