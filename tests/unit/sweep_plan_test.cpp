// Sweep: which runs a sweep file means, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "places.hpp"
#include "refusal.hpp"
#include "sweep/block.hpp"
#include "sweep/random.hpp"

namespace extremal::sweep::sweep_plan_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Sweep made(const std::string& text, const std::string& model_text = "", const RunTexts& options = {}) {
  const Document document(text, "s.toml");
  return {document, read_plan(document, options), model_text};
}

std::vector<double> doubles(const Sweep& sweep, std::uint64_t run) {
  std::vector<double> all;
  for (const Number& x : sweep.values(run)) all.push_back(x.as<double>());
  return all;
}

TEST(SweepRandom, DependsOnSeedRunAndNameOnly) {
  const Draw draw{7, 12, "g"};
  EXPECT_EQ(draw.bits(0), (Draw{7, 12, "g"}.bits(0)));
  std::set<std::uint64_t> all;
  for (std::uint64_t seed : {0, 1, 7})
    for (std::uint64_t run = 0; run < 1000; ++run)
      for (const char* name : {"g", "h", "v:x"})
        for (std::uint64_t k : {0, 1}) all.insert(Draw{seed, run, name}.bits(k));
  EXPECT_EQ(all.size(), 3u * 1000 * 3 * 2);
}

// As computed by another program. Whoever changes these changes the numbers of every sweep.
TEST(SweepRandom, HasAlwaysTheSameBits) {
  EXPECT_EQ((Draw{7, 0, "g"}.bits(0)), 0x164b198de69eb0dfu);
  EXPECT_EQ(to_text(Draw{7, 0, "g"}.uniform(quad(0), quad(1))), "0.08708343233467525");
  EXPECT_EQ(to_text(Draw{7, 1, "v:x"}.normal(quad(0), quad(1))), "-1.19745519304617");
}

