// What <option> of MJCF says of the whole robot: gravity, step, and what is switched off.
#pragma once

#include <set>

#include "import/mjcf_words.hpp"

namespace extremal::robots {

class MjcfFlags {
 public:
  void read(MjcfFiles& files, const Element& option, Robot& robot);
  // As MuJoCo names it: contact, equality, limit, passive, actuation, ...
  bool off(const std::string& what) const;
  // Takes off a joint what is off.
  void apply(RobotJoint& joint) const;

 private:
  std::set<std::string> disabled_;
};

}  // namespace extremal::robots
