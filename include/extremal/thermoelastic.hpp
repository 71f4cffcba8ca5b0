// ThermoelasticNetwork: point masses, thermoelastic springs and supports, which become a System and a Start.
//
//   ThermoelasticNetwork bob("bob", Space::planar);
//   bob.gravity(0, "-9.81");
//   bob.support("ceiling", {[](auto t) { return 0.125 * sin(2.0 * t); }, 0});
//   bob.mass("m", {.mass = 2, .position = {0, -1}});
//   bob.spring("s", "ceiling", "m", {.stiffness = 100, .coupling = "0.02", .capacity = "0.05", .temperature = 310});
//   auto run = extremal::run(bob.system(), "midpoint", bob.start(), {.step = "0.01", .until = 10});
//   auto columns = bob.observe(run);                   // "s.temperature", "s.entropy", ..., "E"
//
// A spring of length l and temperature theta has the free energy [LewMata2016, section 2.2]
//   A = (mu/2) e^2 - beta (theta - theta_r) e + c (theta - theta_r - theta ln(theta/theta_r)),   e = ln(l/l0),
// and L = T - V - sum A. Its temperature is the velocity of a coordinate, the thermal displacement, and the momentum of
// that coordinate is the spring's entropy, eta = -dA/dtheta = beta e + c ln(theta/theta_r): no heat flows between
// springs, L does not depend on thermal displacements, and every entropy is conserved. A system of temperatures takes
// no more than that to be a mechanical one, for every scheme.
//
// The coordinate is phi with theta = theta_r + phi', not Phi with theta = Phi': Phi = phi + theta_r t, so that momenta
// and motions are the same, but phi stays closer to the size of the other coordinates, where Phi grows with theta_r t,
// and theta - theta_r, on which forces depend, is phi' with all its digits. The conserved energy of the system is then
// H = E - sum theta_r eta, where E = T + V + sum (A + theta eta) is kinetic, potential and internal energy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "extremal/mechanism.hpp"
#include "extremal/run.hpp"
#include "extremal/time_function.hpp"

namespace extremal {

// What is left out is 0.
struct MassData {
  Number mass = 1;
  Numbers position = {};
  Numbers velocity = {};
};

struct ThermoelasticSpring {
  Number stiffness = 1;      // mu
  Number length = 1;         // l0, at which it is at rest if theta = theta_r
  Number coupling = 0;       // beta, of length and temperature
  Number capacity = 1;       // c, of heat
  Number reference = 300;    // theta_r
  Numbers temperature = {};  // when the motion starts; the reference if it is left out
};

class ThermoelasticNetwork {
 public:
  explicit ThermoelasticNetwork(std::string name, Space space = Space::spatial);
  ~ThermoelasticNetwork();
  ThermoelasticNetwork(const ThermoelasticNetwork& other);
  ThermoelasticNetwork(ThermoelasticNetwork&& other) noexcept;
  ThermoelasticNetwork& operator=(ThermoelasticNetwork other) noexcept;

  // InputError, with the name of what was told, for values that no mass or spring has.
  void mass(const std::string& name, const MassData& data);
  // A point whose place is given: constant, or components that are functions of time.
  void support(const std::string& name, const std::vector<TimeFunction>& position);
  // Between two masses, or a mass and a support.
  void spring(const std::string& name, const std::string& a, const std::string& b, const ThermoelasticSpring& data);
  // The other boundary condition: the spring's temperature is given, by a bath that supplies the heat. It has no
  // thermal displacement then, and its entropy changes.
  void thermostat(const std::string& spring, const TimeFunction& temperature);
  template <class... N>
  void gravity(const N&... components) {
    set_gravity({Number(components)...});
  }

  const std::string& name() const;
  Space space() const;
  // Coordinates: "m.x", "m.y", ... of mass m, then the thermal displacement "s" of spring s. Parameters: "m.mass",
  // "s.stiffness", "s.length", "s.coupling", "s.capacity", "gravity.x", ...; reference temperatures are none, as they
  // say what the coordinates mean. Symmetries: "entropy s" of every spring without thermostat, and of "along x" and
  // "about z" those that gravity and the supports leave as they are.
  System system() const;
  Start start() const;

  // One value per output time: "s.temperature" and "s.entropy" of every spring, "wall.force.x", ... of every support,
  // which is what it exerts on the springs, "E", and "power", at which supports and thermostats supply energy,
  // dE/dt = sum F . v + sum theta eta'. With the parameters as they were told here.
  template <class S>
  std::vector<Column<S>> observe(const Run<S>& run) const;

  // What it was told, for pictures of it (bodies/thermoelastic_data.hpp).
  const struct ThermoelasticData& parts() const { return *data_; }

 private:
  void set_gravity(const Numbers& components);
  std::unique_ptr<struct ThermoelasticData> data_;
};

}  // namespace extremal
