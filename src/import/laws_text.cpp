#include "import/laws_text.hpp"

#include <algorithm>
#include <set>

#include "import/text.hpp"

namespace extremal::robots {
namespace {

std::string signed_digits(quad x) { return (x < 0 ? " - " : " + ") + digits(math::abs(x), math::abs(x)); }

// A coordinate in a formula, counted from where the joint is at home.
std::string from_home(const RobotJoint& joint, const NamedCoordinate& coordinate) {
  const quad more = coordinate.shift - joint.ref;
  return more == 0 ? coordinate.formula : "(" + shifted_text(coordinate.formula, more) + ")";
}

std::string times(quad c, const std::string& factor) {
  if (c == 1) return factor;
  if (c == -1) return "-" + factor;
  return digits(c, math::abs(c)) + "*" + factor;
}

// Terms of a sum, without those that are 0.
class Sum {
 public:
  void add(quad c, const std::string& factor) {
    if (c == 0) return;
    const std::string term = factor.empty() ? digits(math::abs(c), math::abs(c)) : times(math::abs(c), factor);
    text_ += text_.empty() ? (c < 0 ? "-" : "") + term : (c < 0 ? " - " : " + ") + term;
  }
  std::string text() const { return text_.empty() ? "0" : text_; }

 private:
  std::string text_;
};

}  // namespace

std::string shifted_text(const std::string& formula, quad more) {
  return more == 0 ? formula : formula + signed_digits(more);
}

std::string coupling_text(const Robot& robot, const Coupling& coupling, const JointNames& names) {
  const RobotJoint *a = joint_with_coordinate(robot, coupling.joint), *b = joint_with_coordinate(robot, coupling.other);
  std::vector<quad> c = coupling.polynomial;
  while (!c.empty() && c.back() == 0) c.pop_back();
  const std::string head = "name = " + in_quotes(coupling.name) + "\n";
  if (b != nullptr && c.size() == 2) {
    const NamedCoordinate &x = names.at(coupling.joint), &y = names.at(coupling.other);
    const quad offset = c[0] + (a->ref - x.shift) - c[1] * (b->ref - y.shift);
    return "\n[[gear]]\n" + head + "joint = " + in_quotes(x.joint) + "\nfollows = " + in_quotes(y.joint) +
           "\nratio = " + digits(c[1], math::abs(c[1])) + "\n" +
           (offset == 0 ? "" : "offset = " + digits(offset) + "\n");
  }
  Sum sum;
  sum.add(1, from_home(*a, names.at(coupling.joint)));
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (k > 0 && b == nullptr) break;
    const std::string x = k == 0 ? "" : from_home(*b, names.at(coupling.other));
    sum.add(-c[k], k < 2 ? x : x + "^" + std::to_string(k));
  }
  return "\n[[constraint]]\n" + head + "formula = " + in_quotes(sum.text()) + "\n";
}

std::vector<std::string> control_names(const Robot& robot) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Actuator& actuator : robot.actuators) {
    std::string name = "control_";
    for (const char c : actuator.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 && c > 0 ? c : '_';
    std::string own = name;
    for (int k = 2; !taken.insert(own).second; ++k) own = name + "_" + std::to_string(k);
    names.push_back(own);
  }
  return names;
}

std::string parameters_text(const Robot& robot) {
  if (robot.actuators.empty()) return {};
  std::string text = "\n[parameters] # what the motors are told: a torque, a place or a speed\n";
  const std::vector<std::string> names = control_names(robot);
  for (std::size_t i = 0; i < names.size(); ++i) text += names[i] + " = " + digits(robot.actuators[i].control) + "\n";
  return text;
}

std::string actuator_text(const Actuator& a, const std::string& name, const NamedCoordinate& coordinate,
                          const std::string& word, const std::string& control) {
  const std::string head = "name = " + in_quotes(name) + "\njoint = " + in_quotes(coordinate.joint) + "\n";
  const bool place = !a.speed && !a.range && a.gain > 0 && a.bias[0] == 0 && a.bias[1] == -a.gain && a.bias[2] <= 0;
  if (place) {
    std::string text = "\n[[servo]]\n" + head + "stiffness = " + digits(a.gain * a.gear * a.gear, a.gain) + "\n";
    if (a.bias[2] != 0) text += "damping = " + digits(-a.bias[2] * a.gear * a.gear, -a.bias[2]) + "\n";
    return text + "target = " +
           in_quotes(shifted_text(a.gear == 1 ? control : control + "/" + digits(a.gear), -coordinate.shift)) + "\n";
  }
  Sum force;
  if (a.speed)
    force.add(-a.gain * a.gear, control + "*" + word + "'");
  else
    force.add(a.gain, control);
  force.add(a.bias[0] + a.bias[1] * a.gear * coordinate.shift, "");
  force.add(a.bias[1] * a.gear, word);
  force.add(a.bias[2] * a.gear, word + "'");
  std::string torque = force.text();
  if (a.range) torque = "max(" + digits((*a.range)[0]) + ", min(" + digits((*a.range)[1]) + ", " + torque + "))";
  if (a.gear != 1) torque = digits(a.gear) + "*(" + torque + ")";
  return "\n[[joint_motor]]\n" + head + "torque = " + in_quotes(torque) + "\n";
}

}  // namespace extremal::robots
