// Steps of different length [LewMata2016, section 3.1]: a pattern of multiples of the step, which repeats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "distance.hpp"
#include "extremal/boundary.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::step_pattern_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<Number> pattern{1, "1.5", "0.5"};

struct OfScheme {
  const char *model, *scheme;
  int order;
};
void PrintTo(const OfScheme& one, std::ostream* out) { *out << one.scheme; }
class Pattern : public testing::TestWithParam<OfScheme> {};

// A run is what a Stepper does with the same steps, bit for bit.
TEST_P(Pattern, IsTheStepsOneAfterTheOther) {
  const Model m = model(GetParam().model);
  const Scheme scheme = Scheme::named(GetParam().scheme);
  const quad h = m.span.step.as<quad>();
  const auto length = [&](int k) {
    return static_cast<double>(h * pattern[static_cast<std::size_t>(k % 3)].as<quad>());
  };
  Span span{.step = m.span.step, .until = Number("11.5*(" + m.span.step.text() + ")"), .pattern = pattern};
  const auto all = run(m.system, scheme, m.start, span);
  EXPECT_EQ(all.status, Status::complete) << all.reason;
  ASSERT_EQ(all.steps, 11);  // three rounds of 3 h, then 1 h and 1.5 h
  Stepper<double> stepper(m.system, scheme);
  stepper.start(m.start, length(0));
  for (int k = 0; k < 11; ++k) ASSERT_TRUE(stepper.step(length(k)).converged);
  for (std::size_t i = 0; i < m.system.coordinate_names().size(); ++i) {
    const double q = all.column(m.system.coordinate_names()[i]).back();
    EXPECT_EQ(std::memcmp(&q, &stepper.state().q[i], sizeof q), 0) << m.system.coordinate_names()[i];
  }
  EXPECT_NEAR(all.column("t").back(), span.until.as<double>(), 1e-14);
}

// Orders are those of the scheme: errors of one round and of the same round with half the step, and so on.
TEST_P(Pattern, KeepsTheOrder) {
  const Model m = model(GetParam().model);
  const Scheme scheme = Scheme::named(GetParam().scheme);
  const auto end = [&](const Scheme& of, int refined, bool even) {
    Span span{.step = Number("(" + m.span.step.text() + ")/" + std::to_string(refined)),
              .until = Number("12*(" + m.span.step.text() + ")"),
              .every = 1000000};
    if (!even) span.pattern = pattern;
    const auto all = run<quad>(m.system, of, m.start, span);
    EXPECT_EQ(all.status, Status::complete) << all.reason;
    std::vector<quad> q;
    for (const std::string& name : m.system.coordinate_names()) q.push_back(all.column(name).back());
    return q;
  };
  const bool bodies = m.mechanism != nullptr;
  const std::vector<quad> exact =
      bodies ? end(Scheme::named("spark(4)"), 4, true) : end(Scheme::named("spark(6)"), 2, true);
  const double coarse = papers::distance(end(scheme, 2, false), exact),
               fine = papers::distance(end(scheme, 4, false), exact);
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.3) << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(Schemes, Pattern,
                         testing::Values(OfScheme{"pendulum", "rattle", 2}, OfScheme{"spring-pendulum", "spark(2)", 4},
                                         OfScheme{"double-pendulum-3d", "man(LGG, 3)", 4},
                                         OfScheme{"pendulum", "wenger(2, 2, gauss(2))", 4},
                                         OfScheme{"pendulum", "phase_space(1)", 3}, OfScheme{"pendulum", "ggl(2)", 2},
                                         OfScheme{"double-pendulum-3d", "livens(2)", 4},
                                         OfScheme{"spherical-pendulum", "suzuki(4, rattle)", 4},
                                         OfScheme{"hoop", "galerkin(3, gauss(3), basis=fourier(3))", 6},
                                         OfScheme{"top", "lie(trapezoidal)", 2}));

// Where both steps beside a node count: p and lambda of [Wenger2017, eq. 22] have the orders of the scheme, and momenta
// of the nodes are those that a symplectic map with its adjoint has.
TEST(LateMomentum, HasItsOrderBetweenStepsOfDifferentLength) {
  const Model m = model("pendulum");
  const auto error = [&](int refined, const char* column) {
    Span span{.step = Number("0.05/" + std::to_string(refined)),
              .until = "0.6",
              .pattern = pattern,
              .multipliers = Multipliers::scheme};
    const auto late = run<quad>(m.system, "wenger(2, 2, gauss(2))", m.start, span),
               exact = run<quad>(m.system, "spark(6)", m.start,
                                 {.step = span.step, .until = span.until, .pattern = pattern});
    double worst = 0;
    for (std::size_t k = 1; k + 1 < late.column("t").size(); ++k)
      worst = std::max(worst, static_cast<double>(math::abs(late.column(column)[k] - exact.column(column)[k])));
    return worst;
  };
  // Orders 4 and 2 of equal steps: those of p need the error of two neighbours to cancel.
  EXPECT_GT(std::log2(error(2, "p:x") / error(4, "p:x")), 1.8);
  EXPECT_GT(std::log2(error(2, "lambda:rod") / error(4, "lambda:rod")), 0.8);
}

