// P9: robots with closed loops, which fall onto the springs of their motors, to |dE| = 1e-6 of the largest kinetic
// energy.
//
// P9a is a five-bar robot in a vertical plane for 10 s: motors at (-+a, 0), arms, forearms, and a hinge between these.
// P9b are N Delta robots, each mounted on the plate of the one above it: three arms on hinges, at each two
// parallel rods by universal joints, which carry the next plate by balls: one for 2 s, forty for half a second. A stage
// has ten bodies and three freedoms; nothing is redundant. The springs of a stage are as strong as what hangs on it is
// heavy.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "measure.hpp"

namespace peers::loops {

constexpr double gravity = 9.81, target = 1e-6;

struct Vec {
  double x = 0, y = 0, z = 0;
  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A bar along its axis x, with its middle at the origin.
struct Bar {
  double mass, length, radius;
  Vec moments() const {
    const double across = mass * (length * length / 12 + radius * radius / 4);
    return {mass * radius * radius / 2, across, across};
  }
};

namespace five_bar {

constexpr double until = 10, half = 0.08, stiffness = 5;
constexpr Bar arm{0.4, 0.2, 0.01}, forearm{0.2, 0.28, 0.01};
constexpr Vec tool_velocity{1, 0.5, 0};

// Of one side, -1 or 1: where its bars begin and point when the motion starts, and how fast they turn about z.
struct Side {
  Vec motor, along, knee, on;  // `along` the arm, `on` along the forearm
  double arm_rate, forearm_rate;
};

inline Side side(int sign) {
  const Vec z{0, 0, 1};
  Side s;
  s.motor = {sign * half, 0, 0};
  s.along = {sign * 0.5, -std::sqrt(0.75), 0};
  s.knee = s.motor + arm.length * s.along;
  const Vec tool{0, s.knee[1] - std::sqrt(forearm.length * forearm.length - s.knee[0] * s.knee[0]), 0};
  s.on = (1 / forearm.length) * (tool - s.knee);
  const Vec knee = arm.length * cross(z, s.along);  // its velocity at rate 1
  s.arm_rate = dot(s.on, tool_velocity) / dot(s.on, knee);
  s.forearm_rate = dot(cross(s.on, tool_velocity - s.arm_rate * knee), z) / forearm.length;
  return s;
}

inline double angle(const Vec& direction) { return std::atan2(direction[1], direction[0]); }

}  // namespace five_bar

namespace delta {

inline double until(int stages) { return stages > 1 ? 0.5 : 2; }
constexpr double hinge_radius = 0.1, ball_radius = 0.05, between = 0.03, dip = 0.3;  // rods are at -+between
constexpr Bar arm{0.1, 0.12, 0.01}, rod{0.03, 0.25, 0.005};
constexpr double plate_mass = 0.3, plate_radius = 0.1, plate_height = 0.02;
inline Vec plate_moments() {
  const double across = plate_mass * (3 * plate_radius * plate_radius + plate_height * plate_height) / 12;
  return {across, across, plate_mass * plate_radius * plate_radius / 2};
}
inline double stiffness(int stage, int stages) { return 2.0 * (stages - stage); }

inline double knee_radius() { return hinge_radius + arm.length * std::cos(dip); }
// From a plate to the next.
inline double depth() {
  const double in = knee_radius() - ball_radius;
  return arm.length * std::sin(dip) + std::sqrt(rod.length * rod.length - in * in);
}
// Of a plate against the one above it, when the motion starts; plates do not turn.
inline Vec velocity(int stage) { return {0.2 * std::cos(stage), 0.2 * std::sin(stage), 0.1}; }

// One of the three arms of a stage and its rods, seen from the middle of the plate above: the axis of the hinge, the
// directions of arm and rods, and how they begin to turn. The second axis of the universal joints is `sideways`.
struct Arm {
  Vec radial, axis, along, rods, sideways;
  double rate, rods_rate, sideways_rate;  // about axis in space, about axis in space, about sideways
  Vec hinge() const { return hinge_radius * radial; }
  Vec knee() const { return hinge() + arm.length * along; }
  Vec ball(double side) const { return ball_radius * radial + side * between * axis; }  // in the plate below
  Vec knee_velocity() const { return rate * arm.length * cross(axis, along); }
  Vec rods_omega() const { return rods_rate * axis + sideways_rate * sideways; }
};

inline Arm arm_of(int stage, int index) {
  const double turn = 2 * std::acos(-1.0) * index / 3;
  const Vec z{0, 0, 1}, u = velocity(stage);
  Arm a;
  a.radial = {std::cos(turn), std::sin(turn), 0};
  a.axis = {-std::sin(turn), std::cos(turn), 0};
  a.along = std::cos(dip) * a.radial - std::sin(dip) * z;
  a.rods = (1 / rod.length) * (ball_radius * a.radial - depth() * z - a.knee());
  a.sideways = cross(a.axis, a.rods);
  a.rate = dot(a.rods, u) / (arm.length * dot(a.rods, cross(a.axis, a.along)));
  const Vec seen = u - a.knee_velocity();  // of the ball, from the knee
  a.rods_rate = dot(seen, a.sideways) / rod.length;
  a.sideways_rate = -dot(seen, a.axis) / rod.length;
  return a;
}

inline std::vector<int> sizes() { return {1, 40}; }

}  // namespace delta

// The largest change of the energy, over the largest kinetic energy.
class EnergyError {
 public:
  void add(double kinetic, double energy) {
    if (first_) start_ = energy;
    first_ = false;
    const double change = std::fabs(energy - start_);
    if (!(change <= change_)) change_ = std::isfinite(change) ? change : INFINITY;
    kinetic_ = std::max(kinetic_, kinetic);
  }
  void fail() { change_ = INFINITY; }
  double error() const { return std::isfinite(change_) ? change_ / kinetic_ : INFINITY; }

 private:
  bool first_ = true;
  double start_ = 0, change_ = 0, kinetic_ = 0;
};

struct Task {
  const char* workload;
  int n;
  double until;
};

// `solve(error)` does the whole run and returns how many steps it took.
template <class Solve>
std::pair<double, double> measure(const Task& task, const char* contestant, const std::string& method,
                                  const std::string& setting, Solve&& solve) {
  double result = INFINITY, steps = 0;
  const double time = least_seconds([&] {
    EnergyError error;
    steps = static_cast<double>(solve(error));
    result = error.error();
  });
  print({.workload = task.workload,
         .contestant = contestant,
         .method = method,
         .setting = setting,
         .n = task.n,
         .value = time,
         .error = result,
         .note = text("%.3g steps/s", steps / time)});
  return {result, time};
}

// Constant steps from `coarse` down by 1.1 until the target is met or a run takes longer than the budget, where the
// solver itself should end; `solve(count, h, error)`.
template <class Solve>
void steps(const Task& task, const char* contestant, const std::string& method, double coarse, double budget,
           Solve&& solve) {
  climb(60, target, budget, [&](int rung) {
    const int count = static_cast<int>(std::ceil(task.until / coarse * std::pow(1.1, rung)));
    return measure(task, contestant, method, text("h = %.4g", task.until / count),
                   [&](EnergyError& error) { return solve(count, task.until / count, error); });
  });
}

}  // namespace peers::loops
