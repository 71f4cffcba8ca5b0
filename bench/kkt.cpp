// What it costs to factor a matrix again and to solve with it, where only its entries have changed: the block
// elimination on the graph of bodies and joints (BlockLu) against sparse solvers that know nothing of bodies, KLU and
// Eigen's SparseLU. All three get the same entries and the same right-hand side; symbolic analysis and, for KLU, the
// choice of pivots are outside of the loop. For BlockLu the entries are put into place inside of it, as factor()
// overwrites them.
//
//   kkt     K = [M G^T; G 0], solved at every node
//   newton  the matrix of a step of spark(2)
//
// Counters: "body" is seconds per body, "residual" |K x - b| relative to the largest |K_ij x_j|; a bad one is an error.
// docs/performance.md keeps the figures.
#include <benchmark/benchmark.h>
#include <klu.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <extremal/models.hpp>
#include <extremal/scheme.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "algebra/block_lu.hpp"
#include "kernel/find_blocks.hpp"
#include "kernel/galerkin.hpp"
#include "numbers/index.hpp"

namespace {

using extremal::BlockLu;
using extremal::sz;

struct Entry {
  int row, column;
  double value;
  std::ptrdiff_t slot;  // in lu
};

struct Problem {
  int bodies;
  BlockLu lu;
  std::vector<Entry> entries;  // by columns; none that is zero in every configuration
  std::vector<double> b;
};

// Away from the model's start, where many entries happen to vanish: g = 0 does not matter here.
std::vector<double> general_position(const extremal::Model& model) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  std::vector<double> q;
  for (const extremal::Number& x : model.start.q) q.push_back(x.as<double>() + shift(random));
  return q;
}

int body_count(const extremal::System& system) { return system.groups().back() + 1; }

void complete(Problem& problem) {
  auto& entries = problem.entries;
  std::erase_if(entries, [](const Entry& e) { return e.value == 0; });
  std::sort(entries.begin(), entries.end(),
            [](const Entry& x, const Entry& y) { return x.column != y.column ? x.column < y.column : x.row < y.row; });
  std::mt19937 random(2);
  std::uniform_real_distribution<double> load(-1, 1);
  for (int i = 0; i < problem.lu.size(); ++i) problem.b.push_back(load(random));
}

// As in NodeSolver.
Problem kkt(const std::string& name) {
  const extremal::Model model = extremal::model(name);
  const int n = model.system.size(), m = model.system.constraint_count();
  extremal::Evaluation<double> evaluation(model.system, 1, extremal::Storage::sparse);
  const extremal::Blocks blocks = find_blocks(model.system, evaluation.coupling(), evaluation.jacobian());
  extremal::Units units = find_units(blocks, evaluation, extremal::Coupled::by_mass);
  for (int i = 0; i < n + m; ++i) units.row.push_back(i);
  units.column = units.row;
  Problem problem{body_count(model.system), BlockLu(blocks, units), {}, {}};

  const std::vector<double> q = general_position(model), v(sz(n), 0.0);
  std::vector<double> mass(sz(evaluation.coupling().size())), g(sz(m)), G(sz(evaluation.jacobian().size())), gt(sz(m));
  const double t = 0;
  evaluation.mass(q.data(), v.data(), &t, mass.data());
  evaluation.constraints(1, q.data(), &t, g.data(), G.data(), gt.data());
  const auto put = [&](int row, int column, double value) {
    const std::ptrdiff_t slot = problem.lu.slot(row, column);
    if (slot >= 0) problem.entries.push_back({row, column, value, slot});
  };
  for_each(evaluation.coupling(), [&](int e, int i, int j) { put(i, j, mass[sz(e)]); });
  for_each(evaluation.jacobian(), [&](int e, int k, int i) {
    put(n + k, i, G[sz(e)]);
    put(i, n + k, G[sz(e)]);
  });
  complete(problem);
  return problem;
}

// As in GalerkinStep, at an x of the size that a step has.
Problem newton(const std::string& name) {
  const extremal::Model model = extremal::model(name);
  const extremal::Galerkin scheme = *extremal::Scheme::named("spark(2)").as<extremal::Galerkin>();
  Problem problem{body_count(model.system), galerkin_lu(model.system, scheme), {}, {}};
  extremal::GalerkinMatrix<double> matrix(model.system, scheme, &problem.lu);
  const extremal::GalerkinLayout& layout = matrix.layout();
  if (layout.coupled) throw std::logic_error("spark(2) has no hidden rows in its step");

  const double h = 1e-3;
  const std::vector<double> q = general_position(model), p(q.size(), 0.0);
  std::vector<double> x(sz(layout.size));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> speed(-1, 1);
  for (int i = 0; i < layout.mu(0); ++i) x[sz(i)] = h * speed(random);
  for (int i = layout.mu(0); i < layout.size; ++i) x[sz(i)] = h * h * 10 * speed(random);
  problem.lu.clear();
  matrix.assemble({q.data(), p.data(), 0, h}, x.data(), problem.lu.data());

  const auto take = [&](int row, int column) {
    const std::ptrdiff_t slot = problem.lu.slot(row, column);
    if (slot >= 0) problem.entries.push_back({row, column, problem.lu.data()[slot], slot});
  };
  const extremal::Evaluation<double> evaluation(model.system, 1, extremal::Storage::sparse);
  for_each(evaluation.coupling(), [&](int, int i, int j) {
    for (int a = 0; a < layout.s; ++a)
      for (int b = 0; b < layout.s; ++b) take(a * layout.n + i, layout.z(b) + j);
  });
  for_each(evaluation.jacobian(), [&](int, int k, int i) {
    for (int a = 0; a < layout.s; ++a) {
      for (int u = 0; u < layout.unknown_multipliers; ++u) take(a * layout.n + i, layout.mu(u) + k);
      for (int r = 0; r < layout.constraint_rows; ++r) take(layout.constraint_row(r) + k, layout.z(a) + i);
    }
  });
  complete(problem);
  return problem;
}

