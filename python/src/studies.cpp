// Laws, studies, comparisons, boundary values and references, as data for Python.
#include "bindings.hpp"
#include "cli/bibliography.hpp"
#include "cli/check_step.hpp"
#include "extremal/baseline.hpp"
#include "extremal/boundary.hpp"
#include "extremal/check.hpp"
#include "extremal/error.hpp"
#include "extremal/study.hpp"
#include "run/keys.hpp"

namespace extremal::python {
namespace {

// Runs without the lock of Python; what is stopped by Ctrl-C, or by what progress raises, is raised here.
template <class F>
auto controlled(const py::object& progress, F f) {
  Watcher watcher(progress);
  std::atomic<bool> stop = false;
  const Control control{.progress =
                            [&](double part) {
                              if (!watcher({static_cast<long long>(part * 1000), 1000, part})) stop = true;
                            },
                        .stop = &stop};
  const auto ended = [&] {
    if (watcher.finish()) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw py::error_already_set();
    }
  };
  try {
    py::gil_scoped_release release;
    auto out = f(control);
    return out;
  } catch (const Interrupted&) {
  }
  ended();
  throw InputError("interrupted");
}

std::vector<Scheme> schemes_of(const Texts& names) {
  std::vector<Scheme> out;
  for (const std::string& name : names) out.push_back(Scheme::named(name));
  return out;
}

py::dict checked(const Problem& problem, const std::string& scheme, const std::string& step,
                 const py::object& progress) {
  const Certificate certificate = controlled(progress, [&](const Control& control) {
    CheckOptions how = cli::check_options(problem.model);
    if (!step.empty()) how.step = Number(step);
    how.control = control;
    const std::string said = scheme.empty() ? problem.model.scheme : scheme;
    return check(problem.model.system, Scheme::named(usual_scheme(problem.model.system, said)), problem.model.start,
                 how);
  });
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

py::dict orders(const Problem& problem, const Texts& schemes, const std::vector<int>& steps, const std::string& until,
                const std::string& precision, const py::object& progress) {
  const study::OrderStudy found = controlled(progress, [&](const Control& control) {
    study::OrderOptions options{.until = Number(until), .precision = precision, .control = control};
    if (!steps.empty()) options.steps = steps;
    return study::orders(problem.model, schemes_of(schemes), options);
  });
  py::list series;
  for (const study::OrderSeries& one : found.series) {
    std::vector<std::array<double, 3>> errors;
    for (const study::Errors& e : one.errors) errors.push_back({e.q, e.p, e.lambda});
    py::dict row;
    row["scheme"] = one.scheme.name;
    row["errors"] = errors;
    row["slopes"] = std::array<double, 3>{one.q.slope, one.p.slope, one.lambda.slope};
    row["measurable"] = std::array<bool, 3>{one.q.measurable(one.declared.q), one.p.measurable(one.declared.p),
                                            one.lambda.measurable(one.declared.lambda)};
    row["declared"] = std::array<int, 3>{one.declared.q, one.declared.p, one.declared.lambda};
    row["holds"] = !one.falls_short();
    series.append(row);
  }
  py::dict out;
  out["model"] = found.model;
  out["reference"] = found.reference;
  out["until"] = found.until.as<double>();
  out["steps"] = found.steps;
  out["constrained"] = found.constrained;
  out["series"] = series;
  return out;
}

// What a study has of baselines, and those that "all" left out with the reason.
struct AskedBaselines {
  Baselines asked;
  std::vector<std::pair<std::string, std::string>> left_out;

  AskedBaselines(const Texts& names, const std::vector<double>& tolerances, const Model& model) {
    for (std::size_t i = 0; i < tolerances.size(); ++i)
      if (!(tolerances[i] > 0) || !(tolerances[i] < 1) || (i > 0 && tolerances[i] >= tolerances[i - 1]))
        throw InputError("tolerances: expected numbers between 0 and 1, each less than the one before it");
    if (!tolerances.empty()) asked.tolerances = tolerances;
    ChosenBaselines chosen = choose_baselines(names, model);
    asked.of = std::move(chosen.of);
    for (auto& [name, reason] : chosen.left_out) left_out.emplace_back(name, reason);
  }
};

py::dict work_precision(const Problem& problem, const Texts& schemes, const std::vector<int>& steps,
                        const std::string& until, const std::string& precision, int repetitions, const Texts& baselines,
                        const std::vector<double>& tolerances, const py::object& progress) {
  const AskedBaselines others(baselines, tolerances, problem.model);
  const study::WorkStudy found = controlled(progress, [&](const Control& control) {
    study::WorkOptions options{
        .until = Number(until), .repetitions = repetitions, .baselines = others.asked, .control = control};
    if (!steps.empty()) options.steps = steps;
    if (!precision.empty()) options.precision = precision;
    return study::work_precision(problem.model, schemes_of(schemes), options);
  });
  py::list series;
  for (const study::WorkSeries& one : found.series) {
    py::list points;
    for (const study::WorkPoint& p : one.points)
      points.append(py::make_tuple(p.steps, p.error, p.energy_error, p.seconds, p.iterations, p.evaluations));
    series.append(py::make_tuple(one.scheme.name, points));
  }
  py::list ladders;
  for (const study::BaselineSeries& one : found.baselines) {
    py::list points;
    for (const study::BaselinePoint& p : one.points)
      points.append(py::make_tuple(p.tolerance, p.steps, p.error, p.energy_error, p.seconds, p.evaluations, p.failure));
    ladders.append(py::make_tuple(one.baseline, points));
  }
  py::dict out;
  out["model"] = found.model;
  out["reference"] = found.reference;
  out["precision"] = found.precision;
  out["until"] = found.until.as<double>();
  out["series"] = series;
  out["baselines"] = ladders;
  out["left_out"] = others.left_out;
  return out;
}

py::dict long_time(const Problem& problem, const std::string& scheme, const std::string& step, const std::string& until,
                   int windows, const py::object& progress) {
  const Model& model = problem.model;
  const study::LongTime found = controlled(progress, [&](const Control& control) {
    return study::long_time(model, Scheme::named(usual_scheme(model.system, scheme.empty() ? model.scheme : scheme)),
                            step.empty() ? model.span.step : Number(step),
                            until.empty() ? model.span.until : Number(until), {.windows = windows, .control = control});
  });
  py::list watched;
  for (const study::Watched& one : found.watched) {
    py::list spans;
    for (const study::Window& w : one.windows) spans.append(py::make_tuple(w.from, w.to, w.largest, w.mean));
    py::dict row;
    row["name"] = one.watch.name;
    row["relative"] = one.watch.relative;
    row["initial"] = one.initial;
    row["largest"] = one.largest;
    row["drift"] = one.drift.slope;
    row["drift_error"] = one.drift.slope_error;
    row["windows"] = spans;
    watched.append(row);
  }
  py::dict out;
  out["model"] = found.model;
  out["scheme"] = found.scheme;
  out["steps"] = found.steps;
  out["seconds"] = found.seconds;
  out["constraint_max"] = found.constraint_max;
  out["hidden_max"] = found.hidden_max;
  out["watched"] = watched;
  return out;
}

void expect_double(const std::string& what, const Case& one) {
  if (one.precision != Scalar<double>::name)
    throw InputError(what + ": found the precision " + one.precision + "; expected double; try precision=\"double\"");
}

// Every box is two sides: a name of a start, from, to.
using Side = std::tuple<std::string, std::string, std::string>;
py::dict areas(const Problem& problem, const Texts& schemes, const std::vector<std::pair<Side, Side>>& boxes, int looks,
               const std::map<std::string, std::string>& keys, const py::object& progress) {
  const Case one = case_of(problem, {.keys = keys});
  expect_double("area", one);
  const auto side = [](const Side& said) {
    return study::StartBox::Side{std::get<0>(said), Number(std::get<1>(said)), Number(std::get<2>(said))};
  };
  const study::AreaStudy found = controlled(progress, [&](const Control& control) {
    std::vector<study::StartBox> sets;
    for (const auto& [first, second] : boxes) sets.push_back({side(first), side(second)});
    return study::area(one.model, schemes_of(schemes), sets, {.looks = looks, .control = control});
  });
  py::list series;
  for (const study::AreaSeries& s : found.series) {
    py::list all;
    for (const study::AreaLook& look : s.looks)
      all.append(py::make_tuple(look.t, look.area, look.floor, py::array_t<double>(py::cast(look.x)),
                                py::array_t<double>(py::cast(look.y))));
    py::dict row;
    row["scheme"] = s.scheme.name;
    row["names"] = std::pair(s.box.first.name, s.box.second.name);
    row["declared"] = s.declared;
    row["change"] = s.change();
    row["floor"] = s.floor();
    row["keeps"] = s.keeps();
    row["verdict"] = s.told();
    row["looks"] = all;
    series.append(row);
  }
  py::dict out;
  out["model"] = found.model;
  out["holds"] = found.holds();
  out["series"] = series;
  return out;
}

py::dict compared(const Problem& problem, const Texts& schemes, const std::map<std::string, std::string>& keys,
                  const std::string& precision, const Texts& baselines, const std::vector<double>& tolerances,
                  const py::object& progress) {
  const Case one = case_of(problem, {.keys = keys});
  const AskedBaselines others(baselines, tolerances, one.model);
  const study::Comparison found = controlled(progress, [&](const Control& control) {
    return study::compare(one.model, schemes_of(schemes), precision.empty() ? one.precision : precision, control,
                          others.asked);
  });
  py::list rows;
  for (const study::Contestant& c : found.rows) {
    py::dict row;
    row["scheme"] = c.scheme.name;
    row["status"] = std::string(name(c.status));
    row["reason"] = c.reason;
    row["steps"] = c.steps;
    row["seconds"] = c.seconds;
    row["energy_error"] = c.energy_error;
    row["drift"] = c.drift.slope;
    row["constraint_max"] = c.constraint_max;
    row["hidden_max"] = c.hidden_max;
    row["momentum_error"] = c.momentum_error;
    row["newton_mean"] = c.newton_mean;
    row["difference"] = c.difference;
    rows.append(row);
  }
  py::dict out;
  out["model"] = found.model;
  out["reference"] = found.reference;
  py::list ladders;
  for (const study::BaselineRow& b : found.baselines) {
    py::dict row;
    row["baseline"] = b.baseline;
    row["variational"] = false;
    row["tolerance"] = b.tolerance;
    row["status"] = std::string(name(b.status));
    row["reason"] = b.reason;
    row["steps"] = b.steps;
    row["evaluations"] = b.evaluations;
    row["seconds"] = b.seconds;
    row["energy_error"] = b.energy_error;
    row["drift"] = b.drift.slope;
    row["constraint_max"] = b.constraint_max;
    row["hidden_max"] = b.hidden_max;
    row["difference"] = b.difference;
    ladders.append(row);
  }
  out["step"] = found.step.text();
  out["until"] = found.until.text();
  out["rows"] = rows;
  out["baselines"] = ladders;
  out["left_out"] = others.left_out;
  return out;
}

py::dict between(const Problem& problem, const std::string& scheme, const Texts& begin, const Texts& end,
                 const std::map<std::string, std::string>& keys, const std::vector<std::vector<double>>& guess) {
  const Case one = case_of(problem, {.keys = keys});
  expect_double("boundary", one);
  const Path<double> path = [&] {
    py::gil_scoped_release release;
    const Boundary ends{.begin = numbers(begin), .end = numbers(end), .t = one.model.start.t, .guess = guess};
    return boundary<double>(one.model.system,
                            Scheme::named(usual_scheme(one.model.system, scheme.empty() ? one.model.scheme : scheme)),
                            ends, one.model.span);
  }();
  const std::size_t n = static_cast<std::size_t>(one.model.system.size()), count = path.states.size();
  py::array_t<double> t(static_cast<py::ssize_t>(count)), q(std::vector<std::size_t>{count, n}), p(q.request().shape);
  for (std::size_t k = 0; k < count; ++k) {
    t.mutable_data()[k] = path.states[k].t;
    std::copy_n(path.states[k].q.begin(), n, q.mutable_data() + k * n);
    std::copy_n(path.states[k].p.begin(), n, p.mutable_data() + k * n);
  }
  py::dict out;
  out["converged"] = path.converged;
  out["reason"] = path.reason;
  out["iterations"] = path.iterations;
  out["residual"] = path.residual;
  out["t"] = t;
  out["q"] = q;
  out["p"] = p;
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

void bind_studies(py::module_& m) {
  py::register_exception<study::Failed>(m, "StudyError", PyExc_RuntimeError);
  m.def("check", &checked);
  m.def("orders", &orders);
  m.def("work_precision", &work_precision);
  m.def("long_time", &long_time);
  m.def("area", &areas);
  m.def("compare", &compared);
  m.def("baselines", [] {
    std::vector<std::tuple<std::string, std::string, std::string, std::string, bool>> out;
    for (const BaselineKind& k : baseline_kinds()) out.emplace_back(k.name, k.what, k.library, k.package, k.built);
    return out;
  });
  m.def("boundary", &between);
  m.def("cite", &cite);
  m.def("schemes", [] {
    Texts out;
    for (const Scheme& scheme : registry()) out.push_back(scheme.name);
    return out;
  });
  m.def("scheme", [](const std::string& name) { return Scheme::named(name).name; });
}

}  // namespace extremal::python
