// Loads: springs, dampers, motors and whatever else was given as terms of the directors, acting on rigid bodies.
//
// A term's derivative by the centre is a force and those by the directors are a torque, tau = sum d_i x f_i. Velocities
// are differences of the directors over the step, as the hamilton members take them: (q1 - q0) / h.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "extremal/detail/jet.hpp"
#include "lie/body_state.hpp"
#include "lie/model.hpp"
#include "numbers/index.hpp"
#include "system/evaluation.hpp"

namespace extremal::lie {

template <class S, class T>
class Loads {
 public:
  explicit Loads(const Model<S>& model) : model_(model) {
    const auto& terms = model.loads.terms();
    if (terms.empty()) return;
    evaluation_.emplace(model.loads, 1, std::is_same_v<S, T> ? Storage::sparse : Storage::full);
    for (const auto& term : terms) {
      timed_ = timed_ || term->uses_time;
      forced_ = forced_ || term->role == Role::force;
      damped_ = damped_ || (term->role == Role::force && term->degree.v > 0);
    }
    const auto n = static_cast<std::size_t>(model.size);
    for (auto* list : {&q_, &v_, &force_}) list->assign(n, T(S(0)));
    for (auto* list : {&value_q_, &value_v_, &value_f_, &unused_}) list->assign(n, S(0));
    if constexpr (!std::is_same_v<S, T>)
      for (auto* list : {&A_, &B_, &C_, &D_}) list->assign(n * n, S(0));
  }

  bool any() const { return evaluation_.has_value(); }
  bool timed() const { return timed_; }
  bool forced() const { return forced_; }
  bool damped() const { return damped_; }  // some force depends on the velocity

  // Adds to out, one entry per body. The velocity is (to - from) / h.
  void add(const std::vector<Pose<T>>& at, const std::vector<Pose<T>>& from, const std::vector<Pose<T>>& to, S h, S t,
           std::vector<Covector<T>>& out) {
    if (!any()) return;
    coordinates(from, v_);
    coordinates(to, q_);
    for (std::size_t i = 0; i < q_.size(); ++i) v_[i] = h != S(0) ? (q_[i] - v_[i]) / T(h) : T(S(0));
    coordinates(at, q_);
    evaluate(t);
    act(at, out);
  }
  // The same with the forces of the middle between the two places, where the directors are the means of theirs.
  void add_middle(const std::vector<Pose<T>>& at, const std::vector<Pose<T>>& from, const std::vector<Pose<T>>& to, S h,
                  S t, std::vector<Covector<T>>& out) {
    if (!any()) return;
    coordinates(from, v_);
    coordinates(to, q_);
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const T middle = T(S(0.5)) * (q_[i] + v_[i]);
      v_[i] = (q_[i] - v_[i]) / T(h);
      q_[i] = middle;
    }
    evaluate(t);
    act(at, out);
  }

  // What is found at those coordinates, as force and torque on the bodies `at` their places.
  void act(const std::vector<Pose<T>>& at, std::vector<Covector<T>>& out) const {
    for (std::size_t b = 0; b < out.size(); ++b) {
      const auto& body = model_.bodies[b];
      const int D = model_.dimension;
      out[b].r = out[b].r + part(force_, body.first);
      if (!body.turns) continue;
      const Vec3<T>* d[3] = {&at[b].R.e1, &at[b].R.e2, &at[b].R.e3};
      for (int i = 0; i < D; ++i) out[b].theta = out[b].theta + cross(*d[i], part(force_, body.first + D * (i + 1)));
    }
  }

