#include "lie/rotation_solver.hpp"

#include <algorithm>
#include <cmath>

#include "algebra/lu.hpp"
#include "extremal/error.hpp"
#include "kernel/rank.hpp"
#include "lie/directors.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

constexpr int most_corrections = 20;
constexpr double poor_contraction = 0.3;  // more corrections would be needed than those of the directors cost
constexpr double too_far = 0.5;           // a rotation that no correction of a fair guess is
constexpr double residual_units = 256;    // of the round-off of what a row is summed of

// g = 0 at the control points 1..s, a multiplier at each of 0..s-1, and nothing else.
template <class S>
bool fits(const Tables<S>& t) {
  if (t.J != t.s || t.I != t.s || t.coupled_hidden || !t.spread.empty() || !t.collect.empty()) return false;
  const S close = S(64) * Scalar<S>::epsilon;
  for (int j = 0; j < t.s; ++j)
    for (int k = 0; k <= t.s; ++k) {
      if (math::abs(t.lphi[sz(j * (t.s + 1) + k)] - S(j == k ? 1 : 0)) > close) return false;
      if (math::abs(t.lpsi[sz(j * (t.s + 1) + k)] - S(j + 1 == k ? 1 : 0)) > close) return false;
    }
  return true;
}

// s x (s + 1): rows l = 0..s-1, columns k = 0..s.
template <class S>
std::vector<S> stiffness(const Tables<S>& t) {
  std::vector<S> K;
  for (int l = 0; l < t.s; ++l)
    for (int k = 0; k <= t.s; ++k) {
      S sum(0);
      for (int i = 0; i < t.r; ++i) sum += t.b[sz(i)] * t.dl[sz(i * (t.s + 1) + l)] * t.dl[sz(i * (t.s + 1) + k)];
      K.push_back(sum);
    }
  return K;
}

template <class S>
StageTables stage_tables(const Tables<S>& t) {
  const int s = t.s;
  StageTables out{s, {}, std::vector<double>(sz(s * s), 0.0), {}};
  std::vector<double> lu;
  for (const S& x : stiffness(t)) out.K.push_back(static_cast<double>(x));
  for (int l = 0; l < s; ++l) {
    lu.insert(lu.end(), out.K.begin() + l * (s + 1) + 1, out.K.begin() + (l + 1) * (s + 1));
    out.e.push_back(static_cast<double>(t.e[sz(l)]));
  }
  Lu<double> factors(s);
  std::copy(lu.begin(), lu.end(), factors.data());
  if (factors.factor() >= 0) return {};
  for (int c = 0; c < s; ++c) {
    std::vector<double> column(sz(s), 0.0);
    column[sz(c)] = 1;
    factors.solve(column.data());
    for (int k = 0; k < s; ++k) out.inverse[sz(k * s + c)] = column[sz(k)];
  }
  return out;
}

template <class S>
Quaternion<S> unit(const Quaternion<S>& q) {
  return (S(1) / math::sqrt(squared_norm(q))) * q;
}

}  // namespace

template <class S>
std::unique_ptr<RotationSolver<S>> RotationSolver<S>::make(const System& system, const Galerkin& scheme) {
  const RigidStructure* rigid = system.rigid().get();
  if (rigid == nullptr || !rigid->rods.empty() || system.constraint_count() == 0 || scheme.basis != Basis{})
    return nullptr;
  const Tables<S> t = tables<S>(scheme);
  if (!fits(t) || stage_tables(t).s == 0) return nullptr;
  const auto turns = [](const RigidBody& body) { return body.turns; };
  if (std::none_of(rigid->bodies.begin(), rigid->bodies.end(), turns)) return nullptr;
  try {
    return std::unique_ptr<RotationSolver>(new RotationSolver(system, scheme, t));
  } catch (const InputError&) {
    return nullptr;  // a body without a moment of inertia, or terms that are neither joints nor loads
  }
}

