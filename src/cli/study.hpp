// What `study` and `compare` share: how a study is followed on a terminal and stopped, how numbers are written, where
// plots go.
#pragma once

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "extremal/study.hpp"
#include "study/svg.hpp"
#include "words/json.hpp"

namespace extremal::cli {

// 1.3e-07; "-" if it is not a number.
std::string small(double x);
// 1.3 s, 250 ms, 13 us
std::string time_text(double seconds);

std::vector<Scheme> schemes_named(const std::vector<std::string>& names);
void declare_precision(Command& command, std::string& precision, const std::string& help);

// --baseline NAME and --tolerances: integrators of others, which are not variational, beside the schemes.
class BaselineOptions {
 public:
  void declare(Command& command);
  bool asked() const { return !names_.empty(); }
  // InputError for what cannot be, except among "all", of which it keeps why they are left out.
  Baselines chosen(const Model& model);
  Json left_out_json() const;
  void print_left_out() const;

 private:
  std::vector<std::string> names_, tolerances_;
  ChosenBaselines chosen_;
};

// --plot FILE.svg: the place is tried before the study.
class PlotFile {
 public:
  void declare(Command& command);
  void open();
  bool wanted() const { return !path_.empty(); }
  void write(const std::vector<study::Plot>& panels);

 private:
  std::string path_;
  std::ofstream file_;
};

void add_study_orders(Command& study, int& exit_code);
void add_study_work_precision(Command& study, int& exit_code);
void add_study_long_time(Command& study, int& exit_code);
void add_study_table(Command& study, int& exit_code);
void add_study_area(Command& study, int& exit_code);

// Runs a study with a progress bar on a terminal, and Ctrl-C to stop it: exit code 3. A run that fails is exit code 1.
ExitCode followed(const std::function<ExitCode(const Control&)>& study);

}  // namespace extremal::cli
