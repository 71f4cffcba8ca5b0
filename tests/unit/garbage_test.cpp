// Motions that once were called complete and are nothing like the motion: each is suspect or failed, with the reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "extremal/error.hpp"
#include "extremal/run.hpp"

namespace extremal::garbage_test {
namespace {

void expect_told(const Run<double>& r) {
  EXPECT_TRUE(r.status == Status::suspect || r.status == Status::failed) << r.summary();
  EXPECT_NE(r.reason.find(r.status == Status::suspect ? "this cannot be the motion; try step <= " : "step "),
            std::string::npos)
      << r.reason;
}

// Two balls of 5 kg on arms of 1 m that hang from the top of a shaft and turn about it, and a slider of 1 kg on the
// shaft, which springs hold at the middle of either arm, with a damper beside each.
System governor() {
  System s("governor");
  const auto all = s.coordinates("x1", "y1", "z1", "x2", "y2", "z2", "s");
  s.kinetic(all, [](const auto&, const auto& v) {
    auto sum = 0.2 * v[6] * v[6];
    for (int i = 0; i < 6; ++i) sum = sum + v[i] * v[i];
    return 2.5 * sum;
  });
  s.potential(all, [](const auto& q) { return 9.81 * (5.0 * (q[2] + q[5]) + q[6]); });
  for (const int ball : {0, 3}) {
    s.constraint(ball == 0 ? "arm 1" : "arm 2", all, [ball](const auto& q) {
      const auto z = q[ball + 2] - 1.0;
      return q[ball] * q[ball] + q[ball + 1] * q[ball + 1] + z * z - 1.0;
    });
    s.potential(all, [ball](const auto& q) {
      const auto x = 0.5 * q[ball], y = 0.5 * q[ball + 1], z = 0.5 * (q[ball + 2] + 1.0) - q[6];
      const auto stretch = sqrt(x * x + y * y + z * z) - 0.5;
      return 4e5 * stretch * stretch;
    });
    s.force(ball == 0 ? "damper 1" : "damper 2", all, [ball](const auto& q, const auto& v) {
      const auto x = 0.5 * q[ball], y = 0.5 * q[ball + 1], z = 0.5 * (q[ball + 2] + 1.0) - q[6];
      const auto rate = 0.5 * (x * v[ball] + y * v[ball + 1]) + z * (0.5 * v[ball + 2] - v[6]);
      const auto pull = -40.0 * rate / (x * x + y * y + z * z);
      auto f = v;
      for (int i = 0; i < 7; ++i) f[i] = 0.0 * v[i];
      f[ball] = 0.5 * pull * x;
      f[ball + 1] = 0.5 * pull * y;
      f[ball + 2] = 0.5 * pull * z;
      f[6] = -1.0 * pull * z;
      return f;
    });
  }
  return s;
}
// The arms at 30 degrees to the shaft, one turn a second; the springs as long as they are without load.
const Start turning{.q = {"sin(pi/6)", 0, "1 - cos(pi/6)", "-sin(pi/6)", 0, "1 - cos(pi/6)", "1 - cos(pi/6)"},
                    .v = {0, "2*pi*sin(pi/6)", 0, 0, "-2*pi*sin(pi/6)", 0, 0}};

// Nothing drives it, and it gains: the springs bear no step beyond 0.0015.
TEST(Garbage, AStiffDampedGovernorGainsNothing) {
  for (const char* scheme : {"rattle", "trapezoidal", "suzuki(4, rattle)", "suzuki(4, trapezoidal)"})
    expect_told(run(governor(), scheme, turning, {.step = "0.01", .until = 10}));
  // Where they are resolved it loses energy, and says so.
  for (const char* scheme : {"rattle", "suzuki(4, rattle)"}) {
    const auto right = run(governor(), scheme, turning, {.step = "0.0002", .until = "0.2"});
    EXPECT_EQ(right.status, Status::complete) << right.reason;
    EXPECT_GT(right.dissipated, 0);
    EXPECT_LT(right.column("energy").back(), right.energy_initial);
  }
}

// Kepler's ellipse with e = 0.9 and a hundred steps to the orbit: once r = 262 was complete. What is not told stays
// bound; its energy is wrong by a small part of what moves, which makes other ellipses of it. How small is a matter of
// rounding: every passage magnifies it, and the same function written in another way ends on another ellipse.
TEST(Garbage, AnEllipseThatNoStepResolves) {
  System s("kepler");
  const auto at = s.coordinates("x", "y");
  s.kinetic(at, [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
  s.potential(at, [](const auto& q) { return -1.0 / sqrt(q[0] * q[0] + q[1] * q[1]); });
  const Start ellipse{.q = {"0.1", 0}, .v = {0, "sqrt(19)"}};  // a = 1: 0.1 <= r <= 1.9
  int tried = 0, told = 0;
  for (const Scheme& scheme : registry()) {
    try {
      const auto r = run(s, scheme, ellipse, {.step = "2*pi/100", .until = "20*pi"});
      ++tried;
      if (r.status != Status::complete) {
        ++told;
        expect_told(r);
        continue;
      }
      double furthest = 0;
      for (std::size_t k = 0; k < r.column("x").size(); ++k)
        furthest = std::max(furthest, std::hypot(r.column("x")[k], r.column("y")[k]));
      EXPECT_LT(furthest, 8) << scheme.name << ": " << r.summary();
      EXPECT_LT(r.energy_max_error, 0.15 * r.energy_range) << scheme.name;
    } catch (const InputError&) {
      continue;
    }
  }
  std::printf("%d schemes: %d told, %d bound\n", tried, told, tried - told);
  EXPECT_GT(tried, 60);
  EXPECT_GT(told, 30);
}

}  // namespace
}  // namespace extremal::garbage_test
