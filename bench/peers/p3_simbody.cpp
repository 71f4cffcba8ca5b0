// P3: Simbody, legs and couplers on pins, the far end of a coupler held in two planes of the next leg;
// Runge-Kutta-Merson with error control.
#include <Simbody.h>

#include "four_bars.hpp"

namespace {

using namespace SimTK;

struct Linkage {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::UniformGravity gravity{forces, matter, Vec3(0, -peers::four_bars::gravity, 0)};
  std::vector<MobilizedBody::Pin> legs, couplers;

  explicit Linkage(int n) {
    const Vec3 centre(0.5, 0, 0);
    const Body::Rigid bar(
        MassProperties(1, centre, Inertia(Vec3(0.001, 1.0 / 12, 1.0 / 12)).shiftFromMassCenter(centre, 1)));
    for (int k = 0; k <= n; ++k) {
      legs.emplace_back(matter.Ground(), Transform(Vec3(k, 0, 0)), bar, Transform());
      if (k < n) couplers.emplace_back(legs.back(), Transform(Vec3(1, 0, 0)), bar, Transform());
    }
    for (int k = 0; k < n; ++k) {
      MobilizedBody& next = legs[static_cast<std::size_t>(k + 1)];
      MobilizedBody& coupler = couplers[static_cast<std::size_t>(k)];
      Constraint::PointInPlane(next, UnitVec3(1, 0, 0), 1, coupler, Vec3(1, 0, 0));
      Constraint::PointInPlane(next, UnitVec3(0, 1, 0), 0, coupler, Vec3(1, 0, 0));
    }
    system.realizeTopology();
  }

  State start() {
    State state = system.getDefaultState();
    for (auto& leg : legs) leg.setAngle(state, Pi / 2), leg.setRate(state, -1);
    for (auto& coupler : couplers) coupler.setAngle(state, -Pi / 2), coupler.setRate(state, 1);
    return state;
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  for (const int n : four_bars::sizes()) {
    Linkage linkage(n);
    climb(24, four_bars::target, options.quick ? 0.5 : 1.5, [&](int rung) {
      const double accuracy = 1e-3 * std::pow(10, -rung / 2.0);
      return four_bars::measure("Simbody", "Runge-Kutta-Merson", text("accuracy %.1e", accuracy), n,
                                [&](four_bars::EnergyError& error) {
                                  RungeKuttaMersonIntegrator integrator(linkage.system);
                                  integrator.setAccuracy(accuracy);
                                  integrator.setConstraintTolerance(accuracy / 10);
                                  try {
                                    integrator.initialize(linkage.start());
                                    for (int k = 0; k <= 200; ++k) {
                                      const double end = four_bars::until * k / 200;
                                      while (integrator.getTime() < end) integrator.stepTo(end);
                                      const State& now = integrator.getState();
                                      linkage.system.realize(now, Stage::Dynamics);
                                      error.add(linkage.system.calcEnergy(now));
                                    }
                                  } catch (const std::exception&) {
                                    error.add(INFINITY);
                                  }
                                });
    });
  }
}
