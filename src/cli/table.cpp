#include "cli/table.hpp"

#include <algorithm>

namespace extremal::cli {
namespace {

// Characters, not bytes: UTF-8 continues a character with bytes 10xxxxxx.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string Table::text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string all;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - width(row[i]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
    if (&row == &rows_.front()) {
      std::string rule(indent);
      for (std::size_t w : widths) rule += std::string(w, '-') + "  ";
      rule.erase(rule.find_last_not_of(' ') + 1);
      all += rule + "\n";
    }
  }
  return all;
}

}  // namespace extremal::cli
