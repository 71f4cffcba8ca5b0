// Steps one by one, for Python: control loops, environments, tangents.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bindings.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "run/keys.hpp"
#include "words/grammar.hpp"

namespace extremal::python {
namespace {

// Where a motion is, with every digit, and its parameters.
struct Saved {
  Checkpoint<double> motion;
  std::vector<double> parameters;
};

// A motion that is stepped from Python. Long calls give the lock of Python away: meanwhile `stepping_` keeps other
// threads out, which see it as it is since they have the lock.
class Motion {
 public:
  Motion(const Problem& problem, const std::string& scheme, double step)
      : model_(problem.model),
        scheme_(Scheme::named(usual_scheme(model_.system, scheme.empty() ? model_.scheme : scheme))),
        stepper_(model_.system, scheme_) {
    stepper_.start(model_.start, step);
    start_ = stepper_.save();
    start_parameters_ = stepper_parameters();
    for (std::size_t k = 0; k < model_.system.coordinate_names().size(); ++k)
      places_.emplace(model_.system.coordinate_names()[k], k);
  }
  // Numerical failure is a status: false, and the motion stays where it is. Short calls keep the lock of Python.
  bool step(double h, int count) {
    if (count < 1) throw InputError("step: found " + std::to_string(count) + " steps; expected 1 or more");
    expect_free();
    seen_ = false;
    if (count < 100) return steps(h, count);
    Watcher watcher{py::none()};
    const bool fine = [&] {
      const Stepping now(*this);
      py::gil_scoped_release release;
      return steps(h, count, &watcher);
    }();
    if (watcher.finish()) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw py::error_already_set();
    }
    return fine;
  }
  void set(const std::string& name, double value) {
    expect_free();
    if (!std::isfinite(value)) throw InputError("set " + name + ": found no finite number; expected one");
    const auto& own = model_.system.parameter_names();
    if (std::find(own.begin(), own.end(), name) == own.end())
      for (const auto& [known, number] : model_.parameters)
        if (known == name)
          throw InputError(
              "set: " + name +
              " is a number of bodies, joints or loads, or computed from others; expected a parameter that "
              "formulas alone depend on, as the torque of a joint_motor; try a new stepper");
    seen_ = false;
    stepper_.set(name, value);
  }
  double parameter(const std::string& name) const {
    expect_free();
    return stepper_.parameter(name);
  }
  // To where it started, with the parameters of then.
  void reset() { restore({start_, start_parameters_}); }
  // To another start, made consistent; to its own where that is refused.
  void restart(const Problem& from) {
    reset();
    try {
      stepper_.start(from.model.start);
    } catch (...) {
      stepper_.restore(start_);
      throw;
    }
  }
  Saved save() const {
    expect_free();
    return {stepper_.save(), stepper_parameters()};
  }
  void restore(const Saved& saved) {
    expect_free();
    set_all(saved.parameters);
    stepper_.restore(saved.motion);
    report_ = {};
    seen_ = false;
  }
  void place(double t, const std::vector<double>& q, const std::vector<double>& p) {
    expect_free();
    if (q.size() != size() || p.size() != size())
      throw InputError("place: found " + std::to_string(q.size()) + " coordinates and " + std::to_string(p.size()) +
                       " momenta; expected " + std::to_string(size()));
    stepper_.place({t, q, p});
    seen_ = false;
  }
  const State<double>& state() const {
    expect_free();
    return stepper_.state();
  }
  const StepReport& report() const {
    expect_free();
    return report_;
  }
  Stepper<double>& stepper() {
    expect_free();
    return stepper_;
  }
  std::size_t size() const { return sz(model_.system.size()); }
  const std::vector<double>& velocity() {
    expect_free();
    if (!seen_) stepper_.observe(observation_, false);
    seen_ = true;
    return observation_.v;
  }
  // x, v:x, p:x, t, or an observer of the model.
  double value(const std::string& name) {
    if (name == "t") return state().t;
    const char kind = name.size() > 2 && name[1] == ':' ? name[0] : 'q';
    if (const auto found = places_.find(kind == 'v' || kind == 'p' ? name.substr(2) : name); found != places_.end()) {
      if (kind == 'v') return velocity()[found->second];
      return (kind == 'p' ? state().p : state().q)[found->second];
    }
    for (const Observer& one : model_.observers)
      if (one.name == name) return value_of(*one.term);
    std::vector<std::string> known = model_.system.coordinate_names();
    for (const Observer& one : model_.observers) known.push_back(one.name);
    throw InputError(unknown("value", name, known) + " (v: and p: of each, and t)");
  }

