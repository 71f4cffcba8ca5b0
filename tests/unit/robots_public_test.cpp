// The two robots of Gepetto/example-parallel-robots (tests/data/robots/public, BSD 3-Clause, LICENSE beside them), as
// they were exported from CAD: a five-bar linkage that carries a ball of 654 498 kg, and a planar Delta robot of grams
// with two parallelograms, pins of 6.5e-6 kg and a frame of 1e-9 kg.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "extremal/extremal.hpp"
#include "extremal/import.hpp"
#include "full.hpp"
#include "places.hpp"

namespace extremal::robots_public_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Imported robot(const std::string& name, const std::vector<std::string>& at = {}) {
  return import_robot(std::string(places::data) + "/robots/public/" + name + "/robot.urdf", {.at = at});
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double each : x) most = std::max(most, std::fabs(each));
  return most;
}

std::string spring(const std::string& joint, const std::string& stiffness, const std::string& rest) {
  return "\n[[joint_spring]]\nname = \"spring " + joint + "\"\njoint = \"" + joint + "\"\nstiffness = " + stiffness +
         "\nrest = " + rest + "\n";
}

// Away from where legs are straight and parallelograms flat, on springs at the motors.
Model five_bar() {
  return read_model_text(robot("5bar_linkage", {"mot1=0.6", "mot2=-0.6"}).text + spring("mot1", "2e7", "0.6") +
                             spring("mot2", "2e7", "-0.6"),
                         "five_bar.toml");
}
Model delta() {
  return read_model_text(robot("robot_delta", {"mot1_rod1=0.6", "mot1_rod2=-0.6"}).text +
                             spring("mot1_rod1", "0.05", "0.6") + spring("mot1_rod2", "0.05", "-0.6"),
                         "delta.toml");
}

TEST(PublicRobots, AreImportedAndTheirLoopsClosed) {
  const Imported five = robot("5bar_linkage"), three = robot("robot_delta");
  EXPECT_THAT(
      five.notes,
      ElementsAre(HasSubstr("meshes that are not there: package:///built.stl, "),
                  "contact of links: built, rod, rod_2, rod_3, end_rod",
                  "largest effort and velocity of joints: closedloop1_A, free1, mot1, closedloop1_B, free2, mot2"));
  EXPECT_THAT(
      three.notes,
      ElementsAre(HasSubstr("meshes that are not there: package:///built.stl, "), HasSubstr("contact of links: "),
                  HasSubstr("largest effort and velocity of joints: "), "limits of joints: free2_rod1",
                  "idle turning of light pins between two hinges, which are fixed to one side: sphere, "
                  "sphere_2, sphere_3"));
  // A ball at either end of the loop, which the loop makes one.
  EXPECT_THAT(five.text, HasSubstr("mass = 1308996.9"));
  const Model linkage = read_model_text(five.text, "five"), machine = read_model_text(three.text, "three");
  // Twelve for each body, and the angles of two motors.
  EXPECT_EQ(linkage.system.size(), 5 * 12 + 2);
  EXPECT_EQ(machine.system.size(), 8 * 12 + 2);
  for (const Model* model : {&linkage, &machine}) {
    const auto found = run(model->system, "spark(2)", model->start, {.step = "1e-5", .until = "1e-5"});
    EXPECT_EQ(found.status, Status::complete);
    EXPECT_LT(largest(found.column("constraint")), 1e-14);
  }
}

// 100 s with --full. The loops stay closed to round-off, and the energy neither drifts nor is off by much of what
// moves.
void stays(const Model& model, const std::string& step, const std::string& until, double most_energy_error) {
  const bool full = papers::full();
  const auto found =
      run(model.system, "spark(2)", model.start, {.step = step, .until = full ? "100" : until, .every = full ? 10 : 1});
  ASSERT_EQ(found.status, Status::complete) << found.reason;
  EXPECT_LT(largest(found.column("constraint")), 1e-12);
  EXPECT_GT(found.energy_range, 0);
  EXPECT_LT(found.energy_max_error, most_energy_error * found.energy_range);
  const double time = full ? 100 : std::stod(until);
  // Over the whole time less than the error, as far as the slope is known.
  EXPECT_LT((std::fabs(found.drift.slope) - 5 * found.drift.slope_error) * time, found.energy_max_error);
}

