#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "extremal/equilibrium.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"
#include "study/eigenvalues.hpp"
#include "study/statics.hpp"

namespace extremal {
namespace {

using Complex = std::complex<double>;

double speed(const Mode& mode) { return std::hypot(mode.growth, mode.omega); }

// An orthonormal basis of the vectors that all rows of G leave alone, as columns of n x freedom: Householder's
// reflections of G^T, the longest column first. Rows that depend on others leave columns of round-off.
std::vector<double> tangent_basis(const Statics& s, int& freedom) {
  const int n = s.n(), m = s.m();
  std::vector<std::vector<double>> columns(sz(m), std::vector<double>(sz(n))), mirrors;
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < n; ++i) columns[sz(k)][sz(i)] = s.slope(k, i);
  const auto squared = [&](const std::vector<double>& x, std::size_t from) {
    double sum = 0;
    for (std::size_t i = from; i < x.size(); ++i) sum += x[i] * x[i];
    return sum;
  };
  const auto reflect = [](const std::vector<double>& u, std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += u[i] * x[i];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= 2 * sum * u[i];
  };
  double largest = 0;
  for (const auto& column : columns) largest = std::max(largest, squared(column, 0));
  for (std::size_t rank = 0; rank < sz(std::min(n, m)); ++rank) {
    std::size_t best = rank;
    for (std::size_t k = rank; k < sz(m); ++k)
      if (squared(columns[k], rank) > squared(columns[best], rank)) best = k;
    std::swap(columns[rank], columns[best]);
    std::vector<double> u = columns[rank];
    std::fill(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(rank), 0.0);
    const double length = std::sqrt(squared(u, rank));
    if (!(length > 1e-9 * std::sqrt(largest))) break;
    u[rank] += u[rank] < 0 ? -length : length;
    const double size = std::sqrt(squared(u, rank));
    for (double& x : u) x /= size;
    for (std::size_t k = rank; k < sz(m); ++k) reflect(u, columns[k]);
    mirrors.push_back(std::move(u));
  }
  const std::size_t rank = mirrors.size();
  freedom = n - static_cast<int>(rank);
  std::vector<double> Z(sz(n) * sz(freedom));
  for (std::size_t c = 0; c < sz(freedom); ++c) {
    std::vector<double> e(sz(n), 0.0);
    e[rank + c] = 1;
    for (std::size_t k = rank; k-- > 0;) reflect(mirrors[k], e);
    for (std::size_t i = 0; i < sz(n); ++i) Z[i * sz(freedom) + c] = e[i];
  }
  return Z;
}

template <class Entry>
std::vector<double> reduced(const std::vector<double>& Z, int n, int f, Entry entry) {
  std::vector<double> half(sz(n) * sz(f), 0.0), out(sz(f) * sz(f), 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (const double x = entry(i, j); x != 0)
        for (int c = 0; c < f; ++c) half[sz(i * f + c)] += x * Z[sz(j * f + c)];
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < f; ++a)
      for (int b = 0; b < f; ++b) out[sz(a * f + b)] += Z[sz(i * f + a)] * half[sz(i * f + b)];
  return out;
}

double largest_of(const std::vector<double>& list) {
  double most = 0;
  for (const double x : list) most = std::max(most, std::fabs(x));
  return most;
}

bool symmetric(const std::vector<double>& a, int n) {
  const double scale = largest_of(a);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (std::fabs(a[sz(i * n + j)] - a[sz(j * n + i)]) > 1e-10 * scale) return false;
  return true;
}

// M = R^T R; false if it is not positive.
bool cholesky(std::vector<double>& M, int n) {
  for (int j = 0; j < n; ++j) {
    const double own = M[sz(j * n + j)];
    for (int i = 0; i <= j; ++i) {
      double sum = M[sz(i * n + j)];
      for (int k = 0; k < i; ++k) sum -= M[sz(k * n + i)] * M[sz(k * n + j)];
      if (i < j) {
        M[sz(i * n + j)] = sum / M[sz(i * n + i)];
      } else {
        if (!(sum > 1e-13 * own)) return false;
        M[sz(j * n + j)] = std::sqrt(sum);
      }
    }
  }
  return true;
}

// R^-T x, or R^-1 x.
template <class T>
void substitute(const std::vector<double>& R, int n, bool transposed, T* x) {
  for (int step = 0; step < n; ++step) {
    const int i = transposed ? step : n - 1 - step;
    for (int k = transposed ? 0 : i + 1; k < (transposed ? i : n); ++k)
      x[i] -= (transposed ? R[sz(k * n + i)] : R[sz(i * n + k)]) * x[k];
    x[i] /= R[sz(i * n + i)];
  }
}

// R^-T A R^-1.
std::vector<double> congruent(const std::vector<double>& A, const std::vector<double>& R, int n) {
  std::vector<double> out = A, column(sz(n));
  for (int pass = 0; pass < 2; ++pass)  // columns from the left, then, as rows, from the right
    for (int j = 0; j < n; ++j) {
      const auto at = [&](int i) -> double& { return pass == 0 ? out[sz(i * n + j)] : out[sz(j * n + i)]; };
      for (int i = 0; i < n; ++i) column[sz(i)] = at(i);
      substitute(R, n, true, column.data());
      for (int i = 0; i < n; ++i) at(i) = column[sz(i)];
    }
  return out;
}

// A vector that (s^2 + s B + A) takes to almost nothing, by inverse iteration beside s; not one of `before`.
std::vector<Complex> null_vector(const std::vector<double>& A, const std::vector<double>& B, int n, Complex s,
                                 const std::vector<std::vector<Complex>>& before) {
  const double scale = std::max({std::abs(s), std::sqrt(largest_of(A)), largest_of(B), 1e-300});
  const Complex at = s + Complex(1e-9, 1e-9) * scale;
  std::vector<Complex> a(sz(n * n)), x(sz(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      a[sz(i * n + j)] = A[sz(i * n + j)] + at * B[sz(i * n + j)] + (i == j ? at * at : Complex(0));
  for (int i = 0; i < n; ++i) x[sz(i)] = {1 + 0.37 * std::sin(1.0 + 3.1 * i), 0.21 * std::cos(2.3 * i)};
  std::vector<int> pivot(sz(n));
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[sz(i * n + k)]) > std::abs(a[sz(best * n + k)])) best = i;
    pivot[sz(k)] = best;
    for (int j = 0; j < n; ++j) std::swap(a[sz(k * n + j)], a[sz(best * n + j)]);
    if (a[sz(k * n + k)] == Complex(0)) a[sz(k * n + k)] = 1e-30 * scale * scale;
    for (int i = k + 1; i < n; ++i) {
      const Complex f = a[sz(i * n + k)] /= a[sz(k * n + k)];
      for (int j = k + 1; j < n; ++j) a[sz(i * n + j)] -= f * a[sz(k * n + j)];
    }
  }
  for (int pass = 0; pass < 3; ++pass) {
    for (const auto& other : before) {
      Complex sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += std::conj(other[i]) * x[i];
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= sum * other[i];
    }
    for (int k = 0; k < n; ++k) {
      std::swap(x[sz(k)], x[sz(pivot[sz(k)])]);
      for (int i = k + 1; i < n; ++i) x[sz(i)] -= a[sz(i * n + k)] * x[sz(k)];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[sz(i)] -= a[sz(i * n + k)] * x[sz(k)];
      x[sz(i)] /= a[sz(i * n + i)];
    }
    double size = 0;
    for (const Complex& one : x) size += std::norm(one);
    for (Complex& one : x) one /= std::sqrt(size);
  }
  return x;
}

