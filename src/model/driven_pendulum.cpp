// The pendulums of [Muehlebach2016, Table I] in polar and Cartesian coordinates, with motors, damping, a moving
// pivot and a varying length, and a Hamiltonian that is not separable.
#include "model/stock.hpp"

namespace extremal::stock {

namespace {

// theta is measured from the downward vertical.
struct Polar {
  System s;
  Coordinates<1> theta;
  Parameter m, l, g;
  explicit Polar(const std::string& name) : s(name), theta(s.coordinates("theta")), m(), l(), g() {
    m = s.parameter("m", 1);
    l = s.parameter("l", 2);
    g = s.parameter("g", "9.81");
  }
  void fixed_length() {
    s.kinetic(
        theta,
        [](const auto&, const auto& v, auto mass, auto length) { return 0.5 * mass * length * length * v[0] * v[0]; },
        m, l);
  }
  void gravity() {
    s.potential(
        theta, [](const auto& q, auto mass, auto length, auto pull) { return -(mass * length * pull * cos(q[0])); }, m,
        l, g);
  }
  Model model(Start start, Span span, std::string title) const {
    return {.system = s,
            .start = std::move(start),
            .span = std::move(span),
            .title = std::move(title),
            .citation = "Muehlebach2016"};
  }
};

struct Cartesian {
  System s;
  Coordinates<2> ball;
  Parameter m, l, g;
  explicit Cartesian(const std::string& name) : s(name), ball(s.coordinates("x", "y")), m(), l(), g() {
    m = s.parameter("m", 1);
    l = s.parameter("l", 2);
    g = s.parameter("g", "9.81");
    s.kinetic(ball, [](const auto&, const auto& v, auto mass) { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]); }, m);
    s.potential(ball, [](const auto& q, auto mass, auto pull) { return mass * pull * q[1]; }, m, g);
  }
  void rod() {
    s.constraint(
        "rod", ball, [](const auto& q, auto length) { return q[0] * q[0] + q[1] * q[1] - length * length; }, l);
  }
  Model model(Start start, Span span, std::string title) const {
    return {.system = s,
            .start = std::move(start),
            .span = std::move(span),
            .title = std::move(title),
            .citation = "Muehlebach2016"};
  }
};

}  // namespace

Model pendulum_polar() {
  Polar p("pendulum-polar");
  p.fixed_length();
  p.gravity();
  return p.model({.q = {"2*pi/3"}}, {.step = "0.3", .until = 15}, "pendulum by its angle");
}

Model pendulum_polar_forced() {
  Polar p("pendulum-polar-forced");
  p.fixed_length();
  p.gravity();
  const auto torque = p.s.parameter("torque", 3);
  p.s.force(
      "motor", p.theta, [](const auto&, const auto&, auto size, auto t) { return rows(size * cos(2.0 * t)); }, torque,
      time);
  return p.model({.q = {1}}, {.step = "0.1", .until = 5}, "pendulum with a motor, torque 3 cos 2t");
}

Model pendulum_polar_damped() {
  Polar p("pendulum-polar-damped");
  p.fixed_length();
  p.gravity();
  const auto torque = p.s.parameter("torque", 3), damping = p.s.parameter("damping", "0.5");
  p.s.force(
      "motor", p.theta, [](const auto&, const auto&, auto size, auto t) { return rows(size * cos(2.0 * t)); }, torque,
      time);
  p.s.force("damper", p.theta, [](const auto&, const auto& v, auto c) { return rows(-(c * v[0])); }, damping);
  return p.model({.q = {1}}, {.step = "0.1", .until = 5}, "pendulum with a motor and a damper");
}

// In the frame of a pivot that moves by y(t) gravity is g + y''.
Model pendulum_polar_moving_pivot() {
  Polar p("pendulum-polar-moving-pivot");
  p.fixed_length();
  const auto a = p.s.parameter("amplitude", "0.3");
  p.s.potential(
      p.theta,
      [](const auto& q, auto mass, auto length, auto pull, auto size, auto t) {
        return -(mass * length * (pull - 16.0 * size * cos(4.0 * t)) * cos(q[0]));
      },
      p.m, p.l, p.g, a, time);
  return p.model({.q = {1}}, {.step = "0.1", .until = 3}, "pendulum whose pivot moves by 0.3 cos 4t");
}

