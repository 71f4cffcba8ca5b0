// FunctionTerm: what becomes of the function of a Term: its value, gradient and Hessian over nodes x sites.
//
// Over Lanes the function is called with doubles, one lane after the other, in a loop that compilers turn into vectors
// where the function allows it: it may branch, and needs to know nothing of lanes.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "extremal/detail/instructions.hpp"
#include "extremal/detail/jet.hpp"
#include "extremal/term.hpp"

namespace extremal {

namespace shape {

template <class R>
struct Rows {
  static constexpr int count = 1;
  static constexpr const R& row(const R& r, int) { return r; }
};
template <>
struct Rows<void> {  // a function that forgot to return; refused with a plain message where it is added
  static constexpr int count = 1;
};
template <class T, int N>
struct Rows<Tuple<T, N>> {
  static constexpr int count = N;
  static constexpr const T& row(const Tuple<T, N>& r, int i) { return r.x[static_cast<std::size_t>(i)]; }
};
template <class T, std::size_t N>
struct Rows<std::array<T, N>> {
  static constexpr int count = static_cast<int>(N);
  static constexpr const T& row(const std::array<T, N>& r, int i) { return r[static_cast<std::size_t>(i)]; }
};

// Parameters arrive as Real<S> (no derivatives), time as the scalar under differentiation.
template <class T, class S, class P>
using Extra = std::conditional_t<std::is_same_v<P, Time>, T, Real<S>>;

template <Role R, int N, class T, class S, class F, class... P>
constexpr bool callable() {
  if constexpr (takes_velocity(R))
    return std::is_invocable_v<const F&, const Tuple<T, N>&, const Tuple<T, N>&, const Extra<T, S, P>&...>;
  else
    return std::is_invocable_v<const F&, const Tuple<T, N>&, const Extra<T, S, P>&...>;
}

template <Role R, int N, class T, class S, class F, class... P>
auto result_type() {
  if constexpr (takes_velocity(R))
    return std::type_identity<
        std::invoke_result_t<const F&, const Tuple<T, N>&, const Tuple<T, N>&, const Extra<T, S, P>&...>>{};
  else
    return std::type_identity<std::invoke_result_t<const F&, const Tuple<T, N>&, const Extra<T, S, P>&...>>{};
}

}  // namespace shape

// GCC needs to be told that lanes are independent: it cannot see what the pointers at results and inputs refer to.
// Clang looks when it runs; told the same, it would complain of every function that it cannot turn into vectors.
#if defined(__clang__)
#define EXTREMAL_INDEPENDENT
#else
#define EXTREMAL_INDEPENDENT _Pragma("GCC ivdep")
#endif

template <Role R, int N, class F, class... P>
class FunctionTerm final : public Term {
  static constexpr bool with_v = takes_velocity(R);
  static constexpr bool with_t = (std::is_same_v<P, Time> || ...);
  static constexpr int M = (with_v ? 2 * N : N) + (with_t ? 1 : 0);
  using Probe = Jet<double, M, 1>;
  using Result = std::remove_cvref_t<typename decltype(shape::result_type<R, N, Probe, double, F, P...>())::type>;
  static constexpr int rows_per_site = shape::Rows<Result>::count;

  template <class S>
  static constexpr bool own_gradient =
      with_v ? requires(const F& f, Tuple<Real<S>, N> q, shape::Extra<Real<S>, S, P>... p) { f.gradient(q, q, p...); }
             : requires(const F& f, Tuple<Real<S>, N> q, shape::Extra<Real<S>, S, P>... p) { f.gradient(q, p...); };

 public:
  FunctionTerm(std::string label, F f, std::vector<int> site_list, P... p)
      : Term(R, std::move(label)), f_(std::move(f)), extra_{index(p)...} {
    coordinates = N;
    row_count = rows_per_site;
    variables = M;
    uses_time = with_t;
    set_depends_on(extra_.data(), extra_.data() + extra_.size());
    analytic = own_gradient<double>;
    sites.swap(site_list);
    degree = DegreeBound::of([this] { return probe_degree(); });
  }

