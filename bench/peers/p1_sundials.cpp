// P1b: SUNDIALS. IDA on the Cartesian equations in the formulation of Gear, Gupta and Leimkuhler,
//   q' = v - q mu,   v' = -g e_y - q lambda,   0 = (q.q - 1) / 2,   0 = q.v,
// with lambda and mu out of the error test; CVODE (Adams) and ARKODE (explicit, order 8) in the angle.
#include <cstdio>  // which the next header forgets

#include <arkode/arkode_butcher_erk.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <sundials/sundials_math.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "measure.hpp"
#include "pendulum.hpp"
#include "sundials.hpp"

namespace {

using namespace peers;
using namespace peers::pendulum;

int angle_rates(double, N_Vector y, N_Vector d, void*) {
  const double* x = N_VGetArrayPointer(y);
  double* r = N_VGetArrayPointer(d);
  r[0] = x[1];
  r[1] = -gravity * std::sin(x[0]);
  return 0;
}

int residual(double, N_Vector y, N_Vector d, N_Vector r, void*) {
  const double *s = N_VGetArrayPointer(y), *ds = N_VGetArrayPointer(d);
  double* f = N_VGetArrayPointer(r);
  f[0] = ds[0] - s[2] + s[0] * s[5];
  f[1] = ds[1] - s[3] + s[1] * s[5];
  f[2] = ds[2] + s[0] * s[4];
  f[3] = ds[3] + gravity + s[1] * s[4];
  f[4] = (s[0] * s[0] + s[1] * s[1] - 1) / 2;
  f[5] = s[0] * s[2] + s[1] * s[3];
  return 0;
}

int jacobian(double, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void*, N_Vector, N_Vector, N_Vector) {
  const double* s = N_VGetArrayPointer(y);
  SUNMatZero(J);
  for (int i = 0; i < 2; ++i) {
    SM_ELEMENT_D(J, i, i) = c + s[5];
    SM_ELEMENT_D(J, i, 2 + i) = -1;
    SM_ELEMENT_D(J, i, 5) = s[i];
    SM_ELEMENT_D(J, 2 + i, i) = s[4];
    SM_ELEMENT_D(J, 2 + i, 2 + i) = c;
    SM_ELEMENT_D(J, 2 + i, 4) = s[i];
    SM_ELEMENT_D(J, 4, i) = s[i];
    SM_ELEMENT_D(J, 5, i) = s[2 + i];
    SM_ELEMENT_D(J, 5, 2 + i) = s[i];
  }
  return 0;
}

const std::pair<double, double> lost{NAN, NAN};

// `advance(t)` goes to t and returns the position there.
template <class Advance>
double follow(Advance advance) {
  LastPeriod last;
  for (int k = 1; k <= 24; ++k) {
    const double t = until - 2.4 + 0.1 * k;
    const auto [x, y] = advance(t);
    if (!std::isfinite(x)) return INFINITY;
    last.add(t, x, y);
  }
  return last.error();
}

double ida(double tolerance) {
  const SundialsContext context;
  const Vector y = vector(6, context), d = vector(6, context), id = vector(6, context);
  data(y)[0] = 1;
  data(d)[3] = -gravity;
  for (int i = 0; i < 4; ++i) data(id)[i] = 1;
  void* memory = IDACreate(context.value);
  const SUNMatrix J = SUNDenseMatrix(6, 6, context.value);
  const SUNLinearSolver solver = SUNLinSol_Dense(y.get(), J, context.value);
  double t = 0;
  IDAInit(memory, residual, 0, y.get(), d.get());
  IDASStolerances(memory, tolerance, tolerance);
  IDASetLinearSolver(memory, solver, J);
  IDASetJacFn(memory, jacobian);
  IDASetId(memory, id.get());
  IDASetSuppressAlg(memory, SUNTRUE);
  IDASetMaxNumSteps(memory, 2000000);  // some tolerances make it take tiny steps for ever
  IDASetErrFile(memory, nullptr);
  const double error = follow([&](double end) {
    const int code = IDASolve(memory, end, &t, y.get(), d.get(), IDA_NORMAL);
    return code < 0 ? lost : std::pair(data(y)[0], data(y)[1]);
  });
  IDAFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
  return error;
}

double cvode(double tolerance) {
  const SundialsContext context;
  const Vector y = vector(2, context);
  data(y)[0] = std::acos(0.0);
  void* memory = CVodeCreate(CV_ADAMS, context.value);
  const SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y.get(), 0, context.value);
  double t = 0;
  CVodeInit(memory, angle_rates, 0, y.get());
  CVodeSStolerances(memory, tolerance, tolerance);
  CVodeSetNonlinearSolver(memory, solver);
  CVodeSetMaxNumSteps(memory, 100000000);
  const double error = follow([&](double end) {
    const int code = CVode(memory, end, y.get(), &t, CV_NORMAL);
    return code < 0 ? lost : std::pair(std::sin(data(y)[0]), -std::cos(data(y)[0]));
  });
  CVodeFree(&memory);
  SUNNonlinSolFree(solver);
  return error;
}

// A tolerance, or below zero the negative of a constant step.
double arkode(double setting) {
  const SundialsContext context;
  const Vector y = vector(2, context);
  data(y)[0] = std::acos(0.0);
  void* memory = ERKStepCreate(angle_rates, 0, y.get(), context.value);
  double t = 0;
  ERKStepSetTableNum(memory, ARKODE_FEHLBERG_13_7_8);
  if (setting > 0)
    ERKStepSStolerances(memory, setting, setting);
  else
    ERKStepSetFixedStep(memory, -setting);
  ERKStepSetMaxNumSteps(memory, 100000000);
  const double error = follow([&](double end) {
    if (setting < 0) ERKStepSetStopTime(memory, end);
    const int code = ERKStepEvolve(memory, end, y.get(), &t, ARK_NORMAL);
    return code < 0 ? lost : std::pair(std::sin(data(y)[0]), -std::cos(data(y)[0]));
  });
  ERKStepFree(&memory);
  return error;
}

void tolerances(const char* method, double coarse, double decades, double budget, double (*solve)(double)) {
  climb(30, 1e-9, budget, [&](int rung) {
    const double tolerance = coarse * std::pow(10, -rung * decades);
    double error = INFINITY;
    const double time = least_seconds([&] { error = solve(tolerance); });
    print({.workload = "P1b",
           .contestant = "SUNDIALS",
           .method = method,
           .setting = text("tolerance %.1e", tolerance),
           .value = time,
           .error = error});
    return std::pair(error, tolerance < 1e-15 ? INFINITY : time);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  if (!options.wanted("P1b")) return 0;
  const double budget = options.quick ? 0.3 : 0.4;
  tolerances("IDA, GGL, Cartesian", 1e-8, 1, options.quick ? 0.3 : 1.5, ida);
  tolerances("CVODE Adams, angle", 1e-8, 0.5, budget, cvode);
  tolerances("ARKODE ERK8, angle", 1e-8, 0.5, budget, arkode);
  climb(40, 1e-9, budget, [&](int rung) {
    const double h = 0.1 / (1 + rung);
    double error = INFINITY;
    const double time = least_seconds([&] { error = arkode(-h); });
    print({.workload = "P1b",
           .contestant = "SUNDIALS",
           .method = "ARKODE ERK8 constant step, angle",
           .setting = text("h = %.4g", h),
           .value = time,
           .error = error});
    return std::pair(error, time);
  });
}
