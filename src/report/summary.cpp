#include "report/summary.hpp"

#include <algorithm>
#include <cmath>

namespace extremal::report {
namespace {

// Numbers with all their digits stay text: a double would lose those of a run in quad.
Json figure(const std::string& text) {
  const double x = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(x)) return text;
  constexpr std::size_t digits_of_a_double = 18;
  const auto digits = std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return static_cast<std::size_t>(digits) <= digits_of_a_double + 3 ? Json(x) : Json(text);
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::fabs(x));
  return most;
}

void whole_number(Json& summary, const Archive& archive, const char* name) {
  if (const std::string& text = archive.attribute(name); !text.empty()) summary[name] = std::stoll(text);
}

}  // namespace

Json summary_of(const Model& model, const Scheme& scheme, const Table& table, std::vector<std::string>& notes) {
  const Archive& archive = table.archive();
  Json summary = Json::object();
  if (table.rows() == 0) return summary;
  // Written at the end of a run; without it the rows tell, which is less: a peak between two outputs is not in them.
  const bool finished = !archive.attribute("energy_max_error").empty();
  if (!finished)
    notes.emplace_back("the largest values are those of the output times: the run has not come to its end");
  const auto of = [&](const char* attribute, auto from_rows) {
    return finished ? figure(archive.attribute(attribute)) : number(from_rows());
  };
  Json energy = {{"initial", of("energy_initial", [&] { return archive.column("energy").front(); })}, {"unit", "J"}};
  const bool worked = table.has("work");
  energy["max_error"] =
      of("energy_max_error", [&] { return largest(worked ? table.change("energy", "work") : table.change("energy")); });
  Json more = Json::array();
  if (worked && finished)
    for (const char* part : {"supplied", "dissipated"})
      more.push_back({{"name", std::string("Energy ") + part},
                      {"value", figure(archive.attribute(std::string("energy_") + part))},
                      {"unit", "J"}});
  if (finished)
    summary["drift"] = {{"slope", figure(archive.attribute("drift_slope"))},
                        {"slope_error", figure(archive.attribute("drift_slope_error"))}};
  summary["energy"] = energy;
  if (!table.names("lambda").empty())
    summary["constraints"] = {{"max", of("constraint_max", [&] { return largest(table.column("constraint")); })},
                              {"hidden_max", of("hidden_max", [&] { return largest(table.column("hidden")); })}};
  Json momenta = Json::array();
  for (const std::string& name : table.names("momentum")) {
    const std::string label = name.substr(name.find(':') + 1), attribute = "momentum_error:" + label;
    momenta.push_back(
        {{"name", label}, {"max_error", of(attribute.c_str(), [&] { return largest(table.change(name)); })}});
  }
  if (!momenta.empty()) summary["momenta"] = momenta;
  if (finished && archive.attribute("newton_max") != "0")
    summary["newton"] = {{"mean", figure(archive.attribute("newton_mean"))},
                         {"max", figure(archive.attribute("newton_max"))}};
  for (const char* name : {"fallbacks", "retries", "singular"}) whole_number(summary, archive, name);
  if (const std::string& remedies = archive.attribute("remedies"); !remedies.empty()) notes.push_back(remedies);
  const std::string& seconds = archive.attribute("seconds");
  if (finished && !seconds.empty()) {
    const double taken = std::stod(seconds), steps = std::stod(archive.attribute("steps"));
    summary["timing"] = {{"seconds", taken}};
    if (taken > 0) summary["timing"]["steps_per_second"] = std::round(steps / taken);
  }
  summary["laws"] = laws_of(model, scheme, table);
  if (!more.empty()) summary["more"] = more;
  return summary;
}

}  // namespace extremal::report
