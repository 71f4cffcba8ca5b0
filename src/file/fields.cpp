#include "file/fields.hpp"

#include <algorithm>

#include "words/grammar.hpp"

namespace extremal {

using Kind = Document::Value::Kind;

Fields::Fields(Scope& scope, const Value& table, std::string what)
    : scope_(scope), table_(table), what_(std::move(what)) {
  if (table.kind != Kind::table) scope.refuse(table, "found " + table.words() + "; expected a table " + what_);
}

const Document::Value* Fields::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  for (const Document::Entry& entry : table_.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

const Document::Value& Fields::need(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) {
    // It may be there, misspelt.
    for (const Document::Entry& entry : table_.entries) {
      const std::string reason = unknown("key of " + what_, entry.key, {std::string(key)});
      if (std::find(known_.begin(), known_.end(), entry.key) == known_.end() &&
          reason.find("did you mean") != std::string::npos)
        scope_.document().refuse(entry.place, reason);
    }
    refuse("found no " + std::string(key) + " in " + what_ + "; expected one");
  }
  return *value;
}

Number Fields::number(std::string_view key) { return scope_.number(need(key)); }

Number Fields::number(std::string_view key, const Number& otherwise) {
  const Value* value = find(key);
  return value == nullptr ? otherwise : scope_.number(*value);
}

Numbers Fields::numbers(std::string_view key) {
  const Value* value = find(key);
  return value == nullptr ? Numbers() : Numbers(scope_.numbers(*value));
}

int Fields::integer(std::string_view key, int least, int most, int otherwise) {
  const Value* value = find(key);
  return value == nullptr ? otherwise : scope_.integer(*value, least, most);
}

bool Fields::flag(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return false;
  if (value->kind != Kind::flag) scope_.refuse(*value, "found " + value->words() + "; expected true or false");
  return value->flag;
}

std::string Fields::text(std::string_view key) { return scope_.text(need(key)); }

std::string Fields::text(std::string_view key, const std::string& otherwise) {
  const Value* value = find(key);
  return value == nullptr ? otherwise : scope_.text(*value);
}

TimeFunction Fields::time_function(std::string_view key) { return scope_.time_function(need(key)); }

std::vector<TimeFunction> Fields::time_functions(std::string_view key) {
  const Value* value = find(key);
  return value == nullptr ? std::vector<TimeFunction>() : scope_.time_functions(*value);
}

std::size_t Fields::one_of(std::string_view key, const std::vector<std::string>& words, bool needed) {
  const Value* value = needed ? &need(key) : find(key);
  if (value == nullptr) return 0;
  const std::string word = scope_.text(*value);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) scope_.refuse(*value, unknown(std::string(key), word, words));
  return static_cast<std::size_t>(found - words.begin());
}

void Fields::finish() const {
  for (const Document::Entry& entry : table_.entries)
    if (std::find(known_.begin(), known_.end(), entry.key) == known_.end())
      scope_.document().refuse(entry.place, unknown("key of " + what_, entry.key, known_));
}

}  // namespace extremal
