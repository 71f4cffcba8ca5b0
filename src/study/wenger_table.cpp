// Tables 1 and 2 of [Wenger2017].
//
// p^ = D_{s+1} L_d, without the last multiplier, is carried; the next step returns the total multiplier T of the node,
// with the weight h e_1. Then lambda_k = T / 2 and p_k = p^ - h e_1 G^T T / 2 for the nodes k = 1..N-1; at the last
// node they do not exist. Errors are 2-norms, the largest over the nodes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "study/nodes.hpp"
#include "study/tables.hpp"

namespace extremal::study {
namespace {

const std::map<std::string, int> end_times{
    {"pendulum", 2}, {"double-pendulum-3d", 1}, {"spring-pendulum", 4}, {"triple-pendulum", 4}};

template <class S>
void add(WengerMeasured& out, const Model& m, int end, int steps, const Nodes& exact, const Control& control) {
  const Nodes v = nodes<S>(m, out.cell.variational(), end, steps, 1, control),
              p = nodes<S>(m, out.cell.projected(), end, steps, 1, control);
  const Errors a = errors(v, exact), b = errors(p, exact);
  out.errors.push_back({a.q, a.p, a.lambda, b.p, b.lambda});
  out.gauge.push_back(position_error(v, p) / static_cast<double>(Scalar<S>::epsilon));
}

}  // namespace

Scheme WengerCell::variational() const { return Scheme::named(fmt::format("wenger({}, {}, {}({}))", s, w, rule, r)); }

Scheme WengerCell::projected() const {
  return Scheme::named(fmt::format("galerkin({}, {}({}), w={}, closure=projected)", s, rule, r, w));
}

std::vector<WengerCell> wenger_cells() {
  constexpr int most = 6;
  std::vector<WengerCell> all;
  for (const std::string rule : {"gauss", "lobatto"}) {
    const bool gauss = rule == "gauss";
    for (int w = 1; w <= most; ++w)
      for (int s = w; s <= most; ++s)
        for (int r = gauss ? s : std::max(2, s); r <= (gauss ? most : most + 1); ++r) all.push_back({rule, w, s, r});
  }
  return all;
}

std::vector<WengerRow> wenger_rows() {
  std::vector<WengerRow> all;
  for (const auto& [model, end] : end_times)
    for (const char* rule : {"gauss", "lobatto"})
      for (int w = 1; w <= 6; ++w) all.push_back({model, rule, w});
  return all;
}

std::vector<FiveErrors> WengerMeasured::slopes() const {
  std::vector<FiveErrors> all;
  for (std::size_t k = 1; k < errors.size(); ++k) {
    const double refinement = static_cast<double>(steps[k]) / steps[k - 1];
    FiveErrors one{};
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = slope(errors[k - 1][i], errors[k][i], refinement);
    all.push_back(one);
  }
  return all;
}

double WengerMeasured::deviation() const {
  double worst = 0;
  for (const FiveErrors& one : slopes())
    for (std::size_t i = 0; i < one.size(); ++i) worst = math::max(worst, std::fabs(one[i] - declared[i]));
  return worst;
}

std::vector<WengerMeasured> measure(const WengerRow& row, const Control& control) {
  const Model m = model(row.model);
  const int end = end_times.at(row.model);
  // With w = 6 the multipliers of the double and of the triple pendulum are asymptotic later than everything else.
  const bool late = row.w == 6 && (row.model == "double-pendulum-3d" || row.model == "triple-pendulum");
  const std::vector<int> counts = late ? std::vector{80, 160, 320} : std::vector{40, 80, 160};
  const Nodes exact =
      nodes<quad>(m, Scheme::named("galerkin(10, gauss(10), closure=projected)"), end, counts.back(), 1, control);
  std::vector<WengerMeasured> all;
  for (const WengerCell& cell : wenger_cells()) {
    if (cell.rule != row.rule || cell.w != row.w) continue;
    const Order declared = cell.variational().declared.order, projected = cell.projected().declared.order;
    // Errors down to 1e-13 leave long double enough digits, smaller ones do not.
    const bool coarse = declared.q <= 6;
    WengerMeasured out{.cell = cell,
                       .precision = coarse ? Scalar<long double>::name : Scalar<quad>::name,
                       .declared = {declared.q, declared.p, declared.lambda, projected.p, projected.lambda},
                       .steps = counts};
    for (const int steps : counts) (coarse ? add<long double> : add<quad>)(out, m, end, steps, exact, control);
    all.push_back(std::move(out));
  }
  return all;
}

}  // namespace extremal::study
