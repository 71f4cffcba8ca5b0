#include "cli/list_parts.hpp"

#include <fmt/format.h>

#include <iostream>

#include "bodies/joint_type.hpp"
#include "bodies/load_type.hpp"
#include "cli/table.hpp"

namespace extremal::cli {
namespace {

std::string in_plane(const JointType& type, int number) { return type.in_plane ? std::to_string(number) : "-"; }

std::vector<std::string> key_names(const JointType& type) {
  std::vector<std::string> names;
  for (const JointType::Key& key : type.keys) names.emplace_back(key.name);
  return names;
}

std::vector<std::string> key_names(const LoadType& type, bool needed) {
  std::vector<std::string> names;
  for (const LoadType::Key& key : type.keys)
    if (key.needed == needed) names.emplace_back(key.name);
  return names;
}

}  // namespace

void print_parts() {
  Table joints({"joint", "keys", "g", "free", "planar g", "free", "leaves"});
  for (const JointType& type : joint_types())
    joints.row({type.name, fmt::format("{}", fmt::join(key_names(type), ", ")),
                std::to_string(type.rows(Space::spatial)), std::to_string(type.freedoms(Space::spatial)),
                in_plane(type, type.rows(Space::planar)), in_plane(type, type.freedoms(Space::planar)), type.leaves});
  Table loads({"load", "keys", "may have"});
  for (const LoadType& type : load_types())
    loads.row({type.name, fmt::format("{}", fmt::join(key_names(type, true), ", ")),
               fmt::format("{}", fmt::join(key_names(type, false), ", "))});
  std::cout
      << "Types of [[joint]], with their keys besides name, type, from and to; the number of constraints (g) and\n"
         "of freedoms that are left (free), in space and in the plane\n\n"
      << joints.text() << "\nLoads, tables such as [[spring]], with their keys besides name\n\n"
      << loads.text();
}

Json parts_json() {
  Json joints = Json::array(), loads = Json::array();
  for (const JointType& type : joint_types()) {
    Json joint = {{"name", type.name},
                  {"keys", key_names(type)},
                  {"spatial", {{"constraints", type.rows(Space::spatial)}, {"free", type.freedoms(Space::spatial)}}},
                  {"leaves", type.leaves}};
    if (type.in_plane)
      joint["planar"] = {{"constraints", type.rows(Space::planar)}, {"free", type.freedoms(Space::planar)}};
    joints.push_back(std::move(joint));
  }
  for (const LoadType& type : load_types())
    loads.push_back({{"name", type.name}, {"keys", key_names(type, true)}, {"optional", key_names(type, false)}});
  return {{"joints", joints}, {"loads", loads}};
}

}  // namespace extremal::cli