TEST(SweepRandom, HasTheMomentsOfItsDistributions) {
  constexpr int n = 40000;
  double u1 = 0, u2 = 0, n1 = 0, n2 = 0, n4 = 0, neighbours = 0, before = 0;
  for (std::uint64_t run = 0; run < n; ++run) {
    const Draw draw{3, run, "x"};
    const double u = draw.uniform(quad(-1), quad(1)), z = draw.normal(quad(0), quad(1));
    EXPECT_LT(std::abs(u), 1);
    u1 += u / n, u2 += u * u / n, n1 += z / n, n2 += z * z / n, n4 += z * z * z * z / n;
    neighbours += u * before / n;
    before = u;
  }
  const double root = std::sqrt(double(n));  // five standard errors each
  EXPECT_NEAR(u1, 0, 5 * std::sqrt(1.0 / 3) / root);
  EXPECT_NEAR(u2, 1.0 / 3, 5 * std::sqrt(4.0 / 45) / root);
  EXPECT_NEAR(neighbours, 0, 5 * (1.0 / 3) / root);
  EXPECT_NEAR(n1, 0, 5 / root);
  EXPECT_NEAR(n2, 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(n4, 3, 5 * std::sqrt(96.0) / root);
}

TEST(SweepGrid, IsEveryCombinationTheLastNameFastest) {
  const Sweep sweep = made("model = \"pendulum\"\n[vary]\nm = [1, 2]\ng = { from = 0.1, to = 0.3, count = 3 }\n");
  ASSERT_EQ(sweep.size(), 6u);
  EXPECT_THAT(doubles(sweep, 0), testing::ElementsAre(1, 0.1));
  EXPECT_THAT(doubles(sweep, 1), testing::ElementsAre(1, 0.2));  // and not 0.30000000000000004 / 2 or the like
  EXPECT_THAT(doubles(sweep, 2), testing::ElementsAre(1, 0.3));
  EXPECT_THAT(doubles(sweep, 5), testing::ElementsAre(2, 0.3));
  EXPECT_TRUE(sweep.shares_terms());
}

TEST(SweepGrid, MayHaveEqualRatios) {
  const Sweep sweep =
      made("model = \"pendulum\"\n[vary]\ng = { from = 0.01, to = 100, count = 5, spacing = \"log\" }\n");
  for (std::uint64_t k = 0; k < 5; ++k) EXPECT_EQ(doubles(sweep, k)[0], (std::vector{0.01, 0.1, 1.0, 10.0, 100.0})[k]);
}

TEST(SweepGrid, IsZippedWhereAsked) {
  const Sweep sweep = made(
      "model = \"pendulum\"\nzip = [[\"x\", \"y\"]]\n[vary]\nx = [0.6, 0.8, 1]\nm = [1, 2]\ny = [-0.8, -0.6, 0]\n");
  ASSERT_EQ(sweep.size(), 6u);
  EXPECT_THAT(doubles(sweep, 3), testing::ElementsAre(0.8, 2, -0.6));
  EXPECT_THAT(doubles(sweep, 5), testing::ElementsAre(1, 2, 0));
}

TEST(SweepGrid, HasSamplesAtEveryPoint) {
  const std::string text =
      "model = \"pendulum\"\n[vary]\nm = [1, 2]\n[sample]\ncount = 3\nseed = 5\ng = { uniform = [9, 10] }\n";
  const Sweep sweep = made(text);
  ASSERT_EQ(sweep.size(), 6u);
  std::set<double> values;
  for (std::uint64_t run = 0; run < 6; ++run) {
    EXPECT_EQ(doubles(sweep, run)[0], run < 3 ? 1 : 2);
    EXPECT_EQ(doubles(sweep, run)[1], (Draw{5, run, "g"}.uniform(quad(9), quad(10))));
    values.insert(doubles(sweep, run)[1]);
  }
  EXPECT_EQ(values.size(), 6u);
}

// What a sweep makes of a run is what `extremal run --set ... --start ...` makes of it, to the last bit.
void expect_like_single_runs(const Sweep& sweep, const std::function<Model(std::uint64_t)>& single) {
  BlockResult block;
  ASSERT_TRUE(run_block(sweep, 0, sweep.size(), nullptr, block));
  for (std::uint64_t k = 0; k < sweep.size(); ++k) {
    const Model m = single(k);
    const auto run = extremal::run(m.system, sweep.schemes().front(), m.start, m.span);
    ASSERT_EQ(block.outcome(k), Outcome::complete) << block.messages;
    EXPECT_EQ(block.field(k, steps), double(run.steps));
    for (std::size_t c = 0; c < sweep.columns().size(); ++c)
      EXPECT_EQ(block.numbers[k * block.width() + field_count + sweep.plan().axes.size() + c],
                run.column(sweep.columns()[c].name).back())
          << sweep.columns()[c].name << " of run " << k;
    if (sweep.in_lanes()) continue;  // watched at its rows only
    EXPECT_EQ(block.field(k, newton_mean), run.newton_mean);
    EXPECT_EQ(block.field(k, energy_max_error), run.energy_max_error);
  }
}

const std::string swing = R"toml(
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "w*y"
constraint = [{ name = "rod", formula = "x^2 + y^2 - l^2" }]
[parameters]
m = 2
g = 9.81
w = "m*g"
l = 1
angle = 0.3
[start]
x = "l*sin(angle)"
y = "-l*cos(angle)"
[run]
step = 0.05
until = 1
)toml";

TEST(SweepRuns, ShareTermsWhereOnlyParametersOfTheSystemDiffer) {
  const Sweep sweep =
      made("model = \"swing.toml\"\nscheme = \"rattle\"\n[vary]\nm = [1, 2]\ng = [1.62, \"9.81\"]\n", swing);
  EXPECT_TRUE(sweep.shares_terms());
  EXPECT_EQ(sweep.run(0).system.terms(), sweep.run(3).system.terms());
  expect_like_single_runs(sweep, [](std::uint64_t k) {
    return read_model_text(swing, "swing.toml", {{"m", k < 2 ? "1" : "2"}, {"g", k % 2 == 0 ? "1.62" : "9.81"}});
  });
}

TEST(SweepRuns, ShareTermsWhereTheirStartsFollowTheParameters) {
  const Sweep sweep =
      made("model = \"swing.toml\"\nscheme = \"rattle\"\n[vary]\nangle = [0.3, 1, \"pi/2\"]\nl = [1, 2]\n", swing);
  EXPECT_TRUE(sweep.shares_terms());
  expect_like_single_runs(sweep, [](std::uint64_t k) {
    const char* angles[] = {"0.3", "1", "pi/2"};
    return read_model_text(swing, "swing.toml", {{"angle", angles[k / 2]}, {"l", k % 2 == 0 ? "1" : "2"}});
  });
}

