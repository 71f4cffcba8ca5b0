// Motions that the rule of step_search.hpp was not made with – but for four-bar-spatial, after which it tries what it
// chooses –, each with a scheme and a reference of its own: a scheme
// of a higher order, in long double, with so many steps that half of them say the same.
#pragma once

#include <string>
#include <vector>

#include "extremal/import.hpp"
#include "extremal/models.hpp"
#include "paced_models.hpp"
#include "places.hpp"

namespace extremal::papers {

struct HeldOut {
  const char* name;
  Model (*model)();
  const char *scheme, *until;
  const char* reference;
  long long reference_steps;
  bool brief = false;  // also where there is little time
};

// Henon and Heiles' potential, regular at this energy, by its Hamiltonian.
inline Model henon_heiles() {
  return read_model_text(R"toml(coordinates = ["x", "y"]
hamiltonian = "(p.x^2 + p.y^2 + x^2 + y^2)/2 + x^2*y - y^3/3"
[start]
x = 0.1
y = 0.2
momentum = { x = 0.2 }
[run]
step = 0.1
)toml",
                         "henon-heiles");
}

// Damped where it turns, driven where it slides.
inline Model driven_crank() {
  return slider_crank(R"toml(
[[joint_damper]]
name = "oil"
joint = "crank pin"
damping = 0.2
[[force]]
name = "steam"
on = "piston"
components = ["3*cos(4*t)", 0]
[run]
step = 0.02
)toml");
}

// Let go high: chaos.
inline Model double_pendulum() {
  return read_model_text(R"toml(coordinates = [["x1", "y1"], ["x2", "y2"]]
kinetic = ["(x1'^2 + y1'^2)/2", "(x2'^2 + y2'^2)/2"]
potential = "9.81*(y1 + y2)"
[[constraint]]
name = "upper"
formula = "x1^2 + y1^2 - 1"
[[constraint]]
name = "lower"
formula = "(x2 - x1)^2 + (y2 - y1)^2 - 1"
[start]
x1 = "sin(2.2)"
y1 = "-cos(2.2)"
x2 = "sin(2.2) + sin(2.6)"
y2 = "-cos(2.2) - cos(2.6)"
[run]
step = 0.02
)toml",
                         "double-pendulum");
}

inline Model robot(const std::string& name) {
  const Imported robot = import_robot(std::string(places::data) + "/robots/" + name);
  return read_model_text(robot.text, name);
}

inline const std::vector<HeldOut>& held_out() {
  static const std::vector<HeldOut> all = {
      {"kepler, e = 0.6", [] { return kepler("0.6"); }, "spark(3)", "20", "spark(6)", 2048, true},
      {"spring-pendulum", [] { return model("spring-pendulum"); }, "spark(3)", "40", "spark(5)", 2048, true},
      {"henon-heiles", henon_heiles, "phase_space(2)", "30", "phase_space(5)", 512},
      {"top", [] { return model("top"); }, "spark(2)", "0.5", "spark(4)", 1024},
      {"top-lie", [] { return model("top-lie"); }, "rkn(4, lie(free))", "1", "rkn(6, lie(free))", 8192},
      {"bennett", [] { return model("bennett"); }, "spark(2)", "3", "spark(4)", 1024},
      {"four-bar-spatial", [] { return model("four-bar-spatial"); }, "spark(3)", "3", "spark(4)", 2048},
      {"driven slider-crank", driven_crank, "spark(2)", "3", "spark(4)", 1024},
      {"chain-spatial(4)", [] { return model("chain-spatial(4)"); }, "kahan_li(6, rattle)", "1", "spark(4)", 1024},
      {"robot-four-bar", [] { return robot("four_bar.urdf"); }, "spark(2)", "1", "spark(4)", 1024},
      {"cantilever(4)", [] { return model("cantilever(4)"); }, "suzuki(4, lie(trapezoidal))", "0.2",
       "kahan_li(8, lie(trapezoidal))", 4096},
      {"stiff-triple-pendulum", [] { return model("stiff-triple-pendulum"); }, "spark(3)", "3", "spark(5)", 1024},
      {"pendulum-cartesian-forced", [] { return model("pendulum-cartesian-forced"); }, "suzuki(4, rattle)", "5",
       "spark(5)", 256, true},
      {"hoop", [] { return model("hoop"); }, "galerkin(2, gauss(3))", "10", "spark(5)", 512},
      {"six-balls", [] { return model("six-balls"); }, "lobatto(3)", "2", "spark(4)", 1024},
      {"double-four-bar-damped", [] { return model("double-four-bar-damped"); }, "spark(3)", "4", "spark(4)", 1024},
      {"four-bar-tilted", [] { return model("four-bar-tilted"); }, "spark(2)", "4", "spark(4)", 1024},
      {"pendulum-cartesian-moving-pivot", [] { return model("pendulum-cartesian-moving-pivot"); }, "spark(2)", "3",
       "spark(4)", 512},
      {"pendulum-cartesian-varying-length", [] { return model("pendulum-cartesian-varying-length"); }, "livens(2)", "3",
       "spark(4)", 512},
      {"pendulum-polar-damped", [] { return model("pendulum-polar-damped"); }, "suzuki(4, rattle)", "5", "spark(5)",
       256},
      {"two-particles", [] { return model("two-particles"); }, "spark(3)", "5", "spark(5)", 512},
      {"fermi-pasta-ulam", [] { return model("fermi-pasta-ulam"); }, "spark(3)", "10", "spark(5)", 1024},
      {"robot-delta", [] { return robot("delta.urdf"); }, "spark(2)", "0.3", "spark(4)", 512},
      {"robot-arm", [] { return robot("arm.urdf"); }, "spark(3)", "0.5", "spark(4)", 512},
      {"falling crank", [] { return slider_crank(); }, "man(LGG, 3)", "2", "spark(4)", 1024},
      {"thermoelastic-triangle", [] { return model("thermoelastic-triangle"); }, "spark(2)", "10", "spark(4)", 1024},
  };
  return all;
}

}  // namespace extremal::papers
