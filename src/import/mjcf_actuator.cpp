#include "import/mjcf_actuator.hpp"

#include <algorithm>

namespace extremal::robots {
namespace {

// Gain and bias of <general>: fixed, or affine in length and velocity.
bool linear_force(const Attributes& a, Actuator& actuator) {
  const auto parameter = [&](const char* name, std::size_t i, quad otherwise) {
    const std::vector<quad> all = a.numbers(name, 0);
    return i < all.size() ? all[i] : otherwise;
  };
  const std::string gain = a.text("gaintype", "fixed"), bias = a.text("biastype", "none");
  if (gain == "affine" && (parameter("gainprm", 1, 0) != 0 || parameter("gainprm", 2, 0) != 0)) return false;
  if ((gain != "fixed" && gain != "affine") || (bias != "none" && bias != "affine")) return false;
  actuator.gain = parameter("gainprm", 0, 1);
  for (std::size_t i = 0; i < 3 && bias == "affine"; ++i) actuator.bias[i] = parameter("biasprm", i, 0);
  return true;
}

}  // namespace

std::optional<Actuator> read_actuator(const Attributes& a, const std::string& name, Notes& notes) {
  const Element& e = a.element();
  const std::string what = e.name(), at = e.at();
  const auto left = [&](const std::string& why) {
    notes.add(why, name, at);
    return std::optional<Actuator>();
  };
  const std::string joint = a.text("joint", a.text("jointinparent"));
  if (joint.empty()) return left("actuators of other things than joints");
  if (a.text("dyntype", "none") != "none" || a.has("timeconst") || a.has("actdim"))
    return left("actuators with a state of their own");
  Actuator actuator;
  actuator.name = name, actuator.place = at, actuator.joint = joint;
  if (const std::vector<quad> gear = a.numbers("gear", 0); !gear.empty()) actuator.gear = gear[0];
  if (actuator.gear == 0) return left("actuators with a gear of 0");
  if (what == "position") {
    const quad kp = a.number("kp", 1), kv = a.number("kv", 0);
    if (a.has("dampratio")) return left("dampratio of actuators");
    actuator.gain = kp, actuator.bias = {0, -kp, -kv};
  } else if (what == "velocity") {
    const quad kv = a.number("kv", 1);
    actuator.gain = kv, actuator.bias = {0, 0, -kv};
  } else if (what == "damper") {
    actuator.gain = a.number("kv", 1), actuator.speed = true;
  } else if (what == "general") {
    if (!linear_force(a, actuator)) return left("actuators whose force is not linear");
  } else if (what != "motor") {
    return left("actuators <" + what + ">");
  }
  const auto range = [&](const char* limited, const char* key) -> std::optional<std::array<quad, 2>> {
    const std::string word = a.text(limited, "auto");
    if (word != "true" && (word != "auto" || !a.has(key))) return {};
    const std::vector<quad> x = a.numbers(key, 2);
    if (x[0] > x[1]) e.refuse(std::string(key) + ": found the lower end above the upper one; expected the opposite");
    return {{x[0], x[1]}};
  };
  actuator.range = range("forcelimited", "forcerange");
  actuator.controls = range("ctrllimited", "ctrlrange");
  return actuator;
}

}  // namespace extremal::robots
