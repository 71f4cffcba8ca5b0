#include "kernel/find_blocks.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "bodies/mechanism_data.hpp"
#include "numbers/index.hpp"

namespace extremal {

namespace {
bool is_inertia(const Term& term) { return term.velocity() && term.role != Role::force; }

// Whether a coordinate has no inertia of its own.
std::vector<bool> massless(const System& system) {
  std::vector<bool> inert(sz(system.size()), true);
  for (const auto& term : system.terms())
    if (is_inertia(*term))
      for (const int i : term->sites) inert[sz(i)] = false;
  return inert;
}

// Of every coordinate without inertia that stands for the angle or stroke of a joint, the row of g that says so: the
// two are regular together, whatever acts on the coordinate. -1 for all others, directors of thin bodies among them.
std::vector<int> find_own_rows(const System& system, const std::vector<bool>& inert) {
  const std::vector<int>& groups = system.groups();
  std::vector<int> own(sz(system.size()), -1), members(sz(system.size()) + 1, 0);
  for (const int group : groups) ++members[sz(group)];
  int row = 0;
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint) continue;
    if (term->name == own_coordinate_term)
      for (std::size_t k = 0; k < term->sites.size(); ++k)
        if (const int i = term->sites[k]; inert[sz(i)] && members[sz(groups[sz(i)])] == 1)
          own[sz(i)] = row + static_cast<int>(k) / term->coordinates;
    row += term->site_count() * term->row_count;
  }
  return own;
}

// They wait for their bodies, as joints do. False if one has other rows or coordinates beside it, as those of gears:
// these would have to wait for it in their turn.
bool wait_for_bodies(Blocks& b, const std::vector<int>& own) {
  std::vector<bool> waits(sz(b.count), false);
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] >= 0) waits[sz(b.coordinate[i])] = true;
  for (const auto& [i, j] : b.edges)
    for (const auto& [one, other] : {std::pair(i, j), std::pair(j, i)})
      if (waits[sz(one)] && (b.joint[sz(other)] || waits[sz(other)])) return false;
  for (std::size_t k = 0; k < waits.size(); ++k) b.joint[k] = b.joint[k] || waits[k];
  return true;
}

// The groups that coordinates were named in. One that is too large to be dense is a list of names, not a body: of its
// coordinates only those stay together that share a few terms of inertia.
std::vector<int> find_bodies(const System& system, const std::vector<bool>& inert) {
  const std::vector<int>& groups = system.groups();
  std::vector<int> size(sz(system.size()) + 1, 0);
  for (const int group : groups) ++size[sz(group)];
  for (int i = 0; i < system.size(); ++i)
    if (inert[sz(i)]) size[sz(groups[sz(i)])] = 0;  // it needs the others to be regular
  const auto large = [&](int i) { return size[sz(groups[sz(i)])] > massless_rows; };
  std::vector<int> root(sz(system.size())), members(root.size(), 0);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[sz(i)] != i) i = root[sz(i)] = root[sz(root[sz(i)])];
    return i;
  };
  for (const auto& term : system.terms())
    for (int site = 0; is_inertia(*term) && site < term->site_count(); ++site) {
      const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * term->coordinates;
      for (int c = 1; c < term->coordinates; ++c)
        if (large(i[c]) && groups[sz(i[0])] == groups[sz(i[c])]) root[sz(find(i[c]))] = find(i[0]);
    }
  for (int i = 0; i < system.size(); ++i) ++members[sz(find(i))];
  std::vector<int> body(groups.size()), number(groups.size(), -1), first(groups.size() + 1, -1);
  int count = 0;
  for (int i = 0; i < system.size(); ++i) {
    int& known = !large(i) ? first[sz(groups[sz(i)])] : number[sz(members[sz(find(i))] > dense_rows ? i : find(i))];
    if (known < 0) known = count++;
    body[sz(i)] = known;
  }
  return body;
}

}  // namespace

