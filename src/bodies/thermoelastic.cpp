// What a ThermoelasticNetwork is told, checked; and its System and Start.
#include "extremal/thermoelastic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bodies/thermoelastic_data.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

std::string mass_label(const std::string& name) { return "mass \"" + name + "\""; }
std::string support_label(const std::string& name) { return "support \"" + name + "\""; }
std::string spring_label(const std::string& name) { return "spring \"" + name + "\""; }

}  // namespace

void ThermoelasticData::refuse(const std::string& what, const std::string& reason) const {
  throw InputError(name + ": " + what + ": " + reason);
}

void ThermoelasticData::expect_free(const std::string& what, const std::string& label) const {
  if (label.empty()) refuse(what, "the name is empty; expected a name");
  if (ends.contains(label) || spring_index.contains(label) || label == "gravity")
    refuse(what, "the name is taken; expected one name for each mass, support and spring");
}

quad ThermoelasticData::positive(const std::string& what, const char* property, const Number& given) const {
  const quad x = given.as<quad>();
  if (!(x > 0)) refuse(what, fmt::format("{} {}; expected a positive one", property, given.text()));
  return x;
}

Triple ThermoelasticData::triple(const std::string& what, const Numbers& given) const {
  Triple x{};
  const auto& list = given.list();
  if (!list.empty() && list.size() != sz(dimension()))
    refuse(what, fmt::format("{} components; expected {}", list.size(), dimension()));
  for (std::size_t i = 0; i < list.size(); ++i) x[i] = list[i].as<quad>();
  return x;
}

