// SpringTerm: the free energies of thermoelastic springs, with the chain rule in place of jets.
//
// A depends on e = ln(l/l0) and theta only, and these on few of the variables z = (q, v, t): e on the places of the two
// ends, which are coordinates or functions of time, theta on phi' or on time. With r from end a to end b, u = r . r,
//   e_z = r . r_z / u,   e_zz = r_z . r_z / u - 2 e_z e_z + r . r_zz / u,
//   A_zz = A_ee e_z e_z + A_et (e_z theta_z + theta_z e_z) + A_tt theta_z theta_z + A_e e_zz + A_t theta_zz.
// r and theta are linear in q and v: r_zz and theta_zz have an entry at (t, t) only.
#include <algorithm>

#include "bodies/thermoelastic_data.hpp"
#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

namespace extremal {
namespace {

class SpringTerm final : public ScalarTerm<SpringTerm> {
  friend ScalarTerm<SpringTerm>;

 public:
  SpringTerm(const ThermoelasticData& data, const SpringKind& kind, const std::vector<SpringSite>& springs)
      : ScalarTerm(kind.thermostat ? Role::potential : Role::lagrangian, "springs"), kind_(kind), D_(data.dimension()) {
    coordinates = kind.ends * D_ + (kind.thermostat ? 0 : 1);
    uses_time = kind.uses_time;
    variables = (kind.thermostat ? 1 : 2) * coordinates + (uses_time ? 1 : 0);
    degree = {Degree::unbounded, kind.thermostat ? 0 : Degree::unbounded, uses_time ? Degree::unbounded : 0};
    for (const SpringSite& site : springs) {
      sites.insert(sites.end(), site.coordinates.begin(), site.coordinates.end());
      const SpringRecord& spring = *site.spring;
      Spring own{site.parameters, {}, {}, spring.thermostat};
      if (spring.a.support || spring.b.support)
        own.support = data.supports[sz((spring.a.support ? spring.a : spring.b).index)].position;
      const Number& r = spring.given.reference;
      own.reference = {r.as<double>(), r.as<long double>(), r.as<quad>()};
      springs_.push_back(std::move(own));
    }
    for (int c = 0; c < kind.ends * D_; ++c) active_.push_back(c);
    if (!kind.thermostat) active_.push_back(2 * coordinates - 1);
    if (uses_time) active_.push_back(variables - 1);
  }

 private:
  static constexpr int most_active = 8;  // two places in space, phi' and t

  struct Spring {
    std::array<int, 4> parameters;
    std::tuple<double, long double, quad> reference;
    std::array<TimeFunction, 3> support;
    std::optional<TimeFunction> thermostat;
  };

  // e and theta at one node, with their slopes along the active variables.
  template <class S>
  struct Local {
    S u, e, warmth;
    S r[3], r_z[3][most_active], e_z[most_active], theta_z[most_active];
    S bend_e, bend_theta;  // r . r_tt / u and theta_tt
  };

  template <class S>
  FreeEnergy<S> look(const Nodes<S>& at, int node, int site, Local<S>& here) const {
    const Spring& spring = springs_[sz(site)];
    const S* q = at.q + static_cast<std::ptrdiff_t>(node) * at.n;
    const int* i = sites.data() + static_cast<std::ptrdiff_t>(site) * coordinates;
    const auto parameter = [&](std::size_t k) { return at.parameters[spring.parameters[k]]; };
    const S reference = std::get<S>(spring.reference), length = parameter(1);
    const int A = static_cast<int>(active_.size()), last = A - 1;
    std::fill_n(here.theta_z, A, S(0));
    here.bend_e = here.bend_theta = S(0);
    here.u = S(0);
    S r_tt[3] = {};
    for (int k = 0; k < D_; ++k) {
      S* r_z = here.r_z[k];
      std::fill_n(r_z, A, S(0));
      if (kind_.ends == 2) {
        here.r[k] = q[i[D_ + k]] - q[i[k]];
        r_z[k] = S(-1);
        r_z[D_ + k] = S(1);
      } else {
        // From the support to the mass: only the square of r counts.
        const auto [place, speed, acceleration] = spring.support[sz(k)].at<S>(at.t[node]);
        here.r[k] = q[i[k]] - place;
        r_z[k] = S(1);
        if (uses_time) r_z[last] = -speed, r_tt[k] = -acceleration;
      }
      here.u += here.r[k] * here.r[k];
    }
    for (int a = 0; a < A; ++a) {
      here.e_z[a] = S(0);
      for (int k = 0; k < D_; ++k) here.e_z[a] += here.r[k] * here.r_z[k][a] / here.u;
    }
    for (int k = 0; k < D_; ++k) here.bend_e += here.r[k] * r_tt[k] / here.u;
    here.e = math::log(here.u / (length * length)) / S(2);
    if (kind_.thermostat) {
      const auto [theta, rate, second] = spring.thermostat->at<S>(at.t[node]);
      here.warmth = theta - reference;
      if (uses_time) here.theta_z[last] = rate, here.bend_theta = second;
    } else {
      here.warmth = at.v[static_cast<std::ptrdiff_t>(node) * at.n + i[coordinates - 1]];
      here.theta_z[kind_.ends * D_] = S(1);
    }
    return {here.e, here.warmth, parameter(0), parameter(2), parameter(3), reference};
  }

  // L has -A, a potential A.
  template <class S>
  S signed_one() const {
    return S(kind_.thermostat ? 1 : -1);
  }

  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    Local<S> here;
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < site_count(); ++site) *out++ = signed_one<S>() * look(at, node, site, here).value;
  }

  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    Local<S> here;
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < site_count(); ++site, out += variables) {
        const FreeEnergy<S> A = look(at, node, site, here);
        *value++ = signed_one<S>() * A.value;
        std::fill_n(out, variables, S(0));
        for (std::size_t a = 0; a < active_.size(); ++a)
          out[active_[a]] = signed_one<S>() * (A.e * here.e_z[a] + A.theta * here.theta_z[a]);
      }
  }

  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    Local<S> here;
    const int size = variables * (variables + 1) / 2;
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < site_count(); ++site, out += size) {
        const FreeEnergy<S> A = look(at, node, site, here);
        const S weight = signed_one<S>() * *weights++;
        std::fill_n(out, size, S(0));
        for (std::size_t a = 0; a < active_.size(); ++a)
          for (std::size_t b = 0; b <= a; ++b) {
            const S ea = here.e_z[a], eb = here.e_z[b], ta = here.theta_z[a], tb = here.theta_z[b];
            S bend = S(-2) * ea * eb;
            for (int k = 0; k < D_; ++k) bend += here.r_z[k][a] * here.r_z[k][b] / here.u;
            S x = A.ee * ea * eb + A.e_theta * (ea * tb + ta * eb) + A.theta_theta * ta * tb + A.e * bend;
            if (uses_time && b + 1 == active_.size()) x += A.e * here.bend_e + A.theta * here.bend_theta;
            out[packed_index(active_[a], active_[b])] = weight * x;
          }
      }
  }

  SpringKind kind_;
  int D_;
  std::vector<int> active_;  // the variables on which A depends
  std::vector<Spring> springs_;
};

}  // namespace

std::shared_ptr<const Term> spring_term(const ThermoelasticData& data, const SpringKind& kind,
                                        const std::vector<SpringSite>& springs) {
  return std::make_shared<SpringTerm>(data, kind, springs);
}

}  // namespace extremal
