// Case: a run before it runs – a model with what is changed of it, a scheme and a precision.
//
//   Case moon = make_case("pendulum", {.set = {{"g", "1.62"}}, .run = {{"scheme", "rattle"}, {"until", "20"}}});
//   auto run = extremal::run<double>(moon);
//
// The command line, sweeps and archives that are gone on with make their runs in the same way and by the same names.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extremal/models.hpp"
#include "extremal/run.hpp"
#include "extremal/scheme.hpp"

namespace extremal {

struct Changes {
  Settings set = {};    // parameters
  Settings start = {};  // a coordinate x, its velocity v:x or momentum p:x, or the time t
  // Keys of [run] (docs/models.md) and their values as texts.
  std::vector<std::pair<std::string, std::string>> run = {};
};

struct Case {
  Model model;  // whose system, start, span and observers are those of the run
  Scheme scheme;
  std::string precision;
};

// Of a model of models/, or of a model that was read. InputError names what is wrong of the changes.
Case make_case(std::string_view model, const Changes& changes = {});
Case make_case(Model model);

// In the precision S, whatever the case says: with it the caller chooses S.
template <class S>
Run<S> run(const Case& one, Output<S> output = {}) {
  output.observers = one.model.observers;
  return run<S>(one.model.system, one.scheme, one.model.start, one.model.span, output);
}

}  // namespace extremal
