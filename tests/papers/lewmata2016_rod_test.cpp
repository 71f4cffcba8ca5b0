// Rods of [LewMata2016, section 4.2] as mechanisms: rods with known answers, laws of their steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "rods.hpp"
#include "system/evaluation.hpp"

namespace extremal::papers::lewmata2016_rod_test {
namespace {

const double pi = 4 * std::atan(1.0);

// The rod of a model at rest, after its own span.
struct AtRest {
  Model m;
  std::vector<double> q;
  double kinetic = 0, potential = 0;
};

AtRest at_rest(const std::string& name) {
  AtRest out{model(name), {}};
  Stepper<double> stepper(out.m.system, Scheme::named(out.m.scheme));
  stepper.start(out.m.start);
  const double h = out.m.span.step.as<double>();
  advance(stepper, h, static_cast<int>(std::lround(out.m.span.until.as<double>() / h)));
  Observation<double> seen;
  stepper.observe(seen, false);
  out.q = stepper.state().q;
  out.kinetic = seen.kinetic;
  out.potential = seen.potential;
  return out;
}

// Small vibrations of the cantilever in the plane of x and z, by displacements w_i and turns theta_i of its free nodes:
// K from the second derivatives of L at rest, where no constraint carries a load, and M from the lumped masses.
class Vibration {
 public:
  explicit Vibration(int elements) : n_(2 * static_cast<std::size_t>(elements)), K_(n_ * n_), M_(n_) {
    const Model m = model("cantilever(" + std::to_string(elements) + ")");
    const auto size = static_cast<std::size_t>(m.system.size());
    Evaluation<double> evaluation(m.system, 1);
    std::vector<double> q, v(size), A(size * size), B(A), C(A), D(A);
    for (const Number& x : m.start.q) q.push_back(x.as<double>());
    const double t = 0;
    evaluation.hessian(1, q.data(), v.data(), &t, A.data(), B.data(), C.data(), D.data());
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        for (const auto& [a, x] : displacement(i))
          for (const auto& [b, y] : displacement(j)) {
            K_[i * n_ + j] -= x * y * A[a * size + b];
            if (i == j) M_[i] += x * y * D[a * size + b];
          }
  }

  // The angular frequency next to a guess and its mode, by inverse iteration.
  double frequency(double near, std::vector<double>* mode = nullptr) const {
    std::vector<double> y(n_), z(n_);
    for (std::size_t i = 0; i < n_; ++i) y[i] = 1 + static_cast<double>(i * i % 7);
    double square = near * near;
    const double shift = square * (1 + 1e-3);
    for (int k = 0; k < 20; ++k) {
      for (std::size_t i = 0; i < n_; ++i) z[i] = M_[i] * y[i];
      const std::vector<double> right = z;
      solve(shift, z);
      double top = 0, bottom = 0;
      for (std::size_t i = 0; i < n_; ++i) top += right[i] * y[i], bottom += right[i] * z[i];
      square = shift + top / bottom;
      const double scale = z[n_ - 2];
      for (std::size_t i = 0; i < n_; ++i) y[i] = z[i] / scale;
    }
    if (mode != nullptr) *mode = y;
    return std::sqrt(square);
  }

  // Coordinates of the system that move with entry i, and how far; even: z of a node, odd: its turn about y.
  static std::vector<std::pair<std::size_t, double>> displacement(std::size_t i) {
    const std::size_t first = 12 * (i / 2 + 1);
    if (i % 2 == 0) return {{first + 2, 1.0}};
    return {{first + 5, -1.0}, {first + 9, 1.0}};  // d1 = x falls, d3 = z leans to x
  }

 private:
  void solve(double shift, std::vector<double>& b) const {
    std::vector<double> a = K_;
    for (std::size_t i = 0; i < n_; ++i) a[i * n_ + i] -= shift * M_[i];
    for (std::size_t k = 0; k < n_; ++k) {
      std::size_t p = k;
      for (std::size_t i = k; i < n_; ++i)
        if (std::fabs(a[i * n_ + k]) > std::fabs(a[p * n_ + k])) p = i;
      for (std::size_t j = 0; j < n_; ++j) std::swap(a[k * n_ + j], a[p * n_ + j]);
      std::swap(b[k], b[p]);
      for (std::size_t i = k + 1; i < n_; ++i) {
        const double f = a[i * n_ + k] / a[k * n_ + k];
        if (f == 0) continue;
        for (std::size_t j = k; j < n_; ++j) a[i * n_ + j] -= f * a[k * n_ + j];
        b[i] -= f * b[k];
      }
    }
    for (std::size_t k = n_; k-- > 0;) {
      for (std::size_t j = k + 1; j < n_; ++j) b[k] -= a[k * n_ + j] * b[j];
      b[k] /= a[k * n_ + k];
    }
  }

