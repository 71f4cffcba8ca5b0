// extremal study, compare and cite.
#include <algorithm>
#include <cmath>

#include "extremal/baseline.hpp"
#include "extremal/scheme.hpp"
#include "places.hpp"
#include "program.hpp"
#include "well_formed.hpp"

namespace extremal::cli::study_test {
namespace {

using testing::HasSubstr;

TEST(StudyOrders, PrintsErrorsAndOrders) {
  const Outcome o = program("study orders pendulum --scheme rattle --scheme 'spark(2)' --steps 20 40 80");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  for (const char* word : {"rattle", "spark(2)", "error of lambda", "declared", "holds"})
    EXPECT_THAT(o.out, HasSubstr(word));
  EXPECT_EQ(o.err, "");  // no progress bar where nobody looks
}

TEST(StudyOrders, GivesJsonAndAPlot) {
  const Scratch plot("orders.svg");
  const Outcome o = program("study orders spring-pendulum --scheme 'man(LGG, 3)' --json --plot " + plot.path.string());
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json();
  EXPECT_EQ(all["holds"], true);
  EXPECT_EQ(all["until"], "4");
  const json& series = all["series"][0];
  EXPECT_EQ(series["errors"].size(), 4U);
  for (const char* quantity : {"q", "p", "lambda"}) {
    EXPECT_NEAR(series["order"][quantity]["measured"].get<double>(), 4, 0.25) << quantity;
    EXPECT_EQ(series["order"][quantity]["declared"], 4) << quantity;
  }
  EXPECT_EQ(xml_mistake(plot.text()), "");
  EXPECT_THAT(plot.text(), HasSubstr("man(LGG, 3)"));
}

// A hundred steps of order 2 are far from asymptotic over twenty units of a chaotic motion: an order that is not there
// is not claimed, and the exit code says so.
TEST(StudyOrders, FailsWhereAnOrderFallsShort) {
  const Outcome o = program("study orders double-pendulum-3d --scheme rattle --until 20 --steps 100 150 200 --json");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.json()["holds"], false);
}

TEST(StudyOrders, Refuses) {
  expect_refused("study orders pendulum --scheme ratle", HasSubstr("rattle"));
  expect_refused("study orders pendulum --scheme rattle --steps 20", HasSubstr("expected 3 numbers of steps"));
  expect_refused("study orders pendulum --scheme rattle --steps 40 20 10", HasSubstr("ascend"));
  expect_refused("study orders pendulun", HasSubstr("pendulum"));
  expect_refused("study order pendulum", HasSubstr("did you mean \"orders\""));
  expect_refused("study orders pendulum --scheme rattle --plot /no/such/folder/a.svg", HasSubstr("--plot"));
  expect_refused("study orders pendulum --precision half", HasSubstr("half"));
}

TEST(StudyWorkPrecision, ComparesChosenSchemes) {
  const Scratch plot("work.svg");
  const Outcome o = program(
      "study work-precision pendulum --scheme rattle --scheme 'spark(3)' --steps 20 40 80 --repetitions 1 --json "
      "--plot " +
      plot.path.string());
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json();
  ASSERT_EQ(all["series"].size(), 2U);
  const json &coarse = all["series"][0]["points"][2], &fine = all["series"][1]["points"][2];
  EXPECT_GT(coarse["error"].get<double>(), 1e4 * fine["error"].get<double>());
  EXPECT_GT(fine["seconds"].get<double>(), 0);
  EXPECT_EQ(xml_mistake(plot.text()), "");
}

// Figure 4: the higher the order, the smaller the error at the same step; figure 5: Lobatto rules give the same errors.
TEST(StudyWorkPrecision, ReproducesWenger) {
  const json all = program("study work-precision --paper wenger --quick --repetitions 1 --json").json();
  ASSERT_EQ(all["series"].size(), 8U);
  const auto error = [&](int k, int i) { return all["series"][k]["points"][i]["error"].get<double>(); };
  for (int k = 1; k < 5; ++k) EXPECT_LT(error(k, 0), 0.02 * error(k - 1, 0)) << k;
  EXPECT_NEAR(error(6, 1) / error(1, 1), 1, 1e-3);
  EXPECT_NEAR(error(7, 0) / error(4, 0), 1, 1e-2);
}

TEST(StudyWorkPrecision, RefusesAModelAndAPaper) {
  expect_refused("study work-precision pendulum --paper man", HasSubstr("--paper man"));
  expect_refused("study work-precision --paper hairer", HasSubstr("hairer"));
}

// Figure 2: with a step ten times as long the member of order 8 still has the smaller energy error; neither drifts.
// Figure 3: the angular momentum is kept to round-off.
TEST(StudyLongTime, ReproducesWenger) {
  const Scratch plot("long.svg");
  const Outcome o = program("study long-time --paper wenger --json --plot " + plot.path.string());
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json()["runs"];
  const auto largest = [&](std::size_t i) { return all[i]["watched"][0]["largest"].get<double>(); };
  EXPECT_EQ(all[0]["step"], "0.1");
  EXPECT_EQ(all[1]["step"], "0.01");
  EXPECT_LT(largest(0), largest(1));
  for (std::size_t i = 0; i < 2; ++i) {
    const json& energy = all[i]["watched"][0];
    EXPECT_LE(std::fabs(energy["drift_slope"].get<double>()), 3 * energy["drift_slope_error"].get<double>());
    EXPECT_LT(energy["windows"].back()["largest"].get<double>(), 1.01 * energy["windows"][0]["largest"].get<double>());
  }
  for (std::size_t i = 2; i < all.size(); ++i) EXPECT_LT(largest(i), 1e-13) << all[i]["scheme"];
  EXPECT_EQ(xml_mistake(plot.text()), "");
  // How the error swings, and whether it grows.
  EXPECT_THAT(plot.text(), HasSubstr(">(H - H0) / |H0|<"));
  EXPECT_THAT(plot.text(), HasSubstr(">largest |H - H0| / |H0|<"));
}

TEST(StudyLongTime, FollowsAModelOfOnesOwn) {
  const Outcome o = program("study long-time spherical-pendulum --scheme rattle --until 20 --windows 4");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  for (const char* word : {"rattle", "energy", "momentum", "drift"}) EXPECT_THAT(o.out, HasSubstr(word));
}

TEST(StudyTable, ReproducesRowsOfWenger) {
  const Outcome o = program("study table wenger --rows 2 --model pendulum --json");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json();
  EXPECT_EQ(all["cells"].size(), 35U);
  EXPECT_LT(all["largest_deviation"].get<double>(), 0.05);
  for (const json& cell : all["cells"]) {
    const json &order = cell["order"], &measured = cell["measured"];
    EXPECT_NEAR(measured["q"].get<double>(), order["q"].get<int>(), 0.05);
    const double lambda = order["lambda"] == "d" ? 0 : order["lambda"].get<double>();
    EXPECT_NEAR(measured["lambda"].get<double>(), lambda, 0.05);
  }
}

TEST(StudyTable, ReproducesRowsOfMan) {
  const Scratch plot("man.svg");
  const Outcome o = program("study table man --rows 2 3 --model spring-pendulum --plot " + plot.path.string());
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("spring-pendulum  3  4         4  4.00  4.00  4.00  4.00  4.00  4.00  4.00  4.00"));
  EXPECT_EQ(xml_mistake(plot.text()), "");
}

