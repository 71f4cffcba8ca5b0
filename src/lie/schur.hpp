// Schur: S = G M^-1 G^T of the joints of a mechanism, factored joint by joint, O(N) for chains and trees.
//
// A block per joint, as many rows as the joint has; two joints are coupled by the bodies they share. The symbolic part,
// an order of small fill (minimum degree) and the place of every block, is done once. S is symmetric and positive
// definite unless constraints are redundant: the factorisation is L D L^T without exchanges, in blocks and in each of
// them, and a pivot that vanishes tells that its row depends on those before it.
//
// Of large mechanisms the elimination comes in parts, subtrees of its tree, that do not depend on each other: what they
// take off the blocks after them waits in memory of their own and is added in a fixed order. The parts are those of the
// mechanism, however many threads share them.
#pragma once

#include <vector>

#include "extremal/scalar.hpp"
#include "lie/joint.hpp"
#include "lie/model.hpp"
#include "lie/workers.hpp"

namespace extremal::lie {

// M^-1 of a body: 1 / m, and R J^-1 R^T by columns.
template <class S>
struct InverseMass {
  S m{};
  Columns<S> J{};
};

// The velocity of a point of a body for an impulse on a point of the same body: a matrix that is constant in the body.
// Where both points and two equal moments say so it is s + t e e^T with one of the axes e.
template <class S>
struct Mobility {
  int body = -1, axis = -1;
  S s{}, t{};
  Columns<S> K{};

  // Of the point at rho for an impulse at sigma, with 1 / m and J^-1.
  Mobility(int own, const S& m, const Vec3<S>& J, const Vec3<S>& rho, const Vec3<S>& sigma);
  // In space axes, by columns.
  Columns<S> in_space(const Columns<S>& R) const;
};

template <class S>
class Schur {
 public:
  Schur(const Model<S>& model, Workers& workers);

  // Poses and `inverse` are those of the bodies, the latter for joints other than balls only, as G with its rows for
  // either side; arms are those of balls beside other joints. eps[row] is added to the diagonal.
  // Returns the smallest pivot relative to its diagonal entry before elimination, with the row where it is.
  struct Pivot {
    S ratio{1};
    int row = -1;
    int close = 0;  // how many are smaller than `near`
  };
  static constexpr double near = 1e-4;
  struct Place {
    const Pose<S>* poses;
    const InverseMass<S>* inverse;
    const Arms<S>* arms;
    const Covector<S>*Ga, *Gb;
  };
  Pivot factor(const Place& at, const S* eps);
  void solve(S* b) const;
  // The largest product of x and the diagonal of S.
  S largest(const S* x) const;
  std::size_t entries() const { return a_.size(); }

 private:
  struct Block {
    int joint, a, b, size, first;
    std::size_t diagonal;
    int below, count;  // its off-diagonal blocks, in below_
    bool ball, even;   // even: those are of its own size
    int moves, moved;  // of a ball: its mobilities, in mobilities_
    int inner;         // how many of those below are of the same part
  };
  struct Below {
    int block, first;      // the later one, by place in the order, and its first row
    std::size_t at;        // size of the later x size of the earlier
    std::size_t diagonal;  // where its product with itself goes
    std::size_t second;    // where the products with the blocks below it go, in targets_
  };
  struct Part {
    std::size_t begin, end;  // in blocks_
    Pivot pivot;
  };
  struct Waiting {
    std::size_t from, to, size;
  };
  struct Shared {        // what a body contributes to an off-diagonal block
    int later, earlier;  // joints
    int body;
    bool later_b, earlier_b;  // on which side of them it is
    int mobility;             // in mobilities_, if both are balls, or -1
    std::size_t at;
  };
  static constexpr int most_rows = 6;  // of a joint
  // What is done once: the order of the joints with their later neighbours, and the places of their blocks.
  struct Order {
    std::vector<int> joints;
    std::vector<std::vector<int>> later;
  };
  Order find_order(const std::vector<std::vector<int>>& at_body);
  void find_parts(Order& order);
  void place_blocks(Order& order, const std::vector<std::vector<int>>& at_body);
  void find_targets();
  std::size_t find(std::size_t earlier, int later) const;  // the place of the block of two that are neighbours
  int add_mobility(int body, const Vec3<S>& rho, const Vec3<S>& sigma);

  void assemble(const Place& at, const S* eps);
  void eliminate(std::size_t begin, std::size_t end, Pivot& pivot);
  void forward(std::size_t begin, std::size_t end, S* b) const;
  void backward(std::size_t begin, std::size_t end, S* b) const;
  template <int R>
  void eliminate(Block& block, Pivot& pivot);
  template <int R>
  void forward(const Block& block, int from, int to, S* b) const;
  template <int R>
  void backward(const Block& block, S* b) const;

  const Model<S>& model_;
  Workers& workers_;
  std::vector<Part> parts_;  // of small mechanisms none; what is not in one comes after them, from rest_ on
  std::size_t rest_ = 0;
  std::vector<std::size_t> border_;  // blocks in parts that have some below them that are not
  std::vector<Waiting> waiting_;
  std::vector<Mobility<S>> mobilities_;
  std::vector<Block> blocks_;
  std::vector<Below> below_;
  std::vector<std::size_t> targets_;  // of two blocks below the same one: where their product goes
  std::vector<Shared> shared_;
  std::vector<S> a_, scale_;
};

extern template class Schur<double>;
extern template class Schur<long double>;
extern template class Schur<quad>;

}  // namespace extremal::lie
