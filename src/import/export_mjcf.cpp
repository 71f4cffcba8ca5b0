#include <algorithm>
#include <map>

#include "import/export.hpp"
#include "import/text.hpp"

namespace extremal::robots {
namespace {

class MjcfText {
 public:
  MjcfText(ExportTree& tree, const std::string& name, quad step) : tree_(tree), name_(name), step_(step) {}

  std::string text() {
    out_ = "<mujoco model=\"" + xml_text(name_) + "\">\n  <compiler angle=\"radian\"/>\n  <option gravity=\"" +
           digits_of(tree_.told.gravity, " ") + "\" timestep=\"" + digits(step_, step_) + "\"/>\n";
    assets();
    out_ += "  <worldbody>\n";
    for (const LookRecord& look : tree_.told.looks)
      if (look.body < 0) geom(look, {look.at, look.turn}, "    ");
    for (const int root : tree_.roots) body(root, "    ");
    out_ += "  </worldbody>\n";
    equalities();
    actuators();
    if (moves_) {
      out_ += "  <keyframe>\n    <key qvel=\"" + digits_of(rates_, " ") + "\"";
      if (!controls_.empty()) out_ += " ctrl=\"" + digits_of(controls_, " ") + "\"";
      out_ += "/>\n  </keyframe>\n";
    }
    return out_ + "</mujoco>\n";
  }

 private:
  std::string at_place(const Triple& x) const { return digits_of(x, " ", tree_.told.length_scale()); }
  std::string place(const Pose& pose) const {
    std::string text;
    if (norm(pose.at) > quad(1e-30) * tree_.told.length_scale()) text += " pos=\"" + at_place(pose.at) + "\"";
    if (pose.turn != no_rotation) text += " quat=\"" + digits_of(quaternion_of(pose.turn), " ") + "\"";
    return text;
  }

  void assets() {
    std::vector<std::string> all;
    for (const LookRecord& look : tree_.told.looks)
      if (look.shape == "mesh" && mesh(look).empty()) {
        meshes_.push_back({look.file + digits_of(look.size), "mesh " + std::to_string(meshes_.size() + 1)});
        all.push_back("    <mesh name=\"" + meshes_.back().second + "\" file=\"" + xml_text(look.file) + "\" scale=\"" +
                      digits_of(look.size, " ") + "\"/>\n");
      }
    if (all.empty()) return;
    out_ += "  <asset>\n";
    for (const std::string& line : all) out_ += line;
    out_ += "  </asset>\n";
  }

  std::string mesh(const LookRecord& look) const {
    for (const auto& [key, name] : meshes_)
      if (key == look.file + digits_of(look.size)) return name;
    return {};
  }

  // Seen, without mass and contact.
  void geom(const LookRecord& look, const Pose& at, const std::string& indent) {
    const auto& s = look.size;
    const Triple half = quad(0.5) * s;
    out_ += indent + "<geom type=\"" + look.shape + "\"" + place(at);
    if (look.shape == "mesh")
      out_ += " mesh=\"" + mesh(look) + "\"";
    else if (look.shape == "sphere")
      out_ += " size=\"" + digits(half[0]) + "\"";
    else if (look.shape == "cylinder" || look.shape == "capsule")
      out_ += " size=\"" + digits(half[0]) + " " + digits(half[2]) + "\"";
    else
      out_ += " size=\"" + digits_of(half, " ") + "\"";
    if (look.colour.size() == 7) {
      out_ += " rgba=\"";
      for (std::size_t i = 1; i < 7; i += 2)
        out_ += digits(quad(std::stoi(look.colour.substr(i, 2), nullptr, 16)) / 255) + " ";
      out_ += "1\"";
    }
    out_ += " contype=\"0\" conaffinity=\"0\" mass=\"0\"/>\n";
  }

