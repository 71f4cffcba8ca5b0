// Pure functions of the states of a ThermoelasticNetwork: temperatures, entropies, forces of supports, E and its rate.
#include <algorithm>

#include "bodies/thermoelastic_data.hpp"

#include "numbers/index.hpp"

namespace extremal {
namespace {

template <class S>
struct Motion {
  S place[3] = {}, speed[3] = {};
};

// What one output time of a run says, by the names of the network.
template <class S>
class Row {
 public:
  Row(const ThermoelasticData& data, const Run<S>& run) : data_(data), run_(run), t_(run.column("t")) {
    for (const Column<S>& column : run.columns) columns_.emplace(column.name, &column.values);
    energy_ = &find("energy");
    for (const MassRecord& mass : data.masses)
      for (int k = 0; k < data.dimension(); ++k) {
        const std::string name = mass.name + "." + "xyz"[k];
        q_.push_back(&find(name));
        v_.push_back(&find("v:" + name));
      }
    for (const SpringRecord& spring : data.springs) {
      warmth_.push_back(spring.thermostat ? nullptr : &find("v:" + spring.name));
      entropy_.push_back(spring.thermostat ? nullptr : &find("p:" + spring.name));
    }
  }
  std::size_t count() const { return t_.size(); }
  void look(std::size_t row) { row_ = row; }
  S time() const { return t_[row_]; }
  S energy() const { return (*energy_)[row_]; }
  S warmth(std::size_t spring) const { return (*warmth_[spring])[row_]; }
  S entropy(std::size_t spring) const { return (*entropy_[spring])[row_]; }
  Motion<S> motion(const NetworkEnd& end) const {
    Motion<S> m;
    for (int k = 0; k < data_.dimension(); ++k) {
      if (end.support) {
        const auto f = data_.supports[sz(end.index)].position[sz(k)].template at<S>(time());
        m.place[k] = f[0];
        m.speed[k] = f[1];
      } else {
        m.place[k] = (*q_[sz(data_.coordinate(end.index) + k)])[row_];
        m.speed[k] = (*v_[sz(data_.coordinate(end.index) + k)])[row_];
      }
    }
    return m;
  }

 private:
  const std::vector<S>& find(const std::string& name) const {
    const auto found = columns_.find(name);
    return found != columns_.end() ? *found->second : run_.column(name);  // which says what there is
  }
  const ThermoelasticData& data_;
  const Run<S>& run_;
  const std::vector<S>& t_;
  std::unordered_map<std::string_view, const std::vector<S>*> columns_;
  const std::vector<S>* energy_ = nullptr;
  std::vector<const std::vector<S>*> q_, v_, warmth_, entropy_;
  std::size_t row_ = 0;
};

}  // namespace

template <class S>
std::vector<Column<S>> ThermoelasticNetwork::observe(const Run<S>& run) const {
  const ThermoelasticData& data = *data_;
  const int D = data.dimension();
  std::vector<Column<S>> all;
  for (const SpringRecord& spring : data.springs) {
    all.push_back({spring.name + ".temperature", {}});
    all.push_back({spring.name + ".entropy", {}});
  }
  for (const SupportRecord& support : data.supports)
    for (int k = 0; k < D; ++k) all.push_back({support.name + ".force." + "xyz" [k], {}});
  all.push_back({"E", {}});
  all.push_back({"power", {}});

  Row<S> row(data, run);
  std::vector<S> force(data.supports.size() * sz(D));
  for (std::size_t at = 0; at < row.count(); ++at) {
    row.look(at);
    std::fill(force.begin(), force.end(), S(0));
    S E = row.energy(), power(0);
    for (std::size_t i = 0; i < data.springs.size(); ++i) {
      const SpringRecord& spring = data.springs[i];
      const auto number = [](const Number& x) { return x.as<S>(); };
      const S reference = number(spring.given.reference), length = number(spring.given.length);
      const S beta = number(spring.given.coupling), c = number(spring.given.capacity);
      const Motion<S> a = row.motion(spring.a), b = row.motion(spring.b);
      S u(0), stretching(0);  // r . r and r . r'
      for (int k = 0; k < D; ++k) {
        const S r = b.place[k] - a.place[k];
        u += r * r;
        stretching += r * (b.speed[k] - a.speed[k]);
      }
      const auto bath = spring.thermostat ? spring.thermostat->template at<S>(row.time()) : std::array<S, 3>{};
      const S warmth = spring.thermostat ? bath[0] - reference : row.warmth(i), theta = reference + warmth;
      const FreeEnergy<S> A(math::log(u / (length * length)) / S(2), warmth, number(spring.given.stiffness), beta, c,
                            reference);
      const S eta = spring.thermostat ? -A.theta : row.entropy(i);
      all[2 * i].values.push_back(theta);
      all[2 * i + 1].values.push_back(eta);
      E += (spring.thermostat ? theta : reference) * eta;
      if (spring.thermostat) power += theta * (beta * stretching / u + c * bath[1] / theta);
      // At most one end is a support; A's slope along its place is the force.
      const bool at_a = spring.a.support;
      const Motion<S>&here = at_a ? a : b, &there = at_a ? b : a;
      for (int k = 0; (at_a || spring.b.support) && k < D; ++k) {
        const S f = A.e * (here.place[k] - there.place[k]) / u;
        force[sz((at_a ? spring.a : spring.b).index * D + k)] += f;
        power += f * here.speed[k];
      }
    }
    std::size_t column = 2 * data.springs.size();
    for (const S f : force) all[column++].values.push_back(f);
    all[column++].values.push_back(E);
    all[column].values.push_back(power);
  }
  return all;
}

template std::vector<Column<double>> ThermoelasticNetwork::observe(const Run<double>&) const;
template std::vector<Column<long double>> ThermoelasticNetwork::observe(const Run<long double>&) const;
template std::vector<Column<quad>> ThermoelasticNetwork::observe(const Run<quad>&) const;

}  // namespace extremal
