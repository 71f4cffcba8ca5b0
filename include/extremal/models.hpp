// Models: the stock systems, by name, with their start and a span that shows them.
//
//   Model m = model("pendulum");
//   auto run = extremal::run(m.system, "rattle", m.start, m.span);
//   Model longer = model("chain(100)");     // some have a size; "chain" alone has its usual one
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/mechanism.hpp"
#include "extremal/run.hpp"
#include "extremal/thermoelastic.hpp"

namespace extremal {

struct Model {
  System system;
  Start start;
  Span span;                                             // what `extremal run NAME` does without options
  std::string title;                                     // one line
  std::string citation;                                  // keys of docs/references.bib
  std::string scheme = "spark(3)";                       // the one that `extremal run NAME` takes
  std::shared_ptr<const Mechanism> mechanism = nullptr;  // what the system was made from, if it was; for its reactions
  std::shared_ptr<const ThermoelasticNetwork> network = nullptr;  // the same, for its temperatures
};

// InputError with the nearest known name if there is none.
Model model(std::string_view name);
std::vector<std::string> model_names();

}  // namespace extremal
