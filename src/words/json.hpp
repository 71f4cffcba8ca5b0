// Json: what the program says to other programs, and what archives keep of a run.
//
//   Json row = {{"scheme", "rattle"}, {"orders", {2, 2, 1}}};
//   row["holds"] = true;
//   std::cout << row.dump(2) << "\n";
//   const Json again = Json::parse(row.dump());
//   again.at("scheme").get<std::string>();
//
// Members keep the order in which they came. A braced list whose elements are all lists of two, the first of them a
// text, is an object; any other is an array.
//
// A parser and printer of JSON as a template takes longer to compile than most files that have something to say. So
// the value is a class of our own, and only json.cpp knows how it becomes text.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace extremal {

class Json;

// What may stand in a braced list. It refers to its argument and lives as long as the expression it stands in: a list
// that owned nested values would have to copy, and destroy, each of them once per level.
class JsonPart {
 public:
  JsonPart(std::nullptr_t) {}
  template <std::same_as<bool> Bool>  // and no pointer
  JsonPart(Bool x) : kind_(Kind::boolean), boolean_(x) {}
  JsonPart(int x) : JsonPart(static_cast<long long>(x)) {}
  JsonPart(long x) : JsonPart(static_cast<long long>(x)) {}
  JsonPart(long long x) : kind_(Kind::integer), integer_(x) {}
  JsonPart(unsigned x) : JsonPart(static_cast<unsigned long long>(x)) {}
  JsonPart(unsigned long x) : JsonPart(static_cast<unsigned long long>(x)) {}
  JsonPart(unsigned long long x) : kind_(Kind::natural), natural_(x) {}
  JsonPart(double x) : kind_(Kind::number), number_(x) {}
  JsonPart(const char* x) : JsonPart(std::string_view(x)) {}
  JsonPart(std::string_view x) : kind_(Kind::text), text_(x.data()), size_(x.size()) {}
  JsonPart(const std::string& x) : JsonPart(std::string_view(x)) {}
  JsonPart(const std::vector<std::string>& x) : kind_(Kind::texts), texts_(&x) {}
  JsonPart(std::initializer_list<JsonPart> x) : kind_(Kind::list), list_(std::data(x)), size_(x.size()) {}
  template <std::same_as<Json> Value>  // itself, and nothing that might become one
  JsonPart(const Value& x) : kind_(Kind::value), value_(&x) {}
  template <std::same_as<Json> Value>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): a Json only, never a JsonPart
  JsonPart(Value&& x) : kind_(Kind::expiring), expiring_(&x) {}

 private:
  friend class Json;
  enum class Kind : unsigned char { null, boolean, integer, natural, number, text, texts, list, value, expiring };

  Kind kind_ = Kind::null;
  union {
    bool boolean_;
    std::int64_t integer_;
    std::uint64_t natural_;
    double number_;
    const char* text_;
    const std::vector<std::string>* texts_;
    const JsonPart* list_;
    const Json* value_ = nullptr;
    Json* expiring_;
  };
  std::size_t size_ = 0;  // of a text or a list
};

class Json {
 public:
  Json() = default;  // null
  Json(std::initializer_list<JsonPart> list);
  template <class T>
    requires(!std::same_as<T, Json> && !std::same_as<T, JsonPart> && std::constructible_from<JsonPart, const T&>)
  Json(const T& x) : Json(JsonPart(x)) {}
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(Json other) noexcept;
  ~Json();

  // Whatever the elements are.
  static Json array(std::initializer_list<JsonPart> list = {});
  static Json object(std::initializer_list<JsonPart> members = {});

  bool is_null() const { return kind_ == Kind::null; }
  bool empty() const { return size() == 0; }
  std::size_t size() const;  // of an array or an object; otherwise 0, as that of null

  // Null becomes an array, or an object, by its first element.
  void push_back(Json element);
  Json& operator[](std::string_view key);

  // InputError if there is no such element.
  const Json& operator[](std::string_view key) const { return at(key); }
  Json& operator[](std::size_t index);
  const Json& operator[](std::size_t index) const;
  const Json& at(std::string_view key) const;
  Json& back();
  bool contains(std::string_view key) const;

  // Elements, or the values of an object in the order of keys().
  Json* begin();
  Json* end();
  const Json* begin() const;
  const Json* end() const;
  const std::vector<std::string>& keys() const;

  // bool, int, std::uint64_t, double, std::string or std::vector<std::string>; InputError if it is something else.
  template <class T>
  T get() const;

  friend bool operator==(const Json& x, const Json& y);

  // Without an indent on one line.
  static constexpr int one_line = -1;
  enum class BadText : unsigned char { refused, replaced };  // what is no UTF-8; by U+FFFD
  std::string dump(int indent = one_line, BadText bad = BadText::refused) const;
  // InputError if it is no JSON.
  static Json parse(std::string_view text);

 private:
  enum class Kind : unsigned char { null, boolean, integer, natural, number, text, array, object };
  struct Body;
  struct Foreign;

  explicit Json(const JsonPart& part);
  explicit Json(Kind kind);
  bool is_number() const { return kind_ == Kind::integer || kind_ == Kind::natural || kind_ == Kind::number; }
  static Json list(const JsonPart* parts, std::size_t count);
  static bool is_member(const JsonPart& part);
  void add(const JsonPart* parts, std::size_t count);
  Json* find(std::string_view key) const;  // or nullptr
  [[noreturn]] void refuse(const std::string& expected) const;

  Kind kind_ = Kind::null;
  union {
    bool boolean_;
    std::int64_t integer_;  // below zero
    std::uint64_t natural_ = 0;
    double number_;
  };
  Body* body_ = nullptr;  // of a text, an array, an object; owned, as <memory> costs more than all of this header
};

template <>
bool Json::get() const;
template <>
int Json::get() const;
template <>
std::uint64_t Json::get() const;
template <>
double Json::get() const;
template <>
std::string Json::get() const;
template <>
std::vector<std::string> Json::get() const;

// null if it is not finite: JSON has no other word for it
Json finite(double x);

}  // namespace extremal
