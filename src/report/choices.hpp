// Choices: plots whose series are chosen by name from all there are, of what a reader looks for first: where things
// are, how fast, and what moves and holds them.
#pragma once

#include "extremal/models.hpp"
#include "report/pack.hpp"
#include "report/table.hpp"

namespace extremal::report {

struct Choices {
  Json axes = Json::object();  // times of the plots, thinned by so much that all series have room
  Json plots = Json::array();  // "coordinates" and, of mechanisms, "force"
};

// `moving`: coordinates that show at first where there are no joints.
Choices choices_of(const Model& model, const Table& table, const std::vector<std::string>& moving);

// Whether a coordinate is a component of a body's axes.
bool is_director(const Model& model, const std::string& coordinate);

}  // namespace extremal::report
