// Models: systems that model files describe, with their start and a span that shows them. Those of models/ are part of
// the library and known by their names.
//
//   Model m = model("pendulum");                          // models/pendulum.toml
//   auto run = extremal::run(m.system, "rattle", m.start, m.span);
//   Model longer = model("chain(100)");                   // some have a size; "chain" alone has its usual one
//   Model moon = model("pendulum", {{"g", "1.62"}});
//   Model own = read_model("own.toml");
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/mechanism.hpp"
#include "extremal/run.hpp"
#include "extremal/thermoelastic.hpp"

namespace extremal {

// Names and values.
using Settings = std::vector<std::pair<std::string, Number>>;

// How to draw a system: points whose places are formulas of coordinates, velocities, parameters and time.
struct Picture {
  struct Spot {
    std::string name;
    std::vector<std::shared_ptr<const Term>> place;  // two or three components, one value each
  };
  struct Line {
    int from = 0, to = 0;  // points
    bool spring = false;
  };
  int dimension = 2;
  std::vector<Spot> points = {};
  std::vector<Line> lines = {};
  std::vector<int> trails = {};  // points whose way is drawn
};

struct Model {
  System system;
  Start start;
  Span span;                                             // what `extremal run NAME` does without options
  std::string title;                                     // one line
  std::string citation;                                  // keys of docs/references.bib
  std::shared_ptr<const Mechanism> mechanism = nullptr;  // what the system was made from, if it was; for its reactions
  std::shared_ptr<const ThermoelasticNetwork> network = nullptr;  // the same, for its temperatures
  std::string scheme = {};  // that suits it; spark(3), or phase_space(2), if empty
  // What its file says besides; empty where it says nothing.
  std::string text = {};                    // all of it
  Settings parameters = {};                 // all of [parameters] at their values, which settings change
  std::vector<std::string> arguments = {};  // those of them that the arguments of its name are
  std::string precision = {};               // of [run]
  std::vector<Observer> observers = {};     // of [observe]
  Picture picture = {};                     // of [picture]
};

// A model of models/. `settings` are parameters of its file with other values than it says. InputError with the nearest
// known name if there is none.
Model model(std::string_view name, const Settings& settings = {});
std::vector<std::string> model_names();

// A model file: docs/models.md. InputError with file:line:column of what is wrong.
Model read_model(const std::string& path, const Settings& settings = {});
// The same for a text; `name` is what messages call it.
Model read_model_text(std::string_view text, const std::string& name, const Settings& settings = {});

// A model as the text of a model file, whatever it was made from: a Mechanism, terms of a System, functions among them
// as formulas, or a file, with what was changed since of parameters, start and [run]. InputError, with the term's name,
// if one cannot be written: it branches, or has a class of its own; or if more of a file was changed.
std::string model_text(const Model& model);
// The same in a file.
void save(const Model& model, const std::string& path);

}  // namespace extremal
