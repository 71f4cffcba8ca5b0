#include "lie/model.hpp"

#include <algorithm>
#include <unordered_map>

#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "kernel/rank.hpp"
#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"
#include "system/evaluation.hpp"

namespace extremal::lie {
namespace {

template <class S>
Vec3<S> vec(const Triple& x) {
  return {static_cast<S>(x[0]), static_cast<S>(x[1]), static_cast<S>(x[2])};
}

bool zero(const Triple& x) { return x[0] == quad(0) && x[1] == quad(0) && x[2] == quad(0); }

int component(const Triple& axis) {
  for (int k = 0; k < 3; ++k)
    if (axis[static_cast<std::size_t>(k)] == quad(1)) return k;
  return -1;
}

// The body that a joint holds by a point of it on the ground, or -1; and whether it may turn.
struct Held {
  int body = -1;
  bool turns = true;
  Triple at{}, anchor{};  // in the body, in space
};
Held held(const RigidJoint& joint, int dimension) {
  const auto gaps = std::count_if(joint.rows.begin(), joint.rows.end(),
                                  [](const RigidRow& row) { return row.kind == RigidRow::Kind::gap; });
  const auto normals = std::count_if(joint.rows.begin(), joint.rows.end(),
                                     [](const RigidRow& row) { return row.kind == RigidRow::Kind::normal; });
  const RigidRow& first = joint.rows.front();
  const bool on_a = first.a.body < 0, on_b = first.b.body < 0;
  const int locked = dimension == 3 ? 3 : 1;
  if (on_a == on_b || gaps != dimension || (normals != 0 && normals != locked) ||
      gaps + normals != static_cast<std::ptrdiff_t>(joint.rows.size()))
    return {};
  const Side &side = on_a ? first.b : first.a, &ground = on_a ? first.a : first.b;
  return {side.body, normals == 0, side.at, ground.at};
}

// Whether the body can turn about that point with moments about its own axes, and nothing else holds it.
bool hangs(const Held& held, const RigidStructure& rigid) {
  if (held.body < 0 || !held.turns || !rigid.bodies[static_cast<std::size_t>(held.body)].turns || !rigid.rods.empty())
    return false;
  const auto on_ground = [&](const RigidJoint& joint) {
    const Side &a = joint.rows.front().a, &b = joint.rows.front().b;
    return (a.body == held.body && b.body < 0) || (b.body == held.body && a.body < 0);
  };
  const auto off = std::count_if(held.at.begin(), held.at.end(), [](quad x) { return x != quad(0); });
  return off == 1 && std::count_if(rigid.joints.begin(), rigid.joints.end(), on_ground) == 1 &&
         std::none_of(rigid.drives.begin(), rigid.drives.end(),
                      [&](const RigidDrive& drive) { return drive.body == held.body; });
}

// Terms beside those of bodies and joints act on the bodies as loads, if they are potentials or forces.
System load_system(const System& system, const RigidStructure& rigid, const std::string& scheme, Laws laws) {
  System loads(system.name());
  for (const std::string& name : system.coordinate_names()) loads.coordinates(name);
  for (std::size_t i = 0; i < system.parameters().size(); ++i)
    loads.parameter(system.parameter_names()[i], system.parameters()[i]);
  for (const auto& term : system.terms()) {
    if (term->role == Role::symmetry ||
        std::find(rigid.described.begin(), rigid.described.end(), term) != rigid.described.end())
      continue;
    // A function of the bodies here.
    if (laws == Laws::of_joints && term->role == Role::constraint && term->name == own_coordinate_term) continue;
    if (term->role != Role::potential && term->role != Role::force)
      throw InputError(system.name() + ": term \"" + term->name + "\" is neither a joint nor a load; " + scheme +
                       " knows potentials and forces only; try rattle");
    loads.add_term(term);
  }
  return loads;
}

}  // namespace

template <class S>
Model<S>::Model(const System& system, const std::string& scheme, Holds holds, Laws laws) {
  if (system.rigid() == nullptr)
    throw InputError(system.name() + ": is not made of rigid bodies; " + scheme + " needs a mechanism; try " +
                     (system.has(Role::hamiltonian) ? "phase_space(2)" : "trapezoidal, or rattle"));
  const RigidStructure& rigid = *system.rigid();
  name = system.name();
  dimension = rigid.dimension;
  gravity = vec<S>(rigid.gravity);
  size = system.size();
  std::vector<Triple> kinds;
  const auto turn = [&](Body& body, const Triple& inertia) {
    body.inertia = vec<S>(inertia);
    body.inverse_inertia = {S(1) / body.inertia.x, S(1) / body.inertia.y, S(1) / body.inertia.z};
    const auto found = std::find(kinds.begin(), kinds.end(), inertia);
    body.rotation = static_cast<int>(found - kinds.begin());
    if (found != kinds.end()) return;
    kinds.push_back(inertia);
    rotations.emplace_back(body.inertia.x, body.inertia.y, body.inertia.z);
    free_rotations.emplace_back(body.inertia, dimension == 2);
  };
  for (const RigidBody& given : rigid.bodies) {
    Body body;
    body.mass = static_cast<S>(given.mass);
    body.inverse_mass = S(1) / body.mass;
    body.first = given.first;
    body.turns = body.swings = given.turns;
    body.damping = static_cast<S>(given.damping);
    damped = damped || body.damping != S(0);
    if (given.turns) {
      for (std::size_t k = 0; k < 3; ++k)
        if (!(given.inertia[k] > 0))
          throw InputError(system.name() + ": body \"" + given.name + "\" has no inertia about its axis " +
                           std::to_string(k + 1) + "; " + scheme + " needs three positive moments; try rattle");
      body.inertia = vec<S>(given.inertia);
      const S half = (body.inertia.x + body.inertia.y + body.inertia.z) / S(2);
      body.euler = {half - body.inertia.x, half - body.inertia.y, half - body.inertia.z};
      turn(body, given.inertia);
    }
    bodies.push_back(body);
    body_names.push_back(given.name);
  }
  plain_loads = rigid.loads;
  timed = std::any_of(plain_loads.begin(), plain_loads.end(), [](const RigidLoad& load) { return !load.f.constant(); });
  step_bound = static_cast<double>(extremal::step_bound(rigid.rods));
  const auto hold = [&](int index, bool turns) {
    Body& body = bodies[static_cast<std::size_t>(index)];
    body.moves = false;
    body.inverse_mass = S(0);
    if (turns) return;
    body.swings = false;
    body.inverse_inertia = {S(0), S(0), S(0)};
  };
  const auto hang = [&](Body& body, const RigidBody& given, const Triple& at, const Triple& anchor) {
    const Triple& J = given.inertia;
    const quad x = given.mass * at[0] * at[0], y = given.mass * at[1] * at[1], z = given.mass * at[2] * at[2];
    turn(body, {J[0] + y + z, J[1] + z + x, J[2] + x + y});
    body.hung = true;
    body.offset = -vec<S>(at);
    body.anchor = vec<S>(anchor);
  };
  drives = rigid.drives;
  for (std::size_t k = 0; holds != Holds::by_rows && k < drives.size(); ++k) {
    hold(drives[k].body, false);
    bodies[static_cast<std::size_t>(drives[k].body)].drive = static_cast<int>(k);
  }
  for (const RigidRod& rod : rigid.rods)
    for (std::size_t e = 0; e < rod.elements.size(); ++e) {
      const RodElement<quad>& given = rod.elements[e];
      const auto narrow = [](const Vec3<quad>& x) {
        return Vec3<S>{static_cast<S>(x.x), static_cast<S>(x.y), static_cast<S>(x.z)};
      };
      elements.push_back({rod.first + static_cast<int>(e),
                          rod.next(static_cast<int>(e)),
                          {static_cast<S>(given.inverse_length), narrow(given.force_stiffness),
                           narrow(given.moment_stiffness), narrow(given.gamma0), narrow(given.omega0)}});
    }
  std::vector<const RigidJoint*> kept;
  const bool loop = has_loop(system);
  for (const RigidJoint& given : rigid.joints) {
    const Held h = held(given, dimension);
    const bool centre = h.body >= 0 && zero(h.at);
    if (holds == Holds::by_rows || (!centre && (loop || holds == Holds::at_centres || !hangs(h, rigid)))) {
      kept.push_back(&given);
      continue;
    }
    hold(h.body, h.turns);
    if (!centre) {
      hang(bodies[static_cast<std::size_t>(h.body)], rigid.bodies[static_cast<std::size_t>(h.body)], h.at, h.anchor);
    }
    HeldPoint point{h.body, vec<S>(h.at), vec<S>(h.anchor), {}, {}};
    for (std::size_t k = 0; k < given.rows.size(); ++k) {
      const RigidRow& row = given.rows[k];
      if (row.kind != RigidRow::Kind::gap) continue;  // what holds a rotation is left 0, as rigidity is
      point.rows.push_back(given.index[k]);
      point.axes.push_back(S(row.b.body == h.body ? 1 : -1) * vec<S>(row.axis));
    }
    held_points.push_back(std::move(point));
  }
  for (const RigidJoint* joint : kept) add_joint(*joint, system);
  loads = load_system(system, rigid, scheme, laws);
  find_own(system, rigid);
  inset = inset_of<S>(has_jumps(system) || std::any_of(plain_loads.begin(), plain_loads.end(),
                                                       [](const RigidLoad& load) { return load.f.jumps(); }));
  if (holds == Holds::by_rows) {
    add_drive_rows(system, rigid);
    return;
  }
  if (arm > S(0)) {
    while (length > S(3) * arm) length /= S(2);
    while (length < S(1.5) * arm) length *= S(2);
  }
  for (Joint<S>& joint : joints)
    for (auto& row : joint.rows)
      if (row.kind == RigidRow::Kind::normal) {
        row.a = length * row.a;
        arm = math::max(arm, length);
      }
}

template <class S>
void Model<S>::find_own(const System& system, const RigidStructure& rigid) {
  std::unordered_map<std::string, int> coordinate, row;
  for (const auto* names : {&system.coordinate_names(), &system.constraint_names()})
    for (std::size_t i = 0; i < names->size(); ++i)
      (names == &system.coordinate_names() ? coordinate : row).emplace((*names)[i], static_cast<int>(i));
  const auto end = [&](const Side& side) {
    if (side.body < 0) return typename OwnCoordinate<S>::End{-1, true, vec<S>(side.at)};
    const RigidBody& body = rigid.bodies[static_cast<std::size_t>(side.body)];
    return typename OwnCoordinate<S>::End{body.first, body.turns, vec<S>(side.at)};
  };
  for (const RigidJoint& joint : rigid.joints)
    for (const RigidCoordinate& one : joint.coordinates)
      if (const auto found = coordinate.find(joint.name + "." + one.name); found != coordinate.end())
        of_joints.push_back({one.kind == RigidCoordinate::Kind::angle, found->second, row.at(found->first), end(one.a),
                             end(one.b), vec<S>(one.axis), static_cast<S>(one.zero), static_cast<S>(one.zero),
                             dimension});
}

template <class S>
void Model<S>::add_joint(const RigidJoint& given, const System& system) {
  // The points of a body that hangs are seen from where it does.
  const auto point = [&](const RigidRow& row, const Side& side) {
    const Vec3<S> at = vec<S>(side.at);
    if (side.body < 0 || row.kind == RigidRow::Kind::normal) return at;
    return at + bodies[static_cast<std::size_t>(side.body)].offset;
  };
  Joint<S> joint;
  joint.a = given.rows.front().a.body;
  joint.b = given.rows.front().b.body;
  joint.first = rows;
  joint.index = given.index;
  for (const RigidRow& row : given.rows)
    joint.rows.push_back({row.kind, point(row, row.a), point(row, row.b), vec<S>(row.axis), component(row.axis)});
  for (const auto& row : joint.rows)
    if (row.kind != RigidRow::Kind::normal)
      arm = math::max(arm, math::sqrt(math::max(dot(row.a, row.a), dot(row.b, row.b))));
  rows += joint.count();
  for (std::size_t k = 0; k < given.rows.size(); ++k)
    row_names.push_back(system.constraint_names()[static_cast<std::size_t>(given.index[k])]);
  weights.insert(weights.end(), given.weights.begin(), given.weights.end());
  joints.push_back(std::move(joint));
}

// The constraints that neither rigidity nor a joint has are those of drives, six each: x = X(t), and d_1 . A_2 =
// d_2 . A_3 = d_3 . A_1 = 0 with the axes A of the frame that is followed.
template <class S>
void Model<S>::add_drive_rows(const System& system, const RigidStructure& rigid) {
  const auto rigidity = static_cast<std::size_t>(dimension * (dimension + 1) / 2) *
                        static_cast<std::size_t>(
                            std::count_if(bodies.begin(), bodies.end(), [](const Body& body) { return body.turns; }));
  std::vector<bool> taken(static_cast<std::size_t>(system.constraint_count()), false);
  std::fill_n(taken.begin(), rigidity, true);
  for (const RigidJoint& joint : rigid.joints)
    for (const int row : joint.index) taken[static_cast<std::size_t>(row)] = true;
  first_drive_joint_ = joints.size();
  auto next = taken.begin();
  for (const RigidDrive& drive : drives) {
    RigidJoint joint{"drive", nullptr, "", {}, {drive.body, {}}, {}, {}, {}};
    for (std::size_t k = 0; k < 6; ++k) {
      next = std::find(next, taken.end(), false);
      joint.index.push_back(static_cast<int>(next - taken.begin()));
      *next = true;
      joint.rows.push_back({k < 3 ? RigidRow::Kind::gap : RigidRow::Kind::normal,
                            {},
                            {drive.body, k < 3 ? Triple{} : no_rotation[k - 3]},
                            no_rotation[k % 3]});
      joint.weights.push_back(1);
    }
    add_joint(joint, system);
  }
}

template <class S>
void Model<S>::follow_drives(S t) {
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const Columns<S> R = columns(driven(static_cast<int>(k), t).q);
    auto& own = joints[first_drive_joint_ + k].rows;
    own[3].a = R.e2;
    own[4].a = R.e3;
    own[5].a = R.e1;
  }
}

