#include "cli/sweep_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <limits>

#include "archive/sweep_archive.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"
#include "extremal/error.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

using namespace sweep;

struct Counts {
  std::uint64_t complete = 0, suspect = 0, failed = 0, refused = 0, pending = 0;
};

Counts count(const std::vector<Outcome>& outcomes) {
  const auto of = [&](Outcome outcome) {
    return static_cast<std::uint64_t>(std::count(outcomes.begin(), outcomes.end(), outcome));
  };
  return {of(Outcome::complete), of(Outcome::suspect), of(Outcome::failed), of(Outcome::refused), of(Outcome::pending)};
}

// The run with the largest value, among those that have one.
struct Largest {
  double value = -1;
  std::uint64_t run = 0;
};

Largest largest(const std::vector<double>& values, const std::vector<Outcome>& outcomes) {
  Largest most;
  for (std::uint64_t k = 0; k < values.size(); ++k)
    if (outcomes[k] == Outcome::complete && values[k] > most.value) most = {values[k], k};
  return most;
}

const char* word(Outcome outcome) {
  switch (outcome) {
    case Outcome::pending:
      return "pending";
    case Outcome::complete:
      return "complete";
    case Outcome::suspect:
      return "suspect";
    case Outcome::failed:
      return "failed";
    case Outcome::refused:
      return "refused";
  }
  return "";
}

// A value of what is varied; of schemes their name.
std::string shown(const std::string& name, double value, const std::vector<std::string>& schemes) {
  if (name == "scheme")
    return value >= 0 && value < static_cast<double>(schemes.size()) ? schemes[static_cast<std::size_t>(value)] : "?";
  return fmt::format("{:.10g}", value);
}

std::string described(const Json& axis) {
  const auto values = axis.at("values").get<std::vector<std::string>>();
  const auto kind = static_cast<Axis::Kind>(axis.at("kind").get<int>());
  if (kind != Axis::Kind::list && values.size() < 2)
    throw InputError("JSON: found " + std::to_string(values.size()) + " values of an axis; expected two");
  switch (kind) {
    case Axis::Kind::grid:
      return fmt::format("{} to {}, {} values{}", values[0], values[1], axis.at("count").get<std::uint64_t>(),
                         axis.at("log").get<bool>() ? " of equal ratio" : "");
    case Axis::Kind::uniform:
      return fmt::format("uniform from {} to {}", values[0], values[1]);
    case Axis::Kind::normal:
      return fmt::format("normal, mean {}, standard deviation {}", values[0], values[1]);
    case Axis::Kind::list:
      break;
  }
  constexpr std::size_t most = 8;
  return fmt::format(
      "{}{}",
      fmt::join(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), most)), ", "),
      values.size() > most ? fmt::format(", and {} more", values.size() - most) : "");
}

// What the sweep was asked for, from the archive: all of it is read before the first word is said.
struct Identity {
  std::vector<std::string> schemes = {};
  std::vector<std::pair<std::string, std::string>> varied = {};  // what, and how
};

Identity read_identity(const SweepArchive& archive, const std::string& path) {
  try {
    const Json given = Json::parse(archive.attribute("identity"));
    Identity identity{.schemes = given.at("schemes").get<std::vector<std::string>>()};
    for (const Json& axis : given.at("axes"))
      identity.varied.emplace_back(axis.at("name").get<std::string>(), described(axis));
    return identity;
  } catch (const InputError& error) {
    throw InputError(path + ": the attribute identity cannot be read (" + error.what() +
                     "); expected what extremal sweep writes");
  }
}

void print_json(const SweepArchive& archive, const std::string& path, const Identity& identity, const SweepView& view) {
  const Counts counts = count(archive.outcomes());
  const Largest energy = largest(archive.field(energy_max_error), archive.outcomes());
  Json varied = Json::object();
  for (const auto& [what, how] : identity.varied) varied[what] = how;
  Json failures = Json::array();
  for (const auto& [run, message] : archive.messages()) {
    if (failures.size() == 100) break;
    failures.push_back({{"run", run}, {"message", message}});
  }
  const bool any = counts.complete > 0;
  Json out = {{"archive", path},
              {"model", archive.attribute("model")},
              {"schemes", identity.schemes},
              {"precision", archive.attribute("precision")},
              {"status", archive.status()},
              {"runs", archive.size()},
              {"complete", counts.complete},
              {"suspect", counts.suspect},
              {"failed", counts.failed},
              {"refused", counts.refused},
              {"pending", counts.pending},
              {"varied", varied},
              {"rows", archive.rows()},
              {"columns", archive.columns()},
              {"energy_max_error", any ? finite(energy.value) : Json(nullptr)},
              {"worst_run", any ? Json(energy.run) : Json(nullptr)},
              {"failures", failures}};
  if (view.computed) out["computed"] = *view.computed;
  std::cout << out.dump(2) << "\n";
}

