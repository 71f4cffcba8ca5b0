#include "scheme/constraint_points.hpp"

#include "scheme/members.hpp"

namespace extremal {
namespace {

// Decimal points are as good as the digits of a double: an order that is lost below that is not lost.
constexpr double same_point = 1e-14;

}  // namespace

ConstraintPoints read_constraint_points(const std::string& text, int degree) {
  const Call call(text);
  ConstraintPoints points;
  if (call.name != "at") {
    points.kind =
        read_word<Points>("constraint points", text, {Points::lobatto, Points::equidistant, Points::chebyshev});
    return points;
  }
  const Usage usage{"points=at(a_1, .., 1)", degree == 1 ? "points=at(1)" : "points=at(0.3, 1)"};
  if (call.arguments.size() != static_cast<std::size_t>(degree))
    refuse(usage.form, std::to_string(call.arguments.size()) + " points with degree " + std::to_string(degree),
           std::to_string(degree) + ": q has so many values to choose in a step, and with the " +
               std::to_string(degree + 1) + " values of lambda the equations are as many as the unknowns",
           usage.example);
  quad last = 0;
  for (const std::string& one : positional(call, static_cast<std::size_t>(degree), usage)) {
    const Number a(one);
    if (!(a.as<quad>() > last + quad(same_point)))
      refuse(usage.form, "a = " + one,
             "points that ascend from above 0: where two are the same, or one is the start, the equations are singular",
             usage.example);
    last = a.as<quad>();
    points.list.push_back(a);
  }
  if (last != 1)
    refuse(usage.form, "a last point of " + points.list.back().text(),
           "1: g = 0 has to hold where the next step starts", usage.example);
  return points;
}

std::string to_text(const ConstraintPoints& points) {
  if (points.kind) return to_text(*points.kind);
  std::string text = "at(";
  for (const Number& a : points.list) text += (text.size() > 3 ? ", " : "") + a.text();
  return text + ")";
}

std::vector<quad> constraint_points(const Galerkin& galerkin) {
  const ConstraintPoints& own = galerkin.points;
  if (own.list.empty()) return control_points(own.kind.value_or(galerkin.control), galerkin.degree);
  std::vector<quad> points{0};
  for (const Number& a : own.list) points.push_back(a.as<quad>());
  return points;
}

int interpolation_order(const std::vector<quad>& points) {
  // The weights are integrals of the cardinal functions, of degree points - 1.
  const int count = static_cast<int>(points.size());
  Rule exact;
  exact.nodes = count;
  const Quadrature rule = quadrature(exact);
  const BasisTable basis = lagrange_basis(points, rule.nodes);
  std::vector<quad> powers(points.size(), 0);
  for (std::size_t k = 0; k < points.size(); ++k)
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) powers[k] += rule.weights[i] * basis.values[i][k];
  for (int degree = 0; degree < 2 * count; ++degree) {
    quad defect = -quad(1) / (degree + 1);
    for (std::size_t k = 0; k < points.size(); ++k) {
      defect += powers[k];
      powers[k] *= points[k];
    }
    if (math::abs(defect) > quad(same_point)) return degree;
  }
  return 2 * count;
}

bool symmetric(const std::vector<quad>& points) {
  for (std::size_t k = 0; k < points.size(); ++k)
    if (math::abs(points[k] + points[points.size() - 1 - k] - 1) > quad(same_point)) return false;
  return true;
}

ConstraintPoints mirrored(const ConstraintPoints& points) {
  std::vector<quad> all{0};
  for (const Number& a : points.list) all.push_back(a.as<quad>());
  if (points.list.empty() || symmetric(all)) return points;
  ConstraintPoints result;
  for (std::size_t k = points.list.size() - 1; k-- > 0;)
    result.list.push_back(Number("1-(" + points.list[k].text() + ")"));
  result.list.push_back(1);
  return result;
}

}  // namespace extremal
