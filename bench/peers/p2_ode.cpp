// P2: Open Dynamics Engine, ball joints. dWorldStep factors a matrix, dWorldQuickStep iterates.
#include <ode/ode.h>

#include "chain.hpp"

namespace {

class Chain {
 public:
  explicit Chain(int n) {
    dWorldSetGravity(world_, 0, 0, -peers::chain::gravity);
    dWorldSetERP(world_, 0.2);
    dWorldSetCFM(world_, 1e-12);
    for (int i = 0; i < n; ++i) {
      const dBodyID body = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, 1, 0, 0, 0, peers::chain::along, peers::chain::across, peers::chain::across, 0, 0, 0);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, i + 0.5, 0, 0);
      dBodySetGyroscopicMode(body, 1);
      dBodySetAutoDisableFlag(body, 0);
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, body, i > 0 ? bodies_.back() : nullptr);
      dJointSetBallAnchor(joint, i, 0, 0);
      bodies_.push_back(body);
    }
  }
  ~Chain() { dWorldDestroy(world_); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  bool step(bool quick) {
    return (quick ? dWorldQuickStep(world_, peers::chain::h) : dWorldStep(world_, peers::chain::h)) != 0;
  }

  double energy() const {
    double sum = 0;
    for (const dBodyID body : bodies_) {
      const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      dVector3 local;
      dBodyVectorFromWorld(body, w[0], w[1], w[2], local);
      sum += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 + peers::chain::along * local[0] * local[0] / 2 +
             peers::chain::across * (local[1] * local[1] + local[2] * local[2]) / 2 + peers::chain::gravity * x[2];
    }
    return sum;
  }

 private:
  dWorldID world_ = dWorldCreate();
  std::vector<dBodyID> bodies_;
};

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  dInitODE2(0);
  for (const int n : peers::chain::sizes(options.quick))
    for (const bool quick : {false, true}) {
      if (!quick && n > 100) continue;  // a dense matrix
      Chain chain(n);
      peers::chain::measure(
          "ODE", quick ? "dWorldQuickStep, 20 iterations" : "dWorldStep", n, options.quick,
          [&] { return chain.step(quick); }, [&] { return chain.energy(); });
    }
  dCloseODE();
}
