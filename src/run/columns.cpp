#include "run/columns.hpp"

#include <algorithm>

#include "bodies/body_poses.hpp"
#include "bodies/reactions.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "system/evaluation.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

std::string variable_name(std::string column) {
  std::replace(column.begin(), column.end(), ':', '_');
  return column;
}

// An observer may have any name; one that is taken, as x or energy, is a column with "observer:" before it.
void make_unique(std::vector<ColumnInfo>& columns, std::size_t which) {
  ColumnInfo& own = columns[which];
  own.variable = own.name;
  const auto taken = [&](const ColumnInfo& other) {
    return &other != &own && (other.name == own.name || other.variable == own.name);
  };
  while (std::any_of(columns.begin(), columns.end(), taken)) own.name = own.variable = "observer:" + own.name;
}

template <class S>
void put(const std::vector<S>& from, S* out) {
  std::copy(from.begin(), from.end(), out);
}
template <class S>
void put(std::initializer_list<S> from, S* out) {
  std::copy(from.begin(), from.end(), out);
}

}  // namespace

template <class S>
Columns<S>::Columns(const System& system, const Scheme& scheme, const Span& span,
                    const std::vector<Observer>& observers) {
  // Of many bodies the names are a good part of all that a run needs.
  infos_.reserve(3 * system.coordinate_names().size() + 3 * system.constraint_names().size() + 64);
  add_motion(system, reports_own(scheme, span));
  add_observers(observers);
  if constexpr (!std::is_same_v<S, Lanes>) {
    if (span.error_estimate) add_estimate();
    add_requested(system, scheme, span);
    add_joints(system);
    add_reactions(system);
    add_motors(system);
    add_poses(system);
  }
  for (std::size_t k = 0; k < observed_.count; ++k) make_unique(infos_, observed_.first + k);
}

template <class S>
void Columns<S>::add_motion(const System& system, bool own) {
  using L = const Look<S>&;
  const auto &coordinates = system.coordinate_names(), &constraints = system.constraint_names();
  std::vector<std::string> symmetries;
  for (const auto& term : system.terms())
    if (term->role == Role::symmetry) symmetries.push_back(term->name);

  one("t", "s", "time", [](L l) { return l.state.t; }, "time");
  each("", "q", "coordinate", coordinates, "unit of the coordinate", "coordinate",
       [](L l, S* out) { put(l.state.q, out); });
  each("v:", "v", "coordinate", coordinates, "unit of the coordinate / s", "velocity dH/dp",
       [](L l, S* out) { put(l.seen.v, out); });
  each("p:", "p", "coordinate", coordinates, "J s / unit of the coordinate", "conjugate momentum",
       [](L l, S* out) { put(l.state.p, out); });
  each("lambda:", "lambda", "constraint", constraints, "J / unit of the constraint",
       std::string(own ? "multiplier of the scheme" : "multiplier") + "; the constraint force is -G^T lambda",
       [](L l, S* out) { put(l.seen.lambda, out); });
  each("force:", "force", "constraint", constraints, "J / unit of the coordinate",
       "size of the constraint force, -lambda times the norm of the row of G", [](L l, S* out) {
         std::vector<S> norms;
         l.asked.norms(l.state, norms);
         for (std::size_t k = 0; k < norms.size(); ++k) out[k] = -l.seen.lambda[k] * norms[k];
       });
  one("energy", "J", "energy H", [](L l) { return l.seen.energy(); });
  one("kinetic", "J", "kinetic energy", [](L l) { return l.seen.kinetic; });
  one("potential", "J", "potential energy", [](L l) { return l.seen.potential; });
  each("momentum:", "momentum", "symmetry", symmetries, "J s / unit of the symmetry", "momentum map of a symmetry",
       [](L l, S* out) { put(l.seen.momenta, out); });
  one(
      "constraint", "unit of the constraint", "largest |g| over the constraints", [](L l) { return l.seen.constraint; },
      "constraint_residual");
  one(
      "hidden", "unit of the constraint / s", "largest |G v + g_t| over the constraints",
      [](L l) { return l.seen.hidden; }, "hidden_residual");
  one("iterations", "1", "iterations of Newton's method in the step", [](L l) { return S(l.iterations); });
  if (does_work(system))
    one("work", "J", "work of forces, given motions and constraints that depend on time, since the start",
        [](L l) { return l.work; });
  if constexpr (!std::is_same_v<S, Lanes>) add_rods(system);
}