Blocks find_blocks(const System& system, const Pattern& coupling, const Pattern& jacobian) {
  const int n = system.size(), m = system.constraint_count();
  Blocks b;
  b.coordinate.assign(sz(n), 0);
  b.constraint.assign(sz(m), 0);
  b.joint.assign(1, false);
  const std::vector<bool> inert = massless(system);
  const std::vector<int> own = find_own_rows(system, inert);
  bool any = false;
  for (int i = 0; i < n; ++i) any = any || (inert[sz(i)] && own[sz(i)] < 0);
  if (n + m <= (any ? massless_rows : dense_rows)) return b;
  b.coordinate = find_bodies(system, inert);
  b.count = 1 + *std::max_element(b.coordinate.begin(), b.coordinate.end());
  b.joint.assign(sz(b.count), false);
  // All rows between the same bodies are one joint, which pivots among them.
  int row = 0;
  std::map<std::vector<int>, int> joints;
  std::vector<int> bodies, owner(sz(m), -1);
  for (int i = 0; i < n; ++i)
    if (own[sz(i)] >= 0) owner[sz(own[sz(i)])] = b.coordinate[sz(i)];
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint) continue;
    for (int site = 0; site < term->site_count(); ++site) {
      const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * term->coordinates;
      bodies.clear();
      for (int c = 0; c < term->coordinates; ++c) bodies.push_back(b.coordinate[sz(i[c])]);
      std::sort(bodies.begin(), bodies.end());
      bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
      int block = owner[sz(row)] >= 0 ? owner[sz(row)] : bodies.front();
      if (bodies.size() > 1 && owner[sz(row)] < 0) {
        const auto [found, added] = joints.try_emplace(bodies, b.count);
        if (added) {
          ++b.count;
          b.joint.push_back(true);
        }
        block = found->second;
      }
      for (int r = 0; r < term->row_count; ++r) b.constraint[sz(row++)] = block;
    }
  }
  const auto link = [&](int i, int j) {
    if (i != j) b.edges.emplace_back(std::min(i, j), std::max(i, j));
  };
  for (int i = 0; i < n; ++i)
    for (int e = coupling.start[sz(i)]; e < coupling.start[sz(i) + 1]; ++e)
      link(b.coordinate[sz(i)], b.coordinate[sz(coupling.column[sz(e)])]);
  for (int k = 0; k < m; ++k)
    for (int e = jacobian.start[sz(k)]; e < jacobian.start[sz(k) + 1]; ++e)
      link(b.constraint[sz(k)], b.coordinate[sz(jacobian.column[sz(e)])]);
  std::sort(b.edges.begin(), b.edges.end());
  b.edges.erase(std::unique(b.edges.begin(), b.edges.end()), b.edges.end());
  if (wait_for_bodies(b, own) || n + m > massless_rows) return b;
  Blocks one;
  one.coordinate.assign(sz(n), 0);
  one.constraint.assign(sz(m), 0);
  one.joint.assign(1, false);
  return one;
}

Units find_units(const Blocks& blocks, Evaluation<double>& evaluation, Coupled coupled) {
  const int n = evaluation.n(), m = evaluation.m();
  const Pattern &coupling = evaluation.coupling(), &jacobian = evaluation.jacobian();
  Units units;
  units.block = blocks.coordinate;
  units.block.insert(units.block.end(), blocks.constraint.begin(), blocks.constraint.end());
  units.early.assign(sz(n + m), false);
  std::vector<double> mass(sz(coupling.size()));
  const bool known = evaluation.constant_mass();
  if (known) {
    const std::vector<double> zero(sz(n), 0.0);
    const double t = 0;
    evaluation.mass(zero.data(), zero.data(), &t, mass.data());
    std::vector<double> least(sz(blocks.count), 0.0), most(sz(blocks.count), 0.0);
    std::vector<bool> seen(sz(blocks.count), false);
    for (int i = 0; i < n; ++i) {
      const std::size_t b = sz(blocks.coordinate[sz(i)]);
      const double inertia = mass[sz(coupling.find(i, i))];
      least[b] = seen[b] ? std::min(least[b], inertia) : inertia;
      most[b] = std::max(most[b], inertia);
      seen[b] = true;
    }
    for (int i = 0; i < n; ++i) {
      const std::size_t b = sz(blocks.coordinate[sz(i)]);
      units.early[sz(i)] = least[b] > thin_body * most[b];
    }
  }
  std::vector<bool> used(sz(coupling.size()), true);
  if (coupled == Coupled::by_mass && known)
    for (std::size_t e = 0; e < used.size(); ++e) used[e] = mass[e] != 0.0;
  if (coupled == Coupled::by_energies && evaluation.constant_hessian()) {
    const std::vector<double> zero(sz(n), 0.0);
    const double t = 0;
    std::vector<double> A(used.size()), B(A), C(A), D(A);
    evaluation.hessian(1, zero.data(), zero.data(), &t, A.data(), B.data(), C.data(), D.data());
    for (std::size_t e = 0; e < used.size(); ++e) used[e] = A[e] != 0.0 || B[e] != 0.0 || C[e] != 0.0 || D[e] != 0.0;
  }
  std::vector<std::vector<int>> near(sz(n + m));
  const auto link = [&](int i, int j) { near[sz(i)].push_back(j), near[sz(j)].push_back(i); };
  for_each(coupling, [&](int e, int i, int j) {
    if (i == j || used[sz(e)]) link(i, j);
  });
  for_each(jacobian, [&](int, int k, int i) { link(n + k, i); });
  for (int k = 0; k < m; ++k) near[sz(n + k)].push_back(n + k);
  units.pattern = Pattern::of(n + m, near);
  return units;
}

}  // namespace extremal
