// RotationSolver: bodies and joints at the control points, and the rows of the equations there.
#include "lie/directors.hpp"
#include "lie/rotation_solver.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

// (C - 1) u of the rotation C of a unit quaternion, exact relative to the angle.
template <class S>
Vec3<S> turned_by(const Quaternion<S>& c, const Vec3<S>& u) {
  const Vec3<S> v{c.x, c.y, c.z}, w = cross(v, u);
  return S(2) * (c.w * w + cross(v, w));
}

template <class S>
Vec3<double> narrowed(const Vec3<S>& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace

template <class S>
void RotationSolver<S>::place(std::vector<S>& x) {
  const int s = layout_.s, D = model_.dimension;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const bool turns = model_.bodies[b].turns;
    const Pose<S>& from = poses_[b * sz(s + 1)];
    const Vec3<S>* d[3] = {&base_[b].e1, &base_[b].e2, &base_[b].e3};
    const Vec3<S>* off[3] = {&rounding_[b].e1, &rounding_[b].e2, &rounding_[b].e3};
    const Vec3<S>* origin[3] = {&from.R.e1, &from.R.e2, &from.R.e3};
    for (int k = 1; k <= s; ++k) {
      Pose<S>& to = poses_[b * sz(s + 1) + sz(k)];
      S* z = x.data() + layout_.z(k - 1);
      Vec3<S>* R[3] = {&to.R.e1, &to.R.e2, &to.R.e3};
      Vec3<S> ways[3] = {};
      for (int i = 0; turns && i < D; ++i) {
        const Vec3<S> way = turned_by(turn_[b * sz(s) + sz(k - 1)], *d[i]) + *off[i];
        put(way, D, z + at(b, i + 1));
        *R[i] = *origin[i] + way;
        ways[i] = way;
      }
      if (const HungBody<S>& hung = hung_[b]; hung.held) {
        Vec3<S> way = hung.at.x * ways[0] + hung.at.y * ways[1];
        if (D == 3) way = way + hung.at.z * ways[2];
        put(-(way + hung.rounding), D, z + at(b, 0));
      }
      to.x = from.x + get(z + at(b, 0), D);
    }
  }
}

template <class S>
void RotationSolver<S>::look(int point) {
  if (!model_.drives.empty()) model_.follow_drives(start_.t + points_[sz(point)] * start_.h);
  const Pose<S> ground{{S(0), S(0), S(0)}, columns(Quaternion<S>{S(1), S(0), S(0), S(0)})};
  const int s = layout_.s;
  double* to = rows_.joints.data();
  for (const Joint<S>& joint : model_.joints) {
    const std::size_t row = sz(joint.first * (s + 1) + point * joint.count());
    joint.evaluate(joint.a < 0 ? ground : pose(sz(joint.a), point), joint.b < 0 ? ground : pose(sz(joint.b), point),
                   g_.data(), Ga_.data() + row, Gb_.data() + row);
    for (int r = 0; point > 0 && r < joint.count(); ++r)
      to[(point - 1) * joint.count() + r] = static_cast<double>(g_[sz(r)]);
    to += s * joint.count();
  }
}

