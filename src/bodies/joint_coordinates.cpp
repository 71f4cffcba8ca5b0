#include "bodies/joint_coordinates.hpp"

#include <unordered_map>
#include <unordered_set>

#include "numbers/index.hpp"

namespace extremal {

template <class S>
JointCoordinates<S>::JointCoordinates(const RigidStructure& rigid) : dimension_(rigid.dimension) {
  const auto rounded = [](const Triple& x) {
    return lie::Vec3<S>{static_cast<S>(x[0]), static_cast<S>(x[1]), static_cast<S>(x[2])};
  };
  const auto end = [&](const Side& side) {
    if (side.body < 0) return End{-1, true, rounded(side.at)};
    const RigidBody& body = rigid.bodies[sz(side.body)];
    return End{body.first, body.turns, rounded(side.at)};
  };
  using Kind = RigidCoordinate::Kind;
  for (const RigidJoint& joint : rigid.joints)
    for (const RigidCoordinate& one : joint.coordinates) {
      infos_.push_back({joint.name, one.name, one.kind != Kind::length, one.kind == Kind::angle});
      list_.push_back({one.kind,
                       end(one.a),
                       end(one.b),
                       rounded(one.axis),
                       static_cast<S>(one.zero),
                       one.component,
                       {rounded(one.frame[0]), rounded(one.frame[1]), rounded(one.frame[2])}});
    }
}

// Of the directors in q, or of their rates in v.
template <class S>
lie::Vec3<S> JointCoordinates<S>::combined(const End& end, const lie::Vec3<S>& in_body, const S* x) const {
  const S* d = x + end.first + dimension_;
  lie::Vec3<S> sum = in_body.x * vector(d) + in_body.y * vector(d + dimension_);
  if (dimension_ == 3) sum = sum + in_body.z * vector(d + 6);
  return sum;
}

template <class S>
typename JointCoordinates<S>::Seen JointCoordinates<S>::direction(const End& end, const lie::Vec3<S>& in_body,
                                                                  const S* q, const S* v) const {
  const lie::Vec3<S> none{S(0), S(0), S(0)};
  if (end.first < 0) return {in_body, none};
  if (!end.turns) return {none, none};
  return {combined(end, in_body, q), combined(end, in_body, v)};
}

template <class S>
typename JointCoordinates<S>::Seen JointCoordinates<S>::place(const End& end, const S* q, const S* v) const {
  Seen seen = direction(end, end.at, q, v);
  if (end.first < 0) return seen;
  return {vector(q + end.first) + seen.x, vector(v + end.first) + seen.rate};
}

// omega = (1/2) sum d_i x d_i'.
template <class S>
lie::Vec3<S> JointCoordinates<S>::angular_velocity(const End& end, const S* q, const S* v) const {
  lie::Vec3<S> sum{S(0), S(0), S(0)};
  for (int i = 1; end.first >= 0 && i <= dimension_; ++i)
    sum = sum + cross(vector(q + end.first + i * dimension_), vector(v + end.first + i * dimension_));
  return S(0.5) * sum;
}

template <class S>
void JointCoordinates<S>::rotation(const Coordinate& one, const S* q, const S* v, S& value, S& rate) const {
  const auto axis = [&](const End& end, const lie::Vec3<S>& e) { return direction(end, e, q, v).x; };
  const S o(1), z(0);
  const lie::Columns<S> first{axis(one.a, {o, z, z}), axis(one.a, {z, o, z}), axis(one.a, {z, z, o})};
  const auto seen = [&](int i) { return first.to_body(axis(one.b, one.frame[i])); };
  lie::Quaternion<S> r = lie::from_columns(lie::Columns<S>{seen(0), seen(1), seen(2)});
  if (r.w < z) r = S(-1) * r;
  const lie::Vec3<S> u{r.x, r.y, r.z};
  const S sine = math::sqrt(dot(u, u));
  const S angle = S(2) * math::atan2(sine, r.w);
  const S factor = sine > z ? angle / sine : S(2);
  const lie::Vec3<S> w = first.to_body(angular_velocity(one.b, q, v) - angular_velocity(one.a, q, v));
  const S values[] = {u.x, u.y, u.z}, rates[] = {w.x, w.y, w.z};
  value = factor * values[one.component];
  rate = rates[one.component];
}

template <class S>
void JointCoordinates<S>::at(const S* q, const S* v, S* values, S* rates) const {
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const Coordinate& one = list_[k];
    switch (one.kind) {
      case RigidCoordinate::Kind::angle: {
        const Seen from = direction(one.a, one.a.at, q, v), up = direction(one.a, one.axis, q, v),
                   to = direction(one.b, one.b.at, q, v);
        const S c = dot(from.x, to.x), s = dot(up.x, to.x);
        const S c_rate = dot(from.rate, to.x) + dot(from.x, to.rate), s_rate = dot(up.rate, to.x) + dot(up.x, to.rate);
        values[k] = one.zero + math::atan2(s, c);
        rates[k] = (c * s_rate - s * c_rate) / (c * c + s * s);
        break;
      }
      case RigidCoordinate::Kind::length: {
        const Seen along = direction(one.a, one.axis, q, v), a = place(one.a, q, v), b = place(one.b, q, v);
        values[k] = dot(along.x, b.x - a.x);
        rates[k] = dot(along.rate, b.x - a.x) + dot(along.x, b.rate - a.rate);
        break;
      }
      case RigidCoordinate::Kind::rotation:
        rotation(one, q, v, values[k], rates[k]);
        break;
    }
  }
}

