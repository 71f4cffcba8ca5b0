// A free body and the rods of [LewMata2016, section 4], and rods with known answers.
#include <cmath>

#include "extremal/error.hpp"
#include "model/stock.hpp"

namespace extremal::stock {
namespace {

const char* const scheme = "lie(trapezoidal)";

Section uniform(const Number& EA, const Number& GA, const Number& GJ, const Number& EI, const Number& inertia) {
  return {.EA = EA, .GA2 = GA, .GA3 = GA, .GJ = GJ, .EI2 = EI, .EI3 = EI, .inertia2 = inertia, .inertia3 = inertia};
}

// As many steps until then as 0.8 of the critical one needs; about 200 of them are kept.
Span stable(const Mechanism& m, int until) {
  const double bound = m.step_bound().as<double>();
  const int steps = 200 * static_cast<int>(std::ceil(until / (0.8 * bound) / 200));
  return {.step = Number(std::to_string(until) + "/" + std::to_string(steps)), .until = until, .every = steps / 200};
}

Model of_rods(const Mechanism& m, Span span, std::string title) {
  Model model = of(m, std::move(span), std::move(title), "LewMata2016");
  model.scheme = scheme;
  return model;
}

std::string quotient(int a, int b) { return std::to_string(a) + "/" + std::to_string(b); }

// [LewMata2016, eq. 119], which ends with a jump: there it has half of its value, so that the sum over the steps is the
// integral whichever of them ends where it jumps.
TimeFunction moment(int factor) {
  return [factor](auto t) {
    const auto m = factor * 160.0 * t / 3.0;
    return t < 1.5 - 1e-9 ? m : t > 1.5 + 1e-9 ? 0.0 * m : 0.5 * m;
  };
}

// The paper gives neither the radius nor GJ nor where the moments act. Here R = 10, GJ = EI, and the moments act at two
// opposite nodes; the elements have the length of their arcs.
Model ring(const std::string& name, int n, int factor, const Span& span, std::string title) {
  if (n % 2 != 0)
    throw InputError("model " + name + ": found " + std::to_string(n) + " elements; expected an even number; try " +
                     std::to_string(n + 1));
  Mechanism m(name);
  RodData data{
      .section = uniform(30000, 30000, 7000, 7000, 10), .closed = true, .length = "20*pi", .normal = {0, 0, 1}};
  for (int i = 0; i < n; ++i) {
    const std::string angle = "2*pi*" + quotient(i, n);
    data.points.push_back({"10*cos(" + angle + ")", "10*sin(" + angle + ")", 0});
  }
  const Rod rod = m.rod("ring", data);
  m.torque("moment", rod.node(0), {0, moment(factor), 0});
  m.torque("opposite moment", rod.node(n / 2), {0, moment(-factor), 0});
  return of_rods(m, n == 80 ? span : stable(m, 5), std::move(title));
}

}  // namespace

// It turns over and over: the axis of the middle moment of inertia is not stable.
Model free_body() {
  Mechanism m("free-body");
  const Body body = m.body("body", {.mass = 1, .inertia = {1, 2, 3}});
  m.place(body, {.angular_velocity = {"0.01", 2, "0.01"}});
  return of_rods(m, {.step = "0.05", .until = 50}, "free body, turning about its middle axis");
}

Model elastic_ring(int n) {
  return ring(sized("elastic-ring", n, 80), n, 1, {.step = "0.0015", .until = "4.5", .every = 60},
              "elastic ring under two opposite moments for a while");
}

Model elastic_ring_folding(int n) {
  return ring(sized("elastic-ring-folding", n, 80), n, 100, {.step = "0.0015", .until = "4.5", .every = 60},
              "the same under a hundred times the load: it folds through itself");
}

// Angular frequencies 3.514382574, 21.963442938, 61.226869244 by the theory of Timoshenko.
Model cantilever(int n) {
  Mechanism m(sized("cantilever", n, 20));
  const Rod rod = m.rod("rod", {.section = uniform(10000, 10000, 1, 1, "1e-4"),
                                .from = {0, 0, 0},
                                .to = {1, 0, 0},
                                .elements = n,
                                .normal = {0, 0, 1},
                                .first = RodEnd::clamped});
  for (int i = 1; i <= n; ++i) {
    const std::string s = quotient(i, n);
    m.place(rod.node(i), {.position = {s, 0, 0},
                          .velocity = {0, 0, "0.2*(" + s + ")^2"},
                          .angular_velocity = {0, "-0.4*(" + s + ")", 0}});
  }
  return of_rods(m, stable(m, 4), "cantilever that swings after a push");
}

// M = 2 pi EI / L bends the rod to a circle.
Model roll_up(int n) {
  Mechanism m(sized("roll-up", n, 20));
  const Rod rod = m.rod("rod", {.section = uniform(1000, 1000, 100, 100, 1),
                                .from = {0, 0, 0},
                                .to = {10, 0, 0},
                                .elements = n,
                                .normal = {0, 0, 1},
                                .damping = "0.7",
                                .first = RodEnd::clamped});
  const TimeFunction growing = [](auto t) {
    const auto part = t / 20.0;
    const auto M = -80.0 * atan(1.0 + 0.0 * t);  // -2 pi EI / L
    return t < 20.0 ? part * part * (3.0 - 2.0 * part) * M : M;
  };
  m.torque("end moment", rod.last(), {0, growing, 0});
  return of_rods(m, stable(m, 100), "rod that an end moment rolls up to a circle");
}

// An eighth of a circle in the plane, loaded out of it; damped, so that it comes to rest at the known answer.
Model bend_45(int n) {
  Mechanism m(sized("bend-45", n, 8));
  RodData data{.section = uniform("1e7", "5e6", "1e7/12", "1e7/12", 10),
               .length = "25*pi",
               .normal = {0, 0, 1},
               .damping = 1,
               .first = RodEnd::clamped};
  for (int i = 0; i <= n; ++i) {
    const std::string angle = "pi/4*" + quotient(i, n);
    data.points.push_back({"100*(1-cos(" + angle + "))", "100*sin(" + angle + ")", 0});
  }
  const Rod rod = m.rod("bend", data);
  m.force("tip load", rod.last(), {0, 0, 600});
  return of_rods(m, stable(m, 60), "bend of 45 degrees under a load out of its plane");
}

}  // namespace extremal::stock
