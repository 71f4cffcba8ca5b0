#include "report/plots.hpp"

#include <algorithm>
#include <cmath>

#include "report/choices.hpp"

namespace extremal::report {
namespace {

constexpr std::size_t most_series = 14;  // of one plot: colours repeat once
constexpr std::size_t shown = 4;         // of many, the others are hidden at first

class Plots {
 public:
  Plots(const Model& model, const Table& table) : model_(model), table_(table), buckets_(table.rows()) {
    Json axis = {{"name", "t"}, {"unit", "s"}, {"values", f64(buckets_.times(table.t()))}};
    if (buckets_.thins()) axis["thinned"] = {{"samples", buckets_.samples}, {"bucket", buckets_.size}};
    axes_["t"] = std::move(axis);
  }

  Json all() {
    choices();
    energies();
    momenta();
    residuals();
    forces();
    rods();
    observers();
    phase();
    newton();
    estimates();
    requested();
    return {{"axes", axes_}, {"plots", plots_}};
  }

 private:
  struct Series {
    std::string name;
    std::vector<double> values;
  };

  enum class Kind { smooth, counted, log };  // functions of time, numbers of every step, sizes of errors

  void add(const char* id, const char* title, const char* unit, Kind kind, const std::vector<Series>& series,
           const std::string& note = "") {
    if (series.empty()) return;
    Json plot = {{"id", id}, {"title", title}, {"axis", "t"}, {"series", Json::array()}};
    if (*unit != '\0') plot["unit"] = unit;
    if (kind == Kind::log) plot["scale"] = "log";
    if (kind == Kind::smooth) plot["smooth"] = true;
    if (!note.empty()) plot["note"] = note;
    for (const Series& one : series) {
      Json part = {{"name", one.name}, {"values", f64(buckets_.values(one.values))}};
      if (series.size() > shown && plot["series"].size() >= shown) part["hidden"] = true;
      plot["series"].push_back(std::move(part));
    }
    plots_.push_back(std::move(plot));
  }

  void energies() {
    std::vector<Series> all = {{"total", table_.column("energy")},
                               {"kinetic", table_.column("kinetic")},
                               {"potential", table_.column("potential")}};
    const bool forced = table_.has("work");
    if (forced) all.push_back({"work", table_.column("work")});
    add("energy", "Energy", "J", Kind::smooth, all);
    if (forced)
      add("energy_error", "Energy error", "J", Kind::log, {{"|H − W − H₀|", table_.change("energy", "work")}},
          "W is the work of forces, given motions and constraints that depend on time, since the start");
    else
      add("energy_error", "Energy error", "J", Kind::log, {{"|H − H₀|", table_.change("energy")}});
  }

  void momenta() {
    std::vector<Series> values, changes;
    for (const std::string& name : table_.names("momentum")) {
      if (values.size() == most_series) break;
      const std::string label = name.substr(name.find(':') + 1);
      values.push_back({label, table_.column(name)});
      changes.push_back({label, table_.change(name)});
    }
    add("momentum", "Momenta", "", Kind::smooth, values);
    add("momentum_error", "Change of momenta", "", Kind::log, changes);
  }

  void residuals() {
    if (table_.names("lambda").empty()) return;
    add("constraint", "Constraint residuals", "", Kind::log,
        {{"|g|", table_.column("constraint")}, {"|G v|", table_.column("hidden")}});
  }

  // Of every constraint; those of a mechanism are reactions of its joints.
  void forces() {
    if (model_.mechanism != nullptr) return;
    std::vector<Series> multipliers, sizes;
    for (const auto& [variable, into] : {std::pair{"lambda", &multipliers}, {"force", &sizes}})
      for (const std::string& name : table_.names(variable))
        if (into->size() < most_series) into->push_back({name.substr(name.find(':') + 1), table_.column(name)});
    add("multiplier", "Multipliers", "", Kind::smooth, multipliers);
    add("force", "Constraint forces", "N", Kind::smooth, sizes);
  }

  void rods() {
    std::vector<Series> all;
    for (const char* kind : {"translation", "rotation", "stretching", "shear", "torsion", "bending"})
      if (const std::string name = std::string("energy:") + kind; table_.has(name))
        all.push_back({kind, table_.column(name)});
    if (all.empty()) return;
    // What a rod is about first.
    std::rotate(all.begin(), all.begin() + 4, all.end());
    add("rod_energy", "Energy of rods by kind", "J", Kind::smooth, all);
  }

  void observers() {
    std::vector<Series> all;
    for (const Observer& observer : model_.observers)
      for (const std::string& name : {"observer:" + observer.name, observer.name})
        if (table_.has(name) && all.size() < most_series) {
          all.push_back({observer.name, table_.column(name)});
          break;
        }
    add("observed", "Observed", "", Kind::smooth, all);
  }

