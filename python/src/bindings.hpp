// What the sources of the module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"

namespace extremal::python {

namespace py = pybind11;

void bind_runs(py::module_& m);
void bind_trace(py::module_& m);
void bind_many(py::module_& m);
void bind_motion(py::module_& m);
void bind_studies(py::module_& m);
void bind_rest(py::module_& m);

// Numbers come as texts: Python makes them of int, float, str and Fraction, exact at every scalar.
using Texts = std::vector<std::string>;
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

inline std::vector<Number> numbers(const Texts& texts) { return {texts.begin(), texts.end()}; }
inline Settings settings(const NamedTexts& texts) {
  Settings out;
  for (const auto& [name, text] : texts) out.emplace_back(name, Number(text));
  return out;
}

// Called without the lock of Python. Signals are looked at and progress is told some ten times a second; what the
// functions of the user raise ends the run and is raised again where the run was asked for.
class Watcher {
 public:
  explicit Watcher(py::object progress) : progress_(std::move(progress)) {}
  bool operator()(const Progress& at);
  // With the lock again. Whether Ctrl-C ended the run.
  bool finish();

 private:
  using Clock = std::chrono::steady_clock;
  py::object progress_;
  Clock::time_point last_ = Clock::now();
  std::unique_ptr<py::error_already_set> error_;
  bool keyboard_ = false;
};

}  // namespace extremal::python
