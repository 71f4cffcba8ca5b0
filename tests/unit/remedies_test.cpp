// Steps that were not taken as the scheme says: counted by how they were taken and why, and no dearer than they must
// be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "extremal/check.hpp"
#include "extremal/models.hpp"
#include "extremal/study.hpp"

namespace extremal::remedies_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

long long sum(const auto& counts) { return std::accumulate(counts.begin(), counts.end(), 0LL); }

TEST(Remedies, AreCountedByKindAndReason) {
  Remedies all;
  EXPECT_EQ(all.text("ggl", 10), "");
  StepReport report;
  all.count(report);
  EXPECT_EQ(all.total(), 0);
  report.remedy = Remedy::rattle;
  report.refused = Trouble::fold;
  all.count(report);
  all.count(report);
  report.remedy = Remedy::divided;
  report.refused = Trouble::jump;
  all.count(report);
  EXPECT_EQ(all.total(), 3);
  EXPECT_EQ(all.by(Remedy::rattle), 2);
  EXPECT_EQ(all.by(Remedy::directors), 0);
  EXPECT_EQ(all.because(Trouble::fold), 2);
  EXPECT_EQ(all.because(Trouble::stalled), 0);
  EXPECT_EQ(all.text("ggl", 10),
            "3 of 10 steps were not taken as ggl says: 2 by RATTLE in its place, 1 in two parts (2 at a fold of its "
            "equations, 1 where the velocity jumped)");
}

TEST(Remedies, OfARunAreTheStepsThatNeededThem) {
  const Model m = model("double-four-bar");
  const Span span{.step = "0.02", .until = 20, .every = 1000};
  const auto run = extremal::run(m.system, "ggl", m.start, span);
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_GT(run.remedies.by(Remedy::rattle), 0);
  EXPECT_GT(run.remedies.because(Trouble::fold), 0);
  EXPECT_EQ(run.remedies.total(), run.retries);
  EXPECT_EQ(sum(run.remedies.refused), run.retries);
  EXPECT_THAT(run.summary(), HasSubstr("\n  remedies     " + run.remedies.text("ggl", 1000)));
  const auto rattle = extremal::run(m.system, "rattle", m.start, span);
  EXPECT_EQ(rattle.remedies.total(), 0);
  EXPECT_THAT(rattle.summary(), Not(HasSubstr("remedies")));
}

struct Stop : RowSink<double> {
  long long after = 0;
  Checkpoint<double> kept;
  void row(const std::vector<double>&) override {}
  bool pulse(const Progress& progress) override { return kept.numbers.empty() && progress.step >= after; }
  void checkpoint(const Checkpoint<double>& here) override { kept = here; }
};

TEST(Remedies, AreGoneOnWith) {
  const Model m = model("double-four-bar");
  const Span span{.step = "0.02", .until = 8, .every = 100};
  Stop stop;
  stop.after = 200;
  const auto whole = extremal::run(m.system, "ggl", m.start, span, {.sinks = {&stop}});
  ASSERT_FALSE(stop.kept.numbers.empty());
  const auto rest = extremal::run(m.system, "ggl", m.start, span, {.from = &stop.kept});
  EXPECT_GT(whole.remedies.total(), 0);
  EXPECT_EQ(rest.remedies.taken, whole.remedies.taken);
  EXPECT_EQ(rest.remedies.refused, whole.remedies.refused);
}

// H - h/2 dV/dt is what ggl keeps to h^2, and the member that stands in for it; RATTLE keeps H. A step of RATTLE among
// those of ggl is a jump from one to the other.
double kept_energy(const Observation<double>& seen, double h) {
  double rise = 0;
  for (std::size_t i = 1; i < seen.v.size(); i += 6) rise += 9.81 * seen.v[i];  // all masses are 1
  return seen.energy() - h / 2 * rise;
}

