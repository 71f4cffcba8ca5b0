// Motions that are far faster in some places than in others.
#pragma once

#include <string>

#include "extremal/models.hpp"

namespace extremal::papers {

// From the aphelion, a year is 2 pi; `rate` is of x and y.
inline Model kepler(const std::string& e, const std::string& rate = "sqrt(x^2 + y^2)", const std::string& more = "") {
  return read_model_text(R"toml(coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
[[potential]]
formula = "-1/sqrt(x^2 + y^2)"
[[symmetry]]
name = "about the centre"
along = { x = "-y", y = "x" }
)toml" + more + R"toml([parameters]
e = )toml" + e + R"toml(
[time]
rate = ")toml" + rate + R"toml("
[start]
x = "1 + e"
velocity = { y = "sqrt((1 - e)/(1 + e))" }
)toml",
                         "kepler");
}

// On a sphere, past a well 0.01 below its lowest point.
inline Model bead() {
  return read_model_text(R"toml(coordinates = ["x", "y", "z"]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "-k/sqrt(x^2 + y^2 + (z + 1.01)^2)"
[[constraint]]
name = "sphere"
formula = "x^2 + y^2 + z^2 - 1"
[[symmetry]]
name = "about z"
along = { x = "-y", y = "x" }
[parameters]
k = 0.1
[time]
rate = "sqrt(x^2 + y^2 + (z + 1.01)^2)"
[start]
x = 1
velocity = { y = 0.01 }
)toml",
                         "bead");
}

// Crank, link and piston that fall from where the crank stands upright; `more` is what else acts.
inline Model slider_crank(const std::string& more = "") {
  return read_model_text(R"toml(space = "planar"
gravity = [0, -9.81]
[[body]]
name = "crank"
inertia = "1/12"
position = [0, "1/2"]
angle = "pi/2"
angular_velocity = -1
velocity = ["1/2", 0]
[[body]]
name = "link"
mass = 2
inertia = "2/3"
position = ["sqrt(3)/2", "1/2"]
angle = "-pi/6"
velocity = [1, 0]
[[body]]
name = "piston"
inertia = 0.1
position = ["sqrt(3)", 0]
velocity = [1, 0]
[[joint]]
name = "main bearing"
type = "revolute"
from = "ground"
to = { body = "crank", at = ["-1/2", 0] }
[[joint]]
name = "crank pin"
type = "revolute"
from = { body = "crank", at = ["1/2", 0] }
to = { body = "link", at = [-1, 0] }
[[joint]]
name = "wrist pin"
type = "revolute"
from = { body = "link", at = [1, 0] }
to = "piston"
[[joint]]
name = "cylinder"
type = "prismatic"
from = "ground"
to = "piston"
axis = [1, 0]
)toml" + more,
                         "slider-crank");
}

// Two masses on a short rod about a centre: it turns as it will, in chaos.
inline Model dumbbell() {
  return read_model_text(R"toml(coordinates = ["x1", "y1", "x2", "y2"]
kinetic = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/4"
potential = "-1/2/sqrt(x1^2 + y1^2) - 1/2/sqrt(x2^2 + y2^2)"
[[constraint]]
name = "rod"
formula = "(x1 - x2)^2 + (y1 - y2)^2 - 0.0025"
[time]
rate = "sqrt((x1 + x2)^2 + (y1 + y2)^2)/2"
[start]
x1 = 1.9
y1 = 0.025
x2 = 1.9
y2 = -0.025
velocity = { y1 = "sqrt(0.1/1.9)", y2 = "sqrt(0.1/1.9)" }
)toml",
                         "dumbbell");
}

}  // namespace extremal::papers