TEST(StepPattern, KeepsMomentaAndEveryStepSymplectic) {
  const Model m = model("spherical-pendulum");
  const auto all = run(m.system, "rattle", m.start, {.step = "0.02", .until = 60, .pattern = pattern});
  EXPECT_LT(all.momentum_error[0].values[0], 1e-12);
  EXPECT_LT(all.constraint_max, 1e-13);
  EXPECT_THAT(all.notes.back(), HasSubstr("no modified energy"));
  EXPECT_THAT(all.summary(), HasSubstr("step 0.02 times a pattern of 3"));
}

class StopInTheMiddle : public RowSink<double> {
 public:
  void row(const std::vector<double>&) override { stop = ++rows >= 50; }
  std::atomic<bool> stop = false;
  int rows = 0;
};

TEST(StepPattern, GoesOnFromACheckpoint) {
  const Model m = model("pendulum");
  const Span span{.step = "0.05", .until = "7.7", .pattern = pattern};
  const auto whole = run(m.system, "wenger(2, 2, gauss(2))", m.start, span);
  StopInTheMiddle sink;  // of a round
  const auto part = run(m.system, "wenger(2, 2, gauss(2))", m.start, span, {.sinks = {&sink}, .stop = &sink.stop});
  ASSERT_EQ(part.status, Status::interrupted);
  EXPECT_NE(part.steps % 3, 0);
  const auto rest = run(m.system, "wenger(2, 2, gauss(2))", m.start, span, {.from = &part.last});
  for (const char* name : {"t", "x", "p:y", "energy"}) EXPECT_EQ(rest.column(name).back(), whole.column(name).back());
  Span other = span;
  other.pattern = {1, "0.5", "1.5"};
  EXPECT_THAT(refusal([&] { run(m.system, "wenger(2, 2, gauss(2))", m.start, other, {.from = &part.last}); }),
              HasSubstr("another step"));
}

TEST(StepPattern, RefusesWhatIsNone) {
  const Model m = model("pendulum");
  const auto reason = [&](const Span& span) { return refusal([&] { run(m.system, "rattle", m.start, span); }); };
  EXPECT_THAT(reason({.step = "0.1", .until = 1, .pattern = {1, -1}}), AllOf(HasSubstr("-1"), HasSubstr("positive")));
  EXPECT_THAT(reason({.step = "0.1", .until = 1, .pattern = {1, 0}}), HasSubstr("positive"));
  EXPECT_THAT(reason({.step = "0.1", .until = 1, .pattern = {1, "1e-17"}}),
              AllOf(HasSubstr("1e-17"), HasSubstr("t = 1 does not resolve")));
  EXPECT_THAT(reason({.step = "0.1", .until = "0.9", .pattern = {1, 2, 4}}),
              AllOf(HasSubstr("middle of a step"), HasSubstr("0.7")));
  EXPECT_THAT(refusal([&] {
                boundary(m.system, "rattle", {.begin = m.start.q, .end = m.start.q},
                         {.step = "0.1", .until = 1, .pattern = {1, 1}});
              }),
              HasSubstr("steps of one length"));
}

TEST(StepPattern, IsAKeyOfModelFiles) {
  const auto read = [](const std::string& keys) {
    return read_model_text(
        "coordinates = ['x']\nkinetic = \"x'^2/2\"\npotential = 'x^2/2'\n[start]\nx = 1\n[run]\n" + keys, "m");
  };
  EXPECT_EQ(read("step = 0.1\nuntil = 0.6\npattern = [1, 1.5, 0.5]\n").span.pattern, pattern);
  const Model by_formula =
      read("step = 0.1\nuntil = 2.7\noutputs = 2\npattern = { repeat = [2, 5], of = '2 - i/4' }\n");
  ASSERT_EQ(by_formula.span.pattern.size(), 4U);
  EXPECT_EQ(by_formula.span.pattern[3].as<double>(), 0.75);
  EXPECT_THAT(refusal([&] { read("step = 0.1\nuntil = 2.95\noutputs = 2\npattern = [1, 2]\n"); }), HasSubstr("m:9"));
  EXPECT_THAT(refusal([&] { read("step = 0.1\nsteps = 3\npattern = [1, 2]\n"); }),
              AllOf(HasSubstr("m:9"), HasSubstr("pattern of steps")));
  EXPECT_THAT(refusal([&] { read("step = 0.1\nuntil = 1\npattern = { repeat = 3, off = 1 }\n"); }), HasSubstr("of"));
  EXPECT_THAT(refusal([&] { read("step = 0.1\nuntil = 1\nextra_columns = ['hiden']\n"); }),
              AllOf(HasSubstr("m:9"), HasSubstr("hidden")));
}

// Laws that need equal steps are not measured.
TEST(StepPattern, HasNoEnergyLaw) {
  const Model m = model("pendulum");
  const Law law = law::energy(m.system, Scheme::named("rattle"), m.start, {.step = "0.05", .uneven = true});
  EXPECT_FALSE(law.measurable);
  EXPECT_FALSE(law.fails());
  EXPECT_THAT(law.measured, HasSubstr("modified energy"));
}

}  // namespace
}  // namespace extremal::step_pattern_test
