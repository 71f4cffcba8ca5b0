// Sweep: runs as members of a batch, which advance in lanes.
#include <algorithm>

#include "extremal/error.hpp"
#include "file/reader.hpp"
#include "sweep/sweep.hpp"

namespace extremal::sweep {

Start Sweep::fixed_start() const {
  Start start = base_.start;
  place(start, {});
  return start;
}

// The numbers of a start that follows what is varied. False if it is not one of the same kind.
bool Sweep::follow(std::uint64_t run, const Start& like, std::vector<double>& numbers) const {
  const std::vector<Number> values = this->values(run);
  Start start = read_start(*document_, settings_of(values), {});
  place(start, values);
  const auto same = [](const std::vector<Number>& x, const std::vector<Number>& y) { return x.size() == y.size(); };
  if (start.t != like.t || start.slack != like.slack || !start.next.empty() || !same(start.q, like.q) ||
      !same(start.v, like.v) || !same(start.p, like.p))
    return false;
  for (const auto* list : {&start.q, &start.v, &start.p})
    for (const Number& x : *list) numbers.push_back(x.as<double>());
  return true;
}

Members Sweep::members(std::vector<std::uint64_t>& runs, std::vector<double>& numbers) const {
  using Which = Varied::Kind;
  Members out{.system = base_.system, .start = fixed_start()};
  if (moves_) {
    out.start = read_start(*document_, settings_of(values(runs.front())), {});
    place(out.start, values(runs.front()));
  }
  const auto& names = base_.system.parameter_names();
  const auto add = [&](Which kind, std::size_t index) { out.varied.push_back({.kind = kind, .index = index}); };
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < plan_.axes.size(); ++k) {
    const Axis& axis = plan_.axes[k];
    const auto parameter = std::find(names.begin(), names.end(), axis.name);
    if (axis.target == Axis::Target::parameter)
      add(Which::parameter, static_cast<std::size_t>(parameter - names.begin()));
    else if (moves_)
      continue;
    else
      add(axis.target == Axis::Target::position   ? Which::position
          : axis.target == Axis::Target::velocity ? Which::velocity
                                                  : Which::momentum,
          axis.index);
    axes.push_back(k);
  }
  if (moves_)
    for (const auto& [kind, list] :
         {std::pair{Which::position, &out.start.q}, {Which::velocity, &out.start.v}, {Which::momentum, &out.start.p}})
      for (std::size_t i = 0; i < list->size(); ++i) add(kind, i);
  const std::size_t width = out.varied.size();
  std::vector<double> all(plan_.axes.size());
  std::vector<std::uint64_t> taken;
  for (const std::uint64_t run : runs) {
    const std::size_t before = numbers.size();
    this->numbers(run, all.data());
    for (const std::size_t k : axes) numbers.push_back(all[k]);
    try {
      if (!moves_ || follow(run, out.start, numbers)) {
        taken.push_back(run);
        continue;
      }
    } catch (const InputError&) {  // as `run` will say
    }
    numbers.resize(before);
  }
  for (std::size_t i = 0; i < width; ++i) {
    out.varied[i].values = numbers.data() + i;
    out.varied[i].stride = width;
  }
  out.count = taken.size();
  runs = std::move(taken);
  return out;
}

}  // namespace extremal::sweep
