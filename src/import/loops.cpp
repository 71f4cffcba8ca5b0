// Loops that the command line closes.
#include <algorithm>

#include "extremal/error.hpp"
#include "import/reader.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {
namespace {

Loop loop_of(const NamedFrames& frames, const std::string& pair) {
  const std::string what = "--close " + extremal::quoted(pair);
  const std::size_t equals = pair.find('='), colon = pair.rfind(':');
  const bool typed = colon != std::string::npos && equals != std::string::npos && colon > equals;
  if (equals == std::string::npos || equals == 0)
    throw InputError(what + ": found no FRAME=FRAME; expected two frames, e.g. --close left=right:revolute");
  Loop loop;
  const std::string type = typed ? pair.substr(colon + 1) : "fixed";
  const std::vector<std::string> types = {"revolute", "spherical", "fixed"};
  const auto kind = std::find(types.begin(), types.end(), type);
  if (kind == types.end()) throw InputError(what + ": " + unknown("type", type, types));
  loop.kind = static_cast<Loop::Kind>(kind - types.begin());
  const auto find = [&](const std::string& name) {
    const auto found = frames.find(name);
    if (found != frames.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [frame, where] : frames) known.push_back(frame);
    throw InputError(what + ": " + unknown("frame", name, known));
  };
  const std::string first = pair.substr(0, equals),
                    second = pair.substr(equals + 1, typed ? colon - equals - 1 : std::string::npos);
  const NamedFrame a = find(first), b = find(second);
  loop.name = first + " = " + second, loop.a = a.frame, loop.b = b.frame, loop.axis = a.axis;
  return loop;
}

}  // namespace

void add_loops(Robot& robot, const NamedFrames& frames, const std::vector<std::string>& pairs,
               const std::string& place) {
  for (const std::string& pair : pairs) {
    robot.loops.push_back(loop_of(frames, pair));
    robot.loops.back().place = place;
  }
}

}  // namespace extremal::robots
