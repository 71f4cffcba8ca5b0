// Every joint: how many rows it has, that they are independent and closed at the placements, and what stays free when
// the mechanism moves.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "extremal/mechanism.hpp"
#include "system/evaluation.hpp"

namespace extremal::mechanism_joints_test {
namespace {

// The number of independent rows, by elimination with full pivoting.
int rank(std::vector<double> G, int rows, int columns) {
  int found = 0;
  const auto at = [&](int i, int j) -> double& { return G[static_cast<std::size_t>(i * columns + j)]; };
  for (; found < rows; ++found) {
    int row = found, column = 0;
    double most = 0;
    for (int i = found; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (std::fabs(at(i, j)) > most) most = std::fabs(at(i, j)), row = i, column = j;
    if (most < 1e-9) break;
    for (int j = 0; j < columns; ++j) std::swap(at(row, j), at(found, j));
    for (int i = found + 1; i < rows; ++i) {
      const double f = at(i, column) / at(found, column);
      for (int j = 0; j < columns; ++j) at(i, j) -= f * at(found, j);
    }
  }
  return found;
}

struct Constraints {
  std::vector<double> g, G;
  int rows, rank;
};

Constraints constraints(const Mechanism& m) {
  const System s = m.system();
  Evaluation<double> e(s, 1);
  std::vector<double> q;
  for (const Number& x : m.start().q) q.push_back(x.as<double>());
  const int rows = s.constraint_count();
  Constraints c{std::vector<double>(static_cast<std::size_t>(rows)),
                std::vector<double>(static_cast<std::size_t>(rows * s.size())), rows, 0};
  std::vector<double> g_t(c.g.size());
  const double t = 0;
  e.constraints(1, q.data(), &t, c.g.data(), c.G.data(), g_t.data());
  c.rank = rank(c.G, rows, s.size());
  return c;
}

struct Joint {
  std::string name;
  Space space;
  int rows;
  int free;  // rotations of one body against the other that are left: 0, 1, 2, 3
  bool slides;
  void (*add)(Mechanism& m, const Point& a, const Point& b);
};

void PrintTo(const Joint& joint, std::ostream* out) { *out << joint.name; }

const Joint joints[] = {
    {"planar_revolute", Space::planar, 2, 1, false,
     [](Mechanism& m, const Point& a, const Point& b) { m.revolute("J", a, b); }},
    {"planar_prismatic", Space::planar, 2, 0, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.prismatic("J", a, b, {"0.6", "0.8"}); }},
    {"planar_fixed", Space::planar, 3, 0, false,
     [](Mechanism& m, const Point& a, const Point& b) { m.fixed("J", a, b); }},
    {"planar_point_on_line", Space::planar, 1, 1, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.point_on_line("J", a, b, {"0.6", "0.8"}); }},
    {"revolute", Space::spatial, 5, 1, false,
     [](Mechanism& m, const Point& a, const Point& b) { m.revolute("J", a, b, {1, 2, 3}); }},
    {"spherical", Space::spatial, 3, 3, false,
     [](Mechanism& m, const Point& a, const Point& b) { m.spherical("J", a, b); }},
    {"prismatic", Space::spatial, 5, 0, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.prismatic("J", a, b, {1, 2, 3}); }},
    {"cylindrical", Space::spatial, 4, 1, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.cylindrical("J", a, b, {1, 2, 3}); }},
    {"planar", Space::spatial, 3, 1, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.planar("J", a, b, {1, 2, 3}); }},
    {"fixed", Space::spatial, 6, 0, false, [](Mechanism& m, const Point& a, const Point& b) { m.fixed("J", a, b); }},
    {"point_on_line", Space::spatial, 2, 3, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.point_on_line("J", a, b, {1, 2, 3}); }},
    {"point_on_plane", Space::spatial, 1, 3, true,
     [](Mechanism& m, const Point& a, const Point& b) { m.point_on_plane("J", a, b, {1, 2, 3}); }},
};

struct Two {
  Mechanism m;
  Body a, b;
};

