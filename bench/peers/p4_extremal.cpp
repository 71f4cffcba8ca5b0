// P4: extremal, tops by rotations and by directors.
#include <extremal/extremal.hpp>

#include "top.hpp"

namespace {

using namespace peers;

extremal::Mechanism mechanism(const top::Top& top) {
  extremal::Mechanism m("top");
  m.gravity(0, 0, -top::gravity);
  const extremal::Body cone = m.body("cone", {.mass = top::mass, .inertia = {top.J[0], top.J[1], top.J[2]}});
  // Axis 1 of the body is that of space, the others are turned by the tilt; so is the angular velocity.
  const double c = std::cos(top::tilt), s = std::sin(top::tilt);
  const top::Three& w = top.omega;
  const double y = c * w[1] - s * w[2], z = s * w[1] + c * w[2];
  const double at_y = -top::length * s, at_z = top::length * c;
  m.place(cone, {.position = {0, at_y, at_z},
                 .rotation = {top::tilt, 0, 0},
                 .velocity = {y * at_z - z * at_y, -w[0] * at_z, w[0] * at_y},
                 .angular_velocity = {w[0], y, z}});
  m.spherical("tip", m.ground(0, 0, 0), cone.at(0, 0, -top::length));
  return m;
}

struct Candidate {
  const char* scheme;
  double coarse;
};

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  for (const top::Top& top : top::tops()) {
    if (!options.wanted(top.workload)) continue;
    const extremal::Mechanism m = mechanism(top);
    const extremal::Start start = m.start();
    for (const auto& [scheme, coarse] :
         {Candidate{"lie(trapezoidal)", 1e-3}, Candidate{"suzuki(4, lie(trapezoidal))", 0.004},
          Candidate{"kahan_li(6, lie(trapezoidal))", 0.008}, Candidate{"kahan_li(8, lie(trapezoidal))", 0.007},
          Candidate{"suzuki(4, lie(free))", 0.05}, Candidate{"kahan_li(8, lie(free))", 0.2},
          Candidate{"rkn(4, lie(free))", 0.2}, Candidate{"rkn(6, lie(free))", 0.4}, Candidate{"spark(3)", 0.01},
          Candidate{"spark(4)", 0.013}, Candidate{"spark(5)", 0.025}}) {
      extremal::Stepper<double> stepper(m.system(), extremal::Scheme::named(scheme));
      top::steps(top, "extremal", scheme, coarse, options.quick ? 0.1 : 0.3, [&](int n, double h, top::Error& error) {
        stepper.start(start);
        for (int k = 0; k < n; ++k) {
          if (!stepper.step(h).converged) return error.fail();
          const std::vector<double>& q = stepper.state().q;
          error.add({q[0], q[1], q[2]});
        }
      });
    }
  }
}
