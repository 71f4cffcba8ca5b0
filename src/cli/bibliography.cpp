#include "cli/bibliography.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace extremal::cli {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Accents, dashes and quotes of TeX as characters; braces that only guard capitals are left out.
std::string plain(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"{\\'a}", "á"}, {"{\\'e}", "é"}, {"{\\'o}", "ó"}, {"{\\\"a}", "ä"}, {"{\\\"o}", "ö"}, {"{\\\"u}", "ü"},
      {"{\\ss}", "ß"}, {"---", "—"},    {"--", "–"},     {"``", "“"},      {"''", "”"},      {"~", " "}};
  for (const auto& [from, to] : signs) replace_all(text, from, to);
  std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  return text;
}

// The position behind the brace that closes the one at `open`.
std::size_t closed(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  throw std::logic_error("references.bib: a brace is not closed");
}

// What stands in braces after `name =`; nothing if the entry has no such field.
std::string field(const std::string& entry, const std::string& name) {
  for (const char before : {' ', '\n'}) {
    const std::size_t at = entry.find(before + name + " = {");
    if (at == std::string::npos) continue;
    const std::size_t open = entry.find('{', at);
    return plain(entry.substr(open + 1, closed(entry, open) - open - 2));
  }
  return {};
}

// "Man, Shumin and Gao, Qiang" as "Man, Shumin; Gao, Qiang".
std::string authors(const std::string& entry) {
  std::string all = field(entry, "author");
  replace_all(all, " and ", "; ");
  return all;
}

std::string described(const std::string& entry) {
  std::string text = authors(entry) + ": " + field(entry, "title");
  const auto add = [&](const std::string& before, const std::string& name) {
    if (const std::string value = field(entry, name); !value.empty()) text += before + value;
  };
  add(". In: ", "booktitle");
  add(", edition ", "edition");
  add(". ", "journal");
  add(" ", "volume");
  add("/", "number");
  add(", ", "pages");
  add(". ", "publisher");
  add(", ", "year");
  return text;
}

std::vector<Reference> read() {
  std::vector<Reference> all;
  const std::string file(references);
  for (std::size_t at = file.find('@'); at != std::string::npos; at = file.find('@', at)) {
    const std::size_t open = file.find('{', at), end = closed(file, open);
    const std::string entry = file.substr(at, end - at);
    const std::size_t key = open - at + 1;
    all.push_back({entry.substr(key, entry.find(',') - key), described(entry), entry});
    at = end;
  }
  return all;
}

}  // namespace

const std::vector<Reference>& bibliography() {
  static const std::vector<Reference> all = read();
  return all;
}

std::vector<const Reference*> cited(const std::string& citation) {
  std::vector<const Reference*> found;
  for (std::size_t begin = 0; begin < citation.size();) {
    const std::size_t end = std::min(citation.find(',', begin), citation.size());
    std::string key = citation.substr(begin, end - begin);
    std::erase(key, ' ');
    const auto entry =
        std::find_if(bibliography().begin(), bibliography().end(), [&](const Reference& r) { return r.key == key; });
    if (entry == bibliography().end()) throw std::logic_error("references.bib: there is no " + key);
    found.push_back(&*entry);
    begin = end + 1;
  }
  return found;
}

}  // namespace extremal::cli