// Two bodies in general position whose points (0.3, 0.2, -0.1) and (-0.4, 0.1, 0.2) coincide, moving in general.
Two two(const Joint& joint) {
  Two x{Mechanism("two", joint.space), {}, {}};
  const Number turn = "0.7";
  if (joint.space == Space::planar) {
    x.m.gravity(0, -1);
    x.a = x.m.body("a", {.mass = 1, .inertia = "0.2"});
    x.b = x.m.body("b", {.mass = 2, .inertia = "0.3"});
    x.m.place(x.a, {.velocity = {1, "0.3"}, .angular_velocity = "0.9"});
    x.m.place(x.b, {.position = {"0.3+0.4*cos(0.7)+0.1*sin(0.7)", "0.2+0.4*sin(0.7)-0.1*cos(0.7)"},
                    .angle = turn,
                    .velocity = {"-0.2", "0.8"},
                    .angular_velocity = "-1.1"});
    joint.add(x.m, x.a.at("0.3", "0.2"), x.b.at("-0.4", "0.1"));
    return x;
  }
  x.m.gravity(0, 0, -1);
  x.a = x.m.body("a", {.mass = 1, .inertia = {"0.2", "0.3", "0.25"}});
  x.b = x.m.body("b", {.mass = 2, .inertia = {"0.3", "0.35", "0.3"}});
  x.m.place(x.a, {.velocity = {1, "0.3", "0.2"}, .angular_velocity = {"0.9", "-0.2", "0.4"}});
  x.m.place(x.b, {.position = {"0.3+0.4*cos(0.7)+0.1*sin(0.7)", "0.2+0.4*sin(0.7)-0.1*cos(0.7)", "-0.3"},
                  .rotation = {0, 0, turn},
                  .velocity = {"-0.2", "0.8", "0.1"},
                  .angular_velocity = {"0.3", "0.7", "-1.1"}});
  joint.add(x.m, x.a.at("0.3", "0.2", "-0.1"), x.b.at("-0.4", "0.1", "0.2"));
  return x;
}

class EveryJoint : public testing::TestWithParam<Joint> {};
INSTANTIATE_TEST_SUITE_P(Mechanism, EveryJoint, testing::ValuesIn(joints),
                         [](const auto& info) { return info.param.name; });

TEST_P(EveryJoint, HasIndependentRowsThatAreClosed) {
  const Two x = two(GetParam());
  const Constraints c = constraints(x.m);
  EXPECT_EQ(c.rows, (GetParam().space == Space::planar ? 6 : 12) + GetParam().rows);
  EXPECT_EQ(c.rank, c.rows);
  EXPECT_EQ(x.m.rows("J").size(), static_cast<std::size_t>(GetParam().rows));
  for (const double g : c.g) EXPECT_LE(std::fabs(g), 1e-15);
  std::vector<double> q, v;
  for (const Number& e : x.m.start().q) q.push_back(e.as<double>());
  v.assign(q.size(), 0);
  EXPECT_LE(x.m.residuals(q, v)[0].position, 1e-15);
  // Pulled apart and turned, it is open.
  for (std::size_t i = 0; i < q.size() / 2; ++i) q[i] += 0.01 * static_cast<double>(i + 1);
  EXPECT_GT(x.m.residuals(q, v)[0].position, 1e-3);
}

double column(const Run<double>& run, const std::string& name, std::size_t k) { return run.column(name)[k]; }

