#include "archive/names.hpp"

#include <fmt/format.h>

namespace extremal {
namespace {

constexpr std::size_t longest_name = 200;  // of netCDF's 256: there is room for what is put behind it

bool is_plain(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// How many bytes at this place are a letter of UTF-8 that is the same in all its normal forms: netCDF normalises names,
// after which two of them may be one. Letters of Europe and Chinese characters; others are written as bytes.
std::size_t letter(const std::string& name, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < name.size() ? static_cast<unsigned char>(name[at + k]) : 0U;
  };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  const bool two = (first >= 0xC3U && first <= 0xCBU) || (first >= 0xCEU && first <= 0xD4U);
  if (two && follows(1) && !(first == 0xCEU && byte(1) == 0x87U)) return 2;
  if (first >= 0xE4U && first <= 0xE9U && follows(1) && follows(2)) return 3;
  return 0;
}

std::string readable(const std::string& name) {
  std::string out;
  for (std::size_t at = 0; at < name.size() && out.size() < longest_name;) {
    const auto c = static_cast<unsigned char>(name[at]);
    const bool inside = at > 0 && at + 1 < name.size();
    std::size_t length = letter(name, at);
    if (is_plain(c) || (!out.empty() && (c == '-' || c == '.' || c == '+')) || (inside && c == ' ')) length = 1;
    if (length > 0)
      out += name.substr(at, length);
    else if (c == ':')
      out += '_';
    else
      out += fmt::format("@{:02X}", c);
    at += std::max<std::size_t>(1, length);
  }
  while (out.ends_with(' ')) out.pop_back();  // where it was cut off
  if (out.empty() || out.front() == '@') out.insert(out.begin(), '_');
  return out;
}

}  // namespace

std::set<std::string> reserved_names() {
  return {"coordinate", "constraint", "symmetry", "joint_angle", "joint_length", "joint", "body", "xyz", "wxyz",
          "force_component", "torque_component", "torque_motor", "force_motor", "checkpoint", "resume",
          // of sweeps
          "run", "row", "varied", "value", "scheme_name", "failure", "failed_run", "message", "status", "row_count",
          "steps", "newton_mean", "newton_max", "fallbacks", "retries", "singular", "energy_max_error",
          "constraint_max", "hidden_max",
          // of CDL
          "byte", "char", "short", "int", "long", "float", "real", "double", "ubyte", "ushort", "uint", "int64",
          "uint64", "string", "enum", "opaque", "compound", "types", "dimensions", "variables", "data", "group",
          "unlimited", "UNLIMITED", "infinity", "Infinity", "inf", "nan", "NaN", "NIL"};
}

std::string stored_name(const std::string& name, std::set<std::string>& taken) {
  const std::string wished = readable(name);
  std::string found = wished;
  const auto is_taken = [&] {
    for (const char* part : part_suffixes)
      if (taken.contains(found + part)) return true;
    return false;
  };
  for (int k = 2; is_taken(); ++k) found = wished + "_" + std::to_string(k);
  for (const char* part : part_suffixes) taken.insert(found + part);
  return found;
}

}  // namespace extremal
