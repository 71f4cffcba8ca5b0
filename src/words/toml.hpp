// Texts and lists as TOML has them, for those who write model files.
#pragma once

#include <string>

namespace extremal {

inline std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

template <class List, class Text>
std::string toml_list(const List& list, const Text& text) {
  std::string out = "[";
  for (const auto& item : list) out += (out.size() > 1 ? ", " : "") + text(item);
  return out + "]";
}

}  // namespace extremal
