// lie(free) and the splittings made of it: bodies turn exactly between kicks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>

#include "distance.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/stepper.hpp"

namespace extremal::lie_free_test {
namespace {

using papers::distance;
using testing::AllOf;
using testing::HasSubstr;

// A disc, a sphere and bricks that nothing holds, thrown and spinning; one about its middle axis, which turns over.
Mechanism thrown() {
  Mechanism m("thrown");
  const Body disc = m.body("disc", {.mass = 2, .inertia = {"0.3", "0.2", "0.2"}});
  const Body sphere = m.body("sphere", {.mass = 1, .inertia = {"0.1", "0.1", "0.1"}});
  m.place(disc, {.velocity = {1, 0, "0.5"}, .angular_velocity = {3, "0.5", -2}});
  m.place(sphere, {.position = {2, 0, 0}, .angular_velocity = {1, 2, 3}});
  const Body brick = m.body("brick", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  m.place(brick, {.position = {0, 2, 0}, .angular_velocity = {"0.01", 3, "0.02"}});
  const Body lath = m.body("lath", {.mass = 1, .inertia = {"0.01", "0.2", "0.205"}});
  m.place(lath, {.position = {0, 4, 0}, .angular_velocity = {5, 1, -2}});
  return m;
}

// A top that hangs off its tip, on a spring, twisted as time goes on: forces of position and time.
Mechanism twisted(const Numbers& inertia) {
  Mechanism m("twisted");
  m.gravity(0, 0, "-9.81");
  const Body top = m.body("top", {.mass = 1, .inertia = inertia});
  m.place(top, {.position = {0, 0, "-0.3"}, .angular_velocity = {0, 0, 0}});
  m.spherical("tip", m.ground(0, 0, 0), top.at(0, 0, "0.3"));
  m.spring("spring", m.ground(1, 0, 0), top.at("0.1", 0, "-0.2"), {.stiffness = 5, .length = "0.5"});
  m.torque("twist", top, {"0.5", 0, [](auto t) { return sin(3.0 * t); }});
  m.force("push", top, {0, [](auto t) { return cos(2.0 * t); }, 0});
  return m;
}

template <class S>
State<S> after(const Mechanism& m, const char* scheme, double until, int steps, S* account = nullptr) {
  Stepper<S> s(m.system(), Scheme::named(scheme));
  s.start(m.start());
  const S before = s.observe().energy(), h = S(until) / S(steps);
  S work(0);
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(s.step(h).converged) << scheme << ", step " << k;
    work += s.work();
  }
  if (account != nullptr) *account = math::abs(s.observe().energy() - before - work);
  return s.state();
}

// One step of any length is as many short ones; and these are what another scheme, which knows nothing of it, comes to.
TEST(LieFree, TurnsFreeBodiesExactly) {
  const Mechanism m = thrown();
  const State<quad> once = after<quad>(m, "lie(free)", 7, 1), often = after<quad>(m, "lie(free)", 7, 500);
  const double eps = static_cast<double>(Scalar<quad>::epsilon);
  EXPECT_LT(distance(once.q, often.q), 1e4 * eps);
  EXPECT_LT(distance(once.p, often.p), 1e4 * eps);
  const State<quad> directors = after<quad>(m, "spark(6)", 1, 40), rotated = after<quad>(m, "lie(free)", 1, 1);
  EXPECT_LT(distance(rotated.q, directors.q), 1e-14);
  EXPECT_LT(distance(rotated.p, directors.p), 1e-14);
}

// Slopes of the motion, and of energy less work. The brackets that rkn(6, ..) leaves out do not vanish for the work of
// loads beside a potential.
void expect_orders(const Mechanism& m) {
  const State<quad> exact = after<quad>(m, "rkn(6, lie(free))", 1, 800);
  const struct {
    const char* scheme;
    int order, account, steps;
  } table[] = {{"lie(free)", 2, 2, 40},
               {"suzuki(4, lie(free))", 4, 4, 40},
               {"rkn(4, lie(free))", 4, 4, 80},
               {"rkn(6, lie(free))", 6, 4, 80}};
  for (const auto& row : table) {
    double error[3], missing[3];
    for (int k = 0; k < 3; ++k) {
      quad account;
      error[k] = distance(after<quad>(m, row.scheme, 1, row.steps << k, &account).q, exact.q);
      missing[k] = static_cast<double>(account);
    }
    EXPECT_NEAR(std::log2(error[1] / error[2]), row.order, 0.25) << row.scheme;
    EXPECT_NEAR(std::log2(missing[1] / missing[2]), row.account, 0.25) << row.scheme;
  }
  // The reference is another scheme's as well.
  EXPECT_LT(distance(after<quad>(m, "spark(5)", 1, 100).q, exact.q), 1e-13);
}

TEST(LieFree, HasItsOrdersUnderForcesOfPositionAndTime) { expect_orders(twisted({"0.02", "0.02", "0.01"})); }
TEST(LieFree, HasItsOrdersOnABodyWithThreeMoments) { expect_orders(twisted({"0.02", "0.03", "0.012"})); }

// A top with three moments, on its tip: symplectic, reversible, of its order, with the momentum about the vertical.
TEST(LieFree, KeepsTheLawsOfATopWithThreeMoments) {
  Mechanism m("stone");
  m.gravity(0, 0, "-9.81");
  const Body stone = m.body("stone", {.mass = 1, .inertia = {"0.02", "0.03", "0.012"}});
  m.place(stone, {.position = {0, 0, "0.3"}, .velocity = {"0.15", "-0.3", 0}, .angular_velocity = {1, "0.5", 3}});
  m.spherical("tip", m.ground(0, 0, 0), stone.at(0, 0, "-0.3"));
  for (const char* scheme : {"lie(free)", "rkn(6, lie(free))"}) {
    const Certificate certificate =
        check(m.system(), Scheme::named(scheme), m.start(), {.step = "0.02", .long_steps = 200});
    EXPECT_TRUE(certificate.holds()) << scheme << "\n" << certificate.text();
  }
}

// A kick of the wrong weight has no order at all.
TEST(LieFree, APerturbedSplittingIsFound) {
  const Model top = model("top");
  const CheckOptions options{.step = "0.001", .long_steps = 100};
  for (const char* name : {"lie(free)", "rkn(6, lie(free))"}) {
    const Scheme scheme = Scheme::named(name);
    const Certificate certificate = check(top.system, perturbed(scheme, 1e-3), top.start, options);
    EXPECT_FALSE(certificate.holds()) << certificate.text();
  }
}

template <class F>
std::string refusal(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LieFree, RefusesWhatItCannotMove) {
  const auto stepper = [](const System& system, const char* scheme) {
    return refusal([&] { Stepper<double>(system, Scheme::named(scheme)); });
  };
  const System chain = model("chain-spatial(2)").system;
  EXPECT_EQ(stepper(chain, "lie(free)"), "");
  EXPECT_EQ(stepper(chain, "suzuki(4, lie(free))"), "");
  EXPECT_THAT(stepper(chain, "rkn(4, lie(free))"),
              AllOf(HasSubstr("has joint rows that stay"), HasSubstr("try suzuki(4, lie(free))")));
  Mechanism drag = thrown();
  drag.line_damper("drag", drag.ground(0, 0, 0), drag.body("ball", {.mass = 1, .inertia = {1, 1, 1}}), "0.1");
  EXPECT_THAT(stepper(drag.system(), "rkn(4, lie(free))"), HasSubstr("has forces that depend on velocities"));
  EXPECT_EQ(stepper(drag.system(), "lie(free)"), "");
  const System ring = model("elastic-ring").system;
  EXPECT_THAT(stepper(ring, "lie(free)"), HasSubstr("has rods; lie(free) is for bodies"));
}

}  // namespace
}  // namespace extremal::lie_free_test
