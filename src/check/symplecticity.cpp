// Symplecticity on the constraint manifold.
//
// Omega((dq, dp), (dq', dp')) = dp . dq' - dp' . dq of two tangent vectors must be what it was after they are carried
// by the derivative of the step. That holds for all pairs of a basis if it holds for random ones: a form that vanishes
// on random vectors is zero. Vectors are the directions of curves of states, and are carried by taking the steps from
// the states of the curve: no derivative of the scheme is needed, and a large system costs some hundred steps.
//
// The curves start on the manifold, half of them where only the momentum changes, along the constraints, and half where
// such a curve arrives after a step; together they span the tangent space. What dp has across the constraints drops
// out, since G dq = 0 at both ends: the law therefore holds for momenta that miss the hidden constraint as well
// (closure variational).
#include "check/probe.hpp"
#include "numbers/index.hpp"

namespace extremal::laws {

namespace {

constexpr int half = 5;  // states of a curve to either side, for differences of order ten

// (dq, dp) as differences of orders ten, eight and six have it, in units of the curve's parameter.
struct Direction {
  Vector ten, eight, six;
};

using Curve = std::vector<State<quad>>;  // at -half, ..., -1, 1, ..., half

Direction direction(const Curve& curve) {
  const std::size_t n = curve[0].q.size();
  const quad ten[half] = {quad(5) / quad(6), quad(-5) / quad(21), quad(5) / quad(84), quad(-5) / quad(504),
                          quad(1) / quad(1260)};
  const quad eight[half] = {quad(4) / quad(5), quad(-1) / quad(5), quad(4) / quad(105), quad(-1) / quad(280), quad(0)};
  const quad six[half] = {quad(3) / quad(4), quad(-3) / quad(20), quad(1) / quad(60), quad(0), quad(0)};
  Direction d{Vector(2 * n), Vector(2 * n), Vector(2 * n)};
  for (std::size_t j = 0; j < half; ++j) {
    const State<quad>&left = curve[half - 1 - j], &right = curve[half + j];
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const quad change = i < n ? right.q[i] - left.q[i] : right.p[i - n] - left.p[i - n];
      d.ten[i] += ten[j] * change;
      d.eight[i] += eight[j] * change;
      d.six[i] += six[j] * change;
    }
  }
  return d;
}

quad omega(const Vector& a, const Vector& b) {
  const std::size_t n = a.size() / 2;
  quad sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[n + i] * b[i] - b[n + i] * a[i];
  return sum;
}

// Omega of all pairs; and what may be wrong with it, by differences of lower orders, whose errors fall like a power of
// the distance, and by the round-off of states whose q and p are known to `lost`.
struct Products {
  Vector value, error;
};

Products products(const std::vector<Curve>& all, const Floor& lost) {
  std::vector<Direction> d;
  for (const Curve& curve : all) d.push_back(direction(curve));
  Products result;
  const auto sum = [](const Vector& x, bool momenta) {
    quad total = 0;
    const std::size_t n = x.size() / 2;
    for (std::size_t i = 0; i < n; ++i) total += math::abs(x[momenta ? n + i : i]);
    return total;
  };
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const quad here = omega(d[i].ten, d[j].ten), near = omega(d[i].eight, d[j].eight);
      const quad last = math::abs(here - near), first = math::abs(near - omega(d[i].six, d[j].six));
      result.value.push_back(here);
      // The weights of a difference add up to 2.3.
      const quad round_off = quad(2.3) * (lost.q * (sum(d[i].ten, true) + sum(d[j].ten, true)) +
                                          lost.p * (sum(d[i].ten, false) + sum(d[j].ten, false)));
      // Differences that agree to round-off say no more of what the next is wrong by.
      const quad wrong = last <= round_off ? quad(0) : last < first ? quad(16) * last * last / first : last;
      result.error.push_back(wrong + round_off);
    }
  return result;
}

struct Defect {
  quad value = 0, floor = 0;
};

Defect defect_between(const Products& before, const Products& after) {
  const quad scale = largest(before.value);
  Defect result{distance(after.value, before.value) / scale, 0};
  result.floor = (largest(before.error) + largest(after.error)) / scale;
  return result;
}

// How far curves reach, of the momentum. Differences are wrong by its tenth power, which several steps that bend the
// curves enlarge; round-off is divided by it.
const quad share = quad(3e-5), share_of_many = quad(3e-6);

Curve curve_along(const State<quad>& at, const Vector& impulse) {
  Curve curve;
  for (int j = -half; j <= half; ++j) {
    if (j == 0) continue;
    curve.push_back(at);
    for (std::size_t i = 0; i < impulse.size(); ++i) curve.back().p[i] += quad(j) * impulse[i];
  }
  return curve;
}

// Of so many steps from where `from` arrives after one.
Defect defect(Probe& probe, const State<quad>& from, quad step, int steps) {
  Dice dice;
  Stepper<quad> stepper = probe.stepper(probe.scheme, from);
  advance(stepper, step);
  const State<quad> here = stepper.state();
  const int curves = probe.n > 200 ? 1 : 2;  // of either kind
  std::vector<Curve> before, after;
  for (int k = 0; k < 2 * curves; ++k) {
    const bool moved = k < curves;
    const State<quad>& at = moved ? from : here;
    before.emplace_back();
    after.emplace_back();
    const Vector impulse = probe.impulse(at, step, steps > 1 ? share_of_many : share, dice);
    for (const State<quad>& start : curve_along(at, impulse)) {
      check_stop(probe.options.control);
      stepper.place(start);
      if (moved) advance(stepper, step);
      before.back().push_back(stepper.state());
      advance(stepper, step, steps);
      after.back().push_back(stepper.state());
    }
  }
  // Round-off of all steps, added up at its worst.
  const auto lost = [&](int count) {
    Floor all = probe.floor(here, step);
    all.q *= quad(count);
    all.p *= quad(count);
    return all;
  };
  return defect_between(products(before, lost(1)), products(after, lost(steps + 1)));
}

}  // namespace

Law symplecticity(Probe& probe) {
  Law law{.name = "symplecticity", .declared = probe.symplectic() ? "yes" : "no"};
  if (probe.forced()) return {law.name, "-", "not asked: forces do work", 0, 0, true};  // nor is the flow itself
  try {
    const State<quad> from = probe.inside();
    const bool large = probe.n > 200;  // whose steps in quad take long
    const Defect more = defect(probe, from, probe.h, large ? 3 : 10);
    const Defect one = large ? more : defect(probe, from, probe.h, 1);
    // Of one step more digits are known; more of them are told of if they alone miss the form.
    const Defect& worse = one.value <= one.floor && more.value > more.floor ? more : one;
    law.defect = static_cast<double>(worse.value);
    law.floor = static_cast<double>(worse.floor);
    const bool measured = law.defect <= law.floor;
    law.measured = measured ? "yes" : "no: " + defect_text(one.value, defect(probe, from, probe.h / quad(2), 1).value);
    law.holds = measured || law.declared != "yes";
  } catch (const StepFailure& failure) {
    law.measured = "no: " + failure.reason;
  }
  return law;
}

}  // namespace extremal::laws
