// P9: Simbody, pins and universal joints, plates free, loops closed by balls, that of the five-bar by two planes;
// Runge-Kutta-Merson with error control.
#include <Simbody.h>

#include "closed_loops.hpp"

namespace {

using namespace SimTK;
namespace loops = peers::loops;
using loops::Vec;

Vec3 vec(const Vec& x) { return Vec3(x[0], x[1], x[2]); }

// Axes x and y of a frame, as they are in space when the motion starts; all frames of bodies are those of space there.
Transform frame(const Vec& x, const Vec& y, const Vec& at) {
  return Transform(Rotation(UnitVec3(vec(x)), XAxis, vec(y), YAxis), vec(at));
}

Body::Rigid bar(const loops::Bar& data, const Vec& x, const Vec& y) {
  const Vec3 centre = vec(0.5 * data.length * x), moments = vec(data.moments());
  const Rotation axes = frame(x, y, {}).R();
  const Inertia about(Inertia(moments).reexpress(~axes));
  return Body::Rigid(MassProperties(data.mass, centre, about.shiftFromMassCenter(centre, data.mass)));
}

struct Robot {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::UniformGravity gravity;
  struct Turning {
    MobilizedBody body;
    std::vector<double> rates;
  };
  std::vector<Turning> bodies;
  std::vector<std::pair<MobilizedBody::Free, Vec3>> plates;

  explicit Robot(const Vec3& down) : gravity(forces, matter, down) {}

  MobilizedBody pin(MobilizedBody& parent, const Vec& at, const Vec& axis, const Body::Rigid& body, double rate) {
    // Pins turn about axis z of their frames.
    const Rotation turn(UnitVec3(vec(axis)), ZAxis);
    MobilizedBody::Pin made(parent, Transform(turn, vec(at)), body, Transform(turn));
    bodies.push_back({made, {rate}});
    return made;
  }

  State start() {
    State state = system.getDefaultState();
    for (auto& each : bodies)
      for (std::size_t k = 0; k < each.rates.size(); ++k) each.body.setOneU(state, int(k), each.rates[k]);
    for (auto& [plate, velocity] : plates) plate.setUToFitLinearVelocity(state, velocity);
    return state;
  }
};

struct FiveBar : Robot {
  FiveBar() : Robot(Vec3(0, -loops::gravity, 0)) {
    using namespace loops::five_bar;
    const Vec z{0, 0, 1};
    std::vector<MobilizedBody> forearms;
    for (const int sign : {-1, 1}) {
      const Side s = side(sign);
      MobilizedBody first = pin(matter.updGround(), s.motor, z, bar(arm, s.along, cross(z, s.along)), s.arm_rate);
      Force::MobilityLinearSpring(forces, first, 0, stiffness, 0);
      forearms.push_back(
          pin(first, arm.length * s.along, z, bar(forearm, s.on, cross(z, s.on)), s.forearm_rate - s.arm_rate));
    }
    const Vec3 tool = vec(forearm.length * side(1).on), other = vec(forearm.length * side(-1).on);
    Constraint::PointInPlane(forearms[1], UnitVec3(1, 0, 0), tool[0], forearms[0], other);
    Constraint::PointInPlane(forearms[1], UnitVec3(0, 1, 0), tool[1], forearms[0], other);
    system.realizeTopology();
  }
};

struct Deltas : Robot {
  explicit Deltas(int n) : Robot(Vec3(0, 0, -loops::gravity)) {
    using namespace loops::delta;
    const Vec3 moments = vec(plate_moments());
    Vec at{}, moving{};
    MobilizedBody above = matter.updGround();
    for (int stage = 0; stage < n; ++stage) {
      at = at - depth() * Vec{0, 0, 1};
      moving = moving + velocity(stage);
      std::vector<std::pair<MobilizedBody, Vec3>> rods;  // and where the plate holds them
      for (int k = 0; k < 3; ++k) {
        const Arm a = arm_of(stage, k);
        MobilizedBody upper = pin(above, a.hinge(), a.axis, bar(arm, a.along, a.axis), a.rate);
        Force::MobilityLinearSpring(forces, upper, 0, stiffness(stage, n), 0);
        for (const int side : {-1, 1}) {
          // About axis x of the first frame, then about the new y.
          MobilizedBody::Universal lower(upper,
                                         frame(a.axis, a.sideways, arm.length * a.along + side * between * a.axis),
                                         bar(rod, a.rods, a.axis), frame(a.axis, a.sideways, {}));
          bodies.push_back({lower, {a.rods_rate - a.rate, a.sideways_rate}});
          rods.emplace_back(lower, vec(a.ball(side)));
        }
      }
      MobilizedBody::Free plate(matter.updGround(), Transform(vec(at)),
                                Body::Rigid(MassProperties(plate_mass, Vec3(0), Inertia(moments))), Transform());
      plates.emplace_back(plate, vec(moving));
      for (std::size_t i = 0; i < rods.size(); ++i)
        Constraint::Ball(rods[i].first, vec(rod.length * arm_of(stage, static_cast<int>(i / 2)).rods), plate,
                         rods[i].second);
      above = plate;
    }
    system.realizeTopology();
  }
};

void run(const loops::Task& task, Robot& robot, double budget) {
  peers::climb(24, loops::target, budget, [&](int rung) {
    const double accuracy = 1e-3 * std::pow(10, -rung / 2.0);
    return loops::measure(task, "Simbody", "Runge-Kutta-Merson", peers::text("accuracy %.1e", accuracy),
                          [&](loops::EnergyError& error) {
                            RungeKuttaMersonIntegrator integrator(robot.system);
                            integrator.setAccuracy(accuracy);
                            integrator.setConstraintTolerance(accuracy / 10);
                            const double begin = peers::now();
                            try {
                              integrator.initialize(robot.start());
                              for (int k = 0; k <= 200; ++k) {
                                const double end = task.until * k / 200;
                                while (integrator.getTime() < end) {
                                  integrator.stepTo(end);
                                  if (peers::seconds_since(begin) > 2 * budget) {
                                    error.fail();
                                    return integrator.getNumStepsTaken();
                                  }
                                }
                                const State& now = integrator.getState();
                                robot.system.realize(now, Stage::Dynamics);
                                error.add(robot.system.calcKineticEnergy(now), robot.system.calcEnergy(now));
                              }
                            } catch (const std::exception&) {
                              error.fail();
                            }
                            return integrator.getNumStepsTaken();
                          });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  const double budget = options.quick ? 1 : 5;
  if (options.wanted("P9a")) {
    FiveBar robot;
    run({"P9a", 0, loops::five_bar::until}, robot, budget);
  }
  if (options.wanted("P9b"))
    for (const int n : loops::delta::sizes()) {
      Deltas robot(n);
      run({"P9b", n, loops::delta::until(n)}, robot, budget);
    }
}
