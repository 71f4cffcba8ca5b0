#include "extremal/remedies.hpp"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "extremal/stepper.hpp"

namespace extremal {
namespace {

struct RemedyWords {
  const char *name, *text;
};

constexpr RemedyWords remedy_words[] = {{"none", ""},
                                        {"regularised", "with a regularised matrix"},
                                        {"rattle", "by RATTLE in its place"},
                                        {"divided", "in two parts"},
                                        {"directors", "by directors"}};
constexpr RemedyWords trouble_words[] = {{"none", ""},
                                         {"stalled", "where Newton's method stalled"},
                                         {"singular", "at a singular matrix"},
                                         {"fold", "at a fold of its equations"},
                                         {"jump", "where the velocity jumped"},
                                         {"close", "close to a singular configuration"},
                                         {"too_fast", "where a body turned too far"},
                                         {"not_finite", "where numbers were not finite"}};
static_assert(std::size(remedy_words) == Remedies::kinds + 1 && std::size(trouble_words) == Remedies::reasons + 1);

template <std::size_t N>
std::string listed(const std::array<long long, N>& counts, const RemedyWords* words) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < N; ++k)
    if (counts[k] > 0) parts.push_back(fmt::format("{} {}", counts[k], words[k + 1].text));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

const char* name(Remedy remedy) { return remedy_words[static_cast<std::size_t>(remedy)].name; }
const char* name(Trouble trouble) { return trouble_words[static_cast<std::size_t>(trouble)].name; }

void Remedies::count(const StepReport& report) {
  if (report.remedy == Remedy::none) return;
  ++taken[static_cast<std::size_t>(report.remedy) - 1];
  if (report.refused != Trouble::none) ++refused[static_cast<std::size_t>(report.refused) - 1];
}

long long Remedies::total() const { return std::accumulate(taken.begin(), taken.end(), 0LL); }

std::string Remedies::text(const std::string& scheme, long long steps) const {
  if (total() == 0) return "";
  return fmt::format("{} of {} steps were not taken as {} says: {} ({})", total(), steps, scheme,
                     listed(taken, remedy_words), listed(refused, trouble_words));
}

}  // namespace extremal
