#include "run/keys.hpp"

#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/scheme.hpp"
#include "run/columns.hpp"
#include "words/json.hpp"

namespace extremal {
namespace {

using Setup = const RunSetup&;
using Text = const std::string&;

int whole(Text text) {
  const double x = Number(text).as<double>();
  if (!(x >= 1 && x <= 2147483647.0) || x != std::floor(x))
    throw InputError("found " + text + "; expected a whole number from 1 to 2147483647");
  return static_cast<int>(x);
}

}  // namespace

const std::vector<RunKey>& run_keys() {
  using enum RunKey::Kind;
  constexpr const char *instead = "Instead of the file's", *alone = nullptr;
  static const std::vector<RunKey> keys = {
      {"scheme",
       scheme,
       {},
       "A scheme of `extremal list schemes`, or one in its grammar; by default the model's, or spark(3), or "
       "phase_space(2) for a Hamiltonian",
       instead,
       [](Setup s) { return s.scheme; },
       [](Setup s, Text text) { s.scheme = text; }},
      {"step",
       number,
       {"auto"},
       "The time step, by default the model's; auto: 0.8 of what is stable for rods",
       instead,
       [](Setup s) { return s.span.step.text(); },
       [](Setup s, Text text) {
         s.span.step = Number(text);
         s.span.accuracy = 0;  // which would choose another one; one that is said besides is taken after this
       }},
      {"until",
       number,
       {},
       "The end time, a whole number of steps away; by default the model's",
       instead,
       [](Setup s) { return s.span.until.text(); },
       [](Setup s, Text text) { s.span.until = Number(text); }},
      {"accuracy",
       number,
       {},
       "How far positions may be off, relative to the largest coordinate, as 1e-9: the step is found by trial runs",
       alone,
       [](Setup s) { return s.span.accuracy.text(); },
       [](Setup s, Text text) {
         const Number wanted(text);
         if (!(wanted.as<quad>() >= quad(0) && wanted.as<quad>() < quad(1)))
           throw InputError("accuracy: found " + text + "; expected a number between 0 and 1, as 1e-9");
         s.span.accuracy = wanted.as<quad>() > quad(0) ? wanted : Number(0);
       }},
      {"pattern",
       numbers,
       {},
       "Steps of different length: multiples of the step, one after the other and again from the first; 1 is none",
       alone,
       [](Setup s) { return list_text(s.span.pattern); },
       [](Setup s, Text text) {
         s.span.pattern = list_numbers(text);
         if (s.span.pattern.size() == 1 && s.span.pattern.front() == Number(1)) s.span.pattern.clear();
       }},
      {"pace",
       word,
       {name(Pace::none), name(Pace::symplectic), name(Pace::reversible)},
       "Steps of different length, by the rate of [time] or one of the energies: symplectic, of systems without time "
       "and "
       "forces; reversible, of any; the step is then one of fictitious time",
       "Instead of the file's; rows are then ends or outputs",
       [](Setup s) { return std::string(name(s.span.pace)); },
       [](Setup s, Text text) {
         s.span.pace = text == name(Pace::symplectic)   ? Pace::symplectic
                       : text == name(Pace::reversible) ? Pace::reversible
                                                        : Pace::none;
       }},
      {"precision",
       word,
       {Scalar<double>::name, Scalar<long double>::name, Scalar<quad>::name},
       "double, long-double or quad; by default the model's, or double",
       "double, long-double or quad; kept as double",
       [](Setup s) { return s.precision; },
       [](Setup s, Text text) { s.precision = text; }},
      {"every",
       count,
       {},
       "Keep every so many steps in the table; by default as many as the model",
       "Keep every so many steps of each run, instead of its end only",
       [](Setup s) { return std::to_string(s.span.every); },
       [](Setup s, Text text) {
         s.span.every = whole(text);
         s.span.outputs = 0;
       }},
      {"threads",
       count,
       {},
       "How many threads share a step of a large mechanism or rod by lie; by default as many as there are cores where "
       "that pays; the motion has the same bits on any number",
       alone,
       [](Setup s) { return std::to_string(s.span.threads); },
       [](Setup s, Text text) { s.span.threads = text == "0" ? 0 : whole(text); }},
      {"at",
       numbers,
       {},
       "Times at which the motion is evaluated inside the steps (JSON: dense)",
       alone,
       [](Setup s) { return list_text(s.span.at); },
       [](Setup s, Text text) { s.span.at = list_numbers(text); }},
      {"multipliers",
       word,
       {name(Multipliers::motion), name(Multipliers::scheme)},
       "motion: lambda and reactions as accurate as q, from the accelerations of the motion; scheme: the scheme's own; "
       "by default the model's, or motion",
       instead,
       [](Setup s) { return std::string(name(s.span.multipliers)); },
       [](Setup s, Text text) {
         s.span.multipliers = text == name(Multipliers::scheme) ? Multipliers::scheme : Multipliers::motion;
       }},
      {"error_estimate",
       flag,
       {},
       "phase_space: the artificial forces of every step, an estimate of its error",
       alone,
       [](Setup s) { return std::string(s.span.error_estimate ? "1" : "0"); },
       [](Setup s, Text text) { s.span.error_estimate = text == "1"; }},
      {"extra_columns", names, columns_on_request(),
       "More columns: hidden, G v of every constraint; gamma, the multiplier of that in a step of ggl or livens; "
       "angular_momentum, of all bodies; energy_error, the change of the energy less the work",
       alone, [](Setup s) { return list_text(s.span.extra_columns); },
       [](Setup s, Text text) { s.span.extra_columns = list_names(text); }},
      {"columns",
       names,
       {},
       "Columns of archive and CSV, by names or variables, as position joint:elbow:angle; by default all "
       "(extremal list observers --model MODEL)",
       alone,
       [](Setup s) { return list_text(s.span.columns); },
       [](Setup s, Text text) { s.span.columns = list_names(text); }},
  };
  return keys;
}

std::string RunKey::option() const {
  std::string out = std::string("--") + name;
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

void take(const RunTexts& said, const RunSetup& setup) {
  for (const RunKey& key : run_keys())
    if (const auto found = said.find(key.name); found != said.end()) key.take(setup, found->second);
}

std::string list_text(const std::vector<Number>& numbers) {
  Json all = Json::array();
  for (const Number& x : numbers) all.push_back(x.text());
  return all.dump();
}

std::vector<Number> list_numbers(const std::string& text) {
  std::vector<Number> all;
  const Json texts = Json::parse(text);
  for (const Json& one : texts) all.emplace_back(one.get<std::string>());
  return all;
}

std::string list_text(const std::vector<std::string>& names) {
  Json all = Json::array();
  for (const std::string& name : names) all.push_back(name);
  return all.dump();
}

std::vector<std::string> list_names(const std::string& text) {
  std::vector<std::string> all;
  const Json texts = Json::parse(text);
  for (const Json& one : texts) all.push_back(one.get<std::string>());
  return all;
}

std::string usual_scheme(const System& system, const std::string& said) {
  return !said.empty() ? said : system.has(Role::hamiltonian) ? "phase_space(2)" : "spark(3)";
}
std::string usual_precision(const std::string& said) { return said.empty() ? Scalar<double>::name : said; }

}  // namespace extremal