void print(const SweepArchive& archive, const std::string& path, const Identity& identity) {
  const Counts counts = count(archive.outcomes());
  const auto line = [](const std::string& what, const std::string& text) {
    std::cout << fmt::format("  {:<12} {}\n", what, text);
  };
  const auto& schemes = identity.schemes;
  std::cout << fmt::format("{}: {} runs of {} by {} in {}: {}\n", path, archive.size(), archive.attribute("model"),
                           schemes.size() == 1 ? schemes[0] : fmt::format("{} schemes", schemes.size()),
                           archive.attribute("precision"), archive.status());
  for (const auto& [what, how] : identity.varied) line(what, how);
  std::string said = fmt::format("{} complete, {} failed", counts.complete, counts.failed);
  if (counts.suspect > 0) said += fmt::format(", {} suspect", counts.suspect);
  if (counts.refused > 0) said += fmt::format(", {} refused", counts.refused);
  if (counts.pending > 0) said += fmt::format(", {} to do", counts.pending);
  line("runs", said);
  if (counts.pending > 0 && archive.status() != "running") line("next", "extremal resume " + path);
  if (counts.complete > 0) {
    const Largest energy = largest(archive.field(energy_max_error), archive.outcomes());
    line("energy", fmt::format("error at most {:.3g}, in run {}", energy.value, energy.run));
    const double newton = largest(archive.field(newton_mean), archive.outcomes()).value;
    if (newton >= 0) line("newton", fmt::format("{:.2f} iterations a step at most", newton));
  }
  int told = 0;
  for (const auto& [run, message] : archive.messages()) {
    if (++told > 3) break;
    line(fmt::format("run {}", run), message);
  }
  if (archive.messages().size() > 3) line("", fmt::format("and {} more", archive.messages().size() - 3));
}

// The first runs: what they are and where they end.
void print_table(const SweepArchive& archive, const Identity& identity) {
  constexpr std::uint64_t most_runs = 12;
  constexpr std::size_t most_columns = 3;
  const std::size_t varied = archive.varied().size();
  const BlockResult first = archive.read(0, std::min(archive.size(), most_runs));
  std::vector<std::string> head = {"run"};
  head.insert(head.end(), archive.varied().begin(), archive.varied().end());
  head.insert(head.end(), {"status", "steps", "energy error"});
  const std::size_t columns = std::min(archive.columns().size(), most_columns);
  head.insert(head.end(), archive.columns().begin(), archive.columns().begin() + static_cast<std::ptrdiff_t>(columns));
  Table table(head);
  const auto& schemes = identity.schemes;
  for (std::uint64_t run = 0; run < first.count; ++run) {
    const double* numbers = first.numbers.data() + run * first.width();
    const bool pending = archive.outcomes()[run] == Outcome::pending;
    const auto cell = [&](double x, const char* format) {
      return pending || !math::finite(x) ? std::string("-") : fmt::format(fmt::runtime(format), x);
    };
    std::vector<std::string> cells = {std::to_string(run)};
    for (std::size_t k = 0; k < varied; ++k)
      cells.push_back(pending ? "-" : shown(archive.varied()[k], numbers[field_count + k], schemes));
    cells.emplace_back(word(archive.outcomes()[run]));
    cells.push_back(cell(numbers[steps], "{:.0f}"));
    cells.push_back(cell(numbers[energy_max_error], "{:.3g}"));
    const auto last = static_cast<std::size_t>(std::max(1.0, pending ? 1.0 : numbers[row_count])) - 1;
    for (std::size_t c = 0; c < columns; ++c)
      cells.push_back(cell(numbers[field_count + varied + last * archive.columns().size() + c], "{:.8g}"));
    table.row(cells);
  }
  std::cout << "\n" << table.text("  ");
  if (archive.size() > most_runs) std::cout << fmt::format("  and {} more\n", archive.size() - most_runs);
}

}  // namespace

int report_sweep(const std::string& path, const SweepView& view) {
  const SweepArchive archive = SweepArchive::open(path);
  const Identity identity = read_identity(archive, path);
  if (view.json) {
    print_json(archive, path, identity, view);
  } else {
    print(archive, path, identity);
    if (view.table) print_table(archive, identity);
  }
  const Counts counts = count(archive.outcomes());
  if (counts.pending > 0) return interrupted;
  return counts.complete > 0 ? complete : failed;
}

}  // namespace extremal::cli
