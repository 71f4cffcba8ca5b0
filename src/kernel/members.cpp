#include "extremal/members.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "extremal/error.hpp"

namespace extremal {
namespace {

void refuse_count(std::string_view what, std::size_t found, std::size_t expected) {
  if (found != expected) throw InputError(fmt::format("members: {} has {} values; expected {}", what, found, expected));
}

std::size_t index_of(const std::vector<std::string>& names, std::string_view name, const char* kind) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(fmt::format("members: no {} \"{}\"; expected one of {}", kind, name, fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

Members& Members::set(std::string_view parameter, std::span<const double> values) {
  refuse_count(parameter, values.size(), count);
  const std::size_t index = index_of(system.parameter_names(), parameter, "parameter");
  varied.push_back({Varied::Kind::parameter, index, values.data(), 1});
  return *this;
}

Members& Members::place(std::string_view name, std::span<const double> values) {
  refuse_count(name, values.size(), count);
  const Varied::Kind kind = name.starts_with("v:")   ? Varied::Kind::velocity
                            : name.starts_with("p:") ? Varied::Kind::momentum
                                                     : Varied::Kind::position;
  const std::string_view coordinate = kind == Varied::Kind::position ? name : name.substr(2);
  varied.push_back({kind, index_of(system.coordinate_names(), coordinate, "coordinate"), values.data(), 1});
  return *this;
}

Members& Members::all(Varied::Kind kind, std::span<const double> values) {
  const std::size_t n = system.coordinate_names().size();
  refuse_count("an array of starts", values.size(), count * n);
  for (std::size_t i = 0; i < n; ++i) varied.push_back({kind, i, values.data() + i, n});
  return *this;
}

System Members::system_of(std::size_t member) const {
  System out = system;
  for (const Varied& one : varied)
    if (one.kind == Varied::Kind::parameter)
      out = out.with(system.parameter_names()[one.index], Number(one.values[member * one.stride]));
  return out;
}

Start Members::start_of(std::size_t member) const {
  Start out = start;
  const std::size_t n = system.coordinate_names().size();
  for (const Varied& one : varied) {
    if (one.kind == Varied::Kind::parameter) continue;
    std::vector<Number>& list = one.kind == Varied::Kind::position   ? out.q
                                : one.kind == Varied::Kind::velocity ? out.v
                                                                     : out.p;
    if (one.kind == Varied::Kind::velocity) out.p.clear(), out.next.clear();
    if (one.kind == Varied::Kind::momentum) out.v.clear(), out.next.clear();
    list.resize(n);
    list[one.index] = Number(one.values[member * one.stride]);
  }
  return out;
}

}  // namespace extremal
