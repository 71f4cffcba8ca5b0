// System: a sum of terms over named coordinates and parameters.
//
//   System pendulum;
//   auto ball = pendulum.coordinates("x", "y");
//   auto g = pendulum.parameter("g", "9.81");
//   pendulum.kinetic(ball, [](auto q, auto v) { return 0.5 * (v[0] * v[0] + v[1] * v[1]); });
//   pendulum.potential(ball, [](auto q, auto g) { return g * q[1]; }, g);
//   pendulum.constraint("rod", ball, [](auto q) { return q[0] * q[0] + q[1] * q[1] - 1.0; });
//
// The Lagrangian is L = sum kinetic - sum potential + sum lagrangian. A term may be applied at many sites
// at once: pass a vector of Coordinates of the same size. No derivative is ever required. Copies share
// their terms and cost little; a System is not changed by running it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "extremal/detail/function_term.hpp"
#include "extremal/number.hpp"
#include "extremal/term.hpp"

namespace extremal {

struct RigidStructure;

// A typed handle to N components of q; the only way to name them.
template <int N>
struct Coordinates {
  std::array<int, N> index;
};

// One handle to the components of several: a spring between two balls is a term of join(ball1, ball2).
template <int N1, int N2, class... Rest>
auto join(const Coordinates<N1>& a, const Coordinates<N2>& b, const Rest&... rest) {
  Coordinates<N1 + N2> both{};
  for (std::size_t i = 0; i < N1; ++i) both.index[i] = a.index[i];
  for (std::size_t i = 0; i < N2; ++i) both.index[N1 + i] = b.index[i];
  if constexpr (sizeof...(Rest) == 0)
    return both;
  else
    return join(both, rest...);
}

class System {
 public:
  explicit System(std::string name = "system");
  // In the library, for the sake of those who compile.
  System(const System&);
  System(System&&) noexcept;
  System& operator=(const System&);
  System& operator=(System&&) noexcept;
  ~System();

  // Coordinates that are named in one call belong together, as those of one body: large systems are solved body
  // by body.
  template <class... Names>
  Coordinates<static_cast<int>(sizeof...(Names))> coordinates(const Names&... names) {
    ++group_count_;
    return {{add_coordinate(names)...}};
  }
  // As many as the list has, for terms that refer to them by name.
  void coordinates(const std::vector<std::string>& names);
  Parameter parameter(const std::string& name, Number value);
  // A copy in which one parameter has another value; InputError if there is no such parameter.
  System with(std::string_view parameter, Number value) const;

  template <class Sites, class F, class... P>
  void kinetic(const Sites& sites, F f, P... parameters) {
    add<Role::kinetic>("kinetic", sites, std::move(f), parameters...);
  }
  template <class Sites, class F, class... P>
  void potential(const Sites& sites, F f, P... parameters) {
    add<Role::potential>("potential", sites, std::move(f), parameters...);
  }
  // A potential that changes little while others swing: multirate schemes evaluate it once in a step. To all other
  // schemes it is like any.
  template <class Sites, class F, class... P>
  void slow_potential(const Sites& sites, F f, P... parameters) {
    add<Role::potential, true>("potential", sites, std::move(f), parameters...);
  }
  template <class Sites, class F, class... P>
  void lagrangian(const Sites& sites, F f, P... parameters) {
    add<Role::lagrangian>("lagrangian", sites, std::move(f), parameters...);
  }
  template <class Sites, class F, class... P>
  void hamiltonian(const Sites& sites, F f, P... parameters) {
    add<Role::hamiltonian>("hamiltonian", sites, std::move(f), parameters...);
  }
  template <class Sites, class F, class... P>
  void force(const std::string& name, const Sites& sites, F f, P... parameters) {
    add<Role::force>(name, sites, std::move(f), parameters...);
  }
  template <class Sites, class F, class... P>
  void constraint(const std::string& name, const Sites& sites, F f, P... parameters) {
    add<Role::constraint>(name, sites, std::move(f), parameters...);
  }
  // A candidate for Noether's theorem: q' = a(q). Its momentum map is I = p . a(q); the Run claims it as
  // conserved only where L and g are found invariant (check.hpp).
  template <class Sites, class F, class... P>
  void symmetry(const std::string& name, const Sites& sites, F f, P... parameters) {
    add<Role::symmetry>(name, sites, std::move(f), parameters...);
  }
  // The linear vector field a(q) = A q + b over the given coordinates; A is row-major N x N.
  template <int N>
  void linear_symmetry(const std::string& name, const Coordinates<N>& site, std::array<double, N * N> matrix,
                       std::array<double, N> offset = {}) {
    symmetry(name, site, [matrix, offset](const auto& q) {
      auto a = q;
      for (int i = 0; i < N; ++i) {
        a[i] = offset[static_cast<std::size_t>(i)] + 0.0 * q[0];
        for (int j = 0; j < N; ++j) a[i] = a[i] + matrix[static_cast<std::size_t>(i * N + j)] * q[j];
      }
      return a;
    });
  }