  std::size_t n_;
  std::vector<double> K_, M_;
};

TEST(Cantilever, HasTheFrequenciesOfTimoshenko) {
  const double exact[] = {3.514382574, 21.963442938, 61.226869244};
  const struct {
    int n;
    double first;
  } table[] = {{10, 3.505065}, {20, 3.512054}, {40, 3.513800}, {80, 3.514237}};
  double before[3] = {};
  for (const auto& line : table) {
    const Vibration vibration(line.n);
    double found[3];
    for (int k = 0; k < 3; ++k) {
      found[k] = vibration.frequency(exact[k]);
      const double error = exact[k] - found[k];
      if (line.n > 10) {
        EXPECT_NEAR(std::log2(before[k] / error), 2, 0.25) << line.n << ", " << k;
      }
      before[k] = error;
    }
    EXPECT_NEAR(found[0], line.first, 5.1e-7) << line.n;
    row("lie-cantilever", "| %d | %.6f | %.5f | %.4f |", line.n, found[0], found[1], found[2]);
  }
}

// In its first mode, with a push so small that the motion is linear: the time between crossings.
TEST(Cantilever, SwingsAtItsFrequency) {
  Model m = model("cantilever(10)");
  std::vector<double> mode;
  const double omega = Vibration(10).frequency(3.514, &mode);
  m.start.v.assign(static_cast<std::size_t>(m.system.size()), Number(0));
  for (std::size_t i = 0; i < mode.size(); ++i)
    for (const auto& [at, x] : Vibration::displacement(i)) m.start.v[at] = Number(1e-4 * x * mode[i]);
  Stepper<double> stepper(m.system, Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start);
  const double h = 1e-4;
  const std::size_t tip = 12 * 10 + 2;
  std::vector<double> crossings;
  for (int k = 1; k * h < 4; ++k) {
    const double z = stepper.state().q[tip];
    advance(stepper, h, 1);
    const double next = stepper.state().q[tip];
    if (k > 1 && z * next < 0) crossings.push_back(h * (k - 1 + z / (z - next)));
  }
  ASSERT_EQ(crossings.size(), 4u);
  EXPECT_NEAR(pi * 3 / (crossings.back() - crossings.front()), omega, 1e-6);
}

// A tip force F: shear F, and F times the distance as moment, in the middle of every element.
TEST(Cantilever, CarriesItsLoadInItsSections) {
  Mechanism m("loaded cantilever");
  const int n = 8;
  const Rod rod = m.rod("rod", {.section = {.EA = 10000,
                                            .GA2 = 10000,
                                            .GA3 = 10000,
                                            .GJ = 1,
                                            .EI2 = 1,
                                            .EI3 = 2,
                                            .inertia2 = "1e-3",
                                            .inertia3 = "1e-3"},
                                .from = {0, 0, 0},
                                .to = {1, 0, 0},
                                .elements = n,
                                .normal = {0, 0, 1},
                                .damping = 7,
                                .first = RodEnd::clamped});
  const double F = 1e-4;
  m.force("tip load", rod.last(), {F, F, -F});
  Stepper<double> stepper(m.system(), Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start());
  const double h = 0.8 * m.step_bound().as<double>();
  advance(stepper, h, static_cast<int>(10 / h));
  const auto sections = m.sections(stepper.state().q);
  ASSERT_EQ(sections.size(), static_cast<std::size_t>(n));
  for (const SectionForce<double>& s : sections) {
    EXPECT_EQ(s.rod, "rod");
    const double arm = 1 - (s.element + 0.5) / n;
    EXPECT_NEAR(s.N[0], F, 1e-4 * F) << s.element;
    EXPECT_NEAR(s.N[1], F, 1e-4 * F) << s.element;
    EXPECT_NEAR(s.N[2], -F, 1e-4 * F) << s.element;
    EXPECT_NEAR(s.M[0], 0, 1e-4 * F) << s.element;
    EXPECT_NEAR(s.M[1], F * arm, 1e-4 * F) << s.element;
    EXPECT_NEAR(s.M[2], F * arm, 1e-4 * F) << s.element;
  }
  // F L^3 / (3 EI) + F L / GA, and what n elements lack
  EXPECT_NEAR(stepper.state().q[12 * n + 2], -F * (1.0 / 3 + 1e-4), 2e-3 * F);
  EXPECT_NEAR(stepper.state().q[12 * n + 1], F * (1.0 / 6 + 1e-4), 1e-3 * F);
}

// The nodes lie on a polygon of n sides L / n; the exact curve is the circle of circumference L.
TEST(RollUp, ClosesToACircle) {
  const double L = 10, EI = 100, R = L / (2 * pi), M = 2 * pi * EI / L;
  const struct {
    int n;
    double error;
    int digits;
  } table[] = {{10, 5.3e-2, 2}, {20, 1.31e-2, 3}, {40, 3.3e-3, 2}};
  for (const auto& line : table) {
    const AtRest rest = at_rest("roll-up(" + std::to_string(line.n) + ")");
    EXPECT_LT(rest.kinetic, 1e-18);
    double error = 0;
    for (int i = 0; i <= line.n; ++i) {
      const double s = 2 * pi * i / line.n;
      const auto x = node(rest.q, i);
      error = std::max(error, std::hypot(x[0] - R * std::sin(s), x[1], x[2] - R * (1 - std::cos(s))));
    }
    EXPECT_NEAR(error, line.error, half_unit(line.error, line.digits)) << line.n;
    EXPECT_NEAR(error, L / line.n / std::sin(pi / line.n) - 2 * R, 1e-8) << line.n;
    const auto tip = node(rest.q, line.n);
    EXPECT_LT(std::hypot(tip[0], tip[1], tip[2]), 1e-8);
    const EnergySplit<double> energy = rest.m.mechanism->energies(rest.q, std::vector<double>(rest.q.size()));
    EXPECT_NEAR(energy.bending, M * L * pi / L, 1e-9 * energy.bending);  // M times the angle, by two
    EXPECT_LT(energy.stretching + energy.shear + energy.torsion, 1e-15);
    for (const auto& s : rest.m.mechanism->sections(rest.q)) EXPECT_NEAR(std::fabs(s.M[1]), M, 1e-8 * M);
    row("lie-roll-up", "| %d | %.2e | %.6f |", line.n, error, energy.bending);
  }
}

void expect_bend(int n, double x, double y, double z) {
  const AtRest rest = at_rest("bend-45(" + std::to_string(n) + ")");
  EXPECT_LT(rest.kinetic, 1e-12 * rest.potential);
  const auto tip = node(rest.q, n);
  EXPECT_NEAR(tip[0], x, 5.1e-4);
  EXPECT_NEAR(tip[1], y, 5.1e-4);
  EXPECT_NEAR(tip[2], z, 5.1e-4);
  row("lie-bend", "| %d | %.3f | %.3f | %.3f |", n, tip[0], tip[1], tip[2]);
}

TEST(Bend45, OfEightElements) { expect_bend(8, 15.734, 47.243, 53.398); }

TEST(Bend45, OfSixtyFourElements) { expect_bend(64, 15.686, 47.152, 53.474); }

// Two elements that fly and turn; soft, so that steps of a usual size are stable.
Mechanism small_rod(RodEnd first, int elements) {
  Mechanism m("small rod");
  const Rod rod = m.rod(
      "rod",
      {.section = {.EA = 20, .GA2 = 8, .GA3 = 6, .GJ = 2, .EI2 = 3, .EI3 = 1, .inertia2 = "1/3", .inertia3 = "1/2"},
       .from = {0, 0, 0},
       .to = {elements, 0, 0},
       .elements = elements,
       .normal = {0, 0, 1},
       .first = first});
  for (int i = 1; i <= elements; ++i)
    m.place(rod.node(i), {.position = {i, 0, 0},
                          .rotation = {"1/10", i % 2 == 0 ? "-1/5" : "1/5", "1/3"},
                          .velocity = {0, "1/4", i % 2 == 0 ? "1/3" : "-1/5"},
                          .angular_velocity = {"1/2", "-1/4", "1/3"}});
  return m;
}

TEST(RodLaws, AStepIsSymplecticAndReversible) {
  for (const RodEnd end : {RodEnd::free, RodEnd::pinned, RodEnd::clamped})
    for (const char* scheme : {"lie(trapezoidal)", "lie(alpha(1/4))", "suzuki(4, lie(trapezoidal))"}) {
      if (end == RodEnd::pinned && std::string(scheme) != "lie(trapezoidal)") continue;
      const Mechanism m = small_rod(end, 2);
      const Law symplectic = law::symplecticity(m.system(), Scheme::named(scheme), m.start(), {.step = "0.05"});
      EXPECT_EQ(symplectic.measured, "yes") << scheme;
      EXPECT_LE(symplectic.defect, symplectic.floor) << scheme;
      EXPECT_LT(symplectic.floor, 1e-25);
      const Law reversible = law::reversibility(m.system(), Scheme::named(scheme), m.start(), {.step = "0.05"});
      EXPECT_TRUE(reversible.holds) << scheme << ": " << reversible.measured;
    }
}

TEST(RodLaws, HasItsOrderInTime) {
  const Mechanism m = small_rod(RodEnd::clamped, 3);
  const auto end = [&](const char* scheme, int steps) {
    Stepper<quad> stepper(m.system(), Scheme::named(scheme));
    stepper.start(m.start());
    for (int k = 0; k < steps; ++k)
      if (!stepper.step(quad(2) / quad(steps)).converged) throw std::runtime_error("no convergence");
    return stepper.state();
  };
  const State<quad> exact = end("kahan_li(8, lie(trapezoidal))", 400);
  for (const auto& [scheme, order] : {std::pair{"lie(trapezoidal)", 2},
                                      {"lie(alpha(1))", 1},
                                      {"suzuki(4, lie(trapezoidal))", 4},
                                      {"kahan_li(6, lie(trapezoidal))", 6}}) {
    double q = 0, p = 0;
    for (const int steps : {100, 200, 400}) {
      const State<quad> found = end(scheme, steps);
      const double fine_q = distance(found.q, exact.q), fine_p = distance(found.p, exact.p);
      if (q > 0) {
        EXPECT_NEAR(std::log2(q / fine_q), order, 0.25) << scheme;
        EXPECT_NEAR(std::log2(p / fine_p), order, 0.25) << scheme;
      }
      q = fine_q, p = fine_p;
    }
  }
}

// Two rods at a right angle, joined rigidly, and a box that hangs on the second by a ball joint.
Mechanism rods_and_box() {
  Mechanism m("rods and box");
  const Section section{
      .EA = 2000, .GA2 = 800, .GA3 = 800, .GJ = 2, .EI2 = 3, .EI3 = 3, .inertia2 = "1e-2", .inertia3 = "1e-2"};
  const Rod a = m.rod("a", {.section = section, .from = {0, 0, 0}, .to = {1, 0, 0}, .elements = 4});
  const Rod b = m.rod("b", {.section = section, .from = {1, 0, 0}, .to = {1, 1, 0}, .elements = 3});
  const Body box = m.body("box", {.mass = 2, .inertia = {"0.1", "0.2", "0.25"}});
  m.fixed("corner", a.last(), b.first());
  m.spherical("ball", b.last(), box.at(0, "-1/4", "1/8"));
  // About the ball, which is at rest.
  m.place(box, {.position = {1, "5/4", "-1/8"}, .velocity = {"3/8", 0, 0}, .angular_velocity = {0, 0, "-3/2"}});
  return m;
}

TEST(JoinedRods, KeepTheirMomenta) {
  const Mechanism m = rods_and_box();
  const double h = 0.5 * m.step_bound().as<double>();
  Stepper<double> stepper(m.system(), Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start());
  Observation<double> seen;
  stepper.observe(seen, false);
  const std::vector<double> before = seen.momenta;
  const double energy = seen.energy();
  ASSERT_EQ(before.size(), 6u);
  const int steps = 20000;
  double change = 0, gap = 0, least = 1e300, most = -1e300;
  for (int k = 0; k < steps; ++k) {
    advance(stepper, h, 1);
    stepper.observe(seen, false);
    change = std::max(change, distance(seen.momenta, before));
    gap = std::max(gap, seen.constraint);
    least = std::min(least, seen.energy()), most = std::max(most, seen.energy());
  }
  EXPECT_LT(change, 1e-11);
  EXPECT_LT(gap, 1e-13);
  EXPECT_LT((most - least) / energy, 0.02);
  EXPECT_GT(most - least, 1e-9 * energy);
}

TEST(JoinedRods, MoveAsOnDirectors) {
  const Mechanism m = rods_and_box();
  const System system = m.system();
  Stepper<double> bodies(system, Scheme::named("lie(trapezoidal)")), directors(system, Scheme::named("rattle"));
  bodies.start(m.start());
  directors.start(m.start());
  for (int k = 0; k < 20; ++k) {
    const StepReport report = bodies.step(2e-3);
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.fallbacks, 0);
    ASSERT_TRUE(directors.step(2e-3).converged);
  }
  EXPECT_LT(distance(bodies.state().q, directors.state().q), 1e-12);
  EXPECT_LT(distance(bodies.state().p, directors.state().p), 1e-11);
}

// The parts are the whole.
TEST(RodEnergies, AddUp) {
  const Mechanism m = small_rod(RodEnd::free, 3);
  Stepper<double> stepper(m.system(), Scheme::named("lie(trapezoidal)"));
  stepper.start(m.start());
  advance(stepper, 0.05, 10);
  const Observation<double> seen = stepper.observe();
  const EnergySplit<double> parts = m.energies(stepper.state().q, seen.v);
  EXPECT_NEAR(parts.translation + parts.rotation, seen.kinetic, 1e-14);
  EXPECT_NEAR(parts.stretching + parts.shear + parts.torsion + parts.bending, seen.potential, 1e-14);
  for (const double part : {parts.stretching, parts.shear, parts.torsion, parts.bending, parts.rotation})
    EXPECT_GT(part, 1e-3);
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_rod_test
