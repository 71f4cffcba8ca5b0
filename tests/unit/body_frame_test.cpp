// Bodies in a frame of their own: centre and tensor anywhere, and shapes. The same body in principal axes is the truth.
#include <gtest/gtest.h>

#include "bodies/principal.hpp"
#include "extremal/extremal.hpp"
#include "extremal/models.hpp"
#include "refusal.hpp"

namespace body_frame_test {

using namespace extremal;

Numbers list(const Triple& x) { return {Number::exactly(x[0]), Number::exactly(x[1]), Number::exactly(x[2])}; }
Numbers list(const Directors& d) {
  std::vector<Number> rows;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) rows.push_back(Number::exactly(d[j][i]));
  return rows;
}
Numbers list(const Tensor& t) {
  std::vector<Number> all;
  for (const quad x : t) all.push_back(Number::exactly(x));
  return all;
}
Point at(const Body& body, const Triple& x) {
  return body.at(Number::exactly(x[0]), Number::exactly(x[1]), Number::exactly(x[2]));
}

// A frame in a body whose own axes are principal: how it is turned against them, and where the centre is in it.
struct Seat {
  Directors turn = no_rotation;
  Triple centre{};
  Triple direction(const Triple& x) const { return inward(turn, x); }
  Triple point(const Triple& x) const { return direction(x) + centre; }
};

// Two bodies on a slanted hinge and a universal joint, with a force in the frame of a body, a damper about an axis and
// a spring; given in frames that are seated anywhere.
Mechanism swing(const Seat& first, const Seat& second) {
  Mechanism m("swing");
  m.gravity(0, "0.3", "-9.81");
  const auto add = [&](const char* name, const Seat& seat, const Triple& J, const Directors& R, const Triple& r,
                       const Triple& v, const Triple& w) {
    const Tensor tensor =
        turned({J[0], J[1], J[2], 0, 0, 0},
               Directors{seat.direction({1, 0, 0}), seat.direction({0, 1, 0}), seat.direction({0, 0, 1})});
    const Body body = m.body(name, {.mass = 2, .inertia = list(tensor), .centre = list(seat.centre)});
    const Directors frame = product(R, seat.turn);
    const Triple arm = outward(frame, seat.centre);
    m.place(body, {.position = list(r - arm),
                   .matrix = list(frame),
                   .velocity = list(v - cross(w, arm)),
                   .angular_velocity = list(w)});
    return body;
  };
  const Triple axis{quad(0.6), 0, quad(0.8)}, w{quad(0.6), 0, quad(0.8)};
  const Triple r{0, quad(0.5), 0}, v = cross(w, r);
  const Directors R = rotation(2, quad(0.25));
  const Body a = add("a", first, {1, 2, quad(2.5)}, no_rotation, r, v, w);
  const Body b = add("b", second, {quad(0.3), quad(0.4), quad(0.5)}, R, {quad(0.5), 1, 0}, {}, {});
  m.revolute("hinge", m.ground(0, 0, 0), at(a, first.point({0, quad(-0.5), 0})), list(axis));
  // The point of b in space is (0, 1, 0).
  const Triple in_b = inward(R, {quad(-0.5), 0, 0});
  m.universal("cross", at(a, first.point({0, quad(0.5), 0})), at(b, second.point(in_b)),
              list(first.direction({0, 1, 0})), list(second.direction(inward(R, {1, 0, 0}))));
  m.force("push", at(b, second.point({quad(0.2), 0, quad(0.1)})), {0, 1, 0});
  m.rotational_damper("bearing", a, b, "0.2", list(first.direction({0, 0, 1})));
  m.spring("spring", m.ground(1, 1, 1), b, {.stiffness = 3, .length = "0.5"});
  return m;
}

template <class S>
S largest_difference(const std::string& scheme, const Seat& first, const Seat& second) {
  const Mechanism plain = swing({}, {}), moved = swing(first, second);
  const Span span{.step = "0.01", .until = "0.5"};
  const auto one = run<S>(plain.system(), scheme, plain.start(), span);
  const auto other = run<S>(moved.system(), scheme, moved.start(), span);
  EXPECT_EQ(one.status, Status::complete);
  EXPECT_EQ(other.status, Status::complete);
  S largest = 0;
  for (const char* name : {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z", "energy"}) {
    const auto &x = one.column(name), &y = other.column(name);
    EXPECT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) largest = math::max(largest, math::abs(x[i] - y[i]));
  }
  return largest;
}

const Seat slanted{rotation(Triple{quad(0.7), quad(-1.1), quad(0.4)}), {quad(0.3), quad(-2), quad(1.5)}};
const Seat other_way{rotation(Triple{quad(-2.1), quad(0.2), quad(1.7)}), {quad(-0.1), quad(0.02), quad(5)}};

TEST(BodyFrame, AnywhereGivesTheMotionOfPrincipalAxes) {
  EXPECT_LT(largest_difference<double>("spark(2)", slanted, other_way), 1e-12);
  EXPECT_LT(largest_difference<double>("lie(rattle)", slanted, other_way), 1e-12);
}

TEST(BodyFrame, IsExactInQuad) {
  EXPECT_LT(static_cast<double>(largest_difference<quad>("spark(2)", slanted, other_way)), 1e-29);
}

TEST(BodyFrame, ADiagonalTensorChangesNoBit) {
  Mechanism three("three"), six("six");
  three.body("a", {.mass = 2, .inertia = {1, 2, "2.5"}});
  six.body("a", {.mass = 2, .inertia = {1, 2, "2.5", 0, 0, 0}});
  const Start a = three.start(), b = six.start();
  ASSERT_EQ(a.q.size(), b.q.size());
  for (std::size_t i = 0; i < a.q.size(); ++i) EXPECT_EQ(a.q[i], b.q[i]);
}

