// robot.yaml beside robot.urdf: pairs of frames that coincide, named by joints or links.
//
//   closed_loop: [['left', 'right']]       # or a list by lines: - [left, right]
//   type: ['6d']                           # 6d: in place and orientation; 3d: in place
//   name_mot: ['shoulder']                 # joints that have motors
//
// Of YAML this is lists in brackets or by lines, and words with or without quotes. Other keys are another program's
// configuration, and noted, whatever is in them.
#include <algorithm>
#include <array>
#include <map>

#include "extremal/error.hpp"
#include "import/reader.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

struct YamlKey {
  std::string name, place;
  std::vector<std::pair<std::string, std::string>> lines;  // what is behind the key, each with its place
};

[[noreturn]] void refuse_yaml(const std::string& place, const std::string& reason) {
  throw InputError(place + ": " + reason);
}

// The words of a line after its key, brackets and commas between them.
void add_words(const std::string& line, const std::string& place, std::vector<std::string>& words) {
  for (std::size_t i = 0; i < line.size();) {
    const char c = line[i];
    if (c == '#') return;
    if (c == '\'' || c == '"') {
      const std::size_t end = line.find(c, i + 1);
      if (end == std::string::npos) refuse_yaml(place, "found a quote without its end; expected another one");
      words.push_back(line.substr(i + 1, end - i - 1));
      i = end + 1;
    } else if (std::string_view("[], \t\r").find(c) != std::string_view::npos) {
      ++i;
    } else if (c == '-' && (i + 1 == line.size() || line[i + 1] == ' ')) {
      ++i;
    } else if (c == '{' || c == '}' || c == '&' || c == '*' || c == '|' || c == '>') {
      refuse_yaml(place, std::string("found '") + c + "'; expected lists of names");
    } else {
      const std::size_t end = std::min(line.find_first_of("[],#\r", i), line.size());
      std::string word = line.substr(i, end - i);
      while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.pop_back();
      words.push_back(std::move(word));
      i = end;
    }
  }
}

// Of its lists, one after another.
std::vector<std::string> words_of(const YamlKey& key) {
  std::vector<std::string> words;
  for (const auto& [line, place] : key.lines) add_words(line, place, words);
  return words;
}

constexpr std::array known_keys{"closed_loop", "type", "name_mot"};

// "key" of "key: ..." at the beginning of a line; empty if it has none.
std::string key_of(const std::string& line) {
  if (std::string_view(" \t-[]{}#%").find(line[0]) != std::string_view::npos) return {};
  const bool in_quotes = line[0] == '"' || line[0] == '\'';
  const std::size_t end = in_quotes ? line.find(line[0], 1) : line.find(':');
  if (end == std::string::npos || line.find(':', end) == std::string::npos) return {};
  return line.substr(in_quotes ? 1 : 0, end - (in_quotes ? 1 : 0));
}

std::vector<YamlKey> read_yaml(const std::string& text, const std::string& name) {
  std::vector<YamlKey> keys;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::string place = name + ":" + std::to_string(++number) + ":1";
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.empty() || line[0] == '#' || line.starts_with("---") || line == "\r") continue;
    for (const char* known : known_keys)
      if (line.starts_with(known) && key_of(line).empty())
        refuse_yaml(place, "found " + extremal::quoted(line) + "; expected KEY: LIST");
    if (const std::string key = key_of(line); !key.empty()) {
      keys.push_back({key, place, {}});
      line.erase(0, line.find(':', key.size()) + 1);
    }
    if (!keys.empty()) keys.back().lines.emplace_back(std::move(line), place);
  }
  return keys;
}

// A torque, or a force, that is told as a parameter; 0 at first.
void add_motor(Robot& robot, const std::string& joint, const std::string& place) {
  std::vector<std::string> known;
  for (const Link& link : robot.links)
    for (const RobotJoint& each : link.joints) known.push_back(each.name);
  if (std::find(known.begin(), known.end(), joint) == known.end()) refuse_yaml(place, unknown("joint", joint, known));
  Actuator motor;
  motor.name = motor.joint = joint, motor.place = place;
  robot.actuators.push_back(std::move(motor));
}

}  // namespace

void add_yaml_loops(Robot& robot, const XmlFile& urdf, const std::string& text, const std::string& name) {
  std::map<std::string, int> frames;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < robot.links.size(); ++i) frames.emplace(robot.links[i].name, static_cast<int>(i));
  // Joints go before links: that is how these files name frames. Fixed ones are read once more for their names.
  for (const pugi::xml_node& node : urdf.root().children()) {
    if (plain_name(node) != "joint") continue;
    const auto link = frames.find(node.child("child").attribute("link").value());
    if (link != frames.end()) frames[node.attribute("name").value()] = link->second;
  }
  for (const auto& [frame, link] : frames) known.push_back(frame);
  const YamlKey* pairs = nullptr;
  const YamlKey* types = nullptr;
  const std::vector<YamlKey> keys = read_yaml(text, name);
  for (const YamlKey& key : keys) {
    if (key.name == "closed_loop")
      pairs = &key;
    else if (key.name == "type")
      types = &key;
    else if (key.name == "name_mot")
      for (const std::string& motor : words_of(key)) add_motor(robot, motor, key.place);
    else
      robot.notes.add("keys of " + name + " that are not read", key.name, key.place);
  }
  if (pairs == nullptr) return;
  const std::vector<std::string> frames_named = words_of(*pairs),
                                 kinds = types == nullptr ? std::vector<std::string>() : words_of(*types);
  if (frames_named.size() % 2 != 0)
    refuse_yaml(pairs->place, "found a frame without another; expected pairs of frames");
  for (std::size_t i = 0; 2 * i < frames_named.size(); ++i) {
    Loop loop;
    const std::string &a = frames_named[2 * i], &b = frames_named[2 * i + 1];
    for (const std::string& frame : {a, b})
      if (!frames.contains(frame)) refuse_yaml(pairs->place, unknown("frame", frame, known));
    const std::string type = i < kinds.size() ? kinds[i] : "6d";
    if (type != "6d" && type != "3d") refuse_yaml(types->place, unknown("type", type, {"6d", "3d"}));
    loop.name.append(a).append(" = ").append(b);
    loop.place = pairs->place;
    loop.kind = type == "6d" ? Loop::Kind::fixed : Loop::Kind::spherical;
    loop.a.link = frames.at(a), loop.b.link = frames.at(b);
    robot.loops.push_back(std::move(loop));
  }
}

}  // namespace extremal::robots
