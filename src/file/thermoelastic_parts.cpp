// Masses, supports, springs and thermostats of a thermoelastic network.
#include "file/parts.hpp"

namespace extremal {

std::shared_ptr<const ThermoelasticNetwork> read_network(Fields& top, const std::string& name) {
  const Document::Value* masses = top.find("thermoelastic_mass");
  const Document::Value* supports = top.find("support");
  const Document::Value* springs = top.find("thermoelastic_spring");
  const Document::Value* thermostats = top.find("thermostat");
  if (masses == nullptr && supports == nullptr && springs == nullptr && thermostats == nullptr) return nullptr;

  const Space space = read_space(top);
  ThermoelasticNetwork network(name, space);
  const std::vector<Number> g = read_gravity(top, space);
  if (g.size() == 2) network.gravity(g[0], g[1]);
  if (g.size() == 3) network.gravity(g[0], g[1], g[2]);

  const auto read = [&](const Document::Value* list, const char* what, auto part) {
    if (list != nullptr) each(top.scope(), *list, what, part);
  };
  read(supports, "support", [&](Fields& part) {
    part.need("position");
    network.support(part.text("name"), part.time_functions("position"));
  });
  read(masses, "thermoelastic_mass", [&](Fields& part) {
    network.mass(
        part.text("name"),
        {.mass = part.number("mass", 1), .position = part.numbers("position"), .velocity = part.numbers("velocity")});
  });
  read(springs, "thermoelastic_spring", [&](Fields& part) {
    network.spring(part.text("name"), part.text("from"), part.text("to"),
                   {.stiffness = part.number("stiffness", 1),
                    .length = part.number("length", 1),
                    .coupling = part.number("coupling", 0),
                    .capacity = part.number("capacity", 1),
                    .reference = part.number("reference", 300),
                    .temperature = part.numbers("temperature")});
  });
  read(thermostats, "thermostat",
       [&](Fields& part) { network.thermostat(part.text("spring"), part.time_function("temperature")); });
  return std::make_shared<const ThermoelasticNetwork>(std::move(network));
}

}  // namespace extremal
