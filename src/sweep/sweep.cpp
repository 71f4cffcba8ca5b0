#include "sweep/sweep.hpp"

#include <algorithm>
#include <limits>

#include "extremal/batch.hpp"
#include "extremal/error.hpp"
#include "file/reader.hpp"
#include "model/changes.hpp"
#include "run/recorder.hpp"
#include "run/span.hpp"
#include "sweep/dependence.hpp"
#include "words/grammar.hpp"
#include "words/json.hpp"

namespace extremal::sweep {
namespace {

constexpr std::uint64_t most_runs = 1000000000;
constexpr std::uint64_t remembered_points = 1 << 20;  // of an axis that are remembered

Place place_of(const Document& file, std::string_view table, std::string_view key) {
  for (const Document::Entry& outer : file.root().entries) {
    if (outer.key != table) continue;
    for (const Document::Entry& inner : outer.value.entries)
      if (inner.key == key) return inner.place;
    return outer.place;
  }
  return {};
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has(const Settings& settings, const std::string& name) {
  return std::any_of(settings.begin(), settings.end(), [&](const auto& s) { return s.first == name; });
}

constexpr std::pair<StartPlace::Kind, Axis::Target> start_targets[] = {
    {StartPlace::Kind::position, Axis::Target::position},
    {StartPlace::Kind::velocity, Axis::Target::velocity},
    {StartPlace::Kind::momentum, Axis::Target::momentum},
    {StartPlace::Kind::t, Axis::Target::time}};

// A start as `extremal run --start` names it.
bool find_axis(const System& system, Axis& axis) {
  const auto found = find_start(system, axis.name);
  if (!found || found->kind == StartPlace::Kind::next) return false;
  for (const auto& [kind, target] : start_targets)
    if (kind == found->kind) axis.target = target;
  axis.index = found->index;
  return true;
}

}  // namespace

Sweep::Sweep(const Document& file, Plan plan, const std::string& model_text)
    : plan_(std::move(plan)), text_(model_text), base_{.system = System(), .start = {}, .span = {}} {
  for (const Axis& axis : plan_.axes) stride_.push_back(axis.random() ? 0 : 1);
  size_ = plan_.samples;
  for (auto axes = plan_.grid.rbegin(); axes != plan_.grid.rend(); ++axes) {
    for (const std::size_t k : *axes) stride_[k] = size_;
    size_ *= plan_.axes[axes->front()].count;
    if (size_ > most_runs) file.refuse({}, "found more than " + std::to_string(most_runs) + " runs; expected less");
  }
  resolve(file);
  if (!(base_.span.accuracy == Number(0)))
    throw InputError("sweep: " + base_.system.name() + ": found an accuracy of " + base_.span.accuracy.text() +
                     ", for which single runs find a step; expected the step of all; try step = 0.01");
  precision_ = usual_precision(base_.precision);
  std::vector<std::string> names;
  for (const Axis& axis : plan_.axes)
    if (axis.target == Axis::Target::scheme) names = axis.schemes;
  if (names.empty()) names = {usual_scheme(base_.system, base_.scheme)};
  for (const std::string& name : names) {
    schemes_.push_back(Scheme::named(name));
    // What a scheme cannot carry is refused here, once, and not by every run.
    Stepper<double>(base_.system, schemes_.back());
  }
  points_.resize(plan_.axes.size());
  for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
    const Axis& axis = plan_.axes[k];
    if (axis.random() || axis.count > remembered_points) continue;
    for (std::uint64_t point = 0; point < axis.count; ++point) points_[k].push_back(axis.number(point, plan_.seed, 0));
  }
  choose_columns(file);
  count_rows();
  in_lanes_ = fits_lanes();
}

// The same number of steps in all runs, and nothing wanted that only single steps tell.
bool Sweep::fits_lanes() const {
  if (plan_.watches_steps || whole_ || run_moves_ || precision_ != Scalar<double>::name || schemes_.size() > 1)
    return false;
  for (const Axis& axis : plan_.axes)
    for (const Axis::Target target : {Axis::Target::step, Axis::Target::until, Axis::Target::time})
      if (axis.target == target) return false;
  for (const ColumnInfo& column : columns_)
    if (column.variable == "iterations") return false;
  return fits_batch(base_.system, schemes_.front(), base_.span);
}

Model Sweep::read(const Settings& settings) const {
  Model model = named_model(plan_.model, text_, settings);
  model.span.at.clear();
  model.span.error_estimate = false;
  model.span.extra_columns.clear();
  model.span.columns.clear();
  model.span.every = std::numeric_limits<int>::max();
  model.span.outputs = plan_.outputs;
  model.span.threads = 1;  // the members are what threads share
  take(plan_.run, {model.scheme, model.span, model.precision});
  const auto varies_step = [](const Axis& axis) { return axis.name == "step"; };
  if (std::any_of(plan_.axes.begin(), plan_.axes.end(), varies_step)) model.span.accuracy = 0;
  return model;
}

// What the names mean.
void Sweep::resolve(const Document& file) {
  base_ = read({});
  const Settings of_file = base_.parameters;
  const std::vector<std::string> parameters = parameter_names(base_);
  for (const auto& [name, value] : plan_.set)
    if (!has(parameters, name)) file.refuse(place_of(file, "set", name), unknown("parameter", name, parameters));
  for (Axis& axis : plan_.axes) {
    const bool parameter = has(parameters, axis.name);
    const bool of_run = axis.name == "scheme" || axis.name == "step" || axis.name == "until";
    if (parameter && (of_run || axis.name == "t"))
      file.refuse(axis.place, "found " + extremal::quoted(axis.name) +
                                  ", which is a parameter of the model too; expected " + "distinct names");
    if (parameter) continue;
    if (axis.name == "scheme") axis.target = Axis::Target::scheme;
    if (axis.name == "step") axis.target = Axis::Target::step;
    if (axis.name == "until") axis.target = Axis::Target::until;
    if (of_run || find_axis(base_.system, axis)) continue;
    std::vector<std::string> known = parameters;
    known.insert(known.end(), base_.system.coordinate_names().begin(), base_.system.coordinate_names().end());
    known.insert(known.end(), {"t", "scheme", "step", "until"});
    file.refuse(axis.place, unknown("name", axis.name, known) + " (v: and p: of each coordinate)");
  }
  for (const auto& [name, value] : plan_.start) {
    Axis fixed{.name = name, .values = {value}};
    if (!find_axis(base_.system, fixed))
      file.refuse(place_of(file, "start", name),
                  unknown("coordinate", name, base_.system.coordinate_names()) + " (v: and p: of each, and t)");
    if (std::any_of(plan_.axes.begin(), plan_.axes.end(), [&n = name](const Axis& axis) { return axis.name == n; }))
      file.refuse(place_of(file, "start", name),
                  "found " + extremal::quoted(name) + " fixed and varied; expected one of them");
    starts_.push_back(fixed);
  }
  const auto uses = [&](Axis::Target target) {
    const auto is = [&](const Axis& axis) { return axis.target == target; };
    return std::any_of(starts_.begin(), starts_.end(), is) || std::any_of(plan_.axes.begin(), plan_.axes.end(), is);
  };
  if (uses(Axis::Target::velocity) && uses(Axis::Target::momentum))
    file.refuse({}, "found velocities (v:) and momenta (p:); expected one kind");

  // Terms know their parameters by number, so that all that are varied have to be parameters of the base.
  Settings settings = plan_.set;
  const bool parts = base_.mechanism != nullptr || base_.network != nullptr;
  document_ = std::make_shared<const Document>(base_.text, plan_.model);
  const Dependence reach(*document_);
  for (const Axis& axis : plan_.axes) {
    if (axis.target != Axis::Target::parameter) continue;
    if (has(plan_.set, axis.name))
      file.refuse(place_of(file, "set", axis.name),
                  "found " + extremal::quoted(axis.name) + " fixed and varied; expected one of them");
    if (!has(of_file, axis.name)) continue;
    settings.emplace_back(axis.name, axis.value(0, plan_.seed, 0));
    whole_ = whole_ || parts || reach.structure.contains(axis.name);
    moves_ = moves_ || reach.start.contains(axis.name);
    run_moves_ = run_moves_ || reach.run.contains(axis.name);
  }
  // The start of chain(3) is not that of its file.
  whole_ = whole_ || run_moves_ || (moves_ && !base_.arguments.empty());
  base_ = with_parameters(std::move(base_), [this](const Settings& some) { return read(some); }, settings, "set");
}

std::vector<Number> Sweep::values(std::uint64_t run) const {
  std::vector<Number> all;
  all.reserve(plan_.axes.size());
  for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
    const Axis& axis = plan_.axes[k];
    all.push_back(axis.value(axis.random() ? 0 : run / stride_[k] % axis.count, plan_.seed, run));
  }
  return all;
}

