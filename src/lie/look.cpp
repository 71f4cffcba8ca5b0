#include "lie/look.hpp"

#include <algorithm>

#include "lie/directors.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

// A pivot of S below this part of its diagonal says that its row depends on others. Independent rows of bodies whose
// masses differ by 1e10 leave larger ones, and round-off in double smaller ones.
constexpr double dependent = 4e-12;
// What S is regularised with then. The residuals are exact, and every pass of refinement gains the digits of eps; but
// round-off divided by it comes into the part of lambda that exerts no force.
constexpr double look_eps = 1e-6;
constexpr int regular_passes = 4, redundant_passes = 12;

template <class S>
S largest_of(const std::vector<S>& list) {
  S most(0);
  for (const S& x : list) most = math::max(most, math::abs(x));
  return most;
}

}  // namespace

template <class S>
Look<S>::Look(const System& system, const std::string& scheme)
    : model_(system, scheme, Holds::by_rows, Laws::of_joints),
      joints_(model_, alone_),
      evaluation_(system, 1, Storage::sparse) {
  const std::size_t n = sz(system.size()), m = sz(system.constraint_count()), rows = sz(model_.rows);
  const int D = model_.dimension;
  int row = 0;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    if (model_.bodies[b].turns) {
      rigidity_.push_back({b, row});
      row += D * (D + 1) / 2;
    }
  for (auto* list : {&q_, &v_, &Lq_, &Lv_, &stiff_, &field_, &lifted_, &a_}) list->assign(n, S(0));
  for (auto* list : {&g_, &bend_}) list->assign(m, S(0));
  G_.assign(sz(evaluation_.jacobian().size()), S(0));
  for (auto* list : {&lambda_, &residual_}) list->assign(rows, S(0));
  const Vec3<S> none{S(0), S(0), S(0)};
  poses_.assign(model_.bodies.size(), {none, columns(Quaternion<S>{S(1), S(0), S(0), S(0)})});
  load_.assign(model_.bodies.size(), {none, none});
  rest_ = load_;
  find_fields(system);
}

// Every local coordinate of a term's sites is moved at all sites at once, which do not share coordinates.
template <class S>
void Look<S>::find_fields(const System& system) {
  const std::vector<S> origin(q_.size(), S(0));
  const S t(0);
  for (const auto& term : system.terms()) {
    if (term->role != Role::symmetry) continue;
    Field field;
    std::vector<int> own(term->sites);
    std::sort(own.begin(), own.end());
    field.affine = !term->uses_time && term->degree.q <= 1 && std::adjacent_find(own.begin(), own.end()) == own.end();
    field.b.assign(q_.size(), S(0));
    const int index = static_cast<int>(fields_.size()), N = term->coordinates;
    for (int c = 0; field.affine && c < N; ++c) {
      std::fill(v_.begin(), v_.end(), S(0));
      for (int site = 0; site < term->site_count(); ++site) v_[sz(term->sites[sz(site * N + c)])] = S(1);
      evaluation_.symmetry(index, origin.data(), v_.data(), &t, field.b.data(), lifted_.data());
      for (int site = 0; site < term->site_count(); ++site)
        for (int r = 0; r < N; ++r)
          if (const std::size_t i = sz(term->sites[sz(site * N + r)]); lifted_[i] != S(0))
            field.A.push_back({i, sz(term->sites[sz(site * N + c)]), lifted_[i]});
    }
    fields_.push_back(std::move(field));
  }
}

template <class S>
void Look<S>::find_field(int index) {
  const Field& known = fields_[sz(index)];
  if (!known.affine) return evaluation_.symmetry(index, q_.data(), v_.data(), &t_, field_.data(), lifted_.data());
  field_ = known.b;
  std::fill(lifted_.begin(), lifted_.end(), S(0));
  for (const auto& [i, j, a] : known.A) {
    field_[i] += a * q_[j];
    lifted_[i] += a * v_[j];
  }
}

