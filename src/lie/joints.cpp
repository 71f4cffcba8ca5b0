#include "lie/joints.hpp"

#include <algorithm>
#include <array>

#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

constexpr std::size_t joints_of_run = 1024;

// The largest |g| or |G v|, the first of equals, and its row; a NaN stays.
template <class S>
struct Largest {
  S most{0};
  int row = -1;
  void note(const S& own, int at) {
    if (own <= most || most != most) return;
    most = own;
    row = at;
  }
  static Largest joined(Largest all, const Largest& other) {
    all.note(other.most, other.row);
    return all;
  }
};

}  // namespace

template <class S, class T>
Joints<S, T>::Joints(const Model<S>& model, Workers& workers)
    : model_(model), workers_(workers), schur_(model, workers) {
  const std::size_t m = sz(model.rows);
  const T none(S(0)), one(S(1));
  const Vec3<T> origin{none, none, none};
  ground_ = {origin, columns(Quaternion<T>{one, none, none, none})};
  const auto moves = [&](int body) { return body >= 0 && model.bodies[sz(body)].moves; };
  const auto swings = [&](int body) { return body >= 0 && model.bodies[sz(body)].swings; };
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint<S>& joint = model.joints[j];
    if (!joint.ball())
      others_.push_back(static_cast<int>(j));
    else
      balls_.push_back({joint.a, joint.b, joint.first, static_cast<int>(j), moves(joint.a), swings(joint.a),
                        moves(joint.b), swings(joint.b), lifted<S, T>(joint.rows[0].a), lifted<S, T>(joint.rows[0].b)});
  }
  ball_runs_ = find_runs(balls_, [](const Ball& ball) { return std::array{ball.a, ball.b}; });
  other_runs_ = find_runs(others_, [&](int j) { return std::array{model.joints[sz(j)].a, model.joints[sz(j)].b}; });
  arms_.assign(model.joints.size(), {origin, origin});
  next_arms_ = arms_;
  value_arms_.resize(arms_.size());
  Ga_.assign(m, {origin, origin});
  Gb_ = next_Ga_ = next_Gb_ = Ga_;
  value_Ga_.resize(m);
  value_Gb_.resize(m);
  rhs_.assign(m, S(0));
  eps_ = rhs_;
  value_poses_.resize(model.bodies.size());
  inverse_.resize(model.bodies.size());
  for (std::size_t i = 0; i < inverse_.size(); ++i) inverse_[i].m = model.bodies[i].inverse_mass;
}

template <class S, class T>
template <class Item, class Bodies>
typename Joints<S, T>::Runs Joints<S, T>::find_runs(std::vector<Item>& items, Bodies bodies_of) const {
  constexpr std::size_t none = -1, several = -2;
  std::vector<std::size_t> run_of(model_.bodies.size(), none);  // of every body
  for (std::size_t k = 0; k < items.size(); ++k)
    for (const int body : bodies_of(items[k]))
      if (body >= 0) {
        std::size_t& known = run_of[sz(body)];
        known = known == none || known == k / joints_of_run ? k / joints_of_run : several;
      }
  std::vector<Item> sorted, seams;
  Runs runs;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (k % joints_of_run == 0) runs.push_back(sorted.size());
    bool inside = true;
    for (const int body : bodies_of(items[k])) inside = inside && (body < 0 || run_of[sz(body)] != several);
    (inside ? sorted : seams).push_back(items[k]);
  }
  runs.push_back(sorted.size());
  sorted.insert(sorted.end(), seams.begin(), seams.end());
  items = std::move(sorted);
  return runs;
}

template <class S, class T>
template <class Item, class Visit>
void Joints<S, T>::each(const std::vector<Item>& items, const Runs& runs, Visit visit) const {
  workers_.share(runs.size() - 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = runs[begin]; k < runs[end]; ++k) visit(items[k]);
  });
  for (std::size_t k = runs.back(); k < items.size(); ++k) visit(items[k]);
}

