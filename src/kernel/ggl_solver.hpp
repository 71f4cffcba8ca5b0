// GglSolver: the equations of a ggl step, or of its adjoint, solved in their multipliers alone.
//
// With multipliers the first three rows of livens.hpp are explicit in w, z and u, of the adjoint in u, y and w, but for
// products with Gamma and forces of the velocity, which are taken at the unknowns before. What g(q1) = 0 and the hidden
// row lack, R4 and R5, is corrected by
//   A dLambda = R5,   A dGamma = R5 - R4,   A = G M^-1 G^T,
// with the G of qbar at the guess. That leaves out what is of first order in h; it is added in a second pass, by the G
// and the bend of qbar that the rows were made of. So corrections fall by a factor of the second order or nearly so. A
// is of a fifth of the size of Newton's matrix, definite, and factored once a step. The guess continues the solutions
// of the last steps of this length (histories.hpp), in the same substep each.
//
// In double: at higher precision the residual costs more than the matrix.
#pragma once

#include <memory>
#include <vector>

#include "algebra/ldlt.hpp"
#include "extremal/stepper.hpp"
#include "kernel/histories.hpp"
#include "kernel/livens.hpp"
#include "kernel/mass_inverse.hpp"
#include "step/trace.hpp"

namespace extremal {

class GglSolver {
 public:
  // Null where the rule is another one, M^-1 not sparse, or A costly.
  static std::unique_ptr<GglSolver> make(const System& system, LivensRule<double>& rule);

  // From rule.guess to the solution x, where the rule is then. False where corrections do not fall by much each time,
  // or A is close to singular: x is of no use then, and nothing else has happened.
  bool solve(const TracePart<double>& part, std::vector<double>& x, StepReport& report);

  // The history of a substep goes on with a solution.
  void remember(const TracePart<double>& part) { histories().remember(part.number, part.h, part.x.data()); }
  // Of all unknowns: w, too, as dampers make it implicit.
  using Past = Histories<double, 6>;
  Past& histories() { return histories_; }
  const Past& histories() const { return histories_; }

 private:
  // A product of two slopes and an entry of M^-1, and where it belongs in A.
  struct Product {
    int slot, left, right;
    double mobility;
  };
  struct Place {
    int row, entry;
  };

  GglSolver(const System& system, Ggl<double>& rule, MassInverse inverse,
            const std::vector<std::pair<int, int>>& entries);
  bool factor();
  void answer(const double* slopes, const double* to, double* out);
  void place(double* x, bool straight);
  double correct(double* x, double share, double small);

  Ggl<double>& rule_;
  bool loop_;
  int n_, m_;
  const MassInverse inverse_;
  Ldlt lu_;
  std::vector<Product> products_;
  std::vector<Place> places_;  // of G by columns,
  std::vector<int> columns_;   // which end here
  Past histories_;
  std::vector<double> rows_, sum_;  // hidden rows, then positions
  std::vector<double> by_lambda_, by_gamma_, by_bend_, next_, off_;
};

}  // namespace extremal
