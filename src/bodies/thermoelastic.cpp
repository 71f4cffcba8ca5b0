// What a ThermoelasticNetwork is told, checked; and its System and Start.
#include "extremal/thermoelastic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bodies/quadratic.hpp"
#include "bodies/thermoelastic_data.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

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

// Both are polynomials, as those of a mechanism are: terms that need no compiler.
std::shared_ptr<const Term> translation_along(const ThermoelasticData& data, int k) {
  std::vector<int> sites;
  for (std::size_t i = 0; i < data.masses.size(); ++i) sites.push_back(data.coordinate(static_cast<int>(i)) + k);
  return std::make_shared<PolynomialTerm>(Role::symmetry, std::string("along ") + "xyz"[k], 1, 1, sites,
                                          std::vector<Quadratic>(sites.size(), Quadratic(1)));
}

std::shared_ptr<const Term> turn_about(const ThermoelasticData& data, int k) {
  std::vector<int> sites;
  std::vector<Quadratic> rows;
  for (std::size_t i = 0; i < data.masses.size(); ++i) {
    const int first = data.coordinate(static_cast<int>(i)), x = first + (k + 1) % 3, y = first + (k + 2) % 3;
    sites.insert(sites.end(), {x, y});
    rows.push_back(Quadratic(-1) * Quadratic::variable(y));
    rows.push_back(Quadratic::variable(x));
  }
  return std::make_shared<PolynomialTerm>(Role::symmetry, std::string("about ") + "xyz"[k], 2, 2, sites, rows);
}

void add_network_symmetries(const ThermoelasticData& data, System& s) {
  const int D = data.dimension();
  const Triple g = data.gravity ? data.triple("gravity", *data.gravity) : Triple{};
  std::vector<const SupportRecord*> used;
  for (const SpringRecord& spring : data.springs)
    for (const NetworkEnd& end : {spring.a, spring.b})
      if (end.support) used.push_back(&data.supports[sz(end.index)]);
  for (int k = 0; k < D; ++k)
    if (used.empty() && g[sz(k)] == quad(0)) s.add_term(translation_along(data, k));
  for (int k = D == 2 ? 2 : 0; k < 3; ++k)
    if (g[sz((k + 1) % 3)] == quad(0) && g[sz((k + 2) % 3)] == quad(0) &&
        std::all_of(used.begin(), used.end(), [k](const SupportRecord* support) { return on_axis(*support, k); }))
      s.add_term(turn_about(data, k));
}

// m v^2 / 2, or -m g x, of one coordinate each, with m and g among the parameters. Written out because a function for
// System::kinetic takes the compiler seconds, which the sum of two products is not worth.
class MassTerm final : public ScalarTerm<MassTerm> {
  friend ScalarTerm<MassTerm>;

 public:
  MassTerm(std::vector<int> components, Parameter mass) : ScalarTerm(Role::kinetic, "kinetic"), mass_(mass.index) {
    depends_on = {mass_};
    variables = 2;
    sites = std::move(components);
    degree = {0, 2, 0};
    coordinates = 1;
  }
  MassTerm(int component, Parameter mass, Parameter pull)
      : ScalarTerm(Role::potential, "potential"), mass_(mass.index), pull_(pull.index) {
    depends_on = {mass_, pull_};
    variables = 1;
    sites = {component};
    degree = {1, 0, 0};
    coordinates = 1;
  }

 private:
  template <class S, class Use>
  void each(const Nodes<S>& at, Use use) const {
    const S m = at.parameters[mass_], weight = role == Role::kinetic ? S(0) : m * at.parameters[pull_];
    const S* x = role == Role::kinetic ? at.v : at.q;
    for (int node = 0; node < at.count; ++node)
      for (std::size_t e = 0; e < sites.size(); ++e) use(m, weight, x[node * at.n + sites[e]]);
  }
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    each(at, [&](S m, S weight, S x) { *out++ = role == Role::kinetic ? S(0.5) * m * x * x : -(weight * x); });
  }
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    value_at(at, value);
    each(at, [&](S m, S weight, S x) {
      if (role == Role::kinetic)
        *out++ = S(0), *out++ = m * x;
      else
        *out++ = -weight;
    });
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    each(at, [&](S m, S, S) {
      const S factor = *weights++;
      *out++ = S(0);
      if (role == Role::kinetic) *out++ = S(0), *out++ = factor * m;
    });
  }

  int mass_, pull_ = 0;
};

void add_masses(const ThermoelasticData& data, System& s) {
  const int D = data.dimension();
  for (const MassRecord& mass : data.masses)
    if (D == 2)
      s.coordinates(mass.name + ".x", mass.name + ".y");
    else
      s.coordinates(mass.name + ".x", mass.name + ".y", mass.name + ".z");
  std::vector<Parameter> g;
  for (int k = 0; data.gravity && k < D; ++k)
    g.push_back(s.parameter(std::string("gravity.") + "xyz"[k], data.gravity->list()[sz(k)]));
  for (std::size_t i = 0; i < data.masses.size(); ++i) {
    const Parameter mass = s.parameter(data.masses[i].name + ".mass", data.masses[i].given.mass);
    std::vector<int> components;
    for (int k = 0; k < D; ++k) components.push_back(data.coordinate(static_cast<int>(i)) + k);
    s.add_term(std::make_shared<MassTerm>(components, mass));
    for (std::size_t k = 0; k < g.size(); ++k) s.add_term(std::make_shared<MassTerm>(components[k], mass, g[k]));
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
      s.add_term(std::make_shared<PolynomialTerm>(Role::symmetry, "entropy " + spring.name, 1, 1,
                                                  std::vector<int>{phi.index[0]},
                                                  std::vector<Quadratic>{Quadratic(1)}));
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

}  // namespace

System ThermoelasticNetwork::system() const {
  if (data_->masses.empty()) throw InputError(data_->name + ": has no masses; expected at least one");
  System s(data_->name);
  add_masses(*data_, s);
  add_network_symmetries(*data_, s);
  add_springs(*data_, s);
  return s;
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
