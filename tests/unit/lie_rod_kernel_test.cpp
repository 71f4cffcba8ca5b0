#include "lie/rod_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "elastic_ring.hpp"
#include "lie/rotation_step.hpp"

namespace extremal::lie::lie_rod_kernel_test {
namespace {

// A line or a circle, shaken so that nothing is special.
template <class S>
Rod<S> bent_rod(std::size_t nodes, bool closed, bool uniform, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto some = [&](double scale) { return S(scale * normal(random)); };
  Rod<S> rod;
  rod.closed = closed;
  const std::size_t elements = closed ? nodes : nodes - 1;
  const S turn = closed ? S(8) * math::atan(S(1)) / S(nodes) : S(0);
  for (std::size_t i = 0; i < nodes; ++i) {
    const S a = turn * S(i);
    if (closed)
      rod.positions.push_back({math::sin(a) / turn + some(0.05), -math::cos(a) / turn + some(0.05), some(0.05)});
    else
      rod.positions.push_back({S(i), some(0.1), some(0.1)});
    const Quaternion<S> q =
        from_rotation_vector(Vec3<S>{S(0), S(0), a}) * from_rotation_vector(Vec3<S>{some(0.1), some(0.1), some(0.1)});
    rod.rotations.push_back({q.w, q.x, q.y, q.z});
  }
  for (std::size_t e = 0; e < (uniform ? 1 : elements); ++e) {
    const S wide = uniform ? S(1) : S(1) + some(0.1) * some(0.1);
    rod.sections.push_back({S(1), {S(1) + wide, S(1), wide}, {S(50), S(20), S(20), S(8), S(9), wide}});
    rod.lengths.push_back(uniform ? S(1) : S(1) + some(0.1) * some(0.1));
    rod.gamma0.push_back({S(1), S(0), S(0)});
    rod.omega0.push_back({S(0), S(0), uniform ? turn : turn + some(0.1)});
  }
  return rod;
}

template <class S>
std::vector<Rod<S>> sample_rods() {
  std::mt19937 random(1);
  // Shorter than a vector, a whole number of vectors, several blocks, with and without seam; uniform and not.
  return {bent_rod<S>(5, false, false, random),   bent_rod<S>(80, true, true, random),
          bent_rod<S>(601, false, true, random),  bent_rod<S>(530, true, false, random),
          bent_rod<S>(512, true, true, random),   bent_rod<S>(2, false, true, random),
          bent_rod<S>(777, false, false, random), bent_rod<S>(256, false, true, random)};
}

template <class S>
void set_moving(RodKernel<S>& kernel) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal(0, 0.1);
  for (std::size_t r = 0; r < kernel.rods(); ++r)
    for (std::size_t i = kernel.first(r); i < kernel.first(r) + kernel.nodes(r); ++i)
      for (int c = 0; c < 3; ++c) kernel.p(c)[i] = S(normal(random)), kernel.pi(c)[i] = S(normal(random));
}

template <class S>
std::vector<S> state(const RodKernel<S>& kernel) {
  std::vector<S> values;
  for (std::size_t r = 0; r < kernel.rods(); ++r)
    for (std::size_t i = kernel.first(r); i < kernel.first(r) + kernel.nodes(r); ++i) {
      for (int c = 0; c < 3; ++c) values.insert(values.end(), {kernel.x(c)[i], kernel.p(c)[i], kernel.pi(c)[i]});
      for (int c = 0; c < 4; ++c) values.push_back(kernel.q(c)[i]);
    }
  return values;
}

template <class S>
double difference(const std::vector<S>& a, const std::vector<S>& b) {
  S worst = S(0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const S d = math::abs(a[i] - b[i]);
    if (!(d <= worst)) worst = d;
  }
  return a.size() == b.size() ? static_cast<double>(worst) : NAN;
}

// One step by the book, a node and an element at a time, momenta at the node times.
template <class S>
class PlainRods {
 public:
  explicit PlainRods(RodKernel<S>& k) : kernel_(k) { forces(); }
  std::array<S, 3> gravity{};
  S damping = S(0), alpha = S(0.5);
  std::vector<NodeLoad<S>> before, after;
  std::vector<std::size_t> clamped;

