// Rods whose frames lie along the axes: two or four components of their quaternions are equal, and Newton's method must
// not go to and fro between the formulas that take the one or the other for the largest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bodies/quaternion.hpp"
#include "extremal/models.hpp"
#include "extremal/run.hpp"

namespace extremal::rod_frames_test {
namespace {

Model beam(const std::string& to, const std::string& load) {
  return read_model_text(
      "[[rod]]\nname = \"beam\"\n"
      "section = { shape = \"circle\", E = 2e11, G = 8e10, density = 7800, radius = 0.01 }\n"
      "from = [0, 0, 0]\nto = " +
          to +
          "\nelements = 6\nfirst = \"clamped\"\n"
          "[[force]]\nname = \"tip\"\non = \"beam.6\"\ncomponents = " +
          load + "\n",
      "beam");
}

// It took up to 187 iterations, or stalled.
TEST(RodFrames, AlongTheAxesTakeAFewIterations) {
  const struct {
    const char *to, *load;
  } beams[] = {{"[1, 0, 0]", "[0, 0, \"-10*sin(t)\"]"},
               {"[0, 1, 0]", "[\"10*sin(t)\", 0, 0]"},
               {"[0, 0, -1]", "[0, \"10*sin(t)\", 0]"},
               {"[-1, 0, 0]", "[0, \"-10*sin(t)\", 0]"}};
  for (const auto& [to, load] : beams)
    for (const char* scheme : {"spark(2)", "spark(3)"})
      for (const char* h : {"0.008", "0.012", "0.02"}) {
        const Model m = beam(to, load);
        const auto r = run(m.system, scheme, m.start, {.step = h, .until = Number(h).as<double>() * 10});
        EXPECT_EQ(r.status, Status::complete) << to << scheme << h << r.reason;
        const std::vector<double>& iterations = r.column("iterations");
        EXPECT_LE(*std::max_element(iterations.begin(), iterations.end()), 8) << to << " " << scheme << " " << h;
      }
}

// Every frame along the axes is well inside of its formula: a tilt of a tenth does not change it.
TEST(RodFrames, AlongTheAxesAreFarFromTheBorders) {
  using lie::Quaternion;
  const double r = std::sqrt(0.5);
  const Quaternion<double> right[] = {{1, 0, 0, 0},  {0, 1, 0, 0},         {0, 0, 1, 0},          {0, 0, 0, 1},
                                      {r, r, 0, 0},  {r, 0, r, 0},         {r, 0, 0, r},          {r, 0, 0, -r},
                                      {0, r, r, 0},  {0, r, 0, r},         {0, 0, r, r},          {0, r, -r, 0},
                                      {0, 0, r, -r}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}};
  for (const Quaternion<double>& q : right)
    for (int k = 0; k < 6; ++k) {
      const double tilt = k % 2 == 0 ? 0.1 : -0.1;
      const auto turned = lie::from_rotation_vector(
                              lie::Vec3<double>{k / 2 == 0 ? tilt : 0, k / 2 == 1 ? tilt : 0, k / 2 == 2 ? tilt : 0}) *
                          q;
      const auto frame = lie::columns(q), near = lie::columns(turned);
      EXPECT_EQ(lie::steady_component(frame), lie::steady_component(near)) << q.w << q.x << q.y << q.z;
      const auto back = lie::from_columns(near, lie::steady_component(near));
      const double same = std::abs(back.w * turned.w + back.x * turned.x + back.y * turned.y + back.z * turned.z);
      EXPECT_NEAR(same, 1, 1e-15);
    }
}

}  // namespace
}  // namespace extremal::rod_frames_test
