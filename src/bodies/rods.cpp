// Rods as rows of bodies with elastic elements between them, and bodies that follow a given motion.
#include <fmt/format.h>

#include <algorithm>

#include "bodies/drive_term.hpp"
#include "bodies/mechanism_data.hpp"
#include "bodies/rod_term.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

using lie::Columns;
using lie::Vec3;

std::string rod_label(const std::string& name) { return "rod \"" + name + "\""; }
Vec3<quad> vec(const Triple& x) { return {x[0], x[1], x[2]}; }
lie::Quaternion<quad> quaternion(const Directors& d) {
  return lie::from_columns(Columns<quad>{vec(d[0]), vec(d[1]), vec(d[2])});
}

quad positive(const MechanismData& data, const std::string& what, const char* part, const Number& given) {
  const quad x = given.as<quad>();
  if (!(x > 0)) data.refuse(what, std::string(part) + " " + given.text() + "; expected a positive one");
  return x;
}

std::vector<Triple> curve(const MechanismData& data, const std::string& what, const RodData& given) {
  std::vector<Triple> points;
  const bool ends = !given.from.empty() || !given.to.empty();
  if (ends == !given.points.empty())
    data.refuse(what,
                ends ? "both ends and points; expected one of them" : "no curve; expected from and to, or points");
  for (const Numbers& point : given.points) points.push_back(data.triple(what + ", points", point));
  if (ends) {
    if (given.elements < 1) data.refuse(what, fmt::format("{} elements; expected 1 or more", given.elements));
    if (given.closed) data.refuse(what, "a straight rod that is closed; expected points, or closed = false");
    const Triple from = data.triple(what + ", from", given.from), to = data.triple(what + ", to", given.to);
    for (int i = 0; i <= given.elements; ++i) points.push_back(from + (quad(i) / quad(given.elements)) * (to - from));
  } else if (given.elements != 0) {
    data.refuse(what, "elements for a rod of given points; expected none: there is one between two points");
  }
  if (points.size() < (given.closed ? 3 : 2))
    data.refuse(what, fmt::format("{} points; expected {} or more", points.size(), given.closed ? 3 : 2));
  for (std::size_t i = 0; i + 1 < points.size() + (given.closed ? 1 : 0); ++i)
    if (!(norm(points[(i + 1) % points.size()] - points[i]) > 0))
      data.refuse(what, fmt::format("an element of length 0 after node {}; expected distinct points", i));
  return points;
}

// Axis 1 bisects the chords beside a node, and at an end it is that of the next node, mirrored by the chord, as on a
// circle: the axes of every element are then along its chord. Axis 3 is the normal that is given, made normal to
// axis 1, or it is carried along without twist.
std::vector<Directors> frames(const MechanismData& data, const std::string& what, const RodData& given,
                              const std::vector<Triple>& points) {
  const std::size_t n = points.size();
  const auto chord = [&](std::size_t i) {
    const Triple d = points[(i + 1) % n] - points[i % n];
    return (1 / norm(d)) * d;
  };
  const auto tangent_at = [&](std::size_t i) {
    Triple sum{};
    if (given.closed || i + 1 < n) sum = sum + chord(i);
    if (given.closed || i > 0) sum = sum + chord(i + n - 1);
    if (!(norm(sum) > quad(1e-6)))
      data.refuse(what, fmt::format("the curve turns back at node {}; expected less than half a turn", i));
    return (1 / norm(sum)) * sum;
  };
  const auto mirrored = [](const Triple& tangent, const Triple& by) { return 2 * dot(tangent, by) * by - tangent; };
  // By the smallest rotation between two tangents.
  const auto turned = [](const Triple& x, const Triple& from, const Triple& to) {
    const Triple w = cross(from, to), wx = cross(w, x);
    return x + wx + (1 / (1 + dot(from, to))) * cross(w, wx);
  };
  std::vector<Directors> result;
  const Triple normal = given.normal.empty() ? Triple{} : data.direction(what + ", normal", given.normal);
  for (std::size_t i = 0; i < n; ++i) {
    const bool first = !given.closed && i == 0, last = !given.closed && i + 1 == n;
    const Triple e1 = n == 2 && !given.closed ? chord(0)
                      : first                 ? mirrored(tangent_at(1), chord(0))
                      : last                  ? mirrored(tangent_at(n - 2), chord(n - 2))
                                              : tangent_at(i);
    Triple e3;
    if (!given.normal.empty()) {
      const Triple across = normal - dot(normal, e1) * e1;
      if (!(norm(across) > quad(1e-6)))
        data.refuse(what, fmt::format("the normal is along the rod at node {}; expected one across it", i));
      e3 = (1 / norm(across)) * across;
    } else {
      e3 = i == 0 ? normals(e1)[1] : turned(result.back()[2], result.back()[0], e1);
    }
    result.push_back({e1, cross(e3, e1), e3});
  }
  return result;
}

