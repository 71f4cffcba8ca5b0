// P3: SUNDIALS, IDA on the bars by their ends in the formulation of Gear, Gupta and Leimkuhler,
//   d' = v - G^T mu,   M v' = f - G^T lambda,   g = 0,   G v = 0,
// with lambda and mu out of the error test, an analytic sparse Jacobian and KLU.
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <map>

#include "four_bars.hpp"
#include "sundials.hpp"

namespace {

using namespace peers;
using namespace peers::four_bars;

// The unknowns of leg k are together, which is a good order to begin with: d, v, then lambda and mu of the leg and of
// the coupler after it.
constexpr int block = 8;
enum { D = 0, V = 2, LEG = 4, LEG_MU = 5, COUPLER = 6, COUPLER_MU = 7 };

struct Linkage {
  int legs;
  int size() const { return block * legs - 2; }  // the last leg has no coupler
  static int at(int k, int what) { return block * k + what; }
  // Calls f(row of lambda, row of mu, number of ends, ends, signs, c), c the vector of the bar, for every bar.
  template <class F>
  void bars(const double* y, F&& f) const {
    for (int k = 0; k < legs; ++k) {
      const double* d = y + at(k, D);
      const int one[2] = {k, k};
      const double plus[2] = {1, 0};
      f(at(k, LEG), at(k, LEG_MU), 1, one, plus, d[0], d[1]);
      if (k + 1 == legs) break;
      const double* e = y + at(k + 1, D);
      const int two[2] = {k + 1, k};
      const double signs[2] = {1, -1};
      f(at(k, COUPLER), at(k, COUPLER_MU), 2, two, signs, e[0] - d[0] + 1, e[1] - d[1]);
    }
  }
};

int residual(double, N_Vector state, N_Vector rate, N_Vector out, void* user) {
  const Linkage& l = *static_cast<const Linkage*>(user);
  const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(rate);
  double* r = N_VGetArrayPointer(out);
  for (int k = 0; k < l.legs; ++k)
    for (int i = 0; i < 2; ++i) {
      r[l.at(k, D) + i] = dy[l.at(k, D) + i] - y[l.at(k, V) + i];
      double momentum = mass(k, l.legs) * dy[l.at(k, V) + i] - (i == 1 ? weight(k, l.legs) : 0);
      if (k > 0) momentum += dy[l.at(k - 1, V) + i] / 6;
      if (k + 1 < l.legs) momentum += dy[l.at(k + 1, V) + i] / 6;
      r[l.at(k, V) + i] = momentum;
    }
  l.bars(y, [&](int lambda, int mu, int ends, const int* end, const double* sign, double cx, double cy) {
    r[lambda] = (cx * cx + cy * cy - 1) / 2;
    r[mu] = 0;
    for (int e = 0; e < ends; ++e) {
      const int d = l.at(end[e], D), v = l.at(end[e], V);
      r[mu] += sign[e] * (cx * y[v] + cy * y[v + 1]);
      r[d] += sign[e] * cx * y[mu];
      r[d + 1] += sign[e] * cy * y[mu];
      r[v] += sign[e] * cx * y[lambda];
      r[v + 1] += sign[e] * cy * y[lambda];
    }
  });
  return 0;
}

// Calls add(row, column, value) for every entry, always in the same order.
template <class Add>
void entries(const Linkage& l, double cj, const double* y, Add&& add) {
  for (int k = 0; k < l.legs; ++k)
    for (int i = 0; i < 2; ++i) {
      const int d = l.at(k, D) + i, v = l.at(k, V) + i;
      add(d, d, cj);
      add(d, v, -1);
      add(v, v, cj * mass(k, l.legs));
      if (k > 0) add(v, l.at(k - 1, V) + i, cj / 6);
      if (k + 1 < l.legs) add(v, l.at(k + 1, V) + i, cj / 6);
    }
  l.bars(y, [&](int lambda, int mu, int ends, const int* end, const double* sign, double cx, double cy) {
    const double c[2] = {cx, cy};
    for (int i = 0; i < 2; ++i) {
      double rate = 0;  // of c
      for (int e = 0; e < ends; ++e) rate += sign[e] * y[l.at(end[e], V) + i];
      for (int e = 0; e < ends; ++e) {
        const int d = l.at(end[e], D) + i, v = l.at(end[e], V) + i;
        add(lambda, d, sign[e] * c[i]);
        add(mu, v, sign[e] * c[i]);
        add(mu, d, sign[e] * rate);
        add(d, mu, sign[e] * c[i]);
        add(v, lambda, sign[e] * c[i]);
        for (int f = 0; f < ends; ++f) {
          add(d, l.at(end[f], D) + i, sign[e] * sign[f] * y[mu]);
          add(v, l.at(end[f], D) + i, sign[e] * sign[f] * y[lambda]);
        }
      }
    }
  });
}

struct Problem {
  Linkage linkage;
  std::vector<sunindextype> columns, rows, place;  // pattern, and where each entry goes
};

Problem problem(int n) {
  Problem p{{n + 1}, {}, {}, {}};
  const std::vector<double> y(static_cast<std::size_t>(p.linkage.size()));
  std::map<std::pair<int, int>, sunindextype> known;  // (column, row)
  entries(p.linkage, 1, y.data(), [&](int row, int column, double) { known[{column, row}] = 0; });
  for (auto& [where, index] : known) {
    index = static_cast<sunindextype>(p.rows.size());
    while (static_cast<int>(p.columns.size()) <= where.first) p.columns.push_back(index);
    p.rows.push_back(where.second);
  }
  p.columns.push_back(static_cast<sunindextype>(p.rows.size()));
  entries(p.linkage, 1, y.data(), [&](int row, int column, double) { p.place.push_back(known[{column, row}]); });
  return p;
}

int jacobian(double, double cj, N_Vector state, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
             N_Vector) {
  const Problem& p = *static_cast<const Problem*>(user);
  double* value = SM_DATA_S(J);
  std::copy(p.columns.begin(), p.columns.end(), SM_INDEXPTRS_S(J));
  std::copy(p.rows.begin(), p.rows.end(), SM_INDEXVALS_S(J));
  std::fill(value, value + p.rows.size(), 0.0);
  const sunindextype* place = p.place.data();
  entries(p.linkage, cj, N_VGetArrayPointer(state), [&](int, int, double x) { value[*place++] += x; });
  return 0;
}

int problem_residual(double t, N_Vector y, N_Vector d, N_Vector r, void* user) {
  return residual(t, y, d, r, &static_cast<Problem*>(user)->linkage);
}

void run(Problem& p, double tolerance, EnergyError& error) {
  const SundialsContext context;
  const Linkage& l = p.linkage;
  const Vector y = vector(l.size(), context), d = vector(l.size(), context), id = vector(l.size(), context);
  for (int k = 0; k < l.legs; ++k) {
    data(y)[l.at(k, D) + 1] = 1;
    data(y)[l.at(k, V)] = 1;
    data(d)[l.at(k, D)] = 1;
    for (int i = 0; i < 4; ++i) data(id)[l.at(k, D) + i] = 1;
  }
  void* memory = IDACreate(context.value);
  const SUNMatrix J =
      SUNSparseMatrix(l.size(), l.size(), static_cast<sunindextype>(p.rows.size()), CSC_MAT, context.value);
  const SUNLinearSolver solver = SUNLinSol_KLU(y.get(), J, context.value);
  IDASetErrFile(memory, nullptr);  // a tolerance at which it fails is one that meets no target
  IDAInit(memory, problem_residual, 0, y.get(), d.get());
  IDASStolerances(memory, tolerance, tolerance);
  IDASetUserData(memory, &p);
  IDASetLinearSolver(memory, solver, J);
  IDASetJacFn(memory, jacobian);
  IDASetId(memory, id.get());
  IDASetSuppressAlg(memory, SUNTRUE);
  IDASetMaxNumSteps(memory, 10000000);
  IDACalcIC(memory, IDA_YA_YDP_INIT, 1e-3);
  std::vector<double> q(static_cast<std::size_t>(2 * l.legs)), v(q.size());
  double t = 0;
  for (int k = 0; k <= 200; ++k) {
    if (k > 0 && IDASolve(memory, until * k / 200, &t, y.get(), d.get(), IDA_NORMAL) < 0) {
      error.add(INFINITY);
      break;
    }
    for (int i = 0; i < 2 * l.legs; ++i) {
      q[static_cast<std::size_t>(i)] = data(y)[l.at(i / 2, D) + i % 2];
      v[static_cast<std::size_t>(i)] = data(y)[l.at(i / 2, V) + i % 2];
    }
    error.add(energy(l.legs, q.data(), v.data()));
  }
  IDAFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  for (const int n : sizes()) {
    Problem p = problem(n);
    climb(24, target, options.quick ? 1 : 4, [&](int rung) {
      const double tolerance = 1e-5 * std::pow(10, -rung / 3.0);
      const auto result = measure("SUNDIALS", "IDA, GGL, KLU, by ends", text("tolerance %.1e", tolerance), n,
                                  [&](EnergyError& error) { run(p, tolerance, error); });
      return std::pair(result.first, tolerance < 1e-13 ? INFINITY : result.second);
    });
  }
}
