#include "study/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "check/probe.hpp"
#include "extremal/error.hpp"
#include "numbers/with_scalar.hpp"

namespace extremal::study {
namespace {

// The largest 2-norm of a difference over the nodes 1..last.
double largest(const std::vector<std::vector<quad>>& x, const std::vector<std::vector<quad>>& exact, std::size_t last) {
  const std::size_t stride = (exact.size() - 1) / (x.size() - 1);
  quad worst(0);
  for (std::size_t k = 1; k <= last; ++k) {
    quad sum(0);
    for (std::size_t i = 0; i < x[k].size(); ++i) {
      const quad d = x[k][i] - exact[k * stride][i];
      sum += d * d;
    }
    worst = math::max(worst, sum);
  }
  return static_cast<double>(math::sqrt(worst));
}

template <class S>
double relative(S change, S initial) {
  return static_cast<double>(initial == S(0) ? math::abs(change) : math::abs(change / initial));
}

}  // namespace

Number step_of(const Model& model, const Number& until, int steps) {
  return fmt::format("(({}) - ({}))/{}", until.text(), model.start.t.text(), steps);
}

Number usual_end(const Model& model, const Number& until) {
  if (until != Number(0)) return until;
  return model.start.t.as<double>() + 40 * model.span.step.as<double>();
}

void check_steps(const std::vector<int>& steps, std::size_t least) {
  if (steps.size() < least)
    throw InputError(fmt::format("steps: found {}; expected {} numbers of steps or more; try 20 40 80 160",
                                 steps.empty() ? "none" : fmt::format("{}", fmt::join(steps, " ")), least));
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] < 1 || (i > 0 && steps[i] <= steps[i - 1]))
      throw InputError(fmt::format("steps: found {}; expected numbers of steps that ascend; try 20 40 80 160",
                                   fmt::join(steps, " ")));
}

int common_nodes(const std::vector<int>& steps) {
  return std::accumulate(steps.begin(), steps.end(), 0, [](int a, int b) { return std::gcd(a, b); });
}

Order declared_order(const Model& model, const Scheme& scheme) {
  if (model.system.constraint_count() > 0) return scheme.declared.order;
  return {scheme.declared.order_free, scheme.declared.order_free, 0};
}

bool ends_bare(const Model& model, const Scheme& scheme) {
  return model.system.constraint_count() > 0 && scheme.declared.multiplier == EndMultiplier::late;
}

template <class S>
Nodes nodes(const Model& model, const Scheme& scheme, const Number& until, int steps, int every,
            const Control& control) {
  const auto run = extremal::run<S>(model.system, scheme, model.start,
                                    {.step = step_of(model, until, steps),
                                     .until = until,
                                     .every = every,
                                     .multipliers = Multipliers::scheme},  // whose order is declared
                                    {.stop = control.stop});
  if (run.status == Status::interrupted) throw Interrupted();
  if (run.status == Status::failed) throw Failed(run.model + ", " + run.scheme + ": " + run.reason);
  const auto gather = [&](const std::string& prefix, const std::vector<std::string>& names) {
    std::vector<std::vector<quad>> rows(run.column("t").size());
    for (const auto& name : names) {
      const std::vector<S>& column = run.column(prefix + name);
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k].push_back(static_cast<quad>(column[k]));
    }
    return rows;
  };
  Nodes out{gather("", model.system.coordinate_names()), gather("p:", model.system.coordinate_names()),
            gather("lambda:", model.system.constraint_names())};
  out.last_is_bare = ends_bare(model, scheme);
  out.remedies = run.remedies;
  // The run's energy is that of the carried momentum, which lacks the node's own multiplier.
  out.energy_error =
      out.last_is_bare ? std::numeric_limits<double>::quiet_NaN() : relative(run.energy_max_error, run.energy_initial);
  return out;
}

template Nodes nodes<double>(const Model&, const Scheme&, const Number&, int, int, const Control&);
template Nodes nodes<long double>(const Model&, const Scheme&, const Number&, int, int, const Control&);
template Nodes nodes<quad>(const Model&, const Scheme&, const Number&, int, int, const Control&);

Nodes nodes(const std::string& precision, const Model& model, const Scheme& scheme, const Number& until, int steps,
            int every, const Control& control) {
  return with_scalar(precision, [&]<class S>(S) { return nodes<S>(model, scheme, until, steps, every, control); });
}

double position_error(const Nodes& computed, const Nodes& exact) {
  return largest(computed.q, exact.q, computed.count());
}

Errors errors(const Nodes& computed, const Nodes& exact) {
  const std::size_t last = computed.count() - (computed.last_is_bare ? 1 : 0);
  return {position_error(computed, exact), largest(computed.p, exact.p, last),
          largest(computed.lambda, exact.lambda, last)};
}

Reference reference(const Model& model, const std::vector<Scheme>& schemes, const Number& until,
                    const std::vector<int>& steps, const Control& control) {
  int order = 0;
  for (const Scheme& scheme : schemes) order = std::max({order, scheme.declared.order.q, scheme.declared.order_free});
  const Scheme scheme = laws::reference_scheme(model.system, order, RuleKind::gauss);
  return {scheme, nodes<quad>(model, scheme, until, steps.back(), steps.back() / common_nodes(steps), control)};
}

}  // namespace extremal::study
