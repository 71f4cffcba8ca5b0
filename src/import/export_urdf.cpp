#include <algorithm>

#include "import/export.hpp"
#include "import/text.hpp"

namespace extremal::robots {
namespace {

// About the fixed axes x, y, z in turn.
Triple roll_pitch_yaw(const Directors& d) {
  const quad sine = -d[0][2], cosine = math::sqrt(d[0][0] * d[0][0] + d[0][1] * d[0][1]);
  if (cosine > quad(1e-15))
    return {math::atan2(d[1][2], d[2][2]), math::atan2(sine, cosine), math::atan2(d[0][1], d[0][0])};
  return {math::atan2(-d[2][1], d[1][1]), math::atan2(sine, cosine), 0};  // about one axis all the same
}

class UrdfText {
 public:
  UrdfText(ExportTree& tree, const std::string& name) : tree_(tree), name_(name) {}

  std::string text() {
    for (const BodyRecord& body : tree_.told.bodies)
      if (body.name == ground_) ground_ += " frame";
    out_ = "<?xml version=\"1.0\"?>\n<robot name=\"" + xml_text(name_) + "\">\n  <link name=\"" + ground_ + "\"/>\n";
    expect_mimics();
    for (const ExportBody& body : tree_.bodies) link(body);
    for (const ExportBody& body : tree_.bodies) joint(body);
    for (const int j : tree_.loops) loop(tree_.joints[static_cast<std::size_t>(j)]);
    notes();
    return out_ + "</robot>\n";
  }

 private:
  // The frame of a link is at its joint.
  Pose link_frame(int index) const {
    if (index < 0) return {};
    const ExportBody& body = tree_.bodies[static_cast<std::size_t>(index)];
    if (body.joint < 0) return body.frame;
    return {tree_.joints[static_cast<std::size_t>(body.joint)].anchor, body.frame.turn};
  }
  int index_of(const ExportBody& body) const { return static_cast<int>(&body - tree_.bodies.data()); }
  std::string link_name(int index) const {
    return index < 0 ? ground_ : xml_text(tree_.bodies[static_cast<std::size_t>(index)].record->name);
  }

  std::string at_place(const Triple& x) const { return digits_of(x, " ", tree_.told.length_scale()); }
  std::string place(const Pose& pose) const {
    const Triple rpy = roll_pitch_yaw(pose.turn);
    return "xyz=\"" + at_place(pose.at) + "\" rpy=\"" + digits(rpy[0]) + " " + digits(rpy[1]) + " " + digits(rpy[2]) +
           "\"";
  }

  void link(const ExportBody& body) {
    const BodyRecord& record = *body.record;
    const Pose frame = link_frame(index_of(body));
    const Triple centre = inward(frame.turn, record.position - frame.at);
    const Tensor& J = body.inertia;
    quad size = 0;
    for (const quad x : J) size = math::max(size, math::abs(x));
    out_ += "  <link name=\"" + xml_text(record.name) + "\">\n    <inertial>\n      <origin xyz=\"" + at_place(centre) +
            "\"/>\n      <mass value=\"" + digits(record.mass, record.mass) + "\"/>\n      <inertia";
    const char* names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (std::size_t i = 0; i < 6; ++i) out_ += std::string(" ") + names[i] + "=\"" + digits(J[i], size) + "\"";
    out_ += "/>\n    </inertial>\n";
    for (const LookRecord& look : tree_.told.looks)
      if (look.body == index_of(body)) visual(look, {record.position, record.directors}, frame);
    out_ += "  </link>\n";
  }

  void visual(const LookRecord& look, const Pose& body, const Pose& frame) {
    const Pose at = inverse(frame) * (body * Pose{look.at, look.turn});
    const auto& s = look.size;
    std::string shape;
    if (look.shape == "mesh")
      shape = "<mesh filename=\"" + xml_text(look.file) + "\" scale=\"" + digits_of(s, " ") + "\"/>";
    else if (look.shape == "box")
      shape = "<box size=\"" + digits_of(s, " ") + "\"/>";
    else if (look.shape == "sphere")
      shape = "<sphere radius=\"" + digits(s[0] / 2) + "\"/>";
    else if (look.shape == "cylinder" || look.shape == "capsule")
      shape = "<" + look.shape + " radius=\"" + digits(s[0] / 2) + "\" length=\"" + digits(s[2]) + "\"/>";
    if (shape.empty()) return tree_.notes.push_back("shapes that URDF has not: " + look.shape);
    out_ += "    <visual><origin " + place(at) + "/><geometry>" + shape + "</geometry>" + material(look.colour) +
            "</visual>\n";
  }

  static std::string material(const std::string& colour) {
    if (colour.size() != 7) return {};
    std::string rgba;
    for (std::size_t i = 1; i < 7; i += 2)
      rgba += digits(quad(std::stoi(colour.substr(i, 2), nullptr, 16)) / 255) + " ";
    return "<material name=\"" + colour + "\"><color rgba=\"" + rgba + "1\"/></material>";
  }

  // Empty if there is none.
  static std::string urdf_type(const JointType& type, bool has_range) {
    using M = Measures;
    if (!told(type)) return {};
    const std::vector<M>& by = type.measures;
    if (by == std::vector{M::angle}) return has_range ? "revolute" : "continuous";
    return by == std::vector{M::stroke}            ? "prismatic"
           : by == std::vector{M::place, M::angle} ? "planar"
           : by.empty()                            ? "fixed"
                                                   : "";
  }

