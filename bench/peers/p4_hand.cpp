// P4: hand-written on SO(3). A top with an axis of symmetry turns freely in closed form,
//   q(t) = exp(pi t / I_1) q exp(e_3 (1 / I_3 - 1 / I_1) pi_3 t),   pi the angular momentum in space, pi_3 about the
//   axis,
// so that a step is a kick by gravity, free motion and a kick, and a composition gives the order.
#include "hand_pendulum.hpp"  // Kahan and Li's coefficients
#include "top.hpp"

namespace {

using namespace peers;
using namespace peers::top;

struct Top {
  double w = std::cos(tilt / 2), x = std::sin(tilt / 2), y = 0, z = 0;
  double ax = 0, ay = -std::sin(tilt), az = std::cos(tilt);  // the axis
  double px = 0, py = 0, pz = 0;

  Top() {
    const double w3 = precession * az + spin;  // about the axis
    px = across * (0 - precession * az * ax) + along * w3 * ax;
    py = across * (0 - precession * az * ay) + along * w3 * ay;
    pz = across * (precession - precession * az * az) + along * w3 * az;
  }

  void kick(double h) {  // l a x (-m g e_z)
    const double k = h * length * mass * gravity;
    px -= k * ay;
    py += k * ax;
  }

  void step(double h) {
    kick(h / 2);
    const double p = std::sqrt(px * px + py * py + pz * pz), turn = h * p / (2 * across);
    const double c = std::cos(turn), s = std::sin(turn) / p;
    const double own = (px * ax + py * ay + pz * az) * (1 / along - 1 / across) * h / 2;
    const double co = std::cos(own), so = std::sin(own);
    const double bw = c * w - s * (px * x + py * y + pz * z), bx = c * x + s * (px * w + py * z - pz * y),
                 by = c * y + s * (py * w + pz * x - px * z), bz = c * z + s * (pz * w + px * y - py * x);
    w = co * bw - so * bz;
    x = co * bx + so * by;
    y = co * by - so * bx;
    z = co * bz + so * bw;
    ax = 2 * (x * z + w * y);
    ay = 2 * (y * z - w * x);
    az = w * w - x * x - y * y + z * z;
    kick(h / 2);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  const auto run = [&](const char* method, double coarse, auto substeps) {
    steps("hand-written", method, coarse, options.quick ? 0.1 : 1, [&](int n, double h, Height& height) {
      Top t;
      for (int k = 0; k < n; ++k) {
        for (const double c : substeps) t.step(c * h);
        height.add(length * t.az);
      }
    });
  };
  const double u = 1 / (4 - std::cbrt(4.0));
  run("splitting, order 2", 0.01, std::array<double, 1>{1});
  run("splitting, Suzuki 4", 0.05, std::array<double, 5>{u, u, 1 - 4 * u, u, u});
  run("splitting, Kahan-Li 8", 0.2, pendulum::kahan_li_8);
}
