// MJCF's equalities: loops that are closed, and joints that follow each other.
#pragma once

#include <set>

#include "import/mjcf_words.hpp"

namespace extremal::robots {

// What equalities and actuators call things by.
struct MjcfNames {
  std::map<std::string, int> bodies = {};
  std::map<std::string, LinkFrame> sites = {};
  std::set<std::string> joints = {};

  // -1 for the world; refused as `element` if there is none.
  int body(const Element& element, const std::string& name) const;
  LinkFrame site(const Element& element, const std::string& name) const;
  void expect_joint(const Element& element, const std::string& name) const;
};

// Adds the loop or coupling of an element of <equality>, where all joints are at home; what is none is noted.
void read_equality(const Attributes& attributes, const std::string& name, const MjcfNames& names, Robot& robot);

}  // namespace extremal::robots
