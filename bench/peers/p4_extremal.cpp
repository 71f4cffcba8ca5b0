// P4: extremal, the model top-lie by rotations and by directors.
#include <extremal/extremal.hpp>
#include <extremal/models.hpp>

#include "top.hpp"

int main(int argc, char** argv) {
  using namespace peers;
  const Options options(argc, argv);
  const extremal::Model m = extremal::model("top-lie");
  struct Candidate {
    const char* scheme;
    double coarse;
  };
  for (const auto& [scheme, coarse] :
       {Candidate{"lie(trapezoidal)", 1e-3}, Candidate{"suzuki(4, lie(trapezoidal))", 0.004},
        Candidate{"kahan_li(6, lie(trapezoidal))", 0.008}, Candidate{"kahan_li(8, lie(trapezoidal))", 0.007},
        Candidate{"spark(3)", 0.01}, Candidate{"spark(4)", 0.013}}) {
    extremal::Stepper<double> stepper(m.system, extremal::Scheme::named(scheme));
    top::steps("extremal", scheme, coarse, options.quick ? 0.3 : 0.6, [&](int n, double h, top::Height& height) {
      stepper.start(m.start);
      for (int k = 0; k < n; ++k) height.add(stepper.step(h).converged ? stepper.state().q[2] : INFINITY);
    });
  }
}