template <class S>
void Columns<S>::add_rods(const System& system) {
  using L = const Look<S>&;
  if (const auto& rigid = system.rigid(); rigid != nullptr && !rigid->rods.empty()) {
    std::vector<ColumnInfo> kinds;
    for (const char* kind : {"translation", "rotation", "stretching", "shear", "torsion", "bending"})
      kinds.push_back({std::string("energy:") + kind, std::string("energy_") + kind, "", "", "J",
                       std::string("energy of ") + kind});
    add(std::move(kinds), [rods = RodLook<S>(*rigid)](L l, S* out) {
      const EnergySplit<S> e = rods.energies(l.state.q, l.seen.v);
      put({e.translation, e.rotation, e.stretching, e.shear, e.torsion, e.bending}, out);
    });
  }
}

template <class S>
void Columns<S>::add_observers(const std::vector<Observer>& observers) {
  observed_ = {infos_.size(), observers.size()};
  for (const Observer& observer : observers)
    one(observer.name, "unit of the formula", "formula of the model", [term = observer.term](const Look<S>& l) {
      // Behind the coordinates of the system those of joints.
      std::vector<S> q = l.state.q, v = l.seen.v;
      if (l.joints != nullptr) {
        q.insert(q.end(), l.joints->values().begin(), l.joints->values().end());
        v.insert(v.end(), l.joints->rates().begin(), l.joints->rates().end());
      }
      const Nodes<S> here{1,
                          static_cast<int>(q.size()),
                          q.data(),
                          v.data(),
                          &l.state.t,
                          l.parameters.data(),
                          static_cast<int>(l.parameters.size())};
      S value{};
      term->template at<S>().value(here, &value);
      return value;
    });
}

template <class S>
void Columns<S>::add_estimate() {
  std::vector<ColumnInfo> infos;
  for (const auto& [name, unit, description] :
       {std::tuple("balance", "J", "residual of the energy balance of the step"),
        {"balance:quadrature", "J", "the same with the quadrature of dH/dt"},
        {"error:force", "N", "artificial force, rms over the step"},
        {"error:velocity", "m / s", "artificial velocity, rms over the step"},
        {"error:impulse", "N s", "artificial impulse at the end of the step"},
        {"error:jump", "m", "artificial jump at the start of the step"},
        {"gap", "unit of the constraint", "largest |g| inside the step"}})
    infos.push_back({name, variable_name(name), "", "", unit, description});
  estimated_ = {infos_.size(), infos.size()};
  add(std::move(infos), [](const Look<S>& l, S* out) {
    StepBalance<S> b{};  // zero at the start, where no step has been taken
    if (l.stepped) l.asked.balance(b);
    put({b.energy, b.energy_quadrature, b.force, b.velocity, b.impulse, b.jump, b.gap}, out);
  });
}

template <class S>
void Columns<S>::add_requested(const System& system, const Scheme& scheme, const Span& span) {
  using L = const Look<S>&;
  const std::vector<std::string>& known = columns_on_request();
  for (const std::string& name : span.extra_columns)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("columns: " + unknown("column", name, known));
  const auto wanted = [&](const char* name) {
    return std::find(span.extra_columns.begin(), span.extra_columns.end(), name) != span.extra_columns.end();
  };
  if (wanted("angular_momentum")) add_angular_momentum(system);
  if (wanted("energy_error"))
    one("energy_error", "J", "H - W - H0: the change of the energy since the start that no work explains",
        [](L l) { return l.seen.energy() - l.work - l.first_energy; });
  if (wanted("hidden"))
    each("hidden:", "hidden", "constraint", system.constraint_names(), "unit of the constraint / s", "G v + g_t",
         [](L l, S* out) {
           std::vector<S> rows;
           l.asked.hidden(l.state, l.seen.v, rows);
           put(rows, out);
         });
  if (!wanted("gamma")) return;
  if (!scheme.declared.gamma)
    throw InputError("columns: found gamma with " + scheme.name +
                     ", whose steps have no multiplier of G v = 0; expected a scheme such as ggl or livens(2)");
  each("gamma:", "gamma", "constraint", system.constraint_names(), "J s / unit of the constraint",
       "multiplier of the hidden constraint, its mean over the step that ends here", [](L l, S* out) {
         std::vector<S> rows;
         if (l.stepped && l.asked.gamma(rows)) put(rows, out);
       });
}

