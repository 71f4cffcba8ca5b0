// Table: rows of text in aligned columns.
//
//   Table table({"scheme", "order"});
//   table.row({"rattle", "2"});
//   std::cout << table.text();
#pragma once

#include <string>
#include <vector>

namespace extremal::cli {

class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text(std::string_view indent = "") const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace extremal::cli
