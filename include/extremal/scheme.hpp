// Scheme: an integrator as data – basis, quadratures, closure – with what it declares of itself.
//
//   Scheme a = Scheme::named("spark(3)");
//   Scheme b = Scheme::named("galerkin(3, gauss(3), w=3, closure=hidden)");   // the same method
//   Scheme c = Scheme::named("kahan_li(8, rattle)");
//
// The hamilton family discretises the action [Wenger2017, eq. 13]
//   sum_i h b_i L(q_d(c_i), q_d'(c_i)) - sum_j h e_j g(q_d(f_j)) . lambda_d(f_j)
// with q_d a polynomial of degree s given by s + 1 control points on [0, 1], a rule (b, c) for the
// Lagrangian and an independent rule (e, f) for the constraints. The closure says where g = 0 is
// imposed and how the momentum at the end of the step is fixed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "extremal/number.hpp"
#include "extremal/scalar.hpp"

namespace extremal {

enum class Points { lobatto, equidistant, chebyshev };

// `ends` is the two-point rule with weight 1 - a at 0 and a at 1 [LewMata2016, eq. 54e]: a = 0 and 1
// are the rectangle rules, a = 1/2 the trapezoidal rule. `radau` is Radau IIA: its last node is 1.
// `riemann` is the left Riemann sum of given width in time (phase_space only).
enum class RuleKind { gauss, lobatto, radau, ends, riemann };

struct Rule;
struct Livens;

// A relative change of one weight: the negative control of the laws. `perturbed`, below, makes it and nobody else.
class Perturbation {
 public:
  double amount() const { return amount_; }
  friend bool operator==(const Perturbation&, const Perturbation&) = default;
  friend Rule perturbed(const Rule& rule, double amount);        // the first weight
  friend Livens perturbed(const Livens& livens, double amount);  // the weight of DV