  struct Moving {
    Triple v{}, w{};  // of a point in space, and of the body
  };
  Moving moving(int index, const Triple& at) const {
    if (index < 0) return {};
    const BodyRecord& body = *tree_.bodies[static_cast<std::size_t>(index)].record;
    return {body.velocity + cross(body.angular_velocity, at - body.position), body.angular_velocity};
  }

  void body(int index, const std::string& indent) {
    const ExportBody& body = tree_.bodies[static_cast<std::size_t>(index)];
    const BodyRecord& record = *body.record;
    const Pose parent = body.parent < 0 ? Pose{} : tree_.bodies[static_cast<std::size_t>(body.parent)].frame;
    const std::string inner = indent + "  ";
    out_ += indent + "<body name=\"" + xml_text(record.name) + "\"" + place(inverse(parent) * body.frame) + ">\n";
    if (body.joint >= 0)
      joint(body, tree_.joints[static_cast<std::size_t>(body.joint)], index, inner);
    else
      floating(body, index, inner);
    const Tensor& J = body.inertia;
    quad size = 0;
    for (const quad x : J) size = math::max(size, math::abs(x));
    const quad beside = math::max(math::abs(J[3]), math::max(math::abs(J[4]), math::abs(J[5])));
    out_ +=
        inner + "<inertial pos=\"" + at_place(record.centre) + "\" mass=\"" + digits(record.mass, record.mass) + "\" ";
    if (beside > quad(1e-30) * size)
      out_ += "fullinertia=\"" + digits_of(J, " ") + "\"/>\n";
    else
      out_ += "diaginertia=\"" + digits_of(Triple{J[0], J[1], J[2]}, " ") + "\"/>\n";
    const Pose directors{record.position, record.directors};
    for (const LookRecord& look : tree_.told.looks)
      if (look.body == index) geom(look, inverse(body.frame) * (directors * Pose{look.at, look.turn}), inner);
    for (const int child : body.children) this->body(child, inner);
    out_ += indent + "</body>\n";
  }

  void rate(quad x) {
    rates_.push_back(x);
    moves_ = moves_ || x != 0;
  }

  void floating(const ExportBody& body, int index, const std::string& indent) {
    if (body.parent >= 0)
      refuse_export("body \"" + body.record->name + "\"", "floats in another; expected it on the ground");
    out_ += indent + "<freejoint name=\"" + xml_text(body.record->name) + " floats\"/>\n";
    const Moving here = moving(index, body.frame.at);
    for (const quad x : here.v) rate(x);
    for (const quad x : inward(body.frame.turn, here.w)) rate(x);
  }

  void joint(const ExportBody& body, const ExportJoint& j, int index, const std::string& indent) {
    const std::string what = "joint \"" + j.record->name + "\"", name = xml_text(j.record->name);
    if (!j.told())
      refuse_export(what, "is " + j.type() + ", which MJCF has not; expected " +
                              joint_words([](const JointType& type) { return told(type); }));
    const Triple at = inward(body.frame.turn, j.anchor - body.frame.at);
    const Moving own = moving(index, j.anchor), other = moving(body.parent, j.anchor);
    const Triple v = own.v - other.v, w = own.w - other.w;
    int parts = 0, first = 0;  // first of the coordinates that are measured next
    const auto begin = [&](const char* kind) {
      std::string called = name + (++parts > 1 ? " " + std::to_string(parts) : "");
      out_ += indent + "<joint name=\"" + called + "\" type=\"" + kind + "\" pos=\"" + at_place(at) + "\"";
      return called;
    };
    // `which` of the coordinates of the joint it is; -1: none of them alone.
    const auto one = [&](const char* kind, const Triple& axis, bool turns, int which) {
      const std::string called = begin(kind);
      out_ += " axis=\"" + digits_of(cleaned(inward(body.frame.turn, axis)), " ") + "\"";
      if (which >= 0) laws(j, static_cast<std::size_t>(which));
      if (which >= 0) called_[{&j, which}] = called;
      out_ += "/>\n";
      rate(dot(axis, turns ? w : v));
    };
    // Of two axes one after the other angles would be others, and places are along no axes of the model's.
    const auto expect_none = [&](int which) {
      if (j.each[static_cast<std::size_t>(which)].any())
        refuse_export(what, "has several freedoms and a law; expected none");
    };
    const auto across = normals(j.axis);
    for (const Measures measure : j.record->type->measures) {
      switch (measure) {
        case Measures::angle:
          one("hinge", j.axis, true, first);
          break;
        case Measures::stroke:
          one("slide", j.axis, false, first);
          break;
        case Measures::place:
          for (const int k : {0, 1}) expect_none(first + k);
          for (const Triple& axis : across) one("slide", axis, false, -1);
          break;
        case Measures::cross:
          // The axis of the parent first. They are normal to each other, and so are the parts of the velocity.
          for (const int k : {0, 1}) {
            if (j.swapped) expect_none(first + k);
            one("hinge", (k == 0) == j.swapped ? j.axis_to : j.axis, true, j.swapped ? -1 : first + k);
          }
          break;
        case Measures::rotation:
          begin("ball");
          if (j.laws().damping > 0) out_ += " damping=\"" + digits(j.laws().damping, j.laws().damping) + "\"";
          out_ += "/>\n";
          for (const quad x : inward(body.frame.turn, w)) rate(x);
          break;
      }
      first += coordinate_count(measure);
    }
  }

