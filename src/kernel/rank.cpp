#include "kernel/rank.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

#include "numbers/index.hpp"

namespace extremal {

namespace {

constexpr int most_named = 64;  // rows whose dependence is followed up

// How far one may go along v until the row of G that changes most has become another: 1 / max |G'| / |G|, which does
// not depend on how large a mechanism is and where it stands. Where no row changes, until a coordinate is as long as
// the largest.
template <class S>
S way_along(NodeSolver<S>& node, const std::vector<S>& q, const std::vector<S>& v, S t) {
  const Pattern& jacobian = node.evaluation().jacobian();
  const int rows = node.evaluation().m();
  std::vector<S> change(sz(jacobian.size())), size(sz(rows), S(0)), turn(sz(rows), S(0));
  node.evaluate_constraints(q.data(), t);
  node.evaluation().bend(q.data(), &t, v.data(), change.data(), nullptr);
  for_each(jacobian, [&](int e, int k, int) {
    size[sz(k)] = math::max(size[sz(k)], math::abs(node.G()[e]));
    turn[sz(k)] = math::max(turn[sz(k)], math::abs(change[sz(e)]));
  });
  S rate(0);
  for (int k = 0; k < rows; ++k)
    if (size[sz(k)] > S(0)) rate = math::max(rate, turn[sz(k)] / size[sz(k)]);
  if (rate > S(0)) return S(1) / rate;
  S fast(0), far(0);
  for (std::size_t i = 0; i < q.size(); ++i)
    fast = math::max(fast, math::abs(v[i])), far = math::max(far, math::abs(q[i]));
  return fast > S(0) ? far / fast : S(0);
}

// The number of dependent rows at a neighbour of q in some direction of the tangent space, or -1 if none was found.
template <class S>
int rank_nearby(NodeSolver<S>& node, const std::vector<S>& q, S t, unsigned seed) {
  const std::size_t n = q.size();
  std::vector<S> p(n), v(n, S(0)), there = q;
  for (S& x : p) {
    seed = seed * 1664525U + 1013904223U;  // any direction will do; always the same ones, so that runs repeat
    x = S(static_cast<double>(seed >> 8) / 16777216.0 - 0.5);
  }
  if (!node.legendre(q.data(), t, p.data(), v.data(), nullptr)) return -1;
  const S far = way_along(node, q, v, t);
  if (!(far > S(0))) return -1;
  for (std::size_t i = 0; i < n; ++i) there[i] += S(0.01) * far * v[i];
  double moved = 0;
  if (!node.nearest_position(there.data(), t, moved)) return -1;
  return static_cast<int>(node.dependent_rows(there.data(), t).size());
}

}  // namespace

std::vector<std::string> site_names(const System& system) {
  std::vector<std::string> names = system.constraint_names();
  std::size_t row = 0;
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint) continue;
    for (int k = 0; k < term->site_count() * term->row_count; ++k, ++row) {
      const std::size_t dot = names[row].rfind('.');
      if ((term->row_count > 1 || !term->site_names.empty()) && dot != std::string::npos &&
          names[row].find_first_not_of("0123456789", dot + 1) == std::string::npos)
        names[row].resize(dot);
    }
  }
  return names;
}

template <class S>
Rank find_rank(const System& system, NodeSolver<S>& node, const std::vector<S>& q, S t, bool nearby) {
  Rank rank;
  node.regularise(0);
  const std::vector<int> rows = node.dependent_rows(q.data(), t);
  if (rows.empty()) return rank;
  rank.eps = node.suitable_eps();
  rank.redundant = static_cast<int>(rows.size());
  const std::vector<std::string> labels = site_names(system);
  std::set<std::string_view> known;
  for (std::size_t k = 0; k < rows.size() && k < most_named; ++k)
    for (const int row : node.dependence(rows[k]))
      if (known.insert(labels[sz(row)]).second) rank.names.push_back(labels[sz(row)]);
  node.regularise(rank.eps);
  if (!nearby) return rank;
  const std::vector<double> scales = node.scales();
  for (unsigned seed = 1; seed <= 3; ++seed)
    if (const int there = rank_nearby(node, q, t, seed); there >= 0 && there < rank.redundant) {
      rank.lost = static_cast<int>(rows.size()) - there;
      rank.redundant = there;
    }
  node.equilibrate(scales);
  node.suitable_eps(rank.eps);
  return rank;
}

bool has_loop(const System& system) {
  const std::vector<int>& group = system.groups();
  if (group.empty()) return false;
  // Bodies, and the ground as the last.
  std::vector<int> parent(sz(group.back()) + 2);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int k) {
    while (parent[sz(k)] != k) k = parent[sz(k)] = parent[sz(parent[sz(k)])];
    return k;
  };
  std::vector<std::pair<int, int>> links;
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint) continue;
    for (int site = 0; site < term->site_count(); ++site) {
      const int rows = term->row_count;
      const bool internal = !term->row_weights.empty() &&
                            std::all_of(term->row_weights.begin() + site * rows,
                                        term->row_weights.begin() + (site + 1) * rows, [](double w) { return w == 0; });
      if (internal) continue;
      const int* i = term->sites.data() + static_cast<std::ptrdiff_t>(site) * term->coordinates;
      int other = static_cast<int>(parent.size()) - 1;
      for (int c = 1; c < term->coordinates; ++c)
        if (group[sz(i[c])] != group[sz(i[0])]) other = group[sz(i[c])];
      links.emplace_back(std::min(group[sz(i[0])], other), std::max(group[sz(i[0])], other));
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  for (const auto& [a, b] : links) {
    const int ra = root(a), rb = root(b);
    if (ra == rb) return true;
    parent[sz(ra)] = rb;
  }
  return false;
}

template Rank find_rank(const System&, NodeSolver<double>&, const std::vector<double>&, double, bool);
template Rank find_rank(const System&, NodeSolver<long double>&, const std::vector<long double>&, long double, bool);
template Rank find_rank(const System&, NodeSolver<quad>&, const std::vector<quad>&, quad, bool);

}  // namespace extremal