template <class S, class T>
S Joints<S, T>::look(const std::vector<Pose<T>>& poses, bool rows, const S& slopes, std::vector<T>& g) {
  const auto look_at_balls = [&](std::size_t begin, std::size_t end) {
    Largest<S> found;
    for (std::size_t k = begin; k < end; ++k) {
      const Ball& ball = balls_[k];
      const Pose<T>&A = at(poses, ball.a), &B = at(poses, ball.b);
      const Vec3<T> ra = A.R.to_space(ball.at_a), rb = B.R.to_space(ball.at_b), d = (B.x - A.x) + (rb - ra);
      next_arms_[sz(ball.joint)] = {ra, rb};
      T* to = g.data() + ball.first;
      to[0] = d.x, to[1] = d.y, to[2] = d.z;
      found.note(size(d.x, slopes), ball.first);
      found.note(size(d.y, slopes), ball.first + 1);
      found.note(size(d.z, slopes), ball.first + 2);
    }
    return found;
  };
  const auto look_at_others = [&](std::size_t begin, std::size_t end) {
    Largest<S> found;
    for (std::size_t i = begin; i < end; ++i) {
      const Joint<S>& joint = model_.joints[sz(others_[i])];
      joint.evaluate(at(poses, joint.a), at(poses, joint.b), g.data() + joint.first,
                     rows ? next_Ga_.data() + joint.first : nullptr, rows ? next_Gb_.data() + joint.first : nullptr);
      for (int k = joint.first; k < joint.first + joint.count(); ++k) found.note(size(g[sz(k)], slopes), k);
    }
    return found;
  };
  rows_known_ = rows || others_.empty();
  Largest<S> found = workers_.template gather<Largest<S>>(balls_.size(), look_at_balls, Largest<S>::joined);
  if (!others_.empty())
    found = Largest<S>::joined(
        found, workers_.template gather<Largest<S>>(others_.size(), look_at_others, Largest<S>::joined));
  worst_ = found.row;
  return found.most;
}

template <class S, class T>
void Joints<S, T>::arrive(const std::vector<Pose<T>>& poses, std::vector<T>& g) {
  if (!rows_known_) look(poses, true, S(1), g);
  arms_.swap(next_arms_);
  if (others_.empty()) return;
  Ga_.swap(next_Ga_);
  Gb_.swap(next_Gb_);
}

template <class S, class T>
bool Joints<S, T>::factor(const std::vector<Pose<T>>& poses) {
  if (!others_.empty())
    workers_.share(inverse_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto& body = model_.bodies[i];
        if (!body.swings) continue;
        const Vec3<S> e1 = values(poses[i].R.e1), e2 = values(poses[i].R.e2), e3 = values(poses[i].R.e3);
        const Vec3<S>& k = body.inverse_inertia;
        const Vec3<S> a = k.x * e1, b = k.y * e2, c = k.z * e3;
        inverse_[i].J = {e1.x * a + e2.x * b + e3.x * c, e1.y * a + e2.y * b + e3.y * c,
                         e1.z * a + e2.z * b + e3.z * c};
      }
    });
  if constexpr (std::is_same_v<S, T>) {
    pivot_ = schur_.factor({poses.data(), inverse_.data(), arms_.data(), Ga_.data(), Gb_.data()}, eps_.data());
  } else {
    for (std::size_t k = 0; k < Ga_.size(); ++k) {
      value_Ga_[k] = {values(Ga_[k].r), values(Ga_[k].theta)};
      value_Gb_[k] = {values(Gb_[k].r), values(Gb_[k].theta)};
    }
    for (std::size_t k = 0; k < arms_.size(); ++k) value_arms_[k] = {values(arms_[k].a), values(arms_[k].b)};
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Pose<T>& pose = poses[i];
      value_poses_[i] = {values(pose.x), {values(pose.R.e1), values(pose.R.e2), values(pose.R.e3)}};
    }
    pivot_ = schur_.factor(
        {value_poses_.data(), inverse_.data(), value_arms_.data(), value_Ga_.data(), value_Gb_.data()}, eps_.data());
  }
  return pivot_.ratio > S(16) * Scalar<S>::epsilon;
}

template <class S, class T>
void Joints<S, T>::regularise(double eps) {
  // Relative to the mean diagonal of S; the weights are those of the rows.
  S mean(0);
  for (std::size_t k = 0; k < eps_.size(); ++k) eps_[k] = S(0);
  regular_ = eps == 0;
  if (regular_ || model_.rows == 0) return;
  for (const Joint<S>& joint : model_.joints)
    for (const int body : {joint.a, joint.b})
      if (body >= 0) mean += S(joint.count()) * model_.bodies[sz(body)].inverse_mass;
  mean /= S(model_.rows);
  for (std::size_t k = 0; k < eps_.size(); ++k) eps_[k] = S(eps) * mean * S(model_.weights[k]);
}

template <class S, class T>
void Joints<S, T>::solve(std::vector<T>& b, S factor, std::vector<T>& sum) {
  if constexpr (std::is_same_v<S, T>) {
    schur_.solve(b.data());
  } else {
    for (std::size_t k = 0; k < b.size(); ++k) rhs_[k] = b[k].a;
    schur_.solve(rhs_.data());
    for (std::size_t k = 0; k < b.size(); ++k) b[k].a = rhs_[k], rhs_[k] = b[k].g[0];
    schur_.solve(rhs_.data());
    for (std::size_t k = 0; k < b.size(); ++k) b[k].g[0] = rhs_[k];
  }
  workers_.share(b.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) sum[k] = sum[k] + T(factor) * b[k];
  });
}

