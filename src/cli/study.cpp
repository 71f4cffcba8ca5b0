#include "cli/study.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>

#include "cli/progress.hpp"
#include "cli/replaceable.hpp"
#include "cli/request.hpp"
#include "cli/stop.hpp"
#include "extremal/error.hpp"

namespace extremal::cli {

std::string small(double x) { return std::isfinite(x) ? fmt::format("{:.1e}", x) : "-"; }

std::string time_text(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} us", 1e6 * seconds);
}

std::vector<Scheme> schemes_named(const std::vector<std::string>& names) {
  std::vector<Scheme> all;
  for (const std::string& name : names) all.push_back(Scheme::named(name));
  return all;
}

void declare_precision(Command& command, std::string& precision, const std::string& help) {
  command.add_option("--precision", precision, help).one_of({"double", "long-double", "quad"});
}

void BaselineOptions::declare(Command& command) {
  command
      .add_option("--baseline", names_,
                  "An integrator of others that is not variational, of `extremal list baselines`; may be repeated; all "
                  "means those that can carry the model")
      .repeated();
  command
      .add_option("--tolerances", tolerances_,
                  "Of the local error of a baseline's steps, one or more that fall; by default 1e-6,1e-9,1e-12")
      .delimiter(',');
}

Baselines BaselineOptions::chosen(const Model& model) {
  Baselines out;
  if (!tolerances_.empty()) {
    if (names_.empty())
      throw InputError("--tolerances: found no baseline that has them; expected --baseline too; try --baseline all");
    out.tolerances.clear();
    for (const std::string& text : tolerances_) {
      const double one = number("--tolerances", text).as<double>();
      if (!(one > 0) || !(one < 1) || (!out.tolerances.empty() && one >= out.tolerances.back()))
        throw InputError("--tolerances: found " + text +
                         "; expected numbers between 0 and 1, each less than the one before it; try 1e-6,1e-9");
      out.tolerances.push_back(one);
    }
  }
  chosen_ = choose_baselines(names_, model);
  out.of = chosen_.of;
  return out;
}

Json BaselineOptions::left_out_json() const {
  Json all = Json::array();
  for (const auto& [name, reason] : chosen_.left_out) all.push_back({{"baseline", name}, {"reason", reason}});
  return all;
}

void BaselineOptions::print_left_out() const {
  for (const auto& [name, reason] : chosen_.left_out) std::cout << "without " << name << ": " << reason << "\n";
}

void PlotFile::declare(Command& command) {
  command.add_option("--plot", path_, "Write a plot to a file, as SVG").not_empty();
}

void PlotFile::open() {
  if (path_.empty()) return;
  if (!path_.ends_with(".svg"))
    throw InputError("--plot " + path_ + ": found a name that does not end in .svg; expected one, as plots are SVG");
  expect_replaceable("--plot", path_, "<svg", false, "a plot");
  file_.open(path_);
  if (!file_) throw InputError("--plot " + path_ + ": cannot write; expected a file in a folder that exists");
}

void PlotFile::write(const std::vector<study::Plot>& panels) {
  if (path_.empty()) return;
  file_ << study::svg(panels);
  file_.close();
  if (!file_) throw InputError("--plot " + path_ + ": cannot write; expected a file with room");
}

void add_study(Command& program, Invocation& invocation) {
  Command study = program.add_group("study", "Measure orders, cost and long-time behaviour; tables of papers");
  add_study_orders(study, invocation.exit_code);
  add_study_work_precision(study, invocation.exit_code);
  add_study_long_time(study, invocation.exit_code);
  add_study_table(study, invocation.exit_code);
  add_study_area(study, invocation.exit_code);
  study.footer(
      "Examples:\n"
      "  extremal study orders pendulum --scheme rattle --scheme \"spark(3)\"\n"
      "  extremal study work-precision --paper wenger --plot work.svg\n"
      "  extremal study long-time --paper man --quick\n"
      "  extremal study table wenger --json\n"
      "  extremal study area --plot area.svg\n"
      "docs/studies.md says what they measure.");
}

ExitCode followed(const std::function<ExitCode(const Control&)>& study) {
  Control control{.stop = &stop_requested()};
  TaskBar bar;
  if (isatty(STDERR_FILENO) != 0) control.progress = [&bar](double done) { bar.show(done); };
  try {
    return study(control);
  } catch (const Interrupted&) {
    bar.clear();
    std::cerr << "extremal: interrupted\n";
    return interrupted;
  } catch (const study::Failed& failure) {
    bar.clear();
    std::cerr << "extremal: " << failure.what() << "\n";
    return failed;
  }
}

}  // namespace extremal::cli
