#include "data.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "archive/archived_model.hpp"
#include "extremal/error.hpp"
#include "extremal/import.hpp"
#include "extremal/report.hpp"
#include "file/stable_steps.hpp"
#include "model/changes.hpp"
#include "numbers/with_scalar.hpp"
#include "run/keys.hpp"
#include "run/span.hpp"
#include "words/grammar.hpp"

namespace extremal::python {
namespace {

template <class S>
class WatchSink : public RowSink<S> {
 public:
  explicit WatchSink(const Watch& watch) : watch_(watch) {}
  bool pulse(const Progress& progress) override {
    trial(progress);
    return false;
  }
  void trial(const Progress& progress) override {
    if (!stop && !watch_(progress)) stop = true;
  }
  std::atomic<bool> stop = false;

 private:
  const Watch& watch_;
};

template <class S>
std::map<std::string, double> figures_of(const Run<S>& run) {
  const auto d = [](S x) { return static_cast<double>(x); };
  std::map<std::string, double> out{{"steps", static_cast<double>(run.steps)},
                                    {"newton_mean", run.newton_mean},
                                    {"newton_max", run.newton_max},
                                    {"retries", static_cast<double>(run.retries)},
                                    {"singular", static_cast<double>(run.singular)},
                                    {"energy_initial", d(run.energy_initial)},
                                    {"energy_max_error", d(run.energy_max_error)},
                                    {"drift", run.drift.slope},
                                    {"drift_error", run.drift.slope_error},
                                    {"supplied", d(run.supplied)},
                                    {"dissipated", d(run.dissipated)},
                                    {"constraint_max", d(run.constraint_max)},
                                    {"hidden_max", d(run.hidden_max)},
                                    {"redundant", run.consistency.redundant}};
  for (const auto& column : run.momentum_error) out["momentum_error:" + column.name] = d(column.values[0]);
  return out;
}

template <class S>
void keep(Data& data, TableSink<S>& sink, Run<S> run) {
  data.columns = std::move(sink.infos);
  const std::size_t width = data.columns.size();
  data.rows = width == 0 ? 0 : sink.table.size() / width;
  data.status = name(run.status);
  data.reason = run.reason;
  data.summary = run.summary();
  data.figures = figures_of(run);
  data.notes = run.notes;
  for (const auto& column : run.dense)
    data.dense.emplace_back(column.name, std::vector<double>(column.values.begin(), column.values.end()));
  const auto all = std::make_shared<std::vector<S>>();
  if constexpr (std::is_same_v<S, double>) {
    data.table = std::move(sink.table);
  } else {
    data.table.assign(sink.table.begin(), sink.table.end());
    *all = std::move(sink.table);
  }
  // The data outlive their functions, which are members of them.
  const Data* self = &data;
  const auto value = [self, all](std::size_t i) {
    static_cast<void>(self);  // not needed by the others
    if constexpr (std::is_same_v<S, double>)
      return self->table[i];
    else
      return (*all)[i];
  };
  data.exact = [self, value, width](std::size_t column) {
    std::vector<std::string> out;
    for (std::size_t row = 0; row < self->rows; ++row) out.push_back(to_text(value(row * width + column)));
    return out;
  };
  const auto whole = std::make_shared<const Run<S>>(std::move(run));
  data.save = [self, value, width, whole](const std::string& path) {
    ArchiveWriter<S> writer(path, self->provenance);
    writer.begin(*whole, self->columns);
    std::vector<S> row(width);
    for (std::size_t k = 0; k < self->rows; ++k) {
      for (std::size_t c = 0; c < width; ++c) row[c] = value(k * width + c);
      writer.row(row);
    }
    writer.end(*whole);
  };
}

template <class S>
void run_at(Data& data, const Case& one, const std::string& archive, const Watch& watch) {
  TableSink<S> table;
  WatchSink<S> watcher(watch);
  std::optional<ArchiveWriter<S>> writer;
  Output<S> output{.sinks = {&watcher, &table}, .collect = false, .stop = &watcher.stop};
  if (!archive.empty()) output.sinks.push_back(&writer.emplace(archive, data.provenance));
  try {
    Run<S> run = extremal::run<S>(one, output);
    if (run.accuracy != nullptr) {
      data.provenance.span.step = run.step;
      data.provenance.span.every = run.accuracy->every;
      data.provenance.trials = run.accuracy->json();
    }
    keep(data, table, std::move(run));
  } catch (const AccuracyRefused& refused) {
    throw InputError(std::string(refused.what()) + "\n" + refused.tried.text());
  }
}

template <class S>
void resume_at(const std::string& path, const Watch& watch) {
  ArchiveWriter<S> writer = ArchiveWriter<S>::resume(path);
  const Archive archive = Archive::open(path);  // after the writer has locked it
  const Checkpoint<S> checkpoint = archive.checkpoint<S>();
  const Case one = archived_case(archive.provenance());
  WatchSink<S> watcher(watch);
  Output<S> output{.sinks = {&watcher, &writer}, .collect = false, .stop = &watcher.stop};
  if (!checkpoint.numbers.empty()) output.from = &checkpoint;
  extremal::run<S>(one, output);
}

// A whole number of steps in the place of their length, or of the end.
void take_steps(Model& model, const std::string& steps, const RunTexts& said) {
  const double count = Number(steps).as<double>();
  if (!(count >= 1 && count <= 2e9) || count != std::floor(count))
    throw InputError("steps: found " + steps + "; expected a whole number from 1 to 2e9");
  if (said.contains("step") && said.contains("until"))
    throw InputError("run: found steps, step and until; expected two of them");
  const std::string t = "(" + model.start.t.text() + ")";
  if (said.contains("step"))
    model.span.until = Number(t + "+" + steps + "*(" + model.span.step.text() + ")");
  else
    model.span.step = Number("(" + model.span.until.text() + "-" + t + ")/" + steps);
}

void take_request(Model& model, const Request& request) {
  RunTexts said = request.keys;
  std::vector<std::string> known = {"outputs", "steps"};
  for (const RunKey& key : run_keys()) known.emplace_back(key.name);
  for (const auto& [key, text] : said)
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError("run: " + unknown("key of [run]", key, known));
  const bool chosen = said.contains("accuracy") && !(Number(said["accuracy"]) == Number(0));
  for (const char* other : {"step", "steps"})
    if (chosen && said.contains(other))
      throw InputError(std::string("run: found ") + other +
                       " and accuracy; expected one of them, as trials choose the step");
  const bool stable = said.contains("step") && said["step"] == "auto";
  if (stable) said.erase("step");
  take(said, {model.scheme, model.span, model.precision});
  if (const auto steps = said.find("steps"); steps != said.end()) take_steps(model, steps->second, said);
  const quad span = model.span.until.as<quad>() - model.start.t.as<quad>();
  int parts = 1;
  if (const auto outputs = said.find("outputs"); outputs != said.end()) {
    if (said.contains("every")) throw InputError("run: found every and outputs; expected one of them");
    const double count = Number(outputs->second).as<double>();
    if (!(count >= 1 && count <= 1e9) || count != std::floor(count))
      throw InputError("outputs: found " + outputs->second + "; expected a whole number, 1 or more");
    parts = static_cast<int>(count);
  }
  if (stable) model.span.step = Number::exactly(span / quad(stable_steps(model.mechanism.get(), span, parts)));
  if (said.contains("outputs")) {
    double steps = std::fabs(static_cast<double>(span / model.span.step.as<quad>()));
    if (!model.span.pattern.empty()) steps = static_cast<double>(whole_steps<quad>(model.start.t, model.span));
    if (!(steps < 2e9)) throw InputError("outputs: found more than 2e9 steps; expected less");
    model.span.every = std::max(1, static_cast<int>((steps + 0.5) / parts));
    model.span.outputs = parts;
  }
}

}  // namespace

Case case_of(const Problem& problem, const Request& request) {
  Model model = problem.model;
  take_request(model, request);
  return make_case(std::move(model));
}

std::shared_ptr<Data> run(const Problem& problem, const Request& request, const Watch& watch) {
  const Case one = case_of(problem, request);
  auto data = std::make_shared<Data>();
  data->provenance = provenance_of(one, problem.name, request.command);
  data->archive = request.archive;
  with_scalar(one.precision, [&]<class S>(S) { run_at<S>(*data, one, request.archive, watch); });
  return data;
}

std::shared_ptr<Data> resume(const std::string& path, const Watch& watch) {
  const std::string precision = Archive::open(path).attribute("precision");
  with_scalar(precision, [&]<class S>(S) { resume_at<S>(path, watch); });
  return open(path);
}

std::shared_ptr<Data> open(const std::string& path) {
  const auto archive = std::make_shared<Archive>(Archive::open(path));
  auto data = std::make_shared<Data>();
  data->columns = archive->columns();
  data->rows = archive->rows();
  data->status = archive->status();
  data->reason = archive->attribute("reason");
  data->provenance = archive->provenance();
  data->archive = path;
  const Provenance& p = data->provenance;
  data->summary = path + ": " + p.model + ", " + p.scheme + ", step " + p.span.step.text() + ", " +
                  std::to_string(data->rows) + " rows in " + p.precision + ": " + data->status;
  if (!data->reason.empty()) data->summary += "\n  " + data->reason;
  const std::size_t width = data->columns.size();
  data->table.resize(data->rows * width);
  for (std::size_t first = 0, next; first < width; first = next) {
    next = first + 1;
    const std::string& variable = data->columns[first].variable;
    while (next < width && data->columns[next].variable == variable) ++next;
    const std::size_t count = next - first;
    const std::vector<double> block =
        count == 1 ? archive->column(data->columns[first].name) : archive->block(variable, 0, data->rows);
    for (std::size_t row = 0; row < data->rows; ++row)
      std::copy_n(&block[row * count], count, &data->table[row * width + first]);
  }
  const Data* self = data.get();
  data->exact = [archive, self](std::size_t column) {
    std::vector<std::string> out;
    with_scalar(self->provenance.precision, [&]<class S>(S) {
      for (const S x : archive->exact<S>(self->columns[column].name)) out.push_back(to_text(x));
    });
    return out;
  };
  return data;
}

Problem archived_problem(const Provenance& provenance) {
  const Case one = archived_case(provenance);
  return {provenance.model, one.model};
}

void write_report(const std::string& archive, const std::string& page, const std::string& title) {
  Report::expect_available();
  const Archive rows = Archive::open(archive);
  const Provenance provenance = rows.provenance();
  PageOptions options{.archive = archive};
  Model model{.system = System(provenance.model), .start = {}, .span = {}, .title = "", .citation = ""};
  try {
    model = archived_case(provenance).model;
  } catch (const InputError& error) {
    // The columns are there all the same.
    options.note = std::string("no animation, as the model cannot be read: ") + error.what();
  }
  Report report(title);
  report.add(rows, model, options);
  report.write(page);
}

Problem load(const std::string& name, const Settings& settings) {
  if (is_robot_file(name)) {
    Imported robot = import_robot(name);
    Problem out = load_text(robot.text, name, settings);
    out.notes = std::move(robot.notes);
    return out;
  }
  const bool file = name.ends_with(".toml") || name.find('/') != std::string::npos;
  const auto read = [&](const Settings& some) { return file ? read_model(name, some) : model(name, some); };
  return {.name = name, .model = with_parameters(read({}), read, settings, "set"), .set = settings};
}

Problem load_text(const std::string& text, const std::string& name, const Settings& settings) {
  const auto read = [&](const Settings& some) { return read_model_text(text, name, some); };
  Model found = with_parameters(read({}), read, settings, "set");
  found.text = text;
  return {.name = name, .model = std::move(found), .set = settings};
}

}  // namespace extremal::python