class ModeFinder {
 public:
  ModeFinder(const System& system, const Equilibrium& at) : statics_(system) {
    statics_.look(at.q, at.t, at.lambda);
    const Statics& s = statics_;
    out_.tangent = tangent_basis(s, out_.freedom);
    const int n = s.n(), f = out_.freedom;
    out_.mass = reduced(out_.tangent, n, f, [&](int i, int j) { return s.mass(i, j); });
    out_.stiffness = reduced(out_.tangent, n, f, [&](int i, int j) { return s.stiffness(i, j); });
    out_.damping = reduced(out_.tangent, n, f, [&](int i, int j) { return s.damping(i, j); });
    R_ = out_.mass;
    if (!cholesky(R_, f))
      throw InputError(system.name() +
                       ": a freedom without inertia; modes need inertia in all of them; try an armature");
    A_ = congruent(out_.stiffness, R_, f);
    B_ = congruent(out_.damping, R_, f);
  }

  Modes found() {
    const int f = out_.freedom;
    if (largest_of(B_) <= 1e-14 * std::sqrt(largest_of(A_)) && symmetric(A_, f))
      undamped();
    else
      damped();
    std::stable_sort(out_.modes.begin(), out_.modes.end(),
                     [](const Mode& a, const Mode& b) { return speed(a) < speed(b); });
    double fastest = 0;
    for (const Mode& mode : out_.modes) fastest = std::max(fastest, speed(mode));
    // Free motions, and the momenta of what servos remember, are eigenvalues of round-off, of which a root is taken.
    for (Mode& mode : out_.modes) {
      if (speed(mode) < 1e-6 * fastest) mode.growth = mode.omega = 0;
      out_.stable = out_.stable && mode.growth <= 0;
    }
    return std::move(out_);
  }

