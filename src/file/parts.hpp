// The parts of a model file that become a Mechanism or a ThermoelasticNetwork.
#pragma once

#include <memory>
#include <string>

#include "file/fields.hpp"

namespace extremal {

class JointFormulas;

// Null if the file has none of the parts: bodies, joints, rods, loads. Motors by a formula are left to `formulas`.
std::shared_ptr<const Mechanism> read_mechanism(Fields& top, const std::string& name, JointFormulas& formulas);
// Null if the file has none of the parts: thermoelastic masses and springs, supports, thermostats.
std::shared_ptr<const ThermoelasticNetwork> read_network(Fields& top, const std::string& name);

// space = "planar" or "spatial", which is also what it is without.
Space read_space(Fields& top);
// gravity = [...], if there is one, as many components as the space has.
std::vector<Number> read_gravity(Fields& top, Space space);

// A [[force]] along coordinates is no part but a formula.
bool is_formula_force(const Document::Value& table);

}  // namespace extremal
