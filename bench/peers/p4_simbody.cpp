// P4: Simbody, one body on a ball joint (quaternion), Runge-Kutta-Merson with error control.
#include <Simbody.h>

#include "top.hpp"

int main(int argc, char** argv) {
  using namespace SimTK;
  namespace top = peers::top;
  const peers::Options options(argc, argv);
  const top::Top steady = top::tops().front();
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  const Force::UniformGravity gravity(forces, matter, Vec3(0, 0, -top::gravity));
  const Vec3 centre(0, 0, top::length);
  const Body::Rigid cone(
      MassProperties(top::mass, centre, Inertia(Vec3(steady.J[0])).shiftFromMassCenter(centre, top::mass)));
  const MobilizedBody::Ball body(matter.Ground(), Transform(), cone, Transform());
  system.realizeTopology();
  const top::Seven start = steady.start();
  const Rotation turned(top::tilt, XAxis);
  const Vec3 omega = turned * Vec3(start[4], start[5], start[6]);
  top::tolerances(steady, "Simbody", "Runge-Kutta-Merson", 1e-4, options.quick ? 0.3 : 1,
                  [&](double tolerance, top::Error& error) {
                    State state = system.getDefaultState();
                    body.setQToFitRotation(state, turned);
                    body.setUToFitAngularVelocity(state, omega);
                    RungeKuttaMersonIntegrator integrator(system);
                    integrator.setAccuracy(tolerance);
                    integrator.initialize(state);
                    for (int k = 1; k <= 500; ++k) {
                      const double end = top::until * k / 500;
                      while (integrator.getTime() < end) integrator.stepTo(end);
                      const State& now = integrator.getState();
                      system.realize(now, Stage::Position);
                      const Vec3 at = body.findStationLocationInGround(now, centre);
                      error.add({at[0], at[1], at[2]});
                    }
                  });
}