template <class S>
RotationSolver<S>::RotationSolver(const System& system, const Galerkin& scheme, const Tables<S>& tables)
    : model_(system, "rotations of degree " + std::to_string(scheme.degree), Holds::by_rows),
      hung_(take_hung(model_)),
      narrow_(system, "rotations of degree " + std::to_string(scheme.degree), Holds::by_rows),
      layout_(tables, system.size(), system.constraint_count()),
      matrix_(made_matrix(tables)),
      points_(tables.d),
      weights_(tables.e),
      loop_(has_loop(system)) {
  const int s = layout_.s;
  const std::size_t bodies = model_.bodies.size(), stages = bodies * sz(s);
  const Vec3<S> none{S(0), S(0), S(0)};
  rows_.bodies.assign(stages, {{0, 0, 0}, {0, 0, 0}});
  rows_.joints.assign(sz(matrix_.size()), 0.0);
  turn_.assign(stages, {S(1), S(0), S(0), S(0)});
  base_.assign(bodies, {none, none, none});
  rounding_ = base_;
  poses_.assign(bodies * sz(s + 1), {none, columns(Quaternion<S>{S(1), S(0), S(0), S(0)})});
  Ga_.assign(sz(model_.rows * (s + 1)), {none, none});
  Gb_ = Ga_;
  sums_.assign(stages, {none, none});
  g_.assign(6, S(0));
  r_.assign(sz(layout_.size), S(0));
  int row = 0;
  for (const auto& body : model_.bodies) {
    rigidity_.push_back(body.turns ? row : -1);
    if (body.turns) row += model_.dimension * (model_.dimension + 1) / 2;
  }
  K_ = stiffness(tables);
  for (int l = 0; l < s; ++l) {
    S share(0);
    for (int i = 0; i < tables.r; ++i) share += tables.b[sz(i)] * tables.l[sz(i * (s + 1) + l)];
    shares_.push_back(share);
  }
  for (const S& x : K_) stiffness_ = std::max(stiffness_, std::fabs(static_cast<double>(x)));
  for (const S& x : weights_) weight_ = std::max(weight_, std::fabs(static_cast<double>(x)));
  plain_ = model_.loads.terms().empty() && model_.plain_loads.empty() && model_.drives.empty() && !model_.damped;
}

template <class S>
StageMatrix RotationSolver<S>::made_matrix(const Tables<S>& tables) {
  take_hung(narrow_);
  std::vector<bool> held;
  for (const HungBody<S>& body : hung_) held.push_back(body.held);
  return {narrow_, held, stage_tables(tables)};
}

// The rotations of the guess, whose directors need not be orthonormal.
template <class S>
void RotationSolver<S>::begin(const std::vector<S>& x) {
  const int s = layout_.s, D = model_.dimension;
  const Vec3<S> axis{S(0), S(0), S(1)};
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    Pose<S>& from = poses_[b * sz(s + 1)];
    from.x = get(start_.q + at(b, 0), D);
    if (!model_.bodies[b].turns) continue;
    // One Newton step towards directors that are orthonormal: D (3 - D^T D) / 2.
    const Vec3<S> d[3] = {get(start_.q + at(b, 1), D), get(start_.q + at(b, 2), D),
                          D == 3 ? get(start_.q + at(b, 3), D) : axis};
    from.R = {d[0], d[1], d[2]};
    if (HungBody<S>& hung = hung_[b]; hung.held) hung.rounding = (from.x - hung.anchor) + from.R.to_space(hung.at);
    Vec3<S> off[3] = {};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) off[i] = off[i] - (S(0.5) * (dot(d[i], d[j]) - S(i == j ? 1 : 0))) * d[j];
    rounding_[b] = {off[0], off[1], off[2]};
    base_[b] = {d[0] + off[0], d[1] + off[1], d[2] + off[2]};
    const Quaternion<S> back = conj(from_columns(base_[b]));
    for (int k = 1; k <= s; ++k) {
      const S* z = x.data() + layout_.z(k - 1);
      const Columns<S> R{d[0] + get(z + at(b, 1), D), d[1] + get(z + at(b, 2), D),
                         D == 3 ? d[2] + get(z + at(b, 3), D) : axis};
      turn_[b * sz(s) + sz(k - 1)] = unit(from_columns(R) * back);
    }
  }
}

