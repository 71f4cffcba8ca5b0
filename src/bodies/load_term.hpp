// LoadTerm: a load as a term of the system, made of its law (load_laws.hpp) in the intermediates u(q), their rates w
// and a function of time. The laws are compiled in load_springs.cpp, load_forces.cpp and load_torques.cpp, side by
// side.
#pragma once

#include <algorithm>

#include "bodies/load.hpp"
#include "bodies/load_laws.hpp"
#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

namespace extremal {

inline std::vector<Quadratic> all_intermediates(const std::vector<const Load*>& loads) {
  std::vector<Quadratic> all;
  for (const Load* load : loads) all.insert(all.end(), load->u.begin(), load->u.end());
  return all;
}

template <class Law>
class LoadTerm final : public ScalarTerm<LoadTerm<Law>> {
  using Base = ScalarTerm<LoadTerm<Law>>;
  friend Base;
  using Base::coordinates, Base::degree, Base::row_count, Base::site_count, Base::sites, Base::uses_time,
      Base::variables;

  static constexpr int most_coordinates = PolynomialTerm::most_coordinates;
  static constexpr int K = Law::K, C = Law::C;
  static constexpr int Z = Law::is_force ? 2 * K + (Law::uses_time ? 1 : 0) : K;  // u, w, t

 public:
  LoadTerm(const std::string& label, int local_coordinates, const std::vector<int>& site_list,
           const std::vector<const Load*>& loads)
      : Base(Law::is_force       ? Role::force
             : load::is_row<Law> ? Role::constraint
                                 : Role::potential,
             label),
        u_(local_coordinates, K, site_list, all_intermediates(loads)) {
    coordinates = local_coordinates;
    row_count = Law::is_force ? coordinates : 1;
    uses_time = Law::uses_time;
    variables = (Law::is_force ? 2 : 1) * coordinates + (uses_time ? 1 : 0);
    sites = site_list;
    for (const Load* load : loads) {
      this->site_names.push_back(load->name);
      for (const quad c : load->constants) std::apply([&](auto&... list) { (push(list, c), ...); }, constants_);
      if (uses_time) functions_.push_back(load->f);
      this->jumps = this->jumps || (uses_time && load->f.jumps());
    }
    // Unbounded, but for velocities and time where they do not occur.
    degree = {Degree::unbounded, Law::uses_rate ? Degree::unbounded : 0, uses_time ? Degree::unbounded : 0};
  }

 private:
  template <class S>
  static void push(std::vector<S>& list, quad c) {
    list.push_back(static_cast<S>(c));
  }

  // The intermediates of one site: values, rates, and their slopes u_k,q and w_k,q (w_k,v = u_k,q).
  template <class S>
  struct Local {
    S x[most_coordinates], v[most_coordinates], u[K], w[K];
    S slope[K][most_coordinates], drift[K][most_coordinates];
  };

  template <class S>
  void look(const Nodes<S>& at, int node, int site, Local<S>& here) const {
    const int N = coordinates;
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(node) * at.n;
    const int* i = sites.data() + static_cast<std::ptrdiff_t>(site) * N;
    for (int c = 0; c < N; ++c) here.x[c] = at.q[row + i[c]];
    if constexpr (Law::is_force)
      for (int c = 0; c < N; ++c) here.v[c] = at.v[row + i[c]];
    for (int k = 0; k < K; ++k) {
      here.u[k] = u_.template value<S>(site, k, here.x);
      std::fill_n(here.slope[k], N, S(0));
      u_.template add_gradient<S>(site, k, here.x, S(1), here.slope[k]);
      if constexpr (Law::is_force) {
        std::fill_n(here.drift[k], N, S(0));
        u_.template add_bilinear<S>(site, k, here.v, S(1), here.drift[k]);
        here.w[k] = S(0);
        for (int c = 0; c < N; ++c) here.w[k] += here.slope[k][c] * here.v[c];
      }
    }
  }

