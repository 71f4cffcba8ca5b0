#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "check/probe.hpp"

namespace extremal {

bool Certificate::holds() const {
  return std::all_of(laws.begin(), laws.end(), [](const Law& law) { return !law.fails(); });
}

std::string Certificate::text() const {
  std::vector<std::array<std::string, 6>> rows{{"law", "declared", "measured", "defect", "floor", ""}};
  std::string failed, open;
  for (const Law& law : laws) {
    rows.push_back({law.name, law.declared, law.measured, fmt::format("{:.1e}", law.defect),
                    fmt::format("{:.1e}", law.floor),
                    law.fails()      ? "fails"
                    : law.measurable ? ""
                                     : "open"});
    if (law.fails()) failed += (failed.empty() ? "" : ", ") + law.name;
    if (!law.measurable) open += (open.empty() ? "" : ", ") + law.name;
  }
  std::array<std::size_t, 6> width{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  std::string out = fmt::format("{}, {} ({})\n", model, scheme, precision);
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}", row[i], width[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  for (const std::string& note : notes) out += "note: " + note + "\n";
  if (!open.empty()) out += "not measurable at this step: " + open + "\n";
  return out + (failed.empty() ? "holds" : "fails: " + failed) + "\n";
}

Certificate check(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options) {
  laws::Probe probe(system, scheme, start, options);
  Certificate certificate{system.name(), scheme.name, "quad; long runs in double", {}};
  constexpr int parts = 11;
  int done = 0;
  const auto add = [&](const std::vector<Law>& more) {
    certificate.laws.insert(certificate.laws.end(), more.begin(), more.end());
    check_stop(options.control);
    if (options.control.progress) options.control.progress(static_cast<double>(++done) / parts);
  };
  add(laws::order(probe));
  add(laws::inside(probe));
  add(laws::on_directors(probe));
  add({laws::variational_order(probe)});
  add({laws::symplecticity(probe)});
  add({laws::reversibility(probe), laws::adjointness(probe)});
  add(laws::noether(probe));
  add(laws::constraints(probe));
  add({laws::energy(probe)});
  add({laws::modified_energy(probe)});
  add(law::derivatives(system, start));
  if (system.has(Role::force) && !scheme.declared.damped.empty()) certificate.notes.push_back(scheme.declared.damped);
  return certificate;
}

namespace law {

#define EXTREMAL_LAW(Result, name)                                                                           \
  Result name(const System& system, const Scheme& scheme, const Start& start, const CheckOptions& options) { \
    laws::Probe probe(system, scheme, start, options);                                                       \
    return laws::name(probe);                                                                                \
  }
EXTREMAL_LAW(std::vector<Law>, order)
EXTREMAL_LAW(std::vector<Law>, inside)
EXTREMAL_LAW(std::vector<Law>, on_directors)
EXTREMAL_LAW(Law, symplecticity)
EXTREMAL_LAW(Law, reversibility)
EXTREMAL_LAW(Law, adjointness)
EXTREMAL_LAW(std::vector<Law>, noether)
EXTREMAL_LAW(std::vector<Law>, constraints)
EXTREMAL_LAW(Law, energy)
EXTREMAL_LAW(Law, modified_energy)
EXTREMAL_LAW(Law, variational_order)
#undef EXTREMAL_LAW

}  // namespace law
}  // namespace extremal
