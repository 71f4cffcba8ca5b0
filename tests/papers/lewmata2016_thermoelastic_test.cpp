// The thermoelastic systems of [LewMata2016, sections 2.2, 3.1 and 3.5]: temperatures as velocities, entropies as
// momenta; a free triangle against an independent solution, and an assembly with supports, one of which moves.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "measured_order.hpp"
#include "reference_data.hpp"
#include "validation.hpp"

namespace extremal::papers::lewmata2016_thermoelastic_test {
namespace {

const std::vector<Member> members = {{"rectangle(0)", 1},
                                     {"rectangle(1)", 1},
                                     {"alpha(0.3)", 1},
                                     {"midpoint", 2},
                                     {"trapezoidal", 2},
                                     {"quadratic", 4},
                                     {"galerkin(2, gauss(2))", 4},
                                     {"galerkin(3, gauss(3))", 6},
                                     {"galerkin(3, lobatto(4))", 6}};

template <class S>
const std::vector<S>& column(const std::vector<Column<S>>& all, const std::string& name) {
  for (const Column<S>& c : all)
    if (c.name == name) return c.values;
  throw std::runtime_error("no column " + name);
}

TEST(ThermoelasticTriangle, ExactStateAtTwo) {
  const Model m = model("thermoelastic-triangle");
  const auto run = extremal::run<quad>(m.system, "galerkin(8, gauss(8))", m.start, {.step = "1/40", .until = 2});
  const auto seen = m.network->observe(run);
  const auto at_end = [&](const std::string& prefix, const std::string& mass) {
    std::vector<quad> all;
    for (const char* k : {".x", ".y", ".z"}) all.push_back(run.column(prefix + mass + k).back());
    return all;
  };
  const auto digits = [](const std::vector<std::string>& texts) { return quads(Json(texts)); };
  const auto compare = [&](const std::vector<quad>& found, const std::vector<std::string>& expected, double unit) {
    EXPECT_LT(distance(found, digits(expected)), unit) << expected[0];
  };
  // Half a unit of the last digit that is known, or a little more.
  compare(at_end("", "m1"), {".12495237386452574", ".56367364304446415", ".55144790221218361"}, 1e-16);
  compare(at_end("", "m2"), {"1.0948199279253231", ".52471185287871158", ".040648772388255604"}, 2e-16);
  compare(at_end("", "m3"), {".39140886712374478", ".89962928881873424", "-.45621053039728351"}, 1e-16);
  compare(at_end("p:", "m1"), {"-.045757994489079066", ".30962838315914046", ".51383861963197996"}, 1e-16);
  std::vector<quad> temperatures;
  for (const char* k : {"k1", "k2", "k3"}) temperatures.push_back(column(seen, k + std::string(".temperature")).back());
  compare(temperatures, {"310.86726074795819", "311.03642713069648", "289.45610270588164"}, 1e-14);
  EXPECT_LT(magnitude(column(seen, "E").front() - quad_of("1.8486261065807536")), 1e-16);
  EXPECT_LT(magnitude(column(seen, "E").back() - column(seen, "E").front()), 1e-18);
}

TEST(ThermoelasticTriangle, Orders) {
  const Model m = model("thermoelastic-triangle");
  const State<quad> exact = end_state<quad>(m, Scheme::named("galerkin(8, gauss(8))"), 2, 80);
  for (const Member& member : members) {
    const MeasuredOrder order = expect_order(m, member, exact, 2, {80, 160, 320});
    record("thermoelastic-orders",
           fmt::format("| triangle | {} | {} | {:.2f} | {:.2f} |", member.scheme, member.order, order.q, order.p));
  }
}

// 2000 steps in double. The bounds of the momenta are what a plain implementation without compensated sums had; dL/dphi
// is 0 and not only small, so that entropies do not change by a single bit.
TEST(ThermoelasticTriangle, MomentaAndEntropiesAreConserved) {
  const Model m = model("thermoelastic-triangle");
  for (const Member& member : members) {
    SCOPED_TRACE(member.scheme);
    const auto run = extremal::run<double>(m.system, member.scheme, m.start, {.step = "0.01", .until = 20});
    ASSERT_EQ(run.status, Status::complete) << run.reason;
    ASSERT_EQ(run.momentum_error.size(), 9U);
    double linear = 0, angular = 0;
    for (const auto& momentum : run.momentum_error) {
      const double change = momentum.values[0];
      if (momentum.name.starts_with("along"))
        linear = std::max(linear, change);
      else if (momentum.name.starts_with("about"))
        angular = std::max(angular, change);
      else
        EXPECT_EQ(change, 0) << momentum.name;
    }
    if (member.order < 6)  // beyond it is round-off
      record("thermoelastic-energy", fmt::format("| {} | {:.1e} |", member.scheme, run.energy_max_error));
    EXPECT_LT(linear, 2.7e-15);
    EXPECT_LT(angular, 1.9e-14);
    const auto seen = m.network->observe(run);
    for (const char* k : {"k1", "k2", "k3"}) {
      const auto& entropy = column(seen, k + std::string(".entropy"));
      EXPECT_EQ(entropy, run.column(std::string("p:") + k));
      EXPECT_EQ(std::count(entropy.begin(), entropy.end(), entropy[0]), 2001) << k;
      const auto& theta = column(seen, k + std::string(".temperature"));
      EXPECT_GT(*std::max_element(theta.begin(), theta.end()) - *std::min_element(theta.begin(), theta.end()), 5) << k;
    }
  }
}

TEST(ThermoelasticTriangle, EnergyOfTheMidpointRule) {
  const Model m = model("thermoelastic-triangle");
  const auto run = extremal::run<double>(m.system, "midpoint", m.start, {.step = "0.01", .until = 20});
  const auto seen = m.network->observe(run);
  const auto& E = column(seen, "E");
  double worst = 0;
  for (const double value : E) worst = std::max(worst, std::fabs(value - E[0]));
  EXPECT_NEAR(E[0], 1.8486261065807536, 1e-14);
  EXPECT_NEAR(worst, 2.1e-5, half_unit(2.1e-5, 2));
  EXPECT_NEAR(worst, run.energy_max_error, 1e-13);  // H and E differ by theta_r times the entropies
  EXPECT_LT(std::fabs(run.drift.slope), 3 * run.drift.slope_error);
  for (const double power : column(seen, "power")) EXPECT_EQ(power, 0);
}

// The triangle by hand: strains, entropies and dA/dq at places q and warmths theta - theta_r.
struct ByHand {
  const quad mass[3] = {1, quad(3) / 2, 2}, mu[3] = {10, 12, 8}, theta_r = 300,
             beta[3] = {quad(20) / 1000, quad(15) / 1000, quad(25) / 1000},
             c[3] = {quad(5) / 100, quad(4) / 100, quad(6) / 100};
  std::vector<quad> strain = std::vector<quad>(3), entropy = std::vector<quad>(3), slope = std::vector<quad>(9);
  quad stretching[3];  // e' for velocities v

