// Models, runs and archives for Python.
#include <algorithm>
#include <functional>
#include <sstream>

#include "archive/archived_model.hpp"
#include "bindings.hpp"
#include "bodies/joint_type.hpp"
#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "extremal/import.hpp"
#include "extremal/report.hpp"
#include "model/changes.hpp"
#include "run/keys.hpp"

namespace extremal::python {
namespace {

using DataPointer = std::shared_ptr<Data>;

// Columns first to first + count as (time, column), or one of them as (time): read only, nothing is copied.
py::array view(const DataPointer& data, std::size_t first, std::size_t count, bool flat) {
  const auto width = static_cast<py::ssize_t>(data->columns.size() * sizeof(double));
  const auto rows = static_cast<py::ssize_t>(data->rows);
  std::vector<py::ssize_t> shape{rows}, strides{width};
  if (!flat) {
    shape.push_back(static_cast<py::ssize_t>(count));
    strides.push_back(sizeof(double));
  }
  py::array out(py::dtype::of<double>(), shape, strides, data->table.data() + first, py::cast(data));
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

py::list columns_of(const Data& data) {
  py::list out;
  for (const ColumnInfo& c : data.columns)
    out.append(py::make_tuple(c.name, c.variable, c.axis, c.member, c.unit, c.description, c.second));
  return out;
}

py::dict provenance_dict(const Provenance& p) {
  py::dict out, parameters;
  for (std::size_t i = 0; i < p.parameter_names.size(); ++i)
    parameters[py::str(p.parameter_names[i])] = p.parameters[i].text();
  out["model"] = p.model;
  out["model_text"] = p.model_text;
  out["scheme"] = p.scheme;
  out["step"] = p.span.step.text();
  out["until"] = p.span.until.text();
  out["precision"] = p.precision;
  out["parameters"] = parameters;
  out["accuracy"] = p.span.accuracy.text();
  out["trials"] = p.trials;
  return out;
}

// Runs without the lock of Python.
template <class F>
DataPointer watched(const py::object& progress, F f) {
  Watcher watcher(progress);
  DataPointer data;
  {
    py::gil_scoped_release release;
    data = f([&](const Progress& at) { return watcher(at); });
  }
  data->keyboard = watcher.finish();
  return data;
}

Texts texts(const std::vector<Number>& numbers) {
  Texts out;
  for (const Number& x : numbers) out.push_back(x.text());
  return out;
}

Problem with_start(const Problem& problem, std::function<void(Model&)> start) {
  Problem out = problem;
  start(out.model);
  out.start = std::move(start);
  return out;
}

Problem placed(const Problem& problem, const NamedTexts& starts, const std::string& slack) {
  return with_start(problem, [starts, slack](Model& model) {
    place(model, settings(starts), "start");
    if (!slack.empty()) model.start.slack = Number(slack);
  });
}

Problem started(const Problem& problem, const Texts& q, const Texts& v, const Texts& p, const std::string& t,
                const std::string& slack) {
  return with_start(problem, [=](Model& model) {
    const Start& own = model.start;
    model.start = {.q = numbers(q),
                   .v = numbers(v),
                   .p = numbers(p),
                   .t = t.empty() ? own.t : Number(t),
                   .slack = slack.empty() ? own.slack : Number(slack)};
  });
}

// Names and types, in the order in which they were added.
std::vector<std::pair<std::string, std::string>> joints_of(const Problem& problem) {
  std::vector<std::pair<std::string, std::string>> out;
  if (problem.model.mechanism == nullptr) return out;
  for (const JointRecord& joint : problem.model.mechanism->told().joints)
    out.emplace_back(joint.name, joint.type->name);
  return out;
}

// The poses of all bodies as the program has them: names, and (time, seven of each).
py::tuple poses(const std::string& path) {
  std::stringstream text;
  const Archive archive = Archive::open(path);
  write_poses(archive, archived_model(archive.provenance()), text);
  std::string line, cell;
  std::getline(text, line);
  Texts names;
  std::stringstream head(line);
  while (std::getline(head, cell, ','))
    if (cell.ends_with(".qw")) names.push_back(cell.substr(0, cell.size() - 3));
  std::vector<double> values;
  std::size_t rows = 0;
  for (; std::getline(text, line); ++rows) {
    std::stringstream row(line);
    std::getline(row, cell, ',');  // t
    while (std::getline(row, cell, ',')) values.push_back(std::stod(cell));
  }
  py::array_t<double> out(std::vector<std::size_t>{rows, 7 * names.size()});
  std::copy(values.begin(), values.end(), out.mutable_data());
  return py::make_tuple(names, out);
}

py::dict setup_of(const Problem& problem) {
  const Model& m = problem.model;
  py::dict out;
  out["scheme"] = usual_scheme(m.system, m.scheme);
  out["precision"] = usual_precision(m.precision);
  out["step"] = m.span.step.text();
  out["until"] = m.span.until.text();
  out["every"] = m.span.every;
  return out;
}

// The keys of [run]: their kinds, and the words that they may be.
py::dict keys_of_runs() {
  using Kind = RunKey::Kind;
  py::dict out;
  for (const RunKey& key : run_keys()) {
    const char* kind = key.kind == Kind::numbers  ? "numbers"
                       : key.kind == Kind::names  ? "names"
                       : key.kind == Kind::count  ? "count"
                       : key.kind == Kind::flag   ? "flag"
                       : key.kind == Kind::number ? "number"
                                                  : "word";
    out[key.name] = py::make_tuple(kind, key.words);
  }
  return out;
}

void bind_problem(py::module_& m) {
  py::class_<Problem>(m, "Problem")
      .def_readonly("name", &Problem::name)
      .def_property_readonly("title", [](const Problem& p) { return p.model.title; })
      .def_property_readonly("text", [](const Problem& p) { return p.model.text; })
      .def_property_readonly("coordinates", [](const Problem& p) { return p.model.system.coordinate_names(); })
      .def_property_readonly("constraints", [](const Problem& p) { return p.model.system.constraint_names(); })
      .def_property_readonly("observers",
                             [](const Problem& p) {
                               Texts out;
                               for (const Observer& one : p.model.observers) out.push_back(one.name);
                               return out;
                             })
      .def_property_readonly("parameters",
                             [](const Problem& p) {
                               py::dict out;
                               for (const auto& [name, value] : parameters(p.model)) out[py::str(name)] = value.text();
                               return out;
                             })
      .def_property_readonly("q", [](const Problem& p) { return texts(p.model.start.q); })
      .def_property_readonly("v", [](const Problem& p) { return texts(p.model.start.v); })
      .def_property_readonly("p", [](const Problem& p) { return texts(p.model.start.p); })
      .def_readonly("notes", &Problem::notes)
      .def_property_readonly("joints", &joints_of)
      .def_property_readonly("arguments", [](const Problem& p) { return p.model.arguments; })
      .def_property_readonly("setup", &setup_of)
      .def("placed", &placed)
      .def("started", &started);
  m.def("load", [](const std::string& name, const NamedTexts& set) { return load(name, settings(set)); });
  m.def("load_text", [](const std::string& text, const std::string& name, const NamedTexts& set) {
    return load_text(text, name, settings(set));
  });
  m.def("models", &model_names);
  m.def("run_keys", &keys_of_runs);
  m.def("import_robot", [](const std::string& path, bool floating, bool strict, const Texts& close, const Texts& at,
                           const std::string& limits) {
    const Imported robot =
        import_robot(path, {.floating = floating, .strict = strict, .close = close, .at = at, .limits = limits});
    return py::make_tuple(robot.text, robot.notes);
  });
  m.def("export_robot", [](const Problem& problem, const std::string& format) {
    const Exported robot = export_robot(problem.model, format == "urdf" ? RobotFormat::urdf : RobotFormat::mjcf);
    return py::make_tuple(robot.text, robot.notes);
  });
  // Written anew from what was read, for tests of the writer.
  m.def("model_text", [](const Problem& problem) {
    Model model = problem.model;
    model.text.clear();
    return model_text(model);
  });
}

}  // namespace

bool Watcher::operator()(const Progress& at) {
  const auto now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(50)) return error_ == nullptr && !keyboard_;
  last_ = now;
  py::gil_scoped_acquire acquire;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress_.is_none()) progress_(at.step, at.steps, at.t);
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt))
      keyboard_ = true;
    else
      error_ = std::make_unique<py::error_already_set>(error);
    return false;
  }
  return true;
}

