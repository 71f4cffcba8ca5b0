// The area of a set of starts that steps carry along [LewMata2016, figure 11].
//
// The boundary of a rectangle is four smooth curves, and stays so. Each is cut into panels of polynomials through
// Lobatto points, of which the integral of p . dq is exact; panels are doubled until it has settled.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "extremal/error.hpp"
#include "extremal/study.hpp"
#include "model/changes.hpp"
#include "run/span.hpp"
#include "words/grammar.hpp"

namespace extremal::study {
namespace {

constexpr int degree = 8;                           // of a panel
constexpr int fewest_panels = 2, most_panels = 64;  // of a side
constexpr double settled = 1e-10;                   // of the area
constexpr double round_off = 1e-12;                 // of the area, times the root of the number of steps
constexpr double of_sums = 1e-14;                   // the same of the integral of |p| |dq|, parts of which cancel
constexpr double no_area = 1e-8;                    // of that integral
constexpr double resolved = 1e-4;                   // floor of changes above which nothing is said of them

using States = std::vector<State<double>>;

struct Corner {
  double x, y;  // fractions of the two sides
};
constexpr Corner corners[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};

// The integral of l_i l_k' over a panel.
std::vector<double> pairing() {
  const std::vector<quad> points = control_points(Points::lobatto, degree);
  const Quadrature rule = quadrature(Rule{.nodes = degree});
  const BasisTable basis = lagrange_basis(points, rule.nodes);
  std::vector<double> all;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t k = 0; k < points.size(); ++k) {
      quad sum = 0;
      for (std::size_t e = 0; e < rule.nodes.size(); ++e)
        sum += rule.weights[e] * basis.values[e][i] * basis.slopes[e][k];
      all.push_back(static_cast<double>(sum));
    }
  return all;
}

// Along a closed curve of panels that share their ends.
double enclosed(const States& boundary) {
  static const std::vector<double> weights = pairing();
  constexpr std::size_t width = degree + 1;
  double sum = 0;
  for (std::size_t first = 0; first + 1 < boundary.size(); first += degree)
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t k = 0; k < width; ++k) {
        const std::vector<double>&p = boundary[first + i].p, &q = boundary[first + k].q;
        double product = 0;
        for (std::size_t a = 0; a < q.size(); ++a) product += p[a] * q[a];
        sum += weights[i * width + k] * product;
      }
  return sum;
}

// The integral of |p| |dq|, coordinate by coordinate: what the area could be.
double reach(const States& boundary) {
  double sum = 0;
  for (std::size_t k = 0; k + 1 < boundary.size(); ++k)
    for (std::size_t a = 0; a < boundary[k].q.size(); ++a)
      sum += std::fabs(boundary[k].p[a] * (boundary[k + 1].q[a] - boundary[k].q[a]));
  return sum;
}

class Flow {
 public:
  Flow(const Model& model, const Scheme& scheme, const StartBox& box, const AreaOptions& options)
      : model_(model),
        box_(box),
        options_(options),
        stepper_(model.system, scheme),
        steps_(whole_steps<double>(model.start.t, model.span)),
        lengths_(step_lengths<double>(model.span)) {
    if (options.looks < 1 || steps_ < options.looks)
      throw InputError(fmt::format("study area: found {} looks at {} steps; expected from 1 to as many as there are",
                                   options.looks, steps_));
    for (const StartBox::Side* side : {&box.first, &box.second}) {
      const auto found = find_start(model.system, side->name);
      if (!found || found->kind == StartPlace::Kind::next || found->kind == StartPlace::Kind::t)
        throw InputError("study area: " + unknown("coordinate", side->name, model.system.coordinate_names()) +
                         " (v: and p: of each)");
      places_.push_back(*found);
    }
    if (places_[0].kind == places_[1].kind && places_[0].index == places_[1].index)
      throw InputError("study area: found " + box.first.name + " twice; expected two numbers of a start");
  }

  // The boundaries at all looks, by so many panels a side.
  std::vector<States> boundaries(int panels) {
    const std::vector<quad> points = control_points(Points::lobatto, degree);
    std::vector<States> all(static_cast<std::size_t>(options_.looks) + 1);
    for (int side = 0; side < 4; ++side)
      for (int panel = 0; panel < panels; ++panel)
        for (int i = side + panel == 0 ? 0 : 1; i <= degree; ++i) {
          const quad s = (quad(panel) + points[static_cast<std::size_t>(i)]) / panels;
          const Corner &from = corners[side], &to = corners[side + 1];
          follow(from.x + s * (to.x - from.x), from.y + s * (to.y - from.y), all);
        }
    return all;
  }

  // The value of one of the two numbers in a state.
  double value(int which, const State<double>& state) {
    const StartPlace& place = places_[static_cast<std::size_t>(which)];
    if (place.kind == StartPlace::Kind::position) return state.q[place.index];
    if (place.kind == StartPlace::Kind::momentum) return state.p[place.index];
    stepper_.observe(state, seen_, false);
    return seen_.v[place.index];
  }
  double root_of_steps() const { return std::sqrt(static_cast<double>(steps_)); }

