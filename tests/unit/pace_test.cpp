// Runs whose steps are paced: where they end, what is written of them, what goes on with them, and what is refused.
#include "extremal/pace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "distance.hpp"
#include "extremal/batch.hpp"
#include "extremal/case.hpp"
#include "extremal/models.hpp"
#include "paced_models.hpp"
#include "refusal.hpp"

namespace extremal::pace_unit_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Span span_of(const Model& m, Pace pace, const char* step = "0.05", const char* until = "7.3") {
  return {.step = step, .until = until, .pace = pace, .rate = m.span.rate};
}

class EachPace : public testing::TestWithParam<Pace> {};
INSTANTIATE_TEST_SUITE_P(Paces, EachPace, testing::Values(Pace::symplectic, Pace::reversible),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(EachPace, LandsOnTheEndForwardsAndBackwards) {
  const Model m = papers::kepler("0.8");
  for (const char* until : {"7.3", "0.001", "31.4159"}) {
    const auto there = run(m.system, "spark(3)", m.start, span_of(m, GetParam(), "0.05", until));
    ASSERT_EQ(there.status, Status::complete) << there.reason;
    const double end = Number(until).as<double>();
    EXPECT_LE(std::fabs(there.column("t").back() - end), 4e-16 * end) << until;
    Start back{.t = until};
    for (const char* q : {"x", "y"}) {
      back.q.push_back(Number::exactly(there.column(q).back()));
      back.p.push_back(Number::exactly(there.column(std::string("p:") + q).back()));
    }
    const auto again = run(m.system, "spark(3)", back, span_of(m, GetParam(), "-0.05", "0"));
    EXPECT_LT(std::fabs(again.column("t").back()), 1e-14);
    EXPECT_LT(std::fabs(again.column("x").back() - 1.8), 1e-6);
  }
}

// Rows are of the system in its own time.
TEST_P(EachPace, HasPhysicalColumns) {
  const Model m = papers::bead();
  const auto paced = run(m.system, "spark(4)", m.start, span_of(m, GetParam(), "0.02", "3"));
  const auto plain = run(m.system, "spark(4)", m.start, {.step = "0.001", .until = 3});
  ASSERT_EQ(paced.columns.size(), plain.columns.size());
  for (std::size_t c = 0; c < paced.columns.size(); ++c) {
    const std::string& name = paced.columns[c].name;
    EXPECT_EQ(name, plain.columns[c].name);
    if (name == "iterations" || name == "constraint" || name == "hidden") continue;
    EXPECT_NEAR(paced.columns[c].values.back(), plain.columns[c].values.back(), 1e-8) << name;
  }
}

TEST_P(EachPace, EvaluatesInsideItsSteps) {
  const Model m = papers::kepler("0.5");
  Span span = span_of(m, GetParam(), "0.05", "6");
  span.at = {"0.1", "2.7182818", "3.1415926", "6"};
  const auto paced = run(m.system, "spark(4)", m.start, span);
  ASSERT_EQ(paced.dense[0].values.size(), 4U);
  for (std::size_t k = 0; k < span.at.size(); ++k) {
    const auto exact = run(m.system, "spark(4)", m.start,
                           {.step = Number("(" + span.at[k].text() + ")/400"), .until = span.at[k], .every = 400});
    EXPECT_NEAR(paced.dense[1].values[k], exact.column("x").back(), 1e-7) << k;
    EXPECT_NEAR(paced.dense[2].values[k], exact.column("y").back(), 1e-7) << k;
  }
}

// Rows at equally spaced times: those of runs that end there, of every column; the steps are what they are without.
TEST_P(EachPace, HasRowsAtTimesThatAreAskedFor) {
  const Model m = papers::bead();
  for (const char* scheme : {"spark(3)", "suzuki(4, rattle)"}) {
    Span span = span_of(m, GetParam(), "0.02", "3");
    const auto plain = run(m.system, scheme, m.start, span);
    span.outputs = 7;
    const auto rows = run(m.system, scheme, m.start, span);
    ASSERT_EQ(rows.status, Status::complete) << rows.reason;
    EXPECT_EQ(rows.steps, plain.steps);
    EXPECT_EQ(rows.energy_max_error, plain.energy_max_error);
    ASSERT_EQ(rows.column("t").size(), 8U);
    for (std::size_t c = 0; c < rows.columns.size(); ++c) {
      ASSERT_EQ(rows.columns[c].values.size(), 8U);
      if (c > 0) {
        EXPECT_EQ(rows.columns[c].values.back(), plain.columns[c].values.back()) << rows.columns[c].name;
      }
    }
    EXPECT_EQ(rows.column("t").back(), 3);
    for (int k = 1; k < 7; ++k) {
      const std::string t = "3*" + std::to_string(k) + "/7";
      Span part = span_of(m, GetParam(), "0.02", t.c_str());
      part.every = 1000000;
      const auto end = run(m.system, scheme, m.start, part);
      EXPECT_EQ(rows.column("t")[static_cast<std::size_t>(k)], Number(t).as<double>());
      for (std::size_t c = 0; c < rows.columns.size(); ++c) {
        const std::string& name = rows.columns[c].name;
        if (name == "iterations" || name == "constraint" || name == "hidden") continue;
        EXPECT_NEAR(rows.columns[c].values[static_cast<std::size_t>(k)], end.columns[c].values.back(),
                    1e-10 * std::max(1.0, std::fabs(end.columns[c].values.back())))
            << name << " " << scheme;
      }
    }
  }
}

// Members of a batch have rows at the same times.
TEST_P(EachPace, IsTakenByMembers) {
  const Model m = papers::kepler("0.5");
  Span span = span_of(m, GetParam());
  span.outputs = 5;
  const std::vector<double> speeds{0.3, 0.5, 0.7};
  Members members{.system = m.system, .start = m.start, .count = 3};
  members.place("v:y", speeds);
  const Batch batch = run_batch(Scheme::named("spark(3)"), span, members);
  ASSERT_EQ(batch.times, 6U);
  for (std::size_t k = 0; k < 3; ++k) {
    ASSERT_EQ(batch.runs[k].status, Status::complete) << batch.runs[k].reason;
    Start start = members.start;
    start.v.at(1) = Number::exactly(speeds[k]);
    const auto alone = run(m.system, "spark(3)", start, span);
    for (std::size_t row = 0; row < 6; ++row)
      for (const char* name : {"t", "x", "v:y", "energy"})
        EXPECT_EQ(batch.value(k, row, batch.column(name)), alone.column(name)[row]) << name;
  }
  span.outputs = 0;
  const Batch ends = run_batch(Scheme::named("spark(3)"), span, members, {.only_last = true});
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(ends.value(k, 0, ends.column("x")), batch.value(k, 5, batch.column("x")));
}

class StopsAtRow : public RowSink<double> {
 public:
  void row(const std::vector<double>&) override { stop = ++rows >= 60; }
  std::atomic<bool> stop = false;
  int rows = 0;
};

class GoesOn : public testing::TestWithParam<std::tuple<Pace, int>> {};
INSTANTIATE_TEST_SUITE_P(Paces, GoesOn,
                         testing::Combine(testing::Values(Pace::symplectic, Pace::reversible), testing::Values(0, 150)),
                         [](const auto& info) {
                           return std::string(name(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) > 0 ? "_at_times" : "");
                         });

TEST_P(GoesOn, BitForBit) {
  const Model m = papers::kepler("0.8");
  Span span = span_of(m, std::get<0>(GetParam()), "0.05", "9");
  span.outputs = std::get<1>(GetParam());
  const auto whole = run(m.system, "spark(3)", m.start, span);
  StopsAtRow sink;
  const auto part = run(m.system, "spark(3)", m.start, span, {.sinks = {&sink}, .stop = &sink.stop});
  ASSERT_EQ(part.status, Status::interrupted);
  const auto rest = run(m.system, "spark(3)", m.start, span, {.from = &part.last});
  if (span.outputs > 0) {
    EXPECT_EQ(part.column("t").size() + rest.column("t").size(), whole.column("t").size());
    EXPECT_EQ(rest.column("x")[0], whole.column("x")[part.column("x").size()]);
  }
  EXPECT_EQ(rest.steps, whole.steps);
  EXPECT_EQ(rest.energy_max_error, whole.energy_max_error);
  for (const char* name : {"t", "x", "p:y", "energy"}) EXPECT_EQ(rest.column(name).back(), whole.column(name).back());
  EXPECT_EQ(rest.notes, whole.notes);
  const auto ended = run(m.system, "spark(3)", m.start, span, {.from = &whole.last});
  EXPECT_EQ(ended.steps, whole.steps);
  Span other = span;
  other.rate = papers::kepler("0.8", "x^2 + y^2").span.rate;
  EXPECT_THAT(refusal([&] { run(m.system, "spark(3)", m.start, other, {.from = &part.last}); }),
              HasSubstr("another step"));
}

// What a rate is given by makes no difference.
TEST(Rate, IsAFunctionAFormulaOrAnExpression) {
  const Model m = papers::kepler("0.5");
  const Coordinates<2> ball{{0, 1}};
  const Symbols of;
  const Expression x = of.coordinate(0), y = of.coordinate(1);
  const auto end = [&](const Rate& by) {
    Span span = span_of(m, Pace::symplectic);
    span.rate = by;
    return run(m.system, "rattle", m.start, span).column("x").back();
  };
  EXPECT_NEAR(end(rate(ball, [](auto q) { return sqrt(q[0] * q[0] + q[1] * q[1]); })), end(m.span.rate), 1e-13);
  EXPECT_NEAR(end(rate(m.system, sqrt(x * x + y * y), {0, 1})), end(m.span.rate), 1e-13);
}

// Sites that have the coordinates of s, some of them, or none; and terms of several rows of sites.
TEST(Rate, ReachesEveryTerm) {
  System chain("chain");
  std::vector<Coordinates<2>> links;
  std::vector<Coordinates<1>> masses;
  for (int k = 0; k < 4; ++k) masses.push_back(chain.coordinates("x" + std::to_string(k)));
  for (int k = 0; k < 3; ++k)
    links.push_back(join(masses[static_cast<std::size_t>(k)], masses[static_cast<std::size_t>(k + 1)]));
  chain.kinetic(masses, [](auto, auto v) { return v[0] * v[0] / 2.0; });
  chain.potential(links, [](auto q) { return pow(q[1] - q[0], 2) + pow(q[1] - q[0], 4); });
  const Start start{.q = {0, "0.5", 0, 1}, .v = {1, 0, 0, "-0.5"}};
  const Rate s = rate(join(masses[1], masses[2]), [](auto q) { return 1.0 + q[0] * q[0] / 2.0 + q[1] * q[1]; });
  const auto plain = run(chain, "spark(4)", start, {.step = "0.002", .until = 2});
  const auto paced = run(chain, "spark(4)", start, {.step = "0.02", .until = 2, .pace = Pace::symplectic, .rate = s});
  for (const char* name : {"x0", "x1", "x2", "x3", "v:x0", "p:x3", "energy"})
    EXPECT_NEAR(paced.column(name).back(), plain.column(name).back(), 1e-10) << name;
}

// One where the motion starts, short where it is fast; also of bodies.
TEST(Rate, IsMadeOfTheEnergiesWhereNoneIsGiven) {
  const Model m = papers::kepler("0.9");
  const Span none{.step = "2*pi/100", .until = "20*pi", .pace = Pace::symplectic};
  const auto paced = run(m.system, "spark(3)", m.start, none);
  EXPECT_EQ(paced.status, Status::complete) << paced.reason;
  EXPECT_LT(std::hypot(paced.column("x").back() - 1.9, paced.column("y").back()), 1e-4);
  EXPECT_THAT(paced.summary(), HasSubstr("the rate of the energies"));
  EXPECT_NEAR(paced.column("t")[1], 0.0628, 1e-3);

  const Model crank = papers::slider_crank();
  const auto bodies =
      run(crank.system, "spark(3)", crank.start, {.step = "0.02", .until = 2, .pace = Pace::symplectic});
  const auto exact = run(crank.system, "spark(4)", crank.start, {.step = "0.002", .until = 2});
  for (const char* name : {"position:link:x", "lambda:wrist pin.0", "energy"})
    EXPECT_NEAR(bodies.column(name).back(), exact.column(name).back(), 1e-5) << name;
}

// What a symplectic pace cannot carry: a crank that is driven and damped.
TEST(ReversiblePace, CarriesTimeForcesAndRotations) {
  const Model m = papers::slider_crank(
      "[[motor]]\nname = \"motor\"\nfrom = \"ground\"\nto = \"crank\"\ntorque = \"2*cos(t)\"\n"
      "[[damper]]\nname = \"friction\"\nfrom = \"ground\"\nto = \"piston\"\ndamping = 0.1\n");
  for (const char* scheme : {"spark(3)", "lie(trapezoidal)"}) {
    const auto fine = run(m.system, scheme, m.start, {.step = "0.0005", .until = 2});
    const auto paced = run(m.system, scheme, m.start, {.step = "0.002", .until = 2, .pace = Pace::reversible});
    EXPECT_EQ(paced.status, Status::complete) << paced.reason;
    EXPECT_NEAR(paced.column("position:piston:x").back(), fine.column("position:piston:x").back(), 1e-4) << scheme;
    EXPECT_LT(paced.energy_max_error, 1e-2) << scheme;
  }
}

TEST(Pace, RefusesWithTheReason) {
  const auto said = [](const Model& m, const char* scheme, Span span) {
    return refusal([&] { run(m.system, scheme, m.start, span); });
  };
  const Model orbit = papers::kepler("0.5");
  const Model pushed = papers::kepler("0.5", "x^2 + y^2", "[[force]]\nname = \"drag\"\nalong = { x = \"-x'\" }\n");
  const Model timed = papers::kepler("0.5", "x^2 + y^2", "[[potential]]\nformula = \"x*sin(t)\"\n");
  const Model ball = papers::bead();
  EXPECT_THAT(said(pushed, "spark(2)", span_of(pushed, Pace::symplectic)),
              AllOf(HasSubstr("drag"), HasSubstr("reversible")));
  EXPECT_THAT(said(timed, "spark(2)", span_of(timed, Pace::symplectic)),
              AllOf(HasSubstr("depends on t"), HasSubstr("reversible")));
  EXPECT_THAT(said(orbit, "energy_momentum", span_of(orbit, Pace::symplectic)), HasSubstr("constant mass"));
  EXPECT_THAT(said(ball, "wenger(2, 2, gauss(2))", span_of(ball, Pace::symplectic)), HasSubstr("half of a multiplier"));
  const Model crank = papers::slider_crank();
  EXPECT_THAT(said(crank, "lie(trapezoidal)", span_of(crank, Pace::symplectic)), HasSubstr("rotations"));
  EXPECT_THAT(said(orbit, "galerkin(2, radau(2))", span_of(orbit, Pace::reversible)), HasSubstr("not symmetric"));
  Span negative = span_of(orbit, Pace::reversible);
  negative.rate = papers::kepler("0.5", "1 - x^2 - y^2").span.rate;
  EXPECT_THAT(said(orbit, "spark(2)", negative), HasSubstr("at the start; expected a positive number"));
  Span both = span_of(orbit, Pace::symplectic);
  both.pattern = {1, 2};
  EXPECT_THAT(said(orbit, "spark(2)", both), HasSubstr("pattern"));
  Span away = span_of(orbit, Pace::symplectic, "-0.1");
  EXPECT_THAT(said(orbit, "spark(2)", away), HasSubstr("leads away"));
  EXPECT_THAT(refusal([&] {
                run_batch(Scheme::named("spark(2)"), span_of(orbit, Pace::symplectic),
                          {.system = orbit.system, .start = orbit.start, .count = 2}, {});
              }),
              HasSubstr("expected outputs, at times that all have in common"));
  Span rows = span_of(ball, Pace::reversible);
  rows.outputs = 3;
  EXPECT_THAT(said(ball, "wenger(2, 2, gauss(2))", rows), HasSubstr("at the ends of its steps only"));
  // Positive at the start, not on the way.
  negative.rate = papers::kepler("0.5", "x^2 + y^2 - 1").span.rate;
  for (const Pace pace : {Pace::symplectic, Pace::reversible}) {
    negative.pace = pace;
    const auto run = extremal::run(orbit.system, "spark(2)", orbit.start, negative);
    EXPECT_EQ(run.status, Status::failed);
    EXPECT_THAT(run.reason, HasSubstr("rate"));
  }
}

TEST(Pace, IsSaidInModelFiles) {
  const Model m = read_model_text(R"toml(coordinates = ["x"]
kinetic = "x'^2/2"
potential = "k*x^4"
[parameters]
k = 2
c = "k/4"
[definitions]
far = "x^2 + c"
[time]
rate = "1/sqrt(far)"
[start]
x = 1
[run]
pace = "symplectic"
step = 0.1
until = 3
)toml",
                                  "m");
  EXPECT_EQ(m.span.pace, Pace::symplectic);
  ASSERT_NE(m.span.rate, nullptr);
  const Case one = make_case(m);
  EXPECT_EQ(run<double>(one).status, Status::complete);
  Model again = m;
  again.text.clear();
  const Model read = read_model_text(model_text(again), "again");
  EXPECT_EQ(read.span.pace, Pace::symplectic);
  EXPECT_EQ(run<double>(make_case(read)).column("x").back(), run<double>(one).column("x").back());

  const auto wrong = [](const std::string& rest) {
    return refusal(
        [&] { read_model_text("coordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"x^4\"\n" + rest, "m"); });
  };
  EXPECT_THAT(wrong("[time]\nrate = \"y\"\n"), AllOf(HasSubstr("m:5"), HasSubstr("\"y\"")));
  EXPECT_THAT(wrong("[time]\nrate = \"x'^2\"\n"), AllOf(HasSubstr("m:5"), HasSubstr("velocity")));
  EXPECT_THAT(wrong("[time]\nrate = \"1 + t*x\"\n"), AllOf(HasSubstr("m:5"), HasSubstr("depends on t")));
  EXPECT_THAT(wrong("[time]\nrate = \"3\"\n"), HasSubstr("m:5"));
  EXPECT_THAT(wrong("[time]\npace = \"3\"\n"), HasSubstr("rate"));
  EXPECT_THAT(wrong("[run]\npace = \"fast\"\n"), AllOf(HasSubstr("m:5"), HasSubstr("symplectic")));
  const Model rows = read_model_text(model_text(again) + "outputs = 12\n", "rows");
  EXPECT_EQ(run<double>(make_case(rows)).column("t").size(), 13U);
  Model written = rows;
  written.text.clear();
  EXPECT_EQ(read_model_text(model_text(written), "written").span.outputs, 12);
  EXPECT_THAT(wrong("[run]\npace = \"symplectic\"\nstep = 1\nsteps = 3\n"),
              AllOf(HasSubstr("m:7"), HasSubstr("fictitious")));
}

}  // namespace
}  // namespace extremal::pace_unit_test