  void laws(const ExportJoint& j, std::size_t which) {
    const JointLaws& laws = j.each[which];
    const auto key = [&](const char* word, quad x) {
      if (x != 0) out_ += std::string(" ") + word + "=\"" + digits(x, math::abs(x)) + "\"";
    };
    key("ref", j.coordinates[which]);
    key("damping", laws.damping);
    key("armature", laws.armature);
    if (laws.stiffness > 0) {
      key("stiffness", laws.stiffness);
      out_ += " springref=\"" + digits(laws.rest) + "\"";
    }
    key("frictionloss", laws.friction);
    if (laws.range)
      out_ += " limited=\"true\" range=\"" + digits((*laws.range)[0]) + " " + digits((*laws.range)[1]) + "\"";
  }

  void equalities() {
    if (tree_.loops.empty() && tree_.gears.empty()) return;
    out_ += "  <equality>\n";
    for (const ExportGear& gear : tree_.gears) {
      const auto called = [&](int joint) {
        return xml_text(tree_.joints[static_cast<std::size_t>(joint)].record->name);
      };
      out_ += "    <joint name=\"" + xml_text(gear.name) + "\" joint1=\"" + called(gear.joint) + "\" joint2=\"" +
              called(gear.follows) + "\" polycoef=\"" + digits(gear.offset) + " " +
              digits(gear.ratio, math::abs(gear.ratio)) + " 0 0 0\"/>\n";
    }
    for (const int index : tree_.loops) {
      const ExportJoint& j = tree_.joints[static_cast<std::size_t>(index)];
      const std::string what = "joint \"" + j.record->name + "\"", name = xml_text(j.record->name);
      if (j.lawful()) refuse_export(what, "closes a loop and has a law; expected none");
      const bool grounded = j.record->a.body < 0;  // the first has to be a body
      const int first = grounded ? j.record->b.body : j.record->a.body, second = grounded ? -1 : j.record->b.body;
      const auto called = [&](int body) {
        return body < 0 ? std::string("world") : xml_text(tree_.bodies[static_cast<std::size_t>(body)].record->name);
      };
      const std::string pair = "\" body1=\"" + called(first) + "\" body2=\"" + called(second) + "\"";
      const Pose& frame = tree_.bodies[static_cast<std::size_t>(first)].frame;
      const auto connect = [&](const std::string& own, const Triple& x) {
        out_.append("    <connect name=\"").append(own).append(pair).append(" anchor=\"");
        out_.append(at_place(inward(frame.turn, x - frame.at))).append("\"/>\n");
      };
      if (j.keeps({Keeps::together})) {
        connect(name, j.anchor);
      } else if (j.keeps({Keeps::together, Keeps::aligned})) {
        // Two points of the axis.
        const quad far = tree_.told.length_scale();
        connect(name, j.anchor);
        connect(name + " 2", j.anchor + (grounded ? -far : far) * j.axis);
      } else if (j.keeps({Keeps::together, Keeps::carried})) {
        out_.append("    <weld name=\"").append(name).append(pair).append("/>\n");
      } else {
        refuse_export(what, "closes a loop and is " + j.type() + "; expected " + joint_words(closes_loops));
      }
    }
    out_ += "  </equality>\n";
  }