TEST(SweepRuns, AreReadAgainWhereTheyMayDifferInAnything) {
  std::string model = swing.substr(0, swing.find("[run]"));
  model += "[run]\nstep = \"l/20\"\nuntil = \"2*l\"\n";
  const Sweep sweep = made("model = \"swing.toml\"\nscheme = \"rattle\"\n[vary]\nl = [1, 2]\n", model);
  EXPECT_FALSE(sweep.shares_terms());
  expect_like_single_runs(
      sweep, [&](std::uint64_t k) { return read_model_text(model, "swing.toml", {{"l", k == 0 ? "1" : "2"}}); });
}

TEST(SweepRuns, OfBodiesFollowTheirParameters) {
  const Sweep sweep =
      made("model = \"top\"\nscheme = \"rattle\"\nuntil = 0.05\nstep = 0.001\n[vary]\nradius = [0.05, 0.06]\n");
  EXPECT_FALSE(sweep.shares_terms());
  expect_like_single_runs(sweep, [](std::uint64_t k) {
    Model m = model("top", {{"radius", k == 0 ? "0.05" : "0.06"}});
    m.span = {.step = "0.001", .until = "0.05"};
    return m;
  });
}

TEST(SweepRuns, MayDifferInSchemeAndStep) {
  const Sweep sweep = made(
      "model = \"pendulum\"\nuntil = 1\noutputs = 2\n[vary]\nscheme = [\"rattle\", \"spark(3)\"]\nstep = [0.1, "
      "0.05]\n");
  EXPECT_EQ(sweep.rows(), 3u);
  BlockResult block;
  ASSERT_TRUE(run_block(sweep, 0, 4, nullptr, block));
  const Model m = model("pendulum");
  const auto run = extremal::run(m.system, "spark(3)", m.start, {.step = 0.05, .until = 1, .every = 10});
  EXPECT_EQ(block.field(3, row_count), 3);
  const std::size_t first = 3 * block.width() + field_count + 2, columns = sweep.columns().size();
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      EXPECT_EQ(block.numbers[first + r * columns + c], run.column(sweep.columns()[c].name)[r]);
}

TEST(SweepRuns, ThatFailDoNotTouchTheOthers) {
  const Sweep sweep = made(
      "model = \"pendulum\"\nscheme = \"rattle\"\nuntil = 10\n[vary]\ny = [-0.8, -0.7]\nstep = [0.05, 0.3, 1, 2.5]\n");
  BlockResult block;
  ASSERT_TRUE(run_block(sweep, 0, sweep.size(), nullptr, block));
  EXPECT_EQ(block.outcome(0), Outcome::complete);
  EXPECT_EQ(block.outcome(1), Outcome::refused);  // no whole number of steps
  EXPECT_EQ(block.outcome(3), Outcome::failed);
  EXPECT_EQ(block.outcome(4), Outcome::refused);  // off the circle
  EXPECT_THAT(block.messages, HasSubstr("expected a whole number"));
  EXPECT_THAT(block.messages, HasSubstr("Newton stalled"));
  EXPECT_TRUE(std::isnan(block.numbers[3 * block.width() + field_count + 2]));
  // Alone it is the same.
  BlockResult alone;
  ASSERT_TRUE(run_block(sweep, 3, 1, nullptr, alone));
  EXPECT_EQ(0, std::memcmp(alone.numbers.data(), block.numbers.data() + 3 * block.width(), block.width() * 8));
}

TEST(SweepRuns, EndWhenTheyAreAskedTo) {
  const Sweep sweep = made("model = \"pendulum\"\nuntil = 100000\n[vary]\nm = [1, 2]\n");
  const std::atomic<bool> stop = true;
  BlockResult block;
  EXPECT_FALSE(run_block(sweep, 0, 2, &stop, block));
}

