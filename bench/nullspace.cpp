// Two ways to eliminate from [M G^T; G 0] (x, lambda) = (a, b): the Schur complement G M^-1 G^T, of as many rows as
// there are constraints, and a nullspace P of G, whose P^T M P has as many as there are degrees of freedom (the outlook
// of [Wenger2017]; P from Householder's QR of G^T, or from a choice of independent coordinates). Dense, by Eigen, and
// what the kernels use besides: BlockLu. The mass is constant and factored outside of the loop.
//
// Counters: "residual" is that of all rows; a bad one is an error. docs/performance.md keeps the figures.
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <extremal/models.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algebra/block_lu.hpp"
#include "kernel/find_blocks.hpp"
#include "numbers/index.hpp"
#include "system/evaluation.hpp"

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using extremal::BlockLu;
using extremal::sz;

struct Problem {
  explicit Problem(const std::string& name);

  int n = 0, m = 0;
  Matrix M, G;
  Vector a, b;
  BlockLu lu{0};
};

// Away from the model's start, where many entries happen to vanish.
Problem::Problem(const std::string& name) {
  const extremal::Model model = extremal::model(name);
  n = model.system.size(), m = model.system.constraint_count();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  std::vector<double> q;
  for (const extremal::Number& x : model.start.q) q.push_back(x.as<double>() + shift(random));
  extremal::Evaluation<double> evaluation(model.system, 1, extremal::Storage::sparse);
  const std::vector<double> v(sz(n), 0.0);
  std::vector<double> mass(sz(evaluation.coupling().size())), g(sz(m)), slopes(sz(evaluation.jacobian().size())), gt(g);
  const double t = 0;
  evaluation.mass(q.data(), v.data(), &t, mass.data());
  evaluation.constraints(1, q.data(), &t, g.data(), slopes.data(), gt.data());
  M = Matrix::Zero(n, n);
  G = Matrix::Zero(m, n);
  for_each(evaluation.coupling(), [&](int e, int i, int j) { M(i, j) = mass[sz(e)]; });
  for_each(evaluation.jacobian(), [&](int e, int k, int i) { G(k, i) = slopes[sz(e)]; });
  a = Vector::NullaryExpr(n, [&] { return shift(random); });
  b = Vector::NullaryExpr(m, [&] { return shift(random); });
  const extremal::Blocks blocks = find_blocks(model.system, evaluation.coupling(), evaluation.jacobian());
  extremal::Units units = find_units(blocks, evaluation, extremal::Coupled::by_mass);
  for (int i = 0; i < n + m; ++i) units.row.push_back(i);
  units.column = units.row;
  lu = BlockLu(blocks, units);
}

void finish(benchmark::State& state, const Problem& p, const Vector& x, const Vector& lambda) {
  const double residual =
      std::max((p.M * x + p.G.transpose() * lambda - p.a).cwiseAbs().maxCoeff(), (p.G * x - p.b).cwiseAbs().maxCoeff());
  state.counters["residual"] = residual;
  state.counters["freedom"] = p.n - p.m;
  state.counters["constraints"] = p.m;
  if (!(residual < 1e-8 * (1 + lambda.cwiseAbs().maxCoeff()))) state.SkipWithError("not solved");
}

void schur(benchmark::State& state, const std::string& name) {
  const Problem p(name);
  const Eigen::LLT<Matrix> mass(p.M);
  const Vector free = mass.solve(p.a);
  Vector x, lambda;
  Matrix A(p.n, p.m), S(p.m, p.m);
  Eigen::LLT<Matrix> llt(p.m);
  for (auto _ : state) {
    A = mass.solve(p.G.transpose());
    S.noalias() = p.G * A;
    llt.compute(S);
    lambda = llt.solve(p.G * free - p.b);
    x = free - A * lambda;
    benchmark::DoNotOptimize(x.data());
  }
  finish(state, p, x, lambda);
}

