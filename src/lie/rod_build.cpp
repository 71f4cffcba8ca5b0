// From rods as they are given to arrays: checks, lumped masses, stress-free strains, blocks.
#include <fmt/format.h>

#include "extremal/error.hpp"
#include "lie/rod_data.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

[[noreturn]] void refuse(std::size_t rod, const std::string& why) {
  throw InputError(fmt::format("rod {}: {}", rod, why));
}

// Entry `i` of a list that has one for all or one per element.
template <class T>
const T& of(const std::vector<T>& list, std::size_t i) {
  return list[list.size() == 1 ? 0 : i];
}

void check_size(std::size_t rod, const char* what, std::size_t found, std::size_t elements, bool optional) {
  if (found == 1 || found == elements || (optional && found == 0)) return;
  refuse(rod, fmt::format("{} {}; expected 1 or {}, one per element{}", found, what, elements,
                          optional ? "; try to leave them out" : ""));
}

template <class S>
Vec3<S> vector(const std::array<S, 3>& a) {
  return {a[0], a[1], a[2]};
}

template <class S>
void check(std::size_t r, const Rod<S>& rod) {
  const std::size_t nodes = rod.positions.size(), least = rod.closed ? 3 : 2;
  if (nodes < least) refuse(r, fmt::format("{} nodes; expected at least {}", nodes, least));
  if (rod.rotations.size() != nodes)
    refuse(r, fmt::format("{} rotations of {} nodes; expected one per node", rod.rotations.size(), nodes));
  const std::size_t elements = rod.closed ? nodes : nodes - 1;
  check_size(r, "sections", rod.sections.size(), elements, false);
  check_size(r, "lengths", rod.lengths.size(), elements, true);
  check_size(r, "strains gamma0", rod.gamma0.size(), elements, true);
  check_size(r, "strains omega0", rod.omega0.size(), elements, true);
  for (const RodSection<S>& s : rod.sections) {
    const auto& j = s.inertia;
    if (!(s.mass > S(0)) || !(j[1] > S(0)) || !(j[2] > S(0)))
      refuse(r, "mass " + to_text(s.mass) + ", inertia " + to_text(j[0]) + ", " + to_text(j[1]) + ", " + to_text(j[2]) +
                    " of a section; expected positive numbers");
    if (math::abs(j[0] - j[1] - j[2]) > S(1e-9) * j[0])
      refuse(r, "inertia " + to_text(j[0]) + ", " + to_text(j[1]) + ", " + to_text(j[2]) +
                    " of a section; expected the first, about the tangent, to be the sum of the others; try " +
                    to_text(j[1] + j[2]) + " for it");
    for (const S& stiffness : s.stiffness)
      if (!(stiffness >= S(0)) || !math::finite(stiffness))
        refuse(r, "stiffness " + to_text(stiffness) + "; expected none to be negative");
  }
  for (const auto& q : rod.rotations)
    if (!(squared_norm(Quaternion<S>{q[0], q[1], q[2], q[3]}) > S(0)))
      refuse(r, "a rotation that is no unit quaternion");
}

}  // namespace

