// P2: DART, a skeleton with ball joints in reduced coordinates, semi-implicit Euler.
// dart/dart.hpp needs a header that Debian's package leaves out.
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include "chain.hpp"

namespace {

dart::dynamics::SkeletonPtr skeleton(int n) {
  using namespace dart::dynamics;
  const SkeletonPtr chain = Skeleton::create("chain");
  BodyNode* parent = nullptr;
  for (int i = 0; i < n; ++i) {
    BallJoint::Properties joint;
    joint.mName = "joint " + std::to_string(i);
    joint.mT_ParentBodyToJoint.translation() = Eigen::Vector3d(i > 0 ? 0.5 : 0, 0, 0);
    joint.mT_ChildBodyToJoint.translation() = Eigen::Vector3d(-0.5, 0, 0);
    BodyNode* body = chain
                         ->createJointAndBodyNodePair<BallJoint>(parent, joint,
                                                                 BodyNode::AspectProperties("bar " + std::to_string(i)))
                         .second;
    body->setInertia(Inertia(1, 0, 0, 0, peers::chain::along, peers::chain::across, peers::chain::across, 0, 0, 0));
    parent = body;
  }
  return chain;
}

}  // namespace

int main(int argc, char** argv) {
  const peers::Options options(argc, argv);
  for (const int n : peers::chain::sizes(options.quick)) {
    if (n > 100) continue;  // 300 bodies take three seconds to build, 1000 more than a minute
    const dart::simulation::WorldPtr world = dart::simulation::World::create();
    world->setGravity(Eigen::Vector3d(0, 0, -peers::chain::gravity));
    world->setTimeStep(peers::chain::h);
    const dart::dynamics::SkeletonPtr chain = skeleton(n);
    world->addSkeleton(chain);
    peers::chain::measure(
        "DART", "semi-implicit Euler", n, options.quick,
        [&] {
          world->step();
          return true;
        },
        [&] { return chain->computeKineticEnergy() + chain->computePotentialEnergy(); });
  }
}
