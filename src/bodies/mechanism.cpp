// Bodies, placements and the checks of what a Mechanism is told.
#include "extremal/mechanism.hpp"

#include <fmt/format.h>

#include <utility>

#include "bodies/mechanism_data.hpp"
#include "bodies/principal.hpp"
#include "extremal/error.hpp"

namespace extremal {
namespace {

std::string body_label(const std::string& name) { return "body \"" + name + "\""; }

double shown(quad x) { return static_cast<double>(x); }

}  // namespace

void MechanismData::refuse(const std::string& what, const std::string& reason) const {
  throw InputError(name + ": " + what + ": " + reason);
}

void MechanismData::claim(const std::string& what, const std::string& label) {
  if (label.empty()) refuse(what, "the name is empty; expected a name");
  if (!names.insert(label).second) refuse(what, "the name is taken; expected one name for each body, joint and load");
  assembled.reset();
}

Triple MechanismData::triple(const std::string& what, const Numbers& given) const {
  Triple x{};
  const auto& list = given.list();
  if (!list.empty() && list.size() != static_cast<std::size_t>(dimension()))
    refuse(what, fmt::format("{} components; expected {}", list.size(), dimension()));
  for (std::size_t i = 0; i < list.size(); ++i) x[i] = list[i].as<quad>();
  return x;
}

Triple MechanismData::direction(const std::string& what, const Numbers& given) const {
  if (given.empty()) refuse(what, "no axis; expected " + std::to_string(dimension()) + " components");
  const Triple x = triple(what, given);
  const quad length = norm(x);
  if (!(length > 0)) refuse(what, "an axis of length 0; expected a direction");
  return cleaned((1 / length) * x);
}

int MechanismData::index(const std::string& what, const Point& body) const {
  if (body.owner_ != token) refuse(what, "a body of another mechanism; expected one of this");
  return body.body_;
}

Side MechanismData::side(const std::string& what, const Point& point) const {
  if (point.owner_ != token) refuse(what, "a point of another mechanism; expected one of this");
  Side result{point.body_, triple(what, point.at_)};
  if (point.body_ >= 0 && !bodies[static_cast<std::size_t>(point.body_)].rigid && norm(result.at) > 0)
    refuse(what, "a point beside point mass \"" + bodies[static_cast<std::size_t>(point.body_)].name +
                     "\"; expected the mass itself");
  if (point.body_ >= 0 && !point.at_.empty()) {  // a body alone stands for its centre of mass
    const BodyRecord& body = bodies[static_cast<std::size_t>(point.body_)];
    result.at = inward(body.axes, result.at - body.centre);
  }
  return result;
}

Triple MechanismData::along_directors(int body, const Triple& given) const {
  return body < 0 ? given : cleaned(inward(bodies[static_cast<std::size_t>(body)].axes, given));
}

void MechanismData::expect_spatial(const std::string& what) const {
  if (space == Space::planar) refuse(what, "is for space; this mechanism is planar");
}

void MechanismData::expect_turning(const std::string& what, int body) const {
  if (body >= 0 && !bodies[static_cast<std::size_t>(body)].rigid)
    refuse(what, "point mass \"" + bodies[static_cast<std::size_t>(body)].name +
                     "\" has no orientation; expected a body or the ground");
}

void MechanismData::expect_two(const std::string& what, int a, int b) const {
  if (a != b) return;
  if (a < 0) refuse(what, "the ground on both sides; expected a body");
  refuse(what, body_label(bodies[static_cast<std::size_t>(a)].name) + " on both sides; expected two bodies");
}

const Directors& MechanismData::directors(int body) const {
  return body < 0 ? no_rotation : bodies[static_cast<std::size_t>(body)].directors;
}

Triple MechanismData::placed(const Side& side) const {
  if (side.body < 0) return side.at;
  const BodyRecord& body = bodies[static_cast<std::size_t>(side.body)];
  return body.position + outward(body.directors, side.at);
}

Triple MechanismData::carried(int a, int b, const Triple& in_a) const {
  return cleaned(inward(directors(b), outward(directors(a), in_a)));
}

VectorField MechanismData::vector(int body, const Triple& in_body) const {
  VectorField x;
  const int D = dimension();
  for (int k = 0; k < D; ++k) {
    Quadratic& component = x[static_cast<std::size_t>(k)];
    if (body < 0) {
      component = in_body[static_cast<std::size_t>(k)];
      continue;
    }
    const int first = bodies[static_cast<std::size_t>(body)].first;
    for (int i = 0; i < D; ++i)
      if (const quad c = in_body[static_cast<std::size_t>(i)]; c != quad(0))
        component = component + Quadratic(c) * Quadratic::variable(first + D * (i + 1) + k);
  }
  return x;
}

VectorField MechanismData::point(const Side& side) const {
  VectorField x = vector(side.body, side.at);
  if (side.body >= 0)
    for (int k = 0; k < dimension(); ++k) {
      Quadratic& component = x[static_cast<std::size_t>(k)];
      component = Quadratic::variable(bodies[static_cast<std::size_t>(side.body)].first + k) + component;
    }
  return x;
}

VectorField operator-(const VectorField& x, const VectorField& y) { return {x[0] - y[0], x[1] - y[1], x[2] - y[2]}; }

Quadratic dot(const VectorField& x, const VectorField& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

const Assembly& MechanismData::assembly() const {
  if (assembled == nullptr) {
    follow_joints();
    assembled = assemble(*this);
  }
  return *assembled;
}

Point Body::point(Numbers at) const {
  Point p;
  p.owner_ = owner_;
  p.body_ = body_;
  p.at_ = std::move(at);
  return p;
}

Mechanism::Mechanism(std::string name, Space space) : data_(std::make_unique<MechanismData>()) {
  data_->name = std::move(name);
  data_->space = space;
}
Mechanism::~Mechanism() = default;
Mechanism::Mechanism(const Mechanism& other) : data_(std::make_unique<MechanismData>(*other.data_)) {}
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(Mechanism other) noexcept {
  data_.swap(other.data_);
  return *this;
}

const std::string& Mechanism::name() const { return data_->name; }
Space Mechanism::space() const { return data_->space; }
Number Mechanism::length_scale() const { return Number::exactly(data_->length_scale()); }

void Mechanism::set_gravity(const Numbers& components) {
  data_->gravity = data_->triple("gravity", components);
  data_->told.gravity = components;
  data_->assembled.reset();
}

void Mechanism::slack(const Number& largest) {
  if (!(largest.as<quad>() >= 0)) data_->refuse("slack", largest.text() + "; expected 0 or more");
  data_->slack = largest;
  data_->told.slack = largest;
}

void Mechanism::written_at(std::string place) {
  data_->told.in_a_file = data_->told.in_a_file || !place.empty();
  data_->place = std::move(place);
}

Point Mechanism::ground_point(const Numbers& at) const {
  if (at.empty()) data_->refuse("ground", "no components; expected " + std::to_string(data_->dimension()));
  data_->triple("ground", at);
  return ground_body().point(at);
}

Body Mechanism::ground_body() const {
  Body ground;
  ground.owner_ = data_->token;
  return ground;
}

namespace {

quad positive_mass(const MechanismData& data, const std::string& what, const Number& mass, const char* key = "mass") {
  const quad m = mass.as<quad>();
  if (!(m > 0)) data.refuse(what, fmt::format("{} {}; expected a positive one", key, mass.text()));
  return m;
}

// Euler's values from the moments of inertia; the principal axes if these are not those of the frame.
Triple euler_of(const MechanismData& data, const std::string& what, const Numbers& inertia, Directors& axes) {
  const auto& list = inertia.list();
  const std::size_t expected = data.space == Space::planar ? 1 : 3;
  const bool tensor = expected == 3 && list.size() == 6;
  if (list.size() != expected && !tensor)
    data.refuse(what, fmt::format("{} moments of inertia; expected {}{}", list.size(),
                                  expected == 1 ? "1" : "3, or 6 of a tensor",
                                  list.empty() ? "; try point_mass for a body without" : ""));
  Triple J{};
  quad largest = 0;
  for (std::size_t i = 0; i < expected; ++i) {
    J[i] = list[i].as<quad>();
    if (J[i] < 0) data.refuse(what, "moment of inertia " + list[i].text() + "; expected none below 0");
    largest = math::max(largest, J[i]);
  }
  if (!(largest > 0)) data.refuse(what, "no inertia; expected a positive moment; try point_mass");
  if (expected == 1) return {J[0] / 2, J[0] / 2, 0};
  if (tensor) {
    Tensor entries;
    for (std::size_t i = 0; i < 6; ++i) entries[i] = list[i].as<quad>();
    const PrincipalAxes principal = principal_axes(entries);
    J = principal.moments, axes = principal.axes;
  }
  const quad half = (J[0] + J[1] + J[2]) / 2;
  Triple E{half - J[0], half - J[1], half - J[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    if (math::abs(E[i]) < 16 * Scalar<quad>::epsilon * largest) E[i] = 0;  // a lamina or rod, up to round-off
    if (tensor && E[i] < 0 && -E[i] < quad(1e-12) * largest) E[i] = 0;     // that of the drawing's digits
    if (E[i] < 0)
      data.refuse(what, fmt::format("moments of inertia {}, {}, {}; expected none above the sum of the other two",
                                    shown(J[0]), shown(J[1]), shown(J[2])));
  }
  return E;
}

}  // namespace

namespace {

Triple euler_values(const MechanismData& data, const std::string& what, const Numbers& given) {
  const Triple values = data.triple(what + ", euler", given);
  quad sum = 0;
  for (const quad e : values) {
    if (e < 0) data.refuse(what, fmt::format("a value {} of Euler's tensor; expected none below 0", shown(e)));
    sum += e;
  }
  if (!(sum > 0)) data.refuse(what, "no inertia; expected a positive value; try point_mass");
  return values;
}

// Mass and inertia of a body that is given by its shape.
void fill_solid(const MechanismData& data, const std::string& what, const BodyData& given, BodyRecord& record) {
  SolidShape solid;
  try {
    solid = solid_shape(given.shape, given.size, given.radius, given.length);
  } catch (const InputError& error) {
    data.refuse(what, error.what());
  }
  if (!given.density.empty())
    record.mass = positive_mass(data, what, given.density.list()[0], "density") * solid.volume;
  const Triple& J = solid.moments;
  const quad m = record.mass, half = (J[0] + J[1] + J[2]) / 2;
  record.euler = data.space == Space::planar ? Triple{m * J[2] / 2, m * J[2] / 2, 0}
                                             : Triple{m * (half - J[0]), m * (half - J[1]), m * (half - J[2])};
}

}  // namespace

Body Mechanism::body(const std::string& name, const BodyData& given) {
  const std::string what = body_label(name);
  BodyRecord record;
  record.name = name;
  for (const Numbers* one : {&given.mass, &given.density})
    if (one->list().size() > 1) data_->refuse(what, "several masses or densities; expected one");
  if (!given.mass.empty()) record.mass = positive_mass(*data_, what, given.mass.list()[0], "mass");
  record.centre = data_->triple(what + ", centre", given.centre);
  if (!given.inertia.empty() && !given.euler.empty())
    data_->refuse(what, "both inertia and euler; expected one of them");
  if (!given.shape.empty() && !(given.inertia.empty() && given.euler.empty()))
    data_->refuse(what, "both inertia and a shape; expected one of them");
  if (!given.density.empty() && !given.mass.empty()) data_->refuse(what, "both mass and density; expected one of them");
  if (given.shape.empty() &&
      !(given.density.empty() && given.size.empty() && given.radius.empty() && given.length.empty()))
    data_->refuse(what, "density or sizes without a shape; expected a shape, as box");
  if (!given.shape.empty())
    fill_solid(*data_, what, given, record);
  else if (given.euler.empty())
    record.euler = euler_of(*data_, what, given.inertia, record.axes);
  else
    record.euler = euler_values(*data_, what, given.euler);
  data_->claim(what, name);
  data_->bodies.push_back(std::move(record));
  Body handle = ground_body();
  handle.body_ = static_cast<int>(data_->bodies.size()) - 1;
  BodyRecord& added = data_->bodies.back();
  tell_body(*data_, name, given);
  added.position = added.centre, added.directors = added.axes;  // until it is placed, the frame is at the origin
  if (handle.body_ > 0) {
    const BodyRecord& before = data_->bodies[data_->bodies.size() - 2];
    added.first = before.first + data_->dimension() * (before.rigid ? data_->dimension() + 1 : 1);
  }
  return handle;
}

Body Mechanism::point_mass(const std::string& name, const Number& mass) {
  positive_mass(*data_, "point mass \"" + name + "\"", mass);
  const bool quiet = std::exchange(data_->told.quiet, true);
  Body handle = data_->space == Space::planar ? body(name, {.mass = mass, .inertia = 1})
                                              : body(name, {.mass = mass, .inertia = {1, 1, 1}});
  data_->bodies.back().rigid = false;
  data_->told.quiet = quiet;
  tell_point_mass(*data_, name, mass);
  return handle;
}

void Mechanism::place(const Body& handle, const Placement& given) {
  MechanismData& data = *data_;
  const int index = data.index("place", handle);
  if (index < 0) data.refuse("place", "the ground; expected a body");
  BodyRecord& body = data.bodies[static_cast<std::size_t>(index)];
  tell_placement(data, index, given);
  const std::string what = "placement of " + body_label(body.name);
  const bool planar = data.space == Space::planar;
  // Who says how a body moves knows where it is.
  for (const Numbers* part : {&given.position, &given.angle, &given.rotation, &given.euler, &given.matrix,
                              &given.quaternion, &given.velocity, &given.angular_velocity})
    body.placed = body.placed || !part->empty();
  body.position = data.triple(what + ", position", given.position);
  body.velocity = data.triple(what + ", velocity", given.velocity);
  body.angular_velocity = {};
  if (!body.rigid && !(given.angle.empty() && given.rotation.empty() && given.euler.empty() && given.matrix.empty() &&
                       given.quaternion.empty() && given.angular_velocity.empty()))
    data.refuse(what, "an orientation for a point mass; expected position and velocity only");
  body.directors = data.orientation(what, given);
  if (!given.angular_velocity.empty()) {
    if (planar)
      body.angular_velocity[2] = data.numbers(what + ", angular_velocity", given.angular_velocity, 1)[0];
    else
      body.angular_velocity = data.triple(what + ", angular_velocity", given.angular_velocity);
  }
  // From the frame in which the body was given to its centre of mass and its principal axes.
  const Triple arm = outward(body.directors, body.centre);
  body.position = body.position + arm;
  body.velocity = body.velocity + cross(body.angular_velocity, arm);
  if (body.axes != no_rotation) body.directors = product(body.directors, body.axes);
  data.assembled.reset();
}

System Mechanism::system() const { return data_->assembly().system; }

Start Mechanism::start(const Number& t) const {
  data_->assembly();  // which knows where bodies are that nobody placed
  return assemble_given_start(*data_, t);
}

}  // namespace extremal
