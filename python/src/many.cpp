// Steps one by one, many runs at once, laws and references for Python.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "bindings.hpp"
#include "cli/bibliography.hpp"
#include "cli/check_step.hpp"
#include "extremal/batch.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "model/changes.hpp"
#include "numbers/index.hpp"
#include "run/columns.hpp"
#include "run/keys.hpp"
#include "words/grammar.hpp"

namespace extremal::python {
namespace {

// A motion that is stepped from Python.
class Motion {
 public:
  Motion(const Problem& problem, const std::string& scheme, double step)
      : problem_(problem),
        scheme_(Scheme::named(usual_scheme(problem.model.system, scheme))),
        stepper_(problem.model.system, scheme_) {
    stepper_.start(problem.model.start, step);
  }
  // Numerical failure is a status: false, and the motion stays where it is.
  bool step(double h, int count) {
    py::gil_scoped_release release;
    for (int k = 0; k < count; ++k) {
      report_ = stepper_.step(h);
      if (!report_.converged) return false;
    }
    return true;
  }
  // The same motion goes on with other parameters; what rounding had taken off the state is forgotten.
  void set(const NamedTexts& values) {
    System changed = problem_.model.system;
    for (const auto& [name, text] : values) changed = changed.with(name, Number(text));
    Stepper<double> other(changed, scheme_);
    other.start(problem_.model.start);
    other.place(stepper_.state());
    problem_.model.system = std::move(changed);
    stepper_ = std::move(other);
  }
  const State<double>& state() const { return stepper_.state(); }
  const StepReport& report() const { return report_; }
  Stepper<double>& stepper() { return stepper_; }
  std::size_t size() const { return sz(problem_.model.system.size()); }

 private:
  Problem problem_;
  Scheme scheme_;
  Stepper<double> stepper_;
  StepReport report_;
};

py::array_t<double> array_of(const std::vector<double>& x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}

py::dict observed(Motion& motion) {
  const Observation<double> seen = motion.stepper().observe();
  py::dict out;
  out["v"] = array_of(seen.v);
  out["lambda"] = array_of(seen.lambda);
  out["momenta"] = array_of(seen.momenta);
  out["kinetic"] = seen.kinetic;
  out["potential"] = seen.potential;
  out["energy"] = seen.energy();
  out["constraint"] = seen.constraint;
  out["hidden"] = seen.hidden;
  return out;
}

void bind_motion(py::module_& m) {
  py::class_<Motion>(m, "Motion")
      .def(py::init<const Problem&, const std::string&, double>())
      .def("step", &Motion::step)
      .def("set", &Motion::set)
      .def_property_readonly("t", [](const Motion& s) { return s.state().t; })
      .def_property_readonly("q", [](const Motion& s) { return array_of(s.state().q); })
      .def_property_readonly("p", [](const Motion& s) { return array_of(s.state().p); })
      .def_property_readonly("reason", [](const Motion& s) { return s.report().worst; })
      .def_property_readonly("iterations", [](const Motion& s) { return s.report().iterations; })
      .def("place",
           [](Motion& s, double t, const std::vector<double>& q, const std::vector<double>& p) {
             if (q.size() != s.size() || p.size() != s.size())
               throw InputError("place: found " + std::to_string(q.size()) + " coordinates and " +
                                std::to_string(p.size()) + " momenta; expected " + std::to_string(s.size()));
             s.stepper().place({t, q, p});
           })
      .def("observe", &observed)
      .def("tangent", [](Motion& s) {
        const auto n = static_cast<py::ssize_t>(2 * s.size());
        return array_of(s.stepper().tangent()).reshape({n, n});
      });
}

// Many runs. Parameters that bodies or the start of a model file depend on need the file to be read again: such runs
// are taken one by one. All others advance in lanes.
struct Sweep {
  const Problem& problem;
  Case one;
  std::vector<std::size_t> keep;
  std::vector<std::string> set, start;      // names
  const double *set_values, *start_values;  // count x names
  std::size_t count;