  // V, or Q_0 to Q_{K-1}, as jets in u, w, t; seed(value, index) makes their arguments.
  template <class T, class S, class Seed>
  void law(const Nodes<S>& at, int node, int site, const Local<S>& here, T* out, Seed seed) const {
    T u[K];
    for (int k = 0; k < K; ++k) u[k] = seed(here.u[k], k);
    const S* c = std::get<std::vector<S>>(constants_).data() + static_cast<std::ptrdiff_t>(site) * C;
    if constexpr (Law::is_force) {
      T w[K], f(S(0));
      for (int k = 0; k < K; ++k) w[k] = seed(here.w[k], K + k);
      if constexpr (Law::uses_time) {
        const auto [value, first, second] = functions_[sz(site)].template at<S>(at.t[node]);
        f = seed(at.t[node], 2 * K).chain(value, first, second);
      }
      Law::force(u, w, f, c, out);
    } else {
      out[0] = Law::potential(u, c);
    }
  }
  template <class T, class S>
  void law(const Nodes<S>& at, int node, int site, const Local<S>& here, T* out) const {
    law(at, node, site, here, out, [](S value, int index) { return T::variable(value, index); });
  }

  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    Local<S> here;
    const int N = coordinates, count = site_count();
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < count; ++site, out += row_count) {
        look(at, node, site, here);
        Real<S> result[K];
        law(at, node, site, here, result);
        if constexpr (!Law::is_force) {
          out[0] = result[0].a;
        } else {
          std::fill_n(out, N, S(0));
          for (int k = 0; k < K; ++k)
            for (int c = 0; c < N; ++c) out[c] += result[k].a * here.slope[k][c];
        }
      }
  }

  // A slope in (u, w, t), as one in (q, v, t).
  template <class S>
  void pull_back(const Local<S>& here, const S* slope, S* out) const {
    const int N = coordinates;
    for (int a = 0; a < N; ++a) {
      S in_q(0), in_v(0);
      for (int k = 0; k < K; ++k) {
        in_q += slope[k] * here.slope[k][a] + slope[K + k] * here.drift[k][a];
        in_v += slope[K + k] * here.slope[k][a];
      }
      out[a] = in_q;
      out[N + a] = in_v;
    }
    if constexpr (Law::uses_time) out[2 * N] = slope[2 * K];
  }

  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    Local<S> here;
    const int N = coordinates, M = variables, count = site_count();
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < count; ++site, out += row_count * M, value += row_count) {
        look(at, node, site, here);
        Jet<S, Z, 1> result[K];
        law(at, node, site, here, result);
        std::fill_n(out, row_count * M, S(0));
        if constexpr (!Law::is_force) {
          value[0] = result[0].a;
          for (int k = 0; k < K; ++k)
            for (int c = 0; c < N; ++c) out[c] += result[0].g[sz(k)] * here.slope[k][c];
        } else {
          std::fill_n(value, N, S(0));
          for (int k = 0; k < K; ++k) {
            S rate[2 * most_coordinates + 1];
            pull_back(here, result[k].g.data(), rate);
            for (int c = 0; c < N; ++c) {
              const S slope = here.slope[k][c];
              value[c] += result[k].a * slope;
              if (slope == S(0)) continue;
              for (int a = 0; a < M; ++a) out[c * M + a] += rate[a] * slope;
            }
            u_.template each_second<S>(site, k, result[k].a, [&](int i, int j, S x) {
              out[i * M + j] += x;
              if (i != j) out[j * M + i] += x;
            });
          }
        }
      }
  }

  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    Local<S> here;
    const int M = variables, count = site_count(), size = M * (M + 1) / 2;
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < count; ++site, out += size, weights += row_count) {
        look(at, node, site, here);
        std::fill_n(out, size, S(0));
        if constexpr (!Law::is_force) {
          Jet<S, Z, 2> V[1];
          law(at, node, site, here, V);
          add_potential(site, here, V[0], weights[0], out);
        } else {
          Second<S> Q[K];
          second(at, node, site, here, Q);
          for (int k = 0; k < K; ++k) add_force(site, k, here, Q[k], weights, out);
        }
      }
  }

  // No step needs the second derivatives of a force, only the derivative law does: they come one pair of directions at
  // a time, f_zy = (f_{z+y}'' - f_z'' - f_y'') / 2, from jets in one variable, which compile quickly.
  template <class S>
  struct Second {
    S slope[Z], bend[Z][Z];
  };
  template <class S>
  void second(const Nodes<S>& at, int node, int site, const Local<S>& here, Second<S>* out) const {
    using T = Jet<S, 1, 2>;
    T result[K];
    const auto along = [&](int z, int y) {
      law(at, node, site, here, result, [&](S value, int index) {
        T x(value);
        x.g[0] = S(index == z || index == y ? 1 : 0);
        return x;
      });
    };
    for (int z = 0; z < Z; ++z) {
      along(z, z);
      for (int k = 0; k < K; ++k) out[k].slope[z] = result[k].g[0], out[k].bend[z][z] = result[k].h[0];
    }
    for (int z = 0; z < Z; ++z)
      for (int y = 0; y < z; ++y) {
        along(z, y);
        for (int k = 0; k < K; ++k)
          out[k].bend[z][y] = out[k].bend[y][z] = (result[k].h[0] - out[k].bend[z][z] - out[k].bend[y][y]) / S(2);
      }
  }

  template <class S>
  void add_potential(int site, const Local<S>& here, const Jet<S, Z, 2>& V, S weight, S* out) const {
    const int N = coordinates;
    for (int k = 0; k < K; ++k) {
      S bent[most_coordinates];  // V_kl u_l,q
      for (int c = 0; c < N; ++c) {
        bent[c] = S(0);
        for (int l = 0; l < K; ++l) bent[c] += weight * V.second(k, l) * here.slope[l][c];
      }
      for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j) out[packed_index(i, j)] += here.slope[k][i] * bent[j];
      u_.template each_second<S>(site, k, weight * V.g[sz(k)],
                                 [&](int i, int j, S x) { out[packed_index(i, j)] += x; });
    }
  }

  // Of Q_k P with P = weights . u_k,q.
  template <class S>
  void add_force(int site, int k, const Local<S>& here, const Second<S>& Q, const S* weights, S* out) const {
    const int N = coordinates, M = variables;
    S P(0), bent[most_coordinates] = {}, rate[2 * most_coordinates + 1];
    for (int c = 0; c < N; ++c) P += weights[c] * here.slope[k][c];
    u_.template add_bilinear<S>(site, k, weights, S(1), bent);
    if (P == S(0) && std::all_of(bent, bent + N, [](S x) { return x == S(0); })) return;
    pull_back(here, Q.slope, rate);
    S bend[Z][2 * most_coordinates + 1];  // d(Q_k,z) / d(q, v, t)
    for (int z = 0; z < Z; ++z) pull_back(here, Q.bend[z], bend[z]);
    for (int b = 0; b < M; ++b) {
      S column[Z], sum[2 * most_coordinates + 1];
      for (int z = 0; z < Z; ++z) column[z] = P * bend[z][b];
      pull_back(here, column, sum);
      for (int a = b; a < M; ++a)
        out[packed_index(a, b)] += sum[a] + (a < N ? rate[b] * bent[a] : S(0)) + (b < N ? rate[a] * bent[b] : S(0));
    }
    for (int z = 0; z < K; ++z) {
      u_.template each_second<S>(site, z, P * Q.slope[z], [&](int i, int j, S x) { out[packed_index(i, j)] += x; });
      u_.template each_second<S>(site, z, P * Q.slope[K + z], [&](int i, int j, S x) {
        out[packed_index(i, N + j)] += x;
        if (i != j) out[packed_index(j, N + i)] += x;
      });
    }
  }

  Polynomials u_;
  std::tuple<std::vector<double>, std::vector<long double>, std::vector<quad>> constants_;
  std::vector<TimeFunction> functions_;
};

template <class Law>
std::shared_ptr<const Term> make_load_term(int coordinates, const std::vector<int>& sites,
                                           const std::vector<const Load*>& loads) {
  return std::make_shared<LoadTerm<Law>>(Law::name, coordinates, sites, loads);
}

template <class... Laws>
std::vector<LoadLaw> laws_of(std::tuple<Laws...>) {
  return {{make_load_term<Laws>}...};
}

}  // namespace extremal
