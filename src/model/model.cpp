#include "extremal/models.hpp"

#include <array>

#include "extremal/error.hpp"
#include "model/stock.hpp"
#include "scheme/grammar.hpp"

namespace extremal {
namespace {

struct Entry {
  std::string_view name;
  Model (*make)() = nullptr;
  Model (*sized)(int) = nullptr;  // instead of make, for any number of parts
  int usual = 0;
};

// In the order in which `extremal list models` shows them.
constexpr std::array table = std::to_array<Entry>({
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
    {"thermoelastic-triangle", stock::thermoelastic_triangle},
    {"thermoelastic-eight", stock::thermoelastic_eight},
    {"top", stock::top},
    {"top-lie", stock::top_lie},
    {"double-four-bar", stock::double_four_bar},
    {"double-four-bar-damped", stock::double_four_bar_damped},
    {"bennett", stock::bennett},
    {"four-bar-chain", nullptr, stock::four_bar_chain, 40},
    {"four-bar-spatial", nullptr, stock::four_bar_spatial, 2},
    {"four-bar-tilted", nullptr, stock::four_bar_tilted, 2},
    {"chain", nullptr, stock::chain, 10},
    {"chain-spatial", nullptr, stock::chain_spatial, 10},
    {"free-body", stock::free_body},
    {"elastic-ring", nullptr, stock::elastic_ring, 80},
    {"elastic-ring-folding", nullptr, stock::elastic_ring_folding, 80},
    {"cantilever", nullptr, stock::cantilever, 20},
    {"roll-up", nullptr, stock::roll_up, 20},
    {"bend-45", nullptr, stock::bend_45, 8},
});

constexpr int largest_size = 10000000;

Model made(const Entry& entry, const std::string& text) {
  if (entry.name == text) return entry.sized != nullptr ? entry.sized(entry.usual) : entry.make();
  const std::string form(entry.name);
  const Call call("model" + text.substr(form.size()));  // the grammar's names have no "-"
  if (entry.sized == nullptr)
    refuse("model " + quoted(text), "a size", "none: " + form + " has always the same parts", form);
  const Usage usage{form + "(N)", form + "(" + std::to_string(entry.usual) + ")"};
  return entry.sized(integer(positional(call, 1, usage)[0], "N", 1, largest_size, usage));
}

}  // namespace

Model model(std::string_view name, const Settings&) {
  try {
    const std::string text = without_blanks(name);
    const std::string base = text.substr(0, text.find('('));
    for (const Entry& entry : table)
      if (entry.name == base) return made(entry, text);
    refuse_unknown("model", base.empty() ? text : base, model_names());
  } catch (const Refusal& refusal) {
    throw InputError(refusal.reason);
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const Entry& entry : table) names.emplace_back(entry.name);
  return names;
}

}  // namespace extremal
