// The block elimination against a dense one, on graphs like those of mechanisms.
#include "algebra/block_lu.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>

#include <cmath>
#include <random>

#include "algebra/ldlt.hpp"
#include "algebra/lu.hpp"

namespace extremal::block_lu_test {
namespace {

// Bodies of four rows and joints of two; `joints` are pairs of bodies.
struct Assembly {
  Blocks blocks;
  std::vector<int> rows;  // the block of every row
};

Assembly assemble(int bodies, const std::vector<std::pair<int, int>>& joints) {
  Assembly a;
  a.blocks.count = bodies + static_cast<int>(joints.size());
  a.blocks.joint.assign(static_cast<std::size_t>(bodies), false);
  a.blocks.joint.resize(static_cast<std::size_t>(a.blocks.count), true);
  for (std::size_t k = 0; k < joints.size(); ++k)
    for (const int body : {joints[k].first, joints[k].second}) a.blocks.edges.emplace_back(body, bodies + k);
  // As with copies for stages: the rows of a block are not next to each other.
  for (int copy = 0; copy < 2; ++copy)
    for (int k = 0; k < a.blocks.count; ++k)
      for (int i = 0; i < (k < bodies ? 2 : 1); ++i) a.rows.push_back(k);
  return a;
}

std::vector<std::pair<int, int>> chain(int bodies) {
  std::vector<std::pair<int, int>> joints;
  for (int k = 1; k < bodies; ++k) joints.emplace_back(k - 1, k);
  return joints;
}

bool adjacent(const Assembly& a, int i, int j) {
  if (i == j) return true;
  for (const auto& e : a.blocks.edges)
    if (e == std::pair(std::min(i, j), std::max(i, j))) return true;
  return false;
}

// Largest error of a solution against the dense one, on a random matrix of the form [M G^T; G 0] plus noise.
double error_of(const Assembly& a, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const int size = static_cast<int>(a.rows.size());
  BlockLu lu(a.blocks, a.rows, a.rows);
  Lu<double> dense(size);
  std::fill_n(dense.data(), static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0.0);
  std::vector<double> b(static_cast<std::size_t>(size)), x(b);
  for (int i = 0; i < size; ++i) {
    const int bi = a.rows[static_cast<std::size_t>(i)];
    b[static_cast<std::size_t>(i)] = any(random);
    for (int j = 0; j < size; ++j) {
      const int bj = a.rows[static_cast<std::size_t>(j)];
      const bool joints = a.blocks.joint[static_cast<std::size_t>(bi)] && a.blocks.joint[static_cast<std::size_t>(bj)];
      if (joints || !adjacent(a, bi, bj)) continue;
      const double entry = any(random) + (i == j ? 5 : 0);
      lu.data()[lu.slot(i, j)] = dense.row(i)[j] = entry;
    }
  }
  x = b;
  EXPECT_EQ(lu.factor(1e-14), -1);
  EXPECT_EQ(dense.factor(1e-14), -1);
  lu.solve(b.data());
  dense.solve(x.data());
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::fabs(b[i] - x[i]) / (1 + std::fabs(x[i])));
  return worst;
}

TEST(BlockLu, AgreesWithADenseFactorisation) {
  std::vector<std::pair<int, int>> star, ring = chain(12), tangle;
  for (int k = 1; k < 20; ++k) star.emplace_back(0, k);  // a hub
  ring.emplace_back(0, 11);
  std::mt19937 random(7);
  for (int k = 0; k < 14; ++k) {
    const int i = static_cast<int>(random() % 10), j = static_cast<int>(random() % 10);
    if (i != j) tangle.emplace_back(std::min(i, j), std::max(i, j));
  }
  for (unsigned seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(error_of(assemble(12, chain(12)), seed), 1e-9);
    EXPECT_LT(error_of(assemble(12, ring), seed), 1e-9);
    EXPECT_LT(error_of(assemble(20, star), seed), 1e-9);
    EXPECT_LT(error_of(assemble(10, tangle), seed), 1e-9);
  }
}

TEST(BlockLu, FillsLinearlyOnChainsRingsAndStars) {
  const auto entries = [](int bodies, std::vector<std::pair<int, int>> joints) {
    const Assembly a = assemble(bodies, joints);
    return static_cast<double>(BlockLu(a.blocks, a.rows, a.rows).entries());
  };
  std::vector<std::pair<int, int>> small = chain(100), large = chain(1000), few, many;
  EXPECT_NEAR(entries(1000, large) / entries(100, small), 10, 0.5);
  small.emplace_back(0, 99);
  large.emplace_back(0, 999);
  EXPECT_NEAR(entries(1000, large) / entries(100, small), 10, 0.5);
  for (int k = 1; k < 100; ++k) few.emplace_back(0, k);
  for (int k = 1; k < 1000; ++k) many.emplace_back(0, k);
  EXPECT_NEAR(entries(1000, many) / entries(100, few), 10, 0.5);
}

// A chain of bodies with four coordinates, the first two coupled, and two constraints of their own; joints of two rows.
struct Chain {
  Blocks blocks;
  Units units;
  int bodies;
};

Chain chain_of_units(int bodies, int coordinate_copies, int constraint_copies) {
  Chain c{{}, {}, bodies};
  const int coordinates = 4 * bodies, own = 2 * bodies, joints = bodies - 1, count = coordinates + own + 2 * joints;
  c.blocks = assemble(bodies, chain(bodies)).blocks;
  std::vector<std::vector<int>> near(static_cast<std::size_t>(count));
  const auto link = [&](int i, int j) {
    near[static_cast<std::size_t>(i)].push_back(j);
    near[static_cast<std::size_t>(j)].push_back(i);
  };
  for (int u = 0; u < count; ++u) {
    link(u, u);
    c.units.early.push_back(u < coordinates);
    c.units.block.push_back(u < coordinates         ? u / 4
                            : u < coordinates + own ? (u - coordinates) / 2
                                                    : bodies + (u - coordinates - own) / 2);
  }
  for (int b = 0; b < bodies; ++b) {
    link(4 * b, 4 * b + 1);
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 3; ++i) link(coordinates + 2 * b + k, 4 * b + k + i);
    for (int k = 0; k < 2 && b < joints; ++k)
      for (const int body : {b, b + 1})
        for (int i = 0; i < 2; ++i) link(coordinates + own + 2 * b + k, 4 * body + 2 * k + i);
  }
  c.units.pattern = Pattern::of(count, near);
  for (int copy = 0; copy < coordinate_copies; ++copy)
    for (int u = 0; u < coordinates; ++u) c.units.row.push_back(u);
  for (int copy = 0; copy < constraint_copies; ++copy)
    for (int u = coordinates; u < count; ++u) c.units.row.push_back(u);
  c.units.column = c.units.row;
  return c;
}

