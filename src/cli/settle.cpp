// extremal settle: where a model comes to rest, and how it vibrates about there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "bodies/joint_coordinates.hpp"
#include "cli/command.hpp"
#include "cli/request.hpp"
#include "cli/settle_motion.hpp"
#include "cli/table.hpp"
#include "extremal/equilibrium.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "words/json.hpp"

namespace extremal::cli {
namespace {

// What is shown of a place or a direction in q: of a mechanism the coordinates of its joints, otherwise those of q.
class Shown {
 public:
  explicit Shown(const System& system) {
    if (system.rigid() != nullptr) joints_.emplace(*system.rigid());
    if (joints_ && joints_->count() > 0)
      for (const JointCoordinateInfo& info : joints_->infos()) names_.push_back(info.joint + "." + info.name);
    else
      names_ = system.coordinate_names();
  }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<double> place(const std::vector<double>& q) const { return both(q, std::vector<double>(q.size())).first; }
  std::vector<double> change(const std::vector<double>& q, const std::vector<double>& dq) const {
    return both(q, dq).second;
  }

 private:
  std::pair<std::vector<double>, std::vector<double>> both(const std::vector<double>& q,
                                                           const std::vector<double>& v) const {
    if (!joints_ || joints_->count() == 0) return {q, v};
    std::pair<std::vector<double>, std::vector<double>> out;
    out.first.resize(joints_->count());
    out.second.resize(joints_->count());
    joints_->at(q.data(), v.data(), out.first.data(), out.second.data());
    return out;
  }

  std::optional<JointCoordinates<double>> joints_;
  std::vector<std::string> names_;
};

Json named(const std::vector<std::string>& names, const std::vector<double>& values) {
  Json all = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k) all[names[k]] = values[k];
  return all;
}

Json rows_of(const std::vector<double>& matrix, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t first = 0; first < matrix.size(); first += columns) {
    Json row = Json::array();
    for (std::size_t k = 0; k < columns; ++k) row.push_back(matrix[first + k]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json rest_json(const System& system, const Equilibrium& at, const Modes* about) {
  const Shown shown(system);
  Json out = {{"model", system.name()},
              {"t", at.t},
              {"iterations", at.iterations},
              {"residual", at.residual},
              {"q", named(system.coordinate_names(), at.q)},
              {"lambda", named(system.constraint_names(), at.lambda)}};
  if (system.rigid() != nullptr) out["joints"] = named(shown.names(), shown.place(at.q));
  if (about == nullptr) return out;
  out["freedom"] = about->freedom;
  out["stable"] = about->stable;
  Json list = Json::array();
  for (const Mode& mode : about->modes) {
    Json one = {{"frequency", mode.frequency()},
                {"omega", mode.omega},
                {"growth", mode.growth},
                {"damping", mode.damping()},
                {"shape", named(system.coordinate_names(), mode.shape)},
                {"late", named(system.coordinate_names(), mode.late)}};
    if (system.rigid() != nullptr) one["joints"] = named(shown.names(), shown.change(at.q, mode.shape));
    list.push_back(std::move(one));
  }
  out["modes"] = std::move(list);
  const auto f = sz(about->freedom);
  out["linear"] = {{"mass", rows_of(about->mass, f)},
                   {"damping", rows_of(about->damping, f)},
                   {"stiffness", rows_of(about->stiffness, f)},
                   {"tangent", rows_of(about->tangent, f)}};
  return out;
}

// The few that move most, relative to the largest.
std::string movers(const Shown& shown, const std::vector<double>& change) {
  constexpr std::size_t most = 3;
  std::vector<std::size_t> order(change.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::fabs(change[a]) > std::fabs(change[b]); });
  std::string text;
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const double part = change[order[k]] / change[order[0]];
    if (!(std::fabs(part) > 0.01)) break;
    text += fmt::format("{}{} {:.3g}", k > 0 ? ", " : "", shown.names()[order[k]], part);
  }
  return text;
}

void print_rest(const System& system, const Equilibrium& at, const Modes* about) {
  constexpr std::size_t most_places = 24, most_modes = 24;
  const Shown shown(system);
  std::cout << fmt::format("{} comes to rest, after {} iterations; forces are left of {:.1e}\n\n", system.name(),
                           at.iterations, at.residual);
  Table places({"coordinate", "at rest"});
  const std::vector<double> place = shown.place(at.q);
  for (std::size_t k = 0; k < std::min(most_places, place.size()); ++k)
    places.row({shown.names()[k], fmt::format("{:.10g}", std::fabs(place[k]) < 1e-14 ? 0 : place[k])});
  std::cout << places.text("  ");
  if (place.size() > most_places) std::cout << fmt::format("  and {} more (--json)\n", place.size() - most_places);
  if (about == nullptr) return;
  Table table({"mode", "Hz", "damping", "moves"});
  for (std::size_t k = 0; k < std::min(most_modes, about->modes.size()); ++k) {
    const Mode& mode = about->modes[k];
    table.row({std::to_string(k + 1), fmt::format("{:.6g}", mode.frequency()), fmt::format("{:.4g}", mode.damping()),
               movers(shown, shown.change(at.q, mode.shape))});
  }
  std::cout << "\n" << table.text("  ");
  if (about->modes.size() > most_modes)
    std::cout << fmt::format("  and {} more (--json)\n", about->modes.size() - most_modes);
  if (!about->stable) std::cout << "\n  not stable: a mode with negative damping grows\n";
}

// Returns for how long the model moves in the mode.
double write_motion(const ModeMotion& motion, const Request& request, const Model& model, const Equilibrium& at,
                    const Modes& about) {
  const int count = static_cast<int>(about.modes.size());
  if (motion.mode < 1 || motion.mode > count)
    throw InputError(fmt::format("--mode: found {}; expected {}", motion.mode,
                                 count == 0 ? "a model that can move" : fmt::format("one of 1 to {}", count)));
  if (!(motion.amplitude > 0)) throw InputError("--amplitude: expected a positive number, as 0.1");
  const Mode& mode = about.modes[sz(motion.mode - 1)];
  double largest = 0;
  for (const double x : Shown(model.system).change(at.q, mode.shape)) largest = std::max(largest, std::fabs(x));
  return motion.write(request, model, at, mode, largest);
}

}  // namespace