// i = 0 is the centre, then come the directors.
template <class S>
Vec3<S> Look<S>::part(const std::vector<S>& list, std::size_t body, int i) const {
  const int D = model_.dimension;
  return get(list.data() + model_.bodies[body].first + D * i, D);
}
template <class S>
void Look<S>::add(std::vector<S>& list, std::size_t body, int i, const Vec3<S>& x) const {
  const int D = model_.dimension;
  S* to = list.data() + model_.bodies[body].first + D * i;
  put(get(to, D) + x, D, to);
}

template <class S>
void Look<S>::see_constraints(const std::vector<S>& q, S t) {
  if (seen_constraints_ && t == t_ && q == q_) return;
  seen_ = seen_stiff_ = false;
  t_ = t;
  q_ = q;
  evaluation_.constraints(1, q.data(), &t, g_.data(), G_.data(), bend_.data());
  seen_constraints_ = true;
}

template <class S>
void Look<S>::see(const State<S>& at, const std::vector<S>& v) {
  see_constraints(at.q, at.t);
  if (seen_ && v == v_) return;
  seen_stiff_ = false;
  v_ = v;
  evaluation_.gradient(1, q_.data(), v_.data(), &t_, nullptr, Lq_.data(), Lv_.data());
  seen_ = true;
}

template <class S>
void Look<S>::momenta(const State<S>& at, std::vector<S>& out) {
  out.resize(sz(evaluation_.symmetry_count()));
  evaluation_.momenta(at.q.data(), at.p.data(), &at.t, out.data());
}

template <class S>
void Look<S>::constraint_norms(const std::vector<S>& q, S t, std::vector<S>& out) {
  see_constraints(q, t);
  out.assign(g_.size(), S(0));
  for_each(evaluation_.jacobian(), [&](int e, int k, int) { out[sz(k)] += G_[sz(e)] * G_[sz(e)]; });
  for (S& x : out) x = math::sqrt(x);
}

template <class S>
void Look<S>::hidden(const std::vector<S>& q, const std::vector<S>& v, S t, std::vector<S>& out) {
  see_constraints(q, t);
  out.assign(g_.size(), S(0));
  evaluation_.constraints(1, q.data(), &t, g_.data(), G_.data(), out.data());
  add_product(evaluation_.jacobian(), G_.data(), v.data(), S(1), out.data());
}

template <class S>
std::vector<S> Look<S>::constraint_jacobian(const std::vector<S>& q, S t) {
  see_constraints(q, t);
  std::vector<S> out(g_.size() * q.size(), S(0));
  for_each(evaluation_.jacobian(), [&](int e, int k, int i) { out[sz(k) * q.size() + sz(i)] = G_[sz(e)]; });
  return out;
}

template <class S>
const std::vector<S>& Look<S>::stiffness() {
  if (seen_stiff_) return stiff_;
  const Pattern& coupling = evaluation_.coupling();
  std::vector<S> A(sz(coupling.size())), B(A), C(A), D(A);
  evaluation_.hessian(1, q_.data(), v_.data(), &t_, A.data(), B.data(), C.data(), D.data());
  std::fill(stiff_.begin(), stiff_.end(), S(0));
  for_each(coupling, [&](int e, int i, int j) { stiff_[sz(i)] += math::abs(A[sz(e)] * q_[sz(j)]); });
  seen_stiff_ = true;
  return stiff_;
}

