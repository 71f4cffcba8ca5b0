// Laws of joints by schemes of rotations: the map of rattle on directors, over many turns, with its work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace extremal::lie_laws_test {
namespace {

// A crane in space: a post that turns, a boom, a trolley on it, and a ball that hangs there. Every kind of law acts.
constexpr const char* crane = R"toml(gravity = [0, 0, -9.81]
[[body]]
name = "post"
mass = 3
inertia = [0.4, 0.5, 0.2]
[[body]]
name = "boom"
mass = 2
inertia = [0.05, 0.3, 0.31]
position = [0.5, 0, 1]
[[body]]
name = "trolley"
mass = 1
inertia = [0.02, 0.03, 0.025]
position = [0.4, 0, 1]
[[joint]]
name = "slew"
type = "revolute"
from = "ground"
to = "post"
axis = [0, 0, 1]
[[joint]]
name = "luff"
type = "revolute"
from = { body = "post", at = [0, 0, 1] }
to = { body = "boom", at = [-0.5, 0, 0] }
axis = [0, -0.6, 0.8]
[[joint]]
name = "rail"
type = "prismatic"
from = "boom"
to = "trolley"
axis = [1, 0, 0]
[[joint_spring]]
name = "coil"
joint = "luff"
stiffness = 60
rest = 0.2
damping = 1
[[joint_damper]]
name = "grease"
joint = "slew"
damping = 0.4
[[joint_friction]]
name = "rub"
joint = "rail"
friction = 2
creep = 0.1
[[joint_limit]]
name = "stop"
joint = "rail"
lower = -0.05
upper = 0.1
stiffness = 500
damping = 0.2
[[servo]]
name = "turn"
joint = "slew"
stiffness = 8
damping = 2
target = "3*t"
[[joint_motor]]
name = "pull"
joint = "rail"
torque = "4*sin(2*t) - 20*stroke + 3*luff.angle'"
)toml";

// The largest difference of columns whose names begin so.
double difference(const Run<double>& a, const Run<double>& b, const std::string& begin) {
  double most = 0;
  int found = 0;
  for (const auto& column : a.columns)
    if (column.name.starts_with(begin)) {
      ++found;
      for (std::size_t k = 0; k < column.values.size(); ++k)
        most = std::max(most, std::fabs(column.values[k] - b.column(column.name)[k]));
    }
  EXPECT_GT(found, 0) << begin;
  return most;
}

TEST(LieLaws, AreTheMapOfTheDirectors) {
  const Model model = read_model_text(crane, "crane.toml");
  const Span span{.step = "0.005", .until = 3};
  const auto directors = extremal::run(model.system, "rattle", model.start, span),
             rotations = extremal::run(model.system, "lie(trapezoidal)", model.start, span);
  ASSERT_EQ(directors.status, Status::complete) << directors.reason;
  ASSERT_EQ(rotations.status, Status::complete) << rotations.reason;
  EXPECT_EQ(rotations.remedies.total(), 0);
  EXPECT_GT(rotations.column("joint:slew:angle").back(), 5);
  const std::vector<double>& stroke = rotations.column("joint:rail:stroke");
  EXPECT_GT(*std::max_element(stroke.begin(), stroke.end()), 0.1);  // at the limit
  for (const char* what : {"joint:", "v:joint:", "slew.angle", "luff.angle", "rail.stroke", "v:rail.stroke",
                           "position:", "energy", "potential", "work", "motor:"})
    EXPECT_LT(difference(directors, rotations, what), 1e-9) << what;
  // The multipliers of the motion: what acts on the coordinates, and what the joints bear.
  for (const char* what : {"lambda:slew.angle", "lambda:rail.stroke", "reaction:"})
    EXPECT_LT(difference(directors, rotations, what), 1e-7) << what;
  EXPECT_NEAR(rotations.supplied, directors.supplied, 1e-9);
  EXPECT_GT(rotations.supplied, 0.1);
}