template <class S>
typename Model<S>::Driven Model<S>::driven(int drive, S t) const {
  const RigidDrive& given = drives[static_cast<std::size_t>(drive)];
  using T = Jet<S, 1, 1>;
  Driven out{};
  S x[3] = {}, v[3] = {};
  Vec3<T> turn{T(S(0)), T(S(0)), T(S(0))};
  T* angle[3] = {&turn.x, &turn.y, &turn.z};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!given.motion.position.empty()) {
      const auto f = given.motion.position[k].at(t);
      x[k] = f[0], v[k] = f[1];
    }
    if (!given.motion.rotation.empty()) {
      const auto f = given.motion.rotation[k].at(t);
      angle[k]->a = f[0], angle[k]->g[0] = f[1];
    }
  }
  // q' = omega q / 2
  const Quaternion<T> q = from_rotation_vector(turn);
  const Quaternion<S> value{q.w.a, q.x.a, q.y.a, q.z.a}, rate{q.w.g[0], q.x.g[0], q.y.g[0], q.z.g[0]};
  const Quaternion<S> twice = S(2) * (rate * conj(value));
  const auto& d = given.frame;
  out.x = {x[0], x[1], x[2]};
  out.v = {v[0], v[1], v[2]};
  out.omega = {twice.x, twice.y, twice.z};
  out.q = value * from_columns(Columns<S>{vec<S>(d[0]), vec<S>(d[1]), vec<S>(d[2])});
  return out;
}

#define EXTREMAL_INSTANTIATE(S) template struct Model<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