template <class S, class T>
bool Joints<S, T>::exact(const std::vector<T>& x, const S& scale) const {
  if constexpr (std::is_same_v<S, T>) {
    return regular_ && schur_.largest(x.data()) <= scale;
  } else {
    return false;  // the slope follows one pass behind the value
  }
}

template <class S, class T>
template <class M>
void Joints<S, T>::subtract(const std::vector<T>& mu, std::vector<M>& momenta) const {
  each(balls_, ball_runs_, [&](const Ball& ball) {
    const T* k = mu.data() + ball.first;
    const Vec3<T> impulse{k[0], k[1], k[2]};
    const Arms<T>& arms = arms_[sz(ball.joint)];
    if (ball.a >= 0) {
      M& state = momenta[sz(ball.a)];
      if (ball.moves_a) state.p = state.p + impulse;
      if (ball.swings_a) state.pi = state.pi + cross(arms.a, impulse);
    }
    if (ball.b >= 0) {
      M& state = momenta[sz(ball.b)];
      if (ball.moves_b) state.p = state.p - impulse;
      if (ball.swings_b) state.pi = state.pi - cross(arms.b, impulse);
    }
  });
  if (others_.empty()) return;
  each(others_, other_runs_, [&](int j) {
    const Joint<S>& joint = model_.joints[sz(j)];
    for (const bool b : {false, true}) {
      const int body = b ? joint.b : joint.a;
      if (body < 0) continue;
      const std::vector<Covector<T>>& G = b ? Gb_ : Ga_;
      const auto& constants = model_.bodies[sz(body)];
      M& state = momenta[sz(body)];
      for (int k = joint.first; k < joint.first + joint.count(); ++k) {
        if (constants.moves) state.p = state.p - mu[sz(k)] * G[sz(k)].r;
        if (constants.swings) state.pi = state.pi - mu[sz(k)] * G[sz(k)].theta;
      }
    }
  });
}

template <class S, class T>
S Joints<S, T>::rate(const std::vector<Momenta<T>>& velocities, std::vector<T>& out) const {
  const Vec3<T> none{T(S(0)), T(S(0)), T(S(0))};
  const auto larger = [](const S& a, const S& b) { return math::max(a, b); };
  const auto of_balls = [&](std::size_t begin, std::size_t end) {
    S scale(0);
    for (std::size_t i = begin; i < end; ++i) {
      const Ball& ball = balls_[i];
      const Arms<T>& arms = arms_[sz(ball.joint)];
      Vec3<T> va = none, vb = none;
      if (ball.a >= 0) va = velocities[sz(ball.a)].p + cross(velocities[sz(ball.a)].pi, arms.a);
      if (ball.b >= 0) vb = velocities[sz(ball.b)].p + cross(velocities[sz(ball.b)].pi, arms.b);
      for (const T& x : {va.x, va.y, va.z, vb.x, vb.y, vb.z}) scale = math::max(scale, math::abs(value(x)));
      T* to = out.data() + ball.first;
      to[0] = vb.x - va.x, to[1] = vb.y - va.y, to[2] = vb.z - va.z;
    }
    return scale;
  };
  const auto of_others = [&](std::size_t begin, std::size_t end) {
    S scale(0);
    for (std::size_t i = begin; i < end; ++i) {
      const Joint<S>& joint = model_.joints[sz(others_[i])];
      for (int k = joint.first; k < joint.first + joint.count(); ++k) {
        T sum(S(0));
        for (const bool b : {false, true}) {
          const int body = b ? joint.b : joint.a;
          if (body < 0) continue;
          const Covector<T>& G = (b ? Gb_ : Ga_)[sz(k)];
          const T part = dot(G.r, velocities[sz(body)].p) + dot(G.theta, velocities[sz(body)].pi);
          scale = math::max(scale, math::abs(value(part)));
          sum = sum + part;
        }
        out[sz(k)] = sum;
      }
    }
    return scale;
  };
  const S scale = workers_.template gather<S>(balls_.size(), of_balls, larger);
  if (others_.empty()) return scale;
  return math::max(scale, workers_.template gather<S>(others_.size(), of_others, larger));
}

#define EXTREMAL_JOINTS(S, T)                                                                  \
  template class Joints<S, T>;                                                                 \
  template void Joints<S, T>::subtract(const std::vector<T>&, std::vector<Momenta<T>>&) const; \
  template void Joints<S, T>::subtract(const std::vector<T>&, std::vector<BodyState<T>>&) const;
#define EXTREMAL_INSTANTIATE(S) EXTREMAL_JOINTS(S, S) EXTREMAL_JOINTS(S, Dual<S>)
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE
#undef EXTREMAL_JOINTS

}  // namespace extremal::lie
