// A motor turns a crank, which pushes a piston. One learns: joints that slide, a torque that depends on time, and the
// balance of energy: what the motor supplied is in the motion, or the energy error says so.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  Mechanism engine("slider-crank", Space::planar);
  const Body crank = engine.body("crank", {.mass = 1, .inertia = "1/12"});
  const Body link = engine.body("link", {.mass = 2, .inertia = "2/3"});
  const Body piston = engine.body("piston", {.mass = 1, .inertia = "0.1"});
  engine.place(crank, {.position = {"1/2", 0}});
  engine.place(link, {.position = {2, 0}});
  engine.place(piston, {.position = {3, 0}});
  engine.revolute("main bearing", engine.ground(0, 0), crank.at("-1/2", 0));
  engine.revolute("crank pin", crank.at("1/2", 0), link.at(-1, 0));
  engine.revolute("wrist pin", link.at(1, 0), piston);
  engine.prismatic("cylinder", engine.ground(0, 0), piston, {1, 0});
  engine.motor("motor", engine.ground_body(), crank, [](auto t) { return 2.0 * cos(t); });

  const auto run = extremal::run(engine.system(), "spark(2)", engine.start(), {.step = "0.01", .until = 3});
  std::cout << run.summary() << "\n";
  std::cout << "the piston is at " << run.column("piston.x").back() << "\n";
}
