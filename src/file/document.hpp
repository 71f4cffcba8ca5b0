// Document: a TOML file as a tree in the order in which it was written, every part with its place.
//
//   const Document document(text, "models/pendulum.toml");
//   for (const auto& [key, place, value] : document.root().entries) ...
//   document.refuse(value.place, "found 3; expected a name");    // models/pendulum.toml:7:9: found 3; ...
//
// Numbers keep their text: a double in between would spoil 9.81 in quad. No file, however made, takes much time or
// memory to read: it is refused above size_limit, and beyond the nesting that a model needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extremal/error.hpp"

namespace extremal {

// Both from 1, columns in characters.
struct Place {
  int line = 1, column = 1;
};

// Of a model file; the message begins with file:line:column.
class ModelError : public InputError {
 public:
  using InputError::InputError;
};

class Document {
 public:
  static constexpr std::size_t size_limit = 8'000'000;
  static constexpr int nesting_limit = 16;

  struct Entry;
  struct Value {
    enum class Kind { text, number, flag, list, table, other };
    Kind kind = Kind::other;
    Place place;
    std::string text = {};  // of a text, its meaning; of a number, its digits
    bool flag = false;
    std::vector<Value> items = {};
    std::vector<Entry> entries = {};
    std::string words() const;  // what it is, for messages: "a list", "the number 3"
  };
  struct Entry {
    std::string key;
    Place place;
    Value value;
  };

  // ModelError if the text is not TOML. `name` is what messages call the file.
  Document(std::string text, std::string name);

  const Value& root() const { return root_; }
  const std::string& name() const { return name_; }
  std::string at(Place place) const;  // models/pendulum.toml:7:9
  [[noreturn]] void refuse(Place place, const std::string& reason) const;
  // Where byte `index` of the meaning of a text stands in the file.
  Place within(const Value& text, std::size_t index) const;

  // For those who change the text: all of it, where in it a place is, and where a text, a number or a flag ends.
  const std::string& text() const { return text_; }
  std::size_t offset(Place place) const;
  std::size_t end(const Value& value) const;

 private:
  struct Builder;
  std::string bare_value(Place place) const;

  std::string text_, name_;
  std::vector<std::size_t> lines_;  // where they begin
  Value root_;
};

}  // namespace extremal
