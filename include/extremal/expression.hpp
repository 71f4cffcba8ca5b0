// Expression: a formula that is made while a program runs, without text; and terms of a System of such.
//
//   System chain("chain");
//   const int first = chain.size();
//   chain.coordinates(std::vector<std::string>{"x", "y"});        // as many as the program finds out
//   const Parameter g = chain.parameter("g", "9.81");
//   Symbols of;                                                   // coordinates of a site: 0, 1, ...
//   const Expression x = of.coordinate(0), y = of.coordinate(1);
//   add_term(chain, Role::potential, "potential", {of.parameter(g) * y}, {first, first + 1});
//   add_term(chain, Role::constraint, "rod", {x * x + y * y - 1}, {first, first + 1});
//
// Derivatives are exact, at every scalar, and terms cost what functions of C++ cost. Numbers may be texts, "1/3", which
// are exact at every scalar too. Systems of such terms can be written as model files (models.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "extremal/sink.hpp"
#include "extremal/system.hpp"
#include "extremal/time_function.hpp"

namespace extremal {

class Graph;

// A value: copies are cheap and share what they are made of. Those of different Symbols do not mix: InputError.
class Expression {
 public:
  Expression(double number);
  Expression(int number);
  Expression(const Number& number);
  Expression(const char* number) : Expression(Number(number)) {}

  friend Expression operator-(const Expression& x);
  friend Expression operator+(const Expression& x, const Expression& y);
  friend Expression operator-(const Expression& x, const Expression& y);
  friend Expression operator*(const Expression& x, const Expression& y);
  friend Expression operator/(const Expression& x, const Expression& y);
  friend Expression pow(const Expression& x, const Expression& y);
  // Any function of formulas (docs/formulas.md) by its name: sin, atan2, min, ...; y of those that have two arguments.
  friend Expression apply(const std::string& function, const Expression& x, const Expression& y);
  // a where x < y, otherwise b.
  friend Expression where_less(const Expression& x, const Expression& y, const Expression& a, const Expression& b);

  // With q0, q1, ... for coordinates and c0, c1, ... for parameters: to be looked at.
  std::string text() const;

 private:
  friend class Symbols;
  friend struct ExpressionNodes;
  Expression(std::shared_ptr<Graph> graph, int node) : graph_(std::move(graph)), node_(node) {}
  std::shared_ptr<Graph> graph_;  // null of a number
  int node_ = -1;
  Number number_;
};

inline Expression sqrt(const Expression& x) { return apply("sqrt", x, x); }
inline Expression sin(const Expression& x) { return apply("sin", x, x); }
inline Expression cos(const Expression& x) { return apply("cos", x, x); }
inline Expression tan(const Expression& x) { return apply("tan", x, x); }
inline Expression exp(const Expression& x) { return apply("exp", x, x); }
inline Expression log(const Expression& x) { return apply("log", x, x); }
inline Expression abs(const Expression& x) { return apply("abs", x, x); }
inline Expression atan2(const Expression& y, const Expression& x) { return apply("atan2", y, x); }

// What formulas begin with.
class Symbols {
 public:
  Symbols();
  Expression coordinate(int of_site) const;
  Expression velocity(int of_site) const;  // of a hamiltonian: the momentum
  Expression parameter(Parameter parameter) const;
  Expression time() const;

 private:
  std::shared_ptr<Graph> graph_;
};

// A term of the given rows, at sites of as many coordinates as `per_site`, or at one: indices into q. InputError if the
// rows are not those of the role: one of energies, one per coordinate of forces and symmetries.
void add_term(System& system, Role role, const std::string& name, const std::vector<Expression>& rows,
              const std::vector<int>& sites, int per_site = 0);
// Of t alone.
TimeFunction time_function(const Expression& of_time);
// A column of a run.
Observer observer(const System& system, const std::string& name, const Expression& value, const std::vector<int>& site);

}  // namespace extremal