 private:
  struct Stepping {
    explicit Stepping(Motion& motion) : busy(motion.stepping_) { busy = true; }
    ~Stepping() { busy = false; }
    Stepping(const Stepping&) = delete;
    Stepping& operator=(const Stepping&) = delete;
    bool& busy;
  };
  void expect_free() const {
    if (stepping_)
      throw std::runtime_error(
          "stepper: found a call while another thread steps it; expected one thread at a time; try a stepper for each");
  }
  bool steps(double h, int count, Watcher* watcher = nullptr) {
    for (int k = 0; k < count; ++k) {
      report_ = stepper_.step(h);
      if (!report_.converged) return false;
      if (watcher != nullptr && !(*watcher)({k + 1, count, 0})) return true;
    }
    return true;
  }
  void set_all(const std::vector<double>& parameters) {
    const auto& names = model_.system.parameter_names();
    if (parameters.size() != names.size())
      throw InputError("restore: found " + std::to_string(parameters.size()) +
                       " parameters; expected those of a stepper of the same system, " + std::to_string(names.size()));
    for (std::size_t k = 0; k < names.size(); ++k)
      if (stepper_.parameter(names[k]) != parameters[k]) stepper_.set(names[k], parameters[k]);
  }
  std::vector<double> stepper_parameters() const {
    std::vector<double> out;
    for (const std::string& name : model_.system.parameter_names()) out.push_back(stepper_.parameter(name));
    return out;
  }
  double value_of(const Term& term) {
    const std::vector<double> parameters = stepper_parameters();
    double out = 0;
    term.at<double>().value({1, static_cast<int>(size()), state().q.data(), velocity().data(), &state().t,
                             parameters.data(), static_cast<int>(parameters.size())},
                            &out);
    return out;
  }

  Model model_;
  Scheme scheme_;
  Stepper<double> stepper_;
  Checkpoint<double> start_;
  std::vector<double> start_parameters_;
  std::map<std::string, std::size_t> places_;
  StepReport report_;
  Observation<double> observation_;
  bool seen_ = false, stepping_ = false;
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

}  // namespace

void bind_motion(py::module_& m) {
  py::class_<Saved>(m, "Saved");
  py::class_<Motion>(m, "Motion")
      .def(py::init<const Problem&, const std::string&, double>(), py::call_guard<py::gil_scoped_release>())
      .def("step", &Motion::step)
      .def("set", &Motion::set)
      .def("parameter", &Motion::parameter)
      .def("reset", &Motion::reset)
      .def("restart", &Motion::restart)
      .def("save", &Motion::save)
      .def("restore", &Motion::restore)
      .def("value", &Motion::value)
      .def("place", &Motion::place)
      .def_property_readonly("t", [](const Motion& s) { return s.state().t; })
      .def_property_readonly("q", [](const Motion& s) { return array_of(s.state().q); })
      .def_property_readonly("p", [](const Motion& s) { return array_of(s.state().p); })
      .def_property_readonly("v", [](Motion& s) { return array_of(s.velocity()); })
      .def_property_readonly("reason", [](const Motion& s) { return s.report().worst; })
      .def_property_readonly("iterations", [](const Motion& s) { return s.report().iterations; })
      .def("observe", &observed)
      .def("tangent", [](Motion& s) {
        const auto n = static_cast<py::ssize_t>(2 * s.size());
        return array_of(s.stepper().tangent()).reshape({n, n});
      });
}

}  // namespace extremal::python