void add_settle(Command& program, Invocation& invocation) {
  auto request = std::make_shared<Request>();
  auto with_modes = std::make_shared<bool>(false);
  auto motion = std::make_shared<ModeMotion>();
  Command command = program.add_command("settle", "Find where a model comes to rest, and how it vibrates there");
  request->declare_model(command);
  command.add_flag("--modes", *with_modes, "The frequencies, damping and shapes of small vibrations about it");
  command
      .add_option("--archive", motion->archive,
                  "Write an archive of the motion that starts in a mode, two periods of it, for extremal report")
      .not_empty();
  command.add_option("--mode", motion->mode, "Which mode, as --modes counts them").show_default();
  command
      .add_option("--amplitude", motion->amplitude,
                  "How far that moves which moves most, in rad, m or the unit of the coordinate")
      .show_default();
  command.footer(
      "Examples:\n"
      "  extremal settle stiff-triple-pendulum\n"
      "  extremal settle pendulum --modes --json\n"
      "  extremal settle double-pendulum-3d --modes --mode 2 --archive mode.nc");
  command.callback([request, with_modes, motion, &invocation] {
    const Model model = request->model();
    const Equilibrium at = settle(model.system, model.start);
    if (!at.found) {
      std::cerr << model.system.name() << ": no rest was found: " << at.reason << "\n";
      invocation.exit_code = failed;
      return;
    }
    std::optional<Modes> about;
    if (*with_modes || !motion->archive.empty()) about = modes(model.system, at);
    const Modes* seen = about ? &*about : nullptr;
    const double seconds = motion->archive.empty() ? 0 : write_motion(*motion, *request, model, at, *about);
    if (request->json)
      std::cout << rest_json(model.system, at, seen).dump(2) << "\n";
    else
      print_rest(model.system, at, seen);
    if (seconds > 0 && !request->json)
      std::cout << fmt::format("\n  {}: {:.4g} s in mode {}\n", motion->archive, seconds, motion->mode);
    invocation.exit_code = complete;
  });
}

}  // namespace extremal::cli
