// Derivatives of the user's terms: analytic gradients against automatic ones, automatic gradients and Hessians against
// central differences of order eight in quad. A difference carries its own error bar: the floor is what halving its
// step changes, and eps |f| / step.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "check/probe.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {

namespace laws {
namespace {

// Sites of a term differ by their coordinates and constants only.
constexpr int points = 3, most_sites = 6, most_variables = 64;

struct Point {
  Vector q, v, parameters;
  quad t = 0;
  Nodes<quad> nodes() const { return {1, static_cast<int>(q.size()), q.data(), v.data(), &t, parameters.data()}; }
};

// What one term returns: values [site][row], gradients [site][row][variable].
struct Output {
  Vector value, gradient;
};

class TermProbe {
 public:
  TermProbe(const System& system, const Term& term)
      : system_(system),
        term_(term),
        automatic_(term.automatic()),
        sites_(std::min({term.site_count(), most_sites, std::max(1, most_variables / term.variables)})) {
    automatic_->sites.resize(sz(sites_ * term.coordinates));
  }

  void look(Point& point);
  Law law(const std::string& name) const {
    Law result{.name = name, .declared = "yes", .measured = "yes", .defect = worst_, .floor = floor_, .holds = !found_};
    if (found_) result.measured = "no: " + where_ + ", " + scientific(worst_);
    return result;
  }

 private:
  Output output(const Term& term, const Point& point) const {
    const auto rows = sz(term.site_count() * term_.row_count);
    Output out{Vector(rows), Vector(rows * sz(term_.variables))};
    term.at<quad>().gradient(point.nodes(), out.value.data(), out.gradient.data());
    return out;
  }
  // The place in `point` of a variable of a site.
  quad& variable(Point& point, int site, int index) const {
    const int N = term_.coordinates;
    if (index == term_.variables - 1 && term_.uses_time) return point.t;
    const int i = term_.sites[sz(site * N + index % N)];
    return index < N ? point.q[sz(i)] : point.v[sz(i)];
  }
  std::string variable_name(int site, int index) const {
    const int N = term_.coordinates;
    if (index == term_.variables - 1 && term_.uses_time) return "t";
    return (index < N ? "" : "v:") + system_.coordinate_names()[sz(term_.sites[sz(site * N + index % N)])];
  }
  // A wrong derivative has wrong ones of its own, of a higher rank: the lowest is told.
  void compare(int rank, quad found, quad expected, quad floor, const std::string& what) {
    const quad defect = math::abs(found - expected);
    const bool wrong = !(defect <= floor);
    if (found_ && rank > rank_) return;
    // The worst is the one that is furthest above its floor.
    const bool worse = static_cast<double>(defect) * floor_ >= worst_ * static_cast<double>(floor);
    if ((wrong && (!found_ || rank < rank_)) || (wrong == found_ && worse)) {
      worst_ = static_cast<double>(defect);
      floor_ = static_cast<double>(floor);
      where_ = what;
      found_ = wrong;
      rank_ = rank;
    }
  }

