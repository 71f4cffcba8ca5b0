#include "cli/settle_motion.hpp"

#include <algorithm>
#include <cmath>

#include "cli/stop.hpp"
#include "extremal/archive.hpp"
#include "extremal/case.hpp"
#include "extremal/error.hpp"
#include "extremal/stepper.hpp"

namespace extremal::cli {
namespace {

// Two periods of what swings, a factor of e^3 of what grows or falls, a second of what is free.
double length_of(const Mode& mode) {
  if (mode.omega > 0) return 2 / mode.frequency();
  return mode.growth != 0 ? 3 / std::fabs(mode.growth) : 1;
}

}  // namespace

double ModeMotion::write(const Request& request, Model model, const Equilibrium& at, const Mode& shape,
                         double largest) const {
  constexpr int rows = 128;
  const double seconds = length_of(shape), size = amplitude / largest;
  const bool free = shape.omega == 0 && shape.growth == 0;
  // Shapes are tangents: the way from the rest goes by short pieces, each of which is moved onto the constraints,
  // however far these are.
  constexpr int pieces = 16;
  Start start;
  start.t = Number(at.t);
  start.slack = 1e6;
  std::vector<double> q = at.q;
  Stepper<double> there(model.system, request.scheme(model));
  for (int piece = 1; piece <= pieces; ++piece) {
    start.q.clear();
    start.v.clear();
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double rate = free ? shape.shape[i] : shape.growth * shape.shape[i] - shape.omega * shape.late[i];
      start.q.push_back(Number(q[i] + (free ? 0 : size / pieces * shape.shape[i])));
      start.v.push_back(Number(size * rate));
    }
    there.start(start);
    q = there.state().q;
  }
  const std::vector<double> v = there.observe().v;
  for (std::size_t i = 0; i < q.size(); ++i) start.q[i] = Number(q[i]), start.v[i] = Number(v[i]);
  start.slack = model.start.slack;
  model.start = start;
  model.precision.clear();
  const double step = model.span.step.as<double>();
  const int parts = std::clamp(static_cast<int>(std::ceil(seconds / rows / step)), 1, 1000);
  model.span = Span{.step = Number(seconds / rows / parts), .until = Number(at.t + seconds), .every = parts};
  const std::string command = "extremal settle " + request.model_name + " --modes --mode " + std::to_string(mode);
  const Case one = make_case(std::move(model));
  ArchiveWriter<double> writer(archive, provenance_of(one, request.model_name, command));
  leave_nothing(writer.journal());
  OrderlyEnd<double> orderly;
  const Run<double> run =
      extremal::run<double>(one, {.sinks = {&orderly, &writer}, .collect = false, .stop = &stop_flag()});
  if (run.status == Status::failed) throw InputError("--archive: " + run.reason);
  return seconds;
}

}  // namespace extremal::cli
