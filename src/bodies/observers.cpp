// Pure functions of the state of a mechanism: reactions and residuals of its joints, places of its points.
//
// The force of the constraints is -G^T lambda. Of a body it is a force f_0 on the centre and f_i on the directors,
// which are the force f_0 and the torque sum d_i x f_i about the centre.
#include <fmt/format.h>

#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

template <class S>
using Vec = std::array<S, 3>;

template <class S>
void add_cross(Vec<S>& sum, const Vec<S>& x, const Vec<S>& y) {
  for (std::size_t k = 0; k < 3; ++k) sum[k] += x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
}

template <class S>
Vec<S> part(const std::vector<S>& from, int first, int D) {
  Vec<S> x{};
  for (int k = 0; k < D; ++k) x[sz(k)] = from[sz(first + k)];
  return x;
}

template <class S>
Vec<S> place_of(const MechanismData& data, const Side& side, const std::vector<S>& q) {
  Vec<S> x{};
  const int D = data.dimension();
  if (side.body < 0) {
    for (std::size_t k = 0; k < 3; ++k) x[k] = static_cast<S>(side.at[k]);
    return x;
  }
  const BodyRecord& body = data.bodies[sz(side.body)];
  x = part(q, body.first, D);
  for (int i = 0; body.rigid && i < D; ++i)
    for (int k = 0; k < D; ++k) x[sz(k)] += static_cast<S>(side.at[sz(i)]) * q[sz(body.first + D * (i + 1) + k)];
  return x;
}

template <class S>
void expect_size(const MechanismData& data, const char* what, const std::vector<S>& list, int expected) {
  if (list.size() != sz(expected)) data.refuse(what, fmt::format("{} values; expected {}", list.size(), expected));
}

// `scratch` has the size of q and is zero before and after.
template <class S>
void react(const MechanismData& data, const Assembly& assembly, std::size_t j, const std::vector<S>& q,
           const std::vector<S>& lambda, std::vector<S>& scratch, Vec<S>& force, Vec<S>& torque) {
  const JointRecord& joint = data.joints[j];
  const int D = data.dimension();
  for (int r = assembly.first[j]; r < assembly.first[j + 1]; ++r)
    assembly.rows[sz(r)].g.add_gradient(q.data(), -lambda[sz(assembly.index[sz(r)])], scratch.data());
  // On the ground it is the opposite of what acts on the other side.
  const bool on_ground = joint.a.body < 0;
  const BodyRecord& body = data.bodies[sz(on_ground ? joint.b.body : joint.a.body)];
  const Vec<S> at = place_of(data, joint.a, q), centre = part(q, body.first, D);
  force = part(scratch, body.first, D);
  torque = {};
  add_cross(torque, Vec<S>{centre[0] - at[0], centre[1] - at[1], centre[2] - at[2]}, force);
  for (int i = 1; body.rigid && i <= D; ++i)
    add_cross(torque, part(q, body.first + D * i, D), part(scratch, body.first + D * i, D));
  if (on_ground)
    for (std::size_t k = 0; k < 3; ++k) force[k] = -force[k], torque[k] = -torque[k];
  for (const int side : {joint.a.body, joint.b.body})
    if (side >= 0) {
      const BodyRecord& touched = data.bodies[sz(side)];
      std::fill_n(scratch.begin() + touched.first, touched.rigid ? D * (D + 1) : D, S(0));
    }
}

}  // namespace

template <class S>
std::vector<Reaction<S>> Mechanism::reactions(const std::vector<S>& q, const std::vector<S>& lambda) const {
  const Assembly& assembly = data_->assembly();
  expect_size(*data_, "reactions, q", q, assembly.system.size());
  expect_size(*data_, "reactions, lambda", lambda, assembly.system.constraint_count());
  std::vector<Reaction<S>> all;
  std::vector<S> scratch(q.size(), S(0));
  const bool planar = data_->space == Space::planar;
  for (std::size_t j = 0; j < data_->joints.size(); ++j) {
    Vec<S> f, t;
    react(*data_, assembly, j, q, lambda, scratch, f, t);
    Reaction<S> reaction{data_->joints[j].name, {f[0], f[1]}, {}};
    if (planar)
      reaction.torque = {t[2]};
    else
      reaction.force.push_back(f[2]), reaction.torque = {t[0], t[1], t[2]};
    all.push_back(std::move(reaction));
  }
  return all;
}

