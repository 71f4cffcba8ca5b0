// The laws that one run can show: energy, constraints, momenta. Floors are those of check.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/probe.hpp"
#include "numbers/with_scalar.hpp"
#include "report/summary.hpp"

namespace extremal::report {
namespace {

using laws::headroom, laws::operations;

// What g, G v, H and the momenta are sums of, at their largest over some rows.
struct Sizes {
  double g = 0, hidden = 0, energy = 0;
  std::vector<double> momenta = {};
};

Sizes sizes(const System& system, const Table& table) {
  Sizes result;
  constexpr std::size_t looks = 40;
  Evaluation<double> evaluation(system, 1, Storage::sparse);
  const auto n = static_cast<std::size_t>(system.size()), m = static_cast<std::size_t>(system.constraint_count());
  const Pattern& pattern = evaluation.jacobian();
  std::vector<double> g(m), G(static_cast<std::size_t>(pattern.size())), gt(m), field(n);
  result.momenta.resize(static_cast<std::size_t>(evaluation.symmetry_count()));
  const std::size_t rows = table.rows();
  for (std::size_t k = 0; k < std::min(looks, rows); ++k) {
    const std::size_t row = rows < 2 ? 0 : (rows - 1) * k / (std::min(looks, rows) - 1);
    const std::vector<double> q = table.block("q", row, 1), v = table.block("v", row, 1), p = table.block("p", row, 1);
    const double t = table.t()[row];
    double reach = 0, speed = 0, momentum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      reach = std::max(reach, std::fabs(q[i]));
      speed = std::max(speed, std::fabs(v[i]));
      momentum += std::fabs(p[i]);
    }
    result.energy = std::max(
        result.energy, std::fabs(table.block("kinetic", row, 1)[0]) + std::fabs(table.block("potential", row, 1)[0]));
    for (std::size_t s = 0; s < result.momenta.size(); ++s) {
      evaluation.symmetry(static_cast<int>(s), q.data(), nullptr, &t, field.data(), nullptr);
      double most = 0;
      for (const double a : field) most = std::max(most, std::fabs(a));
      result.momenta[s] = std::max(result.momenta[s], momentum * most);
    }
    if (m == 0) continue;
    evaluation.constraints(1, q.data(), &t, g.data(), G.data(), gt.data());
    std::vector<double> sums(m);
    for_each(pattern, [&](int at, int r, int) {
      sums[static_cast<std::size_t>(r)] += std::fabs(G[static_cast<std::size_t>(at)]);
    });
    for (std::size_t r = 0; r < m; ++r) {
      result.g = std::max(result.g, sums[r] * reach + std::fabs(gt[r] * t));
      result.hidden = std::max(result.hidden, sums[r] * speed + std::fabs(gt[r]));
    }
  }
  return result;
}

class Laws {
 public:
  Laws(const Model& model, const Scheme& scheme, const Table& table)
      : model_(model), scheme_(scheme), table_(table), size_(sizes(model.system, table)) {
    epsilon_ = static_cast<double>(epsilon_of(table.archive().attribute("precision")));
    steps_ = value("steps", static_cast<double>(table.rows()));
    constrained_ = model.system.constraint_count() > 0;
  }

  Json all() {
    energy();
    constraints();
    momenta();
    return laws_;
  }

 private:
  double value(const std::string& attribute, double otherwise) const {
    const std::string& text = table_.archive().attribute(attribute);
    return text.empty() ? otherwise : std::strtod(text.c_str(), nullptr);
  }
  bool symplectic() const { return constrained_ ? scheme_.declared.symplectic : scheme_.declared.symplectic_free; }
  bool on_manifold() const { return !constrained_ || scheme_.declared.on_manifold; }

  // What did not come to its end, or cannot be the motion, shows no law.
  void add(const Law& law) {
    const bool believable = table_.archive().status() == name(Status::complete);
    Json out = {{"name", law.name}, {"declared", believable ? law.declared : "-"}, {"measured", law.measured}};
    if (law.floor > 0) out["defect"] = law.defect, out["floor"] = law.floor;
    out["holds"] = law.holds;
    laws_.push_back(std::move(out));
  }

