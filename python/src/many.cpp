// Many runs at once for Python.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "bindings.hpp"
#include "extremal/batch.hpp"
#include "extremal/error.hpp"
#include "model/changes.hpp"
#include "numbers/index.hpp"
#include "run/columns.hpp"
#include "sweep/dependence.hpp"
#include "words/grammar.hpp"

namespace extremal::python {
namespace {

// Many runs. Parameters that bodies or the start of a model file depend on need the file to be read again: such runs
// are taken one by one. All others advance in lanes.
struct Sweep {
  const Problem& problem;
  const std::map<std::string, std::string>& keys;
  Case one;
  std::vector<std::size_t> keep;
  std::vector<std::string> set, start;      // names
  const double *set_values, *start_values;  // count x names
  std::size_t count;

  // Whether a parameter reaches more than formulas, as a number of bodies or of the start does.
  bool reread = false;
  bool again() const { return reread; }
  void find_again() {
    if (problem.model.text.empty() || set.empty() || problem.model.parameters.empty()) return;
    const sweep::Dependence reach(Document(problem.model.text, problem.name));
    const auto& own = problem.model.system.parameter_names();
    for (const std::string& name : set)
      reread = reread || std::find(own.begin(), own.end(), name) == own.end() || reach.start.contains(name) ||
               reach.run.contains(name) || reach.structure.contains(name);
  }
  Model member(std::size_t k) const {
    Model out = one.model;
    Settings values, places;
    for (std::size_t i = 0; i < set.size(); ++i) values.emplace_back(set[i], Number(set_values[k * set.size() + i]));
    for (std::size_t i = 0; i < start.size(); ++i)
      places.emplace_back(start[i], Number(start_values[k * start.size() + i]));
    if (again()) {
      const auto read = [&](const Settings& some) { return named_model(problem.name, problem.model.text, some); };
      Settings all = problem.set;
      all.insert(all.end(), values.begin(), values.end());
      Problem fresh{.name = problem.name, .model = with_parameters(read({}), read, all, "sweep")};
      if (problem.start) problem.start(fresh.model);
      out = case_of(fresh, {.keys = keys}).model;
      out.span.columns.clear();
      out.span.threads = 1;
    } else {
      for (const auto& [name, value] : values) out.system = out.system.with(name, value);
    }
    place(out, places, "sweep");
    return out;
  }
};

struct SweepResult {
  std::vector<std::vector<double>> rows;  // of every run, of the columns that are kept
  std::vector<std::string> status, reason;
};

void run_alone(const Sweep& sweep, std::size_t k, SweepResult& out, const std::atomic<bool>& stop) {
  TableSink<double> sink;
  try {
    Case one = sweep.one;
    one.model = sweep.member(k);
    const Run<double> run = extremal::run<double>(one, {.sinks = {&sink}, .collect = false, .stop = &stop});
    out.status[k] = name(run.status);
    out.reason[k] = run.reason;
  } catch (const InputError& error) {
    out.status[k] = "refused";
    out.reason[k] = error.what();
  }
  const std::size_t width = sink.infos.size();
  for (std::size_t at = 0; at < sink.table.size(); at += width)
    for (const std::size_t column : sweep.keep) out.rows[k].push_back(sink.table[at + column]);
}

void run_some(const Sweep& sweep, std::size_t first, std::size_t last, SweepResult& out,
              const std::atomic<bool>& stop) {
  const Model& model = sweep.one.model;
  Members members{.system = model.system, .start = model.start, .count = last - first};
  bool alone = sweep.again();
  for (std::size_t i = 0; !alone && i < sweep.set.size(); ++i) {
    const auto& names = model.system.parameter_names();
    const auto at = std::find(names.begin(), names.end(), sweep.set[i]);
    members.varied.push_back({Varied::Kind::parameter, static_cast<std::size_t>(at - names.begin()),
                              sweep.set_values + first * sweep.set.size() + i, sweep.set.size()});
  }
  for (std::size_t i = 0; !alone && i < sweep.start.size(); ++i) {
    using Kind = StartPlace::Kind;
    const auto found = find_start(model.system, sweep.start[i]);
    alone = !found || found->kind == Kind::t || found->kind == Kind::next;
    if (alone) break;
    members.varied.push_back({found->kind == Kind::position   ? Varied::Kind::position
                              : found->kind == Kind::velocity ? Varied::Kind::velocity
                                                              : Varied::Kind::momentum,
                              found->index, sweep.start_values + first * sweep.start.size() + i, sweep.start.size()});
  }
  if (alone) {
    for (std::size_t k = first; k < last && !stop; ++k) run_alone(sweep, k, out, stop);
    return;
  }
  sweep.member(first);  // which says what is wrong with the names
  const Batch batch = run_batch(sweep.one.scheme, model.span, members,
                                {.observers = model.observers, .keep = sweep.keep, .stop = &stop});
  const std::size_t width = batch.columns.size(), size = batch.times * width;
  for (std::size_t k = first; k < last; ++k) {
    const BatchEnd& end = batch.runs[k - first];
    const auto from = batch.values.begin() + static_cast<std::ptrdiff_t>((k - first) * size);
    out.rows[k].assign(from, from + static_cast<std::ptrdiff_t>(end.rows * width));
    out.status[k] = end.refused ? "refused" : name(end.status);
    out.reason[k] = end.reason;
  }
}

// Threads take blocks of runs, of whole lanes and small enough that all threads have some. What one of them throws is
// thrown when all have ended.
void run_all(const Sweep& sweep, std::size_t wanted, SweepResult& out, const Watch& watch) {
  constexpr std::size_t lanes = Lanes::count, most = 256;
  const std::size_t block = std::clamp(sweep.count / (4 * wanted) / lanes * lanes, lanes, most);
  const std::size_t threads = std::clamp((sweep.count + block - 1) / block, std::size_t(1), wanted);
  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> stop = false;
  std::atomic<std::size_t> left = threads;
  std::exception_ptr error;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::size_t first = next.fetch_add(block); first < sweep.count && !stop; first = next.fetch_add(block)) {
        const std::size_t last = std::min(first + block, sweep.count);
        run_some(sweep, first, last, out, stop);
        done += last - first;
      }
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!error) error = std::current_exception();
      stop = true;
    }
    --left;
  };
  std::vector<std::thread> crew;
  for (std::size_t k = 0; k < threads; ++k) crew.emplace_back(work);
  while (left > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (!watch({static_cast<long long>(done.load()), static_cast<long long>(sweep.count), 0})) stop = true;
  }
  for (std::thread& one : crew) one.join();
  if (error) std::rethrow_exception(error);
}

