// Which scheme, and which step? One learns: a scheme is a word, its order is declared, and three runs show it: with
// half the step the error of a scheme of order 2 falls by 4, that of order 4 by 16, that of order 6 by 64. In quad
// nothing of it is hidden by round-off.
#include <cstdio>
#include <extremal/extremal.hpp>

int main() {
  using namespace extremal;
  const Model pendulum = read_model_text(
      "coordinates = ['x', 'y']\n"
      "kinetic = \"(x'^2 + y'^2)/2\"\n"
      "potential = '9.81*y'\n"
      "constraint = [{ name = 'rod', formula = '(x^2 + y^2 - 1)/2' }]\n"
      "start = { x = 1 }\n",
      "pendulum");

  for (const char* name : {"rattle", "spark(2)", "spark(3)"}) {
    const Scheme scheme = Scheme::named(name);
    std::printf("%-9s order %d:", name, scheme.declared.order.q);
    for (const char* step : {"1/10", "1/20", "1/40"}) {
      const auto run = extremal::run<quad>(pendulum.system, scheme, pendulum.start, {.step = step, .until = 1});
      std::printf("  step %s, energy error %.1e", step, static_cast<double>(run.energy_max_error));
    }
    std::printf("\n");
  }
}
