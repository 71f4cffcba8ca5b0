// P10c: SUNDIALS, IDA on the angles of Andrews' mechanism in the formulation of Gear, Gupta and Leimkuhler,
//   q' = v - G^T mu,   M v' = f - G^T lambda,   g = 0,   G v = 0   [HairerWanner1996, section VII.7],
// with lambda and mu out of the error test, and a dense matrix without the derivatives of M, f and G, as in the test
// set: difference quotients are too noisy for it.
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>

#include "accuracy.hpp"
#include "andrews.hpp"
#include "sundials.hpp"

namespace {

using namespace peers;
using namespace peers::andrews;

constexpr int V = 7, LAMBDA = 14, MU = 20, size = 26;

struct Terms {
  double M[7][7] = {}, f[7] = {}, g[6] = {}, G[6][7] = {};

  Terms(const double* q, const double* v) {
    using std::cos, std::sin;
    const double sb1 = sin(q[0]), cb1 = cos(q[0]), sc1 = sin(q[2]), cc1 = cos(q[2]), st = sin(q[1]), ct = cos(q[1]);
    const double sp = sin(q[3]), cp = cos(q[3]), sd1 = sin(q[4]), cd1 = cos(q[4]), so = sin(q[5]), co = cos(q[5]);
    const double se = sin(q[6]), ce = cos(q[6]), sbt = sin(q[0] + q[1]), cbt = cos(q[0] + q[1]);
    const double spd = sin(q[3] + q[4]), cpd = cos(q[3] + q[4]), soe = sin(q[5] + q[6]), coe = cos(q[5] + q[6]);
    const double near4 = e - ea, near6 = zf - fa;
    const auto& m = mass;
    const auto& I = inertia;
    M[0][0] = m[0] * ra * ra + m[1] * (rr * rr - 2 * da * rr * ct + da * da) + I[0] + I[1];
    M[1][0] = M[0][1] = m[1] * (da * da - da * rr * ct) + I[1];
    M[1][1] = m[1] * da * da + I[1];
    M[2][2] = m[2] * (sa * sa + sb * sb) + I[2];
    M[3][3] = m[3] * near4 * near4 + I[3];
    M[4][3] = M[3][4] = m[3] * (near4 * near4 + zt * near4 * sp) + I[3];
    M[4][4] = m[3] * (zt * zt + 2 * zt * near4 * sp + near4 * near4) + m[4] * (ta * ta + tb * tb) + I[3] + I[4];
    M[5][5] = m[5] * near6 * near6 + I[5];
    M[6][5] = M[5][6] = m[5] * (near6 * near6 - u * near6 * so) + I[5];
    M[6][6] = m[5] * (near6 * near6 - 2 * u * near6 * so + u * u) + m[6] * (ua * ua + ub * ub) + I[5] + I[6];
    const double x = sd * cc1 + sc * sc1 + xb - xc, y = sd * sc1 - sc * cc1 + yb - yc, far = std::hypot(x, y);
    const double pull = -stiffness * (far - length) / far;
    f[0] = torque - m[1] * da * rr * v[1] * (v[1] + 2 * v[0]) * st;
    f[1] = m[1] * da * rr * v[0] * v[0] * st;
    f[2] = pull * (x * (sc * cc1 - sd * sc1) + y * (sd * cc1 + sc * sc1));
    f[3] = m[3] * zt * near4 * v[4] * v[4] * cp;
    f[4] = -m[3] * zt * near4 * v[3] * (v[3] + 2 * v[4]) * cp;
    f[5] = -m[5] * u * near6 * v[6] * v[6] * co;
    f[6] = m[5] * u * near6 * v[5] * (v[5] + 2 * v[6]) * co;
    const double ex = rr * cb1 - d * cbt, ey = rr * sb1 - d * sbt;  // E
    g[0] = ex - ss * sc1 - xb;
    g[1] = ey + ss * cc1 - yb;
    g[2] = ex - e * spd - zt * cd1 - xa;
    g[3] = ey + e * cpd - zt * sd1 - ya;
    g[4] = ex - zf * coe - u * se - xa;
    g[5] = ey - zf * soe + u * ce - ya;
    for (int k = 0; k < 6; k += 2) {
      G[k][0] = -rr * sb1 + d * sbt, G[k][1] = d * sbt;
      G[k + 1][0] = rr * cb1 - d * cbt, G[k + 1][1] = -d * cbt;
    }
    G[0][2] = -ss * cc1, G[1][2] = -ss * sc1;
    G[2][3] = -e * cpd, G[2][4] = -e * cpd + zt * sd1;
    G[3][3] = -e * spd, G[3][4] = -e * spd - zt * cd1;
    G[4][5] = zf * soe, G[4][6] = zf * soe - u * ce;
    G[5][5] = -zf * coe, G[5][6] = -zf * coe - u * se;
  }
};

int residual(double, N_Vector state, N_Vector rate, N_Vector out, void*) {
  const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(rate);
  double* r = N_VGetArrayPointer(out);
  const Terms at(y, y + V);
  for (int i = 0; i < 7; ++i) {
    r[i] = dy[i] - y[V + i];
    r[V + i] = -at.f[i];
    for (int j = 0; j < 7; ++j) r[V + i] += at.M[i][j] * dy[V + j];
    for (int k = 0; k < 6; ++k) {
      r[i] += at.G[k][i] * y[MU + k];
      r[V + i] += at.G[k][i] * y[LAMBDA + k];
    }
  }
  for (int k = 0; k < 6; ++k) {
    r[LAMBDA + k] = at.g[k];
    r[MU + k] = 0;
    for (int i = 0; i < 7; ++i) r[MU + k] += at.G[k][i] * y[V + i];
  }
  return 0;
}

int jacobian(double, double cj, N_Vector state, N_Vector, N_Vector, SUNMatrix J, void*, N_Vector, N_Vector, N_Vector) {
  const double* y = N_VGetArrayPointer(state);
  const Terms at(y, y + V);
  const auto entry = [&](int row, int column) -> double& { return SM_COLUMN_D(J, column)[row]; };
  SUNMatZero(J);
  for (int i = 0; i < 7; ++i) {
    entry(i, i) = cj;
    entry(i, V + i) = -1;
    for (int j = 0; j < 7; ++j) entry(V + i, V + j) = cj * at.M[i][j];
    for (int k = 0; k < 6; ++k) {
      entry(i, MU + k) = entry(V + i, LAMBDA + k) = at.G[k][i];
      entry(LAMBDA + k, i) = entry(MU + k, V + i) = at.G[k][i];
    }
  }
  return 0;
}

double run(double tolerance) {
  const SundialsContext context;
  const Vector y = vector(size, context), rate = vector(size, context), id = vector(size, context),
               floor = vector(size, context);
  std::copy(start.begin(), start.end(), data(y));
  std::fill(data(id), data(id) + LAMBDA, 1.0);
  // At rest the torque alone accelerates, K1 and, the other way about, K2; the published start.
  data(rate)[V] = 14222.4439199541138705911625887;
  data(rate)[V + 1] = -10666.8329399655854029433719415;
  data(y)[LAMBDA] = 98.5668703962410896057654982170;
  data(y)[LAMBDA + 1] = -6.12268834425566265503114393122;
  void* memory = IDACreate(context.value);
  const SUNMatrix J = SUNDenseMatrix(size, size, context.value);
  const SUNLinearSolver solver = SUNLinSol_Dense(y.get(), J, context.value);
  IDASetErrFile(memory, nullptr);  // a tolerance at which it fails is one that meets no target
  IDAInit(memory, residual, 0, y.get(), rate.get());
  // Speeds come to some 1000, forces to 100; mu is round-off divided by the step.
  std::fill_n(data(floor), 7, tolerance);
  std::fill_n(data(floor) + V, 7, 1e3 * tolerance);
  std::fill_n(data(floor) + LAMBDA, 12, 1.0);
  IDASVtolerances(memory, tolerance, floor.get());
  IDASetInitStep(memory, 1e-7);
  IDASetLinearSolver(memory, solver, J);
  IDASetJacFn(memory, jacobian);
  IDASetId(memory, id.get());
  IDASetSuppressAlg(memory, SUNTRUE);
  IDASetMaxNumSteps(memory, 1000000);
  double t = 0, error = INFINITY;
  if (IDASolve(memory, until, &t, y.get(), rate.get(), IDA_NORMAL) >= 0) {
    Angles q{};
    std::copy_n(data(y), 7, q.begin());
    error = andrews::error(of_bodies(q));
  }
  IDAFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  if (!options.wanted("P10c")) return 0;
  climb(24, accuracy::tight, options.quick ? 0.3 : 2, [&](int rung) {
    const double tolerance = 1e-5 * std::pow(10, -rung / 2.0);
    const auto result = accuracy::measure({"P10c", 7, until}, "SUNDIALS", "IDA, GGL, dense, by angles",
                                          text("tolerance %.1e", tolerance), [&] { return run(tolerance); });
    return std::pair(result.first, tolerance < 1e-15 ? INFINITY : result.second);
  });
}
