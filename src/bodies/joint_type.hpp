// JointType: a row of the table of joints (joints.cpp), which the reader of model files, messages, lists, documents and
// pictures read.
#pragma once

#include <string>
#include <vector>

#include "extremal/mechanism.hpp"

namespace extremal {

// What a joint keeps, each as a few rows of g.
enum class Keeps {
  together,  // its points coincide
  on_line,   // the second point is on the line through the first
  on_plane,  // the second point is on the plane through the first
  aligned,   // the axis is the same in both bodies; in the plane it always is
  crossed,   // the axis of the first body is normal to that of the second
  turned,    // neither body turns against the other
  carried,   // the same, unless one of the bodies is a point mass
  apart,     // the distance of the points
};

// What a joint leaves, as coordinates of its own: their names and values are made of it (joint_coordinates.cpp).
enum class Measures {
  angle,     // of the second body against the first about the axis
  stroke,    // of the second point along the axis
  cross,     // the two angles of a universal joint
  rotation,  // the rotation vector of the second body against the first
  place,     // of the second point in the plane: x, y
};

// How a page draws a joint.
enum class JointPicture { ball, pin, box, link, line, plane };
const char* name(JointPicture picture);

struct JointType {
  struct Key {
    const char* name;
    Numbers JointData::* member;
  };
  const char* name;
  std::vector<std::string> others;  // what others call it
  std::vector<Key> keys;            // what it is told
  std::vector<Keeps> keeps;
  std::vector<Measures> measures;
  bool in_plane;  // or for space only
  JointPicture picture;
  const char* leaves;  // in words

  // Of g, in the plane or in space.
  int rows(Space space) const;
  int freedoms(Space space) const { return (space == Space::planar ? 3 : 6) - rows(space); }
};

const std::vector<JointType>& joint_types();
// InputError if there is none.
const JointType& joint_type(std::string_view name);

}  // namespace extremal
