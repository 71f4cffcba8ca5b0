// extremal list: what there is, as tables or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "cli/command.hpp"
#include "cli/list_observers.hpp"
#include "cli/list_parts.hpp"
#include "cli/request.hpp"
#include "cli/table.hpp"
#include "extremal/baseline.hpp"
#include "model/changes.hpp"
#include "scheme/tableau.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

const char* word(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::full:
      return "full";
    case Symmetry::configuration:
      return "configuration";
    case Symmetry::none:
      break;
  }
  return "none";
}

std::string order(int value) { return value > 0 ? std::to_string(value) : "-"; }

// Names in lines of bounded length.
std::string paragraph(const std::vector<std::string>& names, const std::string& indent) {
  constexpr std::size_t width = 110;
  std::string all, line = indent;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (line.size() > indent.size() && line.size() + names[i].size() > width) {
      all += line.substr(0, line.size() - 1) + "\n";
      line = indent;
    }
    line += names[i] + (i + 1 < names.size() ? ", " : "");
  }
  return all + line + "\n";
}

Json schemes_json() {
  Json all = Json::array();
  for (const Scheme& s : registry()) {
    const Declared& d = s.declared;
    all.push_back({{"name", s.name},
                   {"order", {{"q", d.order.q}, {"p", d.order.p}, {"lambda", d.order.lambda}}},
                   {"order_free", d.order_free},
                   {"symmetry", word(d.symmetry)},
                   {"symplectic", d.symplectic},
                   {"symplectic_free", d.symplectic_free},
                   {"on_manifold", d.on_manifold},
                   {"citation", d.citation},
                   {"flags", d.flags},
                   {"damped", d.damped}});
  }
  return all;
}

Json texts(const std::vector<std::string>& names, const std::vector<Number>& values) {
  Json all = Json::object();
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) all[names[i]] = values[i].text();
  return all;
}

Json models_json() {
  Json all = Json::array();
  for (const std::string& name : model_names()) {
    const Model m = model(name);
    const auto& coordinates = m.system.coordinate_names();
    Json start = {{"q", texts(coordinates, m.start.q)}};
    if (!m.start.v.empty()) start["v"] = texts(coordinates, m.start.v);
    if (!m.start.p.empty()) start["p"] = texts(coordinates, m.start.p);
    Json values = Json::object(), arguments = Json::object();
    for (const auto& [parameter, value] : parameters(m)) values[parameter] = value.text();
    for (const std::string& argument : m.arguments) arguments[argument] = values[argument];
    all.push_back({{"name", name},
                   {"arguments", arguments},
                   {"title", m.title},
                   {"coordinates", coordinates},
                   {"constraints", m.system.constraint_names()},
                   {"symmetries", symmetries(m.system)},
                   {"parameters", values},
                   {"start", start},
                   {"step", m.span.step.text()},
                   {"until", m.span.until.text()},
                   {"scheme", m.scheme},
                   {"citation", m.citation}});
  }
  return all;
}

void print_schemes() {
  Table table({"scheme", "q", "p", "lambda", "free", "reversible", "symplectic", "source"});
  std::vector<std::pair<std::string, std::vector<std::string>>> remarks;  // and the schemes they are about
  for (const Scheme& s : registry()) {
    const Declared& d = s.declared;
    const char* reversible = d.symmetry == Symmetry::full ? "yes" : d.symmetry == Symmetry::none ? "no" : "in q";
    table.row({s.name, order(d.order.q), order(d.order.p), order(d.order.lambda), order(d.order_free), reversible,
               d.symplectic ? "yes" : "no", d.citation});
    std::vector<std::string> flags = d.flags;
    if (!d.damped.empty()) flags.push_back(d.damped);
    for (const std::string& flag : flags) {
      auto known = std::find_if(remarks.begin(), remarks.end(), [&](const auto& r) { return r.first == flag; });
      if (known == remarks.end()) known = remarks.insert(known, {flag, {}});
      known->second.push_back(s.name);
    }
  }
  std::cout << "Schemes, with the order of q, p and lambda under constraints, and of q without (free)\n\n"
            << table.text();
  if (!remarks.empty()) std::cout << "\nRemarks\n";
  for (const auto& [remark, schemes] : remarks) std::cout << "  " << remark << "\n" << paragraph(schemes, "      ");
}

void print_models() {
  // As wide as a terminal is: what is longer is in --json and in `extremal show`.
  Table table({"model", "arguments", "q", "g", "title"});
  for (const std::string& name : model_names()) {
    const Model m = model(name);
    std::vector<std::string> arguments;
    for (const auto& [parameter, value] : m.parameters)
      if (std::find(m.arguments.begin(), m.arguments.end(), parameter) != m.arguments.end())
        arguments.push_back(parameter + "=" + value.text());
    table.row({name, fmt::format("{}", fmt::join(arguments, ", ")), std::to_string(m.system.size()),
               std::to_string(m.system.constraint_count()), m.title});
  }
  std::cout << "Models, with the arguments that a name may have, as in chain(100), and the number of\n"
               "coordinates (q) and constraints (g); `extremal show MODEL` says more of each\n\n"
            << table.text();
}

// Quad numbers as text: every digit.
Json digits(const std::vector<quad>& values) {
  Json all = Json::array();
  for (const quad& x : values) all.push_back(to_text(x));
  return all;
}

