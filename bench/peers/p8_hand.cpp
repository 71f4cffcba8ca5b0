// P8: an ensemble of pendulums over SIMD lanes, hand-written: RATTLE in Cartesian coordinates (hand_pendulum.hpp has
// the equations) on structures of arrays, in loops that the compiler turns into vectors for the machine it finds.
#include <array>

#include "measure.hpp"
#include "pendulum.hpp"

#define FOR_EVERY_MACHINE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

namespace {

using peers::pendulum::gravity;

constexpr int lanes = 256;  // a batch that stays in the first cache

struct Batch {
  alignas(64) std::array<double, lanes> x, y, u, v, lambda, before;
};

// Newton's method with as many iterations as the extrapolated multiplier needs: every lane does the same.
template <int Iterations>
inline __attribute__((always_inline)) void newton(Batch& b, double h) {
  const double w = h * h / 2;
  for (std::size_t i = 0; i < lanes; ++i) {
    const double x = b.x[i], y = b.y[i], ax = x + h * b.u[i], ay = y + h * b.v[i] - w * gravity;
    double l = 2 * b.lambda[i] - b.before[i], nx = ax - w * l * x, ny = ay - w * l * y;
    for (int k = 0; k < Iterations; ++k) {
      const double change = (nx * nx + ny * ny - 1) / (2 * w * (nx * x + ny * y));
      l += change;
      nx -= w * change * x;
      ny -= w * change * y;
    }
    b.before[i] = b.lambda[i];
    b.lambda[i] = l;
    const double hu = b.u[i] - h / 2 * l * x, hv = b.v[i] - h / 2 * l * y - h * gravity;
    const double mu = (hu * nx + hv * ny) / (nx * nx + ny * ny);
    b.x[i] = nx, b.y[i] = ny;
    b.u[i] = hu - mu * nx, b.v[i] = hv - mu * ny;
  }
}

FOR_EVERY_MACHINE void newton_steps(Batch& b, double h, int count) {
  for (int k = 0; k < count; ++k) newton<2>(b, h);
}

FOR_EVERY_MACHINE void closed_steps(Batch& b, double h, int count) {
  for (int k = 0; k < count; ++k)
    for (std::size_t i = 0; i < lanes; ++i) {
      const double x = b.x[i], y = b.y[i], ax = x + h * b.u[i], ay = y + h * b.v[i] - h * h / 2 * gravity;
      const double p = ax * x + ay * y, c = ax * ax + ay * ay - 1, w = c / (p + std::sqrt(p * p - c));
      const double nx = ax - w * x, ny = ay - w * y;
      const double hu = b.u[i] - w / h * x, hv = b.v[i] - h * gravity - w / h * y, mu = hu * nx + hv * ny;
      b.x[i] = nx, b.y[i] = ny;
      b.u[i] = hu - mu * nx, b.v[i] = hv - mu * ny;
    }
}

void run(const char* method, void (*steps)(Batch&, double, int)) {
  const double h = 1e-2;
  Batch b{};
  for (std::size_t i = 0; i < lanes; ++i) {
    const double angle = 0.1 + 2.0 * static_cast<double>(i) / lanes;
    b.x[i] = std::sin(angle), b.y[i] = -std::cos(angle);
    b.lambda[i] = b.before[i] = -gravity * b.y[i];
  }
  steps(b, h, 100);
  double least = 1e30;
  for (int k = 0; k < 50; ++k) least = std::min(least, peers::seconds([&] { steps(b, h, 200); }));
  double error = 0;
  for (std::size_t i = 0; i < lanes; ++i) error = std::max(error, std::fabs(std::hypot(b.x[i], b.y[i]) - 1));
  peers::print({.workload = "P8",
                .contestant = "hand-written",
                .method = method,
                .setting = "h = 0.01",
                .value = 1e9 * least / 200 / lanes,
                .error = error});
}

}  // namespace

int main() {
  run("RATTLE", newton_steps);
  run("RATTLE, closed form", closed_steps);
}
