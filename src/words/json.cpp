#include "words/json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "extremal/error.hpp"

namespace extremal {

struct Json::Body {
  std::string text = {};
  std::vector<Json> items = {};
  std::vector<std::string> keys = {};  // of an object, one for each item
};

Json::Json(const Json& other)
    : kind_(other.kind_), natural_(other.natural_), body_(other.body_ == nullptr ? nullptr : new Body(*other.body_)) {}

Json::Json(Json&& other) noexcept
    : kind_(std::exchange(other.kind_, Kind::null)),
      natural_(other.natural_),
      body_(std::exchange(other.body_, nullptr)) {}

Json& Json::operator=(Json other) noexcept {
  kind_ = other.kind_;
  natural_ = other.natural_;
  std::swap(body_, other.body_);
  return *this;
}

Json::~Json() { delete body_; }

Json::Json(Kind kind) : kind_(kind), body_(new Body) {}

Json::Json(const JsonPart& part) : Json() {  // from here on the destructor frees what an exception leaves
  switch (part.kind_) {
    case JsonPart::Kind::null:
      break;
    case JsonPart::Kind::boolean:
      kind_ = Kind::boolean;
      boolean_ = part.boolean_;
      break;
    case JsonPart::Kind::integer:
      // One spelling of every whole number, so that equal ones are equal.
      kind_ = part.integer_ < 0 ? Kind::integer : Kind::natural;
      integer_ = part.integer_;
      if (kind_ == Kind::natural) natural_ = static_cast<std::uint64_t>(part.integer_);
      break;
    case JsonPart::Kind::natural:
      kind_ = Kind::natural;
      natural_ = part.natural_;
      break;
    case JsonPart::Kind::number:
      kind_ = Kind::number;
      number_ = part.number_;
      break;
    case JsonPart::Kind::text:
      *this = Json(Kind::text);
      body_->text.assign(part.text_, part.size_);
      break;
    case JsonPart::Kind::texts:
      *this = Json(Kind::array);
      body_->items.assign(part.texts_->begin(), part.texts_->end());
      break;
    case JsonPart::Kind::list:
      *this = list(part.list_, part.size_);
      break;
    case JsonPart::Kind::value:
      *this = *part.value_;
      break;
    case JsonPart::Kind::expiring:
      *this = std::move(*part.expiring_);
      break;
  }
}

Json::Json(std::initializer_list<JsonPart> parts) : Json(list(parts.begin(), parts.size())) {}

Json Json::list(const JsonPart* parts, std::size_t count) {
  const bool members = std::all_of(parts, parts + count, is_member);
  Json all(members ? Kind::object : Kind::array);
  all.add(parts, count);
  return all;
}

Json Json::array(std::initializer_list<JsonPart> parts) {
  Json all(Kind::array);
  all.add(parts.begin(), parts.size());
  return all;
}

Json Json::object(std::initializer_list<JsonPart> members) {
  if (!std::all_of(members.begin(), members.end(), is_member))
    throw std::logic_error("Json::object: expected pairs of a key and a value");
  Json all(Kind::object);
  all.add(members.begin(), members.size());
  return all;
}

bool Json::is_member(const JsonPart& part) {
  return part.kind_ == JsonPart::Kind::list && part.size_ == 2 && part.list_[0].kind_ == JsonPart::Kind::text;
}

void Json::add(const JsonPart* parts, std::size_t count) {
  body_->items.reserve(count);
  for (const JsonPart* part = parts; part != parts + count; ++part) {
    if (kind_ == Kind::array) {
      body_->items.push_back(Json(*part));
      continue;
    }
    const std::string_view key(part->list_[0].text_, part->list_[0].size_);
    if (find(key) == nullptr) (*this)[key] = Json(part->list_[1]);
  }
}

std::size_t Json::size() const { return body_ != nullptr ? body_->items.size() : 0; }

void Json::push_back(Json element) {
  if (kind_ == Kind::null) *this = Json(Kind::array);
  if (kind_ != Kind::array) refuse("an array to append to");
  body_->items.push_back(std::move(element));
}

Json* Json::find(std::string_view key) const {
  if (kind_ != Kind::object) return nullptr;
  const auto found = std::find(body_->keys.begin(), body_->keys.end(), key);
  return found == body_->keys.end() ? nullptr : &body_->items[static_cast<std::size_t>(found - body_->keys.begin())];
}

Json& Json::operator[](std::string_view key) {
  if (kind_ == Kind::null) *this = Json(Kind::object);
  if (kind_ != Kind::object) refuse("an object with \"" + std::string(key) + "\"");
  if (Json* found = find(key)) return *found;
  body_->keys.emplace_back(key);
  return body_->items.emplace_back();
}

const Json& Json::at(std::string_view key) const {
  const Json* found = find(key);
  if (found == nullptr) refuse("an object with \"" + std::string(key) + "\"");
  return *found;
}

Json& Json::operator[](std::size_t index) { return const_cast<Json&>(std::as_const(*this)[index]); }

const Json& Json::operator[](std::size_t index) const {
  if (kind_ != Kind::array || index >= size()) refuse("an array with more than " + std::to_string(index) + " elements");
  return body_->items[index];
}

Json& Json::back() {
  if (empty()) refuse("an array with elements");
  return body_->items.back();
}

bool Json::contains(std::string_view key) const { return find(key) != nullptr; }

Json* Json::begin() { return body_ != nullptr ? body_->items.data() : nullptr; }
Json* Json::end() { return begin() + size(); }
const Json* Json::begin() const { return body_ != nullptr ? body_->items.data() : nullptr; }
const Json* Json::end() const { return begin() + size(); }

const std::vector<std::string>& Json::keys() const {
  if (kind_ != Kind::object) refuse("an object");
  return body_->keys;
}

void Json::refuse(const std::string& expected) const {
  constexpr const char* names[] = {"null",     "true or false", "a whole number", "a whole number",
                                   "a number", "a text",        "an array",       "an object"};
  std::string found = names[static_cast<std::size_t>(kind_)];
  if (kind_ == Kind::array || kind_ == Kind::object) found += " of " + std::to_string(size()) + " elements";
  throw InputError("JSON: found " + found + "; expected " + expected);
}

template <>
bool Json::get() const {
  if (kind_ != Kind::boolean) refuse("true or false");
  return boolean_;
}

template <>
int Json::get() const {
  using Limits = std::numeric_limits<int>;
  if (kind_ == Kind::integer && integer_ >= Limits::min()) return static_cast<int>(integer_);
  if (kind_ == Kind::natural && natural_ <= Limits::max()) return static_cast<int>(natural_);
  refuse("a whole number that is not too large");
}

template <>
std::uint64_t Json::get() const {
  if (kind_ != Kind::natural) refuse("a whole number, not below zero");
  return natural_;
}

template <>
double Json::get() const {
  switch (kind_) {
    case Kind::integer:
      return static_cast<double>(integer_);
    case Kind::natural:
      return static_cast<double>(natural_);
    case Kind::number:
      return number_;
    default:
      refuse("a number");
  }
}

template <>
std::string Json::get() const {
  if (kind_ != Kind::text) refuse("a text");
  return body_->text;
}

template <>
std::vector<std::string> Json::get() const {
  if (kind_ != Kind::array) refuse("an array of texts");
  std::vector<std::string> all;
  for (const Json& item : *this) all.push_back(item.get<std::string>());
  return all;
}

bool operator==(const Json& x, const Json& y) {
  using Kind = Json::Kind;
  if (x.kind_ != y.kind_) return x.is_number() && y.is_number() && x.get<double>() == y.get<double>();
  switch (x.kind_) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return x.boolean_ == y.boolean_;
    case Kind::integer:
      return x.integer_ == y.integer_;
    case Kind::natural:
      return x.natural_ == y.natural_;
    case Kind::number:
      return x.number_ == y.number_;
    default:
      return x.body_->text == y.body_->text && x.body_->keys == y.body_->keys && x.body_->items == y.body_->items;
  }
}