template <class S>
double Look<S>::symmetry_defect(int index, const State<S>& at, const std::vector<S>& v) {
  see(at, v);
  const std::size_t n = q_.size();
  find_field(index);
  const S *field = field_.data(), *lifted = lifted_.data(), *by_q = Lq_.data(), *by_v = Lv_.data();
  S sum(0), size(0);
  for (std::size_t i = 0; i < n; ++i) {
    const S a = by_q[i] * field[i], b = by_v[i] * lifted[i];
    sum += a + b;
    size += math::abs(a) + math::abs(b);
  }
  // Where stiff terms cancel each other what is left of them is round-off, of the size of L_qq q.
  if (math::abs(sum) > S(1e-10) * size) {
    S noise(0);
    for (std::size_t i = 0; i < n; ++i) noise += math::abs(field_[i]) * stiffness()[i];
    sum = math::max(S(0), math::abs(sum) - S(16) * Scalar<S>::epsilon * noise);
  }
  const double defect = size > S(0) ? static_cast<double>(math::abs(sum) / size) : 0;
  const Pattern& jacobian = evaluation_.jacobian();
  const S* slopes = G_.data();
  const int* columns_of = jacobian.column.data();
  // A field that is nothing but round-off beside what it is elsewhere moves no row.
  S worst(0), widest(0);
  for (const S& x : field_) widest = math::max(widest, math::abs(x));
  for (int k = 0; k < jacobian.rows; ++k) {
    S along(0), scale(0);
    for (int e = jacobian.start[sz(k)]; e < jacobian.start[sz(k + 1)]; ++e) {
      const S a = slopes[e] * field[columns_of[e]];
      along += a;
      scale += math::max(math::abs(a), S(1e-6) * math::abs(slopes[e]) * widest);
    }
    if (math::abs(along) > worst * scale) worst = math::abs(along) / scale;
  }
  return math::max(defect, static_cast<double>(worst));
}

template <class S>
void Look<S>::multipliers(const State<S>& at, const std::vector<S>& v, std::vector<S>& out) {
  see(at, v);
  evaluation_.bend(q_.data(), &t_, v_.data(), nullptr, bend_.data());
  place_bodies(at.t);
  find_rigid_accelerations();
  add_product(evaluation_.jacobian(), G_.data(), a_.data(), S(1), bend_.data());
  out.assign(g_.size(), S(0));
  hand_on(out);
  find_loads();
  if (!find_joint_multipliers()) {
    std::fill(out.begin(), out.end(), S(0) / S(0));
    return;
  }
  for (const Joint<S>& joint : model_.joints)
    for (int k = 0; k < joint.count(); ++k) out[sz(joint.index[sz(k)])] = lambda_[sz(joint.first + k)];
  find_accelerations();
  find_rigidity_multipliers(out);
}

template <class S>
void Look<S>::place_bodies(S t) {
  for (std::size_t b = 0; b < poses_.size(); ++b) {
    poses_[b].x = part(q_, b, 0);
    if (!model_.bodies[b].turns) continue;
    Columns<S>& R = poses_[b].R;
    R.e1 = part(q_, b, 1);
    R.e2 = part(q_, b, 2);
    if (model_.dimension == 3) R.e3 = part(q_, b, 3);
  }
  model_.follow_drives(t);
}

template <class S>
void Look<S>::find_rigid_accelerations() {
  std::fill(a_.begin(), a_.end(), S(0));
  for (const Rigidity& own : rigidity_)
    for (int i = 1; i <= model_.dimension; ++i)
      for (int j = 1; j <= model_.dimension; ++j)
        add(a_, own.body, i, (-dot(part(v_, own.body, i), part(v_, own.body, j))) * part(q_, own.body, j));
}

// What acts on a coordinate of a joint, its row of g hands on to the bodies; it has no inertia itself.
template <class S>
void Look<S>::hand_on(std::vector<S>& out) {
  handed_ = Lq_;
  if (model_.of_joints.empty()) return;
  const Pattern& jacobian = evaluation_.jacobian();
  for (const OwnCoordinate<S>& one : model_.of_joints)
    for (int e = jacobian.start[sz(one.row)]; e < jacobian.start[sz(one.row + 1)]; ++e)
      if (jacobian.column[sz(e)] == one.index) out[sz(one.row)] = Lq_[sz(one.index)] / G_[sz(e)];
  add_transposed(jacobian, G_.data(), out.data(), S(-1), handed_.data());
}

