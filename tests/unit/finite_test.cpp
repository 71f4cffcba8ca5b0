// Finite or failed: no scheme, at no scalar, by no way of stepping calls a step converged, or a run complete, whose
// numbers are not finite; and the term is named that is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <extremal/ensemble.hpp>
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "refusal.hpp"
#include "sweep/block.hpp"

namespace extremal::finite_test {
namespace {

using testing::HasSubstr;

constexpr int steps = 8;
const std::string step = "0.1";

// A model whose term exists as long as x (or t) < e: with e = 1 the motion leaves that behind in its third step, with
// e = 0.5 it starts beyond, and with e = 100 it stays inside.
struct Case {
  std::string name, term, text;
  int schemes;           // so many at least fit
  bool has_good = true;  // e = 100 can be started
  bool varies = true;    // e is a parameter of the system, too
  std::string halfway = "1", at_start = "0.5";
};

std::vector<Case> cases() {
  const std::string head =
      "name = \"case\"\n[parameters]\ne = 1\n[start]\nx = 0.75\nvelocity = { x = 1 }\n[run]\nstep = " + step +
      "\nuntil = 0.8\n";
  const std::string point = "coordinates = [\"x\", \"y\"]\n", mass = "kinetic = \"(x'^2 + y'^2)/2\"\n";
  return {
      {"potential", "potential \"0.001*sqrt(e - x)\"", point + mass + "potential = \"0.001*sqrt(e - x)\"\n" + head, 70},
      {"mass", "kinetic energy", point + "kinetic = \"(1 + 0.1*sqrt(e - x))*(x'^2 + y'^2)/2\"\n" + head, 60},
      {"constraint", "constraint \"wire\"",
       point + mass + head + "[[constraint]]\nname = \"wire\"\nformula = \"y + 0.125 - (e - x)*sqrt(e - x)\"\n", 60,
       false},
      {"force", "force \"wind\"",
       point + mass + head + "[[force]]\nname = \"wind\"\nalong = { x = \"-0.1*sqrt(e - x)\" }\n", 60},
      // The slope of the logarithm is finite where it is not: nothing but its value shows it.
      {"logarithm", "potential \"0.001*log(e - x)\"", point + mass + "potential = \"0.001*log(e - x)\"\n" + head, 70},
      {"load", "force \"push\"",
       "name = \"case\"\nspace = \"planar\"\n[parameters]\ne = 1\n[[body]]\nname = \"disc\"\nmass = 1\ninertia = 1\n"
       "velocity = [1, 0]\nangular_velocity = 1\n[[force]]\nname = \"push\"\non = \"disc\"\n"
       "components = [\"0.1*sqrt(e - 0.75 - t)\", 0]\n[run]\nstep = " +
           step + "\nuntil = 0.8\n",
       60, true, false}};
}

void count_cases(int cases) { std::printf("%d cases\n", cases); }

Model model_of(const Case& one, const std::string& e) { return read_model_text(one.text, "case.toml", {{"e", e}}); }

// Whether a scheme can carry the system at all.
template <class S>
bool fits(const Model& model, const Scheme& scheme) {
  return refusal([&] { Stepper<S>(model.system, scheme); }).empty();
}

template <class S>
bool all_finite(const std::vector<S>& x) {
  return std::all_of(x.begin(), x.end(), [](const S& y) { return math::finite(y); });
}

template <class S>
void expect_stepper_fails(const Model& model, const Scheme& scheme, const std::string& term) {
  const S h = model.span.step.as<S>();
  Stepper<S> stepper(model.system, scheme);
  stepper.start(model.start, h);
  StepReport report{.converged = true};
  for (int k = 0; k < steps && report.converged; ++k) {
    report = stepper.step(h);
    // Where no slope tells, the state is finite and its energy is what shows it.
    if (report.converged && !math::finite(stepper.observe().energy())) {
      EXPECT_THAT(stepper.not_finite(), HasSubstr(term));
      return;
    }
    EXPECT_TRUE(all_finite(stepper.state().q) && all_finite(stepper.state().p));
  }
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(!report.finite || report.stalled);  // before a pole of the potential
  EXPECT_THAT(report.worst, HasSubstr(term));
  EXPECT_THAT(report.worst, HasSubstr("not a number at "));
}

template <class S>
void expect_run_fails(const Model& model, const Scheme& scheme, const std::string& term) {
  const Run<S> run = extremal::run<S>(model.system, scheme, model.start, model.span);
  EXPECT_EQ(run.status, Status::failed);
  EXPECT_THAT(run.reason, HasSubstr(term));
  EXPECT_THAT(run.reason, testing::StartsWith("step "));
  EXPECT_GE(run.column("t").size(), 3u);  // the rows before it are kept
  for (const Column<S>& column : run.columns)
    EXPECT_TRUE(column.name.starts_with("lambda:") || column.name.starts_with("force:") || all_finite(column.values))
        << column.name;
  EXPECT_TRUE(math::finite(run.energy_max_error));
}

// How many cases that were.
template <class S>
int try_scheme(const Case& one, const Scheme& scheme) {
  const Model halfway = model_of(one, one.halfway), at_start = model_of(one, one.at_start);
  if (!fits<S>(halfway, scheme)) return 0;
  SCOPED_TRACE(one.name + ", " + scheme.name + ", " + Scalar<S>::name);
  expect_stepper_fails<S>(halfway, scheme, one.term);
  expect_run_fails<S>(halfway, scheme, one.term);
  const std::string refused = refusal([&] { Stepper<S>(at_start.system, scheme).start(at_start.start, S(0.1)); });
  EXPECT_THAT(refused, testing::StartsWith("start: " + one.term));
  EXPECT_EQ(refused, refusal([&] { extremal::run<S>(at_start.system, scheme, at_start.start, at_start.span); }));
  return 4;
}
template <class S>
void try_all(const Case& one) {
  int cases = 0;
  for (const Scheme& scheme : registry()) cases += try_scheme<S>(one, scheme);
  count_cases(cases);
  EXPECT_GE(cases, 4 * one.schemes);
}

int try_ensemble(const Case& one, const Scheme& scheme) {
  const Model base = model_of(one, one.halfway);
  if (!fits<double>(base, scheme)) return 0;
  SCOPED_TRACE(one.name + ", " + scheme.name);
  std::vector<double> values;
  for (const std::string& e : {one.halfway, one.at_start, std::string(one.has_good ? "100" : one.halfway)})
    values.push_back(Number(e).as<double>());
  Members members{.system = base.system, .start = base.start, .count = values.size()};
  if (one.varies) members.set("e", values);
  Ensemble ensemble(scheme, members, 0.1);
  ensemble.step(2);
  EXPECT_FALSE(ensemble.failed(0));
  ensemble.step(steps - 2);
  EXPECT_THAT(ensemble.refused(1), HasSubstr(one.varies ? one.term : ""));
  EXPECT_THAT(ensemble.failed(0) ? ensemble.report(0).worst : ensemble.motion(0).not_finite(), HasSubstr(one.term));
  EXPECT_EQ(ensemble.failed(2), !(one.varies && one.has_good));
  return 2;
}

// Every scheme that fits in one sweep.
void try_sweep(const Case& one, const std::string& precision) {
  SCOPED_TRACE(one.name + ", sweep, " + precision);
  const Model base = model_of(one, one.halfway);
  std::string names;
  for (const Scheme& scheme : registry())
    if (fits<double>(base, scheme)) names += (names.empty() ? "\"" : ", \"") + scheme.name + "\"";
  const Document document("model = \"case\"\nprecision = \"" + precision + "\"\noutputs = 8\n[vary]\nscheme = [" +
                              names + "]\ne = [" + one.halfway + ", " + one.at_start + "]\n",
                          "s.toml");
  const sweep::Sweep sweep(document, sweep::read_plan(document, {}), one.text);
  sweep::BlockResult block;
  ASSERT_TRUE(run_block(sweep, 0, sweep.size(), nullptr, block));
  const char* message = block.messages.data();
  for (std::uint64_t k = 0; k < sweep.size(); ++k, message += std::strlen(message) + 1) {
    EXPECT_NE(block.outcome(k), sweep::Outcome::complete) << k;
    EXPECT_THAT(message, HasSubstr(one.term)) << k;
  }
  count_cases(static_cast<int>(sweep.size()));
  EXPECT_GE(sweep.size(), 2u * static_cast<unsigned>(one.schemes));
}

class Finite : public testing::TestWithParam<Case> {};

TEST_P(Finite, StepsAndRunsInDouble) { try_all<double>(GetParam()); }
TEST_P(Finite, StepsAndRunsInLongDouble) { try_all<long double>(GetParam()); }
TEST_P(Finite, StepsAndRunsInQuad) { try_all<quad>(GetParam()); }
TEST_P(Finite, Ensembles) {
  int cases = 0;
  for (const Scheme& scheme : registry()) cases += try_ensemble(GetParam(), scheme);
  count_cases(cases);
  EXPECT_GE(cases, 2 * GetParam().schemes);
}
TEST_P(Finite, Sweeps) {
  for (const char* precision : {"double", "long-double", "quad"}) try_sweep(GetParam(), precision);
}

// A step too long for a stiff spring or a steep well. Schemes that are stable may complete it; what they then show is
// finite.
template <class S>
void try_overflow(const std::string& potential, const std::string& x, const std::string& h, int count) {
  const Model model = read_model_text("name = \"case\"\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"" +
                                          potential + "\"\n[start]\nx = " + x + "\n[run]\nstep = " + h +
                                          "\nuntil = \"" + std::to_string(count) + "*" + h + "\"\n",
                                      "case.toml");
  int failed = 0, cases = 0;
  for (const Scheme& scheme : registry()) {
    if (!fits<S>(model, scheme)) continue;
    SCOPED_TRACE(potential + ", " + scheme.name + ", " + Scalar<S>::name);
    // By its own hands: a step that converged has numbers, and the one that has none did not.
    Stepper<S> stepper(model.system, scheme);
    stepper.start(model.start, model.span.step.as<S>());
    bool lost = false;
    for (int k = 0; k < count && !lost; ++k) {
      const StepReport report = stepper.step(model.span.step.as<S>());
      EXPECT_TRUE(!report.converged || (all_finite(stepper.state().q) && all_finite(stepper.state().p)));
      EXPECT_TRUE(report.converged || !report.worst.empty());
      lost = !report.converged || !math::finite(stepper.observe().energy());
    }
    const Run<S> run = extremal::run<S>(model.system, scheme, model.start, model.span);
    EXPECT_EQ(lost, run.status == Status::failed);
    cases += 2;
    for (const Column<S>& column : run.columns) EXPECT_TRUE(all_finite(column.values)) << column.name;
    EXPECT_TRUE(math::finite(run.energy_max_error));
    EXPECT_EQ(run.reason.empty(), run.status == Status::complete);
    failed += run.status == Status::failed ? 1 : 0;
    for (const char* explicit_one : {"rectangle(0)", "trapezoidal", "rattle", "shake", "suzuki(4, rattle)"})
      EXPECT_TRUE(scheme.name != explicit_one || run.status == Status::failed);
  }
  EXPECT_GE(failed, 12);
  count_cases(cases);
  EXPECT_GE(cases, 2 * 70);
}
TEST(FiniteOverflow, Double) {
  try_overflow<double>("1e60*x^2/2", "1", "0.1", 20);
  try_overflow<double>("x^4/4", "10", "1", 20);
}
TEST(FiniteOverflow, LongDouble) {
  try_overflow<long double>("1e300*x^2/2", "1", "0.1", 20);
  try_overflow<long double>("x^4/4", "10", "1", 20);
}
TEST(FiniteOverflow, Quad) {
  try_overflow<quad>("1e300*x^2/2", "1", "0.1", 20);
  try_overflow<quad>("x^4/4", "10", "1", 20);
}
// As it was found: 1e10 times as far in every step.
TEST(FiniteOverflow, NamesTheTermAndAStep) {
  const Model model = read_model_text(
      "name = \"case\"\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"1e12*x^2/2\"\n[start]\nx = "
      "1\n[run]\nstep = 0.1\nuntil = 10\n",
      "case.toml");
  const auto run = extremal::run(model.system, "rattle", model.start, model.span);
  EXPECT_EQ(run.status, Status::failed);
  EXPECT_THAT(run.reason, testing::AllOf(HasSubstr("energy \"x'^2/2\""), HasSubstr("is infinite at x = "),
                                         HasSubstr("try a shorter step")));
}

INSTANTIATE_TEST_SUITE_P(Terms, Finite, testing::ValuesIn(cases()), [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace extremal::finite_test
