#include "import/export_motor.hpp"

#include <algorithm>
#include <cstdint>

namespace extremal::robots {
namespace {

class ForceAt {
 public:
  ForceAt(const System& system, const Term& term, int coordinate)
      : term_(term), coordinate_(static_cast<std::size_t>(coordinate)), q_(size(system)), v_(size(system)) {
    for (const Number& each : system.parameters()) parameters_.push_back(each.as<quad>());
    const auto found = std::find(term.sites.begin(), term.sites.end(), coordinate);
    row_ = static_cast<std::size_t>(found - term.sites.begin());
    known_ = found != term.sites.end() && term.site_count() == 1 && term.row_count == term.coordinates &&
             !term.uses_time && term.depends_on.size() <= 1;
    out_.resize(static_cast<std::size_t>(term.row_count));
  }

  bool known() const { return known_; }
  bool controlled() const { return !term_.depends_on.empty(); }
  quad control() const { return controlled() ? parameters_[parameter()] : quad(0); }

  // `others`: what all other coordinates and rates are.
  quad operator()(quad x, quad rate, quad u, quad others = 0) {
    std::fill(q_.begin(), q_.end(), others), std::fill(v_.begin(), v_.end(), others);
    q_[coordinate_] = x, v_[coordinate_] = rate;
    std::vector<quad> parameters = parameters_;
    if (controlled()) parameters[parameter()] = u;
    const quad t = 0;
    const Nodes<quad> node{1,
                           static_cast<int>(q_.size()),
                           q_.data(),
                           v_.data(),
                           &t,
                           parameters.data(),
                           static_cast<int>(parameters.size())};
    term_.value(node, out_.data());
    return out_[row_];
  }

 private:
  static std::size_t size(const System& system) { return static_cast<std::size_t>(system.size()); }
  std::size_t parameter() const { return static_cast<std::size_t>(term_.depends_on[0]); }

  const Term& term_;
  std::size_t coordinate_, row_ = 0;
  bool known_ = false;
  std::vector<quad> q_, v_, parameters_, out_;
};

quad clamped(const AffineForce& a, quad force) {
  return a.range ? std::clamp(force, (*a.range)[0], (*a.range)[1]) : force;
}

// At points of sizes from 1e-3 to 1e3, the same ones every time.
bool agrees(ForceAt& force, const AffineForce& a) {
  std::uint64_t state = 12345;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return quad(static_cast<double>(state >> 40)) / quad(8388608) - 1;
  };
  quad size = quad(1) / 1000;
  for (int k = 0; k < 60; ++k, size = size > 999 ? quad(1) / 1000 : 10 * size) {
    const quad x = size * next(), rate = size * next(), u = a.control + size * next(), others = next();
    const quad terms[] = {a.gain * u, a.bias[0], a.bias[1] * x, a.bias[2] * rate};
    quad sum = 0, most = 0;
    for (const quad each : terms) sum += each, most = math::max(most, math::abs(each));
    if (!(math::abs(force(x, rate, u, others) - clamped(a, sum)) <= quad(1e-26) * most)) return false;
  }
  return true;
}

// Slopes at a control where the force is between its ends, if it has any.
AffineForce slopes(ForceAt& force, quad u, quad by) {
  AffineForce a;
  a.control = force.control();
  const quad at = force(0, 0, u);
  a.gain = force.controlled() ? (force(0, 0, u + by) - at) / by : quad(0);
  a.bias = {at - a.gain * u, (force(by, 0, u) - at) / by, (force(0, by, u) - at) / by};
  for (quad& each : a.bias)
    if (math::abs(each) < quad(1e-28) * (math::abs(at) + math::abs(a.gain * u))) each = 0;
  return a;
}

// A control at which the force is the given part of the way from its value at `low` to that at `high`.
quad control_at(ForceAt& force, quad low, quad high, quad wanted) {
  const bool rises = force(0, 0, high) > force(0, 0, low);
  for (int k = 0; k < 300; ++k) {
    const quad middle = (low + high) / 2;
    ((force(0, 0, middle) < wanted) == rises ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::optional<AffineForce> affine_force(const System& system, const Term& term, int coordinate) {
  ForceAt force(system, term, coordinate);
  if (!force.known()) return {};
  AffineForce a = slopes(force, force.control(), 1);
  if (agrees(force, a)) return a;
  // With ends: far from the middle it is one of them, half way between it rises with the control.
  const quad far = quad(1e12), one = force(0, 0, -far), other = force(0, 0, far);
  if (!force.controlled() || one == other || one != force(0, 0, -2 * far) || other != force(0, 0, 2 * far)) return {};
  const quad low = control_at(force, -far, far, (3 * one + other) / 4),
             high = control_at(force, -far, far, (one + 3 * other) / 4);
  a = slopes(force, (low + high) / 2, (high - low) / 4);
  a.range = {{std::min(one, other), std::max(one, other)}};
  // By as little as keeps it off its ends, whatever the slopes are.
  for (quad by = math::abs(high - low) / 4; !agrees(force, a); by /= 1024) {
    if (!(by > quad(1e-12) * math::abs(high - low))) return {};
    const AffineForce finer = slopes(force, (low + high) / 2, by);
    a.bias = finer.bias;
  }
  return a;
}

std::optional<quad> rotor_inertia(const System& system, const Term& term) {
  if (term.role != Role::kinetic || term.coordinates != 1 || term.site_count() != 1 || !term.depends_on.empty())
    return {};
  ForceAt energy(system, term, term.sites[0]);
  if (!energy.known()) return {};
  const quad inertia = 2 * energy(0, 1, 0);
  for (const auto& [x, rate] : {std::pair<quad, quad>{3, 2}, {-5, -7}, {quad(1) / 3, quad(1) / 9}})
    if (!(math::abs(energy(x, rate, 0) - inertia / 2 * rate * rate) <= quad(1e-28) * inertia * rate * rate)) return {};
  return inertia > 0 ? std::optional<quad>(inertia) : std::nullopt;
}

}  // namespace extremal::robots
