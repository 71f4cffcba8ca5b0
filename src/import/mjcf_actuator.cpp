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

// Of all that hangs on a joint: about a hinge, or along a slide.
quad inertia_against(const Robot& robot, const std::vector<Pose>& at, std::size_t link, const RobotJoint& joint) {
  const Triple axis = outward(at[link].turn, joint.axis), anchor = point(at[link], joint.anchor);
  std::vector<bool> hangs(robot.links.size(), false);
  hangs[link] = true;
  quad sum = 0;
  for (std::size_t i = link; i < robot.links.size(); ++i) {
    const Link& each = robot.links[i];
    if (i > link) hangs[i] = each.parent >= 0 && hangs[static_cast<std::size_t>(each.parent)];
    if (!hangs[i]) continue;
    if (joint.freedom == Freedom::prismatic) {
      sum += each.mass;
      continue;
    }
    const Triple arm = point(at[i], each.centre) - anchor;
    const Tensor J = turned(each.inertia, at[i].turn);
    const Triple& u = axis;
    sum += each.mass * dot(cross(u, arm), cross(u, arm));
    sum += u[0] * u[0] * J[0] + u[1] * u[1] * J[1] + u[2] * u[2] * J[2];
    sum += 2 * (u[0] * u[1] * J[3] + u[0] * u[2] * J[4] + u[1] * u[2] * J[5]);
  }
  return sum;
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
    actuator.gain = kp, actuator.bias = {0, -kp, -kv}, actuator.ratio = a.number("dampratio", 0);
    if (kv != 0 && actuator.ratio != 0) e.refuse("found both kv and dampratio; expected one of them");
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

void damp_by_ratio(Robot& robot) {
  const auto undamped = [](const Actuator& each) { return each.ratio != 0; };
  if (std::none_of(robot.actuators.begin(), robot.actuators.end(), undamped)) return;
  Robot home;
  home.links = robot.links;
  for (Link& link : home.links)
    for (RobotJoint& j : link.joints) j.start = 0, j.begin = {};
  const std::vector<Pose> at = poses(home);
  for (Actuator& actuator : robot.actuators)
    for (std::size_t i = 0; i < home.links.size() && actuator.ratio != 0; ++i)
      for (const RobotJoint& j : home.links[i].joints) {
        if (j.name != actuator.joint) continue;
        const quad inertia = j.armature + inertia_against(home, at, i, j);
        const quad stiffness = actuator.gain / (actuator.gear * actuator.gear);
        actuator.bias[2] = -2 * actuator.ratio * math::sqrt(math::max(stiffness * inertia, quad(0)));
      }
}

}  // namespace extremal::robots