Model pendulum_polar_varying_length() {
  Polar p("pendulum-polar-varying-length");
  const auto a = p.s.parameter("amplitude", "0.3");
  p.s.kinetic(
      p.theta,
      [](const auto&, const auto& v, auto mass, auto length, auto size, auto t) {
        const auto now = length + size * sin(2.0 * t);
        return 0.5 * mass * now * now * v[0] * v[0];
      },
      p.m, p.l, a, time);
  p.s.potential(
      p.theta,
      [](const auto& q, auto mass, auto length, auto pull, auto size, auto t) {
        return -(mass * (length + size * sin(2.0 * t)) * pull * cos(q[0]));
      },
      p.m, p.l, p.g, a, time);
  return p.model({.q = {1}}, {.step = "0.1", .until = 3}, "pendulum of length 2 + 0.3 sin 2t");
}

Model pendulum_cartesian() {
  Cartesian p("pendulum-cartesian");
  p.rod();
  return p.model({.q = {"2*sin(2*pi/3)", "-2*cos(2*pi/3)"}}, {.step = "0.3", .until = 15},
                 "the same pendulum, with a rod as constraint");
}

namespace {

// The torque of the polar motor as a force along the tangent (-y, x) / l^2, the damper likewise.
Cartesian with_motor(const std::string& name) {
  Cartesian p(name);
  p.rod();
  const auto torque = p.s.parameter("torque", 3);
  p.s.force(
      "motor", p.ball,
      [](const auto& q, const auto&, auto size, auto t) {
        const auto f = size * cos(2.0 * t) / (q[0] * q[0] + q[1] * q[1]);
        return rows(-(f * q[1]), f * q[0]);
      },
      torque, time);
  return p;
}

const Start tilted{.q = {"2*sin(1)", "-2*cos(1)"}};

}  // namespace

Model pendulum_cartesian_forced() {
  return with_motor("pendulum-cartesian-forced")
      .model(tilted, {.step = "0.1", .until = 5}, "the driven pendulum, with a rod");
}

Model pendulum_cartesian_damped() {
  Cartesian p = with_motor("pendulum-cartesian-damped");
  const auto damping = p.s.parameter("damping", "0.5");
  p.s.force(
      "damper", p.ball,
      [](const auto& q, const auto& v, auto c) {
        const auto square = q[0] * q[0] + q[1] * q[1];
        const auto f = c * (q[0] * v[1] - q[1] * v[0]) / (square * square);
        return rows(f * q[1], -(f * q[0]));
      },
      damping);
  return p.model(tilted, {.step = "0.1", .until = 5}, "the damped and driven pendulum, with a rod");
}

Model pendulum_cartesian_moving_pivot() {
  Cartesian p("pendulum-cartesian-moving-pivot");
  const auto a = p.s.parameter("amplitude", "0.3");
  p.s.constraint(
      "rod", p.ball,
      [](const auto& q, auto length, auto size, auto t) {
        const auto y = q[1] - size * cos(4.0 * t);
        return q[0] * q[0] + y * y - length * length;
      },
      p.l, a, time);
  return p.model({.q = {"2*sin(1)", "0.3-2*cos(1)"}, .p = {0, 0}}, {.step = "0.1", .until = 3},
                 "a rod whose pivot moves");
}

Model pendulum_cartesian_varying_length() {
  Cartesian p("pendulum-cartesian-varying-length");
  const auto a = p.s.parameter("amplitude", "0.3");
  p.s.constraint(
      "rod", p.ball,
      [](const auto& q, auto length, auto size, auto t) {
        const auto now = length + size * sin(2.0 * t);
        return q[0] * q[0] + q[1] * q[1] - now * now;
      },
      p.l, a, time);
  return p.model({.q = {"2*sin(1)", "-2*cos(1)"}, .p = {"0.6*sin(1)", "-0.6*cos(1)"}}, {.step = "0.1", .until = 3},
                 "a rod whose length varies");
}

Model nonseparable() {
  System s("nonseparable");
  const auto q = s.coordinates("q1", "q2");
  s.hamiltonian(q, [](const auto& x, const auto& p) {
    return 0.5 * p[0] * p[0] + p[1] * p[1] / (2.0 * (1.0 + x[0] * x[0])) + 0.5 * x[0] * x[0] + cos(x[1]) +
           0.5 * x[0] * sin(x[1]);
  });
  return {.system = s,
          .start = {.q = {"0.5", 1}, .p = {"0.3", "-0.8"}},
          .span = {.step = "0.1", .until = 2},
          .title = "a Hamiltonian that is not separable",
          .citation = "Muehlebach2016"};
}

}  // namespace extremal::stock
