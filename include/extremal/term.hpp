// Term: a plain function of a few coordinates, templated on the scalar, applied at one or many sites.
//
//   kinetic      T(q, v, ...)      lagrangian   L(q, v, ...)     hamiltonian  H(q, p, ...)
//   potential    V(q, ...)         constraint   g(q, ...) = 0    force        f(q, v, ...), one entry per coordinate
//   symmetry     a(q, ...), the vector field of a one-parameter group, one entry per coordinate
//
// The dots are the values of the parameters that were named when the term was added, and t where
// `extremal::time` was named. The user writes the function; everything else is derived (detail/function_term.hpp):
// value, gradient and Hessian over nodes x sites behind one virtual call, at every scalar. A function object may bring
// `gradient(q, v, ..)` of its own; it is then used instead of the automatic one and the derivative law (check.hpp)
// compares the two.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "extremal/detail/degree.hpp"
#include "extremal/detail/jet.hpp"  // IWYU pragma: export
#include "extremal/detail/lanes.hpp"

namespace extremal {

enum class Role { kinetic, potential, lagrangian, hamiltonian, constraint, force, symmetry };

constexpr bool takes_velocity(Role role) {
  return role == Role::kinetic || role == Role::lagrangian || role == Role::hamiltonian || role == Role::force;
}

// What a term's function receives for its coordinates, and may return for several rows.
template <class T, int N>
struct Tuple {
  std::array<T, N> x;
  static constexpr int size() { return N; }
  constexpr const T& operator[](int i) const {
    if constexpr (std::is_same_v<T, Degree>) Degree::check_index(i, N);
    return x[static_cast<std::size_t>(i)];
  }
  constexpr T& operator[](int i) {
    if constexpr (std::is_same_v<T, Degree>) Degree::check_index(i, N);
    return x[static_cast<std::size_t>(i)];
  }
};

// Several rows at once: constraint(..., [](auto q) { return rows(q[0], q[1] - q[2]); }).
template <class First, class... Rest>
constexpr auto rows(const First& first, const Rest&... rest) {
  using T = std::common_type_t<First, Rest...>;
  return Tuple<T, 1 + static_cast<int>(sizeof...(Rest))>{{T(first), T(rest)...}};
}

struct Parameter {
  int index = 0;  // into System::parameters()
};
struct Time {};
inline constexpr Time time{};

// Where terms are evaluated: `count` nodes, each with all n coordinates, velocities (or momenta) and t.
template <class S>
struct Nodes {
  int count;
  int n;
  const S* q;               // count x n
  const S* v;               // count x n; null for terms without velocities
  const S* t;               // count
  const S* parameters;      // all parameters of the system
  int parameter_count = 0;  // needed over Lanes only
};

// One term at one scalar. Results are laid out [node][site][row] and, for the gradient, [variable] with
// the variables in the order q, v, t as far as the term has them.
template <class S>
class TermAt {
 public:
  virtual ~TermAt() = default;
  virtual void value(const Nodes<S>& at, S* out) const = 0;
  virtual void gradient(const Nodes<S>& at, S* value, S* out) const = 0;
  // Packed Hessian of sum_r weights[node][site][r] f_r: [node][site][packed variables].
  virtual void hessian(const Nodes<S>& at, const S* weights, S* out) const = 0;
};

class Term : public TermAt<double>, public TermAt<long double>, public TermAt<quad>, public TermAt<Lanes> {
 public:
#define EXTREMAL_AT(S)       \
  using TermAt<S>::value;    \
  using TermAt<S>::gradient; \
  using TermAt<S>::hessian;
  EXTREMAL_AT(double)
  EXTREMAL_AT(long double)
  EXTREMAL_AT(quad)
#undef EXTREMAL_AT
  ~Term() override;
  // Unless a term knows better: one lane after the other, as doubles.
  void value(const Nodes<Lanes>& at, Lanes* out) const override;
  void gradient(const Nodes<Lanes>& at, Lanes* value, Lanes* out) const override;
  void hessian(const Nodes<Lanes>& at, const Lanes* weights, Lanes* out) const override;

  Role role;
  std::string name;
  std::string formula;  // what it was read from, if it was; for messages
  int coordinates = 0;  // N
  int row_count = 1;    // rows per site
  int variables = 0;    // N, 2 N or one more with t
  bool uses_time = false;
  bool jumps = false;           // in t: the ends of a step see the values inside of it (numbers/node_time.hpp)
  bool analytic = false;        // brings a gradient of its own
  bool slow = false;            // of a potential: multirate schemes evaluate it once in a step
  bool expanded = false;        // a polynomial that is given by its coefficients: it is its Taylor series at zero
  std::vector<int> sites;       // site x N indices into q
  std::vector<int> depends_on;  // parameters of the system
  std::vector<std::string> site_names;  // of the sites, where each has a name of its own
  // Of a constraint, per site and row: its weight in the norm that decides between the multipliers of redundant
  // constraints; 0 leaves the row out. Empty: 1 everywhere.
  std::vector<double> row_weights;
  DegreeBound degree;  // polynomial degree in q, v, t; conservative
  int site_count() const { return static_cast<int>(sites.size()) / coordinates; }
  bool velocity() const { return takes_velocity(role); }

  template <class S>
  const TermAt<S>& at() const {
    return *this;
  }
  // Runs its function with degrees (detail/degree.hpp), for those who follow: one per row, or none if it cannot be
  // followed.
  virtual bool rows_of_degrees(Degree* out) const;
  // The same term with automatic derivatives only.
  virtual std::unique_ptr<Term> automatic() const = 0;

 protected:
  Term(Role r, std::string label);
  Term(const Term&);
  void set_depends_on(const int* begin, const int* end);  // those that are not negative
};

}  // namespace extremal
