// Value, gradient and Hessian of the same functions by our jets and by a library's, ceres::Jet inside ceres::Jet.
// docs/performance.md keeps the figures.
#include <benchmark/benchmark.h>
#include <ceres/jet.h>

#include <array>
#include <cmath>
#include <extremal/detail/jet.hpp>

namespace {

// Constants have a type of their own: a nested ceres::Jet mixes with its inner type only.
struct Rod {  // pendulum constraint
  static constexpr int size = 2;
  template <class C, class T>
  T at(const T* q) const {
    return C(0.5) * (q[0] * q[0] + q[1] * q[1] - C(1.0));
  }
};

struct DoublePendulum {  // kinetic energy: two angles and their velocities
  static constexpr int size = 4;
  template <class C, class T>
  T at(const T* q) const {
    using std::cos;
    return q[2] * q[2] + C(0.5) * q[3] * q[3] + q[2] * q[3] * cos(q[0] - q[1]);
  }
};

struct Spring {  // between two points in space
  static constexpr int size = 6;
  template <class C, class T>
  T at(const T* q) const {
    using std::sqrt;
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    const T stretch = sqrt(x * x + y * y + z * z) - C(1.0);
    return C(5.0) * stretch * stretch;
  }
};

template <class F>
std::array<double, F::size> point() {
  std::array<double, F::size> x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.3 + 0.37 * static_cast<double>(i * i % 5);
  return x;
}

template <class F>
void ours(benchmark::State& state) {
  using T = extremal::Jet<double, F::size, 2>;
  using C = double;
  auto x = point<F>();
  for (auto _ : state) {
    benchmark::DoNotOptimize(x);
    std::array<T, F::size> q;
    for (int i = 0; i < F::size; ++i) q[static_cast<std::size_t>(i)] = T::variable(x[static_cast<std::size_t>(i)], i);
    T f = F().template at<C>(q.data());
    benchmark::DoNotOptimize(f);
  }
}

template <class F>
void nested_ceres(benchmark::State& state) {
  using Inner = ceres::Jet<double, F::size>;
  using T = ceres::Jet<Inner, F::size>;
  using C = Inner;
  auto x = point<F>();
  for (auto _ : state) {
    benchmark::DoNotOptimize(x);
    std::array<T, F::size> q;
    for (int i = 0; i < F::size; ++i) q[static_cast<std::size_t>(i)] = T(Inner(x[static_cast<std::size_t>(i)], i), i);
    T f = F().template at<C>(q.data());
    benchmark::DoNotOptimize(f);
  }
}

BENCHMARK(ours<Rod>);
BENCHMARK(nested_ceres<Rod>);
BENCHMARK(ours<DoublePendulum>);
BENCHMARK(nested_ceres<DoublePendulum>);
BENCHMARK(ours<Spring>);
BENCHMARK(nested_ceres<Spring>);

}  // namespace