  void forces() {
    f_.assign(kernel_.slots(), {}), t_.assign(kernel_.slots(), {});
    each([&](std::size_t i) {
      f_[i] = f_[i] + kernel_.mass(i) * Vec3<S>{gravity[0], gravity[1], gravity[2]};
      const std::size_t j = kernel_.next(i);
      if (j == kernel_.slots()) return;
      const RodForces<S> r = rod_forces(kernel_.element(i), x(i), q(i), x(j), q(j));
      f_[i] = f_[i] + r.n, f_[j] = f_[j] - r.n;
      t_[i] = t_[i] + r.t1(), t_[j] = t_[j] + r.t2();
    });
  }
  void kick(const S& weight, const std::vector<NodeLoad<S>>& loads) {
    each([&](std::size_t i) { add(i, weight * f_[i], weight * t_[i]); });
    for (const auto& l : loads)
      add(l.slot, weight * Vec3<S>{l.force[0], l.force[1], l.force[2]},
          weight * Vec3<S>{l.torque[0], l.torque[1], l.torque[2]});
    for (const std::size_t i : clamped)
      for (int c = 0; c < 3; ++c) kernel_.p(c)[i] = kernel_.pi(c)[i] = S(0);
  }
  void decay(const S& d) {
    for (int c = 0; c < 3; ++c) each([&](std::size_t i) { kernel_.p(c)[i] *= d, kernel_.pi(c)[i] *= d; });
  }
  bool step(const S& h) {
    forces();
    kick((S(1) - alpha) * h, after);
    decay(S(1) / (S(1) + (S(1) - alpha) * h * damping));
    bool moved = true;
    each([&](std::size_t i) {
      for (int c = 0; c < 3; ++c) kernel_.x(c)[i] += h * kernel_.p(c)[i] / kernel_.mass(i);
      const auto j = kernel_.inertia(i);
      const Vec3<S> body = h * rotate(conj(q(i)), Vec3<S>{kernel_.pi(0)[i], kernel_.pi(1)[i], kernel_.pi(2)[i]});
      const S g[3] = {body.x, body.y, body.z};
      S f[4] = {S(1), S(0), S(0), S(0)};
      moved = RotationStep<S>(j[0], j[1], j[2]).step(g, f) && moved;
      const Quaternion<S> r = renormalised(q(i) * Quaternion<S>{f[0], f[1], f[2], f[3]});
      kernel_.q(0)[i] = r.w, kernel_.q(1)[i] = r.x, kernel_.q(2)[i] = r.y, kernel_.q(3)[i] = r.z;
    });
    decay(S(1) - alpha * h * damping);
    forces();
    kick(alpha * h, before);
    return moved;
  }

 private:
  template <class F>
  void each(F f) {
    for (std::size_t r = 0; r < kernel_.rods(); ++r)
      for (std::size_t i = kernel_.first(r); i < kernel_.first(r) + kernel_.nodes(r); ++i) f(i);
  }
  Vec3<S> x(std::size_t i) const { return {kernel_.x(0)[i], kernel_.x(1)[i], kernel_.x(2)[i]}; }
  Quaternion<S> q(std::size_t i) const { return {kernel_.q(0)[i], kernel_.q(1)[i], kernel_.q(2)[i], kernel_.q(3)[i]}; }
  void add(std::size_t i, const Vec3<S>& p, const Vec3<S>& pi) {
    kernel_.p(0)[i] += p.x, kernel_.p(1)[i] += p.y, kernel_.p(2)[i] += p.z;
    kernel_.pi(0)[i] += pi.x, kernel_.pi(1)[i] += pi.y, kernel_.pi(2)[i] += pi.z;
  }
  RodKernel<S>& kernel_;
  std::vector<Vec3<S>> f_, t_;
};

template <class S>
class LieRodKernel : public testing::Test {};
using Scalars = testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(LieRodKernel, Scalars);

TYPED_TEST(LieRodKernel, FusedStepIsThePlainStep) {
  using S = TypeParam;
  RodKernel<S> plain_kernel(sample_rods<S>()), kernel(sample_rods<S>());
  set_moving(plain_kernel), set_moving(kernel);
  PlainRods<S> plain(plain_kernel);
  const S h = S(0.25) * kernel.step_bound();
  const std::size_t loaded = kernel.first(2) + 300, clamped = kernel.first(0);
  plain.gravity = {S(0.5), S(-1), S(0.25)}, kernel.gravity(plain.gravity);
  plain.damping = S(0.125), kernel.damping(plain.damping);
  plain.alpha = S(0.375), kernel.alpha(plain.alpha);
  plain.clamped = {clamped}, kernel.hold(clamped, true, true);
  plain.before = {{loaded, {S(1), S(2), S(0)}, {S(0), S(0.5), S(0.25)}}};
  plain.after = {{loaded, {S(0), S(2), S(-1)}, {S(0.5), S(0.5), S(0.25)}}};
  for (int c = 0; c < 3; ++c) plain_kernel.p(c)[clamped] = plain_kernel.pi(c)[clamped] = S(0);

  kernel.begin(h, plain.after);
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(plain.step(h));
    ASSERT_TRUE(kernel.step(h, plain.before, plain.after));
  }
  std::vector<std::vector<S>> memory(6, std::vector<S>(kernel.slots()));
  kernel.momenta(h, {memory[0].data(), memory[1].data(), memory[2].data()},
                 {memory[3].data(), memory[4].data(), memory[5].data()}, plain.after);
  for (std::size_t c = 0; c < 3; ++c) {
    std::copy(memory[c].begin(), memory[c].end(), kernel.p(static_cast<int>(c)));
    std::copy(memory[3 + c].begin(), memory[3 + c].end(), kernel.pi(static_cast<int>(c)));
  }
  EXPECT_LT(difference(state(kernel), state(plain_kernel)), 1e5 * static_cast<double>(Scalar<S>::epsilon));
}

