// XmlFile: a file of XML whose elements know their place, and numbers in their attributes. pugixml stays behind it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "bodies/frame.hpp"

namespace extremal::robots {

// Of an element, without the prefix of a namespace: drake:joint is a joint.
std::string plain_name(const pugi::xml_node& node);
// The first child of such a name; null if there is none.
pugi::xml_node plain_child(const pugi::xml_node& node, std::string_view name);

// One unit of the last place of a decimal number, as 0.0001 of 3.1416 and of 31416e-4; 0 for one without a point or an
// exponent, which counts as exact.
quad last_place(std::string_view word);

class XmlFile {
 public:
  // InputError with the place if the text is no XML, or too large or too deep.
  XmlFile(std::string text, std::string name);

  pugi::xml_node root() const { return document_->document_element(); }
  // "robot.urdf:12:3"
  std::string at(const pugi::xml_node& node) const;
  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& reason) const;

  // Of an attribute, which has to be there.
  std::string text(const pugi::xml_node& node, const char* attribute) const;
  quad number(const pugi::xml_node& node, const char* attribute) const;
  quad number(const pugi::xml_node& node, const char* attribute, quad otherwise) const;
  // As many as there are, at most 100; refused if `count` is given and differs.
  std::vector<quad> numbers(const pugi::xml_node& node, const char* attribute, std::size_t count = 0) const;
  // The same for a text that stands for the attribute, as a default does.
  std::vector<quad> numbers_of(const pugi::xml_node& node, const char* attribute, std::string_view all,
                               std::size_t count) const;
  Triple triple(const pugi::xml_node& node, const char* attribute, const Triple& otherwise) const;
  // Angles in radian, of a text that stands for the attribute: each is what its digits mean (see exact_angle).
  // `rounded` becomes true if one of them is a multiple of pi/12 to few digits only.
  std::vector<quad> angles_of(const pugi::xml_node& node, const char* attribute, std::string_view all,
                              std::size_t count, bool& rounded) const;

 private:
  std::shared_ptr<pugi::xml_document> document_;
  std::string name_;
  std::vector<std::size_t> lines_;  // where they begin
};

// An angle within 1e-11 of a multiple of pi/12 is that multiple: files cannot say pi, and programs that write them turn
// frames to and fro. Axes that are meant to be parallel are so in quad, too. So is one that is such a multiple, but 0,
// to `place`, one unit of the last place to which it is written, if that is 1e-4 or less: 1.5708 as CAD programs write
// it.
quad exact_angle(quad angle, quad place = 0);

}  // namespace extremal::robots
