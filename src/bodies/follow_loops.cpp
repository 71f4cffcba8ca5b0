// Bodies that nobody placed, where loops hold them.
//
// follow_joints() has them where the first joint holds them, with their frames parallel; joints that close a loop may
// be open there. Those that were not placed then move to where all joints are closed, by Newton's method in a metric in
// which they weigh next to nothing, and those that were placed stay. What is still open is a matter of the start.
#include <algorithm>

#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "extremal/stepper.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

// By more than round-off.
bool is_open(const System& system, const std::vector<Number>& position, const Number& begin, quad length) {
  std::vector<double> q, parameters, g;
  for (const Number& x : position) q.push_back(x.as<double>());
  for (const Number& x : system.parameters()) parameters.push_back(x.as<double>());
  const double t = begin.as<double>();
  const Nodes<double> here{1, static_cast<int>(q.size()), q.data(), nullptr, &t, parameters.data()};
  for (const auto& term : system.terms()) {
    if (term->role != Role::constraint) continue;
    g.resize(sz(term->site_count() * term->row_count));
    term->at<double>().value(here, g.data());
    if (std::any_of(g.begin(), g.end(), [&](double x) { return !(std::abs(x) <= 1e-9 * static_cast<double>(length)); }))
      return true;
  }
  return false;
}

}  // namespace

bool MechanismData::follow_loops(const Start& start) const {
  const auto is_free = [](const BodyRecord& body) { return !body.placed; };
  if (joints.size() < bodies.size() || std::none_of(bodies.begin(), bodies.end(), is_free) ||
      !is_open(assembly().system, start.q, start.t, length_scale()))
    return false;
  // Where frames are parallel bars may be stretched, which no small motion closes: then they are turned first.
  for (const double weight : {1e-6, 1e-2})
    for (const double turn : {0.0, 0.4, -0.4, 1.0, -1.0})
      if (follow_loops(start, weight, turn)) return true;
  return false;
}

bool MechanismData::follow_loops(const Start& start, double light, double turn) const {
  MechanismData copy(*this);
  copy.assembled.reset();
  const quad moment = length_scale() * length_scale();
  Start begin = start;
  const auto D = sz(dimension());
  double sign = 1;
  for (BodyRecord& body : copy.bodies) {
    const quad weight = body.placed ? quad(1) : quad(light);
    body.mass = weight;
    body.euler = {weight * moment, weight * moment, weight * moment};
    // One more than the other, this way and that.
    const double angle = sign * turn * (1 + 0.01 * body.first);
    sign = -sign;
    if (!body.placed && body.rigid && turn != 0) {
      const Directors by =
          rotation({D == 2 ? quad(0) : quad(angle) / 2, D == 2 ? quad(0) : quad(angle) / 3, quad(angle)});
      for (std::size_t i = 0; i < D; ++i) {
        const Triple d = outward(by, body.directors[i]);
        for (std::size_t k = 0; k < D; ++k) begin.q[sz(body.first) + D * (i + 1) + k] = Number::exactly(d[k]);
      }
    }
    body.placed = true;
  }
  begin.v.clear();
  begin.slack = Number::exactly(100 * length_scale());
  try {
    Stepper<quad> stepper(copy.assembly().system, Scheme::named("rattle"));
    stepper.start(begin);
    const std::vector<quad>& q = stepper.state().q;
    // Placements that contradict each other are a matter of the start, too.
    for (const BodyRecord& body : bodies)
      for (std::size_t i = 0; body.placed && i < (body.rigid ? D * (D + 1) : D); ++i)
        if (const std::size_t at = sz(body.first) + i;
            !(math::abs(q[at] - start.q[at].as<quad>()) * (i < D ? quad(1) : length_scale()) <= length_scale() / 10))
          return false;
    for (BodyRecord& body : bodies) {
      if (body.placed) continue;
      const quad* from = q.data() + body.first;
      for (std::size_t k = 0; k < D; ++k) body.position[k] = from[k];
      for (std::size_t i = 0; body.rigid && i < D; ++i)
        for (std::size_t k = 0; k < D; ++k) body.directors[i][k] = from[D * (i + 1) + k];
    }
    return true;
  } catch (const InputError&) {  // said of the start
    return false;
  }
}

}  // namespace extremal
