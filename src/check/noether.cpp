// Noether's theorem: p . a(q) is constant for every symmetry q' = a(q) of L and g.
//
// Invariance is looked at first, at random points: L_q . a + L_v . (Da v) = 0 near the motion, since the polynomials of
// a step leave the manifold between its nodes, and G a = 0 on the manifold, where the multipliers act: at the nodes of
// a motion with random velocities. A discrete
// action inherits the symmetry if a is affine: then the group takes polynomials to polynomials and the quadrature does
// not matter [LewMata2016, section 3; MarsdenWest2001, section 1.3.3].
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "check/probe.hpp"
#include "numbers/index.hpp"

namespace extremal::laws {

namespace {

constexpr int sampled_points = 6, short_steps = 20, account_every = 5;

// How far the symmetry is from one, relative to what cancels, and whether of L, g or the forces.
struct Change {
  quad value = 0, floor = 0;
  std::string of;
};

// Nodes of a motion that starts with another velocity; some hundredths of the system's size apart.
std::vector<State<quad>> on_manifold(Probe& probe) {
  std::vector<State<quad>> states;
  Dice dice;
  State<quad> from = probe.initial;
  const Vector kick = probe.impulse(from, probe.h, quad(0.02), dice);
  for (std::size_t i = 0; i < kick.size(); ++i) from.p[i] += kick[i];
  Stepper<quad> stepper = probe.stepper(probe.reference_scheme(), from);
  for (int k = 0; k < sampled_points; ++k) {
    advance(stepper, probe.h);
    states.push_back(stepper.state());
  }
  return states;
}

// One value for each symmetry.
std::vector<Change> changes(Probe& probe) {
  Dice dice;
  const auto n = sz(probe.n);
  const Vector v0 = probe.velocity(probe.initial);
  const std::vector<State<quad>> nodes = probe.constrained() ? on_manifold(probe) : std::vector<State<quad>>();
  Vector Lq(n), Lv(n), force(n), field(n), lifted(n), v(n);
  std::vector<Change> all(sz(probe.evaluation.symmetry_count()));
  const auto look = [](Change& worst, quad sum, quad size, const char* of) {
    // A sum of products, each with the round-off of a function of q: eps times what is summed.
    const quad floor = quad(operations) * Scalar<quad>::epsilon * size;
    if (!(math::abs(sum) <= floor) && math::abs(sum) > worst.value) worst = {math::abs(sum), floor, of};
  };
  for (int k = 0; k < sampled_points; ++k) {
    check_stop(probe.options.control);
    State<quad> state = probe.initial;
    const quad reach = quad(0.1) * math::max(largest(state.q), quad(0.1)), speed = largest(v0) + quad(1);
    for (quad& x : state.q) x += reach * dice();
    for (std::size_t i = 0; i < n; ++i) v[i] = v0[i] + speed * dice();
    probe.evaluation.gradient(1, state.q.data(), v.data(), &state.t, nullptr, Lq.data(), Lv.data());
    probe.evaluation.forces(state.q.data(), v.data(), &state.t, force.data());
    const Matrix G = probe.constrained() ? probe.jacobian(nodes[sz(k)]) : Matrix(0, 0);
    const quad steepest = largest(G.entries);
    for (std::size_t index = 0; index < all.size(); ++index) {
      const auto symmetry = [&](const State<quad>& at) {
        probe.evaluation.symmetry(static_cast<int>(index), at.q.data(), v.data(), &at.t, field.data(), lifted.data());
      };
      symmetry(state);
      quad sum = 0, size = 0, work = 0, work_size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const quad potential = Lq[i] - force[i];  // gradient() has the forces in L_q
        sum += potential * field[i] + Lv[i] * lifted[i];
        size += (math::abs(Lq[i]) + math::abs(force[i])) * math::abs(field[i]) + math::abs(Lv[i] * lifted[i]);
        work += force[i] * field[i];
        work_size += math::abs(force[i] * field[i]);
      }
      look(all[index], sum, size, "L changes");
      look(all[index], work, work_size, "forces do work");
      if (!probe.constrained()) continue;
      symmetry(nodes[sz(k)]);
      // g itself vanishes to round-off only, which a rotation about a distant point magnifies.
      const quad magnified = steepest * largest(field);
      for (int row = 0; row < probe.m; ++row) {
        quad total = 0, extent = 0;
        for (int i = 0; i < probe.n; ++i) {
          if (G(row, i) == quad(0)) continue;
          total += G(row, i) * field[sz(i)];
          extent += math::abs(G(row, i) * field[sz(i)]);
        }
        look(all[index], total, extent + magnified, "g changes");
      }
    }
  }
  return all;
}

// What round-off leaves of I in one step: I sums p_i a_i, and p the impulses h L_q; where the equations of the step are
// met to round-off, the rest cancels for every q. One value for each symmetry.
Vector step_floors(Probe& probe, const State<quad>& state) {
  const auto n = sz(probe.n);
  Vector field(n), Lq(n), Lv(n), floors(sz(probe.evaluation.symmetry_count()));
  const Vector v = probe.velocity(state);
  probe.evaluation.gradient(1, state.q.data(), v.data(), &state.t, nullptr, Lq.data(), Lv.data());
  for (std::size_t index = 0; index < floors.size(); ++index) {
    probe.evaluation.symmetry(static_cast<int>(index), state.q.data(), nullptr, &state.t, field.data(), nullptr);
    const quad reach = largest(field);
    quad size = 0;
    for (std::size_t i = 0; i < n; ++i)
      size += (math::abs(state.p[i]) + math::abs(probe.h * Lq[i])) * (math::abs(field[i]) + reach);
    floors[index] = quad(headroom) * Scalar<quad>::epsilon * size;
  }
  return floors;
}

// max |I - I0| of every symmetry in a short run in quad; its floor adds up all steps at their worst.
struct Drifted {
  Vector value, floor;
};

Drifted short_run(Probe& probe, quad step) {
  Stepper<quad> stepper = probe.stepper(probe.scheme, probe.initial);
  Observation<quad> seen;
  stepper.observe(seen, false);
  const Vector first = seen.momenta;
  Drifted result{Vector(first.size()), Vector(first.size())};
  for (int k = 0; k < short_steps; ++k) {
    check_stop(probe.options.control);
    advance(stepper, step);
    stepper.observe(seen, false);
    for (std::size_t i = 0; i < first.size(); ++i)
      result.value[i] = math::max(result.value[i], math::abs(seen.momenta[i] - first[i]));
    if (k % account_every != 0) continue;
    const Vector floors = step_floors(probe, stepper.state());
    for (std::size_t i = 0; i < first.size(); ++i) result.floor[i] += quad(account_every) * floors[i];
  }
  return result;
}

// The same of the long run in double. Rounding errors of different steps are independent: they add up like a random
// walk, whose extremes stay within a few times the square root of the number of steps.
Vector long_floors(Probe& probe) {
  const Run<double>& run = probe.long_run();
  const auto rows = run.column("t").size();
  Vector most(sz(probe.evaluation.symmetry_count()));
  constexpr std::size_t looks = 8;
  for (std::size_t k = 0; k < looks; ++k) {
    const std::size_t row = (rows - 1) * k / (looks - 1);
    State<quad> state;
    state.t = run.column("t")[row];
    for (const std::string& name : probe.system.coordinate_names()) {
      state.q.push_back(run.column(name)[row]);
      state.p.push_back(run.column("p:" + name)[row]);
    }
    const Vector floors = step_floors(probe, state);
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = math::max(most[i], floors[i]);
  }
  const double walk = std::sqrt(static_cast<double>(probe.options.long_steps));
  for (quad& x : most) x *= quad(Scalar<double>::epsilon) / Scalar<quad>::epsilon * quad(walk);
  return most;
}

}  // namespace

