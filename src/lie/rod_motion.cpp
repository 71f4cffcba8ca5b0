#include "lie/rod_motion.hpp"

#include <algorithm>

#include "numbers/instantiate.hpp"

namespace extremal::lie {
namespace {

template <class S>
std::array<S, 3> triple(const Vec3<quad>& x) {
  return {static_cast<S>(x.x), static_cast<S>(x.y), static_cast<S>(x.z)};
}

template <class S>
Rod<S> rod_of(const RigidRod& given) {
  Rod<S> rod;
  rod.closed = given.closed;
  const auto n = static_cast<std::size_t>(given.nodes);
  rod.positions.assign(n, {});
  rod.rotations.assign(n, {S(1), S(0), S(0), S(0)});
  const RodElement<quad>& first = given.elements.front();
  const auto c = triple<S>(first.force_stiffness), k = triple<S>(first.moment_stiffness);
  rod.sections = {{static_cast<S>(given.mass),
                   {static_cast<S>(given.inertia2 + given.inertia3), static_cast<S>(given.inertia2),
                    static_cast<S>(given.inertia3)},
                   {c[0], c[1], c[2], k[0], k[1], k[2]}}};
  for (const RodElement<quad>& element : given.elements) {
    rod.lengths.push_back(static_cast<S>(1 / element.inverse_length));
    rod.gamma0.push_back(triple<S>(element.gamma0));
    rod.omega0.push_back(triple<S>(element.omega0));
  }
  return rod;
}

}  // namespace

template <class S>
std::unique_ptr<RodMotion<S>> RodMotion<S>::made_for(const Model<S>& model, const RigidStructure& rigid,
                                                     const StepRule<S>& rule) {
  std::size_t nodes = 0;
  for (const RigidRod& rod : rigid.rods) nodes += static_cast<std::size_t>(rod.nodes);
  if (nodes == 0 || nodes != model.bodies.size() || model.rows > 0 || !model.drives.empty() || model.damped ||
      !model.loads.terms().empty() || rule.middle || rule.b0 + rule.b1 != S(1))
    return nullptr;
  std::vector<Rod<S>> rods;
  for (const RigidRod& rod : rigid.rods) rods.push_back(rod_of<S>(rod));
  return std::unique_ptr<RodMotion>(new RodMotion(model, std::move(rods), rule.b1));
}

template <class S>
RodMotion<S>::RodMotion(const Model<S>& model, std::vector<Rod<S>> rods, S b1)
    : model_(model), kernel_(rods), alpha_(b1) {
  for (std::size_t r = 0; r < kernel_.rods(); ++r)
    for (std::size_t i = 0; i < kernel_.nodes(r); ++i) slots_.push_back(kernel_.first(r) + i);
  for (std::size_t b = 0; b < slots_.size(); ++b) {
    const auto& body = model.bodies[b];
    if (!body.moves || !body.swings) kernel_.hold(slots_[b], !body.moves, !body.swings);
  }
  kernel_.gravity({model.gravity.x, model.gravity.y, model.gravity.z});
  kernel_.alpha(b1);
  for (const RigidLoad& load : model.plain_loads) loads_.push_back({slot(load.body), {}, {}});
  from_.resize(loads_.size());
  for (auto& list : momenta_) list.assign(kernel_.slots(), S(0));
}

template <class S>
void RodMotion<S>::find_loads(S t) {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const RigidLoad& load = model_.plain_loads[i];
    (load.torque ? loads_[i].torque : loads_[i].force)[static_cast<std::size_t>(load.component)] = load.f.at(t)[0];
  }
}

template <class S>
Pose<S> RodMotion<S>::pose(std::size_t i) const {
  return {{kernel_.x(0)[i], kernel_.x(1)[i], kernel_.x(2)[i]},
          columns(Quaternion<S>{kernel_.q(0)[i], kernel_.q(1)[i], kernel_.q(2)[i], kernel_.q(3)[i]})};
}

template <class S>
void RodMotion<S>::take(S t, const std::vector<BodyState<S>>& bodies) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::size_t i = slots_[b];
    const BodyState<S>& from = bodies[b];
    const S x[3] = {from.x.x, from.x.y, from.x.z}, q[4] = {from.q.w, from.q.x, from.q.y, from.q.z};
    const S p[3] = {from.p.x, from.p.y, from.p.z}, pi[3] = {from.pi.x, from.pi.y, from.pi.z};
    for (int c = 0; c < 4; ++c) kernel_.q(c)[i] = q[c];
    for (int c = 0; c < 3; ++c) {
      kernel_.x(c)[i] = x[c];
      kernel_.p(c)[i] = p[c];
      kernel_.pi(c)[i] = pi[c];
    }
  }
  begun_ = S(0);
  moved_ = false;
  seen_ = t;
}

