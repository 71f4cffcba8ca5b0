// Close passages: a bead on a sphere passes a well at a distance of 0.01. One learns: a rate is a function of q, a pace
// takes steps by it, short where the motion is fast; and the system in fictitious time is a System like any other,
// whose laws can be measured.
#include <cstdio>
#include <extremal/extremal.hpp>

int main() {
  using namespace extremal;
  System sphere("close-passage");
  const auto bead = sphere.coordinates("x", "y", "z");
  const auto distance = [](const auto& q) { return sqrt(q[0] * q[0] + q[1] * q[1] + (q[2] + 1.01) * (q[2] + 1.01)); };
  sphere.kinetic(bead, [](auto, auto v) { return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2.0; });
  sphere.potential(bead, [=](auto q) { return -0.1 / distance(q); });
  sphere.constraint("sphere", bead, [](auto q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0; });
  const Start start{.q = {1, 0, 0}, .v = {0, "0.01", 0}};
  const Rate by_distance = rate(bead, distance);

  for (const Pace pace : {Pace::none, Pace::symplectic, Pace::reversible}) {
    const auto run =
        extremal::run(sphere, "spark(3)", start, {.step = "0.02", .until = 20, .pace = pace, .rate = by_distance});
    std::printf("%-10s  %4lld steps, energy error %.0e, %s\n", name(pace), run.steps,
                static_cast<double>(run.energy_max_error), name(run.status));
  }

  const Paced in_tau = paced(sphere, by_distance, start);
  const Law law = law::symplecticity(in_tau.system, Scheme::named("spark(3)"), in_tau.start);
  std::printf("symplectic in fictitious time: %s\n", law.holds ? "yes" : "no");
}
