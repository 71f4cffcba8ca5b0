// Fields: one table of a model file. Its reader asks for the entries it knows; the others are refused.
//
//   Fields spring(scope, table, "[[spring]]");
//   const Number stiffness = spring.number("stiffness", 1);
//   spring.finish();              // models/x.toml:9:1: unknown key "stifness" of [[spring]]; did you mean "stiffness"?
//   ...
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "file/scope.hpp"

namespace extremal {

class Fields {
 public:
  using Value = Document::Value;
  Fields(Scope& scope, const Value& table, std::string what);

  // Null if there is none.
  const Value* find(std::string_view key);
  bool has(std::string_view key) { return find(key) != nullptr; }
  // ModelError if there is none.
  const Value& need(std::string_view key);

  Number number(std::string_view key);
  Number number(std::string_view key, const Number& otherwise);
  Numbers numbers(std::string_view key);  // empty if there are none
  int integer(std::string_view key, int least, int most, int otherwise);
  bool flag(std::string_view key);  // false if there is none
  std::string text(std::string_view key);
  std::string text(std::string_view key, const std::string& otherwise);
  TimeFunction time_function(std::string_view key);
  std::vector<TimeFunction> time_functions(std::string_view key);  // empty if there are none
  // The index of the entry's text among the words; that of the first if there is none and it is not needed.
  std::size_t one_of(std::string_view key, const std::vector<std::string>& words, bool needed);

  // Refuses every entry that was not asked for.
  void finish() const;
  [[noreturn]] void refuse(const std::string& reason) const { scope_.refuse(table_, reason); }
  // What the library refuses is refused with the place of this table.
  template <class Action>
  auto placed(Action action) const {
    return placed_at(scope_, table_, action);
  }
  template <class Action>
  static auto placed_at(const Scope& scope, const Value& value, Action action) {
    try {
      return action();
    } catch (const ModelError&) {
      throw;
    } catch (const InputError& error) {
      const std::string what = error.what();
      const std::string file = scope.document().name() + ":";
      if (what.starts_with(file) && what.size() > file.size() &&
          std::isdigit(static_cast<unsigned char>(what[file.size()])) != 0)
        throw ModelError(what);  // parts know their places; systems only what they are called
      scope.refuse(value, what);
    }
  }

  Scope& scope() const { return scope_; }
  const Value& table() const { return table_; }
  const std::string& what() const { return what_; }

 private:
  Scope& scope_;
  const Value& table_;
  std::string what_;
  std::vector<std::string> known_;
};

// Every table of [[what]], as often as it says; `read` gets the Fields, and the scope's i is set.
template <class Read>
void each(Scope& scope, const Document::Value& list, const std::string& what, Read read) {
  if (list.kind != Document::Value::Kind::list)
    scope.refuse(list, "found " + list.words() + "; expected tables [[" + what + "]]");
  for (const Document::Value& table : list.items) each_of(scope, table, what, read);
}

// One table, with the scope's i as it is.
template <class Read>
void one_of(Scope& scope, const Document::Value& table, const std::string& what, Read read) {
  Fields fields(scope, table, "[[" + what + "]]");
  fields.find("repeat");
  fields.placed([&] {
    read(fields);
    fields.finish();
  });
}

// Calls `action` as often as the table says, with the scope's i set.
template <class Action>
void repeated(Scope& scope, const Document::Value& table, const std::string& what, Action action) {
  const Repetition repeat = scope.repeat(Fields(scope, table, "[[" + what + "]]").find("repeat"));
  for (int i = repeat.first; i <= repeat.last; ++i) {
    if (repeat.given)
      scope.index(i);
    else
      scope.no_index();
    action();
  }
}

template <class Read>
void each_of(Scope& scope, const Document::Value& table, const std::string& what, Read read) {
  repeated(scope, table, what, [&] { one_of(scope, table, what, read); });
}

}  // namespace extremal
