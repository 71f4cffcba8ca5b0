#include "import/text.hpp"

#include <cstdio>

#include "bodies/quaternion.hpp"

namespace extremal::robots {

std::string digits(quad x, quad size) {
  if (math::abs(x) < quad(1e-30) * size) return "0";
  std::string brief = to_text(static_cast<double>(x));
  quad back = 0;
  if (from_text(brief, back) && math::abs(back - x) <= quad(1e-30) * math::max(size, math::abs(x))) return brief;
  return to_text(x);
}

std::string brief(quad x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", static_cast<double>(x));
  return text;
}

std::string in_quotes(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c == '{' ? '(' : c == '}' ? ')' : static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
  }
  return all + "\"";
}

std::array<quad, 4> quaternion_of(const Directors& d) {
  const auto vec = [](const Triple& x) { return lie::Vec3<quad>{x[0], x[1], x[2]}; };
  const auto q = lie::from_columns(lie::Columns<quad>{vec(d[0]), vec(d[1]), vec(d[2])});
  return {q.w, q.x, q.y, q.z};
}

std::string turned_key(const Directors& d) {
  if (d == no_rotation) return {};
  bool plain = true;
  for (const Triple& column : d)
    for (const quad x : column) plain = plain && (x == 0 || x == 1 || x == -1);
  if (!plain) return "quaternion = " + in_brackets(quaternion_of(d)) + "\n";
  std::array<quad, 9> rows;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) rows[3 * i + j] = d[j][i];
  return "matrix = " + in_brackets(rows) + "\n";
}

}  // namespace extremal::robots
