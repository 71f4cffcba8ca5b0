// Told: what a Mechanism was told, part by part, as tables of a model file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "extremal/mechanism.hpp"

namespace extremal {

struct MechanismData;

// A table and its entries, as TOML.
struct ToldPart {
  std::string kind, name;
  std::vector<std::pair<std::string, std::string>> entries;
};

struct Told {
  std::vector<ToldPart> parts;
  std::vector<int> bodies;  // of every body its part; -1 of the nodes of rods
  std::vector<std::pair<std::string, JointStart>> starts;
  Numbers gravity, slack;
  std::string missing;     // what tables cannot say, if there is something
  bool in_a_file = false;  // which has it all: nothing is kept then
  bool quiet = false;      // what is added now is a part of another part
  bool keeps() const { return !in_a_file && !quiet; }
};

void tell_body(MechanismData& data, const std::string& name, const BodyData& given);
void tell_point_mass(MechanismData& data, const std::string& name, const Number& mass);
void tell_placement(MechanismData& data, int body, const Placement& given);
void tell_joint(MechanismData& data, std::string_view type, const std::string& name, const Point& a, const Point& b,
                const JointData& given);
void tell_own_coordinate(MechanismData& data, const std::string& joint);
void tell_load(MechanismData& data, std::string_view type, const std::string& name, const LoadData& given);
void tell_drive(MechanismData& data, const std::string& name, const Point& body, const Drive& given);
void tell_rod(MechanismData& data, const std::string& name, const RodData& given);

}  // namespace extremal
