// P10: extremal, the chain and Andrews' mechanism as bodies: solved for rotations, by directors as all other systems
// are, and by compositions of lie(trapezoidal).
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "accuracy.hpp"
#include "andrews.hpp"

namespace {

using namespace peers;
using accuracy::Task;
using extremal::Body;

// Without the account of its bodies a system is one of coordinates.
extremal::System by_directors(extremal::System system) {
  system.describe(nullptr);
  return system;
}

struct Candidate {
  const char* scheme;
  double coarse;
  bool by_directors = false;
};

// `start(stepper)`, then `look(stepper)` after every step, and `error()` at the end.
template <class Run>
void run(const Task& task, const extremal::System& system, std::initializer_list<Candidate> candidates, double budget,
         Run&& run) {
  for (const Candidate& c : candidates) {
    extremal::Stepper<double> stepper(c.by_directors ? by_directors(system) : system,
                                      extremal::Scheme::named(c.scheme));
    accuracy::steps(task, "extremal", std::string(c.scheme) + (c.by_directors ? ", by directors" : ""), c.coarse,
                    budget, [&](int count, double h) { return run(stepper, count, h); });
  }
}

void chain(double budget) {
  const extremal::Model m = extremal::model("chain-spatial(10)");
  run({"P10a", 10, 1}, m.system,
      {{"spark(2)", 0.06},
       {"spark(3)", 0.12},
       {"spark(4)", 0.2},
       {"spark(3)", 0.12, true},
       {"suzuki(4, lie(trapezoidal))", 0.02},
       {"kahan_li(6, lie(trapezoidal))", 0.04},
       {"kahan_li(8, lie(trapezoidal))", 0.05}},
      budget, [&](extremal::Stepper<double>& stepper, int count, double h) {
        extremal::Observation<double> now;
        stepper.start(m.start);
        stepper.observe(now, false);
        const double before = now.energy();
        double change = 0;
        for (int k = 0; k < count; ++k) {
          if (!stepper.step(h).converged) return static_cast<double>(INFINITY);
          stepper.observe(now, false);
          change = std::max(change, std::fabs(now.energy() / before - 1));
        }
        return change;
      });
}

// A body's frame has its centre of mass at the origin and turns by the angle of the body.
extremal::Mechanism squeezer() {
  using namespace andrews;
  extremal::Mechanism m("andrews", extremal::Space::planar);
  const Angles angle = of_bodies(andrews::start);
  std::vector<Body> k;
  for (std::size_t i = 0; i < 7; ++i)
    k.push_back(m.body("K" + std::to_string(i + 1), {.mass = andrews::mass[i], .inertia = andrews::inertia[i]}));
  // The body turns about `from` in space, which is `at` in its frame. Returns where another of its points is.
  struct Place {
    double x, y;
  };
  const auto place = [&](std::size_t i, Place from, Place at, Place other) {
    const double c = std::cos(angle[i]), s = std::sin(angle[i]);
    m.place(k[i], {.position = {from.x - (c * at.x - s * at.y), from.y - (s * at.x + c * at.y)}, .angle = angle[i]});
    return Place{from.x + c * (other.x - at.x) - s * (other.y - at.y),
                 from.y + s * (other.x - at.x) + c * (other.y - at.y)};
  };
  const Place F = place(0, {0, 0}, {-ra, 0}, {rr - ra, 0}), A{xa, ya};
  place(1, F, {da, 0}, {da - d, 0});
  place(2, {xb, yb}, {-sb, sa}, {-sb, sa - ss});
  const Place G = place(4, A, {-ta, -tb}, {zt - ta, -tb}), H = place(6, A, {-ua, ub}, {-ua, ub - u});
  place(3, G, {0, e - ea}, {0, -ea});
  place(5, H, {fa - zf, 0}, {fa, 0});
  m.revolute("O", m.ground(0, 0), k[0].at(-ra, 0));
  m.revolute("F", k[0].at(rr - ra, 0), k[1].at(da, 0));
  m.revolute("B", m.ground(xb, yb), k[2].at(-sb, sa));
  m.revolute("A5", m.ground(xa, ya), k[4].at(-ta, -tb));
  m.revolute("A7", m.ground(xa, ya), k[6].at(-ua, ub));
  m.revolute("G", k[4].at(zt - ta, -tb), k[3].at(0, e - ea));
  m.revolute("H", k[6].at(-ua, ub - u), k[5].at(fa - zf, 0));
  m.revolute("E3", k[1].at(da - d, 0), k[2].at(-sb, sa - ss));
  m.revolute("E4", k[1].at(da - d, 0), k[3].at(0, -ea));
  m.revolute("E6", k[1].at(da - d, 0), k[5].at(fa, 0));
  m.spring("spring", m.ground(xc, yc), k[2].at(sd - sb, sa - sc), {.stiffness = stiffness, .length = andrews::length});
  m.motor("motor", m.ground_body(), k[0], torque);
  return m;
}

void squeeze(double budget) {
  const extremal::Mechanism m = squeezer();
  const extremal::Start start = m.start();
  run({"P10c", 7, andrews::until}, m.system(),
      {{"spark(2)", 3e-4},
       {"spark(3)", 1e-3},
       {"spark(4)", 2e-3},
       {"spark(3)", 1e-3, true},
       {"suzuki(4, lie(trapezoidal))", 3e-4}},
      budget, [&](extremal::Stepper<double>& stepper, int count, double h) {
        stepper.start(start);
        for (int k = 0; k < count; ++k)
          if (!stepper.step(h).converged) return static_cast<double>(INFINITY);
        andrews::Angles now{};
        for (std::size_t k = 0; k < 7; ++k) {  // x, y, then the two directors
          const double* d = stepper.state().q.data() + 6 * k + 2;
          now[k] = std::atan2(d[1], d[0]);
        }
        return andrews::error(now);
      });
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  if (options.wanted("P10a")) chain(options.quick ? 0.1 : 0.5);
  if (options.wanted("P10c")) squeeze(options.quick ? 0.1 : 1);
}
