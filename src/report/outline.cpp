// The shape of a body, guessed from where things are attached to it and from its inertia.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/scene.hpp"

namespace extremal::report {
namespace {

double distance(const Vec& x, const Vec& y) { return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]); }
double size(const Vec& x) { return distance(x, {}); }
Vec scaled(double c, const Vec& x) { return {c * x[0], c * x[1], c * x[2]}; }

std::vector<Vec> distinct(const std::vector<Vec>& all) {
  double reach = 0;
  for (const Vec& x : all) reach = std::max(reach, size(x));
  std::vector<Vec> kept;
  for (const Vec& x : all)
    if (std::none_of(kept.begin(), kept.end(), [&](const Vec& y) { return distance(x, y) <= 1e-6 * reach; }))
      kept.push_back(x);
  return kept;
}

// sqrt of the mean of x_i^2 over the mass: how far the body reaches along its axes.
Vec spread(const Solid& body) {
  if (body.dimension == 2)
    return {std::sqrt(body.inertia[2] / body.mass / 2), std::sqrt(body.inertia[2] / body.mass / 2), 0};
  const double half = (body.inertia[0] + body.inertia[1] + body.inertia[2]) / 2;
  Vec x{};
  for (std::size_t i = 0; i < 3; ++i) x[i] = std::sqrt(std::max(0.0, half - body.inertia[i]) / body.mass);
  return x;
}

// The half length of a thin rod along u with the body's inertia, or 0 if the body is no rod along u.
double rod_along(const Solid& body, const Vec& u) {
  if (body.dimension == 2) return std::sqrt(3 * body.inertia[2] / body.mass);
  const Vec s = spread(body);
  double along = 0, all = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    along += s[i] * s[i] * u[i] * u[i];
    all += s[i] * s[i];
  }
  return along > 0.95 * all ? std::sqrt(3 * along) : 0;
}

class Builder {
 public:
  Builder(const Scene& scene, const Solid& body) : scene_(scene), body_(body) {}

  void bar(const Vec& from, const Vec& to) {
    out.shapes.push_back({{"kind", "bar"}, {"from", scene_.vector(from)}, {"to", scene_.vector(to)}});
    out.points.push_back(from);
    out.points.push_back(to);
  }

  // A body of revolution is an ellipsoid, another one a box; neither is thinner than what can be seen. On a shaft along
  // u it is flat, like a spinning top: a ball of the same inertia would hide what it turns about.
  void solid(const Vec& u = {}) {
    const Vec s = spread(body_);
    const double most = std::max({s[0], s[1], s[2]});
    const auto alike = [&](std::size_t i, std::size_t j) { return std::fabs(s[i] - s[j]) < 1e-6 * most; };
    const bool round = body_.dimension == 2 || alike(0, 1) || alike(1, 2) || alike(2, 0);
    Vec extent{};
    for (std::size_t i = 0; i < 3; ++i)
      extent[i] = std::max(s[i], 0.08 * most) * (round ? std::sqrt(5.0) : std::sqrt(12.0));
    if (body_.dimension == 2) extent[2] = 0;
    for (std::size_t i = 0; i < 3; ++i)
      if (round && body_.dimension == 3 && std::fabs(u[i]) > 0.999 && alike((i + 1) % 3, (i + 2) % 3))
        extent[i] = std::min(extent[i], 0.3 * extent[(i + 1) % 3]);
    out.shapes.push_back({{"kind", round ? "ellipsoid" : "box"}, {round ? "radii" : "size", scene_.vector(extent)}});
    out.points.push_back({});
    if (!round) return;
    // A turning ball looks like one at rest: it gets an axle across.
    Vec across{};
    const auto free = [&](std::size_t i, std::size_t j) {
      return alike(i, j) && std::fabs(u[i]) + std::fabs(u[j]) < 0.5;
    };
    across[free(0, 1) || body_.dimension == 2 ? 0
           : free(1, 2)                       ? 1
           : free(2, 0)                       ? 2
           : alike(0, 1)                      ? 0
           : alike(1, 2)                      ? 1
                                              : 2] = 1;
    const double reach = 1.12 * (across[0] * extent[0] + across[1] * extent[1] + across[2] * extent[2]);
    out.shapes.push_back({{"kind", "bar"},
                          {"from", scene_.vector(scaled(-reach, across))},
                          {"to", scene_.vector(scaled(reach, across))},
                          {"width", 0.24 * reach}});
    out.points.push_back(scaled(reach, across));
  }

  Outline out;

 private:
  const Scene& scene_;
  const Solid& body_;
};

}  // namespace

Outline outline(const Scene& scene, const Solid& body, const std::vector<Vec>& attached) {
  Builder builder(scene, body);
  std::vector<Vec> points = distinct(attached);
  const double reach =
      std::transform_reduce(points.begin(), points.end(), 0.0, [](double a, double b) { return std::max(a, b); }, size);
  std::erase_if(points, [&](const Vec& x) { return size(x) <= 1e-9 * reach; });  // the centre bounds nothing
  if (points.empty()) {
    builder.solid();
    return builder.out;
  }
  if (points.size() == 1) {
    const Vec& end = points.front();
    const double half = rod_along(body, scaled(1 / size(end), end)), part = half / size(end);
    if (part > 0.75 && part < 1.3) {  // hangs from its end, or from near it
      builder.bar(end, scaled(std::fabs(part - 1) < 0.1 ? -1 : -part, end));
    } else {
      builder.bar(end, body.dimension == 2 ? Vec{} : scaled(-0.35, end));
      builder.solid(scaled(1 / size(end), end));
    }
    return builder.out;
  }
  // The two that are farthest apart; the others are joined to the centre unless they lie between.
  std::size_t from = 0, to = 1;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = i + 1; k < points.size(); ++k)
      if (distance(points[i], points[k]) > distance(points[from], points[to])) from = i, to = k;
  const double length = distance(points[from], points[to]);
  const bool straight = std::all_of(points.begin(), points.end(), [&](const Vec& x) {
    return distance(points[from], x) + distance(x, points[to]) < 1.0001 * length;
  });
  if (straight)
    builder.bar(points[from], points[to]);
  else
    for (const Vec& point : points) builder.bar({}, point);
  return builder.out;
}

}  // namespace extremal::report
