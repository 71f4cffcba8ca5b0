// Multipliers and reactions at the rows of a run are as accurate as its positions, whatever the scheme: those of the
// acceleration at the row's q and v [Wenger2017, eq. 70]. The scheme's own, of a lower order, can be had by name.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "distance.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/run.hpp"

namespace extremal::reported_multipliers_test {
namespace {

using papers::distance;

// A four-bar linkage whose crank turns as a motor says, with a pendulum in air and on a spring at the end of its
// rocker: constraints that depend on time, damping, a position-dependent potential.
constexpr const char* driven_four_bar = R"toml(
name = "driven-four-bar"
coordinates = ["x1", "y1", "x2", "y2", "x3", "y3"]
kinetic = ["(x1'^2 + y1'^2)/2", "x2'^2 + y2'^2", "(x3'^2 + y3'^2)/2"]
potential = ["9.81*(y1 + 2*y2 + y3)", "3*(sqrt((x3 - 3)^2 + y3^2) - 1)^2"]
[parameters]
c = "cos(1)"
s = "sin(1)"
d = "sqrt((3 - c)^2 + s^2)"
a = "(5 + d^2)/(2*d)"
b = "sqrt(9 - a^2)"
[[constraint]]
name = "crank"
formula = "(x1^2 + y1^2 - 1)/2"
[[constraint]]
name = "motor"
formula = "y1*cos(1 + t/2 + 0.3*sin(t)) - x1*sin(1 + t/2 + 0.3*sin(t))"
[[constraint]]
name = "coupler"
formula = "((x2 - x1)^2 + (y2 - y1)^2 - 9)/6"
[[constraint]]
name = "rocker"
formula = "((x2 - 3)^2 + y2^2 - 4)/4"
[[constraint]]
name = "load"
formula = "((x3 - x2)^2 + (y3 - y2)^2 - 1)/2"
[[force]]
name = "air"
along = { x3 = "-0.3*x3'", y3 = "-0.3*y3'" }
[start]
x1 = "c"
y1 = "s"
x2 = "c + (a*(3 - c) + b*s)/d"
y2 = "s + (b*(3 - c) - a*s)/d"
x3 = "1 + c + (a*(3 - c) + b*s)/d"
y3 = "s + (b*(3 - c) - a*s)/d"
velocity = { y3 = 1 }
)toml";

struct Told {
  double reported = 0, own = 0;  // errors at the end
};

constexpr int span_steps = 8;  // of 0.02

std::vector<quad> exact_multipliers(const System& system, const Start& start) {
  Stepper<quad> stepper(system, Scheme::named("galerkin(6, gauss(6))"));
  stepper.start(start);
  for (int k = 0; k < 4 * span_steps; ++k) EXPECT_TRUE(stepper.step(quad(1) / quad(200)).converged);
  return stepper.observe().lambda;
}

Told errors(const System& system, const Start& start, const Scheme& scheme, int refinement,
            const std::vector<quad>& exact) {
  Stepper<quad> stepper(system, scheme);
  stepper.start(start);
  for (int k = 0; k < refinement * span_steps; ++k) {
    const StepReport report = stepper.step(quad(1) / quad(50 * refinement));
    EXPECT_TRUE(report.converged && report.retries == 0) << scheme.name << ": " << report.worst;
  }
  Told told;
  told.reported = distance(stepper.observe().lambda, exact);
  std::vector<quad> own;
  if (stepper.end_multiplier(own)) told.own = distance(own, exact);
  return told;
}

void expect_orders(const System& system, const Start& start, const std::vector<const char*>& schemes) {
  const std::vector<quad> exact = exact_multipliers(system, start);
  for (const char* name : schemes) {
    SCOPED_TRACE(system.name() + ", " + name);
    const Scheme scheme = Scheme::named(name);
    const Told coarse = errors(system, start, scheme, 2, exact), fine = errors(system, start, scheme, 4, exact);
    EXPECT_NEAR(std::log2(coarse.reported / fine.reported), scheme.declared.order.q, 0.25) << fine.reported;
    const Galerkin* galerkin = scheme.as<Galerkin>();
    const bool has_own = galerkin != nullptr && galerkin->closure == Closure::hidden;
    EXPECT_EQ(coarse.own > 0, has_own);
    // The control: the scheme's own multiplier is not as good.
    if (has_own) {
      EXPECT_NEAR(std::log2(coarse.own / fine.own), scheme.declared.order.lambda, 0.25) << fine.own;
      EXPECT_GT(fine.own, 10 * fine.reported);
    }
  }
}

const std::vector<const char*> members = {"rattle", "spark(2)", "spark(3)",        "lobatto(3)",
                                          "ggl",    "ggl(2)",   "energy_momentum", "phase_space(2)"};

TEST(ReportedMultipliers, HaveTheOrderOfPositionsOnAPendulum) {
  const Model m = model("pendulum");
  expect_orders(m.system, m.start, members);
}

TEST(ReportedMultipliers, HaveTheOrderOfPositionsOnASpatialDoublePendulum) {
  const Model m = model("double-pendulum-3d");
  expect_orders(m.system, m.start, members);
}

TEST(ReportedMultipliers, HaveTheOrderOfPositionsOnADrivenFourBar) {
  const Model m = read_model_text(driven_four_bar, "driven-four-bar.toml");
  expect_orders(m.system, m.start, members);
}

Mechanism two_bodies() {
  Mechanism m("two bodies");
  m.gravity(0, "0.5", "-9.81");
  const Body a = m.body("a", {.mass = 1, .inertia = {"0.1", "0.2", "0.25"}});
  const Body b = m.body("b", {.mass = 2, .inertia = {"0.3", "0.2", "0.25"}});
  m.place(a, {.position = {"0.1", 0, "-0.5"}, .angular_velocity = {0, 1, 2}});
  m.place(b, {.position = {"0.3", "0.2", -1}});
  m.spherical("tip", m.ground(0, 0, 0), a.at("-0.1", 0, "0.5"));
  m.spherical("ball", a.at("0.1", "0.1", "-0.3"), b.at("-0.1", "-0.1", "0.2"));
  return m;
}

TEST(ReportedMultipliers, HaveTheOrderOfPositionsWithRotations) {
  const Mechanism m = two_bodies();
  expect_orders(m.system(), m.start(),
                {"lie(trapezoidal)", "lie(alpha(0.3))", "suzuki(4, lie(trapezoidal))", "spark(2)"});
}

// Redundant joints: of the multipliers those of least norm are unique, and so are the reactions.
TEST(ReportedMultipliers, ReactionsOfRedundantLoopsAreThoseOfAFineRun) {
  const Model m = model("four-bar-tilted");
  const auto reactions = [&](const char* scheme, int steps) {
    Stepper<double> stepper(m.system, Scheme::named(scheme));
    EXPECT_GT(stepper.start(m.start).redundant, 0);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(0.24 / steps).converged) << scheme;
    std::vector<double> all;
    for (const auto& r : m.mechanism->reactions(stepper.state().q, stepper.observe().lambda))
      for (const auto& part : {r.force, r.torque}) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const std::vector<double> exact = reactions("galerkin(4, gauss(4))", 48);
  for (const auto& [scheme, order] : {std::pair{"rattle", 2}, {"spark(2)", 4}, {"lobatto(3)", 4}, {"ggl(2)", 2}}) {
    const double coarse = distance(reactions(scheme, 6), exact), fine = distance(reactions(scheme, 12), exact);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.3) << scheme << " " << coarse << " " << fine;
  }
}