TEST_P(EveryJoint, MovesAsItShould) {
  const Joint& joint = GetParam();
  const Two x = two(joint);
  const int D = joint.space == Space::planar ? 2 : 3;
  const auto run = extremal::run(x.m.system(), "rattle", x.m.start(), {.step = "0.02", .until = 2, .every = 100});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_LE(run.constraint_max, 1e-13);
  EXPECT_LE(run.hidden_max, 1e-12);

  // The rotation of b against a, R_a^T R_b, at the start and the end; and the distance of the points.
  const char* xyz[] = {"x", "y", "z"};
  const auto relative = [&](std::size_t k) {
    std::vector<double> R;
    for (int i = 1; i <= D; ++i)
      for (int j = 1; j <= D; ++j) {
        double sum = 0;
        for (int c = 0; c < D; ++c)
          sum +=
              column(run, "a.d" + std::to_string(i) + xyz[c], k) * column(run, "b.d" + std::to_string(j) + xyz[c], k);
        R.push_back(sum);
      }
    return R;
  };
  double turned = 0;
  const auto first = relative(0), last = relative(1);
  for (std::size_t i = 0; i < first.size(); ++i) turned = std::max(turned, std::fabs(first[i] - last[i]));
  if (joint.free == 0)
    EXPECT_LE(turned, 1e-12);
  else
    EXPECT_GT(turned, 0.1);

  std::vector<double> q;
  const System system = x.m.system();
  for (const std::string& name : system.coordinate_names()) q.push_back(column(run, name, 1));
  const auto p = D == 2 ? x.m.position(x.a.at("0.3", "0.2"), q) : x.m.position(x.a.at("0.3", "0.2", "-0.1"), q);
  const auto r = D == 2 ? x.m.position(x.b.at("-0.4", "0.1"), q) : x.m.position(x.b.at("-0.4", "0.1", "0.2"), q);
  double gap = 0;
  for (std::size_t i = 0; i < p.size(); ++i) gap = std::max(gap, std::fabs(p[i] - r[i]));
  if (joint.slides)
    EXPECT_GT(gap, 0.1);
  else
    EXPECT_LE(gap, 1e-12);

  // One axis is left: the rotation keeps it.
  if (joint.free == 1 && D == 3) {
    const double u[] = {1, 2, 3};  // in a; carried over by the first rotation, it is the same in b
    for (int j = 0; j < 3; ++j) {
      double before = 0, after = 0;
      for (int i = 0; i < 3; ++i) {
        before += u[i] * first[static_cast<std::size_t>(3 * i + j)];
        after += u[i] * last[static_cast<std::size_t>(3 * i + j)];
      }
      EXPECT_NEAR(before, after, 1e-12);
    }
  }
}

TEST(Universal, LetsBothAxesTurnButKeepsThemNormal) {
  Mechanism m("shafts");
  const Body in = m.body("in", {.mass = 1, .inertia = {"0.1", "0.2", "0.2"}});
  const Body out = m.body("out", {.mass = 1, .inertia = {"0.1", "0.2", "0.2"}});
  m.revolute("bearing", m.ground(-1, 0, 0), in.at("-1/2", 0, 0), {1, 0, 0});
  m.universal("cross", in.at("1/2", 0, 0), out.at("-1/2", 0, 0), {0, 1, 0}, {0, 0, 1});
  m.place(in, {.position = {"-1/2", 0, 0}, .velocity = {0, 0, 0}, .angular_velocity = {2, 0, 0}});
  m.place(out, {.position = {"cos(0.4)/2", "sin(0.4)/2", 0}, .rotation = {0, 0, "0.4"}});
  EXPECT_EQ(m.rows("cross").size(), 4u);
  // The cross starts normal: y of the first, z of the second.
  const Constraints c = constraints(m);
  EXPECT_EQ(c.rank, c.rows);
  EXPECT_EQ(24 - c.rank, 3);  // the shaft and two angles
  m.slack("0.6");
  const auto run = extremal::run(m.system(), "rattle", m.start(), {.step = "0.01", .until = 1});
  ASSERT_EQ(run.status, Status::complete) << run.reason;
  EXPECT_LE(run.constraint_max, 1e-13);
}

TEST(Distance, IsARodWhoseMultiplierIsItsForce) {
  Mechanism m("pendulum", Space::planar);
  m.gravity(0, "-9.81");
  const Body ball = m.point_mass("ball", 2);
  m.distance("rod", m.ground(0, 0), ball);
  m.place(ball, {.position = {0, "-1.5"}, .velocity = {3, 0}});
  EXPECT_EQ(constraints(m).rows, 1);
  const auto run = extremal::run(m.system(), "rattle", m.start(), {.step = "0.001", .until = "0.001"});
  // m g + m v^2 / l, pulling: the force -G^T lambda on the ball points up.
  EXPECT_NEAR(run.column("lambda:rod")[0], 2 * 9.81 + 2 * 9 / 1.5, 1e-9);
}