  const System& system_;
  const Term& term_;
  const std::unique_ptr<Term> automatic_;  // at the first sites
  const int sites_;
  double worst_ = 0, floor_ = 0;
  bool found_ = false;
  int rank_ = 0;
  std::string where_;
};

void TermProbe::look(Point& point) {
  const int M = term_.variables, R = term_.row_count, packed = M * (M + 1) / 2;
  const Output exact = output(*automatic_, point);
  const quad slope = largest(exact.gradient), eps = quad(operations) * Scalar<quad>::epsilon;
  // What a value is summed from: a constraint cancels to zero where it holds, so that its value alone is no measure.
  const quad extent = math::max(largest(point.q), largest(point.v));
  const quad size = math::max(largest(exact.value), slope * extent);
  if (!math::finite(size) || !math::finite(slope)) return;  // outside of the term's domain
  const auto entry = [&](int site, int row, int i) { return sz((site * R + row) * M + i); };

  // Both sum the same kind of products: eps times the largest of them.
  if (term_.analytic) {
    const Output own = output(term_, point);
    for (int site = 0; site < sites_; ++site)
      for (int row = 0; row < R; ++row)
        for (int i = 0; i < M; ++i)
          compare(0, own.gradient[entry(site, row, i)], exact.gradient[entry(site, row, i)], eps * (slope + size),
                  "analytic d/d" + variable_name(site, i));
  }

  constexpr int reach = 4;
  const quad c[reach] = {quad(4) / quad(5), quad(-1) / quad(5), quad(4) / quad(105), quad(-1) / quad(280)};
  // The second derivatives of the rows, each at all sites.
  std::vector<Vector> hessians;
  for (int row = 0; row < R; ++row) {
    Vector weights(exact.value.size());
    for (int site = 0; site < sites_; ++site) weights[sz(site * R + row)] = 1;
    hessians.emplace_back(sz(sites_ * packed));
    automatic_->at<quad>().hessian(point.nodes(), weights.data(), hessians.back().data());
  }
  for (int site = 0; site < sites_; ++site)
    for (int i = 0; i < M; ++i) {
      quad& x = variable(point, site, i);
      const quad here = x;
      // d/dx of all values and gradients of the site's rows at once, with step and half step.
      const auto difference = [&](quad step) {
        Output d{Vector(exact.value.size()), Vector(exact.gradient.size())};
        for (int j = 1; j <= reach; ++j)
          for (const int side : {1, -1}) {
            x = here + quad(side * j) * step;
            const Output f = output(*automatic_, point);
            for (std::size_t k = 0; k < f.value.size(); ++k) d.value[k] += quad(side) * c[j - 1] * f.value[k] / step;
            for (std::size_t k = 0; k < f.gradient.size(); ++k)
              d.gradient[k] += quad(side) * c[j - 1] * f.gradient[k] / step;
          }
        x = here;
        return d;
      };
      const quad step = quad(1e-3) * math::max(math::abs(here), quad(0.1));
      const Output coarse = difference(step), fine = difference(step / quad(2));
      for (int row = 0; row < R; ++row) {
        const auto value = sz(site * R + row);
        // Order eight: halving divides the error by 256, of which 16 are claimed.
        const auto floor = [&](quad a, quad b, quad magnitude) {
          return math::abs(a - b) / quad(16) + eps * magnitude / step;
        };
        compare(1, exact.gradient[entry(site, row, i)], fine.value[value],
                floor(coarse.value[value], fine.value[value], size), "d/d" + variable_name(site, i));
        const Vector& hessian = hessians[sz(row)];
        // The same for the gradient, which cancels where a spring is at rest.
        const quad slope_size = math::max(slope, largest(hessian) * extent);
        for (int k = 0; k < M; ++k) {
          const auto e = entry(site, row, k);
          compare(2, hessian[sz(site * packed + packed_index(i, k))], fine.gradient[e],
                  floor(coarse.gradient[e], fine.gradient[e], slope_size),
                  "d2/d" + variable_name(site, i) + " d" + variable_name(site, k));
        }
      }
    }
}

}  // namespace
}  // namespace laws

std::vector<Law> law::derivatives(const System& system, const Start& start) {
  using namespace laws;
  const auto n = static_cast<std::size_t>(system.size());
  if (start.q.size() != n)
    throw InputError(fmt::format("start of \"{}\": {} positions; expected {}", system.name(), start.q.size(), n));
  std::map<std::string, int> seen;
  std::vector<Law> result;
  for (const auto& term : system.terms()) {
    TermProbe probe(system, *term);
    Dice dice;
    for (int k = 0; k < points; ++k) {
      Point point;
      point.t = start.t.as<quad>() + dice();
      for (const Number& x : system.parameters()) point.parameters.push_back(x.as<quad>());
      for (const Number& x : start.q) point.q.push_back(x.as<quad>());
      for (std::size_t i = 0; i < n; ++i) {
        point.q[i] += quad(0.1) * math::max(math::abs(point.q[i]), quad(0.1)) * dice();
        point.v.push_back((start.v.size() == n ? start.v[i].as<quad>() : quad(0)) + dice());
      }
      probe.look(point);
    }
    // Energy terms share the names of their roles.
    const int number = ++seen[term->name];
    result.push_back(
        probe.law("derivatives of \"" + term->name + (number > 1 ? " " + std::to_string(number) : "") + "\""));
  }
  return result;
}

}  // namespace extremal