// What rows of doubles at the same steps of all runs cannot hold.
void expect_rows(const Case& one, const std::map<std::string, std::string>& keys) {
  const auto refuse = [](const std::string& found, const std::string& advice) {
    throw InputError("sweep: found " + found + ", which only single runs have; " + advice);
  };
  const Span& span = one.model.span;
  if (one.precision != Scalar<double>::name)
    refuse("the precision " + one.precision, "expected double; try precision=\"double\", or run(..)");
  if (span.pace != Pace::none && span.outputs == 0)
    refuse(std::string("the ") + name(span.pace) + " pace and rows of every so many steps",
           "expected outputs, at times that all runs have; try outputs=100");
  if (!(span.accuracy == Number(0)))
    refuse("an accuracy of " + span.accuracy.text(), "expected the step of all; try accuracy=0, step=0.01");
  if (keys.contains("at")) refuse("at", "expected every or outputs");
  if (keys.contains("columns")) refuse("columns", "expected variables, as variables=(\"q\", \"energy\")");
  if (span.error_estimate && !one.scheme.declared.error_estimate)
    throw InputError("sweep: error estimate: " + one.scheme.name + " has none; expected a phase_space scheme");
}

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// (values (run, time, column), status, reason, columns, whether Ctrl-C ended it); rows that a run did not reach are not
// a number.
py::tuple sweep_runs(const Problem& problem, const std::map<std::string, std::string>& keys, const Texts& set,
                     const Array& set_values, const Texts& start, const Array& start_values, std::size_t count,
                     const Texts& variables, std::size_t threads, const py::object& progress) {
  Sweep sweep{.problem = problem,
              .keys = keys,
              .one = case_of(problem, {.keys = keys}),
              .keep = {},
              .set = set,
              .start = start,
              .set_values = set_values.data(),
              .start_values = start_values.data(),
              .count = count};
  expect_rows(sweep.one, keys);
  sweep.one.model.span.columns.clear();  // variables say what is kept
  sweep.one.model.span.threads = 1;      // the members are what threads share
  sweep.find_again();
  const Model& model = sweep.one.model;
  for (const std::string& name : set)
    if (const auto known = parameter_names(model); std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("sweep: " + model.system.name() + ": " + unknown("parameter", name, known));
  const Columns<double> columns(model.system, sweep.one.scheme, model.span, model.observers);
  std::vector<std::string> known;
  for (const ColumnInfo& c : columns.infos())
    if (c.variable != "time" && std::find(known.begin(), known.end(), c.variable) == known.end())
      known.push_back(c.variable);
  for (const std::string& name : variables)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("sweep: " + unknown("variable", name, known));
  py::list infos;
  for (std::size_t i = 0; i < columns.infos().size(); ++i) {
    const ColumnInfo& c = columns.infos()[i];
    if (c.name != "t" && std::find(variables.begin(), variables.end(), c.variable) == variables.end()) continue;
    sweep.keep.push_back(i);
    infos.append(py::make_tuple(c.name, c.variable, c.axis, c.member, c.unit, c.description, c.second));
  }
  SweepResult result{std::vector<std::vector<double>>(count), std::vector<std::string>(count, "interrupted"),
                     std::vector<std::string>(count)};
  Watcher watcher(progress);
  {
    py::gil_scoped_release release;
    run_all(sweep, std::max<std::size_t>(1, threads), result, [&](const Progress& at) { return watcher(at); });
  }
  const bool keyboard = watcher.finish();
  std::size_t longest = 0;
  for (const auto& rows : result.rows) longest = std::max(longest, rows.size());
  const std::size_t width = sweep.keep.size(), times = longest / width;
  py::array_t<double> values(std::vector<std::size_t>{count, times, width});
  double* out = values.mutable_data();
  for (auto& rows : result.rows) {
    double* end = std::copy(rows.begin(), rows.end(), out);
    out += longest;
    std::fill(end, out, std::numeric_limits<double>::quiet_NaN());
    rows = {};
  }
  return py::make_tuple(values, result.status, result.reason, infos, keyboard);
}

}  // namespace

void bind_many(py::module_& m) {
  m.def("sweep", &sweep_runs);
  m.def("cores", [] { return std::max(1U, std::thread::hardware_concurrency()); });
}

}  // namespace extremal::python
