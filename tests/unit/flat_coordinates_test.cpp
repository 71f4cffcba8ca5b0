// Coordinates that are named in one long list are no body: the matrices of a step grow with their number, not with its
// square, and the motion is the same as that of coordinates in groups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "distance.hpp"
#include "extremal/models.hpp"
#include "extremal/stepper.hpp"
#include "kernel/galerkin.hpp"
#include "refusal.hpp"

namespace extremal::flat_coordinates_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Balls on a line of springs and, every tenth, on a rod beside it; in one list or a list for each ball.
Model balls(int count, bool flat) {
  std::string names;
  for (int i = 1; i <= count; ++i) {
    const std::string k = std::to_string(i), both = "\"x" + k + "\", \"y" + k + "\"";
    names += (i > 1 ? ", " : "") + (flat ? both : "[" + both + "]");
  }
  const std::string n = std::to_string(count), less = std::to_string(count - 1), rods = std::to_string(count / 10);
  return read_model_text("coordinates = [" + names + "]\n[[kinetic]]\nrepeat = " + n +
                             "\nformula = \"(x{i}'^2 + y{i}'^2)/2\"\n" + "[[potential]]\nrepeat = " + less +
                             "\nformula = \"(x{i+1} - x{i})^2/2 + (x{i+1} - x{i})^4/4 + (y{i+1} - y{i})^2/2\"\n" +
                             "[[constraint]]\nname = \"rod {i}\"\nrepeat = " + rods +
                             "\nformula = \"(x{10*i}^2 + (y{10*i} - 1)^2 - 1)/2\"\n" +
                             "[start]\nx1 = 0.5\ny2 = 0.2\nvelocity = { x10 = 0.3, y3 = 1 }\n",
                         "balls.toml");
}

TEST(FlatCoordinates, NeedMatricesThatGrowWithTheirNumber) {
  for (const char* scheme : {"rattle", "spark(2)"}) {
    const auto entries = [&](int count, bool flat) {
      return galerkin_lu(balls(count, flat).system, *Scheme::named(scheme).as<Galerkin>()).entries();
    };
    const std::size_t small = entries(300, true), large = entries(1200, true);
    EXPECT_LT(large, 5 * small) << scheme;
    EXPECT_LT(large, 200 * 1200u) << scheme;  // dense ones have 2520^2 and more
    EXPECT_LE(large, 2 * entries(1200, false)) << scheme;
  }
}

TEST(FlatCoordinates, MoveAsThoseInGroups) {
  const Model flat = balls(300, true), grouped = balls(300, false);
  for (const char* scheme : {"rattle", "spark(2)", "ggl", "energy_momentum"}) {
    Stepper<double> one(flat.system, Scheme::named(scheme)), other(grouped.system, Scheme::named(scheme));
    one.start(flat.start);
    other.start(grouped.start);
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(one.step(0.02).converged && other.step(0.02).converged) << scheme;
    EXPECT_LT(papers::distance(one.state().q, other.state().q), 1e-13) << scheme;
    EXPECT_LT(papers::distance(one.state().p, other.state().p), 1e-12) << scheme;
    EXPECT_LT(papers::distance(one.observe().lambda, other.observe().lambda), 1e-11) << scheme;
  }
}

// Told before anything of that size is asked for.
TEST(FlatCoordinates, AreRefusedWhereMatricesAreDense) {
  const Model m = balls(2000, true);
  EXPECT_THAT(refusal([&] { Stepper<double>(m.system, Scheme::named("phase_space(2)")); }),
              AllOf(HasSubstr("4000 coordinates"), HasSubstr("phase_space(2) has a dense matrix, of 6.5"),
                    HasSubstr("expected at most 1 GB")));
}

}  // namespace
}  // namespace extremal::flat_coordinates_test