 private:
  double amount_ = 0;
};

struct Rule {
  RuleKind kind = RuleKind::gauss;
  int nodes = 1;
  Number a = 0;           // `ends`: the weight at 1; `riemann`: the width
  bool mirrored = false;  // nodes 1 - c, the rule of the adjoint
  Perturbation perturbation = {};
  friend bool operator==(const Rule&, const Rule&) = default;
};

enum class Closure {
  variational,    // [Wenger2017, eq. 22]: the momentum of the discrete Legendre transform, hidden constraint not met
  projected,      // the same motion, momenta projected to G v = 0, multipliers by [Wenger2017, eq. 70]
  hidden,         // the end multiplier is fixed by G v = 0 and is the multiplier that is reported
  position,       // [Man2020, eqs. 30, 31]: g = 0 at the control points or at others, G v = 0 at the end
  given_lambda0,  // lambda at the start of the step is given by the last one (outlook of [Wenger2017])
};

// What q is a sum of in a step, in the place of 1, t, .., t^degree: as many functions of t, of which at most one kind
// is given.
struct Basis {
  Number omega = 0;                         // polynomials of two degrees less, cos(omega t), sin(omega t)
  std::vector<int> powers = {};             // these powers of t
  std::vector<std::string> functions = {};  // formulas of t, the time since the start of the step
  bool mirrored = false;                    // functions of the time that is left: the basis of the adjoint
  friend bool operator==(const Basis&, const Basis&) = default;
};

// What a step of the hamilton family does with potentials that are slow (System::slow_potential). They are like others,
// or apart from them: kicks p - weight h V_q at the ends of the step, and the rule has the rest of L. Substeps of
// `multirate` have them apart.
struct Kicks {
  bool apart = false;
  quad start = 0, end = 0;  // weights
  friend bool operator==(const Kicks&, const Kicks&) = default;
};

// Where closure position imposes g = 0 besides the start of the step [Man2020, section 3.1]: at points of a kind, or at
// a list that ends with 1; if nothing is said, at the control points.
struct ConstraintPoints {
  std::optional<Points> kind = {};
  std::vector<Number> list = {};
  friend bool operator==(const ConstraintPoints&, const ConstraintPoints&) = default;
};

// The hamilton family: the action of the head of this file.
struct Galerkin {
  int degree = 1;  // s
  Points control = Points::lobatto;
  Rule lagrangian;
  int multiplier_degree = 1;  // w
  Rule constraint{RuleKind::lobatto, 2};
  Closure closure = Closure::projected;
  ConstraintPoints points = {};
  Basis basis = {};
  Kicks kicks = {};
  friend bool operator==(const Galerkin&, const Galerkin&) = default;
};

// Which side of a node a discontinuous function takes its value from [Muehlebach2016, section 2.4].
enum class Continuity {
  q_left_p_right,  // the paper's choice
  q_right_p_left,  // its adjoint
  q_continuous,    // appendix B: the Galerkin integrator, if the mass is constant
  both_left,       // not symplectic: gains energy
  both_right,      // not symplectic: loses energy
};

// The phase_space family: discontinuous q~, p~, p_g~ [Muehlebach2016].
struct PhaseSpace {
  int degree = 1;           // k, of q~ and p~
  int pg_degree = 1;        // of p_g~
  Rule rule;                // for everything that depends on H and g
  bool exact_mass = false;  // H_p by a rule that is exact for constant mass, `rule` for the rest
  Continuity continuity = Continuity::q_left_p_right;
  Basis basis = {};
  bool projection = true;  // p is projected to G v = 0 at every node, which no step depends on
  friend bool operator==(const PhaseSpace&, const PhaseSpace&) = default;
};

// The livens family: q, v and p are independent, and g = 0 and G v = 0 have multipliers of their own [Kinon2023]. With
// constant mass M, S = sum_k Gamma_k D^2 g_k and qbar = q0 + h v, the discrete action of a step of `ggl`
//   h L(q0, v) + p1 . (q1 - q0 - h v) - Lambda . g(q0) - Gamma . G(qbar) M^-1 p1
// is stationary where
//   M v = p0 - h DV(q0) - G(q0)^T Lambda,   M (q1 - qbar) = G(qbar)^T Gamma,   p1 + S M^-1 p1 = M v,
//   g(q1) = 0,   G(qbar) M^-1 p1 = 0.
// `galerkin` has q of degree s through the s + 1 Lobatto points d_k, weights e_k, and v, p and gamma at the s Gauss
// points c_i, weights b_i; a step is stationary for
//   sum_i h b_i (L(q, v_i) + p_i . (q' - v_i) - gamma_i . G(q) M^-1 p_i)(c_i) - sum_k h e_k lambda_k . g(q(d_k)).
struct Livens {
  enum class Rule {
    ggl,                  // [Kinon2023, eq. 57], with p^{n+1} in the last term of its second line
    ggl_adjoint,          // its inverse with -h
    galerkin,             // polynomials: the outlook of [Kinon2023]
    energy_momentum,      // discrete derivatives of V and g [Gonzalez1999]: conserves energy, not symplectic
    energy_momentum_ggl,  // the same of V + lambda . g + gamma . G M^-1 p: G v = 0 as well
  };
  Rule rule = Rule::ggl;
  int degree = 1;          // s, of `galerkin`
  bool projection = true;  // of ggl: p is projected to G v = 0 at every node, which no step depends on
  Perturbation perturbation = {};
  friend bool operator==(const Livens&, const Livens&) = default;
};

// The lie family: rigid bodies known by their centre and rotation R, on a system that was made of them (mechanism.hpp).
// With the weights b of a rule at both ends and J_d the inertia tensor of the body axes, the discrete action of a step
//   h m |x1 - x0|^2 / (2 h^2) + tr((1 - R0^T R1) J_d) / h - h b_0 V(x0, R0) - h b_1 V(x1, R1)
// [LewMata2016, eqs. 84, 107] is stationary where the half-step momenta P = p0 - h b_0 V_x, Pi = pi0 + h b_0 tau carry
//   x1 = x0 + h P / m,   R1 = R0 F,   F J_d - J_d F^T = skew(h R0^T Pi),   p1 = P - h b_1 V_x,   pi1 = Pi + h b_1 tau.
// It is the hamilton member of the same rule on the bodies' directors, with the multipliers of rigidity eliminated.
// The midpoint rule has the angular velocity (R0 + R1)^T (R1 - R0) / (2 h) [LewMata2016, section 4.1, remark], thus
// tr((1 - (R0^T R1)^2) J_d) / (4 h) in the place of the second term, and V between the two ends.
// With `free` the bodies turn between the ends as they do without forces, exactly: the kinetic part of the action is
// that of this motion, and R1 = R0 exp(h Pi0 / a) exp(h (1 / c - 1 / a) Pi0_1 e_1) for moments (c, a, a) and Pi0 = R0^T
// Pi.
struct LieGroup {
  Rule rule{RuleKind::lobatto, 2};  // its nodes are 0 and 1, or 1/2
  bool free = false;
  // Of `free`: the weights of V at the ends. Those of the substeps of rkn sum to anything.
  quad first = quad(1) / 2, last = quad(1) / 2;
  friend bool operator==(const LieGroup&, const LieGroup&) = default;
};

struct Substep;

// A step h made of steps coefficient * h of members, one after the other; compositions nest in their names only.
struct Composition {
  std::vector<Substep> substeps;
  friend bool operator==(const Composition& a, const Composition& b);
};

// One of the families, with the data that its steps are made of. Copies are made in the library: a program that names
// schemes only need not compile how.
using AnyMethod = std::variant<Galerkin, PhaseSpace, Livens, LieGroup, Composition>;
struct Method : AnyMethod {
  using AnyMethod::AnyMethod;
  Method();
  Method(const Method& other);
  Method(Method&& other) noexcept;
  Method& operator=(const Method& other);
  Method& operator=(Method&& other) noexcept;
  ~Method();
};

// Orders of the global error in q, p and lambda at the nodes; 0: no convergence, or no such quantity.
struct Order {
  int q = 0, p = 0, lambda = 0;
  friend bool operator==(const Order&, const Order&) = default;
};

enum class Symmetry { none, configuration, full };  // reversible: not at all, in q only, in q and p

// What the momentum at the end of a step is.
enum class EndMomentum {
  tangent,   // G v = 0 to round-off
  near,      // G v = 0 to the order of the scheme
  bare,      // without the multiplier of its own node
  drifting,  // with a part across the constraints that grows with time and that no step depends on
};

// Where the multiplier at the end of a step comes from.
enum class EndMultiplier {
  acceleration,  // [Wenger2017, eq. 70]: found from the state
  own,           // the step's last unknown
  late,          // known when the next step has been taken [Wenger2017, eq. 22]
};

// What a scheme asks of a system. A system that does not have it is refused before the first step.
struct Needs {
  bool lagrangian = true;      // kinetic and potential terms or L: a Hamiltonian will not do
  bool constant_mass = false;  // which depends neither on q nor on t
  bool regular_mass = false;   // also across the constraints
  bool inertia = false;        // of every coordinate for itself
  bool independence = false;   // of the constraints
  bool quadratic = false;      // constraints of degree two at most, which do not depend on t
  bool bodies = false;         // and nothing but bodies, joints, rods and what acts on them
};

struct Declared {
  Order order;                         // with constraints
  int order_free = 0;                  // without constraints
  Symmetry symmetry = Symmetry::none;  // with constraints; without them `configuration` is `full`
  bool symplectic = false;             // with constraints
  bool symplectic_free = true;         // without constraints
  bool on_manifold = true;             // g = 0 at the nodes to round-off
  std::string citation;                // keys of docs/references.bib, comma separated
  std::vector<std::string> flags;      // what it costs: "blows up: ...", "order lost: ..."
  std::string damped;                  // what it costs where forces act, or empty
  EndMomentum momentum = EndMomentum::tangent;
  EndMultiplier multiplier = EndMultiplier::acceleration;
  bool error_estimate = false;  // by what a step leaves of the balances of energy and momentum
  bool gamma = false;           // the hidden constraint G v = 0 has a multiplier of its own in the step
  int degree = 1;               // of q inside a step, the highest of all substeps
  int points = 1;               // at which an iteration of a step, or of the first substep, evaluates L or H
  Needs needs;
};

struct Scheme {
  std::string name;  // canonical text: Scheme::named(name) gives the same scheme
  Method method;
  Declared declared;

