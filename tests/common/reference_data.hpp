// Reference data: the files of tests/data, and numbers from them with all their digits.
//
//   for (const Json& state : reference_data("end-states.json", "states"))
//     std::vector<quad> q = quads(state["q"]);                // numbers are decimal text
//   for (const auto& row : reference_rows("wenger-orders.csv")) row[0];
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "extremal/scalar.hpp"
#include "places.hpp"

namespace extremal::papers {

using Json = nlohmann::json;

inline std::ifstream open_reference(const std::string& file) {
  std::ifstream in(std::string(places::data) + "/" + file);
  if (!in) throw std::runtime_error(file + ": not found in " + std::string(places::data));
  return in;
}

// What stands under `key`, by value: it may be the range of a loop.
inline Json reference_data(const std::string& file, const std::string& key) {
  std::ifstream in = open_reference(file);
  return Json::parse(in).at(key);
}

// The lines of a table, split into cells; lines that start with # and the line of titles are left out.
inline std::vector<std::vector<std::string>> reference_rows(const std::string& file, char separator = ',') {
  std::ifstream in = open_reference(file);
  std::vector<std::vector<std::string>> rows;
  bool titled = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (!titled) {
      titled = true;
      continue;
    }
    std::vector<std::string> row;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, separator);) row.push_back(cell);
    rows.push_back(std::move(row));
  }
  return rows;
}

inline quad quad_of(const std::string& text) {
  quad x;
  if (!from_text(text, x)) throw std::runtime_error(text + ": not a number");
  return x;
}

inline std::vector<quad> quads(const Json& texts) {
  std::vector<quad> all;
  for (const Json& text : texts) all.push_back(quad_of(text.get<std::string>()));
  return all;
}

}  // namespace extremal::papers