// Values as nlohmann::ordered_json has them. Text is read and written there, to the last byte.
struct Json::Foreign {
  using Value = nlohmann::ordered_json;
  // What we write has four levels or so. A damaged archive may have any number, and the stack ends.
  static constexpr int deepest = 100;

  static Value to(const Json& x) {
    switch (x.kind_) {
      case Kind::null:
        break;
      case Kind::boolean:
        return x.boolean_;
      case Kind::integer:
        return x.integer_;
      case Kind::natural:
        return x.natural_;
      case Kind::number:
        return x.number_;
      case Kind::text:
        return x.body_->text;
      case Kind::array: {
        Value::array_t all;
        all.reserve(x.size());
        for (const Json& item : x) all.push_back(to(item));
        return all;
      }
      case Kind::object: {
        Value::object_t all;
        all.reserve(x.size());
        // Not by their keys: looking for each of them takes long if there are thousands.
        for (std::size_t i = 0; i < x.size(); ++i) all.emplace_back(x.body_->keys[i], to(x.body_->items[i]));
        return all;
      }
    }
    return nullptr;
  }

  static Json from(const Value& x, int depth = 0) {
    if (depth > deepest)
      throw InputError("JSON: found more than " + std::to_string(deepest) + " levels; expected fewer");
    switch (x.type()) {
      case Value::value_t::boolean:
        return x.get<bool>();
      case Value::value_t::number_integer:
        return x.get<std::int64_t>();
      case Value::value_t::number_unsigned:
        return x.get<std::uint64_t>();
      case Value::value_t::number_float:
        return x.get<double>();
      case Value::value_t::string:
        return x.get_ref<const std::string&>();
      case Value::value_t::array: {
        Json all(Kind::array);
        for (const Value& item : x) all.body_->items.push_back(from(item, depth + 1));
        return all;
      }
      case Value::value_t::object: {
        Json all(Kind::object);
        for (const auto& [key, value] : x.items()) {
          all.body_->keys.push_back(key);
          all.body_->items.push_back(from(value, depth + 1));
        }
        return all;
      }
      default:
        return {};
    }
  }

  // Without the number of the error, which says nothing to our readers.
  static std::string reason(const Value::exception& error) {
    const std::string text = error.what();
    const std::size_t end = text.find("] ");
    return end == std::string::npos ? text : text.substr(end + 2);
  }
};

std::string Json::dump(int indent, BadText bad) const {
  using Handler = Foreign::Value::error_handler_t;
  try {
    return Foreign::to(*this).dump(indent, ' ', false, bad == BadText::replaced ? Handler::replace : Handler::strict);
  } catch (const Foreign::Value::exception& error) {
    throw InputError("JSON: found a text that cannot be written (" + Foreign::reason(error) + "); expected UTF-8");
  }
}

Json Json::parse(std::string_view text) {
  try {
    return Foreign::from(Foreign::Value::parse(text));
  } catch (const Foreign::Value::exception& error) {
    throw InputError("JSON: " + Foreign::reason(error));  // which says what was found and expected
  }
}

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

}  // namespace extremal
