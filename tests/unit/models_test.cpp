// The models of models/: energies and constraints against independent values with 20 and more digits, starts that are
// consistent, symmetries that are symmetries. In quad, where a constant that was born as a double would show.
#include "extremal/models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "extremal/error.hpp"
#include "refusal.hpp"
#include "system/evaluation.hpp"
#include "system/hamiltonian.hpp"

namespace extremal::models_test {
namespace {

using testing::HasSubstr;

// Sums of about ten products of numbers of size 1 to 10.
const quad floor_of_sums = 100 * Scalar<quad>::epsilon;

double magnitude(quad x) { return static_cast<double>(math::abs(x)); }

struct Probe {
  Model m;
  Evaluation<quad> evaluation;
  std::vector<quad> q, v, t;

  explicit Probe(Model with)
      : m(std::move(with)), evaluation(m.system, 1), q(values(m.start.q)), v(values(m.start.v)), t{quad(0)} {}
  explicit Probe(const std::string& name) : Probe(model(name)) {}

  std::vector<quad> values(const std::vector<Number>& numbers) const {
    std::vector<quad> all(static_cast<std::size_t>(m.system.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) all[i] = numbers[i].as<quad>();
    return all;
  }
  // Away from the start, and off the constraints; velocities by a part of the largest, which may be a temperature.
  void disturb() {
    quad speed = 1;
    for (const quad& x : v) speed = math::max(speed, math::abs(x));
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += quad(2 * static_cast<int>(i * 7 % 5) - 3) / 32;
      v[i] += speed * quad(static_cast<int>(i * 3 % 7) - 3) / 8;
    }
    t[0] = quad(1) / 3;
  }
  quad energy() {
    quad kinetic, potential;
    evaluation.energies(q.data(), v.data(), t.data(), kinetic, potential);
    return kinetic + potential;
  }
  std::vector<quad> g() {
    std::vector<quad> value(static_cast<std::size_t>(m.system.constraint_count()));
    evaluation.constraints(1, q.data(), t.data(), value.data(), nullptr, nullptr);
    return value;
  }
  std::vector<quad> forces() {
    std::vector<quad> value(q.size());
    evaluation.forces(q.data(), v.data(), t.data(), value.data());
    return value;
  }
  // Of a system that is given by H its velocities, with momenta where others have velocities.
  std::vector<quad> momenta() {
    std::vector<quad> Lq(q.size()), Lv(q.size());
    if (m.system.has(Role::hamiltonian))
      HamiltonianEvaluation<quad>(m.system, 1).gradient(1, q.data(), v.data(), t.data(), nullptr, Lq.data(), Lv.data());
    else
      evaluation.gradient(1, q.data(), v.data(), t.data(), nullptr, Lq.data(), Lv.data());
    return Lv;
  }
  // G w, the change of the constraints along w.
  std::vector<quad> along(const std::vector<quad>& w) {
    const std::size_t rows = g().size();
    std::vector<quad> value(rows), G(rows * q.size()), g_t(rows), change(rows);
    evaluation.constraints(1, q.data(), t.data(), value.data(), G.data(), g_t.data());
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t i = 0; i < q.size(); ++i) change[r] += G[r * q.size() + i] * w[i];
    return change;
  }
  // The largest change of L and of the constraints along symmetry k.
  quad asymmetry(int k) {
    const std::size_t n = q.size();
    std::vector<quad> field(n), lifted(n), Lq(n), Lv(n);
    evaluation.symmetry(k, q.data(), v.data(), t.data(), field.data(), lifted.data());
    evaluation.gradient(1, q.data(), v.data(), t.data(), nullptr, Lq.data(), Lv.data());
    quad change = 0;
    for (std::size_t i = 0; i < n; ++i) change += Lq[i] * field[i] + Lv[i] * lifted[i];
    quad largest = math::abs(change);
    for (quad x : along(field)) largest = math::max(largest, math::abs(x));
    return largest;
  }
};

class EveryModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(model_names()), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(EveryModel, HasItsNameAndSaysWhatItIs) {
  const Model m = model(GetParam());
  EXPECT_EQ(m.system.name(), GetParam());
  EXPECT_FALSE(m.title.empty());
  EXPECT_FALSE(m.citation.empty());
  EXPECT_EQ(m.start.q.size(), static_cast<std::size_t>(m.system.size()));
  const quad steps = m.span.until.as<quad>() / m.span.step.as<quad>();
  EXPECT_LE(magnitude(steps - static_cast<int>(steps + quad(0.5))), magnitude(steps * Scalar<quad>::epsilon))
      << "until is not a multiple of the step";
}

TEST_P(EveryModel, StartsOnItsConstraints) {
  Probe probe(GetParam());
  for (quad x : probe.g()) EXPECT_LE(magnitude(x), magnitude(floor_of_sums));
  for (quad x : probe.along(probe.v)) EXPECT_LE(magnitude(x), magnitude(floor_of_sums));
}

TEST_P(EveryModel, LeavesItsConstraintsWhenDisturbed) {
  Probe probe(GetParam());
  probe.disturb();
  const std::vector<quad> once = probe.g();
  probe.disturb();  // among hundreds of rows, one may be crossed by accident
  const std::vector<quad> twice = probe.g();
  for (std::size_t r = 0; r < once.size(); ++r)
    EXPECT_GT(math::max(math::abs(once[r]), math::abs(twice[r])), quad(1e-3)) << r;
}

TEST_P(EveryModel, HasTheSymmetriesItNames) {
  Probe probe(GetParam());
  // A rotation turns the rows of a joint into each other: a mechanism has it on its constraints only.
  if (probe.m.mechanism == nullptr) probe.disturb();
  for (int k = 0; k < probe.evaluation.symmetry_count(); ++k)
    EXPECT_LE(magnitude(probe.asymmetry(k)), magnitude(floor_of_sums)) << "symmetry " << k;
}

// Gravity, stiffness, masses and lengths are parameters of the terms and not only on paper.
TEST_P(EveryModel, FeelsEveryParameter) {
  const Model m = model(GetParam());
  Probe before(m);
  before.disturb();
  for (std::size_t i = 0; i < m.system.parameter_names().size(); ++i) {
    Model changed = m;
    const std::string& name = m.system.parameter_names()[i];
    changed.system = m.system.with(name, Number(m.system.parameters()[i].text() + "+1/4"));
    Probe after(changed);
    after.disturb();
    quad change = math::abs(after.energy() - before.energy());
    const auto g0 = before.g(), g1 = after.g();
    for (std::size_t r = 0; r < g0.size(); ++r) change += math::abs(g1[r] - g0[r]);
    const auto f0 = before.forces(), f1 = after.forces();
    for (std::size_t r = 0; r < f0.size(); ++r) change += math::abs(f1[r] - f0[r]);
    // The energy does not know what is linear in v, as the coupling of a thermoelastic spring.
    const auto p0 = before.momenta(), p1 = after.momenta();
    for (std::size_t r = 0; r < p0.size(); ++r) change += math::abs(p1[r] - p0[r]);
    EXPECT_GT(magnitude(change), 1e-3) << name;
  }
}

TEST(Models, FalseSymmetryIsSeen) {
  Model m = model("pendulum");
  const auto turn = [](const auto& q) { return rows(-q[1], q[0]); };
  m.system.symmetry("about z", Coordinates<2>{{0, 1}}, turn);
  Probe probe(m);
  EXPECT_GT(magnitude(probe.asymmetry(0)), 1);  // gravity
}

TEST(Models, EnergiesAgreeWithIndependentValues) {
  const auto expect = [](const std::string& name, const Number& energy) {
    EXPECT_LE(magnitude(Probe(name).energy() - energy.as<quad>()), magnitude(floor_of_sums)) << name;
  };
  expect("pendulum", "-5.848");
  expect("double-pendulum-3d", "-20.15075");
  expect("spring-pendulum", "-sqrt(2)/2");
  expect("triple-pendulum", "-5-sqrt(2)/2");
  expect("oscillator", 5);
  // (1/2)(|r3 - r1| - 1)^2 and its mirror image: the inner springs are at rest.
  expect("six-balls", "(sqrt(((1+sqrt(2))/2)^2+((sqrt(3)-sqrt(2))/2)^2)-1)^2");
  expect("spherical-pendulum", "(0.88^2+1.84^2+0.3^2)/2-0.8*9.81");
  expect("two-particles", "(0.4^2+0.8^2)/2+0.3^2+0.9^2+5*log(sqrt(1.2^2+0.3^2))^2");
  EXPECT_NEAR(static_cast<double>(Probe("six-balls").energy()), 0.047316193760075917638, 1e-17);
}

// Off the start, where the mass matrix and the trigonometric terms count [Man2020, eqs. 54, 55].
TEST(Models, TriplePendulumIsTheOneOfThePaper) {
  Probe probe("triple-pendulum");
  probe.q = {quad(1), quad(-1) / 2, quad(2), quad(3)};
  probe.v = {quad(1), quad(2), quad(3), quad(-1)};
  const Number energy = "1/2+(1+4+4*cos(3/2))/2+5-2*cos(1)-cos(1/2)-3";
  EXPECT_LE(magnitude(probe.energy() - energy.as<quad>()), magnitude(floor_of_sums));
  const Number g = "(2-sin(1)+sin(1/2))^2+(3-cos(1)-cos(1/2))^2-1";
  EXPECT_LE(magnitude(probe.g()[0] - g.as<quad>()), magnitude(floor_of_sums));
}

TEST(Models, HoopStartsWithItsMomentum) {
  const Model m = model("hoop");
  EXPECT_TRUE(m.start.v.empty());
  EXPECT_EQ(m.start.p.at(0), Number(1));
}

TEST(Models, ConstraintsHaveNames) {
  EXPECT_THAT(model("pendulum").system.constraint_names(), testing::ElementsAre("rod"));
  EXPECT_THAT(model("double-pendulum-3d").system.constraint_names(), testing::ElementsAre("rod 1", "rod 2"));
  EXPECT_THAT(model("spring-pendulum").system.constraint_names(), testing::ElementsAre("rail", "rod"));
  EXPECT_EQ(model("six-balls").system.constraint_names().size(), 5U);
}

TEST(Models, SomeHaveASize) {
  EXPECT_EQ(model("chain").system.size(), 60);
  EXPECT_EQ(model("chain(10)").system.name(), "chain");
  EXPECT_EQ(model("chain( 3 )").system.size(), 18);
  EXPECT_EQ(model("chain(3)").system.name(), "chain(3)");
  EXPECT_EQ(model("four-bar-chain(7)").system.size(), 12 * 7 + 6);  // [Kinon2023, section 5.2] for N = 2
  EXPECT_EQ(model("four-bar-chain(7)").system.constraint_count(), 12 * 7 + 5);
  const auto refused = [](const char* name) { return refusal([&] { model(name); }); };
  for (const char* name : {"chain(0)", "chain(-1)", "chain(x)", "chain(1.5)", "chain(99999999999)"})
    EXPECT_THAT(refused(name), HasSubstr("expected an integer from 1")) << name;
  for (const char* name : {"chain()", "chain(1,2)", "chain(3", "chain(3)(4)"}) EXPECT_NE(refused(name), "") << name;
  EXPECT_THAT(refused("pendulum(3)"), HasSubstr("has always the same parts"));
  EXPECT_THAT(refused("chian(3)"), HasSubstr("did you mean \"chain\""));
  EXPECT_THAT(refused("chain(1,2)"), HasSubstr("chain(n)"));
}

TEST(Models, UnknownNameSuggestsTheNearest) {
  try {
    model("pendulm");
    FAIL() << "no InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown model \"pendulm\""));
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"pendulum\""));
    EXPECT_THAT(error.what(), HasSubstr("six-balls"));
  }
}

}  // namespace
}  // namespace extremal::models_test