std::vector<std::string> watched_joints(const System& system) {
  std::vector<std::string> names;
  if (system.rigid() == nullptr) return names;
  const std::unordered_set<std::string> known(system.coordinate_names().begin(), system.coordinate_names().end());
  const JointCoordinates<double> joints(*system.rigid());
  for (const JointCoordinateInfo& info : joints.infos()) {
    const std::string plain = info.joint + "." + info.name;
    names.push_back(known.contains(plain) ? "joint:" + info.joint + ":" + info.name : plain);
  }
  return names;
}

namespace {

// 0 where a motion has gone astray so far that turns have no count.
template <class S>
S nearest_whole(const S& x) {
  if (!(math::abs(x) < S(1e15))) return S(0);
  return S(static_cast<long long>(x < S(0) ? x - S(0.5) : x + S(0.5)));
}

}  // namespace

template <class S>
JointTurns<S>::JointTurns(const System& system)
    : joints_(system.rigid() != nullptr ? *system.rigid() : RigidStructure{}),
      own_(joints_.count(), -1),
      values_(joints_.count()),
      rates_(values_),
      new_values_(values_),
      new_rates_(values_) {
  const std::vector<std::string>& names = system.coordinate_names();
  std::unordered_map<std::string_view, int> known;
  if (!any()) return;
  for (std::size_t i = 0; i < names.size(); ++i) known.emplace(names[i], static_cast<int>(i));
  for (std::size_t k = 0; k < own_.size(); ++k)
    if (const auto found = known.find(joints_.infos()[k].joint + "." + joints_.infos()[k].name); found != known.end())
      own_[k] = found->second;
}

template <class S>
void JointTurns<S>::look(const S& t, const std::vector<S>& q, const std::vector<S>& v) {
  if (!any()) return;
  joints_.at(q.data(), v.data(), new_values_.data(), new_rates_.data());
  const S turn = S(8) * math::atan2(S(1), S(1));
  for (std::size_t k = 0; k < values_.size(); ++k) {
    if (!joints_.infos()[k].turns || (!looked_ && own_[k] < 0)) continue;
    const S expected = own_[k] >= 0 ? q[sz(own_[k])] : values_[k] + (t - t_) * S(0.5) * (rates_[k] + new_rates_[k]);
    new_values_[k] += turn * nearest_whole((expected - new_values_[k]) / turn);
  }
  values_.swap(new_values_);
  rates_.swap(new_rates_);
  t_ = t;
  looked_ = true;
}

#define EXTREMAL_INSTANTIATE(S)       \
  template class JointCoordinates<S>; \
  template class JointTurns<S>;
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
