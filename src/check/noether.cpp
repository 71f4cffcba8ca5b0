// Noether's theorem: p . a(q) is constant for every symmetry q' = a(q) of L and g.
//
// Invariance is looked at first, at random points: L_q . a + L_v . (Da v) = 0 near the motion, since the polynomials of
// a step leave the manifold between its nodes, and G a = 0 on the manifold, where the multipliers act. A discrete
// action inherits the symmetry if a is affine: then the group takes polynomials to polynomials and the quadrature does
// not matter [LewMata2016, section 3; MarsdenWest2001, section 1.3.3].
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "check/probe.hpp"
#include "numbers/index.hpp"

namespace extremal::laws {

namespace {

constexpr int sampled_points = 6, short_steps = 20;

// How far the symmetry is from one, relative to what cancels, and whether of L, g or the forces.
struct Change {
  quad value = 0, floor = 0;
  std::string of;
};

void nearest_position(Probe& probe, State<quad>& state) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    Matrix G(probe.m, probe.n);
    Vector g(sz(probe.m)), gt(sz(probe.m));
    probe.evaluation.constraints(1, state.q.data(), &state.t, g.data(), G.entries.data(), gt.data());
    const Vector dq = shortest_solution(G, g);
    for (int i = 0; i < probe.n; ++i) state.q[sz(i)] -= dq[sz(i)];
    if (largest(dq) <= quad(8) * Scalar<quad>::epsilon * largest(state.q)) return;
  }
}

Change change(Probe& probe, int index) {
  Dice dice;
  const auto n = sz(probe.n);
  const Vector v0 = probe.velocity(probe.initial);
  Vector Lq(n), Lv(n), force(n), field(n), lifted(n), v(n);
  Change worst;
  const auto look = [&](quad sum, quad size, const char* of) {
    // A sum of products, each with the round-off of a function of q: eps times what is summed.
    const quad floor = quad(operations) * Scalar<quad>::epsilon * size;
    if (!(math::abs(sum) <= floor) && math::abs(sum) > worst.value) worst = {math::abs(sum), floor, of};
  };
  for (int k = 0; k < sampled_points; ++k) {
    State<quad> state = probe.initial;
    const quad reach = quad(0.1) * math::max(largest(state.q), quad(0.1)), speed = largest(v0) + quad(1);
    for (quad& x : state.q) x += reach * dice();
    for (std::size_t i = 0; i < n; ++i) v[i] = v0[i] + speed * dice();
    probe.evaluation.gradient(1, state.q.data(), v.data(), &state.t, nullptr, Lq.data(), Lv.data());
    probe.evaluation.forces(state.q.data(), v.data(), &state.t, force.data());
    probe.evaluation.symmetry(index, state.q.data(), v.data(), &state.t, field.data(), lifted.data());
    quad sum = 0, size = 0, work = 0, work_size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const quad potential = Lq[i] - force[i];  // gradient() has the forces in L_q
      sum += potential * field[i] + Lv[i] * lifted[i];
      size += (math::abs(Lq[i]) + math::abs(force[i])) * math::abs(field[i]) + math::abs(Lv[i] * lifted[i]);
      work += force[i] * field[i];
      work_size += math::abs(force[i] * field[i]);
    }
    look(sum, size, "L");
    look(work, work_size, "the forces");
    if (!probe.constrained()) continue;
    nearest_position(probe, state);
    const Matrix G = probe.jacobian(state);
    probe.evaluation.symmetry(index, state.q.data(), v.data(), &state.t, field.data(), lifted.data());
    for (int row = 0; row < probe.m; ++row) {
      quad total = 0, extent = 0;
      for (int i = 0; i < probe.n; ++i) {
        total += G(row, i) * field[sz(i)];
        extent += math::abs(G(row, i) * field[sz(i)]);
      }
      // g itself vanishes to round-off only, which a rotation about a distant point magnifies.
      look(total, extent + largest(G.entries) * largest(field), "g");
    }
  }
  return worst;
}