// Of all bodies about the origin, conserved or not: all vectors of a body turn alike [Kinon2023, eq. 75].
template <class S>
void Columns<S>::add_angular_momentum(const System& system) {
  const auto& rigid = system.rigid();
  if (rigid == nullptr)
    throw InputError("columns: found angular_momentum with " + system.name() +
                     ", which has no bodies; expected a model of parts; try a [[symmetry]] of the model");
  const int D = rigid->dimension;
  std::vector<std::string> members;
  for (int k = D == 2 ? 2 : 0; k < 3; ++k) members.emplace_back(1, "xyz"[k]);
  each("angular_momentum:", "angular_momentum", "axis", members, "J s",
       "angular momentum of all bodies about the origin", [rigid, D](const Look<S>& l, S* out) {
         const std::vector<S>&q = l.state.q, &p = l.state.p;
         for (int k = D == 2 ? 2 : 0; k < 3; ++k) {
           S sum(0);
           for (const RigidBody& body : rigid->bodies)
             for (int i = 0; i <= (body.turns ? D : 0); ++i) {
               const auto x = static_cast<std::size_t>(body.first + D * i + (k + 1) % 3);
               const auto y = static_cast<std::size_t>(body.first + D * i + (k + 2) % 3);
               sum += q[x] * p[y] - q[y] * p[x];
             }
           *out++ = sum;
         }
       });
}

// Angles and lengths have units of their own, and so are variables of their own.
template <class S>
void Columns<S>::add_joints(const System& system) {
  if (system.rigid() == nullptr) return;
  const JointCoordinates<S> joints(*system.rigid());
  for (const bool angular : {true, false}) {
    std::vector<std::string> members;
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < joints.count(); ++k) {
      const JointCoordinateInfo& info = joints.infos()[k];
      if (info.angular != angular) continue;
      members.push_back(info.joint + ":" + info.name);
      which.push_back(k);
    }
    const std::string axis = angular ? "joint_angle" : "joint_length", unit = angular ? "rad" : "m";
    const auto picked = [which](const std::vector<S>& from, S* out) {
      for (const std::size_t k : which) *out++ = from[k];
    };
    each("joint:", axis + "_position", axis, members, unit,
         angular ? "angle of a joint, over all turns, or rotation vector" : "length along or across a joint",
         [picked](const Look<S>& l, S* out) { picked(l.joints->values(), out); });
    each("v:joint:", axis + "_velocity", axis, members, unit + " / s",
         angular ? "angular velocity of a joint" : "velocity of a joint",
         [picked](const Look<S>& l, S* out) { picked(l.joints->rates(), out); });
  }
}

// Last, so that the other columns are where they were in tables made without these.
template <class S>
void Columns<S>::add_reactions(const System& system) {
  if (system.rigid() == nullptr || system.rigid()->joints.empty()) return;
  const auto joints = std::make_shared<const JointReactions<S>>(*system.rigid());
  for (const bool torque : {false, true}) {
    // In the plane forces have x and y, torques z.
    const bool planar = system.rigid()->dimension == 2;
    const std::size_t first = planar && torque ? 2 : 0, last = planar && !torque ? 2 : 3;
    const std::string kind = torque ? "torque" : "force";
    std::vector<std::string> members;
    for (const RigidJoint& joint : system.rigid()->joints)
      for (std::size_t k = first; k < last; ++k) members.push_back(joint.name + ":" + kind[0] + "xyz"[k]);
    each(
        "reaction:", "reaction_" + kind, "joint", members, torque ? "N m" : "N",
        kind + " of a joint on its second side, at its point there, in space axes",
        [joints, torque, first, last](const Look<S>& l, S* out) {
          for (std::size_t j = 0; j < joints->count(); ++j) {
            const JointWrench<S> w = joints->at(j, l.state.q.data(), l.seen.lambda.data());
            const lie::Vec3<S>& x = torque ? w.torque : w.force;
            const S components[] = {x.x, x.y, x.z};
            out = std::copy(components + first, components + last, out);
          }
        },
        kind + "_component");
  }
}

// Torques of motors that turn, then forces of those that push.
template <class S>
void Columns<S>::add_motors(const System& system) {
  if (system.rigid() == nullptr) return;
  for (const bool turns : {true, false}) {
    std::vector<RigidMotor> motors;
    std::vector<std::string> members;
    for (const RigidMotor& motor : system.rigid()->motors) {
      if (motor.turns != turns) continue;
      motors.push_back(motor);
      members.push_back(motor.name);
    }
    const std::string kind = turns ? "torque" : "force";
    each("motor:", "motor_" + kind, kind + "_motor", members, turns ? "N m" : "N", kind + " of a motor",
         [motors](const Look<S>& l, S* out) {
           std::vector<S> values;
           const Term* evaluated = nullptr;
           const Nodes<S> here{1,
                               static_cast<int>(l.state.q.size()),
                               l.state.q.data(),
                               l.seen.v.data(),
                               &l.state.t,
                               l.parameters.data()};
           for (const RigidMotor& motor : motors) {
             if (motor.term != nullptr && motor.term.get() != evaluated) {
               evaluated = motor.term.get();
               values.resize(sz(evaluated->site_count() * evaluated->row_count));
               evaluated->template at<S>().value(here, values.data());
             }
             *out++ = motor.row >= 0          ? -l.seen.lambda[sz(motor.row)]
                      : motor.term != nullptr ? values[sz(motor.site * motor.term->row_count)]
                                              : motor.f.at(l.state.t)[0];
           }
         });
  }
}

