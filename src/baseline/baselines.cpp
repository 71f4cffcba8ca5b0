// Which baselines there are, and which of them are in this build.
#include <fmt/format.h>

#include <algorithm>

#include "baseline/makers.hpp"
#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

#ifdef EXTREMAL_ODEINT
constexpr bool has_odeint = true;
#else
constexpr bool has_odeint = false;
#endif
#ifdef EXTREMAL_IDA
constexpr bool has_ida = true;
#else
constexpr bool has_ida = false;
#endif

std::string absence(const BaselineKind& kind) {
  return fmt::format("not in this build, which was without {} (Debian's {})", kind.library, kind.package);
}

std::shared_ptr<const Baseline> make(const BaselineKind& kind) {
#ifdef EXTREMAL_IDA
  if (kind.name == "ida(ggl)") return make_ida();
#endif
#ifdef EXTREMAL_ODEINT
  if (const Call call(kind.name); call.name == "odeint") return make_odeint(call.arguments.front().value);
#endif
  throw InputError(fmt::format("{}: {}", kind.name, absence(kind)));
}

}  // namespace

const std::vector<BaselineKind>& baseline_kinds() {
  static const std::vector<BaselineKind> kinds{
      {"odeint(rkf78)", "Runge-Kutta-Fehlberg 8(7)", "Boost.odeint", "libboost-dev", has_odeint},
      {"odeint(dopri5)", "Dormand-Prince 5(4), which ode45 is", "Boost.odeint", "libboost-dev", has_odeint},
      {"odeint(bulirsch_stoer)", "extrapolation of variable order", "Boost.odeint", "libboost-dev", has_odeint},
      {"ida(ggl)", "BDF of variable order, stabilised by Gear, Gupta and Leimkuhler", "SUNDIALS 6", "libsundials-dev",
       has_ida}};
  return kinds;
}

std::shared_ptr<const Baseline> baseline(std::string_view name) {
  const std::string plain = without_blanks(name);
  std::vector<std::string> known;
  for (const BaselineKind& kind : baseline_kinds()) {
    known.push_back(kind.name);
    if (kind.name != plain) continue;
    if (!kind.built)
      throw InputError(fmt::format(
          "baseline {}: {}; expected a build that found it; try one of extremal list baselines", plain, absence(kind)));
    return make(kind);
  }
  throw InputError(unknown("baseline", one_line(name, 100), known));
}

ChosenBaselines choose_baselines(const std::vector<std::string>& names, const Model& model) {
  ChosenBaselines out;
  for (const std::string& name : names) {
    if (name != "all") {
      out.of.push_back(baseline(name));
      continue;
    }
    for (const BaselineKind& kind : baseline_kinds()) {
      try {
        auto found = make(kind);
        found->motion(model.system, model.start, 1e-6);
        out.of.push_back(std::move(found));
      } catch (const InputError& refusal) {
        const std::string reason = refusal.what(), who = kind.name + ": ";
        out.left_out.push_back({kind.name, reason.starts_with(who) ? reason.substr(who.size()) : reason});
      }
    }
  }
  return out;
}

}  // namespace extremal
