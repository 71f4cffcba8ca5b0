// P7: a whole step of the pendulum, from the formulas of a model file and from functions in C++.
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "measure.hpp"

namespace {

void step(const extremal::System& system, const extremal::Start& start, const char* contestant, const char* scheme) {
  extremal::Stepper<double> stepper(system, extremal::Scheme::named(scheme));
  stepper.start(start);
  const double ns = peers::ns_per_step([&] { stepper.step(0.01); }, 3000);
  peers::print({.workload = "P7",
                .contestant = contestant,
                .method = "a step, " + std::string(scheme),
                .setting = "h = 0.01",
                .n = 1,
                .value = ns});
}

}  // namespace

int main() {
  const extremal::Model file = extremal::read_model_text(R"toml(
name = "pendulum"
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*g*y"
[[constraint]]
name = "rod"
formula = "(x^2 + y^2 - l^2)/2"
[parameters]
m = 1
l = 1
g = 9.81
[start]
x = 0.6
y = -0.8
velocity = { x = 1.6, y = 1.2 }
)toml",
                                                         "pendulum.toml");
  extremal::System functions;
  const auto ball = functions.coordinates("x", "y");
  const auto m = functions.parameter("m", 1), l = functions.parameter("l", 1), g = functions.parameter("g", "9.81");
  functions.kinetic(ball, [](auto q, auto v, auto m) { return 0.5 * m * (v[0] * v[0] + v[1] * v[1]); }, m);
  functions.potential(ball, [](auto q, auto m, auto g) { return m * g * q[1]; }, m, g);
  functions.constraint("rod", ball, [](auto q, auto l) { return 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l); }, l);
  for (const char* scheme : {"rattle", "spark(2)", "midpoint"}) {
    step(file.system, file.start, "extremal, formula", scheme);
    step(functions, file.start, "extremal, C++", scheme);
  }
}
