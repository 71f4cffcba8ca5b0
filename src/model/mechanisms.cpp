// Mechanisms: the top and the four-bar linkages of [Kinon2023, section 5], chains, and a loop that counting calls
// immovable.
#include <fmt/format.h>

#include "bodies/frame.hpp"
#include "model/stock.hpp"

namespace extremal::stock {
namespace {

Numbers numbers(const Triple& x) { return {Number::exactly(x[0]), Number::exactly(x[1]), Number::exactly(x[2])}; }

Numbers matrix(const Directors& d) {
  std::vector<Number> rows;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) rows.push_back(Number::exactly(d[i][k]));
  return rows;
}

std::string bar(int i) { return "bar " + std::to_string(i); }

// What a linkage of N four-bars in a row needs of the plane or of space, so that it is told once: N + 1 upright legs of
// length 1 on the ground, N couplers between their upper ends. Everything turns with theta' = -1 at first.
template <class Place, class Make, class Join>
void four_bars(int n, Make make, Place place, Join join) {
  std::vector<Body> legs, couplers;
  for (int i = 0; i <= n; ++i) {
    legs.push_back(make(bar(i + 1)));
    if (i < n) couplers.push_back(make(bar(n + 2 + i)));
  }
  for (int i = 0; i <= n; ++i) {
    const std::string foot = "P" + std::to_string(i + 1), head = "P" + std::to_string(n + 2 + i);
    join(foot, nullptr, i, legs[static_cast<std::size_t>(i)], -1);
    place(legs[static_cast<std::size_t>(i)], 2 * i, 1, true);
    const bool both = i > 0 && i < n;
    if (i > 0)
      join(both ? head + " left" : head, &legs[static_cast<std::size_t>(i)], 1,
           couplers[static_cast<std::size_t>(i - 1)], 1);
    if (i < n) {
      join(both ? head + " right" : head, &legs[static_cast<std::size_t>(i)], 1, couplers[static_cast<std::size_t>(i)],
           -1);
      place(couplers[static_cast<std::size_t>(i)], 2 * i + 1, 2, false);
    }
  }
}

Number half(int twice) { return Number(std::to_string(twice) + "/2"); }

Mechanism planar_four_bars(const std::string& name, int n, bool damped) {
  Mechanism m(name, Space::planar);
  m.gravity(0, "-9.81");
  std::vector<Body> couplers;
  four_bars(
      n, [&](const std::string& label) { return m.body(label, {.mass = 1, .inertia = "1/12"}); },
      [&](const Body& body, int twice_x, int twice_y, bool upright) {
        m.place(body, {.position = {half(twice_x), half(twice_y)},
                       .angle = upright ? "pi/2" : "0",
                       .velocity = {half(twice_y), 0},
                       .angular_velocity = upright ? -1 : 0});
        if (!upright) couplers.push_back(body);
      },
      [&](const std::string& label, const Body* leg, int at, const Body& other, int end) {
        m.revolute(label, leg == nullptr ? m.ground(at, 0) : leg->at("1/2", 0), other.at(half(end), 0));
      });
  if (damped)  // between P1 and P5, P2 and P6 [Kinon2023, eq. 77]
    for (int i = 0; i < n; ++i)
      m.damper("damper " + std::to_string(i + 1), m.ground(i, 0), couplers[static_cast<std::size_t>(i)].at("1/2", 0),
               "0.5");
  return m;
}

// The plane of the linkage is turned by a rotation vector, and gravity with it.
Mechanism spatial_four_bars(const std::string& name, int n, const Triple& tilt) {
  Mechanism m(name);
  const Directors R = rotation(tilt);
  const auto in_space = [&](quad x, quad y, quad z) { return outward(R, {x, y, z}); };
  const Triple weight = in_space(0, -Number("9.81").as<quad>(), 0), axis = in_space(0, 0, 1);
  m.gravity(Number::exactly(weight[0]), Number::exactly(weight[1]), Number::exactly(weight[2]));
  four_bars(
      n, [&](const std::string& label) { return m.body(label, {.mass = 1, .inertia = {"1/600", "1/12", "1/12"}}); },
      [&](const Body& body, int twice_x, int twice_y, bool upright) {
        const quad x = quad(twice_x) / 2, y = quad(twice_y) / 2;
        const Directors turned = upright ? rotation(2, 2 * math::atan(quad(1))) : no_rotation;
        m.place(body, {.position = numbers(in_space(x, y, 0)),
                       .matrix = matrix(product(R, turned)),
                       .velocity = numbers(in_space(y, 0, 0)),
                       .angular_velocity = numbers(upright ? quad(-1) * axis : Triple{})});
      },
      [&](const std::string& label, const Body* leg, int at, const Body& other, int end) {
        const Triple foot = in_space(at, 0, 0);
        const Number x = Number::exactly(foot[0]), y = Number::exactly(foot[1]), z = Number::exactly(foot[2]);
        m.revolute(label, leg == nullptr ? m.ground(x, y, z) : leg->at("1/2", 0, 0), other.at(half(end), 0, 0),
                   leg == nullptr ? numbers(axis) : Numbers{0, 0, 1});
      });
  return m;
}

}  // namespace

