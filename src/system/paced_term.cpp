#include "system/paced_term.hpp"

#include <algorithm>
#include <map>

#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

namespace extremal {
namespace {

constexpr int packed_size(int n) { return n * (n + 1) / 2; }

template <class S>
S* room(std::vector<S>& memory, std::ptrdiff_t size) {
  if (memory.size() < static_cast<std::size_t>(size)) memory.resize(static_cast<std::size_t>(size));
  return memory.data();
}

// s, its slope and its bend at the nodes: count, count x k, count x packed k.
template <class S>
struct RateValues {
  std::vector<S> s, slope, bend, ones;
  void find(const Term& rate, const Nodes<S>& at, int derivatives);
};

class PacedTerm final : public ScalarTerm<PacedTerm> {
  friend ScalarTerm<PacedTerm>;

 public:
  PacedTerm(std::shared_ptr<const Term> inner, Rate rate, std::vector<int> chosen, std::vector<int> places, int size,
            quad constant);

 private:
  template <class S>
  struct Scratch;
  template <class S>
  Nodes<S> prepare(const Nodes<S>& at, Scratch<S>& to, int derivatives) const;
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const;
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const;
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const;

  std::shared_ptr<const Term> inner_;
  Rate rate_;
  std::vector<int> chosen_;  // sites of the inner term
  std::vector<int> places_;  // of the coordinates of s, among those of a site
  bool scaled_;              // its velocities are divided by s
  quad constant_;            // of every site
};

class ClockTerm final : public ScalarTerm<ClockTerm> {
  friend ScalarTerm<ClockTerm>;

 public:
  ClockTerm(Role r, Rate rate, int clock);

 private:
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const;
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const;
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const;

