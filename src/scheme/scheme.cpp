// Scheme::named: the only reader of scheme names.
#include "extremal/scheme.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "scheme/family.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

constexpr int depth_limit = 20;
constexpr std::size_t message_limit = 1000;

// Those of all families, by name.
template <class... F>
Readers all_readers(std::type_identity<std::variant<F...>>) {
  Readers all;
  (all.insert(all.end(), readers(std::type_identity<F>()).begin(), readers(std::type_identity<F>()).end()), ...);
  std::sort(all.begin(), all.end(), [](const Reader& a, const Reader& b) { return a.name < b.name; });
  return all;
}

}  // namespace

Scheme read_scheme(const std::string& text, int depth) {
  static const Readers all = all_readers(std::type_identity<AnyMethod>());
  if (depth > depth_limit)
    refuse("nesting", "more than " + std::to_string(depth_limit) + " levels", "fewer", "suzuki(6, spark(2))");
  const Call call(text);
  for (const Reader& reader : all)
    if (reader.name == call.name) return reader.read(call, reader.usage, depth);
  std::vector<std::string> names;
  for (const Reader& reader : all) names.push_back(reader.name);
  refuse_unknown("name", call.name, names);
}

const std::vector<Substep>& Scheme::substeps() const {
  static const std::vector<Substep> none;
  const Composition* composition = as<Composition>();
  return composition != nullptr ? composition->substeps : none;
}

bool operator==(const Scheme& a, const Scheme& b) { return a.method == b.method; }
bool operator==(const Substep& a, const Substep& b) { return a.coefficient == b.coefficient && a.scheme == b.scheme; }
Method::Method() = default;
Method::Method(const Method& other) = default;
Method::Method(Method&& other) noexcept = default;
Method& Method::operator=(const Method& other) = default;
Method& Method::operator=(Method&& other) noexcept = default;
Method::~Method() = default;

bool operator==(const Composition& a, const Composition& b) { return a.substeps == b.substeps; }

Scheme Scheme::named(std::string_view text) {
  std::string where = "scheme " + quoted(text) + ": ";
  try {
    return read_scheme(without_blanks(text), 1);
  } catch (const Refusal& refusal) {
    throw InputError(where + one_line(refusal.reason, message_limit));
  } catch (const InputError& error) {  // of a Number within
    throw InputError(where + error.what());
  }
}

}  // namespace extremal
