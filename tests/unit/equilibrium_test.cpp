// Where mechanisms come to rest, and how they vibrate about there, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "extremal/equilibrium.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "study/eigenvalues.hpp"

namespace extremal::equilibrium_test {
namespace {

const double pi = std::acos(-1.0);

// A pendulum of two bars, started far from rest, hangs down; its frequencies are those of the textbook.
TEST(Settle, LetsADoublePendulumHang) {
  for (const Space space : {Space::planar, Space::spatial}) {
    const bool planar = space == Space::planar;
    Mechanism out("double pendulum", space);
    const Numbers J = planar ? Numbers{"1/12"} : Numbers{"1/12", "1/12", "1/12"};
    const Body a = out.body("a", {.mass = 1, .inertia = J}), b = out.body("b", {.mass = 1, .inertia = J});
    if (planar) {
      out.gravity(0, "-9.81");
      out.revolute("A", out.ground(0, 0), a.at("-1/2", 0));
      out.revolute("B", a.at("1/2", 0), b.at("-1/2", 0));
      out.place(a, {.position = {"1/2", 0}});
      out.place(b, {.position = {1, "1/2"}, .angle = "pi/2"});
    } else {
      out.gravity(0, 0, "-9.81");
      out.revolute("A", out.ground(0, 0, 0), a.at("-1/2", 0, 0), {0, 1, 0});
      out.revolute("B", a.at("1/2", 0, 0), b.at("-1/2", 0, 0), {0, 1, 0});
      out.place(a, {.position = {"1/2", 0, 0}});
      out.place(b, {.position = {1, 0, "1/2"}, .rotation = {0, "-pi/2", 0}});
    }
    const Equilibrium at = settle(out.system(), out.start());
    ASSERT_TRUE(at.found) << at.reason;
    const std::size_t down = planar ? 1 : 2, next = planar ? 6 : 12;
    EXPECT_NEAR(at.q[0], 0, 1e-9);
    EXPECT_NEAR(at.q[down], -0.5, 1e-10);
    EXPECT_NEAR(at.q[next + down], -1.5, 1e-10);
    const Modes about = modes(out.system(), at);
    ASSERT_EQ(about.freedom, 2);
    EXPECT_TRUE(about.stable);
    // (4/3, 1/2; 1/2, 1/3) w^2 = g (3/2, 0; 0, 1/2) for bars of length 1 in absolute angles.
    const double trace = 9.81 * (1.5 / 3 + 0.5 * 4 / 3), det = 9.81 * 9.81 * 0.75, m = 4.0 / 9 - 0.25;
    const double root = std::sqrt(trace * trace - 4 * m * det);
    EXPECT_NEAR(about.modes[0].frequency(), std::sqrt((trace - root) / (2 * m)) / (2 * pi), 1e-9);
    EXPECT_NEAR(about.modes[1].frequency(), std::sqrt((trace + root) / (2 * m)) / (2 * pi), 1e-9);
    EXPECT_EQ(about.modes[0].damping(), 0);
    // A shape is along the constraints, and slowly both bars swing the same way.
    EXPECT_GT(about.modes[0].shape[0] * about.modes[0].shape[next], 0);
    EXPECT_LT(about.modes[1].shape[0] * about.modes[1].shape[next], 0);
  }
}

// The motor's servo, its damper and gravity: k (f - a) = m g l cos a; J s^2 + c s + k - m g l sin a = 0.
TEST(Settle, HoldsAnArmWhereItsServoAndItsWeightAgree) {
  const Model model = read_model_text(R"toml(space = "planar"
gravity = [0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = 0.5
position = [1, 0]
[[joint]]
name = "pivot"
type = "revolute"
from = "ground"
to = { body = "arm", at = [-1, 0] }
armature = 0.3
[[servo]]
name = "hold"
joint = "pivot"
stiffness = 80
damping = 3
target = 0.7
)toml",
                                      "arm.toml");
  const Equilibrium at = settle(model.system, model.start);
  ASSERT_TRUE(at.found) << at.reason;
  const double a = at.q[6], J = 2.5 + 0.3, k = 80 - 2 * 9.81 * std::sin(a);
  EXPECT_NEAR(80 * (0.7 - a), 2 * 9.81 * std::cos(a), 1e-9);
  const Modes about = modes(model.system, at);
  ASSERT_EQ(about.modes.size(), 1u);
  const double w = std::sqrt(k / J);
  EXPECT_NEAR(about.modes[0].growth, -3 / (2 * J), 1e-9);
  EXPECT_NEAR(about.modes[0].omega, std::sqrt(k / J - 9 / (4 * J * J)), 1e-9);
  EXPECT_NEAR(about.modes[0].damping(), 3 / (2 * J * w), 1e-9);
}

// With an integral it rests at its target, and J s^3 + c s^2 + k s + i = 0.
TEST(Settle, LetsAPidControllerReachItsTarget) {
  Mechanism out("arm", Space::planar);
  out.gravity(0, "-9.81");
  const Body bar = out.body("bar", {.mass = 2, .inertia = "1/2"});
  out.revolute("pivot", out.ground(0, 0), bar.at(-1, 0));
  out.place(bar, {.position = {1, 0}});
  out.servo("hold", "pivot", 80, 6, "0.7", 30);
  const Equilibrium at = settle(out.system(), out.start());
  ASSERT_TRUE(at.found) << at.reason;
  EXPECT_NEAR(at.q[6], 0.7, 1e-10);
  EXPECT_NEAR(30 * at.q[7], 2 * 9.81 * std::cos(0.7), 1e-8);
  const Modes about = modes(out.system(), at);
  EXPECT_TRUE(about.stable);
  int found = 0;
  for (const Mode& mode : about.modes) {
    const std::complex<double> s(mode.growth, mode.omega);
    if (std::abs(s) == 0) continue;
    const double k = 80 - 2 * 9.81 * std::sin(0.7);
    EXPECT_LT(std::abs(2.5 * s * s * s + 6.0 * s * s + k * s + 30.0), 1e-6 * std::abs(k * s));
    ++found;
  }
  EXPECT_EQ(found, 2);  // one alone and a pair
}

// A closed loop with redundant rows in space: its rest is one, and its shapes are along the constraints.
TEST(Settle, FindsTheRestOfAClosedLoop) {
  const Model model = extremal::model("four-bar-spatial");
  const Equilibrium at = settle(model.system, model.start);
  ASSERT_TRUE(at.found) << at.reason;
  const Modes about = modes(model.system, at);
  EXPECT_GE(about.freedom, 1);
  const std::vector<double> G = Stepper<double>(model.system, Scheme::named("rattle")).constraint_jacobian(at.q, at.t);
  for (const Mode& mode : about.modes)
    for (std::size_t k = 0; k < at.lambda.size(); ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < at.q.size(); ++i) sum += G[k * at.q.size() + i] * mode.shape[i];
      EXPECT_NEAR(sum, 0, 1e-9);
    }
}

TEST(Modes, SayWhatIsNotStable) {
  Mechanism out("upright", Space::planar);
  out.gravity(0, "-9.81");
  const Body bar = out.body("bar", {.mass = 1, .inertia = "1/12"});
  out.revolute("A", out.ground(0, 0), bar.at("-1/2", 0));
  out.place(bar, {.position = {0, "1/2"}, .angle = "pi/2"});
  const Equilibrium below = settle(out.system(), out.start());
  ASSERT_TRUE(below.found) << below.reason;
  EXPECT_NEAR(below.q[1], -0.5, 1e-9);  // to either side
  EXPECT_TRUE(modes(out.system(), below).stable);
  const Equilibrium at = settle(out.system(), out.start(), Rest::any);
  ASSERT_TRUE(at.found) << at.reason;
  EXPECT_NEAR(at.q[1], 0.5, 1e-9);  // nothing but round-off pulls it to either side
  const Modes about = modes(out.system(), at);
  EXPECT_FALSE(about.stable);
  EXPECT_NEAR(about.modes[0].growth, std::sqrt(1.5 * 9.81), 1e-9);
}

// Of a light body on a steep hill: steps that suit its stiffness are longer than the hill is steep.
TEST(Settle, LeavesASteepTop) {
  Mechanism hammer("hammer");
  hammer.gravity(0, 0, "-9.81");
  const Body head = hammer.body("head", {.mass = "0.8", .inertia = {"2e-3", "2e-3", "1e-3"}});
  hammer.revolute("hand", hammer.ground(0, 0, 0), head.at(0, 0, "-0.25"), {0, 1, 0});
  hammer.place(head, {.position = {0, 0, "0.25"}});
  const Equilibrium at = settle(hammer.system(), hammer.start());
  ASSERT_TRUE(at.found) << at.reason;
  EXPECT_NEAR(at.q[2], -0.25, 1e-9);
  EXPECT_TRUE(modes(hammer.system(), at).stable);
}

// A steel rod that is clamped at one end sags and swings as beams do: w L^4/(8 E I) and L/(G A/2) of shear, beta^2
// sqrt(E I/(rho A L^4)). Its forces along the axis are known to 1e-9 of those that hold it.
TEST(Settle, BendsARodAsBeamsDo) {
  const Model model = read_model_text(R"toml(gravity = [0, 0, -9.81]
[[rod]]
name = "beam"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 8
first = "clamped"
[rod.section]
shape = "circle"
radius = "0.005"
E = 2.1e11
G = 8e10
density = 7800
)toml",
                                      "cantilever.toml");
  const Equilibrium at = settle(model.system, model.start);
  ASSERT_TRUE(at.found) << at.reason;
  const double A = pi * 2.5e-5, EI = 2.1e11 * pi * std::pow(0.005, 4) / 4;
  const double sag = 7800 * A * 9.81 / (8 * EI);
  const auto& names = model.system.coordinate_names();
  const auto tip = std::find(names.begin(), names.end(), "beam.8.z") - names.begin();
  EXPECT_NEAR(at.q[static_cast<std::size_t>(tip)], -sag, 1e-3 * sag);
  const Modes about = modes(model.system, at);
  ASSERT_EQ(about.freedom, 48);
  EXPECT_TRUE(about.stable);
  const double first = std::pow(1.8751041, 2) * std::sqrt(EI / (7800 * A)) / (2 * pi);
  EXPECT_NEAR(about.modes[0].frequency(), first, 6e-3 * first);  // of order 2 in the length of an element
  EXPECT_NEAR(about.modes[1].frequency(), first, 6e-3 * first);
}

