// [Muehlebach2016, section 6]: end states of all its pendulums against independent values, and the orders with forces,
// a moving pivot and a varying length.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/lu.hpp"
#include "distance.hpp"
#include "exact_motion.hpp"
#include "reference_data.hpp"

namespace extremal::papers::muehlebach2016_motions_test {
namespace {

constexpr int steps_of_table = 50;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Numbers of an independent implementation in double.
TEST(Members, EndStates) {
  struct Case {
    const char *model, *scheme;
    std::vector<double> q, p;
  };
  const std::vector<Case> cases = {
      {"pendulum-polar", "phase_space(2, quadrature=gauss(12))", {1.3446646740133382}, {10.661657542528163}},
      {"pendulum-polar", "phase_space(2)", {1.3447168534250527}, {10.661272588284099}},
      {"pendulum-polar",
       "phase_space(2, quadrature=gauss(12), continuity=q_continuous)",
       {1.343305078386216},
       {10.671431528200354}},
      {"pendulum-cartesian",
       "phase_space(2)",
       {1.9489605914366441, -.44894611372293502},
       {1.1967121494812901, 5.1951553813246024}},
  };
  for (const Case& c : cases) {
    const Model m = model(c.model);
    const auto in = [&](auto scalar) {
      using S = decltype(scalar);
      Stepper<S> stepper(m.system, Scheme::named(c.scheme));
      stepper.start(m.start);
      for (int i = 0; i < steps_of_table; ++i) EXPECT_TRUE(stepper.step(Number("0.3").as<S>()).converged);
      return stepper.state();
    };
    // Half a unit of the sixteenth digit in quad; in double what the errors of fifty steps grow to.
    const auto fine = in(quad(0));
    EXPECT_LE(distance(fine.q, c.q), 5e-16) << c.scheme;
    EXPECT_LE(distance(fine.p, c.p), 5e-15) << c.scheme;
    const auto coarse = in(0.0);
    EXPECT_LE(distance(coarse.q, c.q), 2e-13) << c.scheme;
    EXPECT_LE(distance(coarse.p, c.p), 2e-13) << c.scheme;
  }
}

TEST(Members, FirstStep) {
  const auto step = [](const char* name, const char* scheme) {
    const Model m = model(name);
    Stepper<double> stepper(m.system, Scheme::named(scheme));
    stepper.start(m.start);
    EXPECT_TRUE(stepper.step(0.3).converged);
    return stepper.state();
  };
  const auto polar = step("pendulum-polar", "phase_space(2, quadrature=gauss(12))");
  EXPECT_LE(distance(polar.q, std::vector<double>{1.8999442566389775}), 1e-15);
  EXPECT_LE(distance(polar.p, std::vector<double>{-5.2673360467105651}), 2e-15);
  const auto cartesian = step("pendulum-cartesian", "phase_space(2)");
  const std::vector<double> q{1.8926375146619868, .64646982767496394}, p_z{-.060927918422187885, -2.803867657056623};
  EXPECT_LE(distance(cartesian.q, q), 1e-15);
  // Without its normal part, which is a gauge.
  const double normal = (q[0] * p_z[0] + q[1] * p_z[1]) / 4;
  EXPECT_GT(std::fabs(normal), 0.1);
  EXPECT_LE(distance(cartesian.p, std::vector<double>{p_z[0] - normal * q[0], p_z[1] - normal * q[1]}), 2e-15);
}

struct EndState {
  const char* model;
  Start start;  // the model's own if empty
  Number until;
  std::vector<std::string> q, p, force;
};
void PrintTo(const EndState& state, std::ostream* out) { *out << state.model; }

// Half a unit of the last printed digit.
void expect_printed(quad x, const std::string& text) {
  const auto decimals = text.size() - text.find('.') - 1;
  EXPECT_LE(magnitude(x - quad_of(text)), 0.5001 * std::pow(10.0, -static_cast<double>(decimals))) << text;
}
void expect_printed(const std::vector<quad>& x, const std::vector<std::string>& text) {
  ASSERT_EQ(x.size(), text.size());
  for (std::size_t i = 0; i < x.size(); ++i) expect_printed(x[i], text[i]);
}

class EndStates : public testing::TestWithParam<EndState> {};

TEST_P(EndStates, OfTheMotion) {
  const EndState& reference = GetParam();
  Model m = model(reference.model);
  if (!reference.start.q.empty()) m.start = reference.start;
  const quad t = reference.until.as<quad>();
  const State<quad> end = exact_motion<quad>(m, {t}, 0.04)[0];
  expect_printed(end.q, reference.q);
  expect_printed(end.p, reference.p);
  if (!reference.force.empty()) {
    Stepper<quad> stepper(m.system, Scheme::named("phase_space(8)"));
    stepper.place(end);
    std::vector<quad> force = stepper.observe().lambda;
    for (quad& f : force) f = -f;  // p_g' = -lambda
    expect_printed(force, reference.force);
  }
  // More digits than are printed: another degree and the other family, which has no Hamiltonian.
  const int steps = static_cast<int>(std::lround(static_cast<double>(t) / 0.03));
  for (const char* scheme : {"phase_space(7)", "spark(8)"}) {
    if (scheme == std::string("spark(8)") && reference.model == std::string("nonseparable")) continue;
    Stepper<quad> stepper(m.system, Scheme::named(scheme));
    stepper.start(m.start);
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(stepper.step(t / steps).converged);
    EXPECT_LE(distance(stepper.state().q, end.q), 1e-25) << scheme;
    EXPECT_LE(distance(stepper.state().p, end.p), 1e-25) << scheme;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , EndStates,
    testing::Values(
        EndState{"pendulum-polar", {}, 15, {"1.344697360171096154"}, {"10.66146797400666279"}, {}},
        EndState{
            "pendulum-polar", {.q = {2}, .p = {2}}, "1.5", {"-1.420909014765671425"}, {"-9.63102942038465591"}, {}},
        EndState{"pendulum-polar-forced", {}, 5, {"-1.260037578820436563"}, {"-.25266396163613103594"}, {}},
        EndState{"pendulum-polar-damped", {}, 5, {"-.95856067777353375"}, {".43987373938529520"}, {}},
        EndState{"pendulum-polar-moving-pivot", {}, 3, {"1.0911875144676278091"}, {"7.0050941573795489353"}, {}},
        EndState{"pendulum-polar-varying-length", {}, 3, {"1.0324743944859649108"}, {".51319275128996141829"}, {}},
        EndState{"pendulum-cartesian",
                 {},
                 15,
                 {"1.949096664059844", "-.4483549867580241"},
                 {"1.195030583076714", "5.195057915529312"},
                 {"-4.101885907536081"}},
        EndState{"pendulum-cartesian-moving-pivot",
                 {},
                 3,
                 {"1.7743509944564698", "-.66970812985673635"},
                 {"1.6161878596021458", "3.7512614477024242"},
                 {"-2.1978842495050284"}},
        EndState{"pendulum-cartesian-varying-length",
                 {},
                 3,
                 {"1.6451711082526510", "-.98241539004082734"},
                 {".63193512353538726", "-.065421790498660755"},
                 {"-1.2346683129396608"}},
        EndState{"nonseparable",
                 {},
                 2,
                 {"-.28614489742017311", ".51049891216041298"},
                 {"-.80184456121785907", ".15883369621143687"},
                 {}}),
    [](const auto& test) { return identifier(std::string(test.param.model) + " t " + test.param.until.text()); });

// The largest error at ten times, so that no zero of an error poses as a higher order.
struct Orders {
  double q = 0, p = 0;
};

std::vector<Orders> slopes(const Model& m, const std::string& scheme, const std::vector<int>& refinements) {
  const quad until = m.span.until.as<quad>();
  constexpr int stations = 10;
  std::vector<quad> times;
  for (int i = 1; i <= stations; ++i) times.push_back(until * i / stations);
  const auto exact = exact_motion<quad>(m, times);
  std::vector<Orders> errors, out;
  for (const int steps : refinements) {  // between two stations
    Stepper<quad> stepper(m.system, Scheme::named(scheme));
    stepper.start(m.start);
    Orders worst;
    for (int i = 0; i < stations; ++i) {
      for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(until / (stations * steps)).converged);
      worst.q = std::max(worst.q, distance(stepper.state().q, exact[at(i)].q));
      worst.p = std::max(worst.p, distance(stepper.state().p, exact[at(i)].p));
    }
    errors.push_back(worst);
  }
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double ratio = std::log2(static_cast<double>(refinements[i]) / refinements[i - 1]);
    out.push_back({std::log2(errors[i - 1].q / errors[i].q) / ratio, std::log2(errors[i - 1].p / errors[i].p) / ratio});
  }
  return out;
}

class OrderWithTime : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(OrderWithTime, IsDeclared) {
  const auto [name, scheme] = GetParam();
  const Model m = model(name);
  const Declared declared = Scheme::named(scheme).declared;
  const int order = m.system.constraint_count() > 0 ? declared.order.q : declared.order_free;
  for (const Orders& slope : slopes(m, scheme, {8, 16, 32})) {
    EXPECT_NEAR(slope.q, order, 0.25);
    EXPECT_NEAR(slope.p, order, 0.25);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , OrderWithTime,
    testing::Combine(testing::Values("pendulum-polar-forced", "pendulum-polar-damped", "pendulum-polar-moving-pivot",
                                     "pendulum-polar-varying-length", "pendulum-cartesian-damped",
                                     "pendulum-cartesian-moving-pivot", "pendulum-cartesian-varying-length"),
                     testing::Values("phase_space(1)", "phase_space(2)", "spark(2)")),
    [](const auto& test) { return identifier(std::string(std::get<0>(test.param)) + " " + std::get<1>(test.param)); });

// A step of degree 1 by (37), by hand, for H = |p|^2 / 2 + y on the unit circle: unknowns q~ and p~ at both ends, p_g
// at both ends and p_z at the end. `literal` takes W(q) at q~(0)+ in the start (38), as (71) prints it.
using Two = std::array<quad, 2>;
struct OnCircle {
  quad h;
  bool literal = false;