TEST(StudyTable, Refuses) {
  expect_refused("study table hairer", HasSubstr("hairer"));
  expect_refused("study table wenger --rows 9", HasSubstr("no such rows"));
  expect_refused("study table man --model pendulum", HasSubstr("spring-pendulum"));
}

TEST(Compare, PutsSchemesSideBySide) {
  const Outcome o = program("compare pendulum rattle 'spark(3)' --step 0.05 --until 5 --json");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json();
  ASSERT_EQ(all["schemes"].size(), 2U);
  EXPECT_EQ(all["schemes"][0]["steps"], 100);
  EXPECT_GT(all["schemes"][0]["difference"].get<double>(), 1e3 * all["schemes"][1]["difference"].get<double>());
  EXPECT_LT(all["schemes"][1]["constraint_max"].get<double>(), 1e-14);
  EXPECT_THAT(program("compare pendulum rattle 'spark(3)' --until 5").out, HasSubstr("with a quarter of the step"));
}

TEST(Compare, TakesModelFiles) {
  const Outcome o =
      program("compare " + std::string(places::models) + "/double-four-bar.toml ggl 'spark(2)' --until 0.5");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("double-four-bar"));
}

TEST(Compare, Refuses) {
  expect_refused("compare pendulum rattle", HasSubstr("two or more"));
  expect_refused("compare pendulum", HasSubstr("SCHEME"));
  expect_refused("compare pendulum rattle shakee", HasSubstr("shake"));
}

TEST(Cite, GivesEveryKeyOfAComposition) {
  const Outcome o = program("cite 'kahan_li(8, rattle)'");
  EXPECT_EQ(o.exit_code, 0);
  for (const char* key : {"@article{Andersen1983,", "@article{Wenger2017,", "@article{KahanLi1997,"})
    EXPECT_THAT(o.out, HasSubstr(key));
  EXPECT_THAT(o.out, HasSubstr("Ober-Blöbaum"));
}

