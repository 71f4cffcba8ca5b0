#include "model/edited_text.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "extremal/error.hpp"
#include "file/document.hpp"
#include "model/start_text.hpp"
#include "words/grammar.hpp"
#include "words/toml.hpp"

namespace extremal {
namespace {

using Value = Document::Value;

const Document::Entry* entry_named(const Value& table, const std::string& key) {
  const auto found = std::find_if(table.entries.begin(), table.entries.end(),
                                  [&](const Document::Entry& entry) { return entry.key == key; });
  return found == table.entries.end() ? nullptr : &*found;
}

// Where the tables in a value, and the value itself, have a header: [start], [[body]].
void collect_headers(const Document& document, const Value& value, std::vector<std::size_t>& headers) {
  const std::size_t at = document.offset(value.place);
  if (value.kind == Value::Kind::table && at < document.text().size() && document.text()[at] == '[')
    headers.push_back(at);
  for (const Value& item : value.items) collect_headers(document, item, headers);
  for (const Document::Entry& entry : value.entries) collect_headers(document, entry.value, headers);
}

// Where a table ends whose header is followed by one at `next`: what is said in comments above that one is its own.
std::size_t table_end(const std::string& text, std::size_t next) {
  std::size_t end = next;
  while (end > 0) {
    const std::size_t line = end < 2 ? 0 : text.rfind('\n', end - 2) + 1;  // npos + 1 is 0
    const std::size_t first = text.find_first_not_of(" \t\r", line);
    if (first < end && text[first] != '#' && text[first] != '\n') break;
    end = line;
  }
  return end;
}

std::string without_table(const std::string& text, const std::string& name, const std::string& key) {
  const Document document(text, name);
  const Document::Entry* entry = entry_named(document.root(), key);
  if (entry == nullptr) return text;
  std::vector<std::size_t> own, all;
  collect_headers(document, entry->value, own);
  collect_headers(document, document.root(), all);
  if (own.empty())
    document.refuse(entry->place,
                    "found " + quoted(key) + " in one line; expected a table [" + key + "], which can be written anew");
  std::sort(own.begin(), own.end());
  std::string out = document.text();
  for (auto at = own.rbegin(); at != own.rend(); ++at) {
    std::size_t next = document.text().size();
    for (const std::size_t other : all)
      if (other > *at) next = std::min(next, other);
    const std::size_t end = next == document.text().size() ? next : table_end(document.text(), next);
    out.erase(*at, end - *at);
  }
  return out;
}

std::string number_text(const Value& before, const Number& value) {
  const std::string text = value.text();
  const bool whole = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return before.kind == Value::Kind::number && whole && (text.size() == 1 || text[0] != '0') ? text : toml_text(text);
}

// Of the system, which may have been given others since; and those that parts were made by.
Settings present_values(const Model& model) {
  Settings all;
  for (std::size_t k = 0; k < model.system.parameter_names().size(); ++k)
    all.emplace_back(model.system.parameter_names()[k], model.system.parameters()[k]);
  if (model.mechanism == nullptr && model.network == nullptr) return all;  // formulas follow
  for (const auto& one : model.parameters)
    if (std::none_of(all.begin(), all.end(), [&](const auto& known) { return known.first == one.first; }))
      all.push_back(one);
  return all;
}

// Parameters that are numbers, or those that are formulas as well, at the values that the model has.
std::string with_values(const std::string& text, const Model& found, const Model& wanted, bool formulas,
                        const std::string& where) {
  const Document document(text, where);
  const Document::Entry* table = entry_named(document.root(), "parameters");
  if (table == nullptr) return text;
  const Settings values = present_values(wanted), before = present_values(found);
  std::string out = document.text();
  for (auto entry = table->value.entries.rbegin(); entry != table->value.entries.rend(); ++entry) {
    const auto named = [&](const auto& one) { return one.first == entry->key; };
    const auto value = std::find_if(values.begin(), values.end(), named);
    const auto old = std::find_if(before.begin(), before.end(), named);
    if (value == values.end()) continue;
    if (old != before.end() && value->second.as<quad>() == old->second.as<quad>()) continue;
    if (entry->value.kind != Value::Kind::number && !(formulas && entry->value.kind == Value::Kind::text)) continue;
    const std::size_t begin = document.offset(entry->value.place);
    out.replace(begin, document.end(entry->value) - begin, number_text(entry->value, value->second));
  }
  return out;
}

bool same_terms(const System& a, const System& b) {
  return a.coordinate_names() == b.coordinate_names() &&
         std::equal(a.terms().begin(), a.terms().end(), b.terms().begin(), b.terms().end(),
                    [](const auto& x, const auto& y) {
                      return x->role == y->role && x->name == y->name && x->sites == y->sites &&
                             x->row_count == y->row_count && x->slow == y->slow;
                    });
}

// What is not as the model has it; empty if all is.
std::string difference(const Model& found, const Model& wanted) {
  if (!same_terms(found.system, wanted.system)) return "other coordinates or terms";
  if (found.title != wanted.title || found.citation != wanted.citation) return "another title or citation";
  if ((found.span.rate == nullptr) != (wanted.span.rate == nullptr)) return "another rate";
  if (!std::equal(found.observers.begin(), found.observers.end(), wanted.observers.begin(), wanted.observers.end(),
                  [](const Observer& a, const Observer& b) { return a.name == b.name; }))
    return "other observers";
  const Settings values = present_values(found);
  for (const auto& [name, value] : present_values(wanted)) {
    const auto same =
        std::find_if(values.begin(), values.end(), [&key = name](const auto& one) { return one.first == key; });
    if (same == values.end() || same->second.as<quad>() != value.as<quad>())
      return "a parameter " + quoted(name) + " of " + value.text();
  }
  if (!same_start(wanted.system, found.start, wanted.start)) return "another start";
  const std::string key = other_key(found, wanted);
  return key.empty() ? key : "another " + key;
}

}  // namespace

std::string edited_text(const Model& model, const std::string& where) {
  std::string text = model.text;
  Model found = read_model_text(text, where);
  if (difference(found, model).empty()) return text;
  for (const bool formulas : {false, true}) {  // those that follow from others are left to do so, where they do
    text = with_values(text, found, model, formulas, where);
    found = read_model_text(text, where);
  }
  const auto rewrite = [&](const std::string& key, const std::string& table) {
    text = without_table(text, where, key);
    text += (text.empty() || text.back() == '\n' ? "" : "\n") + table;
  };
  if (!same_start(model.system, found.start, model.start)) rewrite("start", start_text(model, true));
  if (!other_key(found, model).empty()) rewrite("run", run_text(model));
  const std::string other = difference(read_model_text(text, where), model);
  if (!other.empty())
    throw InputError(
        where + ": cannot be written: found " + other +
        " than its text has; expected changes of numbers in [parameters], of the start and of keys of [run]");
  return text;
}

}  // namespace extremal
