// Schur: S = G M^-1 G^T of the joints of a mechanism, factored joint by joint, O(N) for chains and trees.
//
// A block per joint, as many rows as the joint has; two joints are coupled by the bodies they share. The symbolic part,
// an order of small fill (minimum degree) and the place of every block, is done once. S is symmetric and positive
// definite unless constraints are redundant: the factorisation is L D L^T without exchanges, in blocks and in each of
// them, and a pivot that vanishes tells that its row depends on those before it.
#pragma once

#include <vector>

#include "extremal/scalar.hpp"
#include "lie/joint.hpp"
#include "lie/model.hpp"

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
  explicit Schur(const Model<S>& model);

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
  };
  struct Below {
    int block, first;    // the later one, by place in the order, and its first row
    std::size_t at;      // size of the later x size of the earlier
    std::size_t second;  // where the products with the blocks below it go, in targets_
  };
  struct Shared {        // what a body contributes to an off-diagonal block
    int later, earlier;  // joints
    int body;
    bool later_b, earlier_b;  // on which side of them it is
    int mobility;             // in mobilities_, if both are balls, or -1
    std::size_t at;
  };
  static constexpr int most_rows = 6;  // of a joint
  template <int R>
  void eliminate(Block& block, Pivot& pivot);
  template <int R>
  void forward(const Block& block, S* b) const;
  template <int R>
  void backward(const Block& block, S* b) const;

  const Model<S>& model_;
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
