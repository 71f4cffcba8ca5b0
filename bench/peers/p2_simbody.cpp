// P2: Simbody, a tree of ball joints in reduced coordinates, with constant steps.
#include <Simbody.h>

#include "chain.hpp"

namespace {

using namespace SimTK;

struct Chain {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::UniformGravity gravity{forces, matter, Vec3(0, 0, -peers::chain::gravity)};

  explicit Chain(int n) {
    const Body::Rigid bar(MassProperties(1, Vec3(0.5, 0, 0),
                                         Inertia(Vec3(peers::chain::along, peers::chain::across, peers::chain::across))
                                             .shiftFromMassCenter(Vec3(0.5, 0, 0), 1)));
    MobilizedBody parent = matter.Ground();
    for (int i = 0; i < n; ++i)
      parent = MobilizedBody::Ball(parent, Transform(Vec3(i > 0 ? 1 : 0, 0, 0)), bar, Transform());
  }
};

// Some constructors take the constant step, the others are told.
std::unique_ptr<Integrator> make(const MultibodySystem& system, int order) {
  std::unique_ptr<Integrator> integrator;
  if (order == 1) return std::make_unique<SemiExplicitEulerIntegrator>(system, peers::chain::h);
  if (order == 2)
    integrator = std::make_unique<VerletIntegrator>(system);
  else
    integrator = std::make_unique<RungeKuttaMersonIntegrator>(system);
  integrator->setFixedStepSize(peers::chain::h);
  return integrator;
}

void run(const char* method, int order, int n, bool quick) {
  Chain chain(n);
  chain.system.realizeTopology();
  const std::unique_ptr<Integrator> integrator = make(chain.system, order);
  integrator->setAllowInterpolation(false);
  integrator->setAccuracy(1e-3);
  State state = chain.system.getDefaultState();
  integrator->initialize(state);
  double t = 0;
  peers::chain::measure(
      "Simbody", method, n, quick,
      [&] {
        t += peers::chain::h;
        integrator->stepTo(t);
        return true;
      },
      [&] {
        const State& now = integrator->getState();
        chain.system.realize(now, Stage::Dynamics);
        return chain.system.calcEnergy(now);
      });
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  for (const int n : peers::chain::sizes(options.quick)) {
    run("semi-explicit Euler", 1, n, options.quick);
    run("Verlet", 2, n, options.quick);
    run("Runge-Kutta-Merson", 4, n, options.quick);
  }
}