template <class S>
void RodKernel<S>::Data::build(const std::vector<Rod<S>>& given) {
  if (given.empty()) throw InputError("rods: none; expected at least one");
  for (std::size_t r = 0; r < given.size(); ++r) {
    check(r, given[r]);
    rods.push_back({slots, given[r].positions.size(), given[r].closed});
    slots += rod_slots(given[r].positions.size());
  }
  state = Fields<S>(state_fields, slots);
  inertia = Fields<S>(inertia_fields, slots);
  elements = Fields<S>(element_fields, slots);

  for (std::size_t r = 0; r < given.size(); ++r) {
    const Rod<S>& rod = given[r];
    const RodSpan& span = rods[r];
    const std::size_t end = r + 1 < rods.size() ? rods[r + 1].first : slots;
    for (std::size_t i = span.first; i < end; ++i) state[q][i] = S(1);
    for (std::size_t i = 0; i < span.nodes; ++i) {
      for (std::size_t c = 0; c < 3; ++c) state[x + c][span.first + i] = rod.positions[i][c];
      const auto& [w, a, b, e] = rod.rotations[i];
      const S scale = S(1) / math::sqrt(squared_norm(Quaternion<S>{w, a, b, e}));
      for (std::size_t c = 0; c < 4; ++c) state[q + c][span.first + i] = scale * rod.rotations[i][c];
    }
    // Per node: mass, J2, J3.
    std::vector<std::array<S, 3>> lumped(span.nodes, {S(0), S(0), S(0)});
    for (std::size_t e = 0; e < span.elements(); ++e) {
      const std::size_t other = e + 1 < span.nodes ? e + 1 : 0, i = span.first + e, j = span.first + other;
      const Vec3<S> d = position(j) - position(i);
      const S length = rod.lengths.empty() ? math::sqrt(dot(d, d)) : of(rod.lengths, e);
      if (!(length > S(0)) || !math::finite(length))
        refuse(r, fmt::format("element {} has the length {}; expected a positive one", e, to_text(length)));
      const RodSection<S>& section = of(rod.sections, e);
      const auto& k = section.stiffness;
      RodElement<S> element{S(1) / length, {k[0], k[1], k[2]}, {k[3], k[4], k[5]}, {}, {}};
      if (!rod.gamma0.empty()) element.gamma0 = vector(of(rod.gamma0, e));
      if (!rod.omega0.empty()) element.omega0 = vector(of(rod.omega0, e));
      RodLaw<S> law = rod_law(element);
      // The given shape is stress-free without rounding: its forces are taken off as a step will compute them.
      const RelativeRotation<S> turn = relative_rotation(rotation(i), rotation(j));
      if (rod.gamma0.empty()) law.force0 = scaled(law.force_rate, columns(turn.sum, turn.scale).to_body(d));
      if (rod.omega0.empty()) law.moment0 = turn.k * scaled(law.moment_rate, turn.v);
      const S values[element_fields] = {element.inverse_length, law.force_rate.x,  law.force_rate.y, law.force_rate.z,
                                        law.force0.x,           law.force0.y,      law.force0.z,     law.moment_rate.x,
                                        law.moment_rate.y,      law.moment_rate.z, law.moment0.x,    law.moment0.y,
                                        law.moment0.z};
      // The slots behind the last element have its values, so that a block may be uniform to its end.
      const std::size_t until = e + 1 < span.elements() ? i + 1 : end;
      for (std::size_t at = i; at < until; ++at)
        for (std::size_t c = 0; c < element_fields; ++c) elements[c][at] = values[c];
      for (const std::size_t node : {e, other}) {
        lumped[node][0] += S(0.5) * length * section.mass;
        lumped[node][1] += S(0.5) * length * section.inertia[1];
        lumped[node][2] += S(0.5) * length * section.inertia[2];
      }
      const S limit = lie::step_bound(section, length);
      if (bound == S(0) || limit < bound) bound = limit;
    }
    for (std::size_t i = span.first; i < end; ++i) {
      const auto& [m, j2, j3] = lumped[std::min(i - span.first, span.nodes - 1)];
      const S values[inertia_fields] = {m, S(1) / m, S(1) / (j2 + j3), S(1) / j2, S(1) / j3, (j3 - j2) / (j2 + j3)};
      for (std::size_t c = 0; c < inertia_fields; ++c) inertia[c][i] = values[c];
    }
  }

  blocks = rod_blocks(rods);
  for (RodBlock& b : blocks) {
    const auto uniform = [&](const Fields<S>& fields, std::size_t number) {
      for (std::size_t c = 0; c < number; ++c)
        for (std::size_t i = b.first; i < b.first + b.nodes; ++i)
          if (fields[c][i] != fields[c][b.first]) return false;
      return true;
    };
    b.uniform_nodes = uniform(inertia, inertia_fields);
    b.uniform_elements = uniform(elements, element_fields);
    const S* a = inertia[asymmetry];
    b.round = std::all_of(a + b.first, a + b.first + b.nodes, [](const S& value) { return value == S(0); });
  }
}

template <class S>
void RodKernel<S>::Data::employ(int number) {
  const std::size_t threads = std::clamp<std::size_t>(number < 1 ? 1 : static_cast<std::size_t>(number), 1,
                                                      std::min<std::size_t>(blocks.size(), Workers::most));
  workers = std::make_unique<Workers>(static_cast<int>(threads));
  crew.clear();
  const auto share = [&](std::size_t t) { return blocks.size() * t / threads; };
  for (std::size_t t = 0; t < threads; ++t) {
    Worker w{share(t), share(t + 1), {}, {}, Fields<S>(9, rod_block + 2 * rod_lanes), true};
    for (std::size_t b = w.begin; b < w.end; ++b) {
      const RodBlock& block = blocks[b];
      const bool seam = rods[block.rod].closed && block.starts_rod != block.ends_rod;
      w.is_early.push_back(b == w.begin || b + 1 == w.end || seam ? 1 : 0);
      if (w.is_early.back() != 0) w.early.push_back(b);
    }
    crew.push_back(std::move(w));
  }
}

#define EXTREMAL_INSTANTIATE(S)                                        \
  template void RodKernel<S>::Data::build(const std::vector<Rod<S>>&); \
  template void RodKernel<S>::Data::employ(int);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
