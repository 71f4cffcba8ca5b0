#include "run/keys.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "extremal/scheme.hpp"
#include "words/json.hpp"

namespace extremal {
namespace {

using Setup = const RunSetup&;
using Text = const std::string&;

int whole(Text text) {
  const double x = Number(text).as<double>();
  if (!(x >= 1 && x <= 2147483647.0)) throw InputError("found " + text + "; expected a number from 1 to 2147483647");
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
       [](Setup s, Text text) { s.span.step = Number(text); }},
      {"until",
       number,
       {},
       "The end time, a whole number of steps away; by default the model's",
       instead,
       [](Setup s) { return s.span.until.text(); },
       [](Setup s, Text text) { s.span.until = Number(text); }},
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
       [](Setup s, Text text) { s.span.every = whole(text); }},
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

std::string usual_scheme(const System& system, const std::string& said) {
  return !said.empty() ? said : system.has(Role::hamiltonian) ? "phase_space(2)" : "spark(3)";
}
std::string usual_precision(const std::string& said) { return said.empty() ? Scalar<double>::name : said; }

}  // namespace extremal
