// _extremal: what the package extremal is made of. No policy: names, numbers and messages are those of the library.
#include "bindings.hpp"
#include "extremal/error.hpp"

// NOLINTNEXTLINE
PYBIND11_MODULE(_extremal, m) {
  namespace py = pybind11;
  py::register_exception<extremal::InputError>(m, "InputError", PyExc_ValueError);
  m.attr("version") = EXTREMAL_VERSION;
  extremal::python::bind_runs(m);
  extremal::python::bind_trace(m);
  extremal::python::bind_motion(m);
  extremal::python::bind_many(m);
  extremal::python::bind_studies(m);
  extremal::python::bind_rest(m);
}
