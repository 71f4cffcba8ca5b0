#include "import/xml.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

constexpr std::size_t size_limit = std::size_t(1) << 25;
constexpr int depth_limit = 200;

// Nested deeper than any robot, and than recursion over the elements would bear.
void expect_shallow(const XmlFile& file, const pugi::xml_node& root) {
  int depth = 0;
  for (pugi::xml_node node = root; node;) {
    if (node.first_child()) {
      node = node.first_child();
      if (++depth > depth_limit)
        file.refuse(node, "found elements nested " + std::to_string(depth) + " deep; expected at most " +
                              std::to_string(depth_limit));
      continue;
    }
    while (node && node != root && !node.next_sibling()) node = node.parent(), --depth;
    node = node == root ? pugi::xml_node() : node.next_sibling();
  }
}

// Takes it off the front; empty at the end.
std::string_view next_word(std::string_view& text) {
  constexpr const char* blanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::string plain_name(const pugi::xml_node& node) {
  const std::string name = node.name();
  return name.substr(name.find(':') + 1);
}

pugi::xml_node plain_child(const pugi::xml_node& node, std::string_view name) {
  return node.find_child(
      [&](const pugi::xml_node& each) { return each.type() == pugi::node_element && plain_name(each) == name; });
}

quad last_place(std::string_view word) {
  const std::size_t end = std::min(word.find_first_of("eE"), word.size()), point = word.substr(0, end).find('.');
  if (point == std::string_view::npos && end == word.size()) return 0;
  quad place = 1;
  if (end < word.size() && !from_text("1" + std::string(word.substr(end)), place)) return 0;
  const std::size_t decimals = point == std::string_view::npos ? 0 : end - point - 1;
  for (std::size_t i = std::min<std::size_t>(decimals, 40); i > 0; --i) place /= 10;
  return place;
}

XmlFile::XmlFile(std::string text, std::string name)
    : document_(std::make_shared<pugi::xml_document>()), name_(std::move(name)) {
  if (text.size() > size_limit)
    throw InputError(name_ + ":1:1: found a file of " + std::to_string(text.size()) + " bytes; expected at most " +
                     std::to_string(size_limit));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // the places that pugixml knows begin behind it
  lines_ = {0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines_.push_back(i + 1);
  const pugi::xml_parse_result result = document_->load_buffer(text.data(), text.size());
  if (!result) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
    std::string reason = result.description();
    if (result.status == pugi::status_no_document_element) reason = "no element";
    if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
    throw InputError(name_ + ":" + std::to_string(line) + ":" +
                     std::to_string(offset - lines_[static_cast<std::size_t>(line - 1)] + 1) + ": found " +
                     one_line(reason, 80) + "; expected XML");
  }
  if (!root()) throw InputError(name_ + ":1:1: found no element; expected a robot");
  expect_shallow(*this, root());
}

std::string XmlFile::at(const pugi::xml_node& node) const {
  // pugixml has the place of the name, behind "<".
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug() - 1, 0));
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
  return name_ + ":" + std::to_string(line) + ":" +
         std::to_string(offset - lines_[static_cast<std::size_t>(line - 1)] + 1);
}

void XmlFile::refuse(const pugi::xml_node& node, const std::string& reason) const {
  throw InputError(at(node) + ": " + reason);
}

std::string XmlFile::text(const pugi::xml_node& node, const char* attribute) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found || *found.value() == '\0')
    refuse(node, std::string("found <") + one_line(node.name(), 40) + "> without " + attribute + "; expected one");
  return found.value();
}

std::vector<quad> XmlFile::numbers(const pugi::xml_node& node, const char* attribute, std::size_t count) const {
  return numbers_of(node, attribute, node.attribute(attribute).value(), count);
}

std::vector<quad> XmlFile::numbers_of(const pugi::xml_node& node, const char* attribute, std::string_view all,
                                      std::size_t count) const {
  std::vector<quad> found;
  for (std::string_view rest = all, word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const std::string_view shown = word;
    if (word.starts_with('+')) word.remove_prefix(1);
    quad x = 0;
    if (!from_text(word, x) || !math::finite(x))
      refuse(node, std::string(attribute) + ": found " + extremal::quoted(shown) + "; expected a number");
    found.push_back(x);
    if (found.size() > 100000)
      refuse(node, std::string(attribute) + ": found more than 100000 numbers; expected fewer");
  }
  if (count > 0 && found.size() != count)
    refuse(node, std::string(attribute) + ": found " + std::to_string(found.size()) + " numbers; expected " +
                     std::to_string(count));
  return found;
}

std::vector<quad> XmlFile::angles_of(const pugi::xml_node& node, const char* attribute, std::string_view all,
                                     std::size_t count, bool& rounded) const {
  std::vector<quad> angles = numbers_of(node, attribute, all, count);
  for (quad& angle : angles) {
    const quad exact = exact_angle(angle, last_place(next_word(all)));
    rounded = rounded || math::abs(exact - angle) > quad(1e-11);
    angle = exact;
  }
  return angles;
}

quad XmlFile::number(const pugi::xml_node& node, const char* attribute) const {
  text(node, attribute);
  return numbers(node, attribute, 1)[0];
}

quad XmlFile::number(const pugi::xml_node& node, const char* attribute, quad otherwise) const {
  return node.attribute(attribute) ? numbers(node, attribute, 1)[0] : otherwise;
}

Triple XmlFile::triple(const pugi::xml_node& node, const char* attribute, const Triple& otherwise) const {
  if (!node.attribute(attribute)) return otherwise;
  const std::vector<quad> x = numbers(node, attribute, 3);
  return {x[0], x[1], x[2]};
}

quad exact_angle(quad angle, quad place) {
  const quad unit = math::acos(quad(-1)) / 12;
  const quad turns = angle / unit;
  if (!(math::abs(turns) < 1000)) return angle;
  const quad nearest = static_cast<quad>(static_cast<int>(static_cast<double>(turns) + (turns < 0 ? -0.5 : 0.5)));
  const quad near = nearest != 0 && place <= quad(1.1e-4) ? math::max(quad(1e-11), place) : quad(1e-11);
  return math::abs(angle - nearest * unit) < near ? nearest * unit : angle;
}

}  // namespace extremal::robots
