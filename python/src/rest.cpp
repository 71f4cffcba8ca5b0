// Where a model comes to rest, and how it vibrates about there, as data for Python.
#include <optional>

#include "bindings.hpp"
#include "bodies/joint_coordinates.hpp"
#include "extremal/equilibrium.hpp"
#include "numbers/index.hpp"

namespace extremal::python {
namespace {

py::array_t<double> matrix(const std::vector<double>& numbers, std::size_t rows, std::size_t columns) {
  py::array_t<double> out(std::vector<std::size_t>{rows, columns});
  std::copy_n(numbers.begin(), rows * columns, out.mutable_data());
  return out;
}

// Angles and strokes of joints, and how they change along a direction of q; none unless there are joints.
class Joints {
 public:
  explicit Joints(const System& system) {
    if (system.rigid() == nullptr) return;
    joints_.emplace(*system.rigid());
    for (const JointCoordinateInfo& info : joints_->infos()) names.push_back(info.joint + "." + info.name);
  }
  py::dict place(const std::vector<double>& q) const { return named(q, std::vector<double>(q.size()), false); }
  py::dict change(const std::vector<double>& q, const std::vector<double>& dq) const { return named(q, dq, true); }

 private:
  py::dict named(const std::vector<double>& q, const std::vector<double>& v, bool rates) const {
    py::dict out;
    if (names.empty()) return out;
    std::vector<double> value(names.size()), rate(names.size());
    joints_->at(q.data(), v.data(), value.data(), rate.data());
    for (std::size_t k = 0; k < names.size(); ++k) out[py::str(names[k])] = (rates ? rate : value)[k];
    return out;
  }
  std::optional<JointCoordinates<double>> joints_;
  Texts names;
};

Equilibrium rest_of(const Problem& problem, bool any) {
  return settle(problem.model.system, problem.model.start, any ? Rest::any : Rest::stable);
}

py::dict rest_dict(const System& system, const Equilibrium& at) {
  py::dict out;
  out["model"] = system.name();
  out["found"] = at.found;
  out["reason"] = at.reason;
  out["t"] = at.t;
  out["q"] = at.q;
  out["multipliers"] = at.lambda;
  out["residual"] = at.residual;
  out["iterations"] = at.iterations;
  out["coordinates"] = system.coordinate_names();
  out["constraints"] = system.constraint_names();
  out["joints"] = at.found ? Joints(system).place(at.q) : py::dict();
  return out;
}

py::dict settled(const Problem& problem, bool any) {
  const Equilibrium at = [&] {
    py::gil_scoped_release release;
    return rest_of(problem, any);
  }();
  return rest_dict(problem.model.system, at);
}

// Of a rest that was not found there are none.
py::dict vibrations(const Problem& problem, bool any) {
  const System& system = problem.model.system;
  const auto [at, about] = [&] {
    py::gil_scoped_release release;
    const Equilibrium found = rest_of(problem, any);
    return std::pair(found, found.found ? modes(system, found) : Modes());
  }();
  const Joints joints(system);
  py::list list;
  for (const Mode& mode : about.modes)
    list.append(py::make_tuple(mode.frequency(), mode.damping(), mode.omega, mode.growth, mode.shape, mode.late,
                               joints.change(at.q, mode.shape)));
  const std::size_t freedom = sz(about.freedom);
  py::dict out;
  out["rest"] = rest_dict(system, at);
  out["modes"] = list;
  out["freedom"] = about.freedom;
  out["stable"] = about.stable;
  out["mass"] = matrix(about.mass, freedom, freedom);
  out["damping"] = matrix(about.damping, freedom, freedom);
  out["stiffness"] = matrix(about.stiffness, freedom, freedom);
  out["tangent"] = matrix(about.tangent, freedom == 0 ? 0 : at.q.size(), freedom);
  return out;
}

}  // namespace

void bind_rest(py::module_& m) {
  m.def("settle", &settled);
  m.def("modes", &vibrations);
}

}  // namespace extremal::python