Model of(const Mechanism& mechanism, Span span, std::string title, std::string citation) {
  return {.system = mechanism.system(),
          .start = mechanism.start(),
          .span = std::move(span),
          .title = std::move(title),
          .citation = std::move(citation),
          .mechanism = std::make_shared<const Mechanism>(mechanism)};
}

std::string sized(const std::string& name, int n, int usual) {
  return n == usual ? name : name + "(" + std::to_string(n) + ")";
}

// On its tip, a distance l below the centre, leaning by pi/3 and precessing at the rate 10 [Kinon2023, eqs. 62-68].
Mechanism heavy_top(const std::string& name, const std::string& m, const std::string& J, const std::string& spin) {
  const std::string l = "0.075";
  Mechanism top(name);
  top.gravity(0, 0, "-9.81");
  const Body cone = top.body("cone", {.mass = m, .inertia = {J, J, J}});
  top.spherical("tip", top.ground(0, 0, 0), cone.at(0, 0, "-" + l));
  top.place(cone, {.position = {0, "-" + l + "*sin(pi/3)", l + "*cos(pi/3)"},
                   .rotation = {"pi/3", 0, 0},
                   .velocity = {"10*" + l + "*sin(pi/3)", 0, 0},
                   .angular_velocity = {0, "-(" + spin + ")*sin(pi/3)", "10+(" + spin + ")*cos(pi/3)"}});
  return top;
}

// A cone, with the spin at which it stays at its height.
Model top() {
  const std::string m = "(2700*pi*0.05^2*0.1/3)", J = "(3/10*" + m + "*0.05^2)", l = "0.075";
  const std::string spin = m + "*9.81*" + l + "/(" + J + "*10)+" + m + "*" + l + "^2/" + J + "*10*cos(pi/3)";
  return of(heavy_top("top", m, J, spin), {.step = "0.002", .until = 2}, "heavy top in steady precession", "Kinon2023");
}

Model top_lie() {
  Model model = of(heavy_top("top-lie", "0.7069", "5.3014e-4", "135.6089523522"), {.step = "0.001", .until = 2},
                   "the same, with rounded data, moved by rotations", "LewMata2016");
  model.scheme = "lie(trapezoidal)";
  return model;
}

Model double_four_bar() {
  return of(planar_four_bars("double-four-bar", 2, false), {.step = "0.01", .until = 10},
            "five bars that pass through singular positions", "Kinon2023");
}

Model double_four_bar_damped() {
  return of(planar_four_bars("double-four-bar-damped", 2, true), {.step = "0.01", .until = 10},
            "the same with two dampers", "Kinon2023");
}

Model four_bar_chain(int n) {
  return of(planar_four_bars(sized("four-bar-chain", n, 40), n, false), {.step = "0.01", .until = 10},
            "N four-bar linkages in a row", "Kinon2023");
}

Model four_bar_spatial(int n) {
  return of(spatial_four_bars(sized("four-bar-spatial", n, 2), n, {}), {.step = "0.01", .until = 10},
            "N four-bar linkages of bodies in space: redundant joints", "Kinon2023");
}

Model four_bar_tilted(int n) {
  return of(spatial_four_bars(sized("four-bar-tilted", n, 2), n, {quad(2) / 5, quad(-3) / 4, quad(1) / 3}),
            {.step = "0.01", .until = 10}, "the same in a plane in general position", "Kinon2023");
}

