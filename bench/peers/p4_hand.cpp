// P4: hand-written on SO(3): a step is a kick by gravity, free motion and a kick, and a composition gives the order. A
// top with an axis of symmetry turns freely in closed form,
//   q(t) = exp(pi t / I_1) q exp(e_3 (1 / I_3 - 1 / I_1) pi_3 t),   pi the angular momentum in space, pi_3 about the
//   axis;
// the free motion of any other is split into turns about its axes, about axis i by t Pi_i / I_i, Pi in the body
// [HairerLubichWanner2006, section VII.5].
#include "compositions.hpp"
#include "top.hpp"

namespace {

using namespace peers;
using top::Three;

struct RoundTop {
  double w = std::cos(top::tilt / 2), x = std::sin(top::tilt / 2), y = 0, z = 0;
  double ax = 0, ay = -std::sin(top::tilt), az = std::cos(top::tilt);  // the axis
  double px = 0, py = 0, pz = 0, across, along;

  explicit RoundTop(const top::Top& of) : across(of.inertia()[0]), along(of.inertia()[2]) {
    // Axis 1 is that of space, axis 2 is (0, az, -ay).
    px = across * of.omega[0];
    py = across * of.omega[1] * az + along * of.omega[2] * ay;
    pz = -across * of.omega[1] * ay + along * of.omega[2] * az;
  }

  void kick(double h) {  // l a x (-m g e_z)
    const double k = h * top::length * top::mass * top::gravity;
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

  Three place() const { return {top::length * ax, top::length * ay, top::length * az}; }
};

struct AnyTop {
  std::array<double, 4> q{std::cos(top::tilt / 2), std::sin(top::tilt / 2), 0, 0};
  Three p{}, inertia;  // in the body

  explicit AnyTop(const top::Top& of) : inertia(of.inertia()) {
    for (std::size_t i = 0; i < 3; ++i) p[i] = inertia[i] * of.omega[i];
  }

  void kick(double h) {  // R^T e_z is the last row of R
    const double k = h * top::length * top::mass * top::gravity;
    p[0] += 2 * k * (q[2] * q[3] + q[0] * q[1]);
    p[1] -= 2 * k * (q[1] * q[3] - q[0] * q[2]);
  }

  template <std::size_t a>
  void turn(double h) {
    constexpr std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    const double angle = h * p[a] / inertia[a], co = std::cos(angle / 2), si = std::sin(angle / 2);
    const double whole_c = co * co - si * si, whole_s = 2 * si * co, pb = p[b];
    p[b] = whole_c * pb + whole_s * p[c];
    p[c] = whole_c * p[c] - whole_s * pb;
    const double w = q[0], u = q[1 + a], v = q[1 + b], z = q[1 + c];
    q[0] = co * w - si * u;
    q[1 + a] = co * u + si * w;
    q[1 + b] = co * v + si * z;
    q[1 + c] = co * z - si * v;
  }

  void step(double h) {
    kick(h / 2);
    turn<0>(h / 2);
    turn<1>(h / 2);
    turn<2>(h);
    turn<1>(h / 2);
    turn<0>(h / 2);
    kick(h / 2);
  }

  Three place() const { return top::place(q.data()); }
};

template <class Kernel>
void all(const top::Top& top, const char* name, bool quick) {
  const auto run = [&](const char* method, double coarse, const auto& substeps) {
    top::steps(top, "hand-written", (name + std::string(method)).c_str(), coarse, quick ? 0.05 : 0.3,
               [&](int n, double h, top::Error& error) {
                 Kernel t(top);
                 for (int k = 0; k < n; ++k) {
                   for (const double c : substeps) t.step(c * h);
                   error.add(t.place());
                 }
               });
  };
  run(", order 2", 0.01, std::array<double, 1>{1});
  run(", Suzuki 4", 0.05, suzuki_4);
  run(", Kahan-Li 8", 0.2, kahan_li_8);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  for (const top::Top& top : top::tops()) {
    if (!options.wanted(top.workload)) continue;
    if (top.round)
      all<RoundTop>(top, "splitting", options.quick);
    else
      all<AnyTop>(top, "splitting by axes", options.quick);
  }
}