bool Watcher::finish() {
  if (error_ != nullptr) throw py::error_already_set(*error_);
  return keyboard_;
}

void bind_runs(py::module_& m) {
  bind_problem(m);
  py::class_<Data, DataPointer>(m, "Data")
      .def_readonly("status", &Data::status)
      .def_readonly("reason", &Data::reason)
      .def_readonly("summary", &Data::summary)
      .def_readonly("archive", &Data::archive)
      .def_readonly("rows", &Data::rows)
      .def_readonly("figures", &Data::figures)
      .def_readonly("dense", &Data::dense)
      .def_readonly("notes", &Data::notes)
      .def_readonly("keyboard", &Data::keyboard)
      .def_property_readonly("columns", &columns_of)
      .def_property_readonly("provenance", [](const Data& d) { return provenance_dict(d.provenance); })
      .def("view", &view)
      .def("exact", [](const Data& d, std::size_t column) { return d.exact(column); })
      .def("save",
           [](const Data& d, const std::string& path) {
             if (!d.save)
               throw InputError(d.archive + " is an archive already; expected a run; try a copy of the file");
             d.save(path);
           })
      .def("problem", [](const Data& d) { return archived_problem(d.provenance); });
  m.def("run", [](const Problem& problem, const std::map<std::string, std::string>& keys, const std::string& archive,
                  const py::object& progress) {
    const Request request{.keys = keys, .archive = archive, .command = "Python"};
    return watched(progress, [&](const Watch& watch) { return run(problem, request, watch); });
  });
  m.def("resume", [](const std::string& path, const py::object& progress) {
    return watched(progress, [&](const Watch& watch) { return resume(path, watch); });
  });
  m.def("open", &open);
  m.def("write_report", &write_report, py::call_guard<py::gil_scoped_release>());
  m.def("write_gltf", [](const std::string& path, const std::string& scene) {
    const Archive archive = Archive::open(path);
    write_gltf(archive, archived_model(archive.provenance()), scene);
  });
  m.def("poses", &poses);
  m.def("report_available", &Report::available);
}

}  // namespace extremal::python
