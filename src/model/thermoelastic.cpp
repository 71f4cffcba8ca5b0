// Thermoelastic systems [LewMata2016, section 2.2]: a free triangle, and the assembly of figure 4.
#include "model/stock.hpp"

namespace extremal::stock {
namespace {

Model of(const ThermoelasticNetwork& network, Span span, std::string title) {
  return {.system = network.system(),
          .start = network.start(),
          .span = std::move(span),
          .title = std::move(title),
          .citation = "LewMata2016",
          .network = std::make_shared<const ThermoelasticNetwork>(network)};
}

}  // namespace

// Nothing holds it: linear and angular momentum are conserved, and the entropy of every spring.
Model thermoelastic_triangle() {
  ThermoelasticNetwork n("thermoelastic-triangle");
  n.mass("m1", {.mass = 1, .position = {0, 0, 0}, .velocity = {"0.1", "-0.2", "0.3"}});
  n.mass("m2", {.mass = "1.5", .position = {"1.1", "0.1", 0}, .velocity = {"-0.3", "0.4", "0.1"}});
  n.mass("m3", {.mass = 2, .position = {"0.4", "0.9", "0.2"}, .velocity = {"0.2", "0.1", "-0.4"}});
  n.spring("k1", "m1", "m2", {.stiffness = 10, .coupling = "0.02", .capacity = "0.05", .temperature = 310});
  n.spring("k2", "m2", "m3", {.stiffness = 12, .coupling = "0.015", .capacity = "0.04", .temperature = 295});
  n.spring("k3", "m3", "m1", {.stiffness = 8, .coupling = "0.025", .capacity = "0.06", .temperature = 300});
  return of(n, {.step = "0.01", .until = 20}, "three masses and three thermoelastic springs");
}

// Three masses hang between four supports on eight springs, of which one is warm; one of the supports shakes. The data
// are ours: the paper has the figure only.
Model thermoelastic_eight() {
  ThermoelasticNetwork n("thermoelastic-eight", Space::planar);
  n.gravity(0, "-9.81");
  n.support("west", {-1, 1});
  n.support("north", {"1.5", 2});
  n.support("east", {[](auto t) { return 4.0 + 0.125 * sin(3.0 * t); }, 1});
  n.support("south", {"1.5", -1});
  n.mass("m1", {.mass = "0.5", .position = {"0.5", "0.8"}});
  n.mass("m2", {.mass = "0.4", .position = {"1.5", "0.9"}, .velocity = {0, "0.3"}});
  n.mass("m3", {.mass = "0.6", .position = {"2.6", "0.7"}});
  const auto spring = [&](const char* name, const char* a, const char* b, const Number& length, const Number& theta) {
    n.spring(name, a, b,
             {.stiffness = 30,
              .length = length,
              .coupling = "0.04",
              .capacity = "0.05",
              .reference = 290,
              .temperature = theta});
  };
  spring("k1", "west", "m1", "1.2", 290);
  spring("k2", "m1", "m2", "0.9", 330);
  spring("k3", "m2", "m3", "0.9", 295);
  spring("k4", "m3", "east", "1.2", 285);
  spring("k5", "north", "m1", "1.3", 300);
  spring("k6", "north", "m3", "1.3", 275);
  spring("k7", "south", "m1", "1.8", 305);
  spring("k8", "south", "m3", "1.8", 310);
  return of(n, {.step = "0.01", .until = 20}, "three masses, eight thermoelastic springs, a support that shakes");
}

}  // namespace extremal::stock
