// P1a and P1b: the hand-written kernels.
#include "compositions.hpp"
#include "hand_lobatto.hpp"
#include "hand_pendulum.hpp"
#include "measure.hpp"

namespace {

using namespace peers;
using namespace peers::pendulum;

template <class Kernel>
void per_step(const char* method, double h) {
  Kernel kernel;
  for (int k = 0; k < 100; ++k) kernel.step(h);
  const double ns = ns_per_step([&] { kernel.step(h); });
  print({.workload = "P1a",
         .contestant = "hand-written",
         .method = method,
         .setting = text("h = %g", h),
         .value = ns,
         .error = std::fabs(std::hypot(kernel.x, kernel.y) - 1),
         .note = "error: | |q| - 1 |"});
}

std::pair<double, double> place(const RattleClosed& k) { return {k.x, k.y}; }
std::pair<double, double> place(const Verlet& k) { return {std::sin(k.angle), -std::cos(k.angle)}; }
template <int S>
std::pair<double, double> place(const Lobatto<S>& k) {
  return {k.x, k.y};
}

template <class Kernel, class Substeps>
void to_the_end(const char* method, const Substeps& substeps, bool quick) {
  climb(20, 1e-9, quick ? 0.3 : 2, [&](int rung) {
    const int n = static_cast<int>(std::ceil(until / 0.3 * std::pow(1.15, rung)));
    const double h = until / n;
    LastPeriod last;
    const double time = least_seconds([&] {
      Kernel kernel;
      last.clear();
      for (int k = 1; k <= n; ++k) {
        for (const double c : substeps) kernel.step(c * h);
        if (!last.covers(k * h)) continue;
        const auto [x, y] = place(kernel);
        last.add(k * h, x, y);
      }
    });
    const double error = last.error();
    print({.workload = "P1b",
           .contestant = "hand-written",
           .method = method,
           .setting = text("h = %.4g", h),
           .value = time,
           .error = error});
    return std::pair(error, time);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  if (options.wanted("P1a"))
    for (const double h : {1e-3, 1e-2}) {
      per_step<Rattle>("RATTLE", h);
      per_step<RattleClosed>("RATTLE, closed form", h);
      per_step<Lobatto3>("Lobatto(3)", h);
    }
  if (options.wanted("P1b")) {
    to_the_end<RattleClosed>("Kahan-Li 8 of RATTLE, closed form", kahan_li_8, options.quick);
    to_the_end<Verlet>("Kahan-Li 8 in the angle", kahan_li_8, options.quick);
    const std::array<double, 1> whole{1};
    to_the_end<Lobatto<6>>("Lobatto(6), stages eliminated", whole, options.quick);
    to_the_end<Lobatto<7>>("Lobatto(7), stages eliminated", whole, options.quick);
  }
}
