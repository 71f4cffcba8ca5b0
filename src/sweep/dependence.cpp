#include "sweep/dependence.hpp"

#include "system/grammar.hpp"

namespace extremal::sweep {
namespace {

using Value = Document::Value;
using Names = std::set<std::string>;

// Every word, be it a parameter or not.
void words_of(std::string_view text, Names& into) {
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t begin = k;
    while (k < text.size() && lexical::is_word(text[k])) ++k;
    if (k > begin)
      into.emplace(text.substr(begin, k - begin));
    else
      ++k;
  }
}

void all_words_of(const Value& value, Names& into) {
  if (value.kind == Value::Kind::text) words_of(value.text, into);
  for (const Value& item : value.items) all_words_of(item, into);
  for (const Document::Entry& entry : value.entries) all_words_of(entry.value, into);
}

void braces_of(const std::string& text, Names& into) {
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1))
    words_of(std::string_view(text).substr(open, text.find('}', open) - open), into);
}

void structure_of(const Value& value, Names& into) {
  if (value.kind == Value::Kind::text) braces_of(value.text, into);
  for (const Value& item : value.items) structure_of(item, into);
  for (const Document::Entry& entry : value.entries) {
    braces_of(entry.key, into);
    if (entry.key == "repeat")
      all_words_of(entry.value, into);
    else
      structure_of(entry.value, into);
  }
}

// What a parameter reaches is reached by those that it is computed from.
void follow(const Value& parameters, Names& names) {
  for (std::size_t before = 0; before != names.size();) {
    before = names.size();
    for (const Document::Entry& entry : parameters.entries)
      if (names.contains(entry.key)) all_words_of(entry.value, names);
  }
}

}  // namespace

Dependence::Dependence(const Document& model) {
  const Value* parameters = nullptr;
  for (const Document::Entry& entry : model.root().entries) {
    if (entry.key == "parameters") parameters = &entry.value;
    structure_of(entry.value, structure);
    // [[coordinates]] have starts of their own.
    if (entry.key == "start" || entry.key == "coordinates") all_words_of(entry.value, start);
    if (entry.key == "run") all_words_of(entry.value, run);
  }
  if (parameters == nullptr) return;
  for (Names* names : {&start, &run, &structure}) follow(*parameters, *names);
}

}  // namespace extremal::sweep