TEST(Remedies, OfGglKeepItsEnergy) {
  const Model m = model("double-four-bar");
  for (const double h : {0.02, 0.01}) {
    Stepper<double> ggl(m.system, Scheme::named("ggl")), beside(m.system, Scheme::named("alpha(0)")),
        rattle(m.system, Scheme::named("rattle"));
    ggl.start(m.start);
    double own = 0, other = 0;
    int remedied = 0;
    for (int k = 0; k < 2000; ++k) {
      const State<double> before = ggl.state();
      const double energy = kept_energy(ggl.observe(), h);
      const StepReport report = ggl.step(h);
      ASSERT_TRUE(report.converged) << report.worst;
      if (report.remedy != Remedy::rattle) continue;
      ++remedied;
      for (Stepper<double>* stepper : {&beside, &rattle}) {
        stepper->place(before);
        ASSERT_TRUE(stepper->step(h).converged);
      }
      for (std::size_t i = 0; i < before.q.size(); ++i)
        ASSERT_NEAR(ggl.state().q[i], beside.state().q[i], 1e-12) << "step " << k;
      own += std::fabs(kept_energy(ggl.observe(), h) - energy);
      other += std::fabs(kept_energy(rattle.observe(), h) - energy);
    }
    EXPECT_GT(remedied, 5);
    EXPECT_LT(5 * own, other) << h;
  }
}

// What the adjoint is replaced by is the adjoint, so that compositions stay symmetric where all of it is replaced.
TEST(Remedies, OfTheAdjointAreAdjoint) {
  const Model m = model("double-four-bar");
  Stepper<double> adjoint(m.system, Scheme::named("adjoint(ggl)")), beside(m.system, Scheme::named("alpha(1)"));
  adjoint.start(m.start);
  int remedied = 0;
  for (int k = 0; k < 500; ++k) {
    const State<double> before = adjoint.state();
    const StepReport report = adjoint.step(0.02);
    ASSERT_TRUE(report.converged) << report.worst;
    if (report.remedy != Remedy::rattle) continue;
    ++remedied;
    beside.place(before);
    ASSERT_TRUE(beside.step(0.02).converged);
    for (std::size_t i = 0; i < before.q.size(); ++i) ASSERT_NEAR(adjoint.state().q[i], beside.state().q[i], 1e-12);
  }
  EXPECT_GT(remedied, 0);
}

// Newton's method from the velocity alone misses roots that short steps lead to: of these 2000 steps it left 131 to
// RATTLE, and the energy was lost by 9.9.
TEST(Remedies, OfGglAreForFoldsOnly) {
  const Model m = model("double-four-bar");
  const auto run = extremal::run(m.system, "ggl", m.start, {.step = "0.02", .until = 40, .every = 2000});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_LT(run.remedies.total(), 110) << run.remedies.text(run.scheme, run.steps);
  EXPECT_GT(run.fallbacks, run.remedies.total() + 15);  // roots that were followed, to the end or to a fold
  EXPECT_LT(run.energy_max_error, 6);
}

TEST(Remedies, AreInComparisonsAndStudies) {
  Model m = model("double-four-bar");
  m.span.step = "0.02";
  m.span.until = 10;
  const study::Comparison both = study::compare(m, {Scheme::named("ggl"), Scheme::named("rattle")});
  EXPECT_GT(both.rows[0].remedies.total(), 0);
  EXPECT_EQ(both.rows[1].remedies.total(), 0);
  const study::LongTime all = study::long_time(m, Scheme::named("ggl"), "0.02", 10);
  EXPECT_EQ(all.remedies.taken, both.rows[0].remedies.taken);
  const study::WorkStudy work = study::work_precision(m, {Scheme::named("ggl"), Scheme::named("rattle")},
                                                      {.until = 1, .steps = {50, 100}, .repetitions = 1});
  EXPECT_GT(work.series[0].points[0].remedies.total(), 0);
  EXPECT_EQ(work.series[1].points[0].remedies.total(), 0);
}

// The certificate says it beside the energy.
TEST(Remedies, AreInTheCertificate) {
  const Model m = model("double-four-bar");
  const Law ggl = law::energy(m.system, Scheme::named("ggl"), m.start, {.step = "0.02", .long_steps = 500});
  EXPECT_THAT(ggl.measured, HasSubstr(" steps not its own"));
  const Law rattle = law::energy(m.system, Scheme::named("rattle"), m.start, {.step = "0.02", .long_steps = 500});
  EXPECT_THAT(rattle.measured, Not(HasSubstr("not its own")));
}

}  // namespace
}  // namespace extremal::remedies_test
