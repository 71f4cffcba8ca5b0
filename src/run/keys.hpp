// The keys of [run]: what is said of a run besides its model. One table for model files, sweep files, options of
// commands, archives and the identities of sweeps: a key is added by a row of the table in keys.cpp, a member of Span
// and a line in docs/models.md.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "extremal/run.hpp"

namespace extremal {

// What the keys are about, wherever it stands: in a Model, in the Provenance of an archive.
struct RunSetup {
  std::string& scheme;
  Span& span;
  std::string& precision;
};

struct RunKey {
  enum class Kind { scheme, word, number, numbers, names, count, flag };
  const char* name;  // "error_estimate"; as an option --error-estimate
  Kind kind;
  std::vector<std::string> words;  // that it may be; of a number: instead of one, in single runs
  const char* help;                // of the option
  const char* sweep_help;          // of the same for sweeps; nullptr if they have none
  // As texts: of numbers and names a list in JSON, of flags "0" or "1". InputError for one that is no number.
  std::string (*text)(const RunSetup& setup);
  void (*take)(const RunSetup& setup, const std::string& text);

  std::string option() const;
  bool is_word(const std::string& found) const { return std::find(words.begin(), words.end(), found) != words.end(); }
};
const std::vector<RunKey>& run_keys();

// What was said, by the names of keys; the last word on it.
using RunTexts = std::map<std::string, std::string>;
void take(const RunTexts& said, const RunSetup& setup);

// A list of numbers or names as a text, and back.
std::string list_text(const std::vector<Number>& numbers);
std::vector<Number> list_numbers(const std::string& text);
std::string list_text(const std::vector<std::string>& names);
std::vector<std::string> list_names(const std::string& text);

// The scheme and the precision where nothing is said.
std::string usual_scheme(const System& system, const std::string& said);
std::string usual_precision(const std::string& said);

}  // namespace extremal