  // The first coordinates that move; of a body its centre. What is called motion here is more than round-off.
  std::vector<std::string> moving(std::size_t most) const {
    std::vector<std::string> names;
    double fastest = 0;
    for (const std::string& name : table_.names("q")) {
      if (names.size() == most) break;
      if (is_director(model_, name) || !table_.has("v:" + name)) continue;
      double fast = 0;
      for (const double v : table_.column("v:" + name)) fast = std::max(fast, std::fabs(v));
      if (!(fast > 1e-9 * fastest)) continue;
      fastest = std::max(fastest, fast);
      names.push_back(name);
    }
    return names;
  }

  void choices() {
    Choices chosen = choices_of(model_, table_, moving(most_series));
    for (const char* id : {"t_coordinates", "t_force"})
      if (chosen.axes.contains(id)) axes_[id] = std::move(chosen.axes[id]);
    plots_ = std::move(chosen.plots);
  }

  // Coordinates of joints, where some are coordinates of the system; otherwise those that move most.
  std::vector<std::string> shown_in_phase(std::size_t most) const {
    std::vector<std::string> own;
    for (std::string name : table_.names("q")) {
      std::string joint = name;
      if (const std::size_t dot = joint.rfind('.'); dot != std::string::npos) joint[dot] = ':';
      if (own.size() < most && table_.has("joint:" + joint) && table_.has("v:" + name)) own.push_back(std::move(name));
    }
    return own.empty() ? moving(most) : own;
  }

  void phase() {
    constexpr std::size_t most_curves = 6, most_points = 20000;
    Json plot = {{"id", "phase"},
                 {"title", "Phase portrait"},
                 {"x", {{"name", "coordinate"}}},
                 {"y", {{"name", "velocity"}}},
                 {"curves", Json::array()}};
    const bool thin = table_.rows() > most_points;
    if (!thin) {
      plot["axis"] = "t";
      plot["rate"] = true;
    }
    for (const std::string& name : shown_in_phase(most_curves)) {
      std::vector<double> x = table_.column(name), y = table_.column("v:" + name);
      if (thin) {
        std::vector<double> u, w;
        for (const std::size_t i : thin_curve(x, y, Buckets::count)) {
          u.push_back(x[i]);
          w.push_back(y[i]);
        }
        x = std::move(u), y = std::move(w);
      }
      Json curve = {{"name", name}, {"x", f64(x)}, {"y", f64(y)}};
      if (plot["curves"].size() >= 2) curve["hidden"] = true;
      plot["curves"].push_back(std::move(curve));
    }
    if (plot["curves"].empty()) return;
    if (thin) plot["note"] = "thinned: the extremes of every part of the run stay";
    plots_.push_back(std::move(plot));
  }

  void newton() {
    std::vector<double> iterations = table_.column("iterations");
    if (iterations.empty()) return;
    // At the start no step has been taken.
    const bool backwards = table_.archive().column("t").front() > table_.t().front();
    (backwards ? iterations.back() : iterations.front()) = std::nan("");
    if (std::all_of(iterations.begin(), iterations.end(), [](double k) { return !(k > 0); })) return;  // explicit
    add("newton", "Newton iterations", "", Kind::counted, {{"iterations", iterations}});
  }

  void estimates() {
    std::vector<Series> all;
    for (const char* name : {"error:force", "error:velocity", "error:impulse", "error:jump", "balance"})
      if (table_.has(name)) all.push_back({name, table_.column(name)});
    add("error_estimate", "Error estimate", "", Kind::log, all);
  }

  // What a run has on request.
  void requested() {
    struct Kinds {
      const char *variable, *title, *unit;
    };
    for (const auto& [variable, title, unit] : {Kinds{"hidden", "Hidden constraints, row by row", ""},
                                                {"gamma", "Multipliers of the hidden constraints", ""},
                                                {"angular_momentum", "Angular momentum about the origin", "J s"},
                                                {"energy_error", "Energy error H − W − H₀", "J"}}) {
      std::vector<Series> all;
      for (const std::string& name : table_.names(variable))
        if (all.size() < most_series) all.push_back({name.substr(name.find(':') + 1), table_.column(name)});
      add(variable, title, unit, Kind::smooth, all);
    }
  }

  const Model& model_;
  const Table& table_;
  Buckets buckets_;
  Json axes_ = Json::object(), plots_ = Json::array();
};

}  // namespace

Json plots_of(const Model& model, const Table& table) {
  if (table.rows() == 0) return {{"axes", Json::object()}, {"plots", Json::array()}};
  return Plots(model, table).all();
}

}  // namespace extremal::report