// What round-off leaves of I in one step: I sums p_i a_i, and p the impulses h L_q; where the equations of the step are
// met to round-off, the rest cancels for every q.
quad step_floor(Probe& probe, int index, const State<quad>& state) {
  const auto n = sz(probe.n);
  Vector field(n), Lq(n), Lv(n);
  const Vector v = probe.velocity(state);
  probe.evaluation.symmetry(index, state.q.data(), nullptr, &state.t, field.data(), nullptr);
  probe.evaluation.gradient(1, state.q.data(), v.data(), &state.t, nullptr, Lq.data(), Lv.data());
  quad size = 0;
  for (std::size_t i = 0; i < n; ++i)
    size += (math::abs(state.p[i]) + math::abs(probe.h * Lq[i])) * (math::abs(field[i]) + largest(field));
  return quad(headroom) * Scalar<quad>::epsilon * size;
}

// max |I - I0| in a short run in quad; its floor adds up all steps at their worst.
struct Drifted {
  quad value = 0, floor = 0;
};

Drifted short_run(Probe& probe, int index, quad step) {
  Stepper<quad> stepper = probe.stepper(probe.scheme, probe.initial);
  Observation<quad> seen;
  stepper.observe(seen);
  const quad first = seen.momenta[sz(index)];
  Drifted result;
  for (int k = 0; k < short_steps; ++k) {
    advance(stepper, step);
    stepper.observe(seen);
    result.value = math::max(result.value, math::abs(seen.momenta[sz(index)] - first));
    result.floor += step_floor(probe, index, stepper.state());
  }
  return result;
}

// The same of the long run in double. Rounding errors of different steps are independent: they add up like a random
// walk, whose extremes stay within a few times the square root of the number of steps.
double long_floor(Probe& probe, int index) {
  const Run<double>& run = probe.long_run();
  const auto rows = run.column("t").size();
  quad floor = 0;
  constexpr std::size_t looks = 8;
  for (std::size_t k = 0; k < looks; ++k) {
    const std::size_t row = (rows - 1) * k / (looks - 1);
    State<quad> state;
    state.t = run.column("t")[row];
    for (const std::string& name : probe.system.coordinate_names()) {
      state.q.push_back(run.column(name)[row]);
      state.p.push_back(run.column("p:" + name)[row]);
    }
    floor = math::max(floor, step_floor(probe, index, state) / Scalar<quad>::epsilon * quad(Scalar<double>::epsilon));
  }
  return static_cast<double>(floor) * std::sqrt(static_cast<double>(probe.options.long_steps));
}

}  // namespace

std::vector<Law> noether(Probe& probe) {
  std::vector<Law> laws;
  int index = -1;
  for (const auto& term : probe.system.terms()) {
    if (term->role != Role::symmetry) continue;
    ++index;
    Law law{.name = "momentum \"" + term->name + "\"", .declared = "-"};
    try {
      const Change broken = change(probe, index);
      const Drifted drifted = short_run(probe, index, probe.h);
      law.defect = static_cast<double>(drifted.value);
      law.floor = static_cast<double>(drifted.floor);
      if (!broken.of.empty() || term->uses_time) {
        law.measured = term->uses_time ? "a symmetry that depends on time"
                                       : fmt::format("not a symmetry: {} changes at the rate {}", broken.of,
                                                     scientific(static_cast<double>(broken.value)));
        law.holds = true;
      } else if (term->degree.q > 1) {
        law.measured = "not linear in q: changes by " +
                       defect_text(drifted.value, short_run(probe, index, probe.h / quad(2)).value);
        law.holds = true;
      } else {
        law.declared = "yes";
        law.holds = law.defect <= law.floor;
        law.measured = law.holds ? "yes" : fmt::format("no: {} in {} steps", scientific(law.defect), short_steps);
        // Where the motion leaves the manifold there may be no long run.
        if (law.holds && probe.on_manifold()) {
          law.defect = probe.long_run().momentum_error[sz(index)].values[0];
          law.floor = long_floor(probe, index);
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