TEST(PublicRobots, FiveBarStaysClosedAndKeepsItsEnergy) { stays(five_bar(), "0.002", "2", 1e-6); }
TEST(PublicRobots, DeltaStaysClosedAndKeepsItsEnergy) { stays(delta(), "0.002", "2", 1e-6); }

// As they are given nothing holds them. The ball falls 8 mm until the legs are straight, at t = 0.04, where the knees
// of two rods of 25 kg take up what 1309 t had: within some 40 microseconds, which steps of a millisecond cannot
// follow. The run says so; steps of 10 microseconds go through.
TEST(PublicRobots, FiveBarFallsUntilItsLegsAreStraight) {
  const Model model = read_model_text(robot("5bar_linkage").text, "five");
  const auto coarse = run(model.system, "spark(2)", model.start, {.step = "0.001", .until = "0.1"});
  EXPECT_EQ(coarse.status, Status::failed);
  EXPECT_THAT(coarse.reason, HasSubstr("t = 0.04"));
  EXPECT_THAT(coarse.reason, HasSubstr("try step <="));
  EXPECT_LT(largest(coarse.column("constraint")), 1e-12);
  const auto fine = run(model.system, "spark(2)", model.start,
                        {.step = "1e-5", .until = papers::full() ? "0.1" : "0.042", .every = 50});
  ASSERT_EQ(fine.status, Status::complete) << fine.reason;
  EXPECT_LT(largest(fine.column("constraint")), 1e-12);
  EXPECT_LT(fine.energy_max_error, 2e-3 * fine.energy_range);
  const std::vector<double>& height = fine.column("sphere.z");  // from where it rises again
  EXPECT_LT(*std::min_element(height.begin(), height.end()) - height[0], -0.007);
}

// There and back, by the places of all bodies.
double way_back(const Model& model, RobotFormat format, const std::string& until) {
  const Exported there = export_robot(model, format);
  const Model back = read_model_text(import_robot_text(there.text, "back").text, "back.toml");
  const Span span{.step = "0.001", .until = until};
  const auto one = run(model.system, "spark(2)", model.start, span),
             two = run(back.system, "spark(2)", back.start, span);
  EXPECT_EQ(one.status, Status::complete) << one.reason;
  EXPECT_EQ(two.status, Status::complete) << two.reason;
  double most = 0, moved = 0;
  for (const Column<double>& column : one.columns) {
    if (!column.name.starts_with("position:")) continue;
    const auto &x = column.values, &y = two.column(column.name);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      most = std::max(most, std::fabs(x[i] - y[i]));
      moved = std::max(moved, std::fabs(x[i] - x[0]));
    }
  }
  return most / moved;
}

TEST(PublicRobots, ComeBackTheSame) {
  EXPECT_LT(way_back(five_bar(), RobotFormat::mjcf, "0.2"), 1e-10);
  EXPECT_LT(way_back(delta(), RobotFormat::mjcf, "0.1"), 1e-10);
  // URDF has neither springs nor motors: as they are given.
  const Model five = read_model_text(robot("5bar_linkage", {"mot1=0.6", "mot2=-0.6"}).text, "five"),
              three = read_model_text(robot("robot_delta", {"mot1_rod1=0.6", "mot1_rod2=-0.6"}).text, "three");
  EXPECT_LT(way_back(five, RobotFormat::urdf, "0.05"), 1e-10);
  EXPECT_LT(way_back(three, RobotFormat::urdf, "0.02"), 1e-10);
  EXPECT_THAT(export_robot(three, RobotFormat::urdf).notes,
              Contains("motors, which URDF has not: mot1_rod1 motor, mot1_rod2 motor"));
  EXPECT_THAT(export_robot(three, RobotFormat::mjcf).text,
              HasSubstr("<motor name=\"mot1_rod1 motor\" joint=\"mot1_rod1\"/>"));
}

}  // namespace
}  // namespace extremal::robots_public_test