template <class S>
void RotationSolver<S>::find_rows(const std::vector<S>& x) {
  const int s = layout_.s, D = model_.dimension;
  const S h = start_.h;
  for (int k = 1; k <= s; ++k) look(k);
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const auto& body = model_.bodies[b];
    const S E[3] = {body.euler.x, body.euler.y, body.euler.z};
    Covector<S>* to = sums_.data() + b * sz(s);
    for (int l = 0; l < s; ++l) {
      const S* K = K_.data() + l * (s + 1);
      const auto swept = [&](int part) {
        Vec3<S> sum = K[1] * get(x.data() + layout_.z(0) + at(b, part), D);
        for (int k = 2; k <= s; ++k) sum = sum + K[k] * get(x.data() + layout_.z(k - 1) + at(b, part), D);
        return sum;
      };
      to[l].r = body.mass * (swept(0) + (h * h * shares_[sz(l)]) * model_.gravity);
      to[l].theta = {S(0), S(0), S(0)};
      if (!body.turns) continue;
      const Columns<S>& R = pose(b, l).R;
      const Vec3<S>* d[3] = {&R.e1, &R.e2, &R.e3};
      for (int i = 0; i < D; ++i) to[l].theta = to[l].theta + E[i] * cross(*d[i], swept(i + 1));
    }
    to[0].r = to[0].r + h * get(start_.p + at(b, 0), D);
    if (!body.turns) continue;
    const Columns<S>& R = pose(b, 0).R;
    const Vec3<S>* d[3] = {&R.e1, &R.e2, &R.e3};
    for (int i = 0; i < D; ++i) to[0].theta = to[0].theta + h * cross(*d[i], get(start_.p + at(b, i + 1), D));
  }
  for (const Joint<S>& joint : model_.joints)
    for (int l = 0; l < s; ++l) {
      const std::size_t row = sz(joint.first * (s + 1) + l * joint.count());
      for (int r = 0; r < joint.count(); ++r) {
        const S by = weights_[sz(l)] * x[sz(layout_.mu(l) + joint.index[sz(r)])];
        for (const bool side : {false, true}) {
          const int body = side ? joint.b : joint.a;
          if (body < 0) continue;
          const Covector<S>& G = (side ? Gb_ : Ga_)[row + sz(r)];
          Covector<S>& to = sums_[sz(body * s + l)];
          to = {to.r - by * G.r, to.theta - by * G.theta};
        }
      }
    }
  for (std::size_t b = 0; b < hung_.size(); ++b)
    for (int l = 0; l < s; ++l) {
      Covector<S>& sum = sums_[b * sz(s) + sz(l)];
      if (hung_[b].held) sum = {{S(0), S(0), S(0)}, sum.theta + cross(pose(b, l).x - hung_[b].anchor, sum.r)};
      rows_.bodies[b * sz(s) + sz(l)] = {narrowed(sum.r), narrowed(sum.theta)};
    }
}

template <class S>
void RotationSolver<S>::take_rows() {
  const int s = layout_.s, D = model_.dimension;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    for (int l = 0; l < s; ++l) {
      const S* row = r_.data() + l * layout_.n;
      Vec3<S> torque{S(0), S(0), S(0)};
      const Columns<S>& R = pose(b, l).R;
      const Vec3<S>* d[3] = {&R.e1, &R.e2, &R.e3};
      for (int i = 0; model_.bodies[b].turns && i < D; ++i) torque = torque + cross(*d[i], get(row + at(b, i + 1), D));
      Vec3<S> force = get(row + at(b, 0), D);
      if (hung_[b].held) {
        torque = torque + cross(pose(b, l).x - hung_[b].anchor, force);
        force = {S(0), S(0), S(0)};
      }
      rows_.bodies[b * sz(s) + sz(l)] = {narrowed(force), narrowed(torque)};
    }
  double* to = rows_.joints.data();
  for (const Joint<S>& joint : model_.joints)
    for (int k = 0; k < s; ++k)
      for (const int row : joint.index) *to++ = static_cast<double>(r_[sz(layout_.constraint_row(k) + row)]);
}

template <class S>
void RotationSolver<S>::see(const std::vector<S>& x) {
  for (std::size_t k = 0; k < poses_.size(); ++k) {
    const Columns<S>& R = poses_[k].R;
    const HungBody<S>& hung = hung_[k / sz(layout_.s + 1)];
    matrix_.poses[k] = {narrowed(hung.held ? poses_[k].x - hung.anchor : poses_[k].x),
                        {narrowed(R.e1), narrowed(R.e2), narrowed(R.e3)}};
  }
  for (std::size_t k = 0; k < Ga_.size(); ++k) {
    matrix_.Ga[k] = {narrowed(Ga_[k].r), narrowed(Ga_[k].theta)};
    matrix_.Gb[k] = {narrowed(Gb_[k].r), narrowed(Gb_[k].theta)};
  }
  for (int l = 0; l < layout_.s; ++l)
    matrix_.weight[sz(l)] = narrowed((start_.h * start_.h * shares_[sz(l)]) * model_.gravity);
  double* to = matrix_.mu.data();
  for (const Joint<S>& joint : model_.joints)
    for (int l = 0; l < layout_.s; ++l)
      for (const int row : joint.index) *to++ = static_cast<double>(x[sz(layout_.mu(l) + row)]);
}

#define EXTREMAL_INSTANTIATE(S)                                      \
  template void RotationSolver<S>::place(std::vector<S>&);           \
  template void RotationSolver<S>::look(int);                        \
  template void RotationSolver<S>::find_rows(const std::vector<S>&); \
  template void RotationSolver<S>::take_rows();                      \
  template void RotationSolver<S>::see(const std::vector<S>&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