Model chain(int n) {
  Mechanism m(sized("chain", n, 10), Space::planar);
  m.gravity(0, "-9.81");
  std::vector<Body> bars;
  for (int i = 0; i < n; ++i) {
    bars.push_back(m.body(bar(i + 1), {.mass = 1, .inertia = "1/12"}));
    m.revolute("P" + std::to_string(i + 1),
               i == 0 ? m.ground(0, 0) : bars[static_cast<std::size_t>(i - 1)].at("1/2", 0), bars.back().at("-1/2", 0));
    m.place(bars.back(), {.position = {half(2 * i + 1), 0}});
  }
  return of(m, {.step = "0.01", .until = 2}, "N bars that hang from the ground, let go", "Kinon2023");
}

Model chain_spatial(int n) {
  Mechanism m(sized("chain-spatial", n, 10));
  m.gravity(0, 0, "-9.81");
  std::vector<Body> bars;
  for (int i = 0; i < n; ++i) {
    bars.push_back(m.body(bar(i + 1), {.mass = 1, .inertia = {"1/600", "1/12", "1/12"}}));
    m.spherical("P" + std::to_string(i + 1),
                i == 0 ? m.ground(0, 0, 0) : bars[static_cast<std::size_t>(i - 1)].at("1/2", 0, 0),
                bars.back().at("-1/2", 0, 0));
    // The whole chain turns about the vertical.
    m.place(bars.back(),
            {.position = {half(2 * i + 1), 0, 0}, .velocity = {0, half(2 * i + 1), 0}, .angular_velocity = {0, 0, 1}});
  }
  return of(m, {.step = "0.01", .until = 2}, "N bars on spherical joints, let go while turning", "Kinon2023");
}

// Bennett's linkage: four bars, the first of them the ground, four revolute joints. Opposite bars have equal lengths a,
// b and equal twists alpha, beta between their axes, with a / sin alpha = b / sin beta: then it moves, although 3 * 6
// coordinates have 4 * 5 joint rows. The angles at the joints obey
//   tan(theta1 / 2) tan(theta2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2),
// theta3 = -theta1 and theta4 = -theta2; here a = 1, alpha = pi/6, b = 2, beta = pi/2, theta1 = pi/2, theta2 = 2 pi/3.
Model bennett() {
  const quad pi = 4 * math::atan(quad(1));
  const quad length[4] = {1, 2, 1, 2}, twist[4] = {pi / 6, pi / 2, pi / 6, pi / 2};
  const quad angle[4] = {pi / 2, 2 * pi / 3, -pi / 2, -2 * pi / 3};
  Mechanism m("bennett");
  m.gravity(0, 0, "-9.81");
  // Bar i leads from axis i, its z, to axis i + 1 along its x; bar 0 is the ground, from the origin along x.
  std::vector<Body> bars;
  std::vector<quad> half_length{length[0] / 2};
  Triple at{length[0], 0, 0};
  Directors frame = rotation(0, twist[0]);  // at axis 1: z along it
  for (std::size_t i = 1; i < 4; ++i) {
    frame = product(frame, rotation(2, angle[i]));
    const Number square = Number::exactly(length[i] * length[i] / 12);
    bars.push_back(m.body(bar(static_cast<int>(i) + 1), {.mass = 1, .inertia = {"1/600", square, square}}));
    m.place(bars.back(), {.position = numbers(at + (length[i] / 2) * frame[0]), .matrix = matrix(frame)});
    half_length.push_back(length[i] / 2);
    at = at + length[i] * frame[0];
    frame = product(frame, rotation(0, twist[i]));
  }
  const auto end = [&](std::size_t i, int side) {
    return bars[i - 1].at(Number::exactly(quad(side) * half_length[i]), 0, 0);
  };
  // The axis at the far end of bar i, in its frame.
  const auto far_axis = [&](std::size_t i) { return numbers(rotation(0, twist[i])[2]); };
  m.revolute("P1", m.ground(0, 0, 0), end(3, 1), {0, 0, 1});
  m.revolute("P2", m.ground(1, 0, 0), end(1, -1), far_axis(0));
  m.revolute("P3", end(1, 1), end(2, -1), far_axis(1));
  m.revolute("P4", end(2, 1), end(3, -1), far_axis(2));
  return of(m, {.step = "0.01", .until = 5}, "Bennett's linkage: it moves, against the count", "Kinon2023");
}

}  // namespace extremal::stock