  Rate rate_;
  int clock_;
};

template <class S>
void RateValues<S>::find(const Term& rate, const Nodes<S>& at, int derivatives) {
  const std::ptrdiff_t count = at.count, k = rate.coordinates;
  room(s, count);
  if (derivatives > 0)
    rate.at<S>().gradient(at, s.data(), room(slope, count * k));
  else
    rate.at<S>().value(at, s.data());
  if (derivatives > 1) {
    std::fill_n(room(ones, count), count, S(1));
    rate.at<S>().hessian(at, ones.data(), room(bend, count * packed_size(rate.coordinates)));
  }
  for (std::ptrdiff_t node = 0; node < count; ++node)
    if (S& x = s[static_cast<std::size_t>(node)]; !(x > S(0))) x = S(0) / S(0);
}

// Memory of the thread, which grows at the first calls: a step allocates nothing.
template <class S>
struct PacedTerm::Scratch {
  RateValues<S> rate;
  std::vector<S> v, value, gradient, packed, ones, along, cross;
  static Scratch& mine() {
    thread_local Scratch one;
    return one;
  }
};

PacedTerm::PacedTerm(std::shared_ptr<const Term> inner, Rate rate, std::vector<int> chosen, std::vector<int> places,
                     int size, quad constant)
    : ScalarTerm(inner->role, inner->name),
      inner_(std::move(inner)),
      rate_(std::move(rate)),
      chosen_(std::move(chosen)),
      places_(std::move(places)),
      scaled_(role == Role::kinetic || role == Role::lagrangian),
      constant_(constant) {
  const int n = inner_->coordinates;
  formula = inner_->formula;
  coordinates = size;
  variables = velocity() ? 2 * size : size;
  depends_on = inner_->depends_on;
  depends_on.insert(depends_on.end(), rate_->depends_on.begin(), rate_->depends_on.end());
  degree = {Degree::unbounded, velocity() ? inner_->degree.v : 0, 0};
  for (const int site : chosen_) {
    const auto first = inner_->sites.begin() + static_cast<std::ptrdiff_t>(site) * n;
    std::vector<int> all(first, first + n);
    all.resize(sz(size));
    for (std::size_t j = 0; j < places_.size(); ++j) all[sz(places_[j])] = rate_->sites[j];
    sites.insert(sites.end(), all.begin(), all.end());
  }
}

// s at the nodes, and the nodes as the inner term sees them: of all velocities those of its sites are there.
template <class S>
Nodes<S> PacedTerm::prepare(const Nodes<S>& at, Scratch<S>& to, int derivatives) const {
  to.rate.find(*rate_, at, derivatives);
  if (!scaled_) return at;
  S* const v = room(to.v, static_cast<std::ptrdiff_t>(at.count) * at.n);
  for (int node = 0; node < at.count; ++node) {
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(node) * at.n;
    const S inverse = S(1) / to.rate.s[sz(node)];
    for (const int i : inner_->sites) v[first + i] = at.v[first + i] * inverse;
  }
  return {at.count, at.n, at.q, v, at.t, at.parameters, at.parameter_count};
}

template <class S>
void PacedTerm::value_at(const Nodes<S>& at, S* out) const {
  Scratch<S>& here = Scratch<S>::mine();
  const Nodes<S> inside = prepare<S>(at, here, 0);
  const int sites_of = inner_->site_count(), count = site_count();
  const S* const K = room(here.value, static_cast<std::ptrdiff_t>(at.count) * sites_of);
  inner_->at<S>().value(inside, here.value.data());
  for (int node = 0; node < at.count; ++node)
    for (int c = 0; c < count; ++c)
      *out++ = here.rate.s[sz(node)] *
               (K[static_cast<std::ptrdiff_t>(node) * sites_of + chosen_[sz(c)]] + static_cast<S>(constant_));
}

template <class S>
void PacedTerm::gradient_at(const Nodes<S>& at, S* value, S* out) const {
  Scratch<S>& here = Scratch<S>::mine();
  const Nodes<S> inside = prepare<S>(at, here, 1);
  const int n = inner_->coordinates, vars = inner_->variables, k = rate_->coordinates, count = site_count();
  const std::ptrdiff_t all = inner_->site_count();
  room(here.value, at.count * all);
  room(here.gradient, at.count * all * vars);
  inner_->at<S>().gradient(inside, here.value.data(), here.gradient.data());
  for (int node = 0; node < at.count; ++node) {
    const S s = here.rate.s[sz(node)];
    const S* const slope = here.rate.slope.data() + static_cast<std::ptrdiff_t>(node) * k;
    for (int c = 0; c < count; ++c) {
      const int site = chosen_[sz(c)];
      const std::ptrdiff_t call = node * all + site;
      const S K = here.value[static_cast<std::size_t>(call)] + static_cast<S>(constant_);
      const S* const K_x = here.gradient.data() + call * vars;
      const int* const q = inner_->sites.data() + static_cast<std::ptrdiff_t>(site) * n;
      S a = K;
      for (int i = 0; scaled_ && i < n; ++i)
        a -= K_x[n + i] * inside.v[static_cast<std::ptrdiff_t>(node) * at.n + q[i]];
      *value++ = s * K;
      std::fill_n(out, variables, S(0));
      for (int i = 0; i < n; ++i) out[i] = s * K_x[i];
      for (int i = n; i < vars; ++i) out[coordinates + i - n] = scaled_ ? K_x[i] : s * K_x[i];
      for (int j = 0; j < k; ++j) out[places_[sz(j)]] += a * slope[j];
      out += variables;
    }
  }
}

template <class S>
void PacedTerm::hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
  Scratch<S>& here = Scratch<S>::mine();
  const Nodes<S> inside = prepare<S>(at, here, 2);
  const int n = inner_->coordinates, vars = inner_->variables, k = rate_->coordinates, count = site_count();
  const std::ptrdiff_t all = inner_->site_count(), bends = packed_size(vars);
  room(here.value, at.count * all);
  room(here.gradient, at.count * all * vars);
  room(here.packed, at.count * all * bends);
  std::fill_n(room(here.ones, at.count * all), at.count * all, S(1));
  S* const along = room(here.along, vars);  // K_xv y
  S* const cross = room(here.cross, vars);  // what s_q is multiplied with on the other side
  inner_->at<S>().gradient(inside, here.value.data(), here.gradient.data());
  inner_->at<S>().hessian(inside, here.ones.data(), here.packed.data());
  const auto outer = [&](int i) { return i < n ? i : coordinates + i - n; };
  for (int node = 0; node < at.count; ++node) {
    const S s = here.rate.s[sz(node)];
    const S* const slope = here.rate.slope.data() + static_cast<std::ptrdiff_t>(node) * k;
    const S* const bend = here.rate.bend.data() + static_cast<std::ptrdiff_t>(node) * packed_size(k);
    for (int c = 0; c < count; ++c) {
      const int site = chosen_[sz(c)];
      const std::ptrdiff_t call = node * all + site;
      const S w = *weights++;
      const S* const K_x = here.gradient.data() + call * vars;
      const S* const K_xx = here.packed.data() + call * bends;
      const int* const q = inner_->sites.data() + static_cast<std::ptrdiff_t>(site) * n;
      S a = here.value[static_cast<std::size_t>(call)] + static_cast<S>(constant_), square(0);
      for (int i = 0; i < vars; ++i) {
        along[i] = S(0);
        for (int j = 0; scaled_ && j < n; ++j)
          along[i] += K_xx[packed_index(i, n + j)] * inside.v[static_cast<std::ptrdiff_t>(node) * at.n + q[j]];
        cross[i] = !scaled_ ? K_x[i] : i < n ? K_x[i] - along[i] : -along[i] / s;
      }
      for (int i = 0; scaled_ && i < n; ++i) {
        const S y = inside.v[static_cast<std::ptrdiff_t>(node) * at.n + q[i]];
        a -= K_x[n + i] * y;
        square += along[n + i] * y;
      }
      std::fill_n(out, packed_size(variables), S(0));
      for (int i = 0; i < vars; ++i)
        for (int j = 0; j <= i; ++j) {
          const S factor = !scaled_ || i < n ? s : j < n ? S(1) : S(1) / s;
          out[packed_index(outer(i), outer(j))] += w * factor * K_xx[packed_index(i, j)];
        }
      for (int j = 0; j < k; ++j) {
        const int row = places_[sz(j)];
        for (int i = 0; i < vars; ++i) {
          const S both = w * cross[i] * slope[j];
          const int column = outer(i);
          out[packed_index(row, column)] += row == column ? both + both : both;
        }
        for (int i = 0; i <= j; ++i)
          out[packed_index(row, places_[sz(i)])] +=
              w * (a * bend[packed_index(j, i)] + (scaled_ ? slope[j] * slope[i] * square / s : S(0)));
      }
      out += packed_size(variables);
    }
  }
}

ClockTerm::ClockTerm(Role r, Rate rate, int clock) : ScalarTerm(r, "rate"), rate_(std::move(rate)), clock_(clock) {
  coordinates = rate_->coordinates + 1;
  variables = 2 * coordinates;
  formula = rate_->formula;
  depends_on = rate_->depends_on;
  degree = {Degree::unbounded, 2, 0};
  sites = rate_->sites;
  sites.push_back(clock_);
}

template <class S>
void ClockTerm::value_at(const Nodes<S>& at, S* out) const {
  thread_local RateValues<S> rate;
  rate.find(*rate_, at, 0);
  for (int node = 0; node < at.count; ++node) {
    const S speed = S(1 / clock_unit) * rate.s[sz(node)], x = at.v[static_cast<std::ptrdiff_t>(node) * at.n + clock_];
    out[node] = role == Role::hamiltonian ? speed * x + x * x / S(2) : (x - speed) * (x - speed) / S(2);
  }
}

template <class S>
void ClockTerm::gradient_at(const Nodes<S>& at, S* value, S* out) const {
  value_at<S>(at, value);
  thread_local RateValues<S> rate;
  rate.find(*rate_, at, 1);
  const int k = rate_->coordinates;
  const bool momenta = role == Role::hamiltonian;
  for (int node = 0; node < at.count; ++node, out += variables) {
    const S unit(1 / clock_unit), speed = unit * rate.s[sz(node)];
    const S x = at.v[static_cast<std::ptrdiff_t>(node) * at.n + clock_], a = unit * (momenta ? x : speed - x);
    std::fill_n(out, variables, S(0));
    for (int j = 0; j < k; ++j) out[j] = a * rate.slope[sz(node * k + j)];
    out[variables - 1] = momenta ? speed + x : x - speed;
  }
}

template <class S>
void ClockTerm::hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
  thread_local RateValues<S> rate;
  rate.find(*rate_, at, 2);
  const int k = rate_->coordinates;
  const bool momenta = role == Role::hamiltonian;
  for (int node = 0; node < at.count; ++node, out += packed_size(variables)) {
    const S w = weights[node], unit(1 / clock_unit), speed = unit * rate.s[sz(node)];
    const S x = at.v[static_cast<std::ptrdiff_t>(node) * at.n + clock_], a = unit * (momenta ? x : speed - x);
    const S* const slope = rate.slope.data() + static_cast<std::ptrdiff_t>(node) * k;
    const S* const bend = rate.bend.data() + static_cast<std::ptrdiff_t>(node) * packed_size(k);
    std::fill_n(out, packed_size(variables), S(0));
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i <= j; ++i)
        out[packed_index(j, i)] =
            w * (a * bend[packed_index(j, i)] + (momenta ? S(0) : unit * unit * slope[j] * slope[i]));
      out[packed_index(variables - 1, j)] = w * unit * (momenta ? slope[j] : -slope[j]);
    }
    out[packed_index(variables - 1, variables - 1)] = w;
  }
}

}  // namespace

