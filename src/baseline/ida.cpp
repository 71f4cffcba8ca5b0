// ida(ggl): IDA of SUNDIALS, backward differentiation formulas of variable order and step, on the equations of index 2
// in the formulation of Gear, Gupta and Leimkuhler. Multipliers are left out of the error test, as IDA's documentation
// advises for index 2, and the matrix is dense: exact where the mass is constant, else of differences.
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "baseline/equations.hpp"
#include "baseline/makers.hpp"
#include "extremal/control.hpp"
#include "extremal/error.hpp"

namespace extremal {
namespace {

constexpr int most_unknowns = 1000;  // of a dense matrix
// Absolute, of multipliers. Out of the error test they would still have to settle in Newton's iterations, to less than
// their rounding: it is that of q divided by the step, which is short where the tolerance is small.
constexpr double no_tolerance = 1e10;

struct FreeContext {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix a) const { SUNMatDestroy(a); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct FreeMemory {
  void operator()(void* memory) const { IDAFree(&memory); }
};
template <class T, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Free>;
using Vector = Owned<N_Vector, FreeVector>;

double* numbers(const Vector& v) { return N_VGetArrayPointer(v.get()); }

// Of a call, or of IDA while it integrates.
void require(int code) {
  if (code >= 0) return;
  char* const flag = IDAGetReturnFlagName(code);
  const std::string name = flag;
  std::free(flag);
  throw BaselineFailed("IDA says " + name);
}

int residual(double t, N_Vector y, N_Vector rate, N_Vector out, void* user) {
  const bool fine = static_cast<Equations*>(user)->residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate),
                                                            N_VGetArrayPointer(out));
  return fine ? 0 : 1;  // IDA tries a shorter step
}

int jacobian(double t, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
             N_Vector) {
  const bool fine = static_cast<Equations*>(user)->jacobian(t, c, N_VGetArrayPointer(y), SM_DATA_D(J));
  return fine ? 0 : 1;
}

class IdaMotion : public BaselineMotion {
 public:
  IdaMotion(std::unique_ptr<Equations> equations, double tolerance) : equations_(std::move(equations)) {
    SUNContext context = nullptr;
    require(SUNContext_Create(nullptr, &context));
    context_.reset(context);
    const int n = equations_->n(), m = equations_->m();
    for (Vector* v : {&y_, &rate_, &kind_, &inside_}) v->reset(N_VNew_Serial(equations_->unknowns(), context));
    matrix_.reset(SUNDenseMatrix(equations_->unknowns(), equations_->unknowns(), context));
    solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context));
    memory_.reset(IDACreate(context));
    N_VConst(0, kind_.get());
    std::fill_n(numbers(kind_), 2 * n, 1.0);  // differential; multipliers are algebraic
    begin();
    require(IDASetErrFile(memory_.get(), nullptr));  // what went wrong is in the code that it returns
    require(IDAInit(memory_.get(), residual, equations_->t(), y_.get(), rate_.get()));
    N_VConst(tolerance, inside_.get());
    std::fill_n(numbers(inside_) + static_cast<std::ptrdiff_t>(2) * n, 2 * m, no_tolerance);
    require(IDASVtolerances(memory_.get(), tolerance, inside_.get()));
    require(IDASetUserData(memory_.get(), equations_.get()));
    require(IDASetLinearSolver(memory_.get(), solver_.get(), matrix_.get()));
    if (equations_->has_jacobian()) require(IDASetJacFn(memory_.get(), jacobian));
    require(IDASetId(memory_.get(), kind_.get()));
    require(IDASetSuppressAlg(memory_.get(), m > 0 ? SUNTRUE : SUNFALSE));
  }

  BaselineCost go(const std::vector<double>& times, const Told& at_times, const Told& at_steps,
                  const std::atomic<bool>* stop) override {
    const int n = equations_->n();
    const long long before = equations_->evaluations();
    begin();
    double t = equations_->t();
    require(IDAReInit(memory_.get(), t, y_.get(), rate_.get()));
    require(IDASetStopTime(memory_.get(), times.back()));
    const double way = times.back() - t, direction = way >= 0 ? 1 : -1;
    BaselineCost cost;
    if (at_steps) at_steps(t, numbers(y_), numbers(y_) + n);
    for (std::size_t next = 0; next < times.size();) {
      const double last = t;
      require(IDASolve(memory_.get(), times.back(), &t, y_.get(), rate_.get(), IDA_ONE_STEP));
      ++cost.steps;
      if (t != times.back()) refuse_to_crawl(std::fabs(t - last), std::fabs(way), cost.steps);
      if (at_steps) at_steps(t, numbers(y_), numbers(y_) + n);
      // Between two steps by the polynomial of the formula itself.
      for (; next < times.size() && direction * (t - times[next]) >= 0; ++next) {
        require(IDAGetDky(memory_.get(), times[next], 0, inside_.get()));
        at_times(times[next], numbers(inside_), numbers(inside_) + n);
      }
      if (stop != nullptr && *stop) throw Interrupted();
    }
    cost.evaluations = equations_->evaluations() - before;
    return cost;
  }

 private:
  // The start of the system with its accelerations and multipliers: consistent, and mu = 0.
  void begin() {
    const int n = equations_->n(), m = equations_->m();
    N_VConst(0, y_.get());
    N_VConst(0, rate_.get());
    std::copy_n(equations_->q().begin(), n, numbers(y_));
    std::copy_n(equations_->v().begin(), n, numbers(y_) + n);
    std::copy_n(equations_->v().begin(), n, numbers(rate_));
    equations_->accelerate(equations_->t(), equations_->q().data(), equations_->v().data(), numbers(rate_) + n);
    std::copy_n(equations_->lambda().begin(), m, numbers(y_) + static_cast<std::ptrdiff_t>(2) * n);
  }

  std::unique_ptr<Equations> equations_;
  Owned<SUNContext, FreeContext> context_;  // first, as all others are of it
  Vector y_, rate_, kind_, inside_;
  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeSolver> solver_;
  Owned<void*, FreeMemory> memory_;
};

class Ida : public Baseline {
 public:
  std::string name() const override { return "ida(ggl)"; }
  std::unique_ptr<BaselineMotion> motion(const System& system, const Start& start, double tolerance) const override {
    const int unknowns = 2 * (system.size() + system.constraint_count());
    if (unknowns > most_unknowns)
      throw InputError(fmt::format("{}: {}: found {} unknowns; expected at most {}, as its matrix is dense", name(),
                                   system.name(), unknowns, most_unknowns));
    auto equations = std::make_unique<Equations>(name(), system, start);
    if (!equations->redundant().empty())
      throw InputError(
          fmt::format("{}: {}: found constraints that depend on others ({}), whose multipliers nothing "
                      "determines; expected independent ones",
                      name(), system.name(), fmt::join(equations->redundant(), ", ")));
    return std::make_unique<IdaMotion>(std::move(equations), tolerance);
  }
};

}  // namespace

std::shared_ptr<const Baseline> make_ida() { return std::make_shared<Ida>(); }

}  // namespace extremal
