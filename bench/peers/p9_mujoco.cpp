// P9: MuJoCo, RK4: bodies on hinges, two of them for a universal joint, plates free; loops closed by `connect`. Its
// constraints are springs and dampers: they are made as stiff as the step allows, a time constant of two steps.
#include "closed_loops.hpp"
#include "mujoco.hpp"

namespace {

using namespace peers::loops;

std::string list(const Vec& x) {
  char buffer[120];
  std::snprintf(buffer, sizeof buffer, "%.17g %.17g %.17g", x[0], x[1], x[2]);
  return buffer;
}

// A body in the axes of space as it is at the start, so that all vectors are those of space.
class Xml {
 public:
  void open(const std::string& name, const Vec& at) {
    text_ += "<body name=\"" + name + "\" pos=\"" + list(at) + "\">";
  }
  void close() { text_ += "</body>"; }
  void hinge(const Vec& axis, double rate, double stiffness = 0) {
    text_ += "<joint type=\"hinge\" axis=\"" + list(axis) + "\"";
    if (stiffness > 0) text_ += peers::text(" stiffness=\"%.17g\"", stiffness);
    text_ += "/>";
    rates.push_back(rate);
  }
  void free(const Vec& velocity) {
    text_ += "<freejoint/>";
    rates.insert(rates.end(), {velocity[0], velocity[1], velocity[2], 0, 0, 0});
  }
  // From the origin of the body along x; y is normal to it.
  void bar(const Bar& data, const Vec& x, const Vec& y) {
    inertial(0.5 * data.length * x, data.mass, data.moments(), " xyaxes=\"" + list(x) + " " + list(y) + "\"");
  }
  void inertial(const Vec& at, double mass, const Vec& moments, const std::string& turned) {
    text_ += "<inertial pos=\"" + list(at) + "\"" + turned + peers::text(" mass=\"%.17g\"", mass) + " diaginertia=\"" +
             list(moments) + "\"/>";
  }
  void connect(const std::string& a, const std::string& b, const Vec& anchor) {
    loops_ += "<connect body1=\"" + a + "\" body2=\"" + b + "\" anchor=\"" + list(anchor) +
              "\" solimp=\"0.9999 0.9999 0.001\"/>";
  }
  std::string text(const Vec& gravity) const {
    return "<mujoco><option gravity=\"" + list(gravity) +
           "\" integrator=\"RK4\" solver=\"Newton\" tolerance=\"1e-15\" iterations=\"50\"><flag "
           "contact=\"disable\"/></option><size nstack=\"100000000\" njmax=\"2000\" nconmax=\"1\"/><worldbody>" +
           text_ + "</worldbody><equality>" + loops_ + "</equality></mujoco>";
  }
  std::vector<double> rates;  // as the joints follow each other

 private:
  std::string text_, loops_;
};

Xml five_bar_robot() {
  using namespace peers::loops::five_bar;
  Xml xml;
  const Vec z{0, 0, 1};
  for (const int sign : {-1, 1}) {
    const Side s = side(sign);
    const std::string name = sign < 0 ? "left" : "right";
    xml.open(name, s.motor);
    xml.hinge(z, s.arm_rate, stiffness);
    xml.bar(arm, s.along, cross(z, s.along));
    xml.open(name + "_forearm", arm.length * s.along);
    xml.hinge(z, s.forearm_rate - s.arm_rate);
    xml.bar(forearm, s.on, cross(z, s.on));
    xml.close();
    xml.close();
  }
  xml.connect("left_forearm", "right_forearm", forearm.length * side(-1).on);
  return xml;
}

Xml delta_robots(int n) {
  using namespace peers::loops::delta;
  Xml xml;
  Vec at{}, moving{};
  const auto arms = [&](int stage) {
    for (int k = 0; k < 3; ++k) {
      const Arm a = arm_of(stage, k);
      const std::string name = "_" + std::to_string(stage) + "_" + std::to_string(k);
      xml.open("arm" + name, a.hinge());
      xml.hinge(a.axis, a.rate, stiffness(stage, n));
      xml.bar(arm, a.along, a.axis);
      for (const int side : {-1, 1}) {
        const std::string rod_name = "rod" + name + (side < 0 ? "_1" : "_2");
        xml.open(rod_name, arm.length * a.along + side * between * a.axis);
        xml.hinge(a.axis, a.rods_rate - a.rate);
        xml.hinge(a.sideways, a.sideways_rate);
        xml.bar(rod, a.rods, a.axis);
        xml.close();
        xml.connect(rod_name, "plate_" + std::to_string(stage), rod.length * a.rods);
      }
      xml.close();
    }
  };
  arms(0);
  for (int stage = 0; stage < n; ++stage) {
    at = at - depth() * Vec{0, 0, 1};
    moving = moving + velocity(stage);
    xml.open("plate_" + std::to_string(stage), at);
    xml.free(moving);
    xml.inertial({}, plate_mass, plate_moments(), "");
    if (stage + 1 < n) arms(stage + 1);
    xml.close();
  }
  return xml;
}

void run(const Task& task, const Xml& xml, const Vec& down, double coarse, double budget) {
  peers::MujocoModel m(xml.text(down));
  steps(task, "MuJoCo", "RK4", coarse, budget, [&](int count, double h, EnergyError& error) {
    m.model->opt.timestep = h;
    for (int k = 0; k < m.model->neq; ++k) m.model->eq_solref[mjNREF * k] = 2 * h;
    mj_resetData(m.model, m.data);
    std::copy(xml.rates.begin(), xml.rates.end(), m.data->qvel);
    const auto look = [&] {
      const double energy = m.energy();
      error.add(m.data->energy[1], energy);
    };
    look();
    const double begin = peers::now();
    for (int k = 1; k <= count; ++k) {
      mj_step(m.model, m.data);
      if (!m.good() || peers::seconds_since(begin) > 2 * budget) {
        error.fail();
        return k;
      }
      if (k % 20 == 0 || k == count) look();
    }
    return count;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  const double budget = options.quick ? 1 : 30;
  if (options.wanted("P9a")) run({"P9a", 0, five_bar::until}, five_bar_robot(), {0, -gravity, 0}, 5e-4, budget);
  if (options.wanted("P9b"))
    for (const int n : delta::sizes())
      run({"P9b", n, delta::until(n)}, delta_robots(n), {0, 0, -gravity}, n > 1 ? 1.2e-4 : 5e-4, budget);
}