TEST(SweepFile, IsRefusedWithItsPlace) {
  const std::string head = "model = \"pendulum\"\n";
  const auto why = [&](const std::string& text) { return refusal([&] { made(text); }); };
  for (const auto& [text, place, reason] : std::vector<std::array<std::string, 3>>{
           {"[vary]\nm = [1]\n", "s.toml:1:1: ", "found no model"},
           {head, "s.toml:1:1: ", "found nothing in [vary] and no [sample]"},
           {head + "[vary]\nmm = [1]\n", "s.toml:3:1: ", "unknown name \"mm\"; did you mean \"m\"?"},
           {head + "[vary]\n\"v:z\" = [1]\n", "s.toml:3:1: ", "unknown name \"v:z\""},
           {head + "[vary]\nm = []\n", "s.toml:3:5: ", "found an empty list"},
           {head + "[vary]\nm = 3\n", "s.toml:3:5: ", "expected a list, or a grid"},
           {head + "[vary]\nm = { from = 1, to = 2, count = 0 }\n", "s.toml:3:33: ", "expected a whole number from 1"},
           {head + "[vary]\nm = { from = 1, to = 2 }\n", "s.toml:3:5: ", "found no count"},
           {head + "[vary]\nm = { from = 1, to = 2, count = 1 }\n", "s.toml:3:33: ", "expected count = 2 or more"},
           {head + "[vary]\nm = { from = 1, too = 2, count = 3 }\n", "s.toml:3:17: ", "did you mean \"to\"?"},
           {head + "[vary]\nm = { from = 0, to = 2, count = 3, spacing = \"log\" }\n", "s.toml:3:46: ", "neither 0"},
           {head + "[vary]\nm = { uniform = [1, 2] }\n", "s.toml:3:5: ", "expected them in [sample]"},
           {head + "[vary]\nscheme = [\"rattel\"]\n", "s.toml:3:11: ", "rattle"},
           {head + "scheme = \"rattle\"\n[vary]\nscheme = [\"rattle\"]\n", "s.toml:4:1: ", "varied and fixed"},
           {head + "[set]\nm = 2\n[vary]\nm = [1]\n", "s.toml:3:1: ", "fixed and varied"},
           {head + "[set]\nk = 2\n[vary]\nm = [1]\n", "s.toml:3:1: ", "unknown parameter \"k\""},
           {head + "[start]\nk = 2\n[vary]\nm = [1]\n", "s.toml:3:1: ", "unknown coordinate \"k\""},
           {head + "[start]\n\"p:x\" = 2\n[vary]\n\"v:x\" = [1]\n", "s.toml:1:1: ", "expected one kind"},
           {head + "keep = [\"w\"]\n[vary]\nm = [1]\n", "s.toml:2:1: ", "unknown variable \"w\""},
           {head + "zip = [[\"m\", \"g\"]]\n[vary]\nm = [1]\ng = [1, 2]\n", "s.toml:2:14: ", "found 2 values"},
           {head + "zip = [[\"m\", \"x\"]]\n[vary]\nm = [1]\n", "s.toml:2:14: ", "unknown name of [vary]"},
           {head + "[sample]\ncount = 3\n", "s.toml:2:1: ", "found no random numbers"},
           {head + "[sample]\nm = { uniform = [1, 2] }\n", "s.toml:2:1: ", "found no count"},
           {head + "[sample]\ncount = 3\nm = { uniform = [2, 1] }\n", "s.toml:4:5: ", "[least, largest]"},
           {head + "[sample]\ncount = 3\nm = { normal = [2, -1] }\n", "s.toml:4:5: ", "negative"},
           {head + "[sample]\ncount = 3\nm = { uniform = [2] }\n", "s.toml:4:17: ", "the least and the largest"},
           {head + "[sample]\ncount = 3\nstep = { uniform = [1, 2] }\n", "s.toml:4:8: ", "expected a list in [vary]"},
           {head + "[vary]\nm = [1]\n[sample]\ncount = 2\nm = { uniform = [1, 2] }\n",
            "s.toml:6:1: ", "in one of them"},
           {head + "evry = 3\n[vary]\nm = [1]\n", "s.toml:2:1: ", "did you mean \"every\"?"},
           {head + "every = 3\noutputs = 2\n[vary]\nm = [1]\n", "s.toml:3:11: ", "expected one of them"},
           {head + "[vary]\nm = { from = 1, to = 2, count = 100000 }\ng = { from = 1, to = 2, count = 100000 }\n",
            "s.toml:1:1: ", "more than 1000000000 runs"}})
    EXPECT_THAT(why(text), testing::AllOf(StartsWith(place), HasSubstr(reason))) << text;
  EXPECT_THAT(why("model = \"pendulun\"\n[vary]\nm = [1]\n"), HasSubstr("did you mean \"pendulum\"?"));
  EXPECT_THAT(why(head + "[vary]\nscheme = [\"lie(trapezoidal)\"]\n"), HasSubstr("lie"));
  EXPECT_THAT(why("model = \"pendulum\"\npace = \"reversible\"\nevery = 3\n[vary]\nm = [1]\n"),
              AllOf(HasSubstr("found the reversible pace"), HasSubstr("try outputs = 100")));
}

