// An elastic beam on a ball joint swings down. One learns: rods, their sections and nodes, how nodes are placed by the
// arc length, and the longest step that is stable for an explicit scheme.
#include <extremal/extremal.hpp>
#include <iostream>

int main() {
  using namespace extremal;
  Mechanism m("beam");
  m.gravity(0, 0, "-9.81");
  const Section rubber = Section::circle({.E = "1e7", .G = "4e6", .density = 1000}, "0.02");
  const Rod beam = m.rod(
      "beam", {.section = rubber, .from = {0, 0, 0}, .to = {"0.5", 0, 0}, .elements = 10, .first = RodEnd::pinned});

  m.place(beam, [](const Number& s) {  // it turns about the joint as if it were rigid
    return Placement{.velocity = {0, 0, Number::exactly(-s.as<quad>())}, .angular_velocity = {0, 1, 0}};
  });

  std::cout << beam.nodes() << " nodes, " << beam.elements() << " elements; steps below " << m.step_bound().as<double>()
            << " s are stable\n";
  const Span span{.step = "1e-4", .until = "0.1", .every = 250};
  const auto run = extremal::run(m.system(), "lie(trapezoidal)", m.start(), span);
  std::cout << run.summary() << "\n";
  for (std::size_t k = 0; k < run.column("t").size(); ++k)
    std::cout << "t = " << run.column("t")[k] << ", tip at z = " << run.column("beam.10.z")[k] << "\n";
}
