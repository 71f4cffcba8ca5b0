#include "cli/show_archive.hpp"

#include <fmt/format.h>

#include <iostream>

#include "extremal/archive.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

// As texts: numbers of a run in quad have more digits than a reader of JSON keeps.
constexpr const char* told_attributes[] = {
    "model",   "scheme",  "step",    "until",          "pattern",          "pace",  "precision",      "status",
    "reason",  "steps",   "seconds", "energy_initial", "energy_max_error", "notes", "constraint_max", "hidden_max",
    "version", "created", "command", "remedies"};

// ["1","1.5","0.5"] as 1, 1.5, 0.5; nothing of steps that are all alike.
std::string pattern_text(const std::string& list) {
  std::string text;
  for (const Json& part : Json::parse(list.empty() ? "[]" : list))
    text += (text.empty() ? " times " : ", ") + part.get<std::string>();
  return text;
}

void print_archive(const Archive& archive, const std::string& path) {
  const auto line = [](const char* what, const std::string& text) {
    if (!text.empty()) std::cout << fmt::format("  {:<12} {}\n", what, text);
  };
  const auto of = [&](const char* name) { return archive.attribute(name); };
  std::cout << fmt::format("{}: a run of {} by {}, step {}{}, until {}, in {}: {}\n", path, of("model"), of("scheme"),
                           of("step"), pattern_text(of("pattern")), of("until"), of("precision"), archive.status());
  line("", of("reason"));
  const std::size_t rows = archive.rows();
  line("rows", rows == 0 ? "none" : fmt::format("{}, up to t = {:.8g}", rows, archive.column("t").back()));
  std::string columns;
  constexpr std::size_t most = 12;
  const auto& all = archive.columns();
  for (std::size_t k = 0; k < std::min(all.size(), most); ++k) columns += (k > 0 ? ", " : "") + all[k].name;
  if (all.size() > most) columns += fmt::format(", and {} more (--json)", all.size() - most);
  line("columns", columns);
  if (!of("energy_max_error").empty())
    line("energy", fmt::format("{:.10g}, error at most {:.3g}", Number(of("energy_initial")).as<double>(),
                               Number(of("energy_max_error")).as<double>()));
  line("remedies", of("remedies"));
  line("made", of("created") + " by extremal " + of("version"));
  line("command", of("command"));
  if (archive.unfinished()) line("next", "extremal resume " + path);
}

}  // namespace

void show_archive(const std::string& path, bool as_json) {
  const Archive archive = Archive::open(path);
  if (!as_json) return print_archive(archive, path);
  Json out = {{"archive", path}};
  for (const char* name : told_attributes) out[name] = archive.attribute(name);
  out["status"] = archive.status();
  out["rows"] = archive.rows();
  Json columns = Json::array();
  for (const ColumnInfo& column : archive.columns()) columns.push_back(column.name);
  out["columns"] = columns;
  std::cout << out.dump(2) << "\n";
}

}  // namespace extremal::cli