TEST(Cite, KnowsEverySchemeAndModels) {
  std::string names;
  for (const Scheme& scheme : registry()) names += " '" + scheme.name + "'";
  const Outcome o = program("cite --json triple-pendulum" + names);
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json all = o.json();
  EXPECT_EQ(all["names"]["triple-pendulum"], json::array({"Man2020"}));
  for (const Scheme& scheme : registry()) EXPECT_FALSE(all["names"][scheme.name].empty()) << scheme.name;
  for (const json& r : all["references"]) {
    EXPECT_THAT(r["bibtex"].get<std::string>(), HasSubstr("{" + r["key"].get<std::string>() + ","));
    EXPECT_THAT(r["text"].get<std::string>(), testing::ContainsRegex(", [12][0-9]{3}$"));
    for (const char* tex : {"{", "}", "\\"}) EXPECT_THAT(r["text"].get<std::string>(), testing::Not(HasSubstr(tex)));
  }
}

TEST(Cite, RefusesWhatIsNeither) { expect_refused("cite pendulun", HasSubstr("nor is it a model")); }

bool has_all_baselines() {
  return std::all_of(baseline_kinds().begin(), baseline_kinds().end(), [](const auto& kind) { return kind.built; });
}

TEST(Compare, HasBaselinesBesideSchemes) {
  const std::string plain = "compare pendulum rattle 'spark(3)' --step 0.05 --until 5";
  const json all = program(plain + " --baseline all --tolerances 1e-6,1e-9 --json").json();
  EXPECT_EQ(all["schemes"].size(), 2U);
  std::size_t built = 0;
  for (const BaselineKind& kind : baseline_kinds()) {
    if (!kind.built) {
      expect_refused(plain + " --baseline '" + kind.name + "'", HasSubstr(kind.package));
      continue;
    }
    const json &coarse = all["baselines"][2 * built], &fine = all["baselines"][2 * built + 1];
    EXPECT_EQ(coarse["baseline"], kind.name);
    EXPECT_EQ(coarse["variational"], false);
    EXPECT_EQ(coarse["status"], "complete");
    EXPECT_EQ(fine["tolerance"], 1e-9);
    EXPECT_LT(fine["energy"]["max_error"].get<double>(), 0.1 * coarse["energy"]["max_error"].get<double>());
    EXPECT_LT(fine["difference"].get<double>(), 1e-5);
    const std::string text = program(plain + " --baseline '" + kind.name + "' --tolerances 1e-6").out;
    EXPECT_THAT(text, HasSubstr(kind.name + "  not variational  1e-06 "));
    ++built;
  }
  EXPECT_EQ(all["baselines"].size(), 2 * built);
  EXPECT_EQ(all["left_out"].size(), baseline_kinds().size() - built);
}

TEST(StudyWorkPrecision, HasBaselinesBesideSchemes) {
  const Scratch plot("work.svg");
  const std::string arguments =
      "study work-precision pendulum --scheme rattle --steps 4 8 --repetitions 1 --baseline all "
      "--tolerances 1e-5,1e-10";
  const json all = program(arguments + " --json --plot " + plot.path.string()).json();
  EXPECT_EQ(all["baselines"].size() + all["left_out"].size(), baseline_kinds().size());
  for (const json& series : all["baselines"]) {
    EXPECT_EQ(series["variational"], false);
    EXPECT_LT(series["points"][1]["error"], series["points"][0]["error"]);
    EXPECT_GT(series["points"][1]["seconds"].get<double>(), 0);
    EXPECT_THAT(plot.text(), HasSubstr(series["baseline"].get<std::string>() + ", not variational"));
  }
  const std::string text = program(arguments).out;
  EXPECT_THAT(text, HasSubstr(all["baselines"].empty() ? "scheme " : "scheme or baseline "));
}

TEST(Compare, RefusesBaselinesByName) {
  const std::string plain = "compare pendulum rattle 'spark(3)' ";
  expect_refused(plain + "--baseline 'odeint(rkf87)'", HasSubstr("did you mean \"odeint(rkf78)\""));
  expect_refused(plain + "--tolerances 1e-6", HasSubstr("--baseline"));
  expect_refused(plain + "--baseline all --tolerances 1e-6,1e-3", HasSubstr("less than the one before"));
  expect_refused(plain + "--baseline all --tolerances 0", HasSubstr("between 0 and 1"));
  expect_refused("study work-precision --paper man --baseline all", HasSubstr("--paper man"));
}

// Blocks of the document that begin with a command.
TEST(StudiesDocument, ShowsWhatTheProgramPrints) {
  std::ostringstream document;
  document << std::ifstream(std::string(places::data) + "/../../docs/studies.md").rdbuf();
  const std::string text = document.str(), fence = "```text\n$ extremal ";
  int checked = 0;
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at + 1), ++checked) {
    const std::size_t begin = at + fence.size(), line = text.find('\n', begin), end = text.find("```\n", line);
    const std::string arguments = text.substr(begin, line - begin);
    if (arguments == "list baselines" && !has_all_baselines()) continue;  // which the document has
    EXPECT_EQ(program(arguments).out, text.substr(line + 1, end - line - 1)) << arguments;
  }
  EXPECT_GE(checked, 3);
}

}  // namespace
}  // namespace extremal::cli::study_test