template <class S>
std::vector<S> after_steps(int threads, Instructions instructions, int steps) {
  RodKernel<S> kernel(sample_rods<S>());
  set_moving(kernel);
  kernel.threads(threads);
  kernel.instructions(instructions);
  kernel.gravity({S(0), S(0), S(-1)});
  const S h = S(0.25) * kernel.step_bound();
  kernel.begin(h);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(kernel.step(h));
  return state(kernel);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(LieRodKernelBits, DoNotDependOnTheNumberOfThreads) {
  const auto one = after_steps<double>(1, instructions(), 200);
  for (const int threads : {2, 3, 7}) EXPECT_TRUE(same_bits(one, after_steps<double>(threads, instructions(), 200)));
}

TEST(LieRodKernelBits, DoNotDependOnTheInstructions) {
  const auto best = after_steps<double>(1, instructions(), 200);
  for (const auto set : {Instructions::baseline, std::min(Instructions::avx2, instructions())})
    EXPECT_TRUE(same_bits(best, after_steps<double>(1, set, 200)));
}

TEST(LieRodKernelBits, CanDiffer) {
  EXPECT_FALSE(same_bits(after_steps<double>(1, instructions(), 200), after_steps<double>(1, instructions(), 201)));
}

TYPED_TEST(LieRodKernel, DriftAndForcesMakeTheSameStep) {
  // What an engine with joints does: forces, kick, drift, on the arrays of the kernel.
  using S = TypeParam;
  RodKernel<S> fused(sample_rods<S>()), pieces(sample_rods<S>());
  set_moving(fused), set_moving(pieces);
  const S h = S(0.25) * fused.step_bound();
  std::vector<std::vector<S>> memory(6, std::vector<S>(pieces.slots()));
  const auto kick = [&](const S& weight) {
    pieces.forces({memory[0].data(), memory[1].data(), memory[2].data()},
                  {memory[3].data(), memory[4].data(), memory[5].data()});
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < pieces.slots(); ++i) {
        pieces.p(static_cast<int>(c))[i] += weight * memory[c][i];
        pieces.pi(static_cast<int>(c))[i] += weight * memory[3 + c][i];
      }
  };
  fused.begin(h);
  kick(h / S(2));
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(fused.step(h));
    ASSERT_TRUE(pieces.drift(h));
    kick(h);
  }
  EXPECT_EQ(difference(state(fused), state(pieces)), 0);
}

TEST(LieRodKernelUse, ARingIsStressFreeAsGiven) {
  RodKernel<double> ring({papers::elastic_ring<double>()});
  std::vector<std::vector<double>> memory(6, std::vector<double>(ring.slots(), 1));
  ring.forces({memory[0].data(), memory[1].data(), memory[2].data()},
              {memory[3].data(), memory[4].data(), memory[5].data()});
  for (const auto& values : memory)
    for (std::size_t i = 0; i < ring.nodes(0); ++i) EXPECT_EQ(values[i], 0);
  EXPECT_LT(ring.potential().total(), 1e-24);
}

TEST(LieRodKernelUse, SaysWhenASectionTurnsTooFar) {
  RodKernel<double> ring({papers::elastic_ring<double>()});
  const double h = 0.001;
  ring.pi(2)[7] = 1.1 * ring.inertia(7)[2] / h;
  ring.begin(h);
  EXPECT_FALSE(ring.step(h));
  for (std::size_t i = 0; i < ring.nodes(0); ++i) EXPECT_EQ(std::isnan(ring.q(0)[i]), i == 7) << i;
}

TEST(LieRodKernelUse, RefusesWhatIsNoRod) {
  const Rod<double> good = papers::elastic_ring<double>();
  const auto message = [](const Rod<double>& rod) {
    try {
      RodKernel<double> kernel({rod});
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(good), "");
  Rod<double> bad = good;
  bad.rotations.pop_back();
  EXPECT_EQ(message(bad), "rod 0: 79 rotations of 80 nodes; expected one per node");
  bad = good, bad.sections[0].inertia[0] = 10;
  EXPECT_EQ(
      message(bad),
      "rod 0: inertia 10, 10, 10 of a section; expected the first, about the tangent, to be the sum of the others; "
      "try 20 for it");
  bad = good, bad.lengths = {1, 2};
  EXPECT_EQ(message(bad), "rod 0: 2 lengths; expected 1 or 80, one per element; try to leave them out");
  bad = good, bad.lengths = {-1};
  EXPECT_EQ(message(bad), "rod 0: element 0 has the length -1; expected a positive one");
  bad = good, bad.positions.resize(2), bad.rotations.resize(2);
  EXPECT_EQ(message(bad), "rod 0: 2 nodes; expected at least 3");
  EXPECT_THROW(RodKernel<double>({}), InputError);
}

}  // namespace
}  // namespace extremal::lie::lie_rod_kernel_test