// Orbits of other eccentricities by a pace: their ends, and rows at times that they have in common, are those of single
// runs.
TEST(SweepFile, TakesPacedRunsToTheirEndsOrOutputs) {
  const std::string orbit =
      "coordinates = [\"x\", \"y\"]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"-1/sqrt(x^2 + y^2)\"\n[time]\n"
      "rate = \"sqrt(x^2 + y^2)\"\n[start]\nx = 1\nvelocity = { y = 1 }\n[run]\nscheme = \"spark(3)\"\npace = "
      "\"symplectic\"\n"
      "step = 0.1\nuntil = 7\n";
  for (const char* pace : {"symplectic", "reversible"})
    for (const int outputs : {0, 4}) {
      const Sweep sweep = made(std::string("model = \"own\"\npace = \"") + pace + "\"\nkeep = [\"time\", \"q\"]\n" +
                                   (outputs > 0 ? "outputs = 4\n" : "") + "[vary]\n\"v:y\" = [1.1, 0.6, 0.8]\n",
                               orbit);
      EXPECT_FALSE(sweep.in_lanes());
      EXPECT_EQ(sweep.run(0).span.threads, 1);  // of the members, which threads share
      ASSERT_EQ(sweep.rows(), outputs > 0 ? 5U : 1U);
      BlockResult block;
      ASSERT_TRUE(run_block(sweep, 0, 3, nullptr, block));
      for (std::uint64_t k = 0; k < 3; ++k) {
        ASSERT_EQ(block.outcome(k), Outcome::complete) << block.messages;
        EXPECT_EQ(block.field(k, row_count), static_cast<double>(sweep.rows()));
        const SweepRun one = sweep.run(k);
        Span span = one.span;
        span.outputs = outputs;
        const auto alone = run<double>(one.system, *one.scheme, one.start, span);
        const double* row = block.numbers.data() + k * block.width() + field_count + 1;
        for (std::size_t r = 0; r < sweep.rows(); ++r, row += 3) {
          const std::size_t there = outputs > 0 ? r : alone.column("t").size() - 1;
          EXPECT_NEAR(row[0], outputs > 0 ? 7.0 * static_cast<double>(r) / 4 : 7.0, 1e-14);
          EXPECT_EQ(row[1], alone.column("x")[there]);
          EXPECT_EQ(row[2], alone.column("y")[there]);
        }
      }
    }
}

TEST(SweepFile, OfTheExamplesIsAHundredThousandPendulums) {
  std::ifstream in(std::filesystem::path(places::data) / ".." / ".." / "examples" / "pendulums.toml");
  const Sweep sweep = made({std::istreambuf_iterator<char>(in), {}});
  EXPECT_EQ(sweep.size(), 100000u);
  EXPECT_TRUE(sweep.shares_terms());
  BlockResult block;
  ASSERT_TRUE(run_block(sweep, 99999, 1, nullptr, block));
  EXPECT_EQ(block.outcome(99999), Outcome::complete) << block.messages;
}

TEST(SweepFile, IsToldApartFromOthers) {
  const std::string text = "model = \"pendulum\"\n[vary]\nm = [1, 2]\n";
  EXPECT_EQ(made(text).identity(), made("# a remark\n" + text).identity());
  std::set<std::string> all;
  for (const std::string& other :
       {text, text + "g = [1]\n", "step = 0.1\n" + text, "every = 1\n" + text, "keep = [\"q\"]\n" + text,
        "scheme = \"rattle\"\n" + text, "precision = \"quad\"\n" + text, text + "[set]\ng = 1\n",
        text + "[start]\nx = 0.6\n", std::string("model = \"pendulum\"\n[vary]\nm = [1, 3]\n")})
    all.insert(made(other).identity());
  EXPECT_EQ(all.size(), 10u);
}

}  // namespace
}  // namespace extremal::sweep::sweep_plan_test
