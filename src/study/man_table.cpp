// Table 3 of [Man2020] and the energy errors behind its figures 2, 3, 5 and 6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/nodes.hpp"
#include "study/tables.hpp"

namespace extremal::study {
namespace {

double largest(const std::vector<quad>& x, const std::vector<quad>& y) {
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) worst = math::max(worst, static_cast<double>(math::abs(x[i] - y[i])));
  return worst;
}

Scheme scheme_of(const std::string& letters, int m) { return Scheme::named(fmt::format("man({}, {})", letters, m)); }

}  // namespace

ManErrors ManMeasured::slope(std::size_t i) const {
  const double refinement = static_cast<double>(steps[i + 1]) / steps[i];
  return {study::slope(errors[i].q, errors[i + 1].q, refinement),
          study::slope(errors[i].p, errors[i + 1].p, refinement)};
}

double ManMeasured::deviation() const {
  double worst = 0;
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) {
    const ManErrors s = slope(i);
    worst = std::max({worst, std::fabs(s.q - scheme.declared.order.q), std::fabs(s.p - scheme.declared.order.p)});
  }
  return worst;
}

State<quad> man_exact(const std::string& name) {
  const Nodes end = nodes<quad>(model(name), Scheme::named("galerkin(12, gauss(12), closure=projected)"), 10, 100, 100);
  return {quad(10), end.q.back(), end.p.back()};
}

std::vector<ManMeasured> man_orders(const std::string& name, int m, const State<quad>& exact, const Control& control) {
  const Model subject = model(name);
  std::vector<ManMeasured> all;
  for (const char* letters : man_letters) {
    ManMeasured out{.letters = letters, .m = m, .scheme = scheme_of(letters, m)};
    const int order = out.scheme.declared.order.q;
    // High orders are asymptotic late and meet the floor of quad precision, and of the exact state, early.
    out.steps = order > 14    ? std::vector{140, 170, 200}
                : order == 14 ? std::vector{140, 200, 280}
                              : std::vector{100, 200, 400};
    for (const int steps : out.steps) {
      const Nodes end = (order <= 6 ? nodes<long double> : nodes<quad>)(subject, out.scheme, 10, steps, steps, control);
      out.errors.push_back({largest(end.q.back(), exact.q), largest(end.p.back(), exact.p), end.energy_error});
    }
    all.push_back(std::move(out));
  }
  return all;
}

double man_energy(const std::string& name, const std::string& letters, int m, const Control& control) {
  const Scheme scheme = scheme_of(letters, m);
  // Errors of order 8 are 1e-12 and more.
  return (scheme.declared.order.q <= 8 ? nodes<long double> : nodes<quad>)(model(name), scheme, 400, 4000, 4000,
                                                                           control)
      .energy_error;
}

}  // namespace extremal::study