void Sweep::numbers(std::uint64_t run, double* out) const {
  for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
    const Axis& axis = plan_.axes[k];
    const std::uint64_t point = axis.random() ? 0 : run / stride_[k] % axis.count;
    *out++ = points_[k].empty() ? axis.number(point, plan_.seed, run) : points_[k][point];
  }
}

void Sweep::place(Start& start, const std::vector<Number>& values) const {
  const auto put = [&](const Axis& axis, const Number& value) {
    for (const auto& [kind, target] : start_targets)
      if (target == axis.target)
        extremal::place(start, {kind, axis.index}, value, base_.system.coordinate_names().size());
  };
  for (const Axis& axis : starts_) put(axis, axis.values[0]);
  for (std::size_t k = 0; k < values.size(); ++k) put(plan_.axes[k], values[k]);
}

Span Sweep::span_of(Span span, const Number& t, const std::vector<Number>& values) const {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (plan_.axes[k].target == Axis::Target::step) span.step = values[k];
    if (plan_.axes[k].target == Axis::Target::until) span.until = values[k];
  }
  if (plan_.outputs > 0 && span.pace == Pace::none) {
    const long long steps = whole_steps<double>(t, span);
    if (steps % plan_.outputs != 0)
      throw InputError("outputs: " + std::to_string(plan_.outputs) + " of " + std::to_string(steps) +
                       " steps; expected a number of steps that is a multiple of it");
    span.every = std::max(1, static_cast<int>(std::min<long long>(steps / plan_.outputs, span.every)));
  }
  return span;
}