void householder(benchmark::State& state, const std::string& name) {
  const Problem p(name);
  const int f = p.n - p.m;
  Vector x, lambda;
  Matrix Q(p.n, p.n), MP(p.n, f), reduced(f, f);
  Eigen::HouseholderQR<Matrix> qr(p.n, p.m);
  Eigen::LLT<Matrix> llt(f);
  for (auto _ : state) {
    qr.compute(p.G.transpose());
    Q.setIdentity();
    Q.applyOnTheLeft(qr.householderQ());
    const auto Y = Q.leftCols(p.m), P = Q.rightCols(f);
    const auto R = qr.matrixQR().topRows(p.m).triangularView<Eigen::Upper>();
    x = Y * R.transpose().solve(p.b);
    MP.noalias() = p.M * P;
    reduced.noalias() = P.transpose() * MP;
    llt.compute(reduced);
    x += P * llt.solve(P.transpose() * (p.a - p.M * x));
    lambda = R.solve(Y.transpose() * (p.a - p.M * x));
    benchmark::DoNotOptimize(x.data());
  }
  finish(state, p, x, lambda);
}

// x = (dependent, independent) after a permutation of the columns of G = [B N]: P = [-B^-1 N; 1].
void coordinates(benchmark::State& state, const std::string& name) {
  const Problem p(name);
  const int f = p.n - p.m;
  Vector x, lambda;
  Matrix P(p.n, f), MP(p.n, f), reduced(f, f);
  Eigen::FullPivLU<Matrix> choice(p.G);  // of the independent coordinates, as good for many steps
  const Matrix order = choice.permutationQ();
  const Matrix B0 = (p.G * order).leftCols(p.m), N0 = (p.G * order).rightCols(f);
  Eigen::PartialPivLU<Matrix> lu(p.m);
  Eigen::LLT<Matrix> llt(f);
  const Matrix mass = order.transpose() * p.M * order;
  const Vector load = order.transpose() * p.a;
  Vector y(p.n);
  for (auto _ : state) {
    lu.compute(B0);
    P.topRows(p.m) = -lu.solve(N0);
    P.bottomRows(f).setIdentity();
    y.setZero();
    y.head(p.m) = lu.solve(p.b);
    MP.noalias() = mass * P;
    reduced.noalias() = P.transpose() * MP;
    llt.compute(reduced);
    y += P * llt.solve(P.transpose() * (load - mass * y));
    lambda = lu.transpose().solve((load - mass * y).head(p.m));
    benchmark::DoNotOptimize(y.data());
  }
  x = order * y;
  finish(state, p, x, lambda);
}

void blocks(benchmark::State& state, const std::string& name) {
  Problem p(name);
  Vector right(p.n + p.m);
  std::vector<std::pair<int, double>> entries;
  for (int i = 0; i < p.n; ++i) {
    for (int j = 0; j < p.n; ++j)
      if (p.M(i, j) != 0) entries.emplace_back(p.lu.slot(i, j), p.M(i, j));
    for (int k = 0; k < p.m; ++k)
      if (p.G(k, i) != 0)
        for (const int slot : {p.lu.slot(p.n + k, i), p.lu.slot(i, p.n + k)}) entries.emplace_back(slot, p.G(k, i));
  }
  for (auto _ : state) {
    p.lu.clear();
    for (const auto& [slot, value] : entries) p.lu.data()[slot] = value;
    right << p.a, p.b;
    p.lu.factor(1e-13, right.data());
    p.lu.finish(right.data());
    benchmark::DoNotOptimize(right.data());
  }
  finish(state, p, right.head(p.n), right.tail(p.m));
}

const int registered = [] {
  for (const char* name :
       {"pendulum-cartesian", "triple-pendulum", "chain-spatial(3)", "chain-spatial(10)", "chain-spatial(30)"}) {
    const std::string model = name;
    benchmark::RegisterBenchmark(("schur/" + model).c_str(), schur, model);
    benchmark::RegisterBenchmark(("nullspace, QR/" + model).c_str(), householder, model);
    benchmark::RegisterBenchmark(("nullspace, coordinates/" + model).c_str(), coordinates, model);
    benchmark::RegisterBenchmark(("blocks/" + model).c_str(), blocks, model);
  }
  return 0;
}();

}  // namespace