template <class S>
bool RodMotion<S>::give(S t, std::vector<BodyState<S>>& bodies) {
  if (!moved_) return false;
  const S *p[3], *pi[3];
  if (begun_ != S(0)) {
    find_loads(t);
    kernel_.momenta(begun_, {momenta_[0].data(), momenta_[1].data(), momenta_[2].data()},
                    {momenta_[3].data(), momenta_[4].data(), momenta_[5].data()}, loads_);
  }
  for (int c = 0; c < 3; ++c) {
    p[c] = begun_ != S(0) ? momenta_[c].data() : kernel_.p(c);
    pi[c] = begun_ != S(0) ? momenta_[3 + c].data() : kernel_.pi(c);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::size_t i = slots_[b];
    bodies[b] = {{kernel_.x(0)[i], kernel_.x(1)[i], kernel_.x(2)[i]},
                 {kernel_.q(0)[i], kernel_.q(1)[i], kernel_.q(2)[i], kernel_.q(3)[i]},
                 {p[0][i], p[1][i], p[2][i]},
                 {pi[0][i], pi[1][i], pi[2][i]}};
  }
  moved_ = false;
  seen_ = t;
  return true;
}

template <class S>
int RodMotion<S>::lost() const {
  const S* q = kernel_.q(0);
  const auto found = std::find_if(slots_.begin(), slots_.end(), [q](std::size_t i) { return q[i] != q[i]; });
  return found == slots_.end() ? -1 : static_cast<int>(found - slots_.begin());
}

template <class S>
int RodMotion<S>::bad_load() const {
  for (std::size_t i = 0; i < loads_.size(); ++i)
    for (const auto* list : {&loads_[i].force, &loads_[i].torque})
      for (const S& x : *list)
        if (!math::finite(x)) return static_cast<int>(i);
  return -1;
}

// Forces and torques are not finite together; and a load may be neither.
template <class S>
bool RodMotion<S>::is_finite() const {
  constexpr std::size_t lanes = 8;
  S sums[lanes] = {};
  for (int c = 0; c < 3; ++c) {
    const S* p = kernel_.p(c);
    std::size_t i = 0;
    for (; i + lanes <= kernel_.slots(); i += lanes)
      for (std::size_t k = 0; k < lanes; ++k) sums[k] += p[i + k];
    for (; i < kernel_.slots(); ++i) sums[0] += p[i];
  }
  S sum(0);
  for (const S& part : sums) sum += part;
  for (const NodeLoad<S>& load : loads_)
    for (int c = 0; c < 3; ++c) sum += kernel_.pi(c)[load.slot];
  return math::finite(sum);
}

template <class S>
bool RodMotion<S>::step(S t, S h, S& work, S& supplied) {
  if (begun_ != h) {
    if (begun_ != S(0)) {
      std::vector<BodyState<S>> bodies(slots_.size());
      const S seen = seen_;
      moved_ = true;
      give(t, bodies);
      take(seen, bodies);
    }
    find_loads(t);
    kernel_.begin(h, loads_);
    begun_ = h;
  }
  work = supplied = S(0);
  for (std::size_t i = 0; i < loads_.size(); ++i) from_[i] = pose(loads_[i].slot);
  find_loads(t + h);
  moved_ = true;
  if (!kernel_.step(h, loads_, loads_) || !is_finite()) return false;
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const RigidLoad& load = model_.plain_loads[i];
    const Pose<S> to = pose(loads_[i].slot);
    const Vec3<S> shift = to.x - from_[i].x;
    const S done = (S(1) - alpha_) * load.f.at(t)[0] * swept(load, shift, from_[i], to, from_[i]) +
                   alpha_ * load.f.at(t + h)[0] * swept(load, shift, from_[i], to, to);
    work += done;
    if (done > S(0)) supplied += done;
  }
  return true;
}

template <class S>
void RodMotion<S>::save(std::vector<S>& out) const {
  out.push_back(begun_);
  for (const std::size_t i : slots_) {
    for (int c = 0; c < 3; ++c) out.insert(out.end(), {kernel_.x(c)[i], kernel_.p(c)[i], kernel_.pi(c)[i]});
    for (int c = 0; c < 4; ++c) out.push_back(kernel_.q(c)[i]);
  }
}

template <class S>
const S* RodMotion<S>::restore(const S* from) {
  moved_ = true;
  begun_ = *from++;
  for (const std::size_t i : slots_) {
    for (int c = 0; c < 3; ++c) {
      kernel_.x(c)[i] = *from++;
      kernel_.p(c)[i] = *from++;
      kernel_.pi(c)[i] = *from++;
    }
    for (int c = 0; c < 4; ++c) kernel_.q(c)[i] = *from++;
  }
  return from;
}

#define EXTREMAL_INSTANTIATE(S) template class RodMotion<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
