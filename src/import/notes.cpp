#include <algorithm>

#include "extremal/error.hpp"
#include "import/robot.hpp"
#include "words/grammar.hpp"

namespace extremal::robots {

void Notes::add(const std::string& what, const std::string& name, const std::string& place, bool matters) {
  auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& known) { return known.what == what; });
  if (kind == kinds_.end()) {
    kinds_.push_back({what, place, {}, matters});
    kind = kinds_.end() - 1;
  }
  if (!name.empty() && std::find(kind->names.begin(), kind->names.end(), name) == kind->names.end())
    kind->names.push_back(name);
}

std::vector<std::string> Notes::lines() const {
  std::vector<std::string> all;
  for (const Kind& kind : kinds_) {
    std::string line = one_line(kind.what, 200);
    for (std::size_t i = 0; i < kind.names.size(); ++i) line += (i == 0 ? ": " : ", ") + one_line(kind.names[i], 60);
    all.push_back(std::move(line));
  }
  return all;
}

void Notes::refuse() const {
  for (const Kind& kind : kinds_)
    if (kind.matters)
      throw InputError(kind.place + ": " + kind.what + (kind.names.empty() ? "" : ": " + one_line(kind.names[0], 60)) +
                       "; expected nothing that the model cannot have, as --strict was given");
}

}  // namespace extremal::robots
