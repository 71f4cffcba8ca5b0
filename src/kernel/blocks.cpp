#include "kernel/blocks.hpp"

#include <algorithm>
#include <map>

namespace extremal {

namespace {
std::size_t sz(int n) { return static_cast<std::size_t>(n); }
// Whether a coordinate has no inertia of its own.
bool has_massless(const System& system) {
  std::vector<bool> inert(sz(system.size()), true);
  for (const auto& term : system.terms())
    if (term->velocity() && term->role != Role::force)
      for (const int i : term->sites) inert[sz(i)] = false;
  return std::find(inert.begin(), inert.end(), true) != inert.end();
}

}  // namespace

Blocks find_blocks(const System& system, const Pattern& coupling, const Pattern& jacobian) {
  const int n = system.size(), m = system.constraint_count();
  Blocks b;
  b.coordinate.assign(sz(n), 0);
  b.constraint.assign(sz(m), 0);
  b.joint.assign(1, false);
  if (n + m <= (has_massless(system) ? massless_rows : dense_rows)) return b;
  b.coordinate = system.groups();
  b.count = n == 0 ? 1 : b.coordinate.back() + 1;
  b.joint.assign(sz(b.count), false);
  // All rows between the same bodies are one joint, which pivots among them.
  int row = 0;
  std::map<std::vector<int>, int> joints;
  std::vector<int> bodies;
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint) continue;
    for (int site = 0; site < term->site_count(); ++site) {
      const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * term->coordinates;
      bodies.clear();
      for (int c = 0; c < term->coordinates; ++c) bodies.push_back(b.coordinate[sz(i[c])]);
      std::sort(bodies.begin(), bodies.end());
      bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
      int block = bodies.front();
      if (bodies.size() > 1) {
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
  return b;
}

}  // namespace extremal
