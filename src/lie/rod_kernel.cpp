#include "lie/rod_kernel.hpp"

#include "lie/rod_data.hpp"
#include "numbers/instantiate.hpp"

namespace extremal::lie {

template <class S>
S step_bound(const RodSection<S>& section, const S& length) {
  const auto& [ea, ga2, ga3, gj, ei2, ei3] = section.stiffness;
  const auto& [j1, j2, j3] = section.inertia;
  const S four = S(4) / (length * length), mass = section.mass;
  const S squares[] = {four * ea / mass,
                       ga2 * (four / mass + S(1) / j3),
                       ga3 * (four / mass + S(1) / j2),
                       four * gj / j1,
                       four * ei2 / j2,
                       four * ei3 / j3};
  return S(2) / math::sqrt(*std::max_element(std::begin(squares), std::end(squares)));
}

template <class S>
RodKernel<S>::RodKernel(const std::vector<Rod<S>>& rods) : data_(std::make_unique<Data>()) {
  data_->build(rods);
  instructions(extremal::instructions());
  threads(data_->slots < 20000 ? 1 : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}
template <class S>
RodKernel<S>::~RodKernel() = default;
template <class S>
RodKernel<S>::RodKernel(RodKernel&&) noexcept = default;
template <class S>
RodKernel<S>& RodKernel<S>::operator=(RodKernel&&) noexcept = default;

template <class S>
std::size_t RodKernel<S>::rods() const {
  return data_->rods.size();
}
template <class S>
std::size_t RodKernel<S>::nodes(std::size_t rod) const {
  return data_->rods[rod].nodes;
}
template <class S>
std::size_t RodKernel<S>::elements(std::size_t rod) const {
  return data_->rods[rod].elements();
}
template <class S>
std::size_t RodKernel<S>::first(std::size_t rod) const {
  return data_->rods[rod].first;
}
template <class S>
std::size_t RodKernel<S>::slots() const {
  return data_->slots;
}

template <class S>
S* RodKernel<S>::x(int component) {
  return data_->state[Data::x + static_cast<std::size_t>(component)];
}
template <class S>
S* RodKernel<S>::q(int component) {
  return data_->state[Data::q + static_cast<std::size_t>(component)];
}
template <class S>
S* RodKernel<S>::p(int component) {
  return data_->state[Data::p + static_cast<std::size_t>(component)];
}
template <class S>
S* RodKernel<S>::pi(int component) {
  return data_->state[Data::pi + static_cast<std::size_t>(component)];
}
template <class S>
const S* RodKernel<S>::x(int component) const {
  return data_->state[Data::x + static_cast<std::size_t>(component)];
}
template <class S>
const S* RodKernel<S>::q(int component) const {
  return data_->state[Data::q + static_cast<std::size_t>(component)];
}
template <class S>
const S* RodKernel<S>::p(int component) const {
  return data_->state[Data::p + static_cast<std::size_t>(component)];
}
template <class S>
const S* RodKernel<S>::pi(int component) const {
  return data_->state[Data::pi + static_cast<std::size_t>(component)];
}

template <class S>
S RodKernel<S>::mass(std::size_t slot) const {
  return data_->inertia[Data::node_mass][slot];
}
template <class S>
std::array<S, 3> RodKernel<S>::inertia(std::size_t slot) const {
  const Vec3<S> j = data_->field(data_->inertia, Data::inverse_inertia, slot);
  return {S(1) / j.x, S(1) / j.y, S(1) / j.z};
}
template <class S>
RodElement<S> RodKernel<S>::element(std::size_t slot) const {
  return data_->element(slot);
}
template <class S>
std::size_t RodKernel<S>::next(std::size_t slot) const {
  const auto& rods = data_->rods;
  const auto after =
      std::upper_bound(rods.begin(), rods.end(), slot, [](std::size_t s, const RodSpan& r) { return s < r.first; });
  const RodSpan& rod = *(after - 1);
  const std::size_t last = rod.first + rod.nodes - 1;
  if (slot < last) return slot + 1;
  return slot == last && rod.closed ? rod.first : data_->slots;
}

template <class S>
void RodKernel<S>::hold(std::size_t slot, bool position, bool rotation) {
  auto& held = data_->held;
  std::erase_if(held, [&](const auto& node) { return node.slot == slot; });
  if (position || rotation) held.push_back({slot, position, rotation});
  data_->rest_held();
}
template <class S>
void RodKernel<S>::gravity(const std::array<S, 3>& acceleration) {
  data_->gravity = acceleration;
}
template <class S>
void RodKernel<S>::damping(const S& c) {
  data_->damping = c;
}
template <class S>
void RodKernel<S>::alpha(const S& a) {
  data_->alpha = a;
}
template <class S>
void RodKernel<S>::threads(int number) {
  data_->employ(number);
}
template <class S>
int RodKernel<S>::threads() const {
  return data_->workers->number();
}
template <class S>
void RodKernel<S>::instructions(Instructions instructions) {
  data_->loops = &rod_loops<S>(instructions);
}

template <class S>
void RodKernel<S>::forces(const std::array<S*, 3>& f, const std::array<S*, 3>& tau, bool with_gravity) const {
  Data& d = *data_;
  const S zero[3] = {S(0), S(0), S(0)}, *gravity = with_gravity ? d.gravity.data() : zero;
  d.sweep(nullptr, [&](const RodBlock& b, const ForceArrays<S>& e) {
    S* fb[3] = {f[0] + b.first, f[1] + b.first, f[2] + b.first};
    S* tb[3] = {tau[0] + b.first, tau[1] + b.first, tau[2] + b.first};
    d.loops->sum[b.uniform_nodes](b.padded(), fb, tb, d.inertia_at(b.first), e, gravity);
    for (std::size_t i = b.nodes; i < b.padded(); ++i)
      for (int c = 0; c < 3; ++c) fb[c][i] = tb[c][i] = S(0);
  });
}

template <class S>
bool RodKernel<S>::drift(const S& h) {
  Data& d = *data_;
  d.workers->run([&](int thread) {
    auto& w = d.crew[static_cast<std::size_t>(thread)];
    w.moved = true;
    for (std::size_t b = w.begin; b < w.end; ++b) w.moved = d.move(d.blocks[b], h) && w.moved;
  });
  return std::all_of(d.crew.begin(), d.crew.end(), [](const auto& w) { return w.moved; });
}

template <class S>
void RodKernel<S>::begin(const S& h, std::span<const NodeLoad<S>> loads) {
  Data& d = *data_;
  const S decay = d.decay_before(h), weight = decay * ((S(1) - d.alpha) * h);
  d.kick(nullptr, {decay, weight, {d.gravity[0], d.gravity[1], d.gravity[2]}});
  d.add(loads, weight);
  d.rest_held();
}

template <class S>
bool RodKernel<S>::step(const S& h, std::span<const NodeLoad<S>> before, std::span<const NodeLoad<S>> after) {
  Data& d = *data_;
  const S decay = d.decay_before(h), weight = decay * h;
  const bool moved = d.kick(&h, {decay * d.decay_after(h), weight, {d.gravity[0], d.gravity[1], d.gravity[2]}});
  d.add(before, d.alpha * weight);
  d.add(after, (S(1) - d.alpha) * weight);
  d.rest_held();
  return moved;
}

template <class S>
void RodKernel<S>::momenta(const S& h, const std::array<S*, 3>& p, const std::array<S*, 3>& pi,
                           std::span<const NodeLoad<S>> loads) const {
  Data& d = *data_;
  const S weight = (S(1) - d.alpha) * h, decay = d.decay_before(h);
  forces(p, pi);
  for (const NodeLoad<S>& load : loads)
    for (std::size_t c = 0; c < 3; ++c) p[c][load.slot] += load.force[c], pi[c][load.slot] += load.torque[c];
  for (std::size_t c = 0; c < 3; ++c)
    for (const RodSpan& rod : d.rods)
      for (std::size_t i = rod.first; i < rod.first + rod.nodes; ++i) {
        p[c][i] = d.state[Data::p + c][i] / decay - weight * p[c][i];
        pi[c][i] = d.state[Data::pi + c][i] / decay - weight * pi[c][i];
      }
  for (const auto& node : d.held)
    for (std::size_t c = 0; c < 3; ++c) {
      if (node.position) p[c][node.slot] = S(0);
      if (node.rotation) pi[c][node.slot] = S(0);
    }
}

template <class S>
RodEnergy<S> RodKernel<S>::potential() const {
  const Data& d = *data_;
  RodEnergy<S> sum{S(0), S(0), S(0), S(0)};
  for (const RodSpan& rod : d.rods)
    for (std::size_t e = 0; e < rod.elements(); ++e) {
      const std::size_t i = rod.first + e, j = e + 1 < rod.nodes ? i + 1 : rod.first;
      const RodElement<S> element = d.element(i);
      const RodEnergy<S> u =
          rod_energy(element, rod_strain(element, d.position(i), d.rotation(i), d.position(j), d.rotation(j)));
      sum.stretching += u.stretching, sum.shear += u.shear, sum.torsion += u.torsion, sum.bending += u.bending;
    }
  return sum;
}

template <class S>
S RodKernel<S>::gravitational() const {
  const Data& d = *data_;
  S sum = S(0);
  for (const RodSpan& rod : d.rods)
    for (std::size_t i = rod.first; i < rod.first + rod.nodes; ++i)
      sum -= mass(i) * dot(Vec3<S>{d.gravity[0], d.gravity[1], d.gravity[2]}, d.position(i));
  return sum;
}

template <class S>
S RodKernel<S>::kinetic(const std::array<const S*, 3>& p, const std::array<const S*, 3>& pi) const {
  const Data& d = *data_;
  S sum = S(0);
  for (const RodSpan& rod : d.rods)
    for (std::size_t i = rod.first; i < rod.first + rod.nodes; ++i) {
      const Vec3<S> v{p[0][i], p[1][i], p[2][i]},
          body = rotate_back(d.rotation(i), Vec3<S>{pi[0][i], pi[1][i], pi[2][i]});
      sum += d.inertia[Data::inverse_mass][i] * dot(v, v);
      sum += dot(d.field(d.inertia, Data::inverse_inertia, i), scaled(body, body));
    }
  return S(0.5) * sum;
}

template <class S>
S RodKernel<S>::step_bound() const {
  return data_->bound;
}

#define EXTREMAL_INSTANTIATE(S)                          \
  template S step_bound(const RodSection<S>&, const S&); \
  template class RodKernel<S>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal::lie
