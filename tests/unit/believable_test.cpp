// A run that took all its steps but cannot be the motion is suspect; and no run that is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "extremal/error.hpp"
#include "extremal/models.hpp"
#include "extremal/run.hpp"
#include "full.hpp"

namespace extremal::believable_test {
namespace {

System kepler() {
  System s("kepler");
  const auto at = s.coordinates("x", "y");
  s.kinetic(at, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(at, [](const auto& q) { return -1.0 / sqrt(q[0] * q[0] + q[1] * q[1]); });
  return s;
}
const Start ellipse{.q = {"0.1", 0}, .v = {0, "sqrt(19)"}};  // e = 0.9, a = 1

System oscillator() {
  System s("oscillator");
  const auto x = s.coordinates("x");
  s.kinetic(x, [](const auto&, const auto& v) { return 0.5 * v[0] * v[0]; });
  s.potential(x, [](const auto& q) { return 0.5 * q[0] * q[0]; });
  return s;
}

// Two rods of a governor's arm as a stiff spring with a damper beside it.
System stiff() {
  System s("stiff");
  const auto at = s.coordinates("x", "y");
  s.kinetic(at, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(at, [](const auto& q) {
    const auto stretch = sqrt(q[0] * q[0] + q[1] * q[1]) - 1.0;
    return 5e5 * stretch * stretch + 9.81 * q[1];
  });
  s.force("damper", at, [](const auto&, const auto& v) { return rows(-0.5 * v[0], -0.5 * v[1]); });
  return s;
}

void expect_suspect(const Run<double>& r, const char* why) {
  EXPECT_NE(r.status, Status::complete) << r.scheme << " " << r.step.text() << ": " << r.summary();
  if (r.status != Status::suspect) return;  // or it has failed, by itself or by numbers that are not finite
  EXPECT_NE(r.reason.find(why), std::string::npos) << r.reason;
  EXPECT_NE(r.reason.find("try step <= "), std::string::npos) << r.reason;
}

TEST(Believable, WhatIsWrongIsSuspect) {
  const Model pendulum = model("pendulum");
  expect_suspect(run(pendulum.system, "spark(3)", pendulum.start, {.step = "0.5", .until = 1000}), "cannot be");
  expect_suspect(run(pendulum.system, "spark(25)", pendulum.start, pendulum.span), "cannot be");
  expect_suspect(run(kepler(), "spark(3)", ellipse, {.step = "2*pi/100", .until = "20*pi"}), "out of reach");
  expect_suspect(run(kepler(), "rattle", ellipse, {.step = "2*pi/100", .until = "20*pi"}), "energy error");
  for (const char* step : {"2.0005", "2.5"})
    expect_suspect(run(oscillator(), "rattle", {.q = {1}}, {.step = step, .until = std::string("400*") + step}),
                   "cannot be");
  // Passive, and it gains: 0.01 is beyond the stable step of the spring, 2 / 1000.
  expect_suspect(run(stiff(), "rattle", {.q = {1, 0}}, {.step = "0.01", .until = 1}), "cannot be");
}

// The same with steps that resolve it.
TEST(Believable, WhatIsRightIsComplete) {
  const Model pendulum = model("pendulum");
  EXPECT_EQ(run(pendulum.system, "spark(3)", pendulum.start, {.step = "0.1", .until = 100}).status, Status::complete);
  for (const char* scheme : {"rattle", "spark(3)"}) {
    EXPECT_EQ(run(kepler(), scheme, ellipse, {.step = "2*pi/1000", .until = "4*pi"}).status, Status::complete);
    EXPECT_EQ(run(kepler(), scheme, ellipse, {.step = "2*pi/1000", .until = "pi"}).status, Status::complete);
  }
  EXPECT_EQ(run(oscillator(), "rattle", {.q = {1}}, {.step = 1, .until = 1000}).status, Status::complete);
  EXPECT_EQ(run(stiff(), "rattle", {.q = {1, 0}}, {.step = "0.0005", .until = 1}).status, Status::complete);
  // At rest there is nothing but round-off.
  EXPECT_EQ(run(pendulum.system, "spark(3)", {.q = {0, -1}}, {.step = "0.1", .until = 10}).status, Status::complete);
  EXPECT_EQ(run(oscillator(), "rattle", {.q = {0}}, {.step = "0.1", .until = 10}).status, Status::complete);
}

// g = 0 at Gauss nodes only: g and G v grow along the run, as the scheme's own note says. What comes out is wrong.
bool drifts(const System& system, const Scheme& scheme) {
  return system.constraint_count() > 0 && !scheme.composed() && !scheme.declared.on_manifold;
}

// How far a run ends from a much finer one of higher order, relative to how far that one moves.
double distance(const Model& m, const Run<double>& r, const Span& span) {
  const std::string scheme =
      m.scheme.empty() ? m.system.has(Role::hamiltonian) ? "phase_space(4)" : "spark(4)" : m.scheme;
  const Span fine{.step = "(" + span.step.text() + ")/20", .until = span.until};
  const auto exact = run(m.system, scheme, m.start, fine);
  EXPECT_EQ(exact.status, Status::complete) << exact.reason;
  double apart = 0, extent = 0;
  for (const std::string& name : m.system.coordinate_names()) {
    const auto& q = exact.column(name);
    const auto [low, high] = std::minmax_element(q.begin(), q.end());
    extent = std::max(extent, *high - *low);
    apart = std::max(apart, std::fabs(r.column(name).back() - q.back()));
  }
  return apart / extent;
}

class NoFalseAlarm : public testing::TestWithParam<std::string> {};

TEST_P(NoFalseAlarm, AtTheModelsOwnStepAndHalfOfIt) {
  const Model m = model(GetParam());
  const int n = m.system.size();
  const long long steps = (n <= 12 ? 40 : n <= 60 ? 12 : 4) * (papers::full() ? 10 : 1);
  int tried = 0, unfit = 0, failed = 0, wrong = 0;
  for (const Scheme& scheme : registry()) {
    if (drifts(m.system, scheme) || (n > 60 && !papers::full() && scheme.name != m.scheme && scheme.name != "spark(2)"))
      continue;
    for (const int part : {1, 2}) {
      const quad h = m.span.step.as<quad>() / quad(part), start = m.start.t.as<quad>();
      const long long all = std::llround(static_cast<double>((m.span.until.as<quad>() - start) / h));
      const quad until = start + h * quad(std::min(all, steps * part));
      try {
        const Span span{.step = Number::exactly(h), .until = Number::exactly(until)};
        const auto r = run(m.system, scheme, m.start, span, {.collect = false});
        ++tried;
        failed += r.status == Status::failed ? 1 : 0;
        if (r.status != Status::suspect) continue;
        ++wrong;
        EXPECT_GT(distance(m, r, span), 0.2) << scheme.name << ", step / " << part << ": " << r.reason;
      } catch (const InputError&) {
        ++unfit;
      }
    }
  }
  std::printf("%d combinations of a scheme and a step: %d failed, %d wrong and suspect; %d refused\n", tried, failed,
              wrong, unfit);
  EXPECT_GT(tried, 0);
}

std::string identifier(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Models, NoFalseAlarm, testing::ValuesIn(model_names()),
                         [](const auto& info) { return identifier(info.param); });

}  // namespace
}  // namespace extremal::believable_test