template <class S>
std::vector<Column<S>> Mechanism::reactions(const Run<S>& run) const {
  const Assembly& assembly = data_->assembly();
  const System& system = assembly.system;
  const bool planar = data_->space == Space::planar;
  std::vector<Column<S>> all;
  for (const JointRecord& joint : data_->joints) {
    for (int k = 0; k < data_->dimension(); ++k) all.push_back({joint.name + ".force." + "xyz" [k], {}});
    for (int k = 0; k < (planar ? 1 : 3); ++k)
      all.push_back({joint.name + ".torque" + (planar ? std::string() : std::string(".") + "xyz"[k]), {}});
  }
  if (all.empty()) return all;
  // One table for all names: a mechanism may have many rows.
  std::unordered_map<std::string_view, const std::vector<S>*> columns;
  for (const Column<S>& column : run.columns) columns.emplace(column.name, &column.values);
  const auto find = [&](const std::string& name) {
    const auto found = columns.find(name);
    return found != columns.end() ? found->second : &run.column(name);  // which says what there is
  };
  std::vector<const std::vector<S>*> q, lambda;
  for (const std::string& name : system.coordinate_names()) q.push_back(find(name));
  for (const std::string& name : system.constraint_names()) lambda.push_back(find("lambda:" + name));
  std::vector<S> at(q.size()), multipliers(lambda.size());
  for (std::size_t k = 0; k < q[0]->size(); ++k) {
    for (std::size_t i = 0; i < q.size(); ++i) at[i] = (*q[i])[k];
    for (std::size_t i = 0; i < lambda.size(); ++i) multipliers[i] = (*lambda[i])[k];
    std::size_t column = 0;
    for (const Reaction<S>& reaction : reactions(at, multipliers)) {
      for (const S x : reaction.force) all[column++].values.push_back(x);
      for (const S x : reaction.torque) all[column++].values.push_back(x);
    }
  }
  return all;
}

template <class S>
std::vector<JointResidual<S>> Mechanism::residuals(const std::vector<S>& q, const std::vector<S>& v) const {
  const Assembly& assembly = data_->assembly();
  expect_size(*data_, "residuals, q", q, assembly.system.size());
  expect_size(*data_, "residuals, v", v, assembly.system.size());
  std::vector<JointResidual<S>> all;
  std::vector<S> slope(q.size(), S(0));
  std::vector<int> used;
  for (std::size_t j = 0; j < data_->joints.size(); ++j) {
    JointResidual<S> residual{data_->joints[j].name, S(0), S(0)};
    for (int r = assembly.first[j]; r < assembly.first[j + 1]; ++r) {
      const Quadratic& g = assembly.rows[sz(r)].g;
      residual.position = math::max(residual.position, math::abs(g.value(q.data())));
      g.add_gradient(q.data(), S(1), slope.data());
      used.clear();
      g.collect(used);
      S rate(0);
      for (const int i : used) {
        rate += slope[sz(i)] * v[sz(i)];
        slope[sz(i)] = S(0);
      }
      residual.velocity = math::max(residual.velocity, math::abs(rate));
    }
    all.push_back(residual);
  }
  return all;
}

template <class S>
std::vector<S> Mechanism::position(const Point& point, const std::vector<S>& q) const {
  expect_size(*data_, "position, q", q, data_->assembly().system.size());
  const Vec<S> x = place_of(*data_, data_->side("position", point), q);
  return std::vector<S>(x.begin(), x.begin() + data_->dimension());
}

std::vector<int> Mechanism::rows(std::string_view joint) const {
  const auto found = data_->joint_index.find(std::string(joint));
  if (found == data_->joint_index.end())
    data_->refuse("joint \"" + std::string(joint) + "\"", "there is none of this name; expected a joint");
  const Assembly& assembly = data_->assembly();
  const auto j = sz(found->second);
  return {assembly.index.begin() + assembly.first[j], assembly.index.begin() + assembly.first[j + 1]};
}

#define EXTREMAL_INSTANTIATE(S)                                                                                    \
  template std::vector<Reaction<S>> Mechanism::reactions(const std::vector<S>&, const std::vector<S>&) const;      \
  template std::vector<Column<S>> Mechanism::reactions(const Run<S>&) const;                                       \
  template std::vector<JointResidual<S>> Mechanism::residuals(const std::vector<S>&, const std::vector<S>&) const; \
  template std::vector<S> Mechanism::position(const Point&, const std::vector<S>&) const;
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