  static quad gap(const Two& q) { return (q[0] * q[0] + q[1] * q[1] - 1) / 2; }

  std::vector<quad> residual(const Two& q, const Two& p, const std::vector<quad>& x) const {
    const Two q0{x[0], x[1]}, q1{x[2], x[3]}, p0{x[4], x[5]}, p1{x[6], x[7]}, pz{x[10], x[11]};
    const quad g0 = x[8], g1 = x[9], node = math::sqrt(quad(1) / 12), gravity[2] = {0, 1};
    std::vector<quad> r(12, quad(0));
    for (const quad c : {quad(0.5) - node, quad(0.5) + node}) {
      const quad phi[2] = {1 - c, c};
      for (std::size_t i = 0; i < 2; ++i) {
        const quad at_c = phi[0] * q0[i] + phi[1] * q1[i], momentum = phi[0] * p0[i] + phi[1] * p1[i];
        for (std::size_t a = 0; a < 2; ++a) {
          r[2 * a + i] += phi[a] / 2 * (p1[i] - p0[i] + h * gravity[i] - at_c * (g1 - g0));
          r[4 + 2 * a + i] -= phi[a] / 2 * (q1[i] - q0[i] - h * momentum);
        }
      }
      const quad g = gap({phi[0] * q0[0] + phi[1] * q1[0], phi[0] * q0[1] + phi[1] * q1[1]});
      r[8] += g / 2;
      r[9] -= g / 2;
    }
    r[8] -= gap(q);
    r[9] += gap(q1);
    for (std::size_t i = 0; i < 2; ++i) {
      r[2 + i] += pz[i] - p1[i] + q1[i] * g1;
      r[4 + i] -= q0[i] - q[i];
      r[10 + i] = p[i] - p0[i] + (literal ? q0 : q)[i] * g0;
    }
    return r;
  }

