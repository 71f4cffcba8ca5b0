#include "system/table.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

// x_i, and the polynomial from there to the next: y = c_0 + c_1 s + c_2 s^2 + c_3 s^3 with s = x - x_i.
template <class S>
struct Pieces {
  std::vector<S> x;
  std::vector<std::array<S, 4>> c;
};

struct KeptTable {
  std::vector<quad> x, y;
  Between between;
  std::tuple<Pieces<double>, Pieces<long double>, Pieces<quad>> pieces;
};

// The slopes of a cubic spline at its points; see table.hpp.
std::vector<quad> spline_slopes(const std::vector<quad>& x, const std::vector<quad>& y) {
  const std::size_t n = x.size();
  std::vector<quad> dx(n - 1), rise(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    dx[i] = x[i + 1] - x[i];
    rise[i] = (y[i + 1] - y[i]) / dx[i];
  }
  if (n == 2) return {rise[0], rise[0]};
  if (n == 3) {  // one parabola
    const quad bend = (rise[1] - rise[0]) / (x[2] - x[0]);
    return {rise[0] - bend * dx[0], rise[0] + bend * dx[0], rise[1] + bend * dx[1]};
  }
  std::vector<quad> below(n), diagonal(n), above(n), s(n);
  const quad first = x[2] - x[0], last = x[n - 1] - x[n - 3];
  diagonal[0] = dx[1], above[0] = first;
  s[0] = ((dx[0] + 2 * first) * dx[1] * rise[0] + dx[0] * dx[0] * rise[1]) / first;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = dx[i], diagonal[i] = 2 * (dx[i - 1] + dx[i]), above[i] = dx[i - 1];
    s[i] = 3 * (dx[i] * rise[i - 1] + dx[i - 1] * rise[i]);
  }
  below[n - 1] = last, diagonal[n - 1] = dx[n - 3];
  s[n - 1] = (dx[n - 2] * dx[n - 2] * rise[n - 3] + (2 * last + dx[n - 2]) * dx[n - 3] * rise[n - 2]) / last;
  for (std::size_t i = 1; i < n; ++i) {
    const quad w = below[i] / diagonal[i - 1];
    diagonal[i] -= w * above[i - 1];
    s[i] -= w * s[i - 1];
  }
  s[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) s[i] = (s[i] - above[i] * s[i + 1]) / diagonal[i];
  return s;
}

KeptTable made(const std::vector<quad>& x, const std::vector<quad>& y, Between between) {
  KeptTable out{x, y, between, {}};
  Pieces<quad>& exact = std::get<Pieces<quad>>(out.pieces);
  exact.x = x;
  const std::vector<quad> slopes = between == Between::cubic ? spline_slopes(x, y) : std::vector<quad>{};
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const quad d = x[i + 1] - x[i], rise = d > 0 ? (y[i + 1] - y[i]) / d : quad(0);
    if (between == Between::linear) {
      exact.c.push_back({y[i], rise, 0, 0});
      continue;
    }
    const quad a = slopes[i], b = slopes[i + 1];
    exact.c.push_back({y[i], a, (3 * rise - 2 * a - b) / d, (a + b - 2 * rise) / (d * d)});
  }
  exact.c.push_back({y.back(), 0, 0, 0});
  const auto narrow = [&]<class S>(Pieces<S>& to) {
    for (const quad& one : exact.x) to.x.push_back(static_cast<S>(one));
    for (const auto& c : exact.c)
      to.c.push_back({static_cast<S>(c[0]), static_cast<S>(c[1]), static_cast<S>(c[2]), static_cast<S>(c[3])});
  };
  narrow(std::get<Pieces<double>>(out.pieces));
  narrow(std::get<Pieces<long double>>(out.pieces));
  return out;
}

// Read by all threads, and added to while a model is read; what is in it stays where it is.
struct KeptTables {
  std::shared_mutex mutex;
  std::deque<KeptTable> all;
};
KeptTables& kept_tables() {
  static KeptTables tables;
  return tables;
}

const KeptTable& kept_table(int handle) {
  KeptTables& tables = kept_tables();
  const std::shared_lock lock(tables.mutex);
  return tables.all[sz(handle / table_orders)];
}

template <class S>
S value_of(const S& x, int handle) {
  const Pieces<S>& pieces = std::get<Pieces<S>>(kept_table(handle).pieces);
  const int order = handle % table_orders;
  const auto next = std::upper_bound(pieces.x.begin(), pieces.x.end(), x);
  if (next == pieces.x.begin()) return order == 0 ? pieces.c.front()[0] + S(0) * x : S(0) * x;
  const std::size_t i = sz(static_cast<int>(next - pieces.x.begin()) - 1);
  const std::array<S, 4>& c = pieces.c[i];
  const S s = x - pieces.x[i];
  switch (order) {
    case 0:
      return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1:
      return c[1] + s * (S(2) * c[2] + S(3) * s * c[3]);
    case 2:
      return S(2) * c[2] + S(6) * s * c[3];
    default:
      return S(6) * c[3] + S(0) * s;
  }
}

}  // namespace

int table_handle(const std::vector<quad>& x, const std::vector<quad>& y, Between between) {
  if (x.size() != y.size() || x.size() < 2)
    throw InputError("table: found " + std::to_string(x.size()) + " points; expected at least two");
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const bool twice = x[i] == x[i + 1] && between == Between::linear && (i == 0 || x[i - 1] < x[i]);
    if (!(x[i] < x[i + 1]) && !twice)
      throw InputError("table: found " + to_text(x[i + 1]) + " after " + to_text(x[i]) +
                       "; expected arguments that rise" +
                       (between == Between::linear ? ", or one twice where it jumps" : ""));
  }
  KeptTables& tables = kept_tables();
  const std::unique_lock lock(tables.mutex);
  for (std::size_t k = 0; k < tables.all.size(); ++k)
    if (const KeptTable& one = tables.all[k]; one.between == between && one.x == x && one.y == y)
      return static_cast<int>(k) * table_orders;
  tables.all.push_back(made(x, y, between));
  return static_cast<int>(tables.all.size() - 1) * table_orders;
}

bool table_kinks(int handle) { return kept_table(handle).between == Between::linear || handle % table_orders > 1; }

GivenTable given_table(int handle) {
  const KeptTable& kept = kept_table(handle);
  return {kept.x, kept.y, kept.between};
}

double table_value(double x, double handle) { return value_of(x, static_cast<int>(handle)); }
long double table_value(long double x, long double handle) { return value_of(x, static_cast<int>(handle)); }
quad table_value(quad x, quad handle) { return value_of(x, static_cast<int>(handle)); }
Lanes table_value(const Lanes& x, const Lanes& handle) {
  Lanes r;
  for (int l = 0; l < Lanes::count; ++l) r[l] = table_value(x[l], handle[l]);
  return r;
}

}  // namespace extremal
