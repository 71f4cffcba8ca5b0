#include "file/scope.hpp"

#include <algorithm>
#include <iterator>

#include "formula/definitions.hpp"
#include "system/grammar.hpp"
#include "words/grammar.hpp"

namespace extremal {

using Kind = Document::Value::Kind;

// Computes as it reads, in quad.
struct Scope::Quads {
  using Value = quad;
  static constexpr const char* words = "a name";
  std::string_view text;
  const Scope& scope;
  bool named = false;

  quad number(quad x, std::size_t) const { return x; }
  quad apply(Operation operation, quad x, quad y, std::size_t at) const {
    if (operation == Operation::divide && y == quad(0)) refuse(at, "a division by zero", "a divisor other than zero");
    return extremal::apply(operation, x, y);
  }
  int table(std::string_view word) {
    named = true;
    const auto found = scope.tables_.find(std::string(word));
    return found == scope.tables_.end() ? -1 : found->second;
  }
  quad name(std::string_view word, bool rate, std::size_t at) {
    named = true;
    if (rate) refuse(at, "the velocity " + extremal::quoted(word), "numbers and parameters only");
    if (word == "i" && scope.indexed_) return quad(scope.i_);
    if (scope.varied_.contains(std::string(word)))
      refuse(at, extremal::quoted(word) + ", an input or what depends on one",
             "numbers that stay as they are; inputs may be in the formulas of motors, servos, forces and energies");
    if (const auto found = scope.values_.find(std::string(word)); found != scope.values_.end()) {
      found->second.used = true;
      return found->second.value;
    }
    if (word == "i") refuse(at, "i", "numbers and parameters only: i is known in parts that repeat");
    std::vector<std::string> known = scope.names_;
    if (scope.indexed_) known.emplace_back("i");
    if (scope.values_.contains("s") && std::find(known.begin(), known.end(), "s") == known.end())
      known.emplace_back("s");
    known.emplace_back("pi");
    for (const NamedFunction& f : named_functions) known.emplace_back(f.name);
    throw FormulaError(text, at, unknown("name", one_line(word, 80), known));
  }
  [[noreturn]] void refuse(std::size_t at, const std::string& found, const std::string& expected) const {
    throw FormulaError(text, at, "found " + found + "; expected " + expected);
  }
};

void Scope::spend(std::size_t bytes) {
  evaluated_ += bytes + 16;
  if (evaluated_ > limits_.evaluated)
    document_.refuse({}, "found more than " + std::to_string(limits_.evaluated) +
                             " bytes of numbers and names, repetitions included; expected less");
}

void Scope::refuse_formula(const Value& value, const std::vector<std::size_t>& origin,
                           const FormulaError& error) const {
  std::size_t at = error.column - 1;
  if (!origin.empty()) at = at < origin.size() ? origin[at] : origin.back() + 1;
  document_.refuse(value.kind == Kind::text ? document_.within(value, at) : value.place, error.reason);
}

Scope::Computed Scope::compute(const std::string& text) {
  check_length(text);
  spend(text.size());
  Quads quads{text, *this};
  const quad x = Grammar(text, quads).value();
  if (!math::finite(static_cast<double>(x)))
    throw FormulaError(text, 0, "found " + to_text(x) + "; expected a finite number below 1.8e308 in size");
  return {x, quads.named};
}

void Scope::parameters(const Value& table, const Settings& settings) {
  if (table.kind != Kind::table) refuse(table, "found " + table.words() + "; expected a table [parameters]");
  if (table.entries.size() > static_cast<std::size_t>(limits_.parameters))
    refuse(table, "found " + std::to_string(table.entries.size()) + " parameters; expected at most " +
                      std::to_string(limits_.parameters));
  std::unordered_map<std::string, const Value*> places;
  for (const Document::Entry& entry : table.entries) {
    const std::string& key = entry.key;
    const Value& value = entry.value;
    if (!is_formula_name(key) || key == "i")
      document_.refuse(entry.place,
                       "found a parameter " + extremal::quoted(key) +
                           "; expected letters, digits, _ and ., and neither t, pi, i nor the name of a function");
    if (value.kind != Kind::text && value.kind != Kind::number)
      refuse(value, "found " + value.words() + "; expected a number or a formula");
    const auto set =
        std::find_if(settings.begin(), settings.end(), [&](const auto& setting) { return setting.first == key; });
    definitions_.emplace_back(key, set == settings.end() ? value.text : set->second.text());
    names_.push_back(key);
    places.emplace(key, &value);
  }
  for (const auto& [key, value] : settings)
    if (!places.contains(key)) throw InputError(document_.name() + ": " + unknown("parameter", key, names_));
  for (const auto& definition : definitions_)
    located(*places[definition.first], {}, [&] { return names_in(definition.second); });
  try {
    for (const int k : definition_order("[parameters]", definitions_)) {
      const Formulas::Definition& definition = definitions_[static_cast<std::size_t>(k)];
      values_[definition.first] = {
          located(*places[definition.first], {}, [&] { return compute(definition.second).value; })};
    }
    for (auto& [key, known] : values_) known.used = false;
  } catch (const ModelError&) {
    throw;
  } catch (const InputError& error) {  // a circle
    refuse(table, error.what());
  }
  try {
    formulas_.parameters(definitions_);
  } catch (const InputError& error) {  // too many operations
    refuse(table, error.what());
  }
}

std::unordered_set<std::string> Scope::used_names() const {
  std::unordered_set<std::string> used;
  for (const auto& [name, known] : values_)
    if (known.used) used.insert(name);
  // Each after those it uses, so that one way back finds all.
  const std::vector<int> order = definition_order("[parameters]", definitions_);
  for (auto k = order.rbegin(); k != order.rend(); ++k) {
    const auto& [name, text] = definitions_[static_cast<std::size_t>(*k)];
    if (!used.contains(name)) continue;
    for (std::string& other : names_in(text)) used.insert(std::move(other));
  }
  return used;
}

std::vector<Formulas::Definition> Scope::used_definitions() const {
  const auto used = used_names();
  std::vector<Formulas::Definition> out;
  std::copy_if(definitions_.begin(), definitions_.end(), std::back_inserter(out),
               [&](const auto& one) { return used.contains(one.first); });
  return out;
}

std::vector<Formulas::Definition> Scope::unused_definitions() const {
  const auto used = used_names();
  std::vector<Formulas::Definition> out;
  std::copy_if(definitions_.begin(), definitions_.end(), std::back_inserter(out),
               [&](const auto& one) { return !used.contains(one.first); });
  return out;
}

void Scope::tables(FormulaTables tables) {
  tables_ = std::move(tables);
  formulas_.tables(tables_);
}

void Scope::inputs(const Value* list) {
  if (list == nullptr) return;
  if (list->kind != Kind::list) refuse(*list, "found " + list->words() + "; expected a list of names");
  for (const Value& item : list->items) {
    const std::string input = text(item);
    const auto known = std::find_if(definitions_.begin(), definitions_.end(),
                                    [&](const Formulas::Definition& one) { return one.first == input; });
    if (known == definitions_.end()) refuse(item, unknown("parameter", input, names_));
    if (!names_in(known->second).empty())
      refuse(item, "found an input " + extremal::quoted(input) + " = " + known->second +
                       "; expected a parameter that is a number by itself");
    if (!varied_.insert(input).second) refuse(item, "found an input twice; expected distinct names");
  }
  for (const int k : definition_order("[parameters]", definitions_)) {
    const auto& [key, formula] = definitions_[static_cast<std::size_t>(k)];
    if (uses_inputs(formula)) varied_.insert(key);
  }
}

bool Scope::uses_inputs(const std::string& formula) const {
  if (varied_.empty()) return false;
  const std::vector<std::string> used = names_in(formula);
  return std::any_of(used.begin(), used.end(), [&](const std::string& one) { return varied_.contains(one); });
}

Number Scope::number_of(const Formulas::Definition& definition) const {
  return names_in(definition.second).empty() ? Number(definition.second)
                                             : Number::exactly(values_.at(definition.first).value);
}

void Scope::charge(int parts) {
  parts_ += parts;
  if (parts_ > limits_.parts)
    document_.refuse(
        {}, "found more than " + std::to_string(limits_.parts) + " parts, repetitions included; expected less");
}

void Scope::index(int i) {
  charge(1);
  indexed_ = true;
  i_ = i;
}

void Scope::no_index() {
  charge(1);
  indexed_ = false;
}

void Scope::arc(const Value& at, quad s) {
  charge(1);
  if (std::find(names_.begin(), names_.end(), "s") != names_.end())
    refuse(at,
           "found a parameter \"s\" and nodes of a rod that are placed; expected another name for it: s is the arc "
           "length there");
  values_["s"] = {s};
}

Repetition Scope::repeat(const Value* value) {
  if (value == nullptr) return {};
  indexed_ = false;
  if (value->kind != Kind::list) return {true, 1, integer(*value, 0, limits_.parts)};
  if (value->items.size() != 2)
    refuse(*value, "found " + value->words() + "; expected how often, or the first and the last i; e.g. [2, 10]");
  const int most = limits_.parts;
  const Repetition range{true, integer(value->items[0], -most, most), integer(value->items[1], -most, most)};
  if (range.last < range.first - 1)
    refuse(*value, "found i from " + std::to_string(range.first) + " to " + std::to_string(range.last) +
                       "; expected the first i before the last");
  if (range.last - range.first >= most)
    refuse(*value, "found more than " + std::to_string(most) + " repetitions; expected less");
  return range;
}

quad Scope::value(const Value& value) {
  if (value.kind != Kind::text && value.kind != Kind::number)
    refuse(value, "found " + value.words() + "; expected a number or a formula");
  return located(value, {}, [&] { return compute(value.text).value; });
}

Number Scope::number(const Value& value) {
  if (value.kind != Kind::text && value.kind != Kind::number)
    refuse(value, "found " + value.words() + "; expected a number or a formula");
  const Computed result = located(value, {}, [&] { return compute(value.text); });
  // The text itself where it needs no names: it is rounded once only.
  return result.named ? Number::exactly(result.value) : Number(value.text);
}

int Scope::integer(const Value& value, int least, int most) {
  const quad x = this->value(value);
  const auto expect = [&](bool fits) {
    if (!fits)
      refuse(value, "found " + one_line(value.text, 60) +
                        (value.kind == Kind::text ? " = " + to_text(static_cast<double>(x)) : "") +
                        "; expected a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  };
  expect(x >= quad(least) && x <= quad(most));
  const int whole = static_cast<int>(x + (x < quad(0) ? quad(-0.5) : quad(0.5)));
  expect(quad(whole) == x);
  return whole;
}

std::vector<Number> Scope::numbers(const Value& value) {
  if (value.kind != Kind::list) return {number(value)};
  std::vector<Number> all;
  for (const Value& item : value.items) all.push_back(number(item));
  return all;
}

Expanded Scope::expanded(const Value& value, bool bare) {
  if (value.kind != Kind::text && value.kind != Kind::number)
    refuse(value, "found " + value.words() + "; expected a formula in quotes");
  spend(value.text.size());
  Expanded out;
  const std::string& text = value.text;
  const auto in_word = [&](std::size_t k) {
    return k < text.size() && (lexical::is_word(text[k]) || text[k] == '{' || text[k] == '}');
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (bare && indexed_ && text[k] == 'i' && (k == 0 || !in_word(k - 1)) && !in_word(k + 1)) {
      const std::string digits = "(" + std::to_string(i_) + ")";
      out.text += digits;
      out.origin.insert(out.origin.end(), digits.size(), k);
      continue;
    }
    if (text[k] != '{') {
      out.text += text[k];
      out.origin.push_back(k);
      continue;
    }
    const std::size_t end = text.find('}', k);
    if (end == std::string::npos)
      document_.refuse(document_.within(value, k), "found \"{\" without \"}\"; expected a number such as {i+1}");
    const std::string inside = text.substr(k + 1, end - k - 1);
    std::vector<std::size_t> origin;
    for (std::size_t b = k + 1; b <= end; ++b) origin.push_back(b);
    const quad x = located(value, origin, [&] { return compute(inside).value; });
    if (!(math::abs(x) < quad(1e9)) || quad(static_cast<int>(x)) != x)
      document_.refuse(document_.within(value, k), "found {" + one_line(inside, 60) + "} = " +
                                                       to_text(static_cast<double>(x)) + "; expected a whole number");
    const std::string digits = std::to_string(static_cast<int>(x));
    out.text += digits;
    out.origin.insert(out.origin.end(), digits.size(), k);
    k = end;
  }
  return out;
}

std::string Scope::text(const Value& value) {
  if (value.kind != Kind::text) refuse(value, "found " + value.words() + "; expected a text in quotes");
  std::string result = expanded(value).text;
  if (std::any_of(result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }))
    refuse(value, "found " + value.words() + "; expected one line");
  return result;
}

TimeFunction Scope::time_function(const Value& value) {
  if (value.kind == Kind::number) return number(value);
  const Expanded formula = expanded(value);
  for (std::size_t k = 0, end; k < formula.text.size(); k = end) {
    end = k + 1;
    if (!lexical::is_letter(formula.text[k])) continue;
    while (end < formula.text.size() && lexical::is_word(formula.text[end])) ++end;
    if (const auto known = values_.find(formula.text.substr(k, end - k)); known != values_.end())
      known->second.used = true;
  }
  if (indexed_) {
    const auto& known = times_.parameter_names();
    if (std::find(known.begin(), known.end(), "i") == known.end()) formulas_.parameters({{"i", "0"}});
    times_ = times_.with("i", Number(i_));
  }
  return located(value, formula.origin, [&] {
    if (uses_inputs(formula.text))
      throw FormulaError(formula.text, 0,
                         "found an input, or what depends on one, in a function of t; expected it in the formulas of "
                         "joint_motor, of servo, of a force along coordinates, or of an energy");
    return formulas_.time_function(formula.text);
  });
}

std::vector<TimeFunction> Scope::time_functions(const Value& value) {
  if (value.kind != Kind::list) return {time_function(value)};
  std::vector<TimeFunction> all;
  for (const Value& item : value.items) all.push_back(time_function(item));
  return all;
}

}  // namespace extremal