  bool rows_of_degrees(Degree* out) const override {
    Tuple<Degree, N> q, v;
    for (int c = 0; c < N; ++c) {
      q.x[static_cast<std::size_t>(c)] = Degree::in_q(0.31 + 0.17 * c, c);
      if constexpr (with_v) v.x[static_cast<std::size_t>(c)] = Degree::in_v(0.29 - 0.13 * c, c);
    }
    const Degree t = with_t ? Degree::in_t(0.7) : Degree(0.7);
    const auto f = [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (with_v)
        return f_(q, v, degree_extra<P>(t, extra_[I])...);
      else
        return f_(q, degree_extra<P>(t, extra_[I])...);
    }(std::index_sequence_for<P...>{});
    for (int r = 0; r < rows_per_site; ++r) out[r] = row<Degree>(f, r);
    return true;
  }

  std::unique_ptr<Term> automatic() const override {
    std::unique_ptr<Term> copy(new FunctionTerm(*this));
    copy->analytic = false;
    return copy;
  }

#define EXTREMAL_AT(S)                                                                           \
  void value(const Nodes<S>& at, S* out) const override { value_at<S>(at, out); }                \
  void gradient(const Nodes<S>& at, S* v, S* out) const override { gradient_at<S>(at, v, out); } \
  void hessian(const Nodes<S>& at, const S* w, S* out) const override { hessian_at<S>(at, w, out); }
  EXTREMAL_AT(double)
  EXTREMAL_AT(long double)
  EXTREMAL_AT(quad)
#undef EXTREMAL_AT
  void gradient(const Nodes<Lanes>& at, Lanes* v, Lanes* out) const override {
    if constexpr (with_v)
      Term::gradient(at, v, out);  // no kernel asks for it, and compilers take their time
    else
      with_best_instructions([&] { gradient_at<Lanes>(at, v, out); });
  }
  using Term::hessian;
  using Term::value;

 private:
  static int index(Parameter p) { return p.index; }
  static int index(Time) { return -1; }