Json digits(const std::vector<std::vector<quad>>& rows) {
  Json all = Json::array();
  for (const auto& row : rows) all.push_back(digits(row));
  return all;
}

// Places and weights with their names.
struct Named {
  std::string name;
  const std::vector<quad>& numbers;
};

void print_matrix(const std::string& name, const Named& places, const std::vector<std::vector<quad>>& rows,
                  const Named& weights) {
  const auto text = [](const quad& x) { return fmt::format("{:.16f}", static_cast<double>(x)); };
  std::vector<std::string> head{places.name}, last{weights.name};
  for (const quad& weight : weights.numbers) {
    head.push_back(head.size() == 1 ? name : "");
    last.push_back(text(weight));
  }
  Table table(head);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells{text(places.numbers[i])};
    for (const quad& x : rows[i]) cells.push_back(text(x));
    table.row(cells);
  }
  table.row(last);
  std::cout << "\n" << table.text();
}

void print_baseline_kinds() {
  Table table({"baseline", "method", "library", "in this build"});
  for (const BaselineKind& kind : baseline_kinds())
    table.row({kind.name, kind.what, kind.library, kind.built ? "yes" : "no: needs Debian's " + kind.package});
  std::cout << "Baselines, integrators of others that are not variational, for compare and study work-precision\n\n"
            << table.text();
}

Json baseline_kinds_json() {
  Json all = Json::array();
  for (const BaselineKind& kind : baseline_kinds())
    all.push_back({{"name", kind.name},
                   {"method", kind.what},
                   {"library", kind.library},
                   {"package", kind.package},
                   {"variational", false},
                   {"built", kind.built}});
  return all;
}

void list_tableau(const std::string& name, bool as_json) {
  const Scheme scheme = Scheme::named(name);
  const ButcherPair pair = butcher(scheme);
  if (as_json) {
    Json all = {{"scheme", scheme.name},
                {"c", digits(pair.c)},
                {"b", digits(pair.b)},
                {"A_q", digits(pair.A_q)},
                {"A_p", digits(pair.A_p)}};
    if (!pair.f.empty()) {
      all["f"] = digits(pair.f);
      all["e"] = digits(pair.e);
      all["d"] = digits(pair.d);
      all["A_f"] = digits(pair.A_f);
      all["A_g"] = digits(pair.A_g);
      all["A_lambda"] = digits(pair.A_lambda);
    }
    std::cout << all.dump(2) << "\n";
    return;
  }
  std::cout << "Partitioned Runge-Kutta method of " << scheme.name << ", A_q for q' = H_p and A_p for p' = -H_q\n";
  const Named nodes{"c", pair.c}, weights{"b", pair.b};
  print_matrix("A_q", nodes, pair.A_q, weights);
  print_matrix("A_p", nodes, pair.A_p, weights);
  if (pair.f.empty()) return;
  std::cout << "\nWith constraints: g = 0 at the places d, positions by A_g; multipliers at the places f, positions by "
               "A_f,\nweights e, in p by A_lambda\n";
  print_matrix("A_g", {"d", pair.d}, pair.A_g, weights);
  print_matrix("A_f", {"f", pair.f}, pair.A_f, weights);
  print_matrix("A_lambda", nodes, pair.A_lambda, {"e", pair.e});
}

}  // namespace

void add_list(Command& program, Invocation& invocation) {
  struct Options {
    std::string what, tableau, model = "double-four-bar";
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("list", "List schemes, models, observers, joints and loads, and baselines");
  command
      .add_option("WHAT", options->what,
                  "schemes, models, observers, parts or baselines; all of them if it is left out")
      .one_of({"schemes", "models", "observers", "parts", "baselines"});
  command.add_option("--model", options->model, "The model, or file, whose observers are listed").show_default();
  command.add_option("--tableau", options->tableau,
                     "Print the Butcher pair of a scheme of phase_space or hamilton instead");
  command.add_flag("--json", options->json, "Print JSON");
  command.footer(
      "Examples:\n  extremal list schemes\n  extremal list observers --model elastic-ring\n  extremal list --tableau "
      "'phase_space(1)'");
  command.callback([options, &invocation] {
    if (!options->tableau.empty()) {
      list_tableau(options->tableau, options->json);
      invocation.exit_code = complete;
      return;
    }
    const auto asked = [&](const char* what) { return options->what.empty() || options->what == what; };
    if (options->json) {
      Json all = Json::object();
      if (asked("schemes")) all["schemes"] = schemes_json();
      if (asked("models")) all["models"] = models_json();
      if (asked("observers")) all["observers"] = observers_json(options->model);
      if (asked("parts")) all["parts"] = parts_json();
      if (asked("baselines")) all["baselines"] = baseline_kinds_json();
      std::cout << all.dump(2) << "\n";
    } else {
      const char* between = "";
      const std::pair<const char*, std::function<void()>> parts[] = {
          {"schemes", print_schemes},
          {"models", print_models},
          {"observers", [&] { print_observers(options->model); }},
          {"parts", print_parts},
          {"baselines", print_baseline_kinds}};
      for (const auto& [what, print] : parts) {
        if (!asked(what)) continue;
        std::cout << between;
        print();
        between = "\n";
      }
    }
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