// As error_of. With `poor`, the mass matrix of one body is nearly singular.
double error_of(const Chain& c, unsigned seed, bool poor, int& spilled) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const int size = static_cast<int>(c.units.row.size());
  BlockLu lu(c.blocks, c.units);
  Lu<double> dense(size);
  std::fill_n(dense.data(), static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0.0);
  std::vector<double> b(static_cast<std::size_t>(size)), x(b);
  for (int i = 0; i < size; ++i) {
    const int u = c.units.row[static_cast<std::size_t>(i)];
    b[static_cast<std::size_t>(i)] = any(random);
    for (int j = 0; j < size; ++j) {
      const int v = c.units.column[static_cast<std::size_t>(j)];
      if (c.units.pattern.find(u, v) < 0) continue;
      const bool masses = u < 4 * c.bodies && v < 4 * c.bodies;
      if (!masses && u >= 4 * c.bodies && v >= 4 * c.bodies) continue;
      double entry = any(random);
      if (masses) entry = i == j ? 2 + entry : 0.2 * entry;
      if (poor && masses && u / 4 == 3 && u % 4 < 2 && v % 4 < 2) entry = i == j && u % 4 == 1 ? 1 + 1e-7 : 1;
      lu.data()[lu.slot(i, j)] = dense.row(i)[j] = entry;
    }
  }
  x = b;
  EXPECT_EQ(lu.factor(1e-14), -1);
  EXPECT_EQ(dense.factor(1e-14), -1);
  spilled = lu.spilled();
  lu.solve(b.data());
  dense.solve(x.data());
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) worst = std::max(worst, std::fabs(b[i] - x[i]) / (1 + std::fabs(x[i])));
  return worst;
}