template <class S>
void Look<S>::find_loads() {
  for (std::size_t b = 0; b < load_.size(); ++b) load_[b] = {part(handed_, b, 0), {S(0), S(0), S(0)}};
  for (const Rigidity& own : rigidity_) {
    const Vec3<S>& E = model_.bodies[own.body].euler;
    const S weights[3] = {E.x, E.y, E.z};
    for (int i = 1; i <= model_.dimension; ++i)
      load_[own.body].pi =
          load_[own.body].pi +
          cross(part(q_, own.body, i), part(handed_, own.body, i) - weights[i - 1] * part(a_, own.body, i));
  }
}

// Leaves the accelerations of the bodies, b - M^-1 G^T lambda, in rest_.
template <class S>
bool Look<S>::find_joint_multipliers() {
  std::fill(lambda_.begin(), lambda_.end(), S(0));
  const auto accelerate = [&] {
    rest_ = load_;
    joints_.subtract(lambda_, rest_);
    for (std::size_t b = 0; b < rest_.size(); ++b) {
      const auto& body = model_.bodies[b];
      const Columns<S>& R = poses_[b].R;
      rest_[b] = {body.inverse_mass * rest_[b].p, R.to_space(scaled(body.inverse_inertia, R.to_body(rest_[b].pi)))};
    }
  };
  if (model_.rows == 0) return accelerate(), true;
  joints_.look(poses_, true, S(1), residual_);
  joints_.arrive(poses_, residual_);
  joints_.regularise(0);
  joints_.factor(poses_);
  const bool redundant = !(joints_.pivot().ratio > S(dependent));
  if (redundant) {
    joints_.regularise(look_eps);
    joints_.factor(poses_);
  }
  S before(0);
  for (int pass = 0; pass < (redundant ? redundant_passes : regular_passes); ++pass) {
    accelerate();
    joints_.rate(rest_, residual_);
    for (const Joint<S>& joint : model_.joints)
      for (int k = 0; k < joint.count(); ++k) residual_[sz(joint.first + k)] += bend_[sz(joint.index[sz(k)])];
    joints_.solve(residual_, S(1), lambda_);
    const S change = largest_of(residual_);
    if (!math::finite(change)) return false;
    if (change <= Scalar<S>::epsilon * largest_of(lambda_) || (pass > 1 && change > before / S(2))) break;
    before = change;
  }
  accelerate();
  return true;
}

template <class S>
void Look<S>::find_accelerations() {
  for (std::size_t b = 0; b < rest_.size(); ++b) add(a_, b, 0, rest_[b].p);
  for (const Rigidity& own : rigidity_)
    for (int i = 1; i <= model_.dimension; ++i) add(a_, own.body, i, cross(rest_[own.body].pi, part(q_, own.body, i)));
}

template <class S>
void Look<S>::find_rigidity_multipliers(std::vector<S>& out) {
  left_ = Lq_;
  add_transposed(evaluation_.jacobian(), G_.data(), out.data(), S(-1), left_.data());
  const int D = model_.dimension;
  for (const Rigidity& own : rigidity_) {
    const Vec3<S>& E = model_.bodies[own.body].euler;
    const S weights[3] = {E.x, E.y, E.z};
    Vec3<S> d[3], r[3];
    for (int i = 0; i < D; ++i) {
      d[i] = part(q_, own.body, i + 1);
      r[i] = part(left_, own.body, i + 1) - weights[i] * part(a_, own.body, i + 1);
    }
    S* to = out.data() + own.row;
    for (int i = 0; i < D; ++i) *to++ = dot(r[i], d[i]);
    for (int i = 0; i < D; ++i)
      for (int j = i + 1; j < D; ++j) *to++ = (dot(r[i], d[j]) + dot(r[j], d[i])) / S(2);
  }
}

#define EXTREMAL_INSTANTIATE(S) template class Look<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