// 40 rad from rest to either side: six turns, of which the spring knows each.
TEST(LieLaws, HoldOverManyTurns) {
  for (const Space space : {Space::planar, Space::spatial}) {
    Mechanism out("wheel", space);
    if (space == Space::planar) {
      const Body body = out.body("disc", {.mass = 2, .inertia = "0.3"});
      out.revolute("axle", out.ground(1, 2), body);
      out.place(body, {.position = {1, 2}, .angular_velocity = 40});
    } else {
      const Body body = out.body("disc", {.mass = 2, .inertia = {"0.3", "0.3", "0.3"}});
      out.revolute("axle", out.ground(1, 2, 3), body, {0, 0, 1});
      out.place(body, {.position = {1, 2, 3}, .rotation = {"0.4", 1, 2}, .angular_velocity = {0, 0, 40}});
    }
    out.joint_spring("coil", "axle", "0.3", 1);
    const auto off = [&](const char* step) {
      const auto run = extremal::run(out.system(), "lie(trapezoidal)", out.start(), {.step = step, .until = 6});
      EXPECT_EQ(run.status, Status::complete) << run.reason;
      double most = 0;
      for (std::size_t k = 0; k < run.column("t").size(); ++k) {
        const double t = run.column("t")[k], angle = 1 - std::cos(t) + 40 * std::sin(t);
        most = std::max(most, std::fabs(run.column("axle.angle")[k] - angle));
        EXPECT_NEAR(run.column("joint:axle:angle")[k], run.column("axle.angle")[k], 1e-10);
      }
      return most;
    };
    EXPECT_NEAR(std::log2(off("0.004") / off("0.002")), 2, 0.25);
  }
}

TEST(LieLaws, GoOnFromACheckpoint) {
  const Model model = read_model_text(crane, "crane.toml");
  struct Keep : RowSink<double> {
    Checkpoint<double> last;
    bool pulse(const Progress& progress) override { return progress.step < 500; }
    void checkpoint(const Checkpoint<double>& here) override { last = here; }
  } keep;
  const Span span{.step = "0.005", .until = 5, .every = 100};
  const auto whole = extremal::run(model.system, "lie(trapezoidal)", model.start, span, {.sinks = {&keep}});
  ASSERT_FALSE(keep.last.numbers.empty());
  const auto rest = extremal::run(model.system, "lie(trapezoidal)", model.start, span, {.from = &keep.last});
  for (const char* name : {"slew.angle", "rail.stroke", "work", "energy"})
    EXPECT_EQ(rest.column(name).back(), whole.column(name).back()) << name;
}

// With springs alone a step is symplectic, reversible and of order 2: the derivative of it knows the laws of joints.
TEST(LieLaws, ArePartOfTheDerivative) {
  std::string springs = crane;
  springs = springs.substr(0, springs.find("[[joint_damper]]"));
  springs.replace(springs.find("damping = 1\n"), 12, "");
  springs += "[[joint_spring]]\nname = \"rope\"\njoint = \"rail\"\nstiffness = 40\n";
  const Model model = read_model_text(springs, "crane.toml");
  const Certificate found = check(model.system, Scheme::named("lie(trapezoidal)"), model.start, {.step = "0.01"});
  EXPECT_TRUE(found.holds()) << found.text();
  const auto law = [&](const std::string& name) {
    return *std::find_if(found.laws.begin(), found.laws.end(), [&](const Law& each) { return each.name == name; });
  };
  EXPECT_EQ(law("symplecticity").measured, "yes");
  EXPECT_EQ(law("reversibility").measured, "yes");
}

TEST(LieLaws, RefuseWhatHasInertiaOrRows) {
  const auto said = [](const std::string& more) {
    const Model model = read_model_text(crane + more, "crane.toml");
    return refusal([&] { Stepper<double>(model.system, Scheme::named("lie(trapezoidal)")); });
  };
  const auto words = testing::HasSubstr("knows potentials and forces only; try rattle");
  EXPECT_THAT(said("[[gear]]\nname = \"g\"\njoint = \"luff\"\nfollows = \"slew\"\n"), words);
  EXPECT_THAT(said("[[joint_drive]]\nname = \"d\"\njoint = \"luff\"\nposition = \"t\"\n"), words);
  EXPECT_THAT(said("[[servo]]\nname = \"s\"\njoint = \"luff\"\nstiffness = 1\nintegral = 1\ntarget = 0\n"), words);
}

}  // namespace
}  // namespace extremal::lie_laws_test