double residual(const Problem& problem, const double* x) {
  std::vector<double> r = problem.b;
  double size = 0, worst = 0;
  for (const Entry& e : problem.entries) {
    r[sz(e.row)] -= e.value * x[e.column];
    size = std::max(size, std::abs(e.value * x[e.column]));
  }
  for (const double y : r) worst = std::max(worst, std::abs(y));
  return worst / size;
}

void report(benchmark::State& state, const Problem& problem, const double* x, double entries) {
  const double left = residual(problem, x);
  if (!(left < 1e-8)) state.SkipWithError("the solution is wrong");
  state.counters["residual"] = left;
  state.counters["stored"] = entries / problem.bodies;
  state.counters["body"] =
      benchmark::Counter(problem.bodies, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void block_lu(benchmark::State& state, Problem problem) {
  std::vector<double> x;
  for (auto _ : state) {
    problem.lu.clear();
    double* out = problem.lu.data();
    for (const Entry& e : problem.entries) out[e.slot] = e.value;
    if (problem.lu.factor(1e-13) >= 0) return state.SkipWithError("singular");
    x = problem.b;
    problem.lu.solve(x.data());
    benchmark::DoNotOptimize(x.data());
  }
  report(state, problem, x.data(), static_cast<double>(problem.lu.entries()));
}

struct Columns {
  std::vector<int> start{0}, row;
  std::vector<double> value;
  explicit Columns(const Problem& problem) {
    for (const Entry& e : problem.entries) {
      while (static_cast<int>(start.size()) <= e.column) start.push_back(static_cast<int>(row.size()));
      row.push_back(e.row);
      value.push_back(e.value);
    }
    start.push_back(static_cast<int>(row.size()));
  }
};

// `ordering` is KLU's: 0 for AMD, its default, and 1 for COLAMD. The permutation to block triangular form, which it
// does by default, is left out: these matrices have one block, the matching takes minutes on the largest of them, and
// the diagonal that it chooses costs three digits.
void klu(benchmark::State& state, const Problem& problem, int ordering) {
  Columns a(problem);
  const int size = problem.lu.size();
  klu_common common;
  klu_defaults(&common);
  common.ordering = ordering;
  common.btf = 0;
  klu_symbolic* symbolic = klu_analyze(size, a.start.data(), a.row.data(), &common);
  klu_numeric* numeric = klu_factor(a.start.data(), a.row.data(), a.value.data(), symbolic, &common);
  std::vector<double> x;
  for (auto _ : state) {
    if (numeric == nullptr ||
        klu_refactor(a.start.data(), a.row.data(), a.value.data(), symbolic, numeric, &common) == 0)
      return state.SkipWithError("singular");
    x = problem.b;
    klu_solve(symbolic, numeric, size, 1, x.data(), &common);
    benchmark::DoNotOptimize(x.data());
  }
  report(state, problem, x.data(), static_cast<double>(numeric->lnz + numeric->unz));
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
}

void eigen(benchmark::State& state, const Problem& problem) {
  const Columns a(problem);
  const int size = problem.lu.size();
  const Eigen::Map<const Eigen::SparseMatrix<double>> matrix(size, size, static_cast<int>(a.value.size()),
                                                             a.start.data(), a.row.data(), a.value.data());
  const Eigen::Map<const Eigen::VectorXd> b(problem.b.data(), size);
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.analyzePattern(matrix);
  Eigen::VectorXd x;
  for (auto _ : state) {
    lu.factorize(matrix);
    if (lu.info() != Eigen::Success) return state.SkipWithError("singular");
    x = lu.solve(b);
    benchmark::DoNotOptimize(x.data());
  }
  report(state, problem, x.data(), static_cast<double>(lu.nnzL() + lu.nnzU()));
}

const bool registered = [] {
  const std::pair<const char*, int> models[] = {{"chain-spatial(10)", 10},
                                                {"chain-spatial(100)", 100},
                                                {"chain-spatial(1000)", 1000},
                                                {"chain-spatial(10000)", 10000},
                                                {"four-bar-chain(40)", 81}};
  for (const auto& [model, bodies] : models)
    for (const auto build : {kkt, newton}) {
      // The problem is made when its turn comes, and once: hence the fixed number of iterations.
      const auto add = [&, name = model, size = bodies](const std::string& solver, auto run) {
        const std::string title = std::string(build == kkt ? "kkt/" : "newton/") + name + "/" + solver;
        benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& s) { run(s, build(name)); })
            ->Unit(benchmark::kMicrosecond)
            ->Iterations(std::max(5, 20000 / size));
      };
      add("block", block_lu);
      add("klu-amd", [](benchmark::State& s, const Problem& p) { klu(s, p, 0); });
      add("klu-colamd", [](benchmark::State& s, const Problem& p) { klu(s, p, 1); });
      add("eigen", eigen);
    }
  return true;
}();

}  // namespace
