#include "file/tables.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "formula/parser.hpp"
#include "system/table.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Value = Document::Value;
using Kind = Value::Kind;

constexpr std::size_t most_points = 200000;

struct TablePoints {
  std::vector<quad> x, y;
};

std::vector<std::string> cells(const std::string& line) {
  const bool marks = line.find_first_of(",;\t") != std::string::npos;
  std::vector<std::string> all;
  std::string cell;
  const auto done = [&] {
    const std::size_t first = cell.find_first_not_of(" \"\r"), last = cell.find_last_not_of(" \"\r");
    all.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    cell.clear();
  };
  for (const char c : line) {
    const bool mark = marks ? c == ',' || c == ';' || c == '\t' : c == ' ';
    if (!mark)
      cell += c;
    else if (marks || !cell.empty())
      done();
  }
  if (marks || cell.find_first_not_of(" \r") != std::string::npos) done();
  return all;
}

bool is_number(const std::string& cell, quad& x) {
  const bool plus = !cell.empty() && cell[0] == '+';
  return from_text(std::string_view(cell).substr(plus ? 1 : 0), x) && math::finite(static_cast<double>(x));
}

// A file of columns, with or without a line of their names; lines that begin with # are none.
class CsvPoints {
 public:
  CsvPoints(Fields& table, const Value& file) : table_(table), scope_(table.scope()), file_(file) {
    name_ = scope_.text(file);
    path_ = std::filesystem::path(scope_.document().name()).parent_path() / name_;
  }

  TablePoints read() {
    std::error_code error;
    const auto size = std::filesystem::file_size(path_, error);
    std::ifstream in(path_);
    if (error || !in || !std::filesystem::is_regular_file(path_))
      scope_.refuse(file_, "found no file " + extremal::quoted(name_) + " beside the model; expected a table in CSV");
    if (size > Document::size_limit)
      scope_.refuse(file_, "found a file of " + std::to_string(size) + " bytes; expected at most " +
                               std::to_string(Document::size_limit));
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      if (line.find_first_not_of(" \r") == std::string::npos || line[line.find_first_not_of(' ')] == '#') continue;
      take(cells(line), number);
    }
    return std::move(points_);
  }

 private:
  void take(const std::vector<std::string>& row, int number) {
    quad x;
    if (!begun_) {
      begun_ = true;
      const bool header =
          std::none_of(row.begin(), row.end(), [&](const std::string& cell) { return is_number(cell, x); });
      first_ = column("x", row, header, 0);
      second_ = column("y", row, header, 1);
      if (header) return;
    }
    for (auto [index, into] : {std::pair{first_, &points_.x}, {second_, &points_.y}}) {
      if (index >= row.size() || !is_number(row[index], x))
        scope_.refuse(file_, name_ + ":" + std::to_string(number) + ": found " +
                                 (index < row.size() ? extremal::quoted(one_line(row[index], 40))
                                                     : std::to_string(row.size()) + " columns") +
                                 "; expected a number in column " + std::to_string(index + 1));
      into->push_back(x);
    }
    if (points_.x.size() > most_points)
      scope_.refuse(file_, "found more than " + std::to_string(most_points) + " points; expected less");
  }

  // By its name in the header, or by its number from 1.
  std::size_t column(const char* key, const std::vector<std::string>& row, bool header, std::size_t otherwise) {
    const Value* said = table_.find(key);
    if (said == nullptr) return otherwise;
    if (said->kind == Kind::number) return static_cast<std::size_t>(scope_.integer(*said, 1, 100000)) - 1;
    const std::string wanted = scope_.text(*said);
    const auto found = std::find(row.begin(), row.end(), wanted);
    if (!header) scope_.refuse(*said, "found no names of columns in " + name_ + "; expected the number of one, from 1");
    if (found == row.end()) scope_.refuse(*said, unknown("column", wanted, row));
    return static_cast<std::size_t>(found - row.begin());
  }

  Fields& table_;
  Scope& scope_;
  const Value& file_;
  std::string name_;
  std::filesystem::path path_;
  bool begun_ = false;
  std::size_t first_ = 0, second_ = 1;
  TablePoints points_;
};

TablePoints given_points(Scope& scope, const Value& list) {
  if (list.kind != Kind::list) scope.refuse(list, "found " + list.words() + "; expected points; e.g. [[0, 0], [1, 2]]");
  TablePoints out;
  for (const Value& item : list.items) {
    const std::vector<Number> pair = item.kind == Kind::list ? scope.numbers(item) : std::vector<Number>{};
    if (pair.size() != 2) scope.refuse(item, "found " + item.words() + "; expected a point of two numbers");
    out.x.push_back(pair[0].as<quad>());
    out.y.push_back(pair[1].as<quad>());
  }
  return out;
}

}  // namespace

FormulaTables read_tables(Fields& top) {
  const Value* tables = top.find("tables");
  FormulaTables all;
  if (tables == nullptr) return all;
  Scope& scope = top.scope();
  if (tables->kind != Kind::table) scope.refuse(*tables, "found " + tables->words() + "; expected a table [tables]");
  for (const Document::Entry& entry : tables->entries) {
    if (!is_formula_name(entry.key))
      scope.document().refuse(entry.place, "found a table " + extremal::quoted(entry.key) +
                                               "; expected letters, digits and _, and not the name of a function");
    Fields one(scope, entry.value, "tables." + entry.key);
    const Value *file = one.find("file"), *points = one.find("points");
    if ((file == nullptr) == (points == nullptr)) one.refuse("found neither or both of file and points; expected one");
    const TablePoints found = file != nullptr ? CsvPoints(one, *file).read() : given_points(scope, *points);
    const Between between = one.one_of("between", {"linear", "cubic"}, false) == 1 ? Between::cubic : Between::linear;
    one.finish();
    all[entry.key] = Fields::placed_at(scope, entry.value, [&] { return table_handle(found.x, found.y, between); });
  }
  return all;
}

}  // namespace extremal