  // Angle and angular velocity after a step: Newton's method with a matrix of differences.
  Two step(quad angle, quad rate) const {
    const quad c = math::cos(angle), s = math::sin(angle);
    const Two q{s, -c}, p{rate * c, rate * s};
    std::vector<quad> x{q[0], q[1], q[0] + h * p[0], q[1] + h * p[1], p[0], p[1], p[0], p[1], 0, 0, p[0], p[1]};
    for (int iteration = 0; iteration < 40; ++iteration) {
      Lu<quad> lu(12);
      for (std::size_t k = 0; k < 12; ++k) {
        std::vector<quad> up = x, down = x;
        up[k] += quad(1e-10), down[k] -= quad(1e-10);
        const std::vector<quad> a = residual(q, p, up), b = residual(q, p, down);
        for (std::size_t i = 0; i < 12; ++i) lu.row(static_cast<int>(i))[k] = (a[i] - b[i]) / quad(2e-10);
      }
      EXPECT_LT(lu.factor(), 0);
      std::vector<quad> r = residual(q, p, x);
      lu.solve(r.data());
      for (std::size_t i = 0; i < 12; ++i) x[i] -= r[i];
    }
    return {math::atan2(x[2], -x[3]), -x[10] * x[3] + x[11] * x[2]};
  }

  // That of the area of (angle, rate): 0 for a symplectic step.
  double defect(quad angle, quad rate) const {
    const quad d = 1e-8;
    const Two a = step(angle + d, rate), b = step(angle - d, rate), e = step(angle, rate + d),
              f = step(angle, rate - d);
    return static_cast<double>(((a[0] - b[0]) * (e[1] - f[1]) - (a[1] - b[1]) * (e[0] - f[0])) / (4 * d * d) - 1);
  }
};

TEST(Equation71, AsPrintedIsNotSymplecticAndAsIn38ItIsTheStep) {
  const quad h = quad(1) / 10, angle = 0.6, rate = 0.8;
  const OnCircle right{h}, printed{h, true};
  EXPECT_LT(std::fabs(right.defect(angle, rate)), 1e-13);  // of the differences
  EXPECT_GT(std::fabs(printed.defect(angle, rate)), 1e-7);
  const Model m = read_model_text(
      "coordinates = ['x', 'y']\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = 'y'\n[[constraint]]\nname = 'rod'\n"
      "formula = '(x^2 + y^2 - 1)/2'\n[start]\nx = 'sin(0.6)'\ny = '-cos(0.6)'\n"
      "velocity = { x = '0.8*cos(0.6)', y = '0.8*sin(0.6)' }\n",
      "circle.toml");
  Stepper<quad> stepper(m.system, Scheme::named("phase_space(1)"));
  stepper.start(m.start);
  ASSERT_TRUE(stepper.step(h).converged);
  const State<quad>& end = stepper.state();
  const Two by_hand = right.step(quad(6) / 10, quad(8) / 10);
  EXPECT_LT(static_cast<double>(math::abs(math::atan2(end.q[0], -end.q[1]) - by_hand[0])), 1e-28);
  EXPECT_LT(static_cast<double>(math::abs(-end.p[0] * end.q[1] + end.p[1] * end.q[0] - by_hand[1])), 1e-28);
}

}  // namespace
}  // namespace extremal::papers::muehlebach2016_motions_test