NetworkEnd ThermoelasticData::end(const std::string& what, const std::string& label) const {
  const auto found = ends.find(label);
  if (found != ends.end()) return found->second;
  std::vector<std::string> known;
  for (const MassRecord& mass : masses) known.push_back(mass.name);
  for (const SupportRecord& support : supports) known.push_back(support.name);
  refuse(what, fmt::format("an end \"{}\" that does not exist; the masses and supports are {}", label,
                           known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

Triple ThermoelasticData::placed(const NetworkEnd& end) const {
  if (!end.support) return masses[sz(end.index)].position;
  Triple x{};
  for (std::size_t k = 0; k < 3; ++k) x[k] = supports[sz(end.index)].position[k].at(quad(0))[0];
  return x;
}

ThermoelasticNetwork::ThermoelasticNetwork(std::string name, Space space)
    : data_(std::make_unique<ThermoelasticData>()) {
  data_->name = std::move(name);
  data_->space = space;
}
ThermoelasticNetwork::~ThermoelasticNetwork() = default;
ThermoelasticNetwork::ThermoelasticNetwork(const ThermoelasticNetwork& other)
    : data_(std::make_unique<ThermoelasticData>(*other.data_)) {}
ThermoelasticNetwork::ThermoelasticNetwork(ThermoelasticNetwork&&) noexcept = default;
ThermoelasticNetwork& ThermoelasticNetwork::operator=(ThermoelasticNetwork other) noexcept {
  data_.swap(other.data_);
  return *this;
}

const std::string& ThermoelasticNetwork::name() const { return data_->name; }
Space ThermoelasticNetwork::space() const { return data_->space; }

void ThermoelasticNetwork::set_gravity(const Numbers& components) {
  data_->triple("gravity", components);
  data_->gravity = components;
}

void ThermoelasticNetwork::mass(const std::string& name, const MassData& given) {
  const std::string what = mass_label(name);
  data_->expect_free(what, name);
  data_->positive(what, "mass", given.mass);
  data_->triple(what + ", velocity", given.velocity);
  data_->masses.push_back({name, given, data_->triple(what + ", position", given.position)});
  data_->ends.emplace(name, NetworkEnd{false, static_cast<int>(data_->masses.size()) - 1});
}

void ThermoelasticNetwork::support(const std::string& name, const std::vector<TimeFunction>& position) {
  const std::string what = support_label(name);
  data_->expect_free(what, name);
  if (position.size() != sz(data_->dimension()))
    data_->refuse(what, fmt::format("{} components; expected {}", position.size(), data_->dimension()));
  SupportRecord record{name, {}, false};
  std::copy(position.begin(), position.end(), record.position.begin());
  record.moves = !std::all_of(position.begin(), position.end(), [](const TimeFunction& f) { return f.constant(); });
  data_->supports.push_back(std::move(record));
  data_->ends.emplace(name, NetworkEnd{true, static_cast<int>(data_->supports.size()) - 1});
}

void ThermoelasticNetwork::spring(const std::string& name, const std::string& a, const std::string& b,
                                  const ThermoelasticSpring& given) {
  const std::string what = spring_label(name);
  data_->expect_free(what, name);
  SpringRecord record{name, data_->end(what, a), data_->end(what, b), given, 0, {}};
  if (a == b) data_->refuse(what, "\"" + a + "\" at both ends; expected two");
  if (record.a.support && record.b.support) data_->refuse(what, "supports at both ends; expected a mass");
  data_->positive(what, "stiffness", given.stiffness);
  data_->positive(what, "length", given.length);
  data_->positive(what, "capacity", given.capacity);
  record.temperature = data_->positive(what, "reference temperature", given.reference);
  if (given.temperature.list().size() > 1)
    data_->refuse(what, fmt::format("{} temperatures; expected one", given.temperature.list().size()));
  if (!given.temperature.empty())
    record.temperature = data_->positive(what, "temperature", given.temperature.list()[0]);
  if (!(norm(data_->placed(record.b) - data_->placed(record.a)) > 0))
    data_->refuse(what, "\"" + a + "\" and \"" + b + "\" are at the same place; expected a length above 0");
  data_->springs.push_back(std::move(record));
  data_->spring_index.emplace(name, static_cast<int>(data_->springs.size()) - 1);
}

void ThermoelasticNetwork::thermostat(const std::string& spring, const TimeFunction& temperature) {
  const auto found = data_->spring_index.find(spring);
  if (found == data_->spring_index.end())
    data_->refuse("thermostat", "there is no spring \"" + spring + "\"; expected the name of a spring");
  const quad first = temperature.at(quad(0))[0];
  if (!(first > 0))
    data_->refuse("thermostat of " + spring_label(spring),
                  fmt::format("temperature {} at t = 0; expected a positive one", static_cast<double>(first)));
  data_->springs[sz(found->second)].thermostat = temperature;
}

namespace {

// A rotation of space about coordinate axis k, or in the plane about the origin, leaves a support as it is.
bool on_axis(const SupportRecord& support, int k) {
  for (int i = 0; i < 3; ++i)
    if (const TimeFunction& x = support.position[sz(i)]; i != k && !(x.constant() && x.at(quad(0))[0] == quad(0)))
      return false;
  return true;
}

template <int D>
void add_symmetries(const ThermoelasticData& data, System& s, const std::vector<Coordinates<D>>& balls) {
  const Triple g = data.gravity ? data.triple("gravity", *data.gravity) : Triple{};
  std::vector<const SupportRecord*> used;
  for (const SpringRecord& spring : data.springs)
    for (const NetworkEnd& end : {spring.a, spring.b})
      if (end.support) used.push_back(&data.supports[sz(end.index)]);
  for (int k = 0; k < D; ++k)
    if (used.empty() && g[sz(k)] == quad(0))
      s.symmetry(std::string("along ") + "xyz"[k], balls, [k](const auto& q) {
        auto a = q;
        for (int i = 0; i < D; ++i) a[i] = i == k ? 1 : 0;
        return a;
      });
  for (int k = D == 2 ? 2 : 0; k < 3; ++k) {
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    if (g[sz(x)] == quad(0) && g[sz(y)] == quad(0) &&
        std::all_of(used.begin(), used.end(), [k](const SupportRecord* support) { return on_axis(*support, k); }))
      s.symmetry(std::string("about ") + "xyz"[k], balls, [x, y](const auto& q) {
        auto a = q;
        for (int i = 0; i < D; ++i) a[i] = 0;
        a[x] = -q[y];
        a[y] = q[x];
        return a;
      });
  }
}

template <int D>
Coordinates<D> ball(System& s, const std::string& name) {
  if constexpr (D == 2)
    return s.coordinates(name + ".x", name + ".y");
  else
    return s.coordinates(name + ".x", name + ".y", name + ".z");
}

template <int D, class T>
auto product(const T& x, const T& y) {
  auto sum = x[0] * y[0];
  for (int k = 1; k < D; ++k) sum = sum + x[k] * y[k];
  return sum;
}

template <int D>
void add_masses(const ThermoelasticData& data, System& s, std::vector<Coordinates<D>>& balls) {
  for (const MassRecord& mass : data.masses) balls.push_back(ball<D>(s, mass.name));
  std::vector<Parameter> g;
  for (int k = 0; data.gravity && k < D; ++k)
    g.push_back(s.parameter(std::string("gravity.") + "xyz"[k], data.gravity->list()[sz(k)]));
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Parameter mass = s.parameter(data.masses[i].name + ".mass", data.masses[i].given.mass);
    s.kinetic(balls[i], [](const auto&, const auto& v, auto m) { return 0.5 * m * product<D>(v, v); }, mass);
    for (int k = 0; data.gravity && k < D; ++k)
      s.potential(
          Coordinates<1>{{balls[i].index[sz(k)]}}, [](const auto& x, auto m, auto pull) { return -(m * pull * x[0]); },
          mass, g[sz(k)]);
  }
}

void add_springs(const ThermoelasticData& data, System& s) {
  std::vector<SpringKind> kinds;
  std::vector<std::vector<SpringSite>> terms;
  for (const SpringRecord& spring : data.springs) {
    SpringSite site{&spring, {}, {}};
    SpringKind kind{0, spring.thermostat.has_value(), spring.thermostat && !spring.thermostat->constant()};
    for (const NetworkEnd& end : {spring.a, spring.b}) {
      if (end.support) {
        kind.uses_time = kind.uses_time || data.supports[sz(end.index)].moves;
        continue;
      }
      ++kind.ends;
      for (int k = 0; k < data.dimension(); ++k) site.coordinates.push_back(data.coordinate(end.index) + k);
    }
    if (!kind.thermostat) {
      const Coordinates<1> phi = s.coordinates(spring.name);
      site.coordinates.push_back(phi.index[0]);
      s.symmetry("entropy " + spring.name, phi, [](const auto&) { return rows(1); });
    }
    const ThermoelasticSpring& given = spring.given;
    site.parameters = {s.parameter(spring.name + ".stiffness", given.stiffness).index,
                       s.parameter(spring.name + ".length", given.length).index,
                       s.parameter(spring.name + ".coupling", given.coupling).index,
                       s.parameter(spring.name + ".capacity", given.capacity).index};
    const auto known = std::find(kinds.begin(), kinds.end(), kind);
    const auto index = static_cast<std::size_t>(known - kinds.begin());
    if (known == kinds.end()) {
      kinds.push_back(kind);
      terms.emplace_back();
    }
    terms[index].push_back(std::move(site));
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) s.add_term(spring_term(data, kinds[i], terms[i]));
}

template <int D>
System assembled(const ThermoelasticData& data) {
  System s(data.name);
  std::vector<Coordinates<D>> balls;
  add_masses<D>(data, s, balls);
  add_symmetries<D>(data, s, balls);
  add_springs(data, s);
  return s;
}

}  // namespace

System ThermoelasticNetwork::system() const {
  if (data_->masses.empty()) throw InputError(data_->name + ": has no masses; expected at least one");
  return data_->space == Space::planar ? assembled<2>(*data_) : assembled<3>(*data_);
}

Start ThermoelasticNetwork::start() const {
  Start start;
  const auto append = [&](std::vector<Number>& to, const Numbers& given) {
    for (int k = 0; k < data_->dimension(); ++k) to.push_back(given.empty() ? Number(0) : given.list()[sz(k)]);
  };
  for (const MassRecord& mass : data_->masses) {
    append(start.q, mass.given.position);
    append(start.v, mass.given.velocity);
  }
  for (const SpringRecord& spring : data_->springs)
    if (!spring.thermostat) {
      start.q.emplace_back(0);
      start.v.push_back(Number::exactly(spring.temperature - spring.given.reference.as<quad>()));
    }
  return start;
}

}  // namespace extremal
