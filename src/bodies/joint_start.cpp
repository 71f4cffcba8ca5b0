// Starts by the coordinates of joints: what is given is kept, the rest follows.
//
// A given coordinate becomes one of a copy of the system (own_coordinates.cpp), with a row phi = c + w (t - t0) that
// holds it where it is given and lets it go at its rate. The start of that copy is an ordinary one: positions by
// Newton's method, velocities with the least change in the metric of the kinetic energy. Positions are approached in
// short ways, so that the bodies stay on their branch, and all bodies count alike for them: beside a body of tons
// Newton's method would turn a light one by any angle.
#include <fmt/format.h>

#include "bodies/mechanism_data.hpp"
#include "extremal/error.hpp"
#include "extremal/stepper.hpp"
#include "numbers/index.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

class GivenStarts {
 public:
  explicit GivenStarts(const MechanismData& data) : data_(data), copy_(data), alike_(data) {
    copy_.assembled.reset();
    copy_.given_starts.clear();
    // Gears and given motions hold joints; what else acts on them, and is remembered of it, is of no matter.
    std::erase_if(copy_.loads, [](const LoadRecord& load) { return !load.terms || load.memory; });
    for (const GivenStart& one : data.given_starts) copy_.make_own(one.place);
    alike_ = copy_;
    const quad moment = data.length_scale() * data.length_scale();
    for (BodyRecord& body : alike_.bodies) body.mass = 1, body.euler = {moment, moment, moment};
  }

  Start found(const Number& begin) {
    Start start = assemble_start(copy_, begin);
    slack_ = start.slack;
    const quad t = start.t.as<quad>();
    // Closed first, as placed.
    State<quad> state = consistent(start, {});
    const int ways = way_count(state);
    // A way misses where it leads to by what is left of it, whatever the mechanism's own slack.
    const quad way_length = math::max(quad(1), data_.length_scale()) / 8;
    if (start.slack.as<quad>() < way_length) start.slack = Number::exactly(way_length);
    const State<quad> first = state;
    for (int way = 1; way <= ways; ++way) {
      std::vector<Held> held;
      for (const GivenStart& one : data_.given_starts) {
        if (!one.position) continue;
        const int at = copy_.own_index(one.place);
        const quad from = first.q[sz(at)];
        held.push_back({at, from + (*one.position - from) * way / ways, 0});
      }
      put(start, state);
      state = way < ways ? roughly(start, held) : consistent(start, held);
    }
    expect_positions(state);
    put(start, state);
    std::vector<Held> held;
    for (const GivenStart& one : data_.given_starts) {
      const int at = copy_.own_index(one.place);
      if (one.rate) held.push_back({at, state.q[sz(at)], *one.rate});
    }
    velocities(start, held, t);
    return without_extra(start);
  }

 private:
  struct Held {
    int coordinate;
    quad position, rate;
  };

  static System with(const MechanismData& bodies, const std::vector<Held>& held, quad t0) {
    System system = bodies.assembly().system;
    for (const Held& one : held) {
      const std::string& name = system.coordinate_names()[sz(one.coordinate)];
      const Parameter c = system.parameter("given " + name, Number::exactly(one.position - one.rate * t0)),
                      w = system.parameter("rate of " + name, Number::exactly(one.rate));
      system.constraint(
          "given " + name, Coordinates<1>{{one.coordinate}},
          [](auto q, auto t, auto at_zero, auto rate) { return q[0] - at_zero - rate * t; }, time, c, w);
    }
    return system;
  }

  State<quad> consistent(const Start& start, const std::vector<Held>& held) const {
    try {
      Stepper<quad> stepper(with(alike_, held, start.t.as<quad>()), Scheme::named("rattle"));
      stepper.start(start);
      return stepper.state();
    } catch (const InputError&) {
      if (held.empty()) throw;
      refuse("cannot be as given", "no position of the others was found on the way there");
    }
  }

  // On the way: in double, which is faster by far.
  State<quad> roughly(const Start& start, const std::vector<Held>& held) const {
    try {
      Stepper<double> stepper(with(alike_, held, start.t.as<quad>()), Scheme::named("rattle"));
      stepper.start(start);
      const State<double>& found = stepper.state();
      return {quad(found.t), {found.q.begin(), found.q.end()}, {found.p.begin(), found.p.end()}};
    } catch (const InputError&) {
      refuse("cannot be as given", "no position of the others was found on the way there");
    }
  }

