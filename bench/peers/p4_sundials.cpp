// P4: SUNDIALS on the quaternion and the angular velocity, ARKODE (explicit, order 8) and CVODE (Adams).
#include <cstdio>  // which the next header forgets

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sundials.hpp"
#include "top.hpp"

namespace {

using namespace peers;

int right_hand_side(double, N_Vector y, N_Vector d, void* top) {
  top::rates(*static_cast<top::Top*>(top), N_VGetArrayPointer(y), N_VGetArrayPointer(d));
  return 0;
}

// `evolve(t)` goes to t; below zero it has failed.
template <class Evolve>
void follow(const Vector& y, top::Error& error, Evolve evolve) {
  for (int k = 1; k <= 500; ++k) {
    if (evolve(top::until * k / 500) < 0) return error.fail();
    error.add(top::place(data(y)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options(argc, argv);
  const double budget = options.quick ? 0.3 : 0.4;
  const SundialsContext context;
  const Vector y = vector(7, context);
  std::vector<top::Top> tops = top::tops();
  double t = 0;
  for (top::Top& top : tops) {
    if (!options.wanted(top.workload)) continue;
    const top::Seven start = top.start();
    top::tolerances(top, "SUNDIALS", "ARKODE ERK8, quaternion", 1e-4, budget, [&](double tolerance, top::Error& error) {
      std::copy(start.begin(), start.end(), data(y));
      void* memory = ERKStepCreate(right_hand_side, 0, y.get(), context.value);
      ERKStepSetUserData(memory, &top);
      ERKStepSetTableNum(memory, ARKODE_FEHLBERG_13_7_8);
      ERKStepSStolerances(memory, tolerance, tolerance);
      ERKStepSetMaxNumSteps(memory, 100000000);
      follow(y, error, [&](double end) { return ERKStepEvolve(memory, end, y.get(), &t, ARK_NORMAL); });
      ERKStepFree(&memory);
    });
    top::tolerances(top, "SUNDIALS", "CVODE Adams, quaternion", 1e-6, budget, [&](double tolerance, top::Error& error) {
      std::copy(start.begin(), start.end(), data(y));
      void* memory = CVodeCreate(CV_ADAMS, context.value);
      const SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y.get(), 0, context.value);
      CVodeInit(memory, right_hand_side, 0, y.get());
      CVodeSetUserData(memory, &top);
      CVodeSStolerances(memory, tolerance, tolerance);
      CVodeSetNonlinearSolver(memory, solver);
      CVodeSetMaxNumSteps(memory, 100000000);
      follow(y, error, [&](double end) { return CVode(memory, end, y.get(), &t, CV_NORMAL); });
      CVodeFree(&memory);
      SUNNonlinSolFree(solver);
    });
  }
}
