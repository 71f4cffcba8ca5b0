// Every joint between two bodies with every joint to the ground, from a centre and from another point, with every
// family: bodies that need no joint to be regular are eliminated in an order of their own, which differs from matrix to
// matrix. Every entry that is written has its place; the sanitizers see if one has not.
#include <gtest/gtest.h>

#include <string>

#include "algebra/block_lu.hpp"
#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/stepper.hpp"

namespace extremal::mechanism_families_test {
namespace {

struct Kind {
  const char* name;
  void (*add)(Mechanism& m, const char* name, const Point& a, const Point& b);
};

const Kind kinds[] = {
    {"revolute",
     [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.revolute(name, a, b, {0, 1, 0}); }},
    {"spherical", [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.spherical(name, a, b); }},
    {"prismatic",
     [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.prismatic(name, a, b, {1, 0, 0}); }},
    {"cylindrical",
     [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.cylindrical(name, a, b, {1, 0, 0}); }},
    {"universal", [](Mechanism& m, const char* name, const Point& a,
                     const Point& b) { m.universal(name, a, b, {1, 0, 0}, {0, 1, 0}); }},
    {"planar", [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.planar(name, a, b, {1, 2, 2}); }},
    {"fixed", [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.fixed(name, a, b); }},
    {"distance", [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.distance(name, a, b, {0.1}); }},
    {"point_on_line",
     [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.point_on_line(name, a, b, {1, 0, 0}); }},
    {"point_on_plane",
     [](Mechanism& m, const char* name, const Point& a, const Point& b) { m.point_on_plane(name, a, b, {1, 2, 2}); }},
};

// Where the bodies meet, and which of them the ground holds at its centre.
enum class Where { centre, beside, second_held };

Mechanism two_bodies(const Kind& between, const Kind& held, Where where) {
  Mechanism m(std::string(between.name) + " and " + held.name);
  m.gravity(0, 0, "-9.81");
  const BodyData data{.mass = 1, .inertia = {"0.1", "0.2", "0.25"}};
  const Body a = m.body("a", data), b = m.body("b", data);
  const bool second = where == Where::second_held;
  const std::string rod = std::string(between.name) == "distance" ? "0.1" : "0",
                    hung = std::string(held.name) == "distance" ? "0.1" : "0";
  const std::string beside = where == Where::beside ? "0.3" : "0", at = second ? "0" : hung;
  m.place(a, {.position = {at, 0, 0}});
  m.place(b, {.position = {at + " + " + rod, beside, -1}});
  between.add(m, "J", where == Where::beside ? a.at(0, beside, 0) : Point(a), b.at(0, 0, 1));
  if (second)
    held.add(m, "K", m.ground(rod + " - " + hung, 0, -1), b);
  else
    held.add(m, "K", m.ground(0, 0, 0), a);
  return m;
}

TEST(Families, TakeStepsWithEveryPairOfJoints) {
  int taken = 0, refused = 0;
  for (const Kind& between : kinds)
    for (const Kind& held : kinds)
      for (const Where where : {Where::centre, Where::beside, Where::second_held}) {
        const Mechanism m = two_bodies(between, held, where);
        const System system = m.system();
        for (const char* scheme :
             {"rattle", "spark(2)", "ggl", "energy_momentum", "phase_space(1)", "lie(trapezoidal)"}) {
          SCOPED_TRACE(m.name() + ", " + std::to_string(static_cast<int>(where)) + ", " + scheme);
          try {
            Stepper<double> stepper(system, Scheme::named(scheme));
            stepper.start(m.start());
            for (int k = 0; k < 2; ++k) {
              const StepReport report = stepper.step(0.001);
              ASSERT_TRUE(report.converged) << report.worst;
            }
            EXPECT_LE(stepper.observe().constraint, 1e-13);
            ++taken;
          } catch (const InputError&) {
            ++refused;
          }
        }
      }
  // phase_space refuses redundant joints, hamilton and the others those that are singular where the mechanism starts.
  EXPECT_GT(taken, 1000) << refused << " refused";
}

TEST(BlockLu, SaysThatAPlaceIsMissing) {
  EXPECT_EQ(needed(3), 3);
  EXPECT_THROW(needed(-1), std::logic_error);
}

}  // namespace
}  // namespace extremal::mechanism_families_test