template <class S>
Correction<S> RotationSolver<S>::correct(std::vector<S>& x) {
  const int s = layout_.s, D = model_.dimension;
  Correction<S> made;  // of centres and directors, and of multipliers
  double length = 0;
  const auto note = [&](const Vec3<double>& v) {
    for (const double c : {v.x, v.y, v.z})
      if (!(std::fabs(c) <= length)) length = std::fabs(c);  // a NaN stays
  };
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    for (int k = 1; k <= s; ++k) {
      const Covector<double>& off = rows_.bodies[b * sz(s) + sz(k - 1)];
      S* z = x.data() + layout_.z(k - 1) + at(b, 0);
      const Vec3<S> centre = get(z, D) - Vec3<S>{S(off.r.x), S(off.r.y), S(off.r.z)};
      put(centre, D, z);  // of a body that hangs off.r is 0
      note(off.r);
      for (const S& c : {centre.x, centre.y, centre.z}) made.reach = math::max(made.reach, math::abs(c));
      if (!model_.bodies[b].turns) continue;
      note(off.theta);
      Quaternion<S>& c = turn_[b * sz(s) + sz(k - 1)];
      c = unit(Quaternion<S>{S(1), S(-0.5 * off.theta.x), S(-0.5 * off.theta.y), S(-0.5 * off.theta.z)} * c);
    }
  made.change = S(length);
  place(x);
  const double* from = rows_.joints.data();
  for (const Joint<S>& joint : model_.joints)
    for (int l = 0; l < s; ++l)
      for (const int row : joint.index) {
        S& mu = x[sz(layout_.mu(l) + row)];
        const S off(*from++);
        mu -= off;
        made.other = math::max(made.other, math::abs(off));
        made.reach_other = math::max(made.reach_other, math::abs(mu));
      }
  return made;
}

// r_ of a centre is e_l times what its multipliers lack, and the directors feel these by the point they act on.
template <class S>
void RotationSolver<S>::add_holds(std::vector<S>& x) {
  const int D = model_.dimension;
  for (std::size_t b = 0; b < hung_.size(); ++b)
    for (int l = 0; hung_[b].held && l < layout_.s; ++l) {
      S* row = r_.data() + l * layout_.n;
      const HungBody<S>& hung = hung_[b];
      const S at_body[3] = {hung.at.x, hung.at.y, hung.at.z};
      for (int c = 0; c < D; ++c) {
        const S lacks = row[at(b, 0) + c];
        x[sz(layout_.mu(l) + hung.rows[sz(c)])] += hung.sign * lacks / weights_[sz(l)];
        for (int i = 0; i < D; ++i) row[at(b, i + 1) + c] -= at_body[i] * lacks;
        row[at(b, 0) + c] = S(0);
      }
    }
}

// r_ is e_l sum_j Lambda_ij d_j, of what Lambda lacks.
template <class S>
void RotationSolver<S>::add_rigidity(std::vector<S>& x) const {
  const int D = model_.dimension;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    for (int l = 0; rigidity_[b] >= 0 && l < layout_.s; ++l) {
      const Columns<S>& R = pose(b, l).R;
      const Vec3<S>* d[3] = {&R.e1, &R.e2, &R.e3};
      Vec3<S> r[3];
      for (int i = 0; i < D; ++i) r[i] = get(r_.data() + l * layout_.n + at(b, i + 1), D);
      const S share = S(1) / weights_[sz(l)];
      S* to = x.data() + layout_.mu(l) + rigidity_[b];
      for (int i = 0; i < D; ++i) *to++ += share * dot(r[i], *d[i]);
      for (int i = 0; i < D; ++i)
        for (int j = i + 1; j < D; ++j) *to++ += S(0.5) * share * (dot(r[i], *d[j]) + dot(r[j], *d[i]));
    }
}

