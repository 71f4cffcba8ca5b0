// Large mechanisms on threads: their elimination comes in parts, and the motion has the same bits on however many.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "extremal/models.hpp"
#include "extremal/run.hpp"
#include "extremal/scheme.hpp"
#include "extremal/stepper.hpp"
#include "kernel/step_engine.hpp"

namespace extremal::lie_threads_test {
namespace {

State<double> after(const Model& model, const char* scheme, double h, int steps, int threads) {
  auto engine = make_engine<double>(model.system, Scheme::named(scheme));
  engine->threads(threads);
  Stepper<double> stepper(std::move(engine));
  stepper.start(model.start);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.step(h).converged) << k;
  return stepper.state();
}

double distance(const State<double>& a, const State<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) most = std::max(most, std::fabs(a.q[i] - b.q[i]));
  for (std::size_t i = 0; i < a.p.size(); ++i) most = std::max(most, std::fabs(a.p[i] - b.p[i]));
  return most;
}

// A tree: two joints at the end of every bar but the last, each with a bar.
Model tree(int bars) {
  std::string text =
      "name = \"tree\"\ngravity = [0, 0, -9.81]\n"
      "[[body]]\nname = \"bar 1\"\nmass = 1\ninertia = [\"1/600\", \"1/12\", \"1/12\"]\nposition = [\"1/2\", 0, 0]\n"
      "[[joint]]\ntype = \"spherical\"\nname = \"P1\"\nfrom = \"ground\"\nto = { body = \"bar 1\", at = [\"-1/2\", 0, "
      "0] }\n";
  for (int k = 2; k <= bars; ++k) {
    const std::string bar = std::to_string(k), above = std::to_string(k / 2);
    int depth = 0;
    for (int i = k; i > 1; i /= 2) ++depth;
    text += "[[body]]\nname = \"bar " + bar +
            "\"\nmass = 1\ninertia = [\"1/600\", \"1/12\", \"1/12\"]\nposition = [\"" + std::to_string(2 * depth + 1) +
            "/2\", 0, 0]\n[[joint]]\ntype = \"spherical\"\nname = \"P" + bar + "\"\nfrom = { body = \"bar " + above +
            "\", at = [\"1/2\", 0, 0] }\nto = { body = \"bar " + bar + "\", at = [\"-1/2\", 0, 0] }\n";
  }
  return read_model_text(text, "tree");
}

// A net of balls, hung by its upper edge, each linked to those beside and below it: loops everywhere.
Model net(int side) {
  std::string text = "name = \"net\"\ngravity = [0, 0, -9.81]\n";
  const auto ball = [](int i, int k) { return "ball " + std::to_string(i) + " " + std::to_string(k); };
  const auto link = [&](const std::string& from, const std::string& to, const std::string& length) {
    text += "[[joint]]\ntype = \"distance\"\nname = \"" + from + " to " + to + "\"\nfrom = ";
    text += (from.starts_with("hook") ? "{ at = [" + from.substr(5) + ", 0, 1] }" : "\"" + from + "\"") + "\nto = \"" +
            to + "\"\nlength = " + length + "\n";
  };
  for (int i = 0; i < side; ++i)
    for (int k = 0; k < side; ++k)
      text += "[[body]]\nname = \"" + ball(i, k) + "\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [" +
              std::to_string(i) + ", 0, " + std::to_string(-k) + "]\nvelocity = [0, \"" + std::to_string(k % 3) +
              "/10\", 0]\n";
  for (int i = 0; i < side; ++i) {
    link("hook " + std::to_string(i), ball(i, 0), "1");
    for (int k = 0; k < side; ++k) {
      if (i + 1 < side) link(ball(i, k), ball(i + 1, k), "1");
      if (k + 1 < side) link(ball(i, k), ball(i, k + 1), "1");
    }
  }
  return read_model_text(text, "net");
}

// One engine, that starts again on another number of threads: most of the time of a large one is what is made once.
void expect_same_bits(const Model& model, const char* scheme, double h) {
  auto made = make_engine<double>(model.system, Scheme::named(scheme));
  StepEngine<double>& engine = *made;
  Stepper<double> stepper(std::move(made));
  const auto state_after = [&](int threads, double step) {
    engine.threads(threads);
    stepper.start(model.start);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(stepper.step(step).converged) << k;
    return stepper.state();
  };
  const State<double> one = state_after(1, h);
  for (const int threads : {2, 3}) {
    const State<double> several = state_after(threads, h);
    EXPECT_EQ(one.q, several.q) << threads;
    EXPECT_EQ(one.p, several.p) << threads;
  }
  // Three steps of another length end elsewhere: bits that are compared are those of a motion.
  EXPECT_NE(one.q, state_after(2, h * (1 + 1e-12)).q);
}

// 2000 joints and more are eliminated in parts, rattle on the directors eliminates them otherwise.
TEST(LieThreads, AChainHasTheSameBits) {
  const Model chain = model("chain-spatial(2100)");
  expect_same_bits(chain, "lie(trapezoidal)", 1e-4);
}

TEST(LieThreads, ATreeHasTheSameBits) { expect_same_bits(tree(2200), "lie(trapezoidal)", 1e-3); }

TEST(LieThreads, LoopsHaveTheSameBits) { expect_same_bits(model("four-bar-chain(720)"), "lie(trapezoidal)", 1e-3); }

TEST(LieThreads, ANetHasTheSameBits) { expect_same_bits(net(33), "lie(trapezoidal)", 1e-3); }

TEST(LieThreads, CompositionsHaveTheSameBits) {
  expect_same_bits(model("chain-spatial(2100)"), "suzuki(4, lie(trapezoidal))", 1e-4);
  expect_same_bits(model("four-bar-chain(720)"), "kahan_li(6, lie(trapezoidal))", 1e-3);
}

// As `threads` of [run] says; where nothing is said a system of that size takes those of the machine.
TEST(LieThreads, RunsHaveTheSameBits) {
  const Model chain = model("chain-spatial(4200)");
  const auto with = [&](int threads) {
    return run(
        chain.system, "lie(trapezoidal)", chain.start,
        {.step = "1/10000", .until = "3/10000", .every = 3, .threads = threads, .columns = {"q", "p", "lambda"}});
  };
  const auto one = with(1);
  ASSERT_EQ(one.status, Status::complete) << one.reason;
  for (const int threads : {0, 2, 3}) {
    const auto several = with(threads);
    ASSERT_EQ(several.columns.size(), one.columns.size());
    for (std::size_t c = 0; c < one.columns.size(); ++c)
      ASSERT_EQ(several.columns[c].values, one.columns[c].values) << one.columns[c].name << ", " << threads;
  }
}

TEST(LieThreads, PartsLeaveTheMotionAsItIs) {
  for (const Model& m : {model("chain-spatial(2100)"), tree(2200)}) {
    const State<double> parts = after(m, "lie(trapezoidal)", 1e-4, 3, 2), other = after(m, "rattle", 1e-4, 3, 1);
    double size = 0;
    for (const double p : other.p) size = std::max(size, std::fabs(p));
    EXPECT_LT(distance(parts, other), 1e-10 * size);
    EXPECT_GT(distance(parts, after(m, "lie(trapezoidal)", 1.001e-4, 3, 2)), 1e-8 * size);  // the control
  }
}

}  // namespace
}  // namespace extremal::lie_threads_test