  bool again() const { return !problem.model.text.empty() && !set.empty() && !problem.model.parameters.empty(); }
  Model member(std::size_t k) const {
    Model out = one.model;
    Settings values, places;
    for (std::size_t i = 0; i < set.size(); ++i) values.emplace_back(set[i], Number(set_values[k * set.size() + i]));
    for (std::size_t i = 0; i < start.size(); ++i)
      places.emplace_back(start[i], Number(start_values[k * start.size() + i]));
    if (again()) {
      const auto read = [&](const Settings& some) { return named_model(problem.name, problem.model.text, some); };
      Model fresh = with_parameters(read({}), read, values, "sweep");
      fresh.span = one.model.span;
      out = std::move(fresh);
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

void run_some(const Sweep& sweep, std::size_t first, std::size_t last, SweepResult& out,
              const std::atomic<bool>& stop) {
  std::vector<TableSink<double>> sinks(last - first);
  std::vector<Run<double>> runs;
  const auto take = [&](std::size_t k, const Run<double>& run, bool refused) {
    TableSink<double>& sink = sinks[k - first];
    const std::size_t width = sink.infos.size();
    for (std::size_t at = 0; at < sink.table.size(); at += width)
      for (const std::size_t column : sweep.keep) out.rows[k].push_back(sink.table[at + column]);
    out.status[k] = refused ? "refused" : name(run.status);
    out.reason[k] = run.reason;
  };
  if (sweep.again()) {
    for (std::size_t k = first; k < last && !stop; ++k) {
      try {
        Case one = sweep.one;
        one.model = sweep.member(k);
        take(k, run<double>(one, {.sinks = {&sinks[k - first]}, .collect = false, .stop = &stop}), false);
      } catch (const InputError& error) {
        Run<double> none;
        none.reason = error.what();
        take(k, none, true);
      }
    }
    return;
  }
  std::vector<BatchMember> members;
  for (std::size_t k = first; k < last; ++k) {
    Model model = sweep.member(k);
    members.push_back({std::move(model.system), std::move(model.start), {&sinks[k - first]}});
  }
  const auto done =
      run_batch(sweep.one.scheme, sweep.one.model.span, members,
                {.observers = sweep.one.model.observers, .collect = false, .keep = sweep.keep, .stop = &stop});
  for (std::size_t k = first; k < last; ++k) take(k, done[k - first].run, done[k - first].refused);
}

// Threads take blocks of runs. What one of them throws is thrown when all have ended.
void run_all(const Sweep& sweep, int threads, SweepResult& out, const Watch& watch) {
  constexpr std::size_t block = 256;
  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> stop = false;
  std::atomic<int> left = threads;
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
  for (int k = 0; k < threads; ++k) crew.emplace_back(work);
  while (left > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (!watch({static_cast<long long>(done.load()), static_cast<long long>(sweep.count), 0})) stop = true;
  }
  for (std::thread& one : crew) one.join();
  if (error) std::rethrow_exception(error);
}

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// (values (run, time, column), status, reason, columns); rows that a run did not reach are not a number.
py::tuple sweep_runs(const Problem& problem, const std::map<std::string, std::string>& keys, const Texts& set,
                     const Array& set_values, const Texts& start, const Array& start_values, std::size_t count,
                     const Texts& variables, int threads, const py::object& progress) {
  Sweep sweep{problem, case_of(problem, {.keys = keys}), {}, set, start, set_values.data(), start_values.data(), count};
  const Model& model = sweep.one.model;
  for (const std::string& name : set)
    if (const auto known = parameter_names(model); std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("sweep: " + model.system.name() + ": " + unknown("parameter", name, known));
  const Columns<double> columns(model.system, model.span.multipliers == Multipliers::scheme, model.span.error_estimate,
                                model.observers);
  py::list infos;
  for (std::size_t i = 0; i < columns.infos().size(); ++i) {
    const ColumnInfo& c = columns.infos()[i];
    if (c.name != "t" && std::find(variables.begin(), variables.end(), c.variable) == variables.end()) continue;
    sweep.keep.push_back(i);
    infos.append(py::make_tuple(c.name, c.variable, c.axis, c.member, c.unit, c.description));
  }
  SweepResult result{std::vector<std::vector<double>>(count), std::vector<std::string>(count, "interrupted"),
                     std::vector<std::string>(count)};
  Watcher watcher(progress);
  {
    py::gil_scoped_release release;
    run_all(sweep, std::max(1, threads), result, [&](const Progress& at) { return watcher(at); });
  }
  if (watcher.finish()) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
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
  return py::make_tuple(values, result.status, result.reason, infos);
}

py::dict checked(const Problem& problem, const std::string& scheme, const std::string& step) {
  Certificate certificate;
  {
    py::gil_scoped_release release;
    CheckOptions how = cli::check_options(problem.model);
    if (!step.empty()) how.step = Number(step);
    const std::string said = scheme.empty() ? problem.model.scheme : scheme;
    certificate =
        check(problem.model.system, Scheme::named(usual_scheme(problem.model.system, said)), problem.model.start, how);
  }
  py::list laws;
  for (const Law& law : certificate.laws)
    laws.append(py::make_tuple(law.name, law.declared, law.measured, law.defect, law.floor, law.holds, law.measurable));
  py::dict out;
  out["laws"] = laws;
  out["holds"] = certificate.holds();
  out["text"] = certificate.text();
  out["scheme"] = certificate.scheme;
  return out;
}

// (key, text, bibtex) for what a scheme or a model is from.
std::vector<std::tuple<std::string, std::string, std::string>> cite(const std::string& name) {
  std::string citation;
  try {
    citation = Scheme::named(name).declared.citation;
  } catch (const InputError& no_scheme) {
    try {
      citation = load(name, {}).model.citation;
    } catch (const InputError&) {
      throw InputError(std::string(no_scheme.what()) + "; nor is it a model");
    }
  }
  std::vector<std::tuple<std::string, std::string, std::string>> out;
  for (const cli::Reference* r : cli::cited(citation)) out.emplace_back(r->key, r->text, r->bibtex);
  return out;
}

}  // namespace

void bind_many(py::module_& m) {
  bind_motion(m);
  m.def("sweep", &sweep_runs);
  m.def("check", &checked);
  m.def("cite", &cite);
  m.def("schemes", [] {
    Texts out;
    for (const Scheme& scheme : registry()) out.push_back(scheme.name);
    return out;
  });
  m.def("scheme", [](const std::string& name) { return Scheme::named(name).name; });
  m.def("cores", [] { return std::max(1U, std::thread::hardware_concurrency()); });
}

}  // namespace extremal::python