  // Reads the grammar; throws InputError that says what was found, what was expected and the nearest
  // known name, or why the combination is refused.
  static Scheme named(std::string_view text);

  // The data of a family, or null if the scheme is of another one: scheme.as<Galerkin>()->closure.
  template <class F>
  const F* as() const {
    return std::get_if<F>(&method);
  }
  bool composed() const { return std::holds_alternative<Composition>(method); }
  const std::vector<Substep>& substeps() const;  // of a composition; else none

  // The same steps, whatever the scheme is called.
  friend bool operator==(const Scheme& a, const Scheme& b);
};

// Of a composition; the scheme is a member of another family.
struct Substep {
  quad coefficient = 1;
  Scheme scheme;
  friend bool operator==(const Substep& a, const Substep& b);
};

// The adjoint method, (step of -h)^-1: mirrored rules, and compositions in reverse order.
Scheme adjoint(const Scheme& scheme);
// The same scheme with the first weight of its (every substep's) rule for L or for V changed by a relative
// amount, and nothing else, its declarations included. It is what a law must be able to refuse.
Scheme perturbed(const Scheme& scheme, double amount);

// What `extremal list` prints and tests/laws holds to its word: one representative of every member.
const std::vector<Scheme>& registry();

// Nodes and weights on [0, 1] in quad precision, for 1 to 32 nodes (lobatto: from 2).
struct Quadrature {
  std::vector<quad> nodes, weights;
};
Quadrature quadrature(const Rule& rule);
std::vector<quad> control_points(Points kind, int degree);

// Lagrange basis through `points`: values[i][k] = l_k(x_i), slopes[i][k] = l_k'(x_i).
struct BasisTable {
  std::vector<std::vector<quad>> values, slopes;
};
BasisTable lagrange_basis(const std::vector<quad>& points, const std::vector<quad>& x);

}  // namespace extremal