std::vector<Law> noether(Probe& probe) {
  std::vector<Law> laws;
  if (probe.evaluation.symmetry_count() == 0) return laws;
  // Each is made once, by the first symmetry that needs it.
  std::vector<Change> broken_by;
  Drifted drifted, halved;
  Vector floors;
  int index = -1;
  for (const auto& term : probe.system.terms()) {
    if (term->role != Role::symmetry) continue;
    ++index;
    Law law{.name = "momentum \"" + term->name + "\"", .declared = "-"};
    try {
      if (broken_by.empty()) broken_by = changes(probe);
      const Change& broken = broken_by[sz(index)];
      if (drifted.value.empty()) drifted = short_run(probe, probe.h);
      law.defect = static_cast<double>(drifted.value[sz(index)]);
      law.floor = static_cast<double>(drifted.floor[sz(index)]);
      if (!broken.of.empty() || term->uses_time) {
        law.measured = term->uses_time ? "a symmetry that depends on time"
                                       : fmt::format("not a symmetry: {} at the rate {}", broken.of,
                                                     scientific(static_cast<double>(broken.value)));
        law.holds = true;
      } else if (term->degree.q > 1) {
        if (halved.value.empty()) halved = short_run(probe, probe.h / quad(2));
        law.measured = "not linear in q: changes by " + defect_text(drifted.value[sz(index)], halved.value[sz(index)]);
        law.holds = true;
      } else {
        law.declared = "yes";
        law.holds = law.defect <= law.floor;
        law.measured = law.holds ? "yes" : fmt::format("no: {} in {} steps", scientific(law.defect), short_steps);
        // Where the motion leaves the manifold there may be no long run.
        if (law.holds && probe.on_manifold()) {
          law.defect = probe.long_run().momentum_error[sz(index)].values[0];
          if (floors.empty()) floors = long_floors(probe);
          law.floor = static_cast<double>(floors[sz(index)]);
          law.holds = law.defect <= law.floor;
          if (!law.holds)
            law.measured =
                fmt::format("no: {} in {} steps in double", scientific(law.defect), probe.options.long_steps);
        }
      }
    } catch (const StepFailure& failure) {
      law.measured = "no: " + failure.reason;
    }
    laws.push_back(law);
  }
  return laws;
}

}  // namespace extremal::laws