// f at t, with all derivatives that t carries.
template <class T>
T at(const TimeFunction& f, const T& t) {
  const auto [value, first, second] = f.at(t.a);
  return t.chain(value, first, second);
}

// factor f(t)
struct Scaled {
  TimeFunction f;
  quad factor;
  template <class S>
  Jet<S, 1, 2> operator()(const Jet<S, 1, 2>& t) const {
    return Jet<S, 1, 2>(static_cast<S>(factor)) * at(f, t);
  }
  std::string formula() const {
    const std::string own = f.formula();
    return own.empty() ? own : to_text(factor) + "*(" + own + ")";
  }
};

std::vector<TimeFunction> scaled(const std::vector<TimeFunction>& functions, quad factor) {
  std::vector<TimeFunction> all;
  for (const TimeFunction& f : functions)
    if (f.constant())
      all.emplace_back(Number::exactly(factor * f.at(quad(0))[0]));
    else
      all.emplace_back(Scaled{f, factor});
  return all;
}

}  // namespace

Body Rod::node(int index) const {
  if (index < 0 || index >= nodes())
    throw InputError(fmt::format("{}: no node {}; expected one from 0 to {}", rod_label(name_), index, nodes() - 1));
  return nodes_[sz(index)];
}

Rod Mechanism::rod(const std::string& name, const RodData& given) {
  MechanismData& data = *data_;
  const std::string what = rod_label(name);
  data.expect_spatial(what);
  tell_rod(data, name, given);
  const bool quiet = std::exchange(data.told.quiet, true);
  const Section& s = given.section;
  const auto stiff = [&](const char* part, const Number& x) { return positive(data, what, part, x); };
  const Vec3<quad> force{stiff("EA", s.EA), stiff("GA2", s.GA2), stiff("GA3", s.GA3)};
  const Vec3<quad> moment{stiff("GJ", s.GJ), stiff("EI2", s.EI2), stiff("EI3", s.EI3)};
  const quad mass = stiff("mass per length", s.mass), J2 = stiff("inertia2", s.inertia2),
             J3 = stiff("inertia3", s.inertia3), damping = given.damping.as<quad>();
  if (damping < 0) data.refuse(what, "damping " + given.damping.text() + "; expected 0 or more");
  for (const auto& [part, load] : {std::pair{"force", &given.force}, {"moment", &given.moment}})
    if (!load->empty() && load->size() != 3)
      data.refuse(what, fmt::format("a {} of {} components; expected 3", part, load->size()));
  if (given.closed && (given.first != RodEnd::free || given.last != RodEnd::free))
    data.refuse(what, "a closed rod with an end that is held; expected free ends, or closed = false");
  const std::vector<Triple> points = curve(data, what, given);
  const std::vector<Directors> axes = frames(data, what, given, points);
  data.claim(what, name);

  RigidRod record{name,
                  static_cast<int>(data.bodies.size()),
                  static_cast<int>(points.size()),
                  given.closed,
                  {},
                  mass,
                  J2,
                  J3,
                  given.length.as<quad>()};
  const std::size_t n = points.size(), count = given.closed ? n : n - 1;
  std::vector<quad> tributary(n, quad(0));
  quad chords = 0;
  for (std::size_t e = 0; e < count; ++e) chords += norm(points[(e + 1) % n] - points[e]);
  const quad whole = record.length, longer = whole == quad(0) ? quad(1) : whole / chords;
  if (whole < 0) data.refuse(what, "length " + given.length.text() + "; expected a positive one, or 0");
  for (std::size_t e = 0; e < count; ++e) {
    const std::size_t other = (e + 1) % n;
    const quad length = longer * norm(points[other] - points[e]);
    tributary[e] += length / 2;
    tributary[other] += length / 2;
    lie::RodElement<quad> element{1 / length, force, moment, {1, 0, 0}, {0, 0, 0}};
    if (!given.straight)
      lie::make_stress_free(element, vec(points[e]), quaternion(axes[e]), vec(points[other]), quaternion(axes[other]));
    record.elements.push_back(element);
  }
  Rod handle;
  handle.name_ = name;
  handle.elements_ = static_cast<int>(count);
  for (std::size_t i = 0; i < n; ++i) {
    const Triple euler{0, J3 * tributary[i], J2 * tributary[i]};
    handle.nodes_.push_back(
        body(name + "." + std::to_string(i), {.mass = Number::exactly(mass * tributary[i]),
                                              .euler = {0, Number::exactly(euler[1]), Number::exactly(euler[2])}}));
    BodyRecord& node = data.bodies.back();
    node.mass = mass * tributary[i];
    node.euler = euler;
    node.position = points[i];
    node.directors = axes[i];
    node.placed = true;
    node.damping = damping;
  }
  data.rods.push_back(std::move(record));
  const auto hold = [&](const char* end, RodEnd kind, const Body& node, const Triple& place) {
    if (kind == RodEnd::free) return;
    const Point wall = ground(Number::exactly(place[0]), Number::exactly(place[1]), Number::exactly(place[2]));
    if (kind == RodEnd::clamped)
      fixed(name + "." + end, wall, node);
    else
      spherical(name + "." + end, wall, node);
  };
  hold("first", given.first, handle.first(), points.front());
  hold("last", given.last, handle.last(), points.back());
  for (std::size_t i = 0; i < n; ++i) {
    const Body& node = handle.nodes_[i];
    if (!given.force.empty()) this->force(fmt::format("{}.force.{}", name, i), node, scaled(given.force, tributary[i]));
    if (!given.moment.empty()) torque(fmt::format("{}.moment.{}", name, i), node, scaled(given.moment, tributary[i]));
  }
  data.told.quiet = quiet;
  return handle;
}

