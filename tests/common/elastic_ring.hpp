// The elastic ring of [LewMata2016, section 4.2.8] on the rod kernel, with what the paper leaves open: radius 10 in the
// plane of e1 and e2, stress-free, GJ = 7e3, J = (20, 10, 10) per length, moments +-m e2 at nodes 0 and 40.
#pragma once

#include <array>
#include <vector>

#include "lie/rod_kernel.hpp"

namespace extremal::papers {

template <class S>
lie::Rod<S> elastic_ring(int nodes = 80) {
  lie::Rod<S> rod;
  rod.closed = true;
  const S pi = S(4) * math::atan(S(1)), radius(10);
  for (int i = 0; i < nodes; ++i) {
    const S a = S(2) * pi * S(i) / S(nodes), half = (a + pi / S(2)) / S(2);  // axis 1 along the tangent
    rod.positions.push_back({radius * math::cos(a), radius * math::sin(a), S(0)});
    rod.rotations.push_back({math::cos(half), S(0), S(0), math::sin(half)});
  }
  rod.sections = {{S(1), {S(20), S(10), S(10)}, {S(3e4), S(3e4), S(3e4), S(7e3), S(7e3), S(7e3)}}};
  rod.lengths = {S(2) * pi * radius / S(nodes)};
  return rod;
}

// [LewMata2016, eq. 119] times `factor`: a third of all steps under a growing load, then none.
template <class S>
class LoadedRing {
 public:
  LoadedRing(const S& load_factor, int steps_until_4_5)
      : kernel({elastic_ring<S>()}),
        h(S(4.5) / S(steps_until_4_5)),
        factor_(load_factor),
        loaded_(steps_until_4_5 / 3),
        memory_(6, std::vector<S>(kernel.slots())) {
    kernel.begin(h, moments(S(0)));
  }

  bool step() {
    ++done_;
    const S m = factor_ * S(160) / S(3) * (S(done_) * h);
    after_ = moments(done_ < loaded_ ? m : S(0));
    return kernel.step(h, moments(done_ <= loaded_ ? m : S(0)), after_);
  }

  // Of the node time: total energy, linear and angular momentum.
  S energy() {
    momenta();
    return kernel.potential().total() + kernel.kinetic({at(0), at(1), at(2)}, {at(3), at(4), at(5)});
  }
  lie::Vec3<S> linear_momentum() {
    momenta();
    lie::Vec3<S> sum{};
    for (std::size_t i = 0; i < kernel.nodes(0); ++i) sum = sum + lie::Vec3<S>{at(0)[i], at(1)[i], at(2)[i]};
    return sum;
  }
  lie::Vec3<S> angular_momentum() {
    momenta();
    lie::Vec3<S> sum{};
    for (std::size_t i = 0; i < kernel.nodes(0); ++i)
      sum = sum + lie::Vec3<S>{at(3)[i], at(4)[i], at(5)[i]} + cross(position(i), {at(0)[i], at(1)[i], at(2)[i]});
    return sum;
  }
  lie::Vec3<S> position(std::size_t i) const { return {kernel.x(0)[i], kernel.x(1)[i], kernel.x(2)[i]}; }

  lie::RodKernel<S> kernel;
  const S h;

 private:
  using Moments = std::array<lie::NodeLoad<S>, 2>;
  static Moments moments(const S& m) { return {{{0, {}, {S(0), m, S(0)}}, {40, {}, {S(0), -m, S(0)}}}}; }
  S* at(std::size_t k) { return memory_[k].data(); }
  void momenta() { kernel.momenta(h, {at(0), at(1), at(2)}, {at(3), at(4), at(5)}, after_); }

  S factor_;
  int loaded_, done_ = 0;
  Moments after_{};
  std::vector<std::vector<S>> memory_;
};

}  // namespace extremal::papers
