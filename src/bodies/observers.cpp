// Pure functions of the state of a mechanism: reactions and residuals of its joints, places of its points.
#include <fmt/format.h>

#include "bodies/joint_coordinates.hpp"
#include "bodies/mechanism_data.hpp"
#include "bodies/reactions.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

template <class S>
using Vec = std::array<S, 3>;

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

}  // namespace

template <class S>
std::vector<Reaction<S>> Mechanism::reactions(const std::vector<S>& q, const std::vector<S>& lambda) const {
  const Assembly& assembly = data_->assembly();
  expect_size(*data_, "reactions, q", q, assembly.system.size());
  expect_size(*data_, "reactions, lambda", lambda, assembly.system.constraint_count());
  std::vector<Reaction<S>> all;
  const JointReactions<S> joints(*assembly.system.rigid());
  for (std::size_t j = 0; j < joints.count(); ++j) {
    const JointWrench<S> second = joints.at(j, q.data(), lambda.data());
    const lie::Vec3<S> f = -second.force, t = -(second.torque + cross(second.arm, second.force));
    if (data_->space == Space::planar)
      all.push_back({data_->joints[j].name, {f.x, f.y}, {t.z}});
    else
      all.push_back({data_->joints[j].name, {f.x, f.y, f.z}, {t.x, t.y, t.z}});
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
std::vector<JointCoordinate<S>> Mechanism::joint_coordinates(const std::vector<S>& q, const std::vector<S>& v) const {
  const System& system = data_->assembly().system;
  expect_size(*data_, "joint coordinates, q", q, system.size());
  expect_size(*data_, "joint coordinates, v", v, system.size());
  const JointCoordinates<S> joints(*system.rigid());
  std::vector<S> values(joints.count()), rates(joints.count());
  joints.at(q.data(), v.data(), values.data(), rates.data());
  std::vector<JointCoordinate<S>> all;
  for (std::size_t k = 0; k < joints.count(); ++k)
    all.push_back({joints.infos()[k].joint, joints.infos()[k].name, values[k], rates[k]});
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

#define EXTREMAL_INSTANTIATE(S)                                                                                       \
  template std::vector<Reaction<S>> Mechanism::reactions(const std::vector<S>&, const std::vector<S>&) const;         \
  template std::vector<Column<S>> Mechanism::reactions(const Run<S>&) const;                                          \
  template std::vector<JointResidual<S>> Mechanism::residuals(const std::vector<S>&, const std::vector<S>&) const;    \
  template std::vector<JointCoordinate<S>> Mechanism::joint_coordinates(const std::vector<S>&, const std::vector<S>&) \
      const;                                                                                                          \
  template std::vector<S> Mechanism::position(const Point&, const std::vector<S>&) const;
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