  // Adds the work of every force, none of them a potential, over a step: at its ends, along the way between them.
  int sources() const { return evaluation_ ? evaluation_->source_count() : 0; }
  void add_work(const std::vector<Pose<T>>& from, const std::vector<Pose<T>>& to, S h, S t, S end, S b0, S b1, S* out)
    requires std::is_same_v<S, T>
  {
    if (!forced_) return;
    coordinates(from, q_);
    coordinates(to, force_);
    for (std::size_t i = 0; i < q_.size(); ++i) v_[i] = (force_[i] - q_[i]) / h;
    evaluation_->add_work(q_.data(), v_.data(), &t, h * b0, out);
    evaluation_->add_work(force_.data(), v_.data(), &end, h * b1, out);
  }
  // At one place, with velocities of centres and bodies.
  void add_kick_work(const std::vector<Pose<T>>& at, const std::vector<Momenta<T>>& velocities, S t, S weight, S* out)
    requires std::is_same_v<S, T>
  {
    if (!forced_) return;
    coordinates(at, q_);
    for (std::size_t b = 0; b < at.size(); ++b) {
      const auto& body = model_.bodies[b];
      const int D = model_.dimension;
      put(velocities[b].p, body.first, v_);
      if (!body.turns) continue;
      const Vec3<T>* d[3] = {&at[b].R.e1, &at[b].R.e2, &at[b].R.e3};
      for (int i = 0; i < D; ++i) put(cross(velocities[b].pi, *d[i]), body.first + D * (i + 1), v_);
    }
    for (const OwnCoordinate<S>& one : model_.of_joints) v_[sz(one.index)] = one.rate(q_.data(), v_.data());
    evaluation_->add_work(q_.data(), v_.data(), &t, weight, out);
  }
  void add_middle_work(const std::vector<Pose<T>>& from, const std::vector<Pose<T>>& to, S h, S t, S weight, S* out)
    requires std::is_same_v<S, T>
  {
    if (!forced_) return;
    coordinates(from, v_);
    coordinates(to, force_);
    for (std::size_t i = 0; i < q_.size(); ++i) {
      q_[i] = S(0.5) * (v_[i] + force_[i]);
      v_[i] = (force_[i] - v_[i]) / h;
    }
    evaluation_->add_work(q_.data(), v_.data(), &t, h * weight, out);
  }

  // Of the middle between two places, or of one.
  S potential(const std::vector<Pose<S>>& from, const std::vector<Pose<S>>& to, S t)
    requires std::is_same_v<S, T>
  {
    if (!any()) return S(0);
    S kinetic(0), potential(0);
    coordinates(from, v_);
    coordinates(to, q_);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = S(0.5) * (q_[i] + v_[i]);
    std::fill(v_.begin(), v_.end(), S(0));
    evaluation_->energies(q_.data(), v_.data(), &t, kinetic, potential);
    return potential;
  }

  // Directors as the system's coordinates.
  void coordinates(const std::vector<Pose<T>>& poses, std::vector<T>& out) const {
    for (std::size_t b = 0; b < poses.size(); ++b) {
      const auto& body = model_.bodies[b];
      const int D = model_.dimension;
      put(body.centre(poses[b]), body.first, out);
      if (!body.turns) continue;
      const Vec3<T>* d[3] = {&poses[b].R.e1, &poses[b].R.e2, &poses[b].R.e3};
      for (int i = 0; i < D; ++i) put(*d[i], body.first + D * (i + 1), out);
    }
    for (const OwnCoordinate<S>& one : model_.of_joints) out[sz(one.index)] = one.value(out.data());
  }

 private:
  Vec3<T> part(const std::vector<T>& list, int first) const {
    return {list[sz(first)], list[sz(first + 1)], model_.dimension == 3 ? list[sz(first + 2)] : T(S(0))};
  }
  void put(const Vec3<T>& x, int first, std::vector<T>& out) const {
    out[sz(first)] = x.x;
    out[sz(first + 1)] = x.y;
    if (model_.dimension == 3) out[sz(first + 2)] = x.z;
  }
  void evaluate(S t) {
    if constexpr (std::is_same_v<S, T>) {
      evaluation_->gradient(1, q_.data(), v_.data(), &t, nullptr, force_.data(), unused_.data());
    } else {
      const std::size_t n = q_.size();
      for (std::size_t i = 0; i < n; ++i) value_q_[i] = q_[i].a, value_v_[i] = v_[i].a;
      evaluation_->gradient(1, value_q_.data(), value_v_.data(), &t, nullptr, value_f_.data(), unused_.data());
      evaluation_->hessian(1, value_q_.data(), value_v_.data(), &t, A_.data(), B_.data(), C_.data(), D_.data());
      for (std::size_t i = 0; i < n; ++i) {
        S slope(0);
        for (std::size_t j = 0; j < n; ++j) slope += A_[i * n + j] * q_[j].g[0] + B_[i * n + j] * v_[j].g[0];
        force_[i] = T(value_f_[i]);
        force_[i].g[0] = slope;
      }
    }
    for (const OwnCoordinate<S>& one : model_.of_joints) one.act(q_.data(), T(force_[sz(one.index)]), force_.data());
  }

  const Model<S>& model_;
  std::optional<Evaluation<S>> evaluation_;
  bool timed_ = false, forced_ = false, damped_ = false;
  std::vector<T> q_, v_, force_;
  std::vector<S> value_q_, value_v_, value_f_, unused_, A_, B_, C_, D_;
};

}  // namespace extremal::lie