// Found together: one pose has all of a body.
template <class S>
void Columns<S>::add_poses(const System& system) {
  if (system.rigid() == nullptr) return;
  const auto poses = std::make_shared<const BodyPoses<S>>(*system.rigid());
  struct Part {
    const char *variable, *components, *unit, *description;
  };
  std::vector<ColumnInfo> infos;
  for (const Part& part :
       {Part{"position", "xyz", "m", "place of the frame of a body"},
        {"quaternion", "wxyz", "1", "rotation of the frame of a body, from its axes to those of space"},
        {"velocity", "xyz", "m / s", "velocity of the origin of the frame of a body"},
        {"omega", "xyz", "rad / s", "angular velocity of a body, in space axes"}})
    for (const std::string& body : poses->names())
      for (const char component : std::string_view(part.components)) {
        const std::string member = body + ":" + component;
        infos.push_back({std::string(part.variable) + ":" + member, part.variable, "body", member, part.unit,
                         part.description, part.components});
      }
  add(std::move(infos), [poses](const Look<S>& l, S* out) {
    const std::size_t count = poses->names().size();
    for (std::size_t b = 0; b < count; ++b) {
      const BodyPose<S> pose = poses->at(b, l.state.q.data(), l.seen.v.data());
      const lie::Quaternion<S>& r = pose.rotation;
      S* to = out + 3 * b;
      put({pose.position.x, pose.position.y, pose.position.z}, to);
      put({r.w, r.x, r.y, r.z}, to + 3 * count + b);
      put({pose.velocity.x, pose.velocity.y, pose.velocity.z}, to + 7 * count);
      put({pose.omega.x, pose.omega.y, pose.omega.z}, to + 10 * count);
    }
  });
}

template <class S>
void Columns<S>::add(std::vector<ColumnInfo> infos, Values values) {
  if (infos.empty()) return;
  entries_.push_back({infos_.size(), infos.size(), std::move(values)});
  for (ColumnInfo& info : infos) infos_.push_back(std::move(info));
}

template <class S>
void Columns<S>::one(const std::string& name, const std::string& unit, const std::string& description, Value value,
                     const std::string& variable) {
  add({{name, variable.empty() ? variable_name(name) : variable, "", "", unit, description}},
      [value = std::move(value)](const Look<S>& look, S* out) { *out = value(look); });
}

template <class S>
void Columns<S>::each(const std::string& prefix, const std::string& variable, const std::string& axis,
                      const std::vector<std::string>& members, const std::string& unit, const std::string& description,
                      Values values, const std::string& second) {
  std::vector<ColumnInfo> infos;
  infos.reserve(members.size());
  for (const std::string& member : members)
    infos.push_back({prefix + member, variable, axis, member, unit, description, second});
  add(std::move(infos), std::move(values));
}

template <class S>
void Columns<S>::fill(const Look<S>& look, std::vector<S>& row) const {
  for (const Entry& entry : entries_) entry.values(look, row.data() + entry.first);
}

template <class S>
void Columns<S>::keep(const std::vector<std::size_t>& columns) {
  multipliers_ = symmetries_ = false;
  for (const std::size_t c : columns) {
    const std::string &axis = infos_[c].axis, &variable = infos_[c].variable;
    multipliers_ = multipliers_ || axis == "constraint" || axis == "joint" || variable.starts_with("motor_");
    symmetries_ = symmetries_ || axis == "symmetry";
  }
  std::erase_if(entries_, [&](const Entry& entry) {
    return std::none_of(columns.begin(), columns.end(),
                        [&](std::size_t c) { return c >= entry.first && c < entry.first + entry.count; });
  });
}

#if defined(EXTREMAL_LANES)
template Columns<Lanes>::Columns(const System&, const Scheme&, const Span&, const std::vector<Observer>&);
template void Columns<Lanes>::fill(const Look<Lanes>&, std::vector<Lanes>&) const;
template void Columns<Lanes>::keep(const std::vector<std::size_t>&);
#else
#define EXTREMAL_INSTANTIATE(S) template class Columns<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE
#endif

}  // namespace extremal
