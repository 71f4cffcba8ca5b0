#include "scheme/space.hpp"

#include <algorithm>

#include "algebra/lu.hpp"
#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {

namespace {

quad power(quad x, int n) {
  quad r = 1;
  for (int i = 0; i < n; ++i) r *= x;
  return r;
}

// P_n and P_n' at 2x - 1, by the three-term recursion; the slope is with respect to x.
void legendre(int n, quad x, quad& value, quad& slope) {
  const quad y = 2 * x - 1;
  quad p0 = 1, p1 = y, d0 = 0, d1 = 1;
  if (n == 0) p1 = 1, d1 = 0;
  for (int k = 2; k <= n; ++k) {
    const quad p = (quad(2 * k - 1) * y * p1 - quad(k - 1) * p0) / k;
    const quad d = (quad(2 * k - 1) * (p1 + y * d1) - quad(k - 1) * d0) / k;
    p0 = p1, p1 = p, d0 = d1, d1 = d;
  }
  value = p1;
  slope = 2 * d1;
}
}  // namespace

std::vector<SpaceFunction> powers(const std::vector<int>& exponents) {
  std::vector<SpaceFunction> span;
  for (const int k : exponents)
    span.push_back(
        {[k](quad x) { return power(x, k); }, [k](quad x) { return k == 0 ? quad(0) : k * power(x, k - 1); }});
  return span;
}

std::vector<SpaceFunction> monomials(int degree) {
  std::vector<int> exponents;
  for (int k = 0; k <= degree; ++k) exponents.push_back(k);
  return powers(exponents);
}

std::vector<SpaceFunction> legendre_polynomials(int degree) {
  std::vector<SpaceFunction> span;
  for (int k = 0; k <= degree; ++k)
    span.push_back({[k](quad x) {
                      quad v, d;
                      legendre(k, x, v, d);
                      return v;
                    },
                    [k](quad x) {
                      quad v, d;
                      legendre(k, x, v, d);
                      return d;
                    }});
  return span;
}

std::vector<SpaceFunction> with_oscillation(int degree, quad w) {
  std::vector<SpaceFunction> span = legendre_polynomials(degree - 2);
  // About the middle of the step, so that cosine and sine stay apart from 1 and t as long as w is not small.
  span.push_back(
      {[w](quad x) { return math::cos(w * (x - 0.5)); }, [w](quad x) { return -w * math::sin(w * (x - 0.5)); }});
  span.push_back(
      {[w](quad x) { return math::sin(w * (x - 0.5)); }, [w](quad x) { return w * math::cos(w * (x - 0.5)); }});
  return span;
}

BasisTable cardinal_basis(const std::vector<SpaceFunction>& span, const std::vector<quad>& points,
                          const std::vector<quad>& x) {
  const int n = static_cast<int>(span.size());
  Lu<quad> lu(n);
  std::vector<quad> sizes(sz(n));  // functions may be as large or small as they like
  const quad lost = 1e-24;         // what is left has ten digits then
  bool dependent = false;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      lu.row(i)[k] = span[sz(i)].value(points[sz(k)]);
      sizes[sz(i)] = math::max(sizes[sz(i)], math::abs(lu.row(i)[k]));
    }
    if (!math::finite(sizes[sz(i)]) || sizes[sz(i)] == quad(0))
      throw InputError("basis: function " + std::to_string(i + 1) +
                       " is not finite on this step, or zero; try other functions, or another step");
    for (int k = 0; k < n; ++k) lu.row(i)[k] /= sizes[sz(i)];
    // Of an oscillation all points may be zeros, where a period is over with the step.
    constexpr int between = 8;
    quad elsewhere = 0;
    for (int k = 0; k < between; ++k)
      elsewhere = math::max(elsewhere, math::abs(span[sz(i)].value((quad(k) + quad(0.3)) / between)));
    dependent = dependent || sizes[sz(i)] <= lost * elsewhere;
  }
  if (dependent || lu.factor(lost) >= 0)
    throw InputError("basis: its functions are dependent on this step; try other functions, or another step");
  // sum_a l_a(x) u_i(d_a) = u_i(x) for every function u_i of the span.
  BasisTable table;
  for (const quad& at : x) {
    std::vector<quad> v(sz(n)), s(sz(n));
    const auto own = std::find(points.begin(), points.end(), at);
    for (int i = 0; i < n; ++i) {
      v[sz(i)] = span[sz(i)].value(at) / sizes[sz(i)];
      s[sz(i)] = span[sz(i)].slope(at) / sizes[sz(i)];
    }
    lu.solve(v.data());
    lu.solve(s.data());
    // Exact, as of polynomials: entries of matrices that are zero by it are left out.
    for (int a = 0; own != points.end() && a < n; ++a) v[sz(a)] = quad(a == own - points.begin() ? 1 : 0);
    table.values.push_back(v);
    table.slopes.push_back(s);
  }
  return table;
}

}  // namespace extremal
