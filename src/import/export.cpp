#include "import/export.hpp"

#include <algorithm>

#include "bodies/principal.hpp"
#include "extremal/error.hpp"
#include "extremal/import.hpp"

namespace extremal {
namespace robots {
namespace {

Directors transposed(const Directors& d) { return inverse(Pose{{}, d}).turn; }

Pose frame_of(const BodyRecord& body) {
  const Directors turn = body.axes == no_rotation ? body.directors : product(body.directors, transposed(body.axes));
  return {body.position - outward(turn, body.centre), turn};
}

Tensor tensor_of_frame(const BodyRecord& body) {
  const Triple& E = body.euler;
  return turned({E[1] + E[2], E[2] + E[0], E[0] + E[1], 0, 0, 0}, body.axes);
}

// A load that acts on the coordinate of one joint.
class Laws {
 public:
  explicit Laws(ExportTree& tree) : tree_(tree), told_(tree.told) {}

  void add(const LoadRecord& load) {
    const std::string type = load.type, what = "load \"" + load.name + "\" (" + type + ")";
    const LoadData& given = load.given;
    if (type == "joint_spring" || type == "joint_damper" || type == "servo") {
      JointLaws& laws = laws_of(what, given.joint);
      if (type == "servo") {
        if (!given.target.constant() || !laws.servo.empty())
          refuse_export(what, "its target depends on time, or there are two; expected one that is constant");
        laws.servo = load.name, laws.kp = given.stiffness.as<quad>(), laws.kv = given.damping.as<quad>();
        laws.target = given.target.at(quad(0))[0];
        return;
      }
      laws.damping += given.damping.as<quad>();
      if (type == "joint_spring") spring(what, laws, given.stiffness.as<quad>(), given.rest.as<quad>());
    } else if (type == "rotational_damper" || type == "torsion_spring") {
      ExportJoint& joint = between(what, given);
      joint.laws().damping += given.damping.as<quad>();
      if (type == "torsion_spring")
        spring(what, joint.laws(), given.stiffness.as<quad>(), joint.coordinate() + given.angle.as<quad>());
    } else if (type == "joint_friction") {
      JointLaws& laws = laws_of(what, given.joint);
      laws.friction += given.friction.as<quad>(), laws.damping += given.damping.as<quad>();
      if (given.creep.as<quad>() != quad(1) / 100) tree_.notes.push_back("creep of " + what);
    } else if (type == "joint_limit") {
      limit(what, laws_of(what, given.joint), given);
    } else if (type == "gear") {
      const std::size_t a = known(what, given.joint), b = known(what, given.follows);
      const quad ratio = given.ratio.as<quad>();
      const quad there = ratio * tree_.joints[b].coordinate();
      const quad offset = given.offset.as<quad>() + there - tree_.joints[a].coordinate();
      const bool met = math::abs(offset) < quad(1e-30) * (1 + math::abs(there));
      tree_.gears.push_back({load.name, static_cast<int>(a), static_cast<int>(b), ratio, met ? quad(0) : offset});
    } else {
      refuse_export(what,
                    "is none of a joint, or given by a formula; expected springs, dampers, servos, friction, limits "
                    "and gears of joints");
    }
  }

 private:
  static void spring(const std::string& what, JointLaws& laws, quad stiffness, quad rest) {
    if (laws.stiffness > 0) refuse_export(what, "is a second spring of its joint; expected one");
    laws.stiffness = stiffness, laws.rest = rest;
  }

  // Neither format says how stiff a limit is.
  void limit(const std::string& what, JointLaws& laws, const LoadData& given) {
    if (laws.range || given.lower.empty() || given.upper.empty())
      refuse_export(what, "is a second one of its joint or has one end; expected one with two");
    laws.range = {given.lower.list()[0].as<quad>(), given.upper.list()[0].as<quad>()};
    tree_.notes.push_back("stiffness of " + what + "; --limits of import has it");
  }

  std::size_t known(const std::string& what, const std::string& joint) const {
    for (std::size_t i = 0; i < tree_.joints.size(); ++i)
      if (tree_.joints[i].record->name == joint) return i;
    refuse_export(what, "acts on " + joint + "; expected a joint with one freedom");
  }

