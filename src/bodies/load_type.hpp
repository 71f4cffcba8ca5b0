// LoadType: a row of the table of loads (loads.cpp), which the reader of model files, lists and documents read.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "extremal/mechanism.hpp"

namespace extremal {

struct LoadType {
  enum class Ends { points, bodies };
  struct Key {
    using Member = std::variant<Point LoadData::*, Number LoadData::*, Numbers LoadData::*, TimeFunction LoadData::*,
                                std::vector<TimeFunction> LoadData::*, Frame LoadData::*, std::string LoadData::*>;
    const char* name;
    Member member;
    bool needed;         // or as LoadData has it
    bool whole = false;  // a body, and not a point of one
  };
  const char* name;  // of the tables [[spring]]
  std::vector<Key> keys;
};

const std::vector<LoadType>& load_types();

}  // namespace extremal
