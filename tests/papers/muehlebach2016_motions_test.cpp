// [Muehlebach2016, section 6]: end states of all its pendulums against independent values, and the orders with forces,
// a moving pivot and a varying length.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

}  // namespace
}  // namespace extremal::papers::muehlebach2016_motions_test
