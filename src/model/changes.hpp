// What may be changed of a model by name: parameters and starts. For --set and --start, [set] and [start] of sweeps,
// and Changes (case.hpp).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "extremal/models.hpp"

namespace extremal {

// A model of models/, or that of a text if there is one.
Model named_model(const std::string& name, const std::string& text, const Settings& settings);

// Those of the file, and those that its parts have besides.
std::vector<std::string> parameter_names(const Model& model);
// The same with their values.
Settings parameters(const Model& model);

// The model with other parameters: those of its file are set before it is read again, as bodies and starts follow them;
// others are set in the system. The last of a name counts. InputError begins with `where`.
Model with_parameters(Model model, const std::function<Model(const Settings&)>& read, const Settings& set,
                      const std::string& where);

// A number of a Start by its name: x, v:x, p:x, next:x or t.
struct StartPlace {
  enum class Kind { position, velocity, momentum, next, t };
  Kind kind = Kind::position;
  std::size_t index = 0;  // of the coordinate
};
std::optional<StartPlace> find_start(const System& system, const std::string& name);
// Of velocities, momenta and next positions, those that are placed replace the others. Coordinates without a next
// position stay where they are.
void place(Start& start, const StartPlace& where, const Number& value, std::size_t coordinates);
void place(Model& model, const Settings& start, const std::string& where);

}  // namespace extremal