TEST(BodyFrame, PrincipalAxesHaveTheDigitsOfQuad) {
  const Directors A = rotation(Triple{quad(0.3), quad(2), quad(-0.9)});
  const Triple J{quad(1), quad(1.25), quad(1) / 3};
  const Tensor tensor = turned({J[0], J[1], J[2], 0, 0, 0}, A);
  const PrincipalAxes found = principal_axes(tensor);
  const Tensor back = turned({found.moments[0], found.moments[1], found.moments[2], 0, 0, 0}, found.axes);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LT(static_cast<double>(math::abs(back[i] - tensor[i])), 1e-32);
  EXPECT_LT(static_cast<double>(math::abs(dot(cross(found.axes[0], found.axes[1]), found.axes[2]) - 1)), 1e-32);
  // Two moments that are equal, and all three: any axes will do, but there must be some.
  for (const Triple& equal : {Triple{2, 2, 1}, Triple{2, 2, 2}}) {
    const Tensor sym = turned({equal[0], equal[1], equal[2], 0, 0, 0}, A);
    const PrincipalAxes p = principal_axes(sym);
    const Tensor again = turned({p.moments[0], p.moments[1], p.moments[2], 0, 0, 0}, p.axes);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_LT(static_cast<double>(math::abs(again[i] - sym[i])), 1e-32);
  }
}

// A sum over slices along axis 3 is the truth: mass and both moments.
TEST(BodyShape, CapsuleIsTheSumOfItsSlices) {
  const quad r = quad(0.5), l = 2;
  const SolidShape capsule = solid_shape("capsule", {}, "0.5", 2);
  quad volume = 0, about = 0, across = 0;
  const int n = 4000;
  const quad h = (l / 2 + r) / n, pi = math::acos(quad(-1));
  for (int i = 0; i < n; ++i) {  // the upper half, by the middle of every slice
    const quad z = (i + quad(0.5)) * h, beyond = math::max(quad(0), z - l / 2);
    const quad square = r * r - beyond * beyond, slice = 2 * pi * square * h;
    volume += slice, about += slice * square / 2, across += slice * (square / 4 + z * z);
  }
  EXPECT_NEAR(static_cast<double>(capsule.volume), static_cast<double>(volume), 1e-6);
  EXPECT_NEAR(static_cast<double>(capsule.moments[2]), static_cast<double>(about / volume), 1e-6);
  EXPECT_NEAR(static_cast<double>(capsule.moments[0]), static_cast<double>(across / volume), 1e-6);
  EXPECT_EQ(capsule.moments[0], capsule.moments[1]);
}

TEST(BodyShape, OfAModelFileHasMassAndMoments) {
  const auto energy = [](const std::string& body) {
    const Model m =
        read_model_text("[[body]]\nname = \"a\"\nvelocity = [1, 0, 0]\nangular_velocity = [1, 2, 3]\n" + body, "text");
    return run(m.system, "rattle", m.start, {.step = "0.01", .until = "0.01"}).column("energy")[0];
  };
  // m/2 + (J_1 + 4 J_2 + 9 J_3)/2
  EXPECT_NEAR(energy("shape = \"box\"\nsize = [1, 2, 3]\ndensity = 2\n"), 12.0 / 2 + (13 + 4 * 10 + 9 * 5) / 2.0,
              1e-12);
  EXPECT_NEAR(energy("shape = \"sphere\"\nradius = 2\nmass = 5\n"), 2.5 + 0.4 * 5 * 4 * 14 / 2, 1e-12);
  const double pi = math::acos(-1.0), m = 3 * pi * 0.25 * 2, across = m * (0.25 / 4 + 4.0 / 12), about = m * 0.125;
  EXPECT_NEAR(energy("shape = \"cylinder\"\nradius = 0.5\nlength = 2\ndensity = 3\n"),
              m / 2 + (5 * across + 9 * about) / 2, 1e-12);
}

TEST(BodyShape, RefusalsNameTheBodyAndWhatIsExpected) {
  Mechanism m("m");
  const auto told = [&](const BodyData& data) { return refusal([&] { m.body("a", data); }); };
  EXPECT_EQ(told({.shape = "box", .radius = 1}), "m: body \"a\": radius of a box; expected none");
  EXPECT_EQ(told({.shape = "box", .size = {1, 2}}),
            "m: body \"a\": 2 numbers as size of a box; expected its three edges");
  EXPECT_EQ(told({.shape = "ball", .radius = 1}),
            "m: body \"a\": unknown shape \"ball\"; known: box, cylinder, sphere, capsule, ellipsoid");
  EXPECT_EQ(told({.inertia = {1, 1, 1}, .density = 1}),
            "m: body \"a\": density or sizes without a shape; expected a shape, as box");
  EXPECT_EQ(told({.mass = 1, .shape = "sphere", .density = 1, .radius = 1}),
            "m: body \"a\": both mass and density; expected one of them");
  EXPECT_EQ(told({.shape = "sphere", .density = -1, .radius = 1}),
            "m: body \"a\": density -1; expected a positive one");
  EXPECT_EQ(told({.inertia = {1, 1, 1, 0}}), "m: body \"a\": 4 moments of inertia; expected 3, or 6 of a tensor");
  EXPECT_EQ(told({.inertia = {1, 1, 1, 3, 0, 0}}),
            "m: body \"a\": moments of inertia -2, 4, 1; expected none above the sum of the other two");
}

}  // namespace body_frame_test
