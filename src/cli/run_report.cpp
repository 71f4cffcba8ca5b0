// How a run is told: as a summary or as JSON. Of its rows only the last is needed.
#include "cli/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/command.hpp"
#include "cli/remedies.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

// A double is a JSON number; more digits than a reader of JSON keeps are text. What is not finite is null.
Json value(double x) { return finite(x); }
Json value(long double x) { return math::finite(x) ? Json(to_text(x)) : Json(nullptr); }
Json value(quad x) { return math::finite(x) ? Json(to_text(x)) : Json(nullptr); }

template <class S>
Json last(const Run<S>& run, const std::string& name) {
  for (const Column<S>& column : run.columns)
    if (column.name == name && !column.values.empty()) return value(column.values.back());
  return nullptr;
}

template <class S>
Json last(const Run<S>& run, const std::vector<std::string>& names, const std::string& prefix) {
  Json all = Json::object();
  for (const std::string& name : names) all[name] = last(run, prefix + name);
  return all;
}

// The column of an observer, which has "observer:" before its name if a coordinate, say, or a kind of columns, as "v",
// is called so.
template <class S>
std::string observed(const Run<S>& run, const std::vector<Observer>& observers, std::size_t which) {
  std::string found, name = observers[which].name;
  const auto known = [&] {
    return std::any_of(run.columns.begin(), run.columns.end(), [&](const auto& column) { return column.name == name; });
  };
  for (int k = 0; k < 4; ++k, name.insert(0, "observer:"))
    if (known()) found = name;
  return found;
}

template <class S>
S largest(const Run<S>& run, const std::string& name) {
  for (const Column<S>& column : run.estimate_max)
    if (column.name == name) return column.values[0];
  return S(0);
}

// The largest artificial forces of all output steps [Muehlebach2016].
template <class S>
Json estimate(const Run<S>& run) {
  Json all = Json::object();
  for (const char* name : {"force", "velocity", "impulse", "jump"})
    all[name] = value(largest(run, std::string("error:") + name));
  for (const char* name : {"balance", "gap"}) all[name] = value(largest(run, name));
  return all;
}

template <class S>
Json as_json(const Run<S>& run, const System& system, const std::vector<Observer>& observers, double seconds) {
  Json dense = Json::object();
  for (const Column<S>& column : run.dense) {
    Json values = Json::array();
    for (const S& x : column.values) values.push_back(value(x));
    dense[column.name] = values;
  }
  Json momenta = Json::object();
  for (const Column<S>& column : run.momentum_error)
    momenta[column.name] = column.values.empty() ? Json(nullptr) : value(column.values.front());
  Json out = {
      {"model", run.model},
      {"scheme", run.scheme},
      {"step", value(run.step.template as<S>())},
      {"precision", run.precision},
      {"version", run.version},
      {"status", name(run.status)},
      {"reason", run.reason},
      {"steps", run.steps},
      {"newton", {{"mean", run.newton_mean}, {"max", run.newton_max}}},
      {"fallbacks", run.fallbacks},
      {"retries", run.retries},
      {"remedies", remedies_json(run.remedies)},
      {"singular", run.singular},
      {"seconds", seconds},
      {"final",
       {{"t", last(run, "t")},
        {"q", last(run, system.coordinate_names(), "")},
        {"v", last(run, system.coordinate_names(), "v:")},
        {"p", last(run, system.coordinate_names(), "p:")},
        {"lambda", last(run, system.constraint_names(), "lambda:")}}},
      {"energy",
       {{"initial", value(run.energy_initial)},
        {"max_error", value(run.energy_max_error)},
        {"supplied", value(run.supplied)},
        {"dissipated", value(run.dissipated)},
        {"drift_slope", value(run.drift.slope)},
        {"drift_slope_error", value(run.drift.slope_error)}}},
      {"constraint_max", value(run.constraint_max)},
      {"hidden_max", value(run.hidden_max)},
      {"momenta", momenta},
      {"notes", run.notes},
  };
  if (!run.dense.empty()) out["dense"] = dense;
  for (std::size_t k = 0; k < observers.size(); ++k)
    out["final"]["observed"][observers[k].name] = last(run, observed(run, observers, k));
  if (run.accuracy != nullptr) out["accuracy"] = Json::parse(run.accuracy->json());
  if (!run.estimate_max.empty()) out["error_estimate"] = estimate(run);
  return out;
}

// The end of the motion, short enough to read; --json and --csv have all of it.
template <class S>
std::string final_line(const Run<S>& run, const System& system, const std::vector<Observer>& observers) {
  constexpr std::size_t most = 6;
  std::string line;
  const auto& names = system.coordinate_names();
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    line +=
        fmt::format("{}{} = {:.10g}", i > 0 ? ", " : "", names[i], static_cast<double>(run.column(names[i]).back()));
  if (names.size() > most) line += fmt::format(", and {} more (--json)", names.size() - most);
  line = fmt::format("  at t = {:<7.6g} {}\n", static_cast<double>(run.column("t").back()), line);
  for (std::size_t k = 0; k < observers.size(); ++k)
    line += fmt::format("  {:<12} {:.10g}\n", observers[k].name,
                        static_cast<double>(run.column(observed(run, observers, k)).back()));
  return line;
}

}  // namespace

template <class S>
int report(Run<S>& run, const System& system, const std::vector<Observer>& observers, bool as_one_json,
           bool table_on_stdout, double seconds) {
  // A start that had to be changed is another start than the user asked for.
  if (std::max(run.consistency.position, run.consistency.momentum) > 1e-9)
    run.notes.push_back(
        fmt::format("the start was moved onto the constraints: q by at most {:.2g}, p by at most {:.2g}",
                    run.consistency.position, run.consistency.momentum));
  std::ostream& out = table_on_stdout ? std::cerr : std::cout;
  if (as_one_json) {
    std::cout << as_json(run, system, observers, seconds).dump(2) << "\n";
  } else {
    out << run.summary() << "\n" << final_line(run, system, observers);
    if (!run.estimate_max.empty())
      out << fmt::format(
          "  estimate     force {:.2g}, velocity {:.2g}, impulse {:.2g}, jump {:.2g} at most; energy balance {:.2g}\n",
          static_cast<double>(largest(run, "error:force")), static_cast<double>(largest(run, "error:velocity")),
          static_cast<double>(largest(run, "error:impulse")), static_cast<double>(largest(run, "error:jump")),
          static_cast<double>(largest(run, "balance")));
  }
  switch (run.status) {
    case Status::complete:
      return complete;
    case Status::suspect:
    case Status::failed:
      return failed;
    case Status::interrupted:
      return interrupted;
  }
  return failed;
}

template int report(Run<double>&, const System&, const std::vector<Observer>&, bool, bool, double);
template int report(Run<long double>&, const System&, const std::vector<Observer>&, bool, bool, double);
template int report(Run<quad>&, const System&, const std::vector<Observer>&, bool, bool, double);

}  // namespace extremal::cli
