#include "run/start_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bodies/body_poses.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

constexpr std::size_t most_changes = 6;

struct StartChange {
  std::string name;
  double before, after;
  double size() const { return std::fabs(after - before); }
};

// Of a vector the component that changed most.
void compare(const std::string& name, const lie::Vec3<double>& before, const lie::Vec3<double>& after, double scale,
             std::vector<StartChange>& out) {
  const double x[] = {before.x, before.y, before.z}, y[] = {after.x, after.y, after.z};
  std::size_t most = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::fabs(y[k] - x[k]) > std::fabs(y[most] - x[most])) most = k;
  StartChange change{fmt::format("{}.{}", name, "xyz"[most]), x[most], y[most]};
  if (change.size() > 1e-6 * std::max(scale, std::fabs(x[most]))) out.push_back(std::move(change));
}

double longest(const std::vector<double>& list) {
  double most = 0;
  for (const double x : list) most = std::max(most, std::fabs(x));
  return most;
}

}  // namespace

std::vector<std::string> start_changes(const System& system, const Start& asked, const std::vector<double>& q,
                                       const std::vector<double>& v) {
  const std::size_t n = sz(system.size());
  if (asked.q.size() != n) return {};
  std::vector<double> q0, v0;
  for (const Number& x : asked.q) q0.push_back(x.as<double>());
  for (const Number& x : asked.v) v0.push_back(x.as<double>());
  const bool moving = v0.size() == n;
  if (!moving) v0 = v;
  const double length = longest(q0), speed = longest(v0);
  std::vector<StartChange> all;
  if (system.rigid() == nullptr || system.rigid()->bodies.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::string& name = system.coordinate_names()[i];
      const StartChange place{name, q0[i], q[i]}, rate{name + "'", v0[i], v[i]};
      if (place.size() > 1e-6 * length) all.push_back(place);
      if (moving && rate.size() > 1e-6 * speed) all.push_back(rate);
    }
  } else {
    const BodyPoses<double> poses(*system.rigid());
    for (std::size_t b = 0; b < poses.names().size(); ++b) {
      const BodyPose<double> before = poses.at(b, q0.data(), v0.data()), after = poses.at(b, q.data(), v.data());
      const std::string& name = poses.names()[b];
      compare(name + ".position", before.position, after.position, length, all);
      const double turn =
          2 * std::acos(std::min(
                  1.0, std::fabs(before.rotation.w * after.rotation.w + before.rotation.x * after.rotation.x +
                                 before.rotation.y * after.rotation.y + before.rotation.z * after.rotation.z)));
      if (turn > 1e-6) all.push_back({name + ", turned", 0, turn});
      if (!moving) continue;
      compare(name + ".velocity", before.velocity, after.velocity, speed, all);
      compare(name + ".omega", before.omega, after.omega, speed, all);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const StartChange& a, const StartChange& b) { return a.size() > b.size(); });
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < std::min(most_changes, all.size()); ++k)
    texts.push_back(fmt::format("start: {} was {:.6g} and is {:.6g}", all[k].name, all[k].before, all[k].after));
  if (all.size() > most_changes) texts.push_back(fmt::format("start: {} more changed", all.size() - most_changes));
  return texts;
}

}  // namespace extremal
