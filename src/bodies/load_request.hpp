// LoadRequest: what a load is told, before it has a name; and a row of the table of loads.
#pragma once

#include <string>
#include <vector>

#include "bodies/load_type.hpp"
#include "bodies/mechanism_data.hpp"

namespace extremal {

// What is wrong with it is refused as `what`.
struct LoadRequest {
  const MechanismData& data;
  const std::string& what;
  const std::string& name;
  const LoadData& given;

  quad not_negative(const char* part, const Number& x) const {
    if (x.as<quad>() < 0) data.refuse(what, std::string(part) + " " + x.text() + "; expected 0 or more");
    return x.as<quad>();
  }
};

struct LoadRow {
  LoadType type;
  LoadRecord (*make)(const LoadRequest&);
};

inline LoadType::Key needed(const char* name, LoadType::Key::Member member) { return {name, member, true}; }
inline LoadType::Key maybe(const char* name, LoadType::Key::Member member) { return {name, member, false}; }

// Those that are told the name of a joint (joint_laws.cpp).
std::vector<LoadRow> joint_law_rows();

}  // namespace extremal
