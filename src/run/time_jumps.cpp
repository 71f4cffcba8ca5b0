#include "run/time_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "numbers/node_time.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

constexpr double negligible = 1e-7;  // of the size of a load, or of its change over a step

// All rows of a term as functions of time, with their rates; q and v stay.
template <class S>
class InTime {
 public:
  InTime(const Term& term, const System& system, const std::vector<S>& q, const std::vector<S>& v)
      : term_(term),
        q_(q),
        v_(v),
        rows_(sz(term.site_count() * term.row_count)),
        gradient_(rows_ * sz(term.variables)) {
    for (const Number& x : system.parameters()) parameters_.push_back(x.as<S>());
  }
  struct At {
    S t;
    std::vector<S> f, rate;
  };
  At at(const S& t) {
    At out{t, std::vector<S>(rows_), std::vector<S>(rows_)};
    const Nodes<S> here{1,
                        static_cast<int>(q_.size()),
                        q_.data(),
                        v_.data(),
                        &t,
                        parameters_.data(),
                        static_cast<int>(parameters_.size())};
    term_.at<S>().gradient(here, out.f.data(), gradient_.data());
    for (std::size_t r = 0; r < rows_; ++r) out.rate[r] = gradient_[(r + 1) * sz(term_.variables) - 1];
    return out;
  }

 private:
  const Term& term_;
  const std::vector<S>&q_, &v_;
  const std::size_t rows_;
  std::vector<S> parameters_, gradient_;
};

template <class S>
class Search {
 public:
  using At = typename InTime<S>::At;
  enum class Found { nothing, kink, jump };

  explicit Search(InTime<S> load) : load_(std::move(load)) {}

  Found inside(const S& t, const S& h) {
    const S inset = inset_of<S>(true);
    At a = load_.at(node_time(t, h, S(0), inset)), b = load_.at(node_time(t, h, S(1), inset));
    size_ = S(0);
    for (const At* end : {&a, &b})
      for (std::size_t r = 0; r < end->f.size(); ++r)
        size_ = math::max(size_, math::max(math::abs(end->f[r]), math::abs(h * end->rate[r])));
    const S shortest = S(4) * inset * (math::abs(t) + math::abs(h));
    while (math::abs(b.t - a.t) > shortest) {
      At middle = load_.at((a.t + b.t) / S(2));
      const S left = defect(a, middle), right = defect(middle, b), part = math::abs((b.t - a.t) / h);
      if (!(math::max(left, right) > S(negligible) * part * size_)) return Found::nothing;
      (left > right ? b : a) = std::move(middle);
    }
    where_ = (a.t + b.t) / S(2);
    S jump(0), kink(0);
    for (std::size_t r = 0; r < a.f.size(); ++r) {
      jump = math::max(jump, math::abs(b.f[r] - a.f[r]));
      kink = math::max(kink, math::abs(h * (b.rate[r] - a.rate[r])));
    }
    return jump > S(negligible) * size_ ? Found::jump : kink > S(negligible) * size_ ? Found::kink : Found::nothing;
  }
  const S& where() const { return where_; }

 private:
  S defect(const At& a, const At& b) const {
    S most(0);
    const S h = b.t - a.t;
    for (std::size_t r = 0; r < a.f.size(); ++r)
      most = math::max(most, math::abs(b.f[r] - a.f[r] - h / S(2) * (a.rate[r] + b.rate[r])));
    return most;
  }

  InTime<S> load_;
  S size_{}, where_{};
};

}  // namespace

template <class S>
std::string jumps_inside(const System& system, const Scheme& scheme, const StepTimes<S>& times, const std::vector<S>& q,
                         const std::vector<S>& v) {
  const bool composed = scheme.composed();  // of substeps that end elsewhere
  long long count = 0, first = 0;
  bool impact = false;
  S where{}, h{};
  std::string what;
  for (const auto& term : system.terms()) {
    if (!term->jumps || !term->uses_time) continue;
    Search<S> search(InTime<S>(*term, system, q, v));
    // Wherever a constraint has a kink, velocities jump.
    const bool constraint = term->role == Role::constraint, everywhere = composed || constraint;
    long long own = 0;
    S whole(0), before(0);
    for (const S& length : times.lengths) whole += length;
    for (long long k = 0; k < times.steps; ++k) {
      const auto n = static_cast<long long>(times.lengths.size()), place = k % n, rounds = k / n;
      if (place == 0) before = times.t0 + S(rounds) * whole;
      const S& length = times.lengths[sz(static_cast<int>(place))];
      const S back = everywhere && k > 0 ? S(4) * inset_of<S>(true) * (math::abs(before) + math::abs(length)) : S(0);
      const auto found = search.inside(before - back, length);
      before += length;
      if (found == Search<S>::Found::nothing) continue;
      if (own++ > 0 || !what.empty()) continue;
      what = quoted(term->name) + (found == Search<S>::Found::jump ? " jumps" : " has a kink");
      where = search.where();
      first = k + 1;
      h = length;
      impact = constraint;
    }
    count += own;
  }
  if (what.empty()) return {};
  std::string text = fmt::format("{} at t = {:.10g}, inside step {}", what, static_cast<double>(where), first);
  if (count > 1) text += fmt::format(", and so on in {} steps", count);
  if (impact) return text + "; velocities jump there, and the energy with them; expected a smooth function of t";
  text += "; there a step has not the order of its scheme; try ";
  const auto from = static_cast<double>(where - times.t0);
  if (composed)
    text += "a scheme of one step, as spark(3), and steps that end there";
  else if (times.lengths.size() == 1 && count == 1)
    text += fmt::format("steps that end there, as {:.10g}", from / std::ceil(from / static_cast<double>(h)));
  else
    text += "steps that end there";
  return text;
}

#define EXTREMAL_INSTANTIATE(S)                                                                               \
  template std::string jumps_inside(const System&, const Scheme&, const StepTimes<S>&, const std::vector<S>&, \
                                    const std::vector<S>&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
