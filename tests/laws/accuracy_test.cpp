// Steps by a wanted accuracy (accuracy.hpp): errors that were asked for against errors that are, on motions that the
// rule was not made with.
#include "extremal/accuracy.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "extremal/case.hpp"
#include "full.hpp"
#include "held_out.hpp"

namespace extremal::accuracy_test {
namespace {

using papers::HeldOut;
using testing::HasSubstr;

template <class S>
using Positions = std::vector<std::vector<S>>;  // by coordinate

template <class S>
Positions<S> positions(const Run<S>& run, const System& system) {
  Positions<S> all;
  for (const std::string& name : system.coordinate_names()) all.push_back(run.column(name));
  return all;
}

template <class S, class R>
double difference(const Positions<S>& q, const Positions<R>& exact) {
  R worst(0), size(0);
  for (std::size_t i = 0; i < exact.size(); ++i)
    for (std::size_t k = 0; k < exact[i].size(); ++k) {
      worst = math::max(worst, math::abs(R(q[i].at(k)) - exact[i][k]));
      size = math::max(size, math::abs(exact[i][k]));
    }
  return static_cast<double>(worst / size);
}

struct Reference {
  Positions<long double> q;
  double gap = 0;  // from half as many steps
};

// At the end of each of so many steps.
Reference reference(const HeldOut& held, const Model& m, long long rows) {
  const auto of = [&](long long parts) {
    const Number step(fmt::format("(({}) - ({}))/{}", held.until, m.start.t.text(), rows * parts));
    const auto run = extremal::run<long double>(m.system, held.reference, m.start,
                                                {.step = step, .until = held.until, .every = static_cast<int>(parts)});
    EXPECT_EQ(run.status, Status::complete) << held.name << ": " << run.reason;
    return positions(run, m.system);
  };
  const long long parts = (held.reference_steps + rows - 1) / rows;
  Reference out{.q = of(2 * parts)};
  out.gap = difference(of(parts), out.q);
  return out;
}

struct Outcome {
  int asked = 0, met = 0;
  double worst = 0;
};

void measure(const HeldOut& held, const std::vector<const char*>& wanted, Outcome& out) {
  Model m = held.model();
  m.span.until = held.until;
  for (const char* text : wanted) {
    const double want = Number(text).as<double>();
    const Span span{.step = m.span.step, .until = held.until, .accuracy = text};
    const auto run = extremal::run<double>(m.system, held.scheme, m.start, span);
    EXPECT_EQ(run.status, Status::complete) << run.reason;
    const Accuracy& found = *run.accuracy;
    const Reference exact = reference(held, m, run.steps);
    EXPECT_LT(exact.gap, want / 20) << held.name << ": the reference is not good enough";
    const double actual = difference(positions(run, m.system), exact.q);
    long long tried = 0;
    for (const Accuracy::Trial& trial : found.trials) tried += trial.steps;
    std::cout << fmt::format(
        "{:<26} {:<28} {:>5} {:>8} {:>9.1e} {:>9.1e} {:>9.1e} {:>6.2f} {:>9.1e} {:>6.1f} {:>6.1f}\n", held.name,
        held.scheme, text, found.steps, found.predicted, actual, found.rounding, actual / want, exact.gap,
        static_cast<double>(tried) / static_cast<double>(found.steps), found.wide_seconds / found.seconds());
    ++out.asked;
    if (actual <= want) ++out.met;
    out.worst = std::max(out.worst, actual / want);
  }
}

void head() {
  std::cout << fmt::format("{:<26} {:<28} {:>5} {:>8} {:>9} {:>9} {:>9} {:>6} {:>9} {:>6} {:>6}\n", "model", "scheme",
                           "asked", "steps", "predicted", "actual", "rounding", "ratio", "reference", "tried", "wide");
}

TEST(AccuracyLaw, IsMetByAFewModels) {
  Outcome out;
  head();
  for (const HeldOut& held : papers::held_out())
    if (held.brief) measure(held, {"1e-6"}, out);
  EXPECT_EQ(out.met, out.asked);
  EXPECT_EQ(out.asked, 3);
}

TEST(AccuracyLaw, IsMetByModelsItWasNotMadeWith) {
  EXTREMAL_FULL_ONLY("fourteen models and their references in long double");
  Outcome out;
  head();
  for (const HeldOut& held : papers::held_out()) measure(held, {"1e-6", "1e-9"}, out);
  EXPECT_GE(out.asked, 24);
  EXPECT_GE(out.met, 0.95 * out.asked);
  EXPECT_LE(out.worst, 3);
  std::cout << fmt::format("{} of {} met, the worst by {:.2f} of what was asked\n", out.met, out.asked, out.worst);
}

TEST(AccuracyLaw, IsRefusedInChaos) {
  const Model m = papers::double_pendulum();
  const Accuracy found = find_accuracy(m.system, Scheme::named("spark(3)"), m.start,
                                       {.step = m.span.step, .until = 20, .accuracy = "1e-9"});
  std::cout << found.refused << "\n" << found.text() << "\n";
  EXPECT_THAT(found.refused, HasSubstr("errors of rounding grow by"));
  EXPECT_GT(found.growth, 1e6);
  // What it calls attainable is.
  Span span{.step = m.span.step, .until = 5, .accuracy = "1e-9"};
  EXPECT_TRUE(find_accuracy(m.system, Scheme::named("spark(3)"), m.start, span).found());
}

}  // namespace
}  // namespace extremal::accuracy_test