  void velocities(Start& start, const std::vector<Held>& held, quad t0) const {
    if (held.empty()) return;
    std::vector<quad> v;
    try {
      Stepper<quad> stepper(with(copy_, held, t0), Scheme::named("rattle"));
      stepper.start(start);
      v = stepper.observe().v;
    } catch (const InputError& error) {
      refuse("cannot move as given", error.what());
    }
    for (const Held& one : held)
      if (const quad off = math::abs(v[sz(one.coordinate)] - one.rate);
          !(off <= quad(1e-20) * (1 + math::abs(one.rate))))
        refuse("cannot move as given",
               fmt::format("{}' would be {:.6g} and not {:.6g}",
                           copy_.assembly().system.coordinate_names()[sz(one.coordinate)],
                           static_cast<double>(v[sz(one.coordinate)]), static_cast<double>(one.rate)));
    for (std::size_t k = 0; k < v.size(); ++k) start.v[k] = Number::exactly(v[k]);
  }

  // A tenth of a radian or of the mechanism's size at once.
  int way_count(const State<quad>& state) const {
    quad longest = 0;
    for (const GivenStart& one : data_.given_starts) {
      if (!one.position) continue;
      const quad size =
          copy_.coordinate(one.place).kind == RigidCoordinate::Kind::length ? data_.length_scale() : quad(1);
      longest = math::max(longest, math::abs(*one.position - state.q[sz(copy_.own_index(one.place))]) / size);
    }
    if (!(longest < 1000)) refuse("cannot be as given", "more than 1000 rad or lengths away from the placements");
    return longest > 0 ? 1 + static_cast<int>(longest * 10) : 0;
  }

  void expect_positions(const State<quad>& state) const {
    for (const GivenStart& one : data_.given_starts) {
      if (!one.position) continue;
      const quad there = state.q[sz(copy_.own_index(one.place))];
      if (!(math::abs(there - *one.position) <= quad(1e-20) * (1 + math::abs(*one.position))))
        refuse("cannot be as given", fmt::format("joint {} would be at {:.6g} and not {:.6g}", quoted(told(one)),
                                                 static_cast<double>(there), static_cast<double>(*one.position)));
    }
  }

  static void put(Start& start, const State<quad>& state) {
    for (std::size_t k = 0; k < state.q.size(); ++k) start.q[k] = Number::exactly(state.q[k]);
  }

  // The copy has the coordinates of the system first, and then those that were made for this.
  Start without_extra(Start start) const {
    const std::size_t size = sz(data_.body_coordinates()) + data_.own.size();
    start.slack = slack_;
    start.q.resize(size);
    start.v.resize(size);
    start_memories(data_, start);
    return start;
  }

  // As the user calls it.
  std::string told(const GivenStart& one) const {
    const JointRecord& joint = data_.joints[sz(one.place.joint)];
    return coordinates_of(data_, joint).size() > 1 ? data_.coordinate_name(one.place) : joint.name;
  }

  [[noreturn]] void refuse(const char* what, const std::string& why) const {
    std::vector<std::string> names;
    for (const GivenStart& one : data_.given_starts) names.push_back(quoted(told(one)));
    data_.refuse("start", fmt::format("joint{} {} {}{}: {}", names.size() > 1 ? "s" : "", fmt::join(names, " and "),
                                      what, names.size() > 1 ? " together" : "", why));
  }

  const MechanismData& data_;
  MechanismData copy_, alike_;
  Number slack_ = 0;  // the mechanism's own
};

}  // namespace

Start assemble_given_start(const MechanismData& data, const Number& t) {
  return data.given_starts.empty() ? assemble_start(data, t) : GivenStarts(data).found(t);
}

void Mechanism::start_joint(const std::string& joint, const JointStart& given) {
  const std::string what = "start of joint " + quoted(joint);
  GivenStart one{data_->joint_place(what, joint)};
  for (const auto& [list, into] : {std::pair{&given.position, &one.position}, {&given.rate, &one.rate}}) {
    if (list->empty()) continue;
    if (list->list().size() > 1) data_->refuse(what, "several numbers; expected one");
    *into = list->list()[0].as<quad>();
  }
  std::erase_if(data_->given_starts, [&](const GivenStart& before) { return before.place == one.place; });
  data_->given_starts.push_back(one);
  std::erase_if(data_->told.starts, [&](const auto& before) { return before.first == joint; });
  data_->told.starts.emplace_back(joint, given);
}

}  // namespace extremal