// Joints take ground on either side, and the rows do not depend on it but for their sign.
TEST(Ground, MayBeOnEitherSide) {
  for (const bool first : {true, false}) {
    Mechanism m("bar");
    m.gravity(0, 0, "-9.81");
    const Body bar = m.body("bar", {.mass = 1, .inertia = {"1/600", "1/12", "1/12"}});
    m.place(bar, {.position = {"1/2", 0, 0}});
    if (first)
      m.revolute("hinge", m.ground(0, 0, 0), bar.at("-1/2", 0, 0), {0, 1, 0});
    else
      m.revolute("hinge", bar.at("-1/2", 0, 0), m.ground(0, 0, 0), {0, 1, 0});
    const auto run = extremal::run(m.system(), "rattle", m.start(), {.step = "0.01", .until = "0.4"});
    // H = J w^2 / 2 + m g z with J = 1/3 about the hinge; the plane is kept.
    const double x = run.column("bar.x").back(), z = run.column("bar.z").back();
    EXPECT_NEAR(std::hypot(x, z), 0.5, 1e-13);
    EXPECT_NEAR(run.column("bar.y").back(), 0, 1e-14);
    EXPECT_LE(run.energy_max_error, 1e-2);
    EXPECT_LT(z, -0.1);
    const auto reaction = m.reactions(run);
    ASSERT_EQ(reaction[2].name, "hinge.force.z");
    // Let go horizontally: a = 3 g / (2 l) at the tip, and the hinge carries a quarter of the weight.
    EXPECT_NEAR(reaction[2].values[0], (first ? -1 : 1) * 9.81 / 4, 1e-9);
  }
}

// Redundant joints share loads as equally stiff elastic ones; rigidity has no part in it.
TEST(RowWeights, AreOneForLengthsAndOneOverLengthSquaredForAngles) {
  Mechanism m("door");
  const Body door = m.body("door", {.mass = 1, .inertia = {1, 1, 1}});
  m.revolute("upper", m.ground(0, 0, 1), door.at(0, 0, 1), {0, 0, 1});
  m.revolute("lower", m.ground(0, 0, -2), door.at(0, 0, -2), {0, 0, 1});
  const System system = m.system();
  std::vector<double> weights;
  for (const auto& term : system.terms())
    if (term->role == Role::constraint)
      weights.insert(weights.end(), term->row_weights.begin(), term->row_weights.end());
  ASSERT_EQ(weights.size(), static_cast<std::size_t>(system.constraint_count()));
  for (std::size_t r = 0; r < weights.size(); ++r) {
    const std::string& name = system.constraint_names()[r];
    const bool rigidity = name.starts_with("door"), angle = name.back() == '3' || name.back() == '4';
    EXPECT_EQ(weights[r], rigidity ? 0 : angle ? 0.25 : 1) << name;  // l = 2
  }
  EXPECT_EQ(system.constraint_names()[static_cast<std::size_t>(m.rows("lower")[4])], "lower.4");
  const Constraints c = constraints(m);
  EXPECT_EQ(c.rows, 16);
  EXPECT_EQ(c.rank, 11);
}

// A mechanism that is not closed is closed in the metric of its masses.
TEST(Start, ClosesLoops) {
  Mechanism m("open", Space::planar);
  const Body a = m.body("a", {.mass = 1, .inertia = "1/12"}), b = m.body("b", {.mass = 1, .inertia = "1/12"});
  m.revolute("A", m.ground(0, 0), a.at("-1/2", 0));
  m.revolute("B", a.at("1/2", 0), b.at("-1/2", 0));
  m.revolute("C", b.at("1/2", 0), m.ground(1, 0));
  m.place(a, {.position = {"0.26", "0.42"}, .angle = "1.02"});
  m.place(b, {.position = {"0.74", "0.44"}, .angle = "-1.03"});
  EXPECT_EQ(m.length_scale(), Number::exactly(quad(0.5)));
  EXPECT_NEAR(m.start().slack.as<double>(), 0.05, 1e-15);
  Stepper<double> stepper(m.system(), Scheme::named("rattle"));
  const Consistency found = stepper.start(m.start());
  EXPECT_GT(found.position, 1e-3);
  EXPECT_NEAR(stepper.state().q[1], std::sqrt(0.75) / 2, 1e-12);
  m.slack("1e-4");
  EXPECT_THROW(stepper.start(m.start()), InputError);
}

}  // namespace
}  // namespace extremal::mechanism_joints_test
