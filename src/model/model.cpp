#include "extremal/models.hpp"

#include <array>
#include <utility>

#include "extremal/error.hpp"
#include "model/stock.hpp"
#include "scheme/grammar.hpp"

namespace extremal {
namespace {

// In the order in which `extremal list models` shows them.
constexpr std::array<std::pair<std::string_view, Model (*)()>, 20> table = {{
    {"pendulum", stock::pendulum},
    {"spherical-pendulum", stock::spherical_pendulum},
    {"double-pendulum-3d", stock::double_pendulum_3d},
    {"spring-pendulum", stock::spring_pendulum},
    {"triple-pendulum", stock::triple_pendulum},
    {"six-balls", stock::six_balls},
    {"hoop", stock::hoop},
    {"oscillator", stock::oscillator},
    {"two-particles", stock::two_particles},
    {"pendulum-polar", stock::pendulum_polar},
    {"pendulum-polar-forced", stock::pendulum_polar_forced},
    {"pendulum-polar-damped", stock::pendulum_polar_damped},
    {"pendulum-polar-moving-pivot", stock::pendulum_polar_moving_pivot},
    {"pendulum-polar-varying-length", stock::pendulum_polar_varying_length},
    {"pendulum-cartesian", stock::pendulum_cartesian},
    {"pendulum-cartesian-forced", stock::pendulum_cartesian_forced},
    {"pendulum-cartesian-damped", stock::pendulum_cartesian_damped},
    {"pendulum-cartesian-moving-pivot", stock::pendulum_cartesian_moving_pivot},
    {"pendulum-cartesian-varying-length", stock::pendulum_cartesian_varying_length},
    {"nonseparable", stock::nonseparable},
}};

}  // namespace

Model model(std::string_view name) {
  for (const auto& [known, make] : table)
    if (known == name) return make();
  try {
    refuse_unknown("model", std::string(name), model_names());
  } catch (const Refusal& refusal) {
    throw InputError(refusal.reason);
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& entry : table) names.emplace_back(entry.first);
  return names;
}

}  // namespace extremal