  JointLaws& laws_of(const std::string& what, const std::string& joint) {
    const JointPlace place = told_.joint_place(what, joint);
    return tree_.joints[static_cast<std::size_t>(place.joint)].each[static_cast<std::size_t>(place.which)];
  }

  // The hinge between two bodies whose axis a load has.
  ExportJoint& between(const std::string& what, const LoadData& given) {
    const int a = told_.index(what, given.from), b = told_.index(what, given.to);
    for (ExportJoint& each : tree_.joints) {
      const JointRecord& joint = *each.record;
      if (joint.a.body != a || joint.b.body != b) continue;
      if (given.axis.empty() && each.moves_by({Measures::rotation})) return each;
      if (given.axis.empty() || !each.moves_by({Measures::angle})) continue;
      const Triple axis = told_.along_directors(a, told_.direction(what, given.axis));
      if (norm(axis - joint.axis) < quad(1e-12)) return each;
    }
    refuse_export(what, "is about no axis of a joint; expected that of a hinge between its bodies");
  }

  ExportTree& tree_;
  const MechanismData& told_;
};

}  // namespace

void refuse_export(const std::string& what, const std::string& reason) {
  throw InputError("export: " + what + " " + reason);
}

int coordinate_count(Measures measure) {
  constexpr int counts[] = {1, 1, 2, 3, 2};
  return counts[static_cast<int>(measure)];
}

// A point on a line has a stroke, too, and turns besides.
bool told(const JointType& type) {
  int count = 0;
  for (const Measures one : type.measures) count += coordinate_count(one);
  return count == type.freedoms(Space::spatial);
}

bool closes_loops(const JointType& type) {
  using K = Keeps;
  return type.keeps == std::vector{K::together} || type.keeps == std::vector{K::together, K::aligned} ||
         type.keeps == std::vector{K::together, K::carried};
}

bool ExportJoint::told() const { return robots::told(*record->type); }

std::string joint_words(const std::function<bool(const JointType&)>& wanted) {
  std::vector<std::string> names;
  for (const JointType& type : joint_types())
    if (wanted(type)) names.emplace_back(type.name);
  std::string all = names.front();
  for (std::size_t k = 1; k < names.size(); ++k) all += (k + 1 < names.size() ? ", " : " or ") + names[k];
  return all;
}

std::string xml_text(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '&')
      all += "&amp;";
    else if (c == '<')
      all += "&lt;";
    else if (c == '"')
      all += "&quot;";
    else
      all += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return all;
}

ExportTree::ExportTree(const MechanismData& data) : told(data) {
  if (told.space == Space::planar) refuse_export("a planar mechanism", "found; expected one in space");
  if (!told.rods.empty()) refuse_export("rod \"" + told.rods[0].name + "\"", "found; expected rigid bodies");
  if (!told.drives.empty()) refuse_export("drive \"" + told.drives[0].first + "\"", "found; expected none");
  for (const BodyRecord& body : told.bodies) {
    if (!body.rigid) refuse_export("point mass \"" + body.name + "\"", "found; expected bodies with inertia");
    bodies.push_back({&body, -1, -1, frame_of(body), tensor_of_frame(body)});
  }
  const auto space_axis = [&](const JointRecord& joint) { return outward(told.directors(joint.a.body), joint.axis); };
  for (const JointRecord& joint : told.joints) {
    ExportJoint each;
    each.record = &joint;
    each.anchor = told.placed(joint.b), each.from = told.placed(joint.a), each.axis = space_axis(joint);
    each.axis_to = outward(told.directors(joint.b.body), joint.axis_to);
    each.each[0].armature = joint.armature;
    std::size_t which = 0;
    for (const Measures one : joint.type->measures) {
      if (one == Measures::angle) each.coordinates[which] = joint.angle;
      if (one == Measures::stroke) each.coordinates[which] = dot(each.axis, each.anchor - each.from);
      which += static_cast<std::size_t>(coordinate_count(one));
    }
    joints.push_back(each);
  }
  // Bodies one after another, each on the first joint that leads to it.
  std::vector<bool> placed(bodies.size(), false), used(joints.size(), false);
  const auto is_in = [&](int body) { return body < 0 || placed[static_cast<std::size_t>(body)]; };
  const auto grow = [&] {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const JointRecord& joint = *joints[j].record;
      if (used[j] || is_in(joint.a.body) == is_in(joint.b.body)) continue;
      used[j] = true, joints[j].swapped = is_in(joint.b.body);
      const int child = joints[j].swapped ? joint.a.body : joint.b.body;
      ExportBody& body = bodies[static_cast<std::size_t>(child)];
      body.parent = joints[j].swapped ? joint.b.body : joint.a.body, body.joint = static_cast<int>(j);
      if (joints[j].swapped) joints[j].axis = quad(-1) * joints[j].axis, std::swap(joints[j].anchor, joints[j].from);
      placed[static_cast<std::size_t>(child)] = true;
      return true;
    }
    return false;
  };
  for (;;) {
    while (grow()) {
    }
    const auto next = std::find(placed.begin(), placed.end(), false);
    if (next == placed.end()) break;
    *next = true;  // floats
  }
  for (std::size_t b = 0; b < bodies.size(); ++b)
    (bodies[b].parent < 0 ? roots : bodies[static_cast<std::size_t>(bodies[b].parent)].children)
        .push_back(static_cast<int>(b));
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (!used[j]) loops.push_back(static_cast<int>(j));
  Laws laws(*this);
  for (const LoadRecord& load : told.loads) laws.add(load);
}

