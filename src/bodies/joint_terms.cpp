#include "bodies/joint_terms.hpp"

#include <algorithm>

#include "bodies/mechanism_data.hpp"
#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

namespace extremal {
namespace {

class GivenMotionTerm final : public ScalarTerm<GivenMotionTerm> {
  friend ScalarTerm<GivenMotionTerm>;

 public:
  GivenMotionTerm(const std::string& label, int coordinate, TimeFunction f)
      : ScalarTerm(Role::constraint, label), f_(std::move(f)) {
    coordinates = 1;
    variables = 2;
    uses_time = true;
    sites = {coordinate};
    degree = {1, 0, Degree::unbounded};
  }

 private:
  template <class S>
  S x(const Nodes<S>& at, int node) const {
    return at.q[static_cast<std::ptrdiff_t>(node) * at.n + sites[0]];
  }
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    for (int node = 0; node < at.count; ++node) out[node] = x(at, node) - f_.at(at.t[node])[0];
  }
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    for (int node = 0; node < at.count; ++node, out += 2) {
      const auto f = f_.at(at.t[node]);
      value[node] = x(at, node) - f[0];
      out[0] = S(1);
      out[1] = -f[1];
    }
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    for (int node = 0; node < at.count; ++node, out += 3) {
      std::fill_n(out, 3, S(0));
      out[packed_index(1, 1)] = -weights[node] * f_.at(at.t[node])[2];
    }
  }

  TimeFunction f_;
};

// Variables z, x, z', x', t.
class MemoryTerm final : public ScalarTerm<MemoryTerm> {
  friend ScalarTerm<MemoryTerm>;
  static constexpr int x_ = 1, rate_ = 2, time_ = 4, all_ = 5;

 public:
  MemoryTerm(const std::string& label, int memory, int coordinate, TimeFunction f)
      : ScalarTerm(Role::lagrangian, label), f_(std::move(f)) {
    coordinates = 2;
    variables = all_;
    uses_time = true;
    sites = {memory, coordinate};
    degree = {1, 2, Degree::unbounded};
  }

 private:
  template <class S>
  struct Seen {
    S rate, x;
    std::array<S, 3> f;
  };
  template <class S>
  Seen<S> seen(const Nodes<S>& at, int node) const {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(node) * at.n;
    return {at.v[row + sites[0]], at.q[row + sites[1]], f_.at(at.t[node])};
  }
  template <class S>
  static S energy(const Seen<S>& s) {
    return S(memory_inertia) * s.rate * (s.rate / S(2) - (s.f[0] - s.x));
  }
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    for (int node = 0; node < at.count; ++node) out[node] = energy(seen(at, node));
  }
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    const S m(memory_inertia);
    for (int node = 0; node < at.count; ++node, out += all_) {
      const Seen<S> s = seen(at, node);
      value[node] = energy(s);
      std::fill_n(out, all_, S(0));
      out[x_] = m * s.rate;
      out[rate_] = m * (s.rate - (s.f[0] - s.x));
      out[time_] = -m * s.rate * s.f[1];
    }
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    constexpr int size = all_ * (all_ + 1) / 2;
    for (int node = 0; node < at.count; ++node, out += size) {
      const Seen<S> s = seen(at, node);
      const S m = S(memory_inertia) * weights[node];
      std::fill_n(out, size, S(0));
      out[packed_index(rate_, x_)] = m;
      out[packed_index(rate_, rate_)] = m;
      out[packed_index(time_, rate_)] = -m * s.f[1];
      out[packed_index(time_, time_)] = -m * s.rate * s.f[2];
    }
  }

  TimeFunction f_;
};

}  // namespace

std::shared_ptr<const Term> given_motion_term(const std::string& name, int coordinate, const TimeFunction& f) {
  return std::make_shared<GivenMotionTerm>(name, coordinate, f);
}

std::shared_ptr<const Term> memory_term(const std::string& name, int memory, int coordinate, const TimeFunction& f) {
  return std::make_shared<MemoryTerm>(name, memory, coordinate, f);
}

void name_memories(const MechanismData& data, System& system) {
  for (const LoadRecord& load : data.loads)
    if (load.memory) system.coordinates(load.name + ".integral");
}

// From nothing, at the rate of the error.
void start_memories(const MechanismData& data, Start& start) {
  for (const LoadRecord& load : data.loads) {
    if (!load.memory) continue;
    const quad x = start.q[sz(data.own_index(load.memory->place))].as<quad>();
    start.q.emplace_back(0);
    start.v.push_back(Number::exactly(load.memory->target.at(start.t.as<quad>())[0] - x));
  }
}

}  // namespace extremal
