// P2: Bullet, btMultiBody: reduced coordinates, Featherstone's algorithm, in double precision.
#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include "chain.hpp"

namespace {

class Chain {
 public:
  Chain(int n, bool runge_kutta) : body_(n, 0, btVector3(0, 0, 0), true, false) {
    world_.setGravity(btVector3(0, 0, -peers::chain::gravity));
    body_.setBasePos(btVector3(0, 0, 0));
    for (int i = 0; i < n; ++i)
      body_.setupSpherical(i, 1, btVector3(peers::chain::along, peers::chain::across, peers::chain::across), i - 1,
                           btQuaternion(0, 0, 0, 1), btVector3(i > 0 ? 0.5 : 0, 0, 0), btVector3(0.5, 0, 0), true);
    body_.finalizeMultiDof();
    body_.setLinearDamping(0);
    body_.setAngularDamping(0);
    body_.setHasSelfCollision(false);
    body_.setCanSleep(false);
    body_.setMaxCoordinateVelocity(1e30);
    body_.setMaxAppliedImpulse(1e30);
    body_.useRK4Integration(runge_kutta);
    world_.addMultiBody(&body_);
    const btQuaternion none(0, 0, 0, 1);
    for (int i = 0; i < n; ++i) {
      const btScalar q[4] = {none.x(), none.y(), none.z(), none.w()};
      body_.setJointPosMultiDof(i, q);
    }
    btAlignedObjectArray<btQuaternion> rotations;
    btAlignedObjectArray<btVector3> origins;
    body_.forwardKinematics(rotations, origins);
  }
  ~Chain() { world_.removeMultiBody(&body_); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  bool step() {
    world_.stepSimulation(peers::chain::h, 0);
    return true;
  }

  double energy() {
    const int n = body_.getNumLinks();
    btAlignedObjectArray<btVector3> omega, velocity, origins;
    btAlignedObjectArray<btQuaternion> rotations;
    omega.resize(n + 1);
    velocity.resize(n + 1);
    body_.forwardKinematics(rotations, origins);
    body_.compTreeLinkVelocities(&omega[0], &velocity[0]);
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const btVector3& w = omega[i + 1];
      sum += velocity[i + 1].length2() / 2 + peers::chain::along * w.x() * w.x() / 2 +
             peers::chain::across * (w.y() * w.y() + w.z() * w.z()) / 2 +
             peers::chain::gravity * body_.getLink(i).m_cachedWorldTransform.getOrigin().z();
    }
    return sum;
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  btMultiBody body_;
};

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  for (const int n : peers::chain::sizes(options.quick))
    for (const bool runge_kutta : {false, true}) {
      // A multibody has a buffer of the square of its degrees of freedom: 7 GB for 10 000 bodies.
      if (n > 1000) continue;
      Chain chain(n, runge_kutta);
      peers::chain::measure(
          "Bullet", runge_kutta ? "btMultiBody, RK4" : "btMultiBody", n, options.quick, [&] { return chain.step(); },
          [&] { return chain.energy(); });
    }
}