  void joint(const ExportBody& body) {
    const Pose home = inverse(link_frame(body.parent)) * link_frame(index_of(body));
    std::string name = body.record->name + " floats", type = "floating", more;
    if (body.joint >= 0) {
      const ExportJoint& j = tree_.joints[static_cast<std::size_t>(body.joint)];
      const std::string what = "joint \"" + j.record->name + "\"";
      name = j.record->name;
      type = urdf_type(*j.record->type, j.laws().range.has_value());
      if (type.empty())
        refuse_export(what, "is " + j.type() + ", which URDF has not; expected " +
                                joint_words([](const JointType& one) { return !urdf_type(one, true).empty(); }) +
                                "; try --mjcf");
      if (type != "fixed")
        more += "    <axis xyz=\"" + digits_of(cleaned(inward(body.frame.turn, j.axis)), " ") + "\"/>\n";
      laws(j, what, more);
    }
    out_ += "  <joint name=\"" + xml_text(name) + "\" type=\"" + type + "\">\n    <parent link=\"" +
            link_name(body.parent) + "\"/>\n    <child link=\"" + xml_text(body.record->name) + "\"/>\n    <origin " +
            place(home) + "/>\n" + more + "  </joint>\n";
  }

  void laws(const ExportJoint& j, const std::string& what, std::string& more) {
    if (j.coordinate() != 0) counted_.push_back(j.record->name);  // it is 0 where the bodies are
    if (j.laws().stiffness > 0 || !j.laws().servo.empty())
      refuse_export(what, "has a spring or a servo, which URDF has not; expected damping; try --mjcf");
    if (j.laws().armature != 0) refuse_export(what, "has an armature, which URDF has not; expected none; try --mjcf");
    const quad c = j.laws().damping, mu = j.laws().friction;
    if (c > 0 || mu > 0) {
      more += "    <dynamics";
      if (c > 0) more += " damping=\"" + digits(c, c) + "\"";
      if (mu > 0) more += " friction=\"" + digits(mu, mu) + "\"";
      more += "/>\n";
    }
    if (j.laws().range)
      more += "    <limit lower=\"" + digits((*j.laws().range)[0] - j.coordinate()) + "\" upper=\"" +
              digits((*j.laws().range)[1] - j.coordinate()) + "\"/>\n";
    for (const ExportGear& gear : tree_.gears)
      if (&tree_.joints[static_cast<std::size_t>(gear.joint)] == &j)
        more += "    <mimic joint=\"" + xml_text(tree_.joints[static_cast<std::size_t>(gear.follows)].record->name) +
                "\" multiplier=\"" + digits(gear.ratio, math::abs(gear.ratio)) + "\" offset=\"" + digits(gear.offset) +
                "\"/>\n";
  }

  // A gear of a joint that closes a loop, or a second one of a joint, is none that URDF can say.
  void expect_mimics() const {
    std::vector<int> seen = tree_.loops;
    for (const ExportGear& gear : tree_.gears) {
      for (const int joint : {gear.joint, gear.follows})
        if (std::find(tree_.loops.begin(), tree_.loops.end(), joint) != tree_.loops.end())
          refuse_export("gear \"" + gear.name + "\"", "is of a joint that closes a loop; expected joints of the tree");
      if (std::find(seen.begin(), seen.end(), gear.joint) != seen.end())
        refuse_export("gear \"" + gear.name + "\"", "is a second one of its joint, which URDF has not; try --mjcf");
      seen.push_back(gear.joint);
    }
  }

  void loop(const ExportJoint& j) {
    const std::string what = "joint \"" + j.record->name + "\"";
    if (!closes_loops(*j.record->type))
      refuse_export(what, "closes a loop and is " + j.type() + "; expected " + joint_words(closes_loops));
    const bool hinge = j.moves_by({Measures::angle});
    if (j.lawful()) refuse_export(what, "closes a loop and has a law; expected none");
    const Pose a = link_frame(j.record->a.body), b = link_frame(j.record->b.body);
    const auto side = [&](const char* tag, int body, const Pose& frame, const Triple& at) {
      const Pose pose = inverse(frame) * Pose{at, a.turn};
      out_ += std::string("    <") + tag + " link=\"" + link_name(body) + "\" " + place(pose) + "/>\n";
    };
    out_ +=
        "  <loop_joint name=\"" + xml_text(j.record->name) + "\" type=\"" + (hinge ? "continuous" : j.type()) + "\">\n";
    side("link1", j.record->a.body, a, j.from);
    side("link2", j.record->b.body, b, j.anchor);
    if (hinge) out_ += "    <axis xyz=\"" + digits_of(cleaned(inward(a.turn, j.axis)), " ") + "\"/>\n";
    out_ += "  </loop_joint>\n";
  }

  void notes() {
    const MechanismData& told = tree_.told;
    std::string motors, list;
    for (const ExportMotor& motor : tree_.motors) motors += (motors.empty() ? "" : ", ") + motor.name;
    if (!motors.empty()) tree_.notes.push_back("motors, which URDF has not: " + motors);
    for (const std::string& name : counted_) list += (list.empty() ? "" : ", ") + name;
    if (!list.empty()) tree_.notes.push_back("joints whose coordinate is 0 where the bodies are now: " + list);
    if (norm(told.gravity - Triple{0, 0, quad(-981) / 100}) > quad(1e-30))
      tree_.notes.push_back("gravity, which is 9.81 against z there");
    if (std::any_of(told.bodies.begin(), told.bodies.end(),
                    [](const BodyRecord& b) { return norm(b.velocity) + norm(b.angular_velocity) > 0; }) ||
        !told.given_starts.empty())
      tree_.notes.push_back("how the motion starts: URDF has no velocities");
  }

  ExportTree& tree_;
  const std::string& name_;
  std::string ground_ = "ground", out_;
  std::vector<std::string> counted_;
};

}  // namespace

std::string urdf_text(ExportTree& tree, const std::string& name) { return UrdfText(tree, name).text(); }

}  // namespace extremal::robots
