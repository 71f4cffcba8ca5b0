// The claim of [Man2020, section 4.2] about constrained Lobatto IIIA-IIIB, in quad precision as in the paper, with
// steps from 0.2 to 0.05 on [0, 10] of its first two examples.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "extremal/study.hpp"

namespace extremal::study {
namespace {

// The geometric mean of what can be compared; NaN if nothing can.
class Mean {
 public:
  void add(double ratio) {
    if (!std::isfinite(ratio) || !(ratio > 0)) return;
    sum_ += std::log(ratio);
    ++count_;
  }
  double value() const { return count_ == 0 ? std::numeric_limits<double>::quiet_NaN() : std::exp(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

ManClaim judged(const std::string& model, int m, const std::string& letters, const WorkSeries& theirs,
                const WorkSeries& lobatto) {
  Mean error, energy, seconds, at_error;
  for (std::size_t i = 0; i < theirs.points.size(); ++i) {
    const WorkPoint &a = theirs.points[i], &b = lobatto.points[i];
    error.add(a.error / b.error);
    energy.add(a.energy_error / b.energy_error);
    seconds.add(a.seconds / b.seconds);
    at_error.add(theirs.seconds_for(b.error) / b.seconds);
    at_error.add(a.seconds / lobatto.seconds_for(a.error));
  }
  return {model, letters, m, error.value(), energy.value(), seconds.value(), at_error.value()};
}

}  // namespace

ManWork man_work(const std::vector<int>& m, int repetitions, const Control& control) {
  ManWork out;
  const double all = 2.0 * static_cast<double>(m.size());
  for (const char* name : {"spring-pendulum", "triple-pendulum"})
    for (const int points : m) {
      std::vector<Scheme> schemes{Scheme::named(fmt::format("lobatto({})", points))};
      for (const char* letters : {"LLL", "LLG", "LGG"})
        schemes.push_back(Scheme::named(fmt::format("man({}, {})", letters, points)));
      const auto before = static_cast<double>(out.studies.size());
      const Control part{.progress = control.progress ? Listener<double>([&, before](double done) {
                           control.progress((before + done) / all);
                         })
                                                      : Listener<double>(),
                         .stop = control.stop};
      out.studies.push_back(work_precision(model(name), schemes,
                                           {.until = 10,
                                            .steps = {50, 75, 100, 150, 200},
                                            .precision = Scalar<quad>::name,
                                            .repetitions = repetitions,
                                            .control = part}));
      const std::vector<WorkSeries>& series = out.studies.back().series;
      const char* letters[] = {"LLL", "LLG", "LGG"};
      for (std::size_t k = 1; k < series.size(); ++k)
        out.claims.push_back(judged(name, points, letters[k - 1], series[k], series[0]));
    }
  return out;
}

}  // namespace extremal::study
