// A four-bar linkage of bodies and joints. One learns: a mechanism becomes a System and a Start, and tells the forces
// in its joints.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  Mechanism linkage("four-bar", Space::planar);
  linkage.gravity(0, "-9.81");
  const BodyData bar{.mass = 1, .inertia = "1/12"};
  Body crank = linkage.body("crank", bar), coupler = linkage.body("coupler", bar), rocker = linkage.body("rocker", bar);
  linkage.revolute("A", linkage.ground(0, 0), crank.at("-1/2", 0));
  linkage.revolute("B", crank.at("1/2", 0), coupler.at("-1/2", 0));
  linkage.revolute("C", coupler.at("1/2", 0), rocker.at("1/2", 0));
  linkage.revolute("D", rocker.at("-1/2", 0), linkage.ground(1, 0));
  linkage.rotational_damper("bearing", linkage.ground_body(), crank, "0.1");
  linkage.place(crank, {.position = {0, "1/2"}, .angle = "pi/2", .velocity = {"1/2", 0}, .angular_velocity = -1});
  linkage.place(coupler, {.position = {"1/2", 1}, .velocity = {1, 0}});
  linkage.place(rocker, {.position = {1, "1/2"}, .angle = "pi/2", .velocity = {"1/2", 0}, .angular_velocity = -1});

  const auto run = extremal::run(linkage.system(), "spark(2)", linkage.start(), {.step = "0.01", .until = 2});
  std::cout << run.summary() << "\n";
  const auto reactions = linkage.reactions(run);  // of A: the force in x and y and the torque, then of B, ...
  std::cout << "the crank's bearing carries (" << reactions[0].values.back() << ", " << reactions[1].values.back()
            << ") at the end\n";
}