  // Of lane l, if S has lanes.
  template <class S>
  static auto of(const S& x, int l) {
    return Single<S>::lane(x, l);
  }
  template <class T, class S>
  auto call(const Tuple<T, N>& q, const Tuple<T, N>& v, const T& t, const S* parameters, int l) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (with_v)
        return f_(q, v, extra<P, T, S>(t, parameters, extra_[I], l)...);
      else
        return f_(q, extra<P, T, S>(t, parameters, extra_[I], l)...);
    }(std::index_sequence_for<P...>{});
  }
  template <class H, class T, class S>
  static auto extra(const T& t, const S* parameters, int i, int l) {
    if constexpr (std::is_same_v<H, Time>)
      return t;
    else
      return Real<typename Single<S>::type>(of(parameters[i], l));
  }

  // Calls f at every node, site and lane with arguments made by `seed(value, variable)`.
  template <class T, class S, class Seed, class Use>
  void sweep(const Nodes<S>& at, Seed seed, Use use) const {
    const int count = static_cast<int>(sites.size()) / N;
    for (int k = 0; k < at.count; ++k) {
      const S* qk = at.q + static_cast<std::ptrdiff_t>(k) * at.n;
      const S* vk = with_v ? at.v + static_cast<std::ptrdiff_t>(k) * at.n : nullptr;
      for (int site = 0; site < count; ++site) {
        const int* i = sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        EXTREMAL_INDEPENDENT
        for (int l = 0; l < Single<S>::count; ++l) {
          const T t = with_t ? seed(of(at.t[k], l), M - 1) : T(of(at.t[k], l));
          Tuple<T, N> q, v;
          for (int c = 0; c < N; ++c) {
            q[c] = seed(of(qk[i[c]], l), c);
            if constexpr (with_v) v[c] = seed(of(vk[i[c]], l), N + c);
          }
          use(k * count + site, l, call<T, S>(q, v, t, at.parameters, l));
        }
      }
    }
  }

  template <class T, class Value>
  static T row(const Value& value, int r) {
    return T(shape::Rows<Value>::row(value, r));
  }

  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    using One = typename Single<S>::type;
    using T = Real<One>;
    sweep<T>(
        at, [](One x, int) { return T(x); },
        [&](int k, int l, const auto& f) {
          for (int r = 0; r < rows_per_site; ++r) Single<S>::lane(out[k * rows_per_site + r], l) = row<T>(f, r).a;
        });
  }

  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    using One = typename Single<S>::type;
    if constexpr (own_gradient<One>) {
      if (analytic) {
        value_at<S>(at, value);
        own_gradient_at<S>(at, out);
        return;
      }
    }
    using T = Jet<One, M, 1>;
    sweep<T>(
        at, [](One x, int i) { return T::variable(x, i); },
        [&](int k, int l, const auto& f) {
          for (int r = 0; r < rows_per_site; ++r) {
            const T y = row<T>(f, r);
            Single<S>::lane(value[k * rows_per_site + r], l) = y.a;
            S* g = out + static_cast<std::ptrdiff_t>(k * rows_per_site + r) * M;
            for (int i = 0; i < M; ++i) Single<S>::lane(g[i], l) = y.g[static_cast<std::size_t>(i)];
          }
        });
  }

  // The user's own gradient returns its entries as a Tuple or array, rows after each other.
  template <class S>
  void own_gradient_at(const Nodes<S>& at, S* out) const {
    using T = Real<typename Single<S>::type>;
    const int count = static_cast<int>(sites.size()) / N;
    for (int k = 0; k < at.count; ++k)
      for (int site = 0; site < count; ++site) {
        const int* i = sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        EXTREMAL_INDEPENDENT
        for (int l = 0; l < Single<S>::count; ++l) {
          Tuple<T, N> q, v;
          for (int c = 0; c < N; ++c) {
            q[c] = T(of(at.q[static_cast<std::ptrdiff_t>(k) * at.n + i[c]], l));
            if constexpr (with_v) v[c] = T(of(at.v[static_cast<std::ptrdiff_t>(k) * at.n + i[c]], l));
          }
          const T t(of(at.t[k], l));
          const auto g = [&]<std::size_t... I>(std::index_sequence<I...>) {
            if constexpr (with_v)
              return f_.gradient(q, v, extra<P, T, S>(t, at.parameters, extra_[I], l)...);
            else
              return f_.gradient(q, extra<P, T, S>(t, at.parameters, extra_[I], l)...);
          }(std::index_sequence_for<P...>{});
          constexpr int entries = rows_per_site * M;
          static_assert(shape::Rows<std::remove_cvref_t<decltype(g)>>::count == entries,
                        "gradient(...) of a term must return one entry per variable (q, then v, then t) and row");
          for (int e = 0; e < entries; ++e)
            Single<S>::lane(out[static_cast<std::ptrdiff_t>(k * count + site) * entries + e], l) = row<T>(g, e).a;
        }
      }
  }

  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    using T = Jet<S, M, 2>;
    constexpr int size = T::hessian_size;
    sweep<T>(
        at, [](S x, int i) { return T::variable(x, i); },
        [&](int k, int, const auto& f) {
          T y = row<T>(f, 0);
          y *= weights[k * rows_per_site];
          for (int r = 1; r < rows_per_site; ++r) {
            T z = row<T>(f, r);
            y += (z *= weights[k * rows_per_site + r]);
          }
          for (int e = 0; e < size; ++e)
            out[static_cast<std::ptrdiff_t>(k) * size + e] = y.h[static_cast<std::size_t>(e)];
        });
  }

  Degree probe_degree() const {
    Degree all[rows_per_site];
    rows_of_degrees(all);
    for (int r = 1; r < rows_per_site; ++r) all[0] = Degree::worst(all[0], all[r]);
    return all[0];
  }

  template <class H>
  static Degree degree_extra(const Degree& t, int i) {
    if constexpr (std::is_same_v<H, Time>)
      return t;
    else
      return Degree::parameter(1.7, i);
  }

  F f_;
  std::array<int, sizeof...(P)> extra_;
};

#undef EXTREMAL_INDEPENDENT

}  // namespace extremal