 private:
  void undamped() {
    const int f = out_.freedom;
    for (int i = 0; i < f; ++i)
      for (int j = 0; j < i; ++j) A_[sz(i * f + j)] = A_[sz(j * f + i)] = (A_[sz(i * f + j)] + A_[sz(j * f + i)]) / 2;
    const SymmetricEigen eigen = symmetric_eigen(A_, f);
    for (int k = 0; k < f; ++k) {
      const double square = eigen.values[sz(k)], root = std::sqrt(std::fabs(square));
      std::vector<Complex> x(eigen.vectors.begin() + k * f, eigen.vectors.begin() + (k + 1) * f);
      add(square >= 0 ? Complex(0, root) : Complex(root, 0), std::move(x));
    }
  }

  void damped() {
    const int f = out_.freedom, n = 2 * f;
    std::vector<double> companion(sz(n * n), 0.0);
    for (int i = 0; i < f; ++i) {
      companion[sz(i * n + f + i)] = 1;
      for (int j = 0; j < f; ++j) {
        companion[sz((f + i) * n + j)] = -A_[sz(i * f + j)];
        companion[sz((f + i) * n + f + j)] = -B_[sz(i * f + j)];
      }
    }
    const std::vector<Complex> values = eigenvalues(companion, n);
    if (values.empty()) throw InputError("modes: the eigenvalues did not converge");
    std::vector<std::pair<Complex, std::vector<Complex>>> known;
    double scale = 0;
    for (const Complex& s : values) scale = std::max(scale, std::abs(s));
    for (const Complex& s : values) {
      if (s.imag() < 0) continue;  // the other of a pair
      std::vector<std::vector<Complex>> equal;
      for (const auto& [value, x] : known)
        if (std::abs(value - s) < 1e-7 * scale) equal.push_back(x);
      std::vector<Complex> x = null_vector(A_, B_, f, s, equal);
      known.emplace_back(s, x);
      add(s, std::move(x));
    }
  }

  // From x, in which the mass is 1, to q.
  void add(Complex s, std::vector<Complex> x) {
    const int n = statics_.n(), f = out_.freedom;
    substitute(R_, f, false, x.data());
    std::vector<Complex> shape(sz(n));
    double size = 0;
    Complex largest = 0;
    for (int i = 0; i < n; ++i) {
      Complex& to = shape[sz(i)];
      for (int c = 0; c < f; ++c) to += out_.tangent[sz(i * f + c)] * x[sz(c)];
      size += std::norm(to);
      if (std::abs(to) > std::abs(largest) * (1 + 1e-9)) largest = to;
    }
    const Complex factor = std::conj(largest) / std::abs(largest) / std::sqrt(size);
    Mode mode{s.real(), s.imag(), {}, {}};
    for (const Complex& one : shape) {
      mode.shape.push_back((factor * one).real());
      mode.late.push_back((factor * one).imag());
    }
    out_.modes.push_back(std::move(mode));
  }

  Statics statics_;
  Modes out_;
  std::vector<double> R_, A_, B_;
};

}  // namespace

double Mode::frequency() const { return omega / (2 * std::numbers::pi); }
double Mode::damping() const { return growth == 0 ? 0 : -growth / speed(*this); }

Modes modes(const System& system, const Equilibrium& at) { return ModeFinder(system, at).found(); }

}  // namespace extremal
