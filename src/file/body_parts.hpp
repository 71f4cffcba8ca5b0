// BodyParts: what a [[body]] is made of: its own mass and inertia, and parts that are fixed to it.
//
//   [[body]]
//   name = "arm"
//   [[body.part]]
//   shape = "cylinder"
//   radius = 0.02
//   length = 0.3
//   density = 2700
//   colour = "#c0c8d0"
//   [[body.part]]                # a point mass
//   mass = 0.2
//   at = [0, 0, 0.15]
//
// A part that has a mass or a density is added to mass, centre and inertia; one that has a shape is drawn.
#pragma once

#include <vector>

#include "bodies/principal.hpp"
#include "file/fields.hpp"

namespace extremal {

// A shape for the picture, by the keys of a part.
Shape read_look(Fields& part);

class BodyParts {
 public:
  BodyParts(Fields& body, const Mechanism& mechanism);

  BodyData body() const { return data_; }
  const std::vector<Shape>& looks() const { return looks_; }

 private:
  struct Piece {
    quad mass = 0;
    Triple centre{};
    Tensor inertia{};
  };
  void part(Fields& fields);
  // The mass of a part, and its own tensor; nothing if it has none.
  Piece weighed(Fields& fields, const std::string& shape) const;
  Piece own(const Fields& body) const;
  void merge(const Fields& body);

  const Mechanism& mechanism_;
  Space space_;
  BodyData data_;
  std::vector<Shape> looks_;
  std::vector<Piece> pieces_;
};

}  // namespace extremal
