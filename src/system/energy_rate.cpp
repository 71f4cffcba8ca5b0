#include "system/energy_rate.hpp"

#include <algorithm>

#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

namespace extremal {
namespace {

class EnergyRate final : public ScalarTerm<EnergyRate> {
  friend ScalarTerm<EnergyRate>;

 public:
  EnergyRate(const System& system, quad kinetic, const std::vector<quad>& q);

 private:
  template <class S>
  struct Potential;
  template <class S>
  const Potential<S>& find(const Nodes<S>& at, int derivatives) const;
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const;
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const;
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const;

  std::vector<std::shared_ptr<const Term>> potentials_;
  std::vector<int> local_;  // of the coordinates of the system, among those of the term
  quad kinetic_, potential_ = 0, floor_ = 0;
};

// V, its slope and its bend, summed over all sites of all potentials, at the nodes.
template <class S>
struct EnergyRate::Potential {
  std::vector<S> V, slope, bend;
  std::vector<S> values, gradients, packed, ones;
};

EnergyRate::EnergyRate(const System& system, quad kinetic, const std::vector<quad>& q)
    : ScalarTerm(Role::potential, "rate"), local_(sz(system.size()), -1), kinetic_(kinetic) {
  const std::string where = "pace: " + system.name() + ": ";
  for (const auto& term : system.terms()) {
    if (term->role != Role::potential || term->uses_time) continue;
    potentials_.push_back(term);
    depends_on.insert(depends_on.end(), term->depends_on.begin(), term->depends_on.end());
    for (const int i : term->sites) local_[sz(i)] = 0;
  }
  if (potentials_.empty())
    throw InputError(where + "found no potential, of which a rate would be made; expected a rate of the model's own");
  for (std::size_t i = 0; i < local_.size(); ++i)
    if (local_[i] == 0) {
      local_[i] = static_cast<int>(sites.size());
      sites.push_back(static_cast<int>(i));
    }
  coordinates = variables = static_cast<int>(sites.size());
  std::vector<quad> parameters;
  for (const Number& x : system.parameters()) parameters.push_back(x.as<quad>());
  const quad t(0);
  const Potential<quad>& here =
      find<quad>({1, system.size(), q.data(), nullptr, &t, parameters.data(), static_cast<int>(parameters.size())}, 1);
  potential_ = here.V[0];
  quad length(0), force(0);
  for (std::size_t j = 0; j < sites.size(); ++j) {
    length += q[sz(sites[j])] * q[sz(sites[j])];
    force += here.slope[j] * here.slope[j];
  }
  floor_ = (kinetic + math::sqrt(length * force)) / quad(8);
  if (!(floor_ > quad(0)) || !math::finite(floor_))
    throw InputError(where +
                     "found no energy at the start, of which a rate would be made; expected a rate of the "
                     "model's own");
}

template <class S>
const EnergyRate::Potential<S>& EnergyRate::find(const Nodes<S>& at, int derivatives) const {
  thread_local Potential<S> sum;
  const auto room = [](std::vector<S>& memory, std::ptrdiff_t size) {
    if (memory.size() < static_cast<std::size_t>(size)) memory.resize(static_cast<std::size_t>(size));
    return memory.data();
  };
  const std::ptrdiff_t count = at.count, n = coordinates, bends = n * (n + 1) / 2;
  std::fill_n(room(sum.V, count), count, S(0));
  if (derivatives > 0) std::fill_n(room(sum.slope, count * n), count * n, S(0));
  if (derivatives > 1) std::fill_n(room(sum.bend, count * bends), count * bends, S(0));
  for (const auto& term : potentials_) {
    const int size = term->coordinates, calls = term->site_count();
    const std::ptrdiff_t all = count * calls, packed = static_cast<std::ptrdiff_t>(size) * (size + 1) / 2;
    room(sum.values, all);
    if (derivatives > 0)
      term->at<S>().gradient(at, sum.values.data(), room(sum.gradients, all * size));
    else
      term->at<S>().value(at, sum.values.data());
    if (derivatives > 1) {
      std::fill_n(room(sum.ones, all), all, S(1));
      term->at<S>().hessian(at, sum.ones.data(), room(sum.packed, all * packed));
    }
    for (std::ptrdiff_t call = 0; call < all; ++call) {
      const std::ptrdiff_t node = call / calls;
      const int* const site = term->sites.data() + call % calls * size;
      sum.V[static_cast<std::size_t>(node)] += sum.values[static_cast<std::size_t>(call)];
      for (int i = 0; derivatives > 0 && i < size; ++i)
        sum.slope[static_cast<std::size_t>(node * n + local_[sz(site[i])])] +=
            sum.gradients[static_cast<std::size_t>(call * size + i)];
      for (int i = 0; derivatives > 1 && i < size; ++i)
        for (int j = 0; j <= i; ++j)
          sum.bend[static_cast<std::size_t>(node * bends + packed_index(local_[sz(site[i])], local_[sz(site[j])]))] +=
              sum.packed[static_cast<std::size_t>(call * packed + packed_index(i, j))];
    }
  }
  return sum;
}

template <class S>
void EnergyRate::value_at(const Nodes<S>& at, S* out) const {
  const Potential<S>& here = find<S>(at, 0);
  const S T0 = static_cast<S>(kinetic_), c = static_cast<S>(floor_), V0 = static_cast<S>(potential_);
  for (int node = 0; node < at.count; ++node) {
    const S T = T0 + V0 - here.V[sz(node)];
    out[node] = math::sqrt((T0 * T0 + c * c) / (T * T + c * c));
  }
}

// s_q = s T V_q / F with F = T^2 + c^2.
template <class S>
void EnergyRate::gradient_at(const Nodes<S>& at, S* value, S* out) const {
  const Potential<S>& here = find<S>(at, 1);
  const S T0 = static_cast<S>(kinetic_), c = static_cast<S>(floor_), V0 = static_cast<S>(potential_);
  for (int node = 0; node < at.count; ++node) {
    const S T = T0 + V0 - here.V[sz(node)], F = T * T + c * c;
    const S s = math::sqrt((T0 * T0 + c * c) / F);
    value[node] = s;
    for (int i = 0; i < coordinates; ++i) *out++ = s * T / F * here.slope[sz(node * coordinates + i)];
  }
}

// s_qq = s (T V_qq / F + (3 T^2 / F^2 - 1 / F) V_q V_q^T).
template <class S>
void EnergyRate::hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
  const Potential<S>& here = find<S>(at, 2);
  const S T0 = static_cast<S>(kinetic_), c = static_cast<S>(floor_), V0 = static_cast<S>(potential_);
  const S* bend = here.bend.data();
  for (int node = 0; node < at.count; ++node) {
    const S T = T0 + V0 - here.V[sz(node)], F = T * T + c * c;
    const S s = weights[node] * math::sqrt((T0 * T0 + c * c) / F), both = (S(3) * T * T / F - S(1)) / F;
    const S* const slope = here.slope.data() + static_cast<std::ptrdiff_t>(node) * coordinates;
    for (int i = 0; i < coordinates; ++i)
      for (int j = 0; j <= i; ++j) *out++ = s * (T / F * *bend++ + both * slope[i] * slope[j]);
  }
}

}  // namespace

Rate energy_rate(const System& system, quad kinetic, const std::vector<quad>& q) {
  return std::make_shared<const EnergyRate>(system, kinetic, q);
}

}  // namespace extremal