  // A term of a class of its own; the calls above make theirs from functions.
  void add_term(std::shared_ptr<const Term> term);

  const std::string& name() const { return name_; }
  int size() const { return static_cast<int>(coordinate_names_.size()); }
  int constraint_count() const { return static_cast<int>(constraint_names_.size()); }
  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  const std::vector<std::string>& constraint_names() const { return constraint_names_; }  // one per row of g
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }
  const std::vector<Number>& parameters() const { return parameters_; }
  const std::vector<std::shared_ptr<const Term>>& terms() const { return terms_; }
  bool has(Role role) const;
  bool has_slow() const;
  // Without its slow potentials, and nothing but them, over the same coordinates and parameters.
  System fast() const;
  System slow() const;

  // For the library itself: a parameter of its own copy has another value.
  void set(Parameter parameter, Number value);
  // Of every coordinate: the call that named it, from 0.
  const std::vector<int>& groups() const { return groups_; }
  // A second account of some of the terms, by the rigid bodies and joints they were made from (mechanism.hpp), which
  // the lie family needs; null if there is none.
  void describe(std::shared_ptr<const RigidStructure> rigid) { rigid_ = std::move(rigid); }
  const std::shared_ptr<const RigidStructure>& rigid() const { return rigid_; }

 private:
  int add_coordinate(std::string_view name);
  void add_owned(std::unique_ptr<Term> term, bool slow);  // no code of std::shared_ptr for every term

  static std::vector<int> list(const int* begin, const int* end);
  template <int N>
  static std::vector<int> flat(const Coordinates<N>& site) {
    return list(site.index.data(), site.index.data() + N);
  }
  template <int N>
  static std::vector<int> flat(const std::vector<Coordinates<N>>& sites) {
    std::vector<int> all;
    for (const auto& site : sites) all.insert(all.end(), site.index.begin(), site.index.end());
    return all;
  }
  template <int N>
  static constexpr std::integral_constant<int, N> local_size(const Coordinates<N>&);
  template <int N>
  static constexpr std::integral_constant<int, N> local_size(const std::vector<Coordinates<N>>&);

  template <Role R, bool slow = false, class Sites, class F, class... P>
  void add(const std::string& name, const Sites& sites, F f, P... parameters) {
    constexpr int N = decltype(local_size(sites))::value;
    constexpr bool with_v = takes_velocity(R);
    constexpr int M = (with_v ? 2 * N : N) + ((std::is_same_v<P, Time> || ...) ? 1 : 0);
    using T = Jet<double, M, 1>;
    constexpr bool fits = shape::callable<R, N, T, double, F, P...>();
    // Two branches, so that the message speaks of the arguments the user's function should have.
    if constexpr (with_v)
      static_assert(fits, "this term's function must take (q, v) and then one argument per parameter named after it");
    else
      static_assert(fits, "this term's function must take (q) and then one argument per parameter named after it");
    if constexpr (fits) {
      using Result = std::remove_cvref_t<typename decltype(shape::result_type<R, N, T, double, F, P...>())::type>;
      constexpr int rows = shape::Rows<Result>::count;
      constexpr bool scalar = std::is_convertible_v<Result, T>;
      constexpr bool one_value =
          R == Role::kinetic || R == Role::potential || R == Role::lagrangian || R == Role::hamiltonian;
      constexpr bool per_coordinate = R == Role::force || R == Role::symmetry;
      static_assert(!one_value || scalar, "an energy term's function must return one number (of the type of q[0])");
      static_assert(!per_coordinate || rows == N,
                    "a force or symmetry must return one entry per coordinate: rows(f0, f1, ...)");
      static_assert(R != Role::constraint || scalar || rows > 1,
                    "a constraint's function must return one number, or several as rows(g0, g1, ...)");
      if constexpr ((!one_value || scalar) && (!per_coordinate || rows == N) &&
                    (R != Role::constraint || scalar || rows > 1))
        add_owned(
            std::unique_ptr<Term>(new FunctionTerm<R, N, F, P...>(name, std::move(f), flat(sites), parameters...)),
            slow);
    }
  }

  bool take_name(const std::string& name);  // false if it is taken

  std::string name_;
  std::vector<std::string> coordinate_names_, parameter_names_, constraint_names_;
  struct Names;
  std::shared_ptr<Names> known_;  // "q x" and "g rod": names that are taken; shared by copies until one of them adds
  std::vector<int> groups_;
  int group_count_ = 0;
  std::vector<Number> parameters_;
  std::vector<std::shared_ptr<const Term>> terms_;
  std::shared_ptr<const RigidStructure> rigid_;
};

}  // namespace extremal