 private:
  void follow(quad x, quad y, std::vector<States>& all) {
    if (options_.control.stop != nullptr && options_.control.stop->load(std::memory_order_relaxed)) throw Interrupted();
    Start start = model_.start;
    const auto coordinates = static_cast<std::size_t>(model_.system.size());
    const auto between = [](const StartBox::Side& side, quad s) {
      return Number::exactly(side.from.as<quad>() + s * (side.to.as<quad>() - side.from.as<quad>()));
    };
    place(start, places_[0], between(box_.first, x), coordinates);
    place(start, places_[1], between(box_.second, y), coordinates);
    stepper_.start(start, lengths_.front());
    all[0].push_back(stepper_.state());
    long long k = 0;
    for (std::size_t look = 1; look < all.size(); ++look) {
      for (const long long to = steps_ * static_cast<long long>(look) / options_.looks; k < to; ++k)
        if (const StepReport report = stepper_.step(lengths_[static_cast<std::size_t>(k) % lengths_.size()]);
            !report.converged)
          throw Failed(fmt::format("study area: {} from {} = {:.6g}, {} = {:.6g}: step {} failed: {}",
                                   model_.system.name(), box_.first.name, value(0, all[0].back()), box_.second.name,
                                   value(1, all[0].back()), k + 1, report.worst));
      all[look].push_back(stepper_.state());
    }
  }

  const Model& model_;
  const StartBox& box_;
  const AreaOptions& options_;
  Stepper<double> stepper_;
  const long long steps_;
  const std::vector<double> lengths_;
  std::vector<StartPlace> places_;
  Observation<double> seen_;
};

AreaSeries followed(const Model& model, const Scheme& scheme, const StartBox& box, const AreaOptions& options) {
  Flow flow(model, scheme, box, options);
  AreaSeries series{
      .scheme = scheme,
      .box = box,
      .declared = model.system.constraint_count() > 0 ? scheme.declared.symplectic : scheme.declared.symplectic_free,
      .forced = model.system.has(Role::force),
      .looks = {}};
  std::vector<double> before;
  for (int panels = fewest_panels; panels <= most_panels; panels *= 2) {
    const std::vector<States> all = flow.boundaries(panels);
    series.looks.clear();
    double most = 0;
    for (const States& boundary : all) {
      most = std::max(most, reach(boundary));
      AreaLook look{.t = boundary.front().t, .area = enclosed(boundary), .floor = 0, .x = {}, .y = {}};
      for (const State<double>& state : boundary) {
        look.x.push_back(flow.value(0, state));
        look.y.push_back(flow.value(1, state));
      }
      series.looks.push_back(std::move(look));
    }
    // As it is gone around the area may be negative.
    const double sign = series.looks.front().area < 0 ? -1 : 1, area = std::fabs(series.looks.front().area);
    const double size = series.size = area > no_area * most ? area : most;
    double worst = 0;
    for (std::size_t k = 0; k < series.looks.size(); ++k) {
      AreaLook& look = series.looks[k];
      look.area *= sign;
      look.floor = before.empty()
                       ? size
                       : std::fabs(look.area - before[k]) + (round_off * size + of_sums * most) * flow.root_of_steps();
      worst = std::max(worst, look.floor);
    }
    if (worst <= settled * size) break;
    before.clear();
    for (const AreaLook& look : series.looks) before.push_back(look.area);
  }
  return series;
}

}  // namespace

double AreaSeries::change() const {
  double most = 0;
  for (const AreaLook& look : looks) most = std::max(most, std::fabs(look.area - looks.front().area));
  return size > 0 ? most / size : 0;
}

double AreaSeries::floor() const {
  double most = 0;
  for (const AreaLook& look : looks) most = std::max(most, look.floor);
  return size > 0 ? most / size : 0;
}

AreaVerdict AreaSeries::verdict() const {
  if (forced) return AreaVerdict::forced;
  if (!(floor() <= resolved)) return AreaVerdict::not_resolved;
  return change() <= floor() ? AreaVerdict::keeps : AreaVerdict::changes;
}

std::string AreaSeries::told() const {
  switch (verdict()) {
    case AreaVerdict::keeps:
      return "keeps its area";
    case AreaVerdict::changes:
      return declared ? "FAILS" : "changes its area";
    case AreaVerdict::not_resolved:
      return fmt::format("not measured: folded too much for {} polynomials a side", most_panels);
    case AreaVerdict::forced:
      break;
  }
  return "not asked: forces do work";
}

bool AreaStudy::holds() const {
  return std::all_of(series.begin(), series.end(), [](const AreaSeries& one) { return one.holds(); });
}

AreaStudy area(const Model& model, const std::vector<Scheme>& schemes, const std::vector<StartBox>& boxes,
               const AreaOptions& options) {
  AreaStudy out{.model = model.system.name(), .step = model.span.step, .until = model.span.until, .series = {}};
  const auto parts = static_cast<double>(schemes.size() * boxes.size());
  for (const Scheme& scheme : schemes)
    for (const StartBox& box : boxes) {
      out.series.push_back(followed(model, scheme, box, options));
      if (options.control.progress) options.control.progress(static_cast<double>(out.series.size()) / parts);
    }
  return out;
}

}  // namespace extremal::study
