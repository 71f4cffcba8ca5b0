// Baselines: integrators of others that are not variational. What a build is without is left out, with the reason.
#include "extremal/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "baseline/equations.hpp"
#include "extremal/error.hpp"
#include "extremal/study.hpp"
#include "refusal.hpp"

namespace extremal::baseline_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class EachBaseline : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!kind().built) GTEST_SKIP() << kind().name << " is not in this build, which was without " << kind().package;
  }
  const BaselineKind& kind() const { return baseline_kinds()[static_cast<std::size_t>(GetParam())]; }
  std::shared_ptr<const Baseline> one() const { return baseline(kind().name); }
  bool stabilised() const { return kind().name == "ida(ggl)"; }

  struct End {
    std::vector<double> q;
    double off = 0;  // largest |g| at the ends of steps
    BaselineCost cost;
  };
  End end(const Model& m, double tolerance, const char* until) const {
    Evaluation<double> evaluation(m.system, 1);
    std::vector<double> g(static_cast<std::size_t>(m.system.constraint_count()));
    End out;
    const auto at_end = [&](double, const double* q, const double*) { out.q.assign(q, q + m.system.size()); };
    const auto at_step = [&](double t, const double* q, const double*) {
      evaluation.constraints(1, q, &t, g.data(), nullptr, nullptr);
      for (const double x : g) out.off = std::max(out.off, std::fabs(x));
    };
    out.cost = one()
                   ->motion(m.system, m.start, tolerance)
                   ->go({Number(until).as<double>()}, at_end, g.empty() ? BaselineMotion::Told() : at_step, nullptr);
    return out;
  }
  // The largest difference from a scheme of high order with short steps.
  double error(const Model& m, double tolerance, const char* until, const std::string& scheme = "spark(5)") const {
    const Number step = "((" + std::string(until) + ") - (" + m.start.t.text() + "))/800";
    const auto exact = run(m.system, scheme, m.start, {.step = step, .until = until, .every = 800});
    const End found = end(m, tolerance, until);
    double worst = 0;
    for (std::size_t i = 0; i < found.q.size(); ++i)
      worst = std::max(worst, std::fabs(found.q[i] - exact.column(m.system.coordinate_names()[i]).back()));
    return worst;
  }
};
INSTANTIATE_TEST_SUITE_P(Baselines, EachBaseline, testing::Range(0, 4));

// Constraints, several terms of mass that depends on q, time in the mass and in constraints, forces, and more rows than
// a dense matrix is used for.
TEST_P(EachBaseline, FollowsTheMotion) {
  for (const char* name : {"pendulum", "two-particles", "triple-pendulum", "pendulum-polar-moving-pivot",
                           "pendulum-cartesian-varying-length", "pendulum-cartesian-damped", "double-pendulum-3d"}) {
    const Model m = model(name);
    const double coarse = error(m, 1e-6, "2"), fine = error(m, 1e-9, "2");
    EXPECT_LT(coarse, 3e-4) << name;
    EXPECT_LT(fine, 3e-7) << name;
    EXPECT_LT(fine, 0.05 * coarse) << name;
  }
  EXPECT_LT(error(model("chain-spatial(3)"), 1e-8, "0.5", "spark(3)"), 1e-6);
}

TEST_P(EachBaseline, GoesBack) {
  Model m = model("pendulum");
  m.start.t = 1;
  EXPECT_LT(error(m, 1e-9, "0", "spark(5)"), 1e-6);
}

// Of index 1 the position drifts off its constraint; stabilised, it does not.
TEST_P(EachBaseline, KeepsConstraintsIfStabilised) {
  const Model m = model("pendulum");
  const double there = end(m, 1e-6, "20").off, later = end(m, 1e-6, "200").off;
  EXPECT_LT(there, 1e-3);
  if (stabilised())
    EXPECT_LT(later, 2 * there);
  else
    EXPECT_GT(later, 4 * there);
}