TEST(ReportedMultipliers, OfRowsAreThoseThatWereAskedFor) {
  const Model m = model("pendulum");
  Span span{.step = "0.02", .until = "0.2", .every = 2};
  const auto motion = run(m.system, "spark(2)", m.start, span);
  span.multipliers = Multipliers::scheme;
  const auto scheme = run(m.system, "spark(2)", m.start, span);
  Stepper<double> stepper(m.system, Scheme::named("spark(2)"));
  stepper.start(m.start);
  for (std::size_t row = 1; row <= 5; ++row) {
    for (int k = 0; k < 2; ++k) stepper.step(0.02);
    std::vector<double> own;
    ASSERT_TRUE(stepper.end_multiplier(own));
    EXPECT_EQ(motion.column("lambda:rod")[row], stepper.observe().lambda[0]);
    EXPECT_EQ(scheme.column("lambda:rod")[row], own[0]);
    EXPECT_NE(own[0], stepper.observe().lambda[0]);
  }
  EXPECT_EQ(motion.column("x"), scheme.column("x"));
  EXPECT_TRUE(motion.notes.empty());
  EXPECT_EQ(scheme.notes, std::vector<std::string>{"spark(2): lambda is the scheme's own multiplier"});
  // Before the first step, and where there is none.
  std::vector<double> none;
  stepper.start(m.start);
  EXPECT_FALSE(stepper.end_multiplier(none));
  const auto other = run(m.system, "ggl", m.start, span);
  EXPECT_EQ(other.notes,
            std::vector<std::string>{
                "ggl has no multiplier of its own at the ends of its steps: lambda is that of the motion"});
}

// With closure variational the multiplier of a node is known after the next step; that of the motion has no need of it.
TEST(ReportedMultipliers, OfVariationalMomentaExistAtTheLastNode) {
  const Model m = model("double-pendulum-3d");
  const auto lambdas = [&](const char* scheme, const char* step, Multipliers multipliers) {
    std::vector<double> all;
    const auto r = run<quad>(m.system, scheme, m.start, {.step = step, .until = "0.16", .multipliers = multipliers});
    for (const std::string& name : m.system.constraint_names())
      for (const std::size_t row : {r.column("t").size() / 2, r.column("t").size() - 1})
        all.push_back(static_cast<double>(r.column("lambda:" + name)[row]));
    return all;
  };
  const std::vector<double> exact = lambdas("galerkin(6, gauss(6))", "0.005", Multipliers::motion);
  const char* scheme = "wenger(3, 3, gauss(3))";
  const double coarse = distance(lambdas(scheme, "0.02", Multipliers::motion), exact),
               fine = distance(lambdas(scheme, "0.01", Multipliers::motion), exact);
  EXPECT_NEAR(std::log2(coarse / fine), Scheme::named(scheme).declared.order.q, 0.25) << fine;
  const std::vector<double> own = lambdas(scheme, "0.01", Multipliers::scheme);
  EXPECT_TRUE(std::isnan(own[1]) && std::isnan(own[3]));
  EXPECT_GT(std::fabs(own[0] - exact[0]), 10 * fine);
}

// spark has closure hidden; with closure projected it is another member of galerkin, which reports the same.
TEST(ReportedMultipliers, OfSparkAreThoseOfTheProjectedMember) {
  const Model m = model("double-pendulum-3d");
  Stepper<quad> spark(m.system, Scheme::named("spark(3)")), projected(m.system, Scheme::named("galerkin(3, gauss(3))"));
  spark.start(m.start);
  projected.start(m.start);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(spark.step(quad(0.02)).converged && projected.step(quad(0.02)).converged);
  EXPECT_LT(distance(spark.observe().lambda, projected.observe().lambda), 1e-28);
}

}  // namespace
}  // namespace extremal::reported_multipliers_test
