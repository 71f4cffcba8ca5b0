// Whether a text is well-formed XML, as far as our SVG files use it: elements that nest and close, quoted attributes,
// and no bare < or &.
#pragma once

#include <cctype>
#include <string>
#include <vector>

namespace extremal {

// Empty if it is; otherwise what is wrong.
inline std::string xml_mistake(const std::string& text) {
  std::vector<std::string> open;
  bool rooted = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      bool known = false;
      for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;"})
        known = known || text.compare(i, std::string(entity).size(), entity) == 0;
      if (!known) return "a bare &";
    }
    if (text[i] != '<') {
      if (open.empty() && !std::isspace(static_cast<unsigned char>(text[i]))) return "text outside of the root";
      ++i;
      continue;
    }
    // The end of the tag: a > outside of quotes.
    std::size_t end = i + 1;
    bool quoted = false;
    for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "< inside of a tag";
    }
    if (end == text.size()) return "a tag that does not end";
    const std::string tag = text.substr(i + 1, end - i - 1);
    i = end + 1;
    if (tag.starts_with("?")) continue;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return "</" + tag.substr(1) + "> closes nothing";
      open.pop_back();
      continue;
    }
    if (open.empty() && rooted) return "a second root";
    rooted = true;
    for (std::size_t at = tag.find('='); at != std::string::npos; at = tag.find('=', at)) {
      const std::size_t begin = tag.find('"', at);
      if (begin != at + 1) return "an attribute without quotes: " + tag;
      at = tag.find('"', begin + 1);
      if (at == std::string::npos) return "an attribute that does not end: " + tag;
    }
    if (!tag.ends_with("/")) open.push_back(tag.substr(0, tag.find_first_of(" \n")));
  }
  if (!rooted) return "no element";
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace extremal