// Rows are compared with the round-off of what they are summed of: K E d, or K m x, and multipliers; those of g with
// that of lengths.
template <class S>
bool RotationSolver<S>::closed(const std::vector<S>& x, S extent) const {
  const int D = model_.dimension;
  const S unit_of = S(residual_units) * Scalar<S>::epsilon, far = math::max(extent, S(1));
  S most(0);
  for (std::size_t k = sz(layout_.mu(0)); k < x.size(); ++k) most = math::max(most, math::abs(x[k]));
  const S pull = S(weight_) * most * far;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const auto& body = model_.bodies[b];
    const S inertia = math::max(math::abs(body.euler.x), math::max(math::abs(body.euler.y), math::abs(body.euler.z)));
    for (int i = 0; i <= (body.turns ? D : 0); ++i) {
      const S limit = unit_of * (S(stiffness_) * (i == 0 ? body.mass : inertia) * far + pull);
      for (int l = 0; l < layout_.s; ++l)
        for (int c = 0; c < D; ++c)
          if (!(math::abs(r_[sz(l * layout_.n + at(b, i) + c)]) <= limit)) return false;
    }
  }
  for (int row = layout_.constraint_row(0); row < layout_.size; ++row)
    if (!(math::abs(r_[sz(row)]) <= unit_of * far)) return false;
  return true;
}

template <class S>
bool RotationSolver<S>::solve(const StepStart<S>& start, GalerkinResidual<S>& residual, std::vector<S>& x,
                              StepReport& report) {
  start_ = start;
  S extent(0);
  for (int i = 0; i < layout_.n; ++i) extent = math::max(extent, math::abs(start.q[i]));
  begin(x);
  place(x);
  if (plain_) look(0);
  Corrections<S> corrections;
  bool worn = true, done = false;
  for (int iteration = 0; !done; ++iteration) {
    if (iteration == most_corrections) return false;
    ++report.iterations;
    const bool renew = worn || sizeof(S) > sizeof(double);
    if (plain_) {
      find_rows(x);
    } else {
      for (int k = 0; renew && k <= layout_.s; ++k) look(k);
      if (!math::finite(residual(start, x.data(), r_.data()))) return false;
      take_rows();
    }
    if (renew) {
      see(x);
      if (!matrix_.factor() || (loop_ && matrix_.smallest_ratio() < newton::close_pivot)) return false;
    }
    matrix_.solve(rows_);
    Correction<S> made = correct(x);
    made.reach = math::max(math::max(made.reach, extent), S(1));
    if (!(made.change <= S(too_far) * made.reach) || !math::finite(made.other)) return false;
    done = corrections.add(made);
    // The first ratio tells of the guess of the multipliers, not of the matrix.
    if (!done && corrections.contraction() > (iteration <= 1 ? 1 : poor_contraction)) return false;
    done = done && corrections.others_done();
    worn = corrections.wear(renew, !loop_);
    report.correction = static_cast<double>(made.change / made.reach);
  }
  residual(start, x.data(), r_.data());
  add_holds(x);
  add_rigidity(x);
  report.residual = static_cast<double>(residual.again(start, x.data(), r_.data()));
  return closed(x, extent);
}

#define EXTREMAL_INSTANTIATE(S) template class RotationSolver<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie

namespace extremal {

template <class S>
std::unique_ptr<ReducedSolver<S>> make_reduced_solver(const System& system, const Galerkin& scheme) {
  return lie::RotationSolver<S>::make(system, scheme);
}

#define EXTREMAL_INSTANTIATE(S) \
  template std::unique_ptr<ReducedSolver<S>> make_reduced_solver(const System&, const Galerkin&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
