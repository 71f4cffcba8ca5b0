// P9: extremal, the robots as mechanisms.
#include <extremal/extremal.hpp>

#include <array>

#include "closed_loops.hpp"

namespace {

using namespace peers::loops;
using extremal::Body;
using extremal::Mechanism;
using extremal::Number;
using extremal::Numbers;

Numbers list(const Vec& x) { return {x[0], x[1], x[2]}; }
// Columns of the matrix are the axes of the body.
Numbers axes(const Vec& x, const Vec& y) {
  const Vec z = cross(x, y);
  return {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
}

Mechanism five_bar_robot() {
  using namespace peers::loops::five_bar;
  Mechanism m("five-bar", extremal::Space::planar);
  m.gravity(0, -gravity);
  std::vector<Body> forearms;
  for (const int sign : {-1, 1}) {
    const Side s = side(sign);
    const std::string name = sign < 0 ? "left" : "right";
    const auto bar = [&](const std::string& which, const Bar& data, const Vec& from, const Vec& along, double rate,
                         const Vec& velocity) {
      const Body body = m.body(name + which, {.mass = data.mass, .inertia = data.moments()[2]});
      const Vec middle = 0.5 * data.length * along, at = from + middle, v = velocity + rate * cross({0, 0, 1}, middle);
      m.place(body,
              {.position = {at[0], at[1]}, .angle = angle(along), .velocity = {v[0], v[1]}, .angular_velocity = rate});
      return body;
    };
    const Body first = bar(" arm", arm, s.motor, s.along, s.arm_rate, {});
    const Vec knee = s.arm_rate * arm.length * cross({0, 0, 1}, s.along);
    const Body second = bar(" forearm", forearm, s.knee, s.on, s.forearm_rate, knee);
    m.revolute(name, m.ground(s.motor[0], s.motor[1]), first.at(-arm.length / 2, 0));
    m.revolute(name + " elbow", first.at(arm.length / 2, 0), second.at(-forearm.length / 2, 0));
    m.torsion_spring(name + " motor", m.ground_body(), first, stiffness);
    forearms.push_back(second);
  }
  m.revolute("tool", forearms[0].at(forearm.length / 2, 0), forearms[1].at(forearm.length / 2, 0));
  return m;
}

Mechanism delta_robots(int n) {
  using namespace peers::loops::delta;
  Mechanism m("delta");
  m.gravity(0, 0, -gravity);
  Vec at{}, velocity{};
  Body above = m.ground_body();
  for (int stage = 0; stage < n; ++stage) {
    const std::string number = " " + std::to_string(stage + 1);
    std::array<std::vector<Body>, 3> rods;
    for (int k = 0; k < 3; ++k) {
      const Arm a = arm_of(stage, k);
      const std::string name = number + "abc"[k];
      const Body upper = m.body("arm" + name, {.mass = arm.mass, .inertia = list(arm.moments())});
      m.place(upper, {.position = list(at + a.hinge() + 0.5 * arm.length * a.along),
                      .matrix = axes(a.along, a.axis),
                      .velocity = list(velocity + 0.5 * a.knee_velocity()),
                      .angular_velocity = list(a.rate * a.axis)});
      const Vec hinge = a.hinge();
      m.revolute("hinge" + name,
                 stage == 0 ? m.ground(hinge[0], hinge[1], hinge[2]) : above.at(hinge[0], hinge[1], hinge[2]),
                 upper.at(-arm.length / 2, 0, 0), list(a.axis));
      m.torsion_spring("motor" + name, above, upper, stiffness(stage, n), 0, list(a.axis));
      for (const int side : {-1, 1}) {
        const std::string which = name + (side < 0 ? "1" : "2");
        const Body lower = m.body("rod" + which, {.mass = rod.mass, .inertia = list(rod.moments())});
        const Vec middle = 0.5 * rod.length * a.rods;
        m.place(lower, {.position = list(at + a.knee() + side * between * a.axis + middle),
                        .matrix = axes(a.rods, a.axis),
                        .velocity = list(velocity + a.knee_velocity() + cross(a.rods_omega(), middle)),
                        .angular_velocity = list(a.rods_omega())});
        m.universal("cross" + which, upper.at(arm.length / 2, side * between, 0), lower.at(-rod.length / 2, 0, 0),
                    {0, 1, 0}, {0, 0, 1});
        rods[static_cast<std::size_t>(k)].push_back(lower);
      }
    }
    at = at - depth() * Vec{0, 0, 1};
    velocity = velocity + delta::velocity(stage);
    const Body plate = m.body("plate" + number, {.mass = plate_mass, .inertia = list(plate_moments())});
    m.place(plate, {.position = list(at), .velocity = list(velocity)});
    for (int k = 0; k < 3; ++k)
      for (int side = 0; side < 2; ++side) {
        const Vec ball = arm_of(stage, k).ball(2 * side - 1);
        m.spherical("ball" + number + "abc"[k] + "12"[side],
                    rods[static_cast<std::size_t>(k)][static_cast<std::size_t>(side)].at(rod.length / 2, 0, 0),
                    plate.at(ball[0], ball[1], ball[2]));
      }
    above = plate;
  }
  return m;
}

struct Candidate {
  const char* scheme;
  double coarse;
};

void run(const Task& task, const Mechanism& m, const std::vector<Candidate>& candidates, double budget) {
  const extremal::Start start = m.start();
  for (const auto& [scheme, coarse] : candidates) {
    extremal::Stepper<double> stepper(m.system(), extremal::Scheme::named(scheme));
    steps(task, "extremal", scheme, coarse, budget, [&](int count, double h, EnergyError& error) {
      extremal::Observation<double> now;
      stepper.start(start);
      stepper.observe(now, false);
      error.add(now.kinetic, now.energy());
      for (int k = 0; k < count; ++k) {
        if (!stepper.step(h).converged) {
          error.fail();
          return k;
        }
        stepper.observe(now, false);
        error.add(now.kinetic, now.energy());
      }
      return count;
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  const double budget = options.quick ? 1 : 5;
  if (options.wanted("P9a"))
    run({"P9a", 0, five_bar::until}, five_bar_robot(), {{"spark(2)", 0.02}, {"spark(3)", 0.05}, {"spark(4)", 0.1}},
        budget);
  if (options.wanted("P9b"))
    for (const int n : delta::sizes())
      run({"P9b", n, delta::until(n)}, delta_robots(n), {{"spark(2)", 0.01}, {"spark(3)", 0.025}, {"spark(4)", 0.05}},
          budget);
}