std::vector<std::shared_ptr<const Term>> paced_terms(const std::shared_ptr<const Term>& inner, const Rate& rate,
                                                     quad constant) {
  const int n = inner->coordinates, k = rate->coordinates;
  std::map<std::vector<int>, std::vector<int>> alike;  // places of the coordinates of s, and the sites that have these
  for (int site = 0; site < inner->site_count(); ++site) {
    const auto first = inner->sites.begin() + static_cast<std::ptrdiff_t>(site) * n;
    std::vector<int> places;
    int size = n;
    for (int j = 0; j < k; ++j) {
      const auto found = std::find(first, first + n, rate->sites[sz(j)]);
      places.push_back(found == first + n ? size++ : static_cast<int>(found - first));
    }
    alike[places].push_back(site);
  }
  std::vector<std::shared_ptr<const Term>> terms;
  for (const auto& [places, sites] : alike) {
    const int size = std::max(n, 1 + *std::max_element(places.begin(), places.end()));
    terms.push_back(
        std::make_shared<const PacedTerm>(inner, rate, sites, places, size, constant / quad(inner->site_count())));
  }
  return terms;
}

std::shared_ptr<const Term> clock_term(Role role, const Rate& rate, int clock) {
  return std::make_shared<const ClockTerm>(role, rate, clock);
}

}  // namespace extremal