  void look(const std::vector<quad>& q, const std::vector<quad>& v, const std::vector<quad>& warmth) {
    std::fill(slope.begin(), slope.end(), quad(0));
    for (std::size_t s = 0; s < 3; ++s) {
      const std::size_t x = 3 * s, y = 3 * ((s + 1) % 3);
      quad r[3], u = 0, rate = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        r[i] = q[y + i] - q[x + i];
        u += r[i] * r[i];
        rate += r[i] * (v[y + i] - v[x + i]);
      }
      strain[s] = math::log(u) / 2;
      stretching[s] = rate / u;
      entropy[s] = beta[s] * strain[s] + c[s] * math::log(1 + warmth[s] / theta_r);
      for (std::size_t i = 0; i < 3; ++i) {
        const quad f = (mu[s] * strain[s] - beta[s] * warmth[s]) * r[i] / u;
        slope[x + i] -= f;
        slope[y + i] += f;
      }
    }
  }
};

std::vector<quad> part(const std::vector<quad>& x, int first, int count) {
  return {x.begin() + first, x.begin() + first + count};
}

// p^k = M (q^{k+1} - q^k)/h + (h/2) A_q, the printed sign is that of p^{k+1}; eta^k = -A_theta, both of the midpoint
// [LewMata2016, section 3.5].
TEST(ThermoelasticTriangle, MomentaOfTheMidpointRule) {
  const Model m = model("thermoelastic-triangle");
  const quad h = quad(1) / 100;
  Stepper<quad> stepper(m.system, Scheme::named("midpoint"));
  stepper.start(m.start);
  ByHand middle;
  for (int k = 0; k < 10; ++k) {
    const State<quad> a = stepper.state();
    ASSERT_TRUE(stepper.step(h).converged);
    const State<quad> b = stepper.state();
    std::vector<quad> q(12), v(12), p0(9), p1(9);
    for (std::size_t i = 0; i < 12; ++i) {
      q[i] = (a.q[i] + b.q[i]) / 2;
      v[i] = (b.q[i] - a.q[i]) / h;
    }
    middle.look(q, v, part(v, 9, 3));
    for (std::size_t i = 0; i < 9; ++i) {
      p0[i] = middle.mass[i / 3] * v[i] + h / 2 * middle.slope[i];
      p1[i] = middle.mass[i / 3] * v[i] - h / 2 * middle.slope[i];
    }
    EXPECT_LT(distance(p0, part(a.p, 0, 9)), 1e-30);
    EXPECT_LT(distance(p1, part(b.p, 0, 9)), 1e-30);
    EXPECT_LT(distance(middle.entropy, part(b.p, 9, 3)), 1e-30);
    EXPECT_GT(distance(p1, p0), 1e-4);
  }
}

// (74): momenta and entropies of the quadratic rule, from its middle node and from the forces f = -A_q and entropies
// Gamma = -A_theta at the three nodes, by the velocities that the parabola has there.
TEST(ThermoelasticTriangle, MomentaOfTheQuadraticRule) {
  const Model m = model("thermoelastic-triangle");
  const quad h = quad(1) / 100;
  Stepper<quad> stepper(m.system, Scheme::named("quadratic"));
  stepper.start(m.start);
  ByHand start, middle, end;
  DensePoint<quad> half;
  for (int k = 0; k < 10; ++k) {
    const State<quad> a = stepper.state();
    ASSERT_TRUE(stepper.step(h).converged);
    const State<quad> b = stepper.state();
    stepper.dense(quad(1) / 2, half);
    std::vector<quad> v0(12), v(12), v1(12), p0(9), p1(9), eta0(3), eta1(3);
    for (std::size_t i = 0; i < 12; ++i) {
      v0[i] = (4 * half.q[i] - 3 * a.q[i] - b.q[i]) / h;
      v[i] = (b.q[i] - a.q[i]) / h;
      v1[i] = (a.q[i] - 4 * half.q[i] + 3 * b.q[i]) / h;
    }
    start.look(a.q, v0, part(v0, 9, 3));
    middle.look(half.q, v, part(v, 9, 3));
    end.look(b.q, v1, part(v1, 9, 3));
    for (std::size_t i = 0; i < 9; ++i) {
      const quad mass = start.mass[i / 3] / (3 * h);
      p0[i] = mass * (8 * half.q[i] - 7 * a.q[i] - b.q[i]) + h / 6 * start.slope[i];
      p1[i] = mass * (a.q[i] - 8 * half.q[i] + 7 * b.q[i]) - h / 6 * end.slope[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      eta0[i] = (3 * start.entropy[i] - end.entropy[i] + 4 * middle.entropy[i]) / 6;
      eta1[i] = (3 * end.entropy[i] - start.entropy[i] + 4 * middle.entropy[i]) / 6;
    }
    EXPECT_LT(distance(p0, part(a.p, 0, 9)), 1e-30);
    EXPECT_LT(distance(p1, part(b.p, 0, 9)), 1e-30);
    EXPECT_LT(distance(eta0, part(a.p, 9, 3)), 1e-30);
    EXPECT_LT(distance(eta1, part(b.p, 9, 3)), 1e-30);
    EXPECT_GT(distance(start.entropy, part(a.p, 9, 3)), 5e-8);
  }
}

// The negative control: explicit Euler for q'' = -A_q / m and theta' = -theta beta e' / c, which says eta' = 0. It
// keeps linear momentum, as any method does that is a sum of forces, and nothing else.
TEST(ThermoelasticTriangle, ExplicitEulerLosesEntropyAndAngularMomentum) {
  const Start start = model("thermoelastic-triangle").start;
  std::vector<quad> q, v, warmth;
  for (std::size_t i = 0; i < 12; ++i) {
    if (i < 9) q.push_back(start.q[i].as<quad>());
    (i < 9 ? v : warmth).push_back(start.v[i].as<quad>());
  }
  ByHand now;
  const auto about_z = [&] {
    quad sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += now.mass[i] * (q[3 * i] * v[3 * i + 1] - q[3 * i + 1] * v[3 * i]);
    return sum;
  };
  now.look(q, v, warmth);
  const std::vector<quad> entropy = now.entropy;
  const quad momentum = about_z(), h = quad(1) / 100;
  for (int k = 0; k < 200; ++k) {
    for (std::size_t i = 0; i < 9; ++i) {
      q[i] += h * v[i];
      v[i] -= h * now.slope[i] / now.mass[i / 3];
    }
    for (std::size_t s = 0; s < 3; ++s)
      warmth[s] -= h * (now.theta_r + warmth[s]) * now.beta[s] * now.stretching[s] / now.c[s];
    now.look(q, v, warmth);
  }
  EXPECT_GT(distance(now.entropy, entropy), 1e-5);
  EXPECT_GT(magnitude(about_z() - momentum), 1e-3);
}

// Rules of order 1 need shorter steps: their errors of second order are not small here.
TEST(ThermoelasticEight, OrdersWithAMovingSupport) {
  const Model m = model("thermoelastic-eight");
  const State<quad> exact = end_state<quad>(m, Scheme::named("galerkin(8, gauss(8))"), 1, 80);
  for (const Member& member : members) {
    const MeasuredOrder order =
        expect_order(m, member, exact, 1, member.order == 1 ? std::vector{200, 400, 800} : std::vector{80, 160, 320});
    record("thermoelastic-orders",
           fmt::format("| eight | {} | {} | {:.2f} | {:.2f} |", member.scheme, member.order, order.q, order.p));
  }
}

// The largest difference between the change of E and what the support has supplied, with Simpson's rule for the
// integral of the power.
double imbalance(const ThermoelasticNetwork& network, const char* scheme, const Number& step, double* exchanged) {
  const auto run = extremal::run<double>(network.system(), scheme, network.start(), {.step = step, .until = 4});
  if (run.status != Status::complete) throw std::runtime_error(run.reason);
  const auto seen = network.observe(run);
  const auto &E = column(seen, "E"), &power = column(seen, "power");
  const double h = step.as<double>();
  double supplied = 0, worst = 0;
  for (std::size_t k = 2; k < E.size(); k += 2) {
    supplied += h / 3 * (power[k - 2] + 4 * power[k - 1] + power[k]);
    worst = std::max(worst, std::fabs(E[k] - E[0] - supplied));
    *exchanged = std::max(*exchanged, std::fabs(supplied));
  }
  return worst;
}

TEST(ThermoelasticEight, EnergyIsWhatTheSupportSupplies) {
  const Model m = model("thermoelastic-eight");
  // Simpson's rule alone has order 4.
  for (const Member& member : {Member{"midpoint", 2}, Member{"quadratic", 4}, Member{"galerkin(3, gauss(3))", 4}}) {
    SCOPED_TRACE(member.scheme);
    double exchanged = 0;
    double before = 0;
    for (const char* step : {"0.02", "0.01", "0.005"}) {
      const double now = imbalance(*m.network, member.scheme, step, &exchanged);
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / now), member.order, 0.25) << step;
      }
      before = now;
    }
    record("thermoelastic-balance", fmt::format("| {} | {:.2f} | {:.1e} |", member.scheme, exchanged, before));
    EXPECT_GT(exchanged, 0.9);  // without the power there is no balance
  }
}

}  // namespace
}  // namespace extremal::papers::lewmata2016_thermoelastic_test