TEST(Eigenvalues, AreTheRootsOfAPolynomial) {
  // (s - 1)(s + 2)(s^2 + 2 s + 5)(s - 4): the companion of its coefficients.
  std::vector<double> p = {1};
  const auto times = [&](const std::vector<double>& f) {
    std::vector<double> r(p.size() + f.size() - 1, 0.0);
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = 0; j < f.size(); ++j) r[i + j] += p[i] * f[j];
    p = r;
  };
  times({1, -1}), times({1, 2}), times({1, 2, 5}), times({1, -4});
  std::vector<double> a(25, 0.0);
  for (std::size_t j = 0; j < 5; ++j) a[j] = -p[j + 1];
  for (std::size_t i = 1; i < 5; ++i) a[i * 5 + i - 1] = 1;
  std::vector<std::complex<double>> roots = eigenvalues(a, 5);
  ASSERT_EQ(roots.size(), 5u);
  for (const std::complex<double> root :
       {std::complex<double>(1), std::complex<double>(-2), std::complex<double>(-1, 2), std::complex<double>(-1, -2),
        std::complex<double>(4)})
    EXPECT_TRUE(std::any_of(roots.begin(), roots.end(), [&](const auto& x) { return std::abs(x - root) < 1e-11; }))
        << root;
}

}  // namespace
}  // namespace extremal::equilibrium_test
