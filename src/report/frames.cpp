// Which rows of a run become frames of its animation.
//
// The page draws a cubic through the positions of four frames and the shorter arc between two rotations. So rows may be
// left out as long as that finds them again; where it does not, fewer of them are shown and not coarser ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/scene.hpp"

namespace extremal::report {
namespace {

// Poses of rows, which are read in blocks.
class Poses {
 public:
  Poses(const Scene& scene, const Table& table) : scene_(scene), table_(table) {
    const std::size_t width = std::max<std::size_t>(1, table.names("q").size());
    block_ = std::clamp<std::size_t>(65536 / width, 1, 1024);
  }

  std::vector<double> at(std::size_t row) {
    if (row < first_ || row >= first_ + count_) {
      first_ = row;
      count_ = std::min(block_, table_.rows() - row);
      q_ = table_.block("q", first_, count_);
      v_ = table_.block("v", first_, count_);
    }
    const std::size_t width = q_.size() / count_, from = (row - first_) * width;
    std::vector<double> poses;
    scene_.pose(q_.data() + from, v_.data() + from, table_.t()[row], poses);
    return poses;
  }

 private:
  const Scene& scene_;
  const Table& table_;
  std::size_t block_ = 1, first_ = 0, count_ = 0;
  std::vector<double> q_, v_;
};

// How far frames `stride` rows apart are from telling the rows between.
struct Miss {
  double position = 0, angle = 0;  // of the size of the motion; between two frames, in radians
  bool bearable() const { return position < 0.001 && angle < 0.7; }
};

double turn(const double* a, const double* b, bool planar) {
  if (planar) return std::fabs(std::remainder(a[2] - b[2], 2 * std::numbers::pi));
  double cosine = 0;
  for (int k = 3; k < 7; ++k) cosine += a[k] * b[k];
  return 2 * std::acos(std::min(1.0, std::fabs(cosine)));
}

Miss miss(Poses& poses, const Scene& scene, std::size_t rows, std::size_t stride) {
  const std::size_t size = scene.pose_size(), D = scene.dimension == 2 ? 2 : 3;
  if (rows < 3 * stride + 1) return {};
  constexpr std::size_t looks = 40;
  const std::size_t last = rows - 1 - 3 * stride;
  Miss result;
  Vec low{}, high{};
  bool first = true;
  for (std::size_t k = 0; k < looks; ++k) {
    // In order, and not in step with whatever is periodic in the run.
    const std::size_t r = last * k / looks + (last / looks) * (k % 7) / 7;
    const auto a = poses.at(r), b = poses.at(r + stride), c = poses.at(r + 2 * stride), d = poses.at(r + 3 * stride),
               middle = poses.at(r + stride + stride / 2);
    const std::size_t half = stride / 2;
    const double s = static_cast<double>(half) / static_cast<double>(stride), s2 = s * s, s3 = s2 * s;
    for (std::size_t body = 0; body < scene.bodies; ++body) {
      const std::size_t o = body * size;
      double error = 0;
      for (std::size_t i = o; i < o + D; ++i) {
        const double cubic = (2 * s3 - 3 * s2 + 1) * b[i] + (3 * s2 - 2 * s3) * c[i] +
                             (s3 - 2 * s2 + s) * (c[i] - a[i]) / 2 + (s3 - s2) * (d[i] - b[i]) / 2;
        error = std::hypot(error, cubic - middle[i]);
        low[i - o] = first ? b[i] : std::min(low[i - o], b[i]);
        high[i - o] = first ? b[i] : std::max(high[i - o], b[i]);
      }
      first = false;
      result.position = std::max(result.position, error);
      result.angle = std::max(result.angle, turn(b.data() + o, c.data() + o, scene.dimension == 2));
    }
  }
  const double extent = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (extent > 0) result.position /= extent;
  return result;
}

// About so many frames: fewer for many bodies, as a page should stay below some ten megabytes.
std::size_t most_frames(std::size_t bodies) {
  return std::clamp<std::size_t>(100000 / std::max<std::size_t>(1, bodies), 240, 1500);
}

Vec place(const std::vector<double>& poses, const Scene& scene, const Scene::Tracked& tracked) {
  const double* p = poses.data() + static_cast<std::size_t>(tracked.body) * scene.pose_size();
  const auto& [x, y, z] = tracked.point;
  if (scene.dimension == 2) {
    const double c = std::cos(p[2]), s = std::sin(p[2]);
    return {p[0] + c * x - s * y, p[1] + s * x + c * y, 0};
  }
  // v + 2 u x (u x v + w v), u the vector part.
  const double w = p[3], i = p[4], j = p[5], k = p[6];
  const double a = j * z - k * y + w * x, b = k * x - i * z + w * y, c = i * y - j * x + w * z;
  return {p[0] + x + 2 * (j * c - k * b), p[1] + y + 2 * (k * a - i * c), p[2] + z + 2 * (i * b - j * a)};
}

// The points with the longest ways, one of a body.
void add_trails(Scene& scene, const std::vector<std::vector<double>>& frames) {
  std::vector<std::pair<double, const Scene::Tracked*>> ways;
  for (const Scene::Tracked& tracked : scene.tracked) {
    double way = 0;
    for (std::size_t f = 1; f < frames.size(); ++f) {
      const Vec a = place(frames[f - 1], scene, tracked), b = place(frames[f], scene, tracked);
      way += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    }
    ways.emplace_back(way, &tracked);
  }
  while (!ways.empty() && scene.parts["trails"].size() < scene.trails) {
    const double longest = std::max_element(ways.begin(), ways.end())->first;
    if (!(longest > 0)) break;
    // Of ways that are equally long, as in a parallelogram, the first.
    const Scene::Tracked* tracked =
        std::find_if(ways.begin(), ways.end(), [&](const auto& way) { return way.first >= 0.999 * longest; })->second;
    std::erase_if(ways, [&](const auto& way) { return way.second->body == tracked->body; });
    Json trail = {{"body", tracked->body}, {"point", scene.vector(tracked->point)}};
    const Json& body = scene.parts["bodies"][static_cast<std::size_t>(tracked->body)];
    trail["name"] = body["name"];
    trail["colour"] = (body.contains("colour") ? body["colour"].get<int>() : tracked->body) % 7;
    scene.add("trails", std::move(trail));
  }
}

}  // namespace

Json framed(Scene scene, const Table& table, std::vector<std::string>& notes) {
  Poses poses(scene, table);
  const std::size_t rows = table.rows(), most = most_frames(scene.bodies);
  std::size_t stride = 1;
  while (stride * most < rows && miss(poses, scene, rows, 2 * stride).bearable()) stride *= 2;
  if (const std::size_t enough = (rows + most - 1) / most; stride > enough) stride = enough;
  const std::size_t frames = std::min((rows + stride - 1) / stride, most);
  std::vector<double> t;
  std::vector<std::vector<double>> all;
  const auto add = [&](std::size_t row) {
    t.push_back(table.t()[row]);
    all.push_back(poses.at(row));
  };
  for (std::size_t f = 0; f < frames; ++f) add(f * stride);
  if (frames * stride >= rows && (frames - 1) * stride + 1 < rows) add(rows - 1);
  if (frames * stride < rows)
    notes.push_back(fmt::format("the animation shows t = {:.6g} to {:.6g}, the plots all of the run to {:.6g}",
                                t.front(), t.back(), table.t().back()));
  if (rows > 8 && !miss(poses, scene, rows, 2).bearable())
    notes.push_back("the output is too coarse for an animation: between two outputs the motion is a guess");
  add_trails(scene, all);
  std::vector<double> flat;
  for (const auto& frame : all) flat.insert(flat.end(), frame.begin(), frame.end());
  scene.parts["frames"] = {{"t", f64(t)}, {"poses", f32(flat)}};
  return scene.parts;
}

}  // namespace extremal::report