// Those of the model file.
Settings Sweep::settings_of(const std::vector<Number>& values) const {
  Settings settings;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (plan_.axes[k].target == Axis::Target::parameter && has(base_.parameters, plan_.axes[k].name))
      settings.emplace_back(plan_.axes[k].name, values[k]);
  for (const auto& setting : plan_.set)
    if (has(base_.parameters, setting.first)) settings.push_back(setting);
  return settings;
}

SweepRun Sweep::run(std::uint64_t run) const {
  const std::vector<Number> values = this->values(run);
  const Settings settings = settings_of(values);
  SweepRun out{.system = base_.system, .start = base_.start, .span = base_.span, .observers = base_.observers};
  if (whole_) {
    Model model = read(settings);
    out.system = std::move(model.system);
    out.start = std::move(model.start);
    out.span = std::move(model.span);
    out.observers = std::move(model.observers);
    for (const auto& [name, value] : plan_.set)
      if (!has(base_.parameters, name)) out.system = out.system.with(name, value);
  } else if (moves_) {
    out.start = read_start(*document_, settings, {});
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    if (const Axis& axis = plan_.axes[k];
        axis.target == Axis::Target::parameter && !(whole_ && has(base_.parameters, axis.name)))
      out.system = out.system.with(axis.name, values[k]);
  out.scheme = &schemes_.front();
  for (std::size_t k = 0; k < values.size(); ++k)
    if (plan_.axes[k].target == Axis::Target::scheme)
      out.scheme = &schemes_[static_cast<std::size_t>(values[k].as<double>())];
  place(out.start, values);
  out.span = span_of(out.span, out.start.t, values);
  return out;
}

void Sweep::choose_columns(const Document& file) {
  const Columns<double> columns(base_.system, schemes_.front(), base_.span, base_.observers);
  all_columns_ = columns.infos();
  std::vector<std::string> wanted = plan_.keep, known;
  if (wanted.empty()) {
    wanted = {"time", "q", "v", "p", "energy"};
    for (std::size_t k = 0; k < columns.observed().count; ++k)
      wanted.push_back(all_columns_[columns.observed().first + k].variable);
  }
  for (std::size_t k = 0; k < all_columns_.size(); ++k) {
    const ColumnInfo& column = all_columns_[k];
    if (!has(known, column.variable)) known.push_back(column.variable);
    if (!has(wanted, column.variable)) continue;
    kept_.push_back(k);
    columns_.push_back(column);
  }
  for (const std::string& name : wanted)
    if (!has(known, name)) file.refuse(place_of(file, "keep", ""), unknown("variable", name, known));
}

// The largest number of rows that a run has.
void Sweep::count_rows() {
  if (only_end()) return;
  if (run_moves_ && !(plan_.says("step") && plan_.says("until")))
    throw InputError("sweep: found rows of runs whose length follows what is varied; expected step and until");
  std::uint64_t stride = size_;  // between runs that may differ in length
  for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
    const Axis::Target target = plan_.axes[k].target;
    if (target == Axis::Target::step || target == Axis::Target::until || target == Axis::Target::time)
      stride = std::min(stride, std::max<std::uint64_t>(1, stride_[k]));
  }
  for (std::uint64_t k = 0; k < size_; k += stride) {
    const std::vector<Number> values = this->values(k);
    Start start = base_.start;
    place(start, values);
    try {
      const Span span = span_of(base_.span, start.t, values);
      const long long steps = span.pace == Pace::none ? whole_steps<double>(start.t, span) : 0;
      rows_ = std::max(rows_, static_cast<std::size_t>(common_rows(steps, span, only_end())));
    } catch (const InputError&) {
      if (stride == size_) throw;  // otherwise it is this run that is refused
    }
  }
}

