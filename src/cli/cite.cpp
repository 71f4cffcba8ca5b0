// extremal cite: what to cite for schemes and models.
#include <algorithm>
#include <iostream>

#include "cli/bibliography.hpp"
#include "cli/command.hpp"
#include "cli/request.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

// A scheme, or else a model.
std::string citation(const std::string& name) {
  try {
    return Scheme::named(name).declared.citation;
  } catch (const InputError& no_scheme) {
    try {
      return (is_file(name) ? read_model(name) : model(name)).citation;
    } catch (const InputError& no_model) {
      throw InputError(is_file(name) ? no_model.what() : std::string(no_scheme.what()) + "; nor is it a model");
    }
  }
}

}  // namespace

void add_cite(Command& program, Invocation& invocation) {
  struct Options {
    std::vector<std::string> names;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_command("cite", "Say what to cite for a scheme or a model, with BibTeX");
  command.add_option("NAME", options->names, "Schemes, also composed ones, and models").required();
  command.add_flag("--json", options->json, "Print JSON");
  command.footer("Examples:\n  extremal cite \"kahan_li(8, rattle)\"\n  extremal cite \"spark(3)\" triple-pendulum");
  command.callback([options, &invocation] {
    std::vector<const Reference*> all;
    Json names = Json::object();
    for (const std::string& name : options->names) {
      names[name] = Json::array();
      for (const Reference* reference : cited(citation(name))) {
        names[name].push_back(reference->key);
        if (std::find(all.begin(), all.end(), reference) == all.end()) all.push_back(reference);
      }
    }
    if (options->json) {
      Json entries = Json::array();
      for (const Reference* r : all) entries.push_back({{"key", r->key}, {"text", r->text}, {"bibtex", r->bibtex}});
      std::cout << Json({{"names", names}, {"references", entries}}).dump(2) << "\n";
    } else {
      for (const Reference* r : all) std::cout << r->text << "\n";
      for (const Reference* r : all) std::cout << "\n" << r->bibtex << "\n";
      if (all.empty()) std::cout << "nothing to cite\n";
    }
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
