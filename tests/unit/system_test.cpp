#include "extremal/system.hpp"

#include <gtest/gtest.h>

#include "extremal/error.hpp"
#include "refusal.hpp"
#include "system/evaluation.hpp"

namespace extremal::system_test {
namespace {

TEST(System, RefusesBadNamesAndSites) {
  System s("s");
  auto a = s.coordinates("x", "y");
  EXPECT_NE(refusal([&] { s.coordinates("x"); }).find("\"x\" exists already"), std::string::npos);
  s.parameter("g", 1);
  EXPECT_NE(refusal([&] { s.parameter("g", 2); }).find("\"g\" exists already"), std::string::npos);
  EXPECT_NE(refusal([&] { s.with("h", 2); }).find("the parameters are g"), std::string::npos);
  EXPECT_NE(refusal([&] { s.potential(join(a, a), [](auto q) { return q[0]; }); }).find("twice at one site"),
            std::string::npos);
  System other("other");
  auto far = other.coordinates("a", "b", "c");
  EXPECT_NE(refusal([&] { s.potential(far, [](auto q) { return q[0]; }); }).find("another system"), std::string::npos);
  // An index that the compiler does not know; a constant one is refused by its warnings.
  volatile int far_index = 2;
  const int beyond = far_index;
  EXPECT_NE(refusal([&] { s.potential(a, [beyond](auto q) { return q[beyond]; }); }).find("component 2"),
            std::string::npos);
  s.constraint("rod", a, [](auto q) { return q[0]; });
  EXPECT_NE(refusal([&] { s.constraint("rod", a, [](auto q) { return q[1]; }); }).find("exists already"),
            std::string::npos);
}

TEST(System, ConstraintRowsAreNamedBySiteAndRow) {
  System s("s");
  auto a = s.coordinates("x", "y"), b = s.coordinates("u", "v");
  s.constraint("one", a, [](auto q) { return q[0] * q[1]; });
  s.constraint("two", std::vector{a, b}, [](auto q) { return rows(q[0], q[1] * q[0]); });
  EXPECT_EQ(s.constraint_names(), (std::vector<std::string>{"one", "two[0].0", "two[0].1", "two[1].0", "two[1].1"}));
}

TEST(System, LinearSymmetriesAreGivenByAMatrix) {
  System s("turning");
  auto a = s.coordinates("x", "y");
  s.kinetic(a, [](auto, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.symmetry("by a function", a, [](auto q) { return rows(1.0 - q[1], q[0]); });
  s.linear_symmetry("by a matrix", a, {0, -1, 1, 0}, {1, 0});
  Evaluation<double> e(s, 1);
  const std::vector<double> q{0.3, -0.7}, p{1.1, 0.4};
  const double t = 0;
  std::vector<double> momenta(2);
  e.momenta(q.data(), p.data(), &t, momenta.data());
  EXPECT_DOUBLE_EQ(momenta[0], 1.1 * 1.7 + 0.4 * 0.3);
  EXPECT_DOUBLE_EQ(momenta[0], momenta[1]);
}

// A Lagrangian with everything: mass that depends on q, a potential over sites, time, a force.
System everything() {
  System s("everything");
  auto a = s.coordinates("x", "y");
  auto b = s.coordinates("u");
  auto k = s.parameter("k", "0.3");
  s.kinetic(a, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + (1.0 + q[0] * q[0]) * v[1] * v[1]); });
  s.kinetic(b, [](auto, auto v) { return 0.25 * v[0] * v[0]; });
  s.potential(std::vector{join(a, b)}, [](auto q, auto c, auto t) { return c * sin(q[0] * q[2]) + t * q[1]; }, k, time);
  s.lagrangian(b, [](auto q, auto v) { return q[0] * q[0] * v[0]; });
  s.force("drag", a, [](auto q, auto v) { return rows(-0.1 * v[0], -0.2 * v[1] * q[0]); });
  s.constraint("g", join(a, b), [](auto q, auto t) { return q[0] * q[1] * q[2] - t * t * q[0]; }, time);
  return s;
}

TEST(Evaluation, HessiansAreDerivativesOfGradients) {
  const System s = everything();
  Evaluation<quad> e(s, 2);
  const quad h = 1e-9;
  std::vector<quad> q{0.3, -0.7, 1.1}, v{0.5, 0.2, -0.4}, Lq(3), Lv(3), A(9), B(9), C(9), D(9);
  const quad t = 0.6;
  e.hessian(1, q.data(), v.data(), &t, A.data(), B.data(), C.data(), D.data());
  for (int j = 0; j < 3; ++j) {
    const auto sj = static_cast<std::size_t>(j);
    for (auto* x : {&q, &v}) {
      std::vector<quad> up_q(3), up_v(3), down_q(3), down_v(3);
      (*x)[sj] += h;
      e.gradient(1, q.data(), v.data(), &t, nullptr, up_q.data(), up_v.data());
      (*x)[sj] -= 2 * h;
      e.gradient(1, q.data(), v.data(), &t, nullptr, down_q.data(), down_v.data());
      (*x)[sj] += h;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at = i * 3 + sj;
        EXPECT_NEAR(static_cast<double>((up_q[i] - down_q[i]) / (2 * h) - (x == &q ? A : B)[at]), 0, 1e-14);
        EXPECT_NEAR(static_cast<double>((up_v[i] - down_v[i]) / (2 * h) - (x == &q ? C : D)[at]), 0, 1e-14);
      }
    }
  }
}

TEST(Evaluation, BatchesEqualSingleNodes) {
  const System s = everything();
  Evaluation<double> e(s, 2);
  const std::vector<double> q{0.3, -0.7, 1.1, 0.9, 0.1, -0.2}, v{0.5, 0.2, -0.4, 1.0, 2.0, 3.0}, t{0.6, 0.9};
  std::vector<double> Lq(6), Lv(6), oq(3), ov(3), g(2), G(6), gt(2), og(1), oG(3), ogt(1);
  e.gradient(2, q.data(), v.data(), t.data(), nullptr, Lq.data(), Lv.data());
  e.constraints(2, q.data(), t.data(), g.data(), G.data(), gt.data());
  e.gradient(1, q.data() + 3, v.data() + 3, t.data() + 1, nullptr, oq.data(), ov.data());
  e.constraints(1, q.data() + 3, t.data() + 1, og.data(), oG.data(), ogt.data());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(Lq[3 + i], oq[i]);
    EXPECT_EQ(Lv[3 + i], ov[i]);
    EXPECT_EQ(G[3 + i], oG[i]);
  }
  EXPECT_EQ(g[1], og[0]);
  EXPECT_EQ(gt[1], ogt[0]);
  EXPECT_DOUBLE_EQ(gt[1], -2 * 0.9 * 0.9);
}

TEST(Evaluation, BendIsTheSecondTimeDerivative) {
  const System s = everything();
  Evaluation<quad> e(s, 1);
  const std::vector<quad> q{0.3, -0.7, 1.1}, w{0.5, 0.2, -0.4};
  const quad t = 0.6, h = 1e-8;
  std::vector<quad> slope(3), second(1), g(1), up(3), down(3);
  e.bend(q.data(), &t, w.data(), slope.data(), second.data());
  const auto along = [&](quad c) {
    std::vector<quad> x(3);
    for (std::size_t i = 0; i < 3; ++i) x[i] = q[i] + c * w[i];
    const quad at = t + c;
    e.constraints(1, x.data(), &at, g.data(), nullptr, nullptr);
    return g[0];
  };
  EXPECT_NEAR(static_cast<double>((along(h) - 2 * along(0) + along(-h)) / (h * h) - second[0]), 0, 1e-14);
}

}  // namespace
}  // namespace extremal::system_test
