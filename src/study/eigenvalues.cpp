#include "study/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "numbers/index.hpp"

namespace extremal {

SymmetricEigen symmetric_eigen(std::vector<double> a, int n) {
  const auto at = [&](int i, int j) -> double& { return a[sz(i * n + j)]; };
  std::vector<double> v(sz(n * n), 0.0);
  for (int i = 0; i < n; ++i) v[sz(i * n + i)] = 1;
  constexpr int most_sweeps = 60;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double off = 0, all = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) (i == j ? all : off) += at(i, j) * at(i, j);
    if (off <= 1e-36 * all || off == 0) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (at(p, q) == 0) continue;
        // The rotation by the smaller angle that makes a_pq vanish.
        const double theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::hypot(theta, 1));
        const double c = 1 / std::hypot(t, 1), s = t * c;
        const auto turn = [c, s](double& x, double& y) {
          const double kept = x;
          x = c * kept - s * y;
          y = s * kept + c * y;
        };
        for (int k = 0; k < n; ++k) turn(at(k, p), at(k, q));
        for (int k = 0; k < n; ++k) turn(at(p, k), at(q, k));
        for (int k = 0; k < n; ++k) turn(v[sz(p * n + k)], v[sz(q * n + k)]);
      }
  }
  std::vector<int> order(sz(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return at(i, i) < at(j, j); });
  SymmetricEigen out;
  for (const int i : order) {
    out.values.push_back(at(i, i));
    out.vectors.insert(out.vectors.end(), v.begin() + i * n, v.begin() + (i + 1) * n);
  }
  return out;
}

namespace {

class HessenbergQr {
 public:
  HessenbergQr(std::vector<double> a, int n) : a_(std::move(a)), n_(n) { reduce(); }

  std::vector<std::complex<double>> values() {
    std::vector<std::complex<double>> found(sz(n_));
    int end = n_ - 1, tries = 0;
    double shift = 0;
    while (end >= 0) {
      const int first = start_of(end);
      const double x = at(end, end);
      if (first == end) {
        found[sz(end--)] = x + shift;
        tries = 0;
        continue;
      }
      const double y = at(end - 1, end - 1), w = at(end, end - 1) * at(end - 1, end);
      if (first == end - 1) {
        pair(x, y, w, shift, found[sz(end - 1)], found[sz(end)]);
        end -= 2;
        tries = 0;
        continue;
      }
      if (++tries > 120) return {};
      double sx = x, sy = y, sw = w;
      if (tries % 10 == 0) {  // an odd shift where nothing moves
        shift += x;
        for (int i = 0; i <= end; ++i) at(i, i) -= x;
        const double s = std::fabs(at(end, end - 1)) + std::fabs(at(end - 1, end - 2));
        sx = sy = 0.75 * s;
        sw = -0.4375 * s * s;
      }
      sweep(first, end, sx, sy, sw);
    }
    return found;
  }

 private:
  double& at(int i, int j) { return a_[sz(i * n_ + j)]; }

  // By Householder's reflections.
  void reduce() {
    for (int k = 0; k + 2 < n_; ++k) {
      double norm = 0;
      for (int i = k + 1; i < n_; ++i) norm = std::hypot(norm, at(i, k));
      if (norm == 0) continue;
      std::vector<double> u(sz(n_), 0.0);
      for (int i = k + 1; i < n_; ++i) u[sz(i)] = at(i, k);
      u[sz(k + 1)] += u[sz(k + 1)] < 0 ? -norm : norm;
      double square = 0;
      for (const double x : u) square += x * x;
      for (int j = 0; j < n_; ++j) {
        double sum = 0;
        for (int i = k + 1; i < n_; ++i) sum += u[sz(i)] * at(i, j);
        for (int i = k + 1; i < n_; ++i) at(i, j) -= 2 * sum / square * u[sz(i)];
      }
      for (int i = 0; i < n_; ++i) {
        double sum = 0;
        for (int j = k + 1; j < n_; ++j) sum += at(i, j) * u[sz(j)];
        for (int j = k + 1; j < n_; ++j) at(i, j) -= 2 * sum / square * u[sz(j)];
      }
      for (int i = k + 2; i < n_; ++i) at(i, k) = 0;
    }
  }

  // The first row of the block that ends here and does not fall apart.
  int start_of(int end) {
    for (int l = end; l > 0; --l) {
      double scale = std::fabs(at(l - 1, l - 1)) + std::fabs(at(l, l));
      if (scale == 0) scale = 1;
      if (std::fabs(at(l, l - 1)) > std::numeric_limits<double>::epsilon() * scale) continue;
      at(l, l - 1) = 0;
      return l;
    }
    return 0;
  }

  static void pair(double x, double y, double w, double shift, std::complex<double>& a, std::complex<double>& b) {
    const double p = (y - x) / 2, q = p * p + w, root = std::sqrt(std::fabs(q));
    if (q < 0) {
      a = {x + shift + p, root};
      b = {x + shift + p, -root};
      return;
    }
    const double z = p + (p < 0 ? -root : root);
    a = x + shift + z;
    b = x + shift - (z != 0 ? w / z : 0);
  }

  // One sweep with both shifts, the eigenvalues of [y .; . x] with the product w beside the diagonal.
  void sweep(int first, int end, double x, double y, double w) {
    double p = 0, q = 0, r = 0;
    {
      const double z = at(first, first), dx = x - z, dy = y - z;
      p = (dx * dy - w) / at(first + 1, first) + at(first, first + 1);
      q = at(first + 1, first + 1) - z - dx - dy;
      r = at(first + 2, first + 1);
    }
    for (int k = first; k < end; ++k) {
      const bool three = k + 2 <= end;
      if (k > first) {
        p = at(k, k - 1);
        q = at(k + 1, k - 1);
        r = three ? at(k + 2, k - 1) : 0;
      } else if (!three) {
        r = 0;
      }
      const double norm = std::sqrt(p * p + q * q + r * r);
      if (norm == 0) continue;
      const double alpha = p < 0 ? norm : -norm;
      double u0 = p - alpha, u1 = q, u2 = r;
      const double square = u0 * u0 + u1 * u1 + u2 * u2;
      for (int j = std::max(k - 1, first); j < n_; ++j) {
        const double sum = u0 * at(k, j) + u1 * at(k + 1, j) + (three ? u2 * at(k + 2, j) : 0);
        const double f = 2 * sum / square;
        at(k, j) -= f * u0;
        at(k + 1, j) -= f * u1;
        if (three) at(k + 2, j) -= f * u2;
      }
      for (int i = 0; i <= std::min(end, k + 3); ++i) {
        const double sum = u0 * at(i, k) + u1 * at(i, k + 1) + (three ? u2 * at(i, k + 2) : 0);
        const double f = 2 * sum / square;
        at(i, k) -= f * u0;
        at(i, k + 1) -= f * u1;
        if (three) at(i, k + 2) -= f * u2;
      }
      for (int i = k + 1; k > first && i <= std::min(end, k + 2); ++i) at(i, k - 1) = 0;
    }
  }

  std::vector<double> a_;
  int n_;
};

}  // namespace

std::vector<std::complex<double>> eigenvalues(std::vector<double> a, int n) {
  return HessenbergQr(std::move(a), n).values();
}

}  // namespace extremal