namespace {

// Of the energy that the armature of one coordinate of several is.
bool add_rotor(ExportTree& tree, const System& system, const Term& term) {
  const std::optional<quad> inertia = rotor_inertia(system, term);
  if (!inertia) return false;
  for (const JointPlace& place : tree.told.own) {
    if (tree.told.own_index(place) != term.sites[0]) continue;
    tree.joints[static_cast<std::size_t>(place.joint)].each[static_cast<std::size_t>(place.which)].armature += *inertia;
    return true;
  }
  return false;
}

// Of the term that a motor by formula, or a servo whose target is an input, became.
void add_motor(ExportTree& tree, const System& system, const Term& term) {
  const std::string what = "motor \"" + term.name + "\"";
  for (const JointPlace& place : tree.told.own) {
    const int index = tree.told.own_index(place);
    if (std::find(term.sites.begin(), term.sites.end(), index) == term.sites.end()) continue;
    if (const std::optional<AffineForce> force = affine_force(system, term, index)) {
      tree.motors.push_back({term.name, place.joint, place.which, *force});
      return;
    }
  }
  refuse_export(what,
                "is a formula; expected one that is linear in the coordinate of its joint, its rate and one parameter, "
                "perhaps between two ends");
}

}  // namespace
}  // namespace robots

Exported export_robot(const Model& model, RobotFormat format) {
  if (model.mechanism == nullptr)
    robots::refuse_export(model.system.name(), "is given by formulas; expected bodies and joints");
  const System own = model.mechanism->system();
  const auto& terms = model.system.terms();
  const auto& all_motors = model.system.rigid()->motors;
  const auto motor = [&](const Term* term) {
    return std::any_of(all_motors.begin(), all_motors.end(),
                       [&](const RigidMotor& each) { return each.term.get() == term; });
  };
  if (model.system.size() != own.size()) robots::refuse_export("coordinates", "by formula found; expected none");
  robots::ExportTree tree(model.mechanism->told());
  for (std::size_t k = own.terms().size(); k < terms.size(); ++k) {
    const Term& term = *terms[k];
    if (term.role == Role::symmetry || robots::add_rotor(tree, model.system, term)) continue;
    if (!motor(&term))
      robots::refuse_export("\"" + term.name + "\"", "is a formula; expected bodies, joints and laws of joints");
    robots::add_motor(tree, model.system, term);
  }
  Exported out;
  out.text = format == RobotFormat::urdf ? robots::urdf_text(tree, model.system.name())
                                         : robots::mjcf_text(tree, model.system.name(), model.span.step.as<quad>());
  out.notes = tree.notes;
  return out;
}

}  // namespace extremal