TEST(BlockLu, LeavesOutTheZerosOfBodies) {
  int spilled = 0;
  for (const auto& [coordinates, constraints] : {std::pair(1, 1), {2, 2}, {3, 3}, {2, 1}, {4, 4}})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      EXPECT_LT(error_of(chain_of_units(9, coordinates, constraints), seed, false, spilled), 1e-9);
      EXPECT_EQ(spilled, 0);
    }
  const Chain c = chain_of_units(30, 2, 2);
  std::vector<int> block;
  for (const int u : c.units.row) block.push_back(c.units.block[static_cast<std::size_t>(u)]);
  EXPECT_LT(BlockLu(c.blocks, c.units).entries(), 0.8 * BlockLu(c.blocks, block, block).entries());
}

// A mass matrix that is singular by itself needs pivots from the constraints.
TEST(BlockLu, BodiesOfPoorPivotsBecomeDense) {
  int spilled = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(error_of(chain_of_units(9, 1, 1), seed, true, spilled), 1e-9);
    EXPECT_EQ(spilled, 1);
  }
}

TEST(BlockLu, IsFilledAndSolvedInOnePass) {
  const Chain c = chain_of_units(9, 2, 2);
  const int size = static_cast<int>(c.units.row.size());
  BlockLu apart(c.blocks, c.units), together = apart;
  struct Fill final : BlockFill {
    struct Entry {
      int home, local, slot;
      double value;
    };
    std::vector<Entry> entries;
    bool fill(int block, double* out) override {
      bool any = false;
      for (const Entry& e : entries)
        if (e.home == block) out[e.local] += e.value, any = true;
      return any;
    }
  } fill;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const int u = c.units.row[static_cast<std::size_t>(i)], v = c.units.column[static_cast<std::size_t>(j)];
      if (c.units.pattern.find(u, v) < 0 || (u >= 4 * c.bodies && v >= 4 * c.bodies)) continue;
      fill.entries.push_back(
          {apart.home(i, j), apart.local(i, j), apart.slot(i, j), std::cos(i + 3 * j) + (i == j ? 4 : 0)});
      EXPECT_EQ(&apart.parts(apart.home(i, j), apart.data())[apart.local(i, j)], apart.data() + apart.slot(i, j));
    }
  for (const auto& e : fill.entries) apart.data()[e.slot] += e.value;
  std::fill_n(together.data(), together.entries(), 17.0);  // whatever was there
  std::vector<double> x(static_cast<std::size_t>(size), 1), y = x;
  ASSERT_EQ(apart.factor(1e-14), -1);
  apart.solve(x.data());
  together.fill_later(fill);
  ASSERT_EQ(together.factor(1e-14, y.data()), -1);
  together.finish(y.data());
  EXPECT_EQ(x, y);
}