TEST_P(EachBaseline, ArrivesAtTimesAndRepeatsItself) {
  const Model m = model("triple-pendulum");
  const auto motion = one()->motion(m.system, m.start, 1e-7);
  const std::vector<double> times{0.1, 0.25, 0.7};
  std::vector<double> told, first, second;
  const auto follow = [&](std::vector<double>& into) {
    return motion->go(
        times,
        [&](double t, const double* q, const double*) {
          told.push_back(t);
          into.insert(into.end(), q, q + 4);
        },
        {}, nullptr);
  };
  const BaselineCost a = follow(first), b = follow(second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_THAT(told, testing::ElementsAre(0.1, 0.25, 0.7, 0.1, 0.25, 0.7));
}

TEST_P(EachBaseline, Stops) {
  const Model m = model("pendulum");
  const std::atomic<bool> stop = true;
  EXPECT_THROW(one()->motion(m.system, m.start, 1e-6)->go({1.0}, [](auto...) {}, {}, &stop), Interrupted);
}

// A singular place, or a tolerance that doubles cannot meet, ends it with words.
TEST_P(EachBaseline, SaysWhyItFailed) {
  const Model m = read_model_text(R"toml(coordinates = ["x"]
kinetic = "x'^2/2"
potential = "-1/abs(x)"
[start]
x = 1
[run]
step = 0.1
until = 2
)toml",
                                  "fall");
  EXPECT_THROW(end(m, 1e-9, "2"), BaselineFailed);
}

TEST_P(EachBaseline, RefusesByName) {
  const auto said = [&](const Model& m) { return refusal([&] { one()->motion(m.system, m.start, 1e-6); }); };
  EXPECT_THAT(said(model("nonseparable")), AllOf(HasSubstr(kind().name), HasSubstr("Hamiltonian \"hamiltonian\"")));
  const std::string plain = "coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\n";
  const auto read = [&](const std::string& text) { return read_model_text(text, "m"); };
  EXPECT_THAT(said(read(plain + "[[force]]\nname = \"push\"\nalong = { x = \"if(t < 1, 1, 0)\" }\n")),
              AllOf(HasSubstr("\"push\""), HasSubstr("jumps in time")));
  Model two = read(plain);
  two.start.next = {"0.1"};
  EXPECT_THAT(said(two), HasSubstr("two positions"));
  EXPECT_THAT(said(read("coordinates = [\"x\", \"y\"]\nkinetic = \"x'^2/2\"\npotential = \"x*y\"\n")),
              AllOf(HasSubstr("\"y\""), HasSubstr("no inertia")));
  if (!stabilised()) return;
  EXPECT_THAT(said(model("bennett")), AllOf(HasSubstr("P1"), HasSubstr("depend on others")));
  EXPECT_THAT(said(model("chain(100)")), HasSubstr("its matrix is dense"));
}

TEST(Baseline, IsKnownByItsName) {
  EXPECT_THAT(refusal([] { baseline("odeint(rkf87)"); }), HasSubstr("did you mean \"odeint(rkf78)\""));
  for (const BaselineKind& kind : baseline_kinds()) {
    if (kind.built)
      EXPECT_EQ(baseline(kind.name)->name(), kind.name);
    else
      EXPECT_THAT(refusal([&] { baseline(kind.name); }),
                  AllOf(HasSubstr("not in this build"), HasSubstr(kind.package)));
  }
  const ChosenBaselines none = choose_baselines({"all"}, model("nonseparable"));
  EXPECT_TRUE(none.of.empty());
  EXPECT_EQ(none.left_out.size(), baseline_kinds().size());
}

// A pendulum by hand is the negative control: a method of order 1 whose energy grows.
class Euler : public Baseline {
 public:
  std::string name() const override { return "euler"; }
  std::unique_ptr<BaselineMotion> motion(const System& system, const Start& start, double tolerance) const override {
    return std::make_unique<Motion>(Equations(name(), system, start), tolerance);
  }

 private:
  struct Motion : BaselineMotion {
    Motion(Equations of, double h) : equations(std::move(of)), h(h) {}
    BaselineCost go(const std::vector<double>& times, const Told& at_times, const Told& at_steps,
                    const std::atomic<bool>*) override {
      double t = equations.t();
      std::vector<double> q = equations.q(), v = equations.v(), a(q.size());
      BaselineCost cost;
      if (at_steps) at_steps(t, q.data(), v.data());
      for (const double end : times) {
        const auto count = std::llround((end - t) / h);
        for (long long k = 1; k <= count; ++k, ++cost.steps) {
          equations.accelerate(t, q.data(), v.data(), a.data());
          for (std::size_t i = 0; i < q.size(); ++i) q[i] += h * v[i], v[i] += h * a[i];
          t += h;
          if (at_steps) at_steps(t, q.data(), v.data());
        }
        at_times(t = end, q.data(), v.data());
      }
      cost.evaluations = cost.steps;
      return cost;
    }
    Equations equations;
    double h;
  };
};