std::string Sweep::identity() const {
  const auto numbers = [](const Settings& settings) {
    Json all = Json::object();
    for (const auto& [name, value] : settings) all[name] = value.text();
    return all;
  };
  Json axes = Json::array();
  for (const Axis& axis : plan_.axes) {
    Json texts = Json::array();
    for (const Number& value : axis.values) texts.push_back(value.text());
    axes.push_back({{"name", axis.name},
                    {"kind", static_cast<int>(axis.kind)},
                    {"values", axis.schemes.empty() ? texts : Json(axis.schemes)},
                    {"count", axis.count},
                    {"log", axis.logarithmic}});
  }
  Json names = Json::array();
  for (const Scheme& scheme : schemes_) names.push_back(scheme.name);
  Json together = Json::array();
  for (const auto& group : plan_.grid) {
    Json numbers_of_axes = Json::array();
    for (const std::size_t axis : group) numbers_of_axes.push_back(axis);
    together.push_back(std::move(numbers_of_axes));
  }
  Json all{{"version", EXTREMAL_VERSION},
           {"model", plan_.model},
           {"model_text", base_.text},
           {"schemes", names},
           {"step", ""},
           {"until", ""},
           {"every", 0},
           {"outputs", plan_.outputs},
           {"watch", plan_.watches_steps ? "steps" : "rows"},
           {"precision", precision_},
           {"set", numbers(plan_.set)},
           {"start", numbers(plan_.start)},
           {"keep", plan_.keep},
           {"axes", axes},
           {"zip", together},
           {"samples", plan_.samples},
           {"seed", plan_.seed}};
  for (const RunKey& key : run_keys()) {
    const auto said = plan_.run.find(key.name);
    if (said == plan_.run.end() || key.kind == RunKey::Kind::scheme) continue;
    if (key.kind == RunKey::Kind::count)
      all[key.name] = std::stoi(said->second);
    else
      all[key.name] = said->second;
  }
  return all.dump();
}

}  // namespace extremal::sweep