void Mechanism::place_nodes(const Rod& rod, Placement (*placement)(const void* function, const Number& s),
                            const void* function) {
  MechanismData& data = *data_;
  data.told.missing = "the nodes of rod \"" + rod.name_ + "\" are placed by a function";
  const int first = data.index("place", rod.first());
  const std::vector<BodyRecord> on_curve(data.bodies.begin() + first, data.bodies.begin() + first + rod.nodes());
  const auto record =
      std::find_if(data.rods.begin(), data.rods.end(), [&](const RigidRod& each) { return each.first == first; });
  const auto chord = [&](int k) {
    return norm(on_curve[sz((k + 1) % rod.nodes())].position - on_curve[sz(k)].position);
  };
  const auto numbers = [](const Triple& x) {
    return Numbers{Number::exactly(x[0]), Number::exactly(x[1]), Number::exactly(x[2])};
  };
  quad chords = 0, s = 0;
  for (int k = 0; k < rod.elements(); ++k) chords += chord(k);
  for (int k = 0; k < rod.nodes(); s += chord(k), ++k) {
    const BodyRecord& node = on_curve[sz(k)];
    Placement at = placement(function, Number::exactly(record->length == quad(0) ? s : s * record->length / chords));
    if (at.position.empty()) at.position = numbers(node.position);
    Directors axes = node.directors;
    if (!at.rotation.empty())
      axes = product(rotation(data.triple("placement of " + rod_label(rod.name_) + ", rotation", at.rotation)), axes);
    at.rotation = {};
    std::vector<Number> matrix;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 3; ++column) matrix.push_back(Number::exactly(axes[column][row]));
    at.matrix = matrix;
    place(rod.node(k), at);
  }
}

void Mechanism::drive(const std::string& name, const Body& body, const Drive& motion) {
  const std::string what = "drive \"" + name + "\"";
  data_->expect_spatial(what);
  const int index = data_->index(what, body);
  if (index < 0) data_->refuse(what, "the ground; expected a body");
  data_->expect_turning(what, index);
  for (const auto* part : {&motion.position, &motion.rotation})
    if (!part->empty() && part->size() != 3)
      data_->refuse(what, fmt::format("{} components; expected 3", part->size()));
  data_->claim(what, name);
  data_->drives.push_back({name, {index, motion}});
  tell_drive(*data_, name, body, motion);
}

void add_rods(const MechanismData& data, System& system) {
  std::vector<int> sites;
  std::vector<lie::RodElement<quad>> elements;
  for (const RigidRod& rod : data.rods)
    for (std::size_t e = 0; e < rod.elements.size(); ++e) {
      for (const int node : {rod.first + static_cast<int>(e), rod.next(static_cast<int>(e))})
        for (int c = 0; c < 12; ++c) sites.push_back(data.bodies[sz(node)].first + c);
      elements.push_back(rod.elements[e]);
    }
  if (!elements.empty()) system.add_term(rod_term(std::move(sites), elements));
}

void add_drives(const MechanismData& data, System& system) {
  for (const auto& [name, drive] : data.drives)
    system.add_term(drive_term(name, data.bodies[sz(drive.body)], drive.motion));
}

}  // namespace extremal