TEST(BaselinesOfStudies, StandBesideSchemes) {
  Model m = model("pendulum-polar");
  m.span.step = "0.01";
  m.span.until = 2;
  const Baselines euler{.of = {std::make_shared<Euler>()}, .tolerances = {1e-2, 1e-3}};
  const std::vector<Scheme> schemes{Scheme::named("rattle"), Scheme::named("spark(3)")};
  const study::Comparison all = study::compare(m, schemes, "double", {}, euler);
  ASSERT_EQ(all.baselines.size(), 2U);
  for (const study::BaselineRow& row : all.baselines) {
    EXPECT_EQ(row.baseline, "euler");
    EXPECT_EQ(row.status, Status::complete) << row.reason;
    EXPECT_EQ(row.steps, std::llround(2 / row.tolerance));
    EXPECT_EQ(row.evaluations, row.steps);
    EXPECT_GT(row.seconds, 0);
    EXPECT_GT(row.drift.slope, 10 * row.drift.slope_error);  // which symplectic schemes do not have
  }
  for (const auto number : {&study::BaselineRow::energy_error, &study::BaselineRow::difference})
    EXPECT_NEAR(all.baselines[0].*number / (all.baselines[1].*number), 10, 3);
  EXPECT_EQ(all.rows.size(), 2U);

  const study::WorkStudy work = study::work_precision(
      m, schemes, {.until = 2, .steps = {20, 40}, .repetitions = 1, .baselines = {euler.of, {1e-2, 1e-3, 1e-4}}});
  ASSERT_EQ(work.baselines.size(), 1U);
  const auto& points = work.baselines[0].points;
  EXPECT_NEAR(points[1].error / points[2].error, 10, 1);
  EXPECT_NEAR(points[1].energy_error / points[2].energy_error, 10, 1);
  const double between = std::sqrt(points[1].error * points[2].error);
  EXPECT_GT(work.baselines[0].seconds_for(between), points[1].seconds);
  EXPECT_LT(work.baselines[0].seconds_for(between), points[2].seconds);
}

// Energy that goes in or out is of no account here, and an error of it would be none.
TEST(BaselinesOfStudies, HaveNoEnergyErrorWhereWorkIsDone) {
  Model m = model("pendulum-polar-damped");
  m.span.until = 1;
  const study::Comparison all = study::compare(m, {Scheme::named("rattle"), Scheme::named("spark(2)")}, "double", {},
                                               {.of = {std::make_shared<Euler>()}, .tolerances = {1e-3}});
  EXPECT_TRUE(std::isnan(all.baselines[0].energy_error));
  EXPECT_LT(all.baselines[0].difference, 0.1);
}

// The matrix of index 2 beside differences of its residual, off the constraints and with multipliers of both kinds.
TEST(Equations, HaveTheJacobianOfTheirResidual) {
  for (const char* name : {"pendulum-cartesian-varying-length", "pendulum-cartesian-damped", "double-pendulum-3d"}) {
    const Model m = model(name);
    Equations equations("test", m.system, m.start);
    ASSERT_TRUE(equations.has_jacobian());
    const auto size = static_cast<std::size_t>(equations.unknowns());
    std::vector<double> y(size), rate(size), columns(size * size), up(size), down(size);
    for (std::size_t i = 0; i < size; ++i) {
      y[i] = 0.3 + 0.1 * static_cast<double>(i % 7);
      rate[i] = 0.2 - 0.07 * static_cast<double>(i % 5);
    }
    constexpr double c = 17, h = 1e-6;
    ASSERT_TRUE(equations.jacobian(0.1, c, y.data(), columns.data()));
    for (std::size_t j = 0; j < size; ++j) {
      const auto shifted = [&](double by, std::vector<double>& r) {
        std::vector<double> there = y, its_rate = rate;
        there[j] += by;
        its_rate[j] += c * by;
        ASSERT_TRUE(equations.residual(0.1, there.data(), its_rate.data(), r.data()));
      };
      shifted(h, up);
      shifted(-h, down);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_NEAR(columns[j * size + i], (up[i] - down[i]) / (2 * h), 1e-6) << name << " " << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace extremal::baseline_test