  void energy() {
    Law law{.name = "energy in this run", .declared = "-"};
    law.holds = true;
    const std::string slope = table_.archive().attribute("drift_slope");
    if (slope.empty()) {
      law.measured = "the run has not come to its end";
    } else {
      const double error = value("energy_max_error", 0), rate = value("drift_slope", 0),
                   spread = value("drift_slope_error", 0);
      const double time = table_.t().back() - table_.t().front();
      law.defect = std::fabs(rate);
      law.floor = 3 * spread + operations * epsilon_ * size_.energy * std::sqrt(steps_) / std::max(time, 1e-300);
      const bool steady = law.defect <= law.floor;
      law.measured = fmt::format("{}: |H{}-H0| <= {:.1e}, slope {:.1e} +- {:.1e}",
                                 steady ? "no drift seen" : "a drift, or a beat slower than this run",
                                 table_.has("work") ? "-W" : "", error, rate, spread);
      // One run cannot tell a slow beat from a drift: it is no verdict on the scheme.
      const Span& span = table_.archive().provenance().span;
      const bool even = span.pattern.empty() && span.pace != Pace::reversible;
      if (steady && even && symplectic() && on_manifold() && !table_.has("work")) law.declared = "no drift";
    }
    add(law);
  }

  void constraints() {
    if (!constrained_ || table_.rows() == 0) return;
    const double lost = value("singular", 0) > 0 ? 1 / std::sqrt(epsilon_) : 1;
    const auto judge = [&](const char* name, const char* attribute, const char* column, double size, bool promised) {
      const std::vector<double> rows = table_.column(column);
      Law law{.name = name, .declared = promised ? "to round-off" : "-"};
      law.defect = value(attribute, *std::max_element(rows.begin(), rows.end()));
      law.floor = headroom * epsilon_ * size * lost;
      law.holds = law.defect <= law.floor || !promised;
      law.measured = fmt::format("at most {:.1e}{}", law.defect, lost > 1 ? ", past singular positions" : "");
      add(law);
    };
    judge("constraints in this run", "constraint_max", "constraint", size_.g, on_manifold());
    // Which closures meet G v = 0 is for the certificate to say.
    judge("hidden constraints in this run", "hidden_max", "hidden", size_.hidden, false);
  }

  void momenta() {
    const std::string& notes = table_.archive().attribute("notes");
    std::size_t index = 0;
    for (const auto& term : model_.system.terms()) {
      if (term->role != Role::symmetry) continue;
      const double size = size_.momenta[index++];
      const std::string column = "momentum:" + term->name;
      if (!table_.has(column)) continue;
      Law law{.name = "momentum \"" + term->name + "\" in this run", .declared = "-"};
      double most = 0;
      for (const double x : table_.change(column)) most = std::max(most, std::fabs(x));
      law.defect = value("momentum_error:" + term->name, most);
      law.floor = headroom * operations * epsilon_ * size * std::sqrt(steps_);
      const bool broken = notes.find("\"" + term->name + "\" is not a symmetry") != std::string::npos;
      const bool promised = !broken && !term->uses_time && term->degree.q <= 1 && !table_.has("work") && symplectic();
      if (promised) law.declared = "conserved";
      law.measured = broken ? "not a symmetry of the system" : fmt::format("changed by at most {:.1e}", law.defect);
      law.holds = !promised || law.defect <= law.floor;
      add(law);
    }
  }

  const Model& model_;
  const Scheme& scheme_;
  const Table& table_;
  Sizes size_;
  double epsilon_ = 0, steps_ = 0;
  bool constrained_ = false;
  Json laws_ = Json::array();
};

}  // namespace

Json laws_of(const Model& model, const Scheme& scheme, const Table& table) {
  return model.system.size() == 0 ? Json::array() : Laws(model, scheme, table).all();
}

}  // namespace extremal::report
