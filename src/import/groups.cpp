#include "import/groups.hpp"

#include <algorithm>
#include <numeric>

namespace extremal::robots {
namespace {

// Disjoint sets of links; the world is the last one.
struct Sets {
  std::vector<std::size_t> parent;
  explicit Sets(std::size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), std::size_t(0)); }
  std::size_t find(std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent[find(a)] = find(b); }
};

}  // namespace

Groups groups_of(const Robot& robot) {
  const std::size_t n = robot.links.size();
  const auto node = [&](int link) { return link < 0 ? n : static_cast<std::size_t>(link); };
  Sets sets(n + 1);
  for (std::size_t i = 0; i < n; ++i)
    if (robot.links[i].joints.empty()) sets.join(i, node(robot.links[i].parent));
  for (const Loop& loop : robot.loops)
    if (loop.kind == Loop::Kind::fixed) sets.join(node(loop.a.link), node(loop.b.link));
  Groups groups;
  groups.at = poses(robot);
  groups.of.assign(n, 0);
  groups.list.push_back({.name = "ground", .place = {}, .ground = true, .links = {}});
  std::vector<int> of_set(n + 1, -1);
  of_set[sets.find(n)] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int& group = of_set[sets.find(i)];
    if (group < 0) {
      group = static_cast<int>(groups.list.size());
      groups.list.push_back({.name = {}, .place = {}, .links = {}});
    }
    groups.of[i] = group;
    groups.list[static_cast<std::size_t>(group)].links.push_back(static_cast<int>(i));
  }
  for (Group& group : groups.list) {
    if (group.ground) continue;
    // The first that has a mass gives the name and the frame, and alone it keeps the digits of its file.
    const auto heavy = std::find_if(group.links.begin(), group.links.end(),
                                    [&](int link) { return robot.links[static_cast<std::size_t>(link)].mass > 0; });
    if (heavy != group.links.end()) std::rotate(group.links.begin(), heavy, heavy + 1);
    const auto first = static_cast<std::size_t>(group.links[0]);
    const Link& link = robot.links[first];
    group.name = link.name, group.place = link.place, group.at = groups.at[first];
    group.mass = link.mass, group.centre = link.centre, group.inertia = link.inertia;
    for (std::size_t i = 1; i < group.links.size(); ++i) {
      const auto other = static_cast<std::size_t>(group.links[i]);
      const Link& added = robot.links[other];
      const Pose pose = inverse(group.at) * groups.at[other];
      add_mass(group.mass, group.centre, group.inertia, added.mass, point(pose, added.centre),
               turned(added.inertia, pose.turn));
    }
  }
  return groups;
}

}  // namespace extremal::robots