  void actuators() {
    for (const ExportJoint& j : tree_.joints)
      for (int which = 0; which < 3; ++which) {
        const JointLaws& laws = j.each[static_cast<std::size_t>(which)];
        if (laws.servo.empty()) continue;
        out_ += actuator("position", laws.servo, j, which) + " kp=\"" + digits(laws.kp, laws.kp) + "\"";
        if (laws.kv != 0) out_ += " kv=\"" + digits(laws.kv, laws.kv) + "\"";
        out_ += "/>\n";
        controlled(laws.target);
      }
    for (const ExportMotor& motor : tree_.motors) {
      const ExportJoint& j = tree_.joints[static_cast<std::size_t>(motor.joint)];
      const AffineForce& force = motor.force;
      const bool plain = norm(force.bias) == 0;
      out_ += actuator(plain ? "motor" : "general", motor.name, j, motor.which);
      if (plain && force.gain != 1) out_ += " gear=\"" + digits(force.gain, math::abs(force.gain)) + "\"";
      if (!plain) {
        out_ += " gainprm=\"" + digits(force.gain, math::abs(force.gain)) + "\" biastype=\"affine\" biasprm=\"";
        for (std::size_t k = 0; k < 3; ++k)
          out_ += (k == 0 ? "" : " ") + digits(force.bias[k], math::abs(force.bias[k]));
        out_ += "\"";
      }
      if (force.range) {
        // Of a motor with a gear it is that before the gear.
        const quad by = plain ? math::abs(force.gain) : quad(1);
        const Triple ends{(*force.range)[0] / by, (*force.range)[1] / by};
        const bool turned = plain && force.gain < 0;
        out_ += " forcelimited=\"true\" forcerange=\"" + digits(turned ? -ends[1] : ends[0]) + " " +
                digits(turned ? -ends[0] : ends[1]) + "\"";
      }
      out_ += "/>\n";
      controlled(force.control);
    }
    if (!controls_.empty()) out_ += "  </actuator>\n";
  }

  std::string actuator(const char* kind, const std::string& name, const ExportJoint& j, int which) const {
    const auto called = called_.find({&j, which});
    if (called == called_.end())
      refuse_export("motor \"" + name + "\"",
                    "is of a joint that closes a loop, or of several freedoms; expected another");
    return std::string(controls_.empty() ? "  <actuator>\n" : "") + "    <" + kind + " name=\"" + xml_text(name) +
           "\" joint=\"" + called->second + "\"";
  }

  void controlled(quad control) {
    controls_.push_back(control);
    moves_ = moves_ || control != 0;
  }

  ExportTree& tree_;
  const std::string& name_;
  quad step_;
  std::string out_;
  std::vector<std::pair<std::string, std::string>> meshes_;
  std::map<std::pair<const ExportJoint*, int>, std::string> called_;  // coordinates of joints
  std::vector<quad> rates_, controls_;
  bool moves_ = false;
};

}  // namespace

std::string mjcf_text(ExportTree& tree, const std::string& name, quad step) {
  if (!tree.told.given_starts.empty()) tree.notes.push_back("the start by joints");
  return MjcfText(tree, name, step).text();
}

}  // namespace extremal::robots
