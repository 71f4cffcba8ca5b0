// Large mechanisms on threads: their elimination comes in parts, and the motion has the same bits on however many.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "extremal/models.hpp"
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

void expect_same_bits(const Model& model, const char* scheme, double h) {
  const State<double> one = after(model, scheme, h, 3, 1);
  for (const int threads : {2, 3}) {
    const State<double> several = after(model, scheme, h, 3, threads);
    EXPECT_EQ(one.q, several.q) << threads;
    EXPECT_EQ(one.p, several.p) << threads;
  }
  // Three steps of another length end elsewhere: bits that are compared are those of a motion.
  EXPECT_NE(one.q, after(model, scheme, h * (1 + 1e-12), 3, 2).q);
}

// 2000 joints and more are eliminated in parts, rattle on the directors eliminates them otherwise.
TEST(LieThreads, AChainHasTheSameBits) {
  const Model chain = model("chain-spatial(2100)");
  expect_same_bits(chain, "lie(trapezoidal)", 1e-4);
}

TEST(LieThreads, ATreeHasTheSameBits) { expect_same_bits(tree(2200), "lie(trapezoidal)", 1e-3); }

TEST(LieThreads, LoopsHaveTheSameBits) { expect_same_bits(model("four-bar-chain(720)"), "lie(trapezoidal)", 1e-3); }

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