TEST(BlockLu, OneBlockIsRowMajor) {
  BlockLu lu(3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(lu.slot(i, j), 3 * i + j);
}

TEST(BlockLu, SmallPivotsAreDependentColumns) {
  const Assembly a = assemble(3, {{0, 1}, {1, 2}, {1, 2}});  // the last two joints are the same
  BlockLu lu(a.blocks, a.rows, a.rows);
  const int size = static_cast<int>(a.rows.size());
  // Rows 7 and 16 belong to joint 4, rows 8 and 17 to joint 5, which repeats them.
  const auto fill = [&](double eps) {
    lu.clear();
    for (int i = 0; i < size; ++i) {
      const int b = a.rows[static_cast<std::size_t>(i)], same = b == 5 ? i - 1 : i;
      lu.data()[lu.slot(i, i)] = b < 3 ? 1 + i : -eps;
      if (b < 3) continue;
      for (int j = 0; j < size; ++j)
        if (const int body = a.rows[static_cast<std::size_t>(j)]; body < 3 && adjacent(a, b, body))
          lu.data()[lu.slot(i, j)] = lu.data()[lu.slot(j, i)] = std::cos(same + 2 * j);
    }
  };
  fill(0);
  EXPECT_GE(lu.factor(1e-13), 0);
  fill(1e-12);
  EXPECT_EQ(lu.factor(1e-14), -1);
  EXPECT_EQ(lu.weak_columns().size(), 2U);
}

// The mass matrix of a mechanism is that of its bodies: joints have no rows in it. They must not be carried along from
// body to body, as they were, which took time and memory of third order in the number of bodies.
TEST(BlockLu, CarriesNoBlocksWithoutRows) {
  const auto bytes = [](int bodies) {
    Assembly a = assemble(bodies, chain(bodies));
    for (int k = 1; k < bodies; ++k) a.blocks.edges.emplace_back(k - 1, k);  // the curvature of the joints
    std::erase_if(a.rows, [&](int block) { return block >= bodies; });
    const auto used = [] {
      const auto heap = mallinfo2();
      return heap.uordblks + heap.hblkhd;
    };
    const std::size_t before = used();
    const BlockLu lu(a.blocks, a.rows, a.rows);
    return static_cast<double>(used() - before);
  };
  const double few = bytes(200), many = bytes(400);
  if (few == 0) GTEST_SKIP() << "this heap does not say how much of it is used";
  EXPECT_LT(many, 2.5 * few);
}

// Definite matrices with the graph of a net, against the dense elimination.
TEST(Ldlt, IsThatOfADenseMatrix) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const int n : {1, 2, 9, 40}) {
    std::vector<std::pair<int, int>> entries;
    for (int i = 0; i < n; ++i)
      for (const int j : {i, (i + 1) % n, (5 * i + 3) % n}) entries.emplace_back(i, j);
    Ldlt sparse(n, entries);
    Lu<double> dense(n);
    std::fill_n(dense.data(), n * n, 0.0);
    sparse.clear();
    for (const auto& [i, j] : entries) {
      const double x = i == j ? 8 : number(random);
      sparse.data()[sparse.slot(j, i)] += x;
      dense.row(i)[j] += x;
      if (i != j) dense.row(j)[i] += x;
    }
    std::vector<double> b(static_cast<std::size_t>(n)), x;
    for (double& e : b) e = number(random);
    x = b;
    ASSERT_TRUE(sparse.factor(1e-14));
    ASSERT_LT(dense.factor(), 0);
    sparse.solve(x.data());
    dense.solve(b.data());
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(i)], 1e-13);
  }
}

TEST(Ldlt, RefusesWhatIsNotDefinite) {
  Ldlt sparse(2, {{0, 1}});
  sparse.clear();
  sparse.data()[sparse.slot(0, 0)] = sparse.data()[sparse.slot(1, 1)] = sparse.data()[sparse.slot(1, 0)] = 1;
  EXPECT_FALSE(sparse.factor(1e-14));
}

// Few products for a chain, in whatever order its rows come.
TEST(Ldlt, IsLinearForChains) {
  const auto work = [](int n) {
    std::vector<std::pair<int, int>> entries;
    for (int i = 1; i < n; ++i) entries.emplace_back(7 * i % n, 7 * (i - 1) % n);
    return Ldlt(n, entries).work();
  };
  EXPECT_LE(work(2000), 2001u);
}

}  // namespace
}  // namespace extremal::block_lu_test
