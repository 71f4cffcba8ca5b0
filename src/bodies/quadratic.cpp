#include "bodies/quadratic.hpp"

#include <algorithm>
#include <unordered_map>

#include "extremal/error.hpp"
#include "numbers/index.hpp"

namespace extremal {
namespace {

int degree_of(const Monomial& m) { return int(m.i >= 0) + int(m.j >= 0); }

}  // namespace

Quadratic::Quadratic(quad constant) {
  if (constant != quad(0)) monomials_.push_back({-1, -1, constant});
}

Quadratic Quadratic::variable(int index) {
  Quadratic x;
  x.monomials_.push_back({-1, index, quad(1)});
  return x;
}

void Quadratic::tidy() {
  std::sort(monomials_.begin(), monomials_.end(),
            [](const Monomial& x, const Monomial& y) { return x.i != y.i ? x.i < y.i : x.j < y.j; });
  std::size_t kept = 0;
  for (std::size_t e = 0; e < monomials_.size();) {
    Monomial sum = monomials_[e++];
    while (e < monomials_.size() && monomials_[e].i == sum.i && monomials_[e].j == sum.j) sum.c += monomials_[e++].c;
    if (sum.c != quad(0)) monomials_[kept++] = sum;
  }
  monomials_.resize(kept);
}

int Quadratic::degree() const {
  int most = 0;
  for (const Monomial& m : monomials_) most = std::max(most, degree_of(m));
  return most;
}

void Quadratic::collect(std::vector<int>& indices) const {
  for (const Monomial& m : monomials_) {
    if (m.i >= 0) indices.push_back(m.i);
    if (m.j >= 0) indices.push_back(m.j);
  }
}

Quadratic operator+(const Quadratic& x, const Quadratic& y) {
  Quadratic sum = x;
  sum.monomials_.insert(sum.monomials_.end(), y.monomials_.begin(), y.monomials_.end());
  sum.tidy();
  return sum;
}

Quadratic operator-(const Quadratic& x, const Quadratic& y) { return x + Quadratic(quad(-1)) * y; }

Quadratic operator*(const Quadratic& x, const Quadratic& y) {
  if (x.degree() + y.degree() > 2) throw InputError("polynomial: a product of degree above 2; expected at most 2");
  Quadratic product;
  product.monomials_.reserve(x.monomials_.size() * y.monomials_.size());
  for (const Monomial& a : x.monomials_)
    for (const Monomial& b : y.monomials_) {
      // At most two of the four are indices; sorting puts them last.
      std::array<int, 4> index{a.i, a.j, b.i, b.j};
      std::sort(index.begin(), index.end());
      product.monomials_.push_back({index[2], index[3], a.c * b.c});
    }
  product.tidy();
  return product;
}

template <class S>
S Quadratic::value(const S* q) const {
  S sum(0);
  for (const Monomial& m : monomials_)
    sum += static_cast<S>(m.c) * (m.i >= 0 ? q[m.i] : S(1)) * (m.j >= 0 ? q[m.j] : S(1));
  return sum;
}

template <class S>
void Quadratic::add_gradient(const S* q, S factor, S* out) const {
  for (const Monomial& m : monomials_) {
    const S c = factor * static_cast<S>(m.c);
    if (m.j >= 0) out[m.j] += c * (m.i >= 0 ? q[m.i] : S(1));
    if (m.i >= 0) out[m.i] += c * q[m.j];
  }
}

template double Quadratic::value(const double*) const;
template long double Quadratic::value(const long double*) const;
template quad Quadratic::value(const quad*) const;
template void Quadratic::add_gradient(const double*, double, double*) const;
template void Quadratic::add_gradient(const long double*, long double, long double*) const;
template void Quadratic::add_gradient(const quad*, quad, quad*) const;

void Polynomials::append(const Monomial& m, bool constant) {
  const auto push = [&]<class S>(Values<S>& values) {
    (constant ? values.constant : values.c).push_back(static_cast<S>(m.c));
  };
  std::apply([&](auto&... values) { (push(values), ...); }, values_);
  if (!constant) pairs_.push_back({m.i, m.j});
}

Polynomials::Polynomials(int coordinates, int rows, const std::vector<int>& sites, const std::vector<Quadratic>& all)
    : rows_(rows), start_{0} {
  const std::size_t count = sites.size() / sz(coordinates);
  pattern_.reserve(count);
  std::unordered_map<std::string, int> known;
  std::vector<std::vector<Monomial>> local(sz(rows));
  std::string text;
  for (std::size_t site = 0; site < count; ++site) {
    const int* first = sites.data() + site * sz(coordinates);
    const auto place = [&](int index) {
      return index < 0 ? -1 : static_cast<int>(std::find(first, first + coordinates, index) - first);
    };
    text.clear();
    for (std::size_t row = 0; row < sz(rows); ++row) {
      local[row].clear();
      for (const Monomial& m : all[site * sz(rows) + row].monomials()) {
        local[row].push_back({place(m.i), place(m.j), m.c});
        const Monomial& put = local[row].back();
        for (const int index : {put.i, put.j}) text.append(reinterpret_cast<const char*>(&index), sizeof index);
        text.append(reinterpret_cast<const char*>(&m.c), sizeof m.c);
      }
      text += '\n';
    }
    const auto [entry, is_new] = known.emplace(text, static_cast<int>(known.size()));
    pattern_.push_back(entry->second);
    if (!is_new) continue;
    for (const auto& monomials : local) {
      quad constant = 0;
      for (const int degree : {1, 2}) {
        for (const Monomial& m : monomials) {
          if (degree_of(m) == 0) constant = m.c;
          if (degree_of(m) == degree) append(m, false);
        }
        start_.push_back(pairs_.size());
      }
      append({-1, -1, constant}, true);
      for (const Monomial& m : monomials) degree_ = std::max(degree_, degree_of(m));
    }
  }
}

PolynomialTerm::PolynomialTerm(Role r, std::string label, int local_coordinates, int rows, std::vector<int> site_list,
                               const std::vector<Quadratic>& polynomials)
    : ScalarTerm(r, std::move(label)), polynomials_(local_coordinates, rows, site_list, polynomials) {
  if (local_coordinates > most_coordinates)
    throw InputError("term \"" + name + "\" has " + std::to_string(local_coordinates) +
                     " coordinates per site; expected at most " + std::to_string(most_coordinates));
  coordinates = local_coordinates;
  row_count = rows;
  variables = velocity() ? 2 * coordinates : coordinates;
  sites = std::move(site_list);
  expanded = true;
  degree = velocity() ? DegreeBound{0, polynomials_.degree(), 0} : DegreeBound{polynomials_.degree(), 0, 0};
}

template <class S>
void PolynomialTerm::gather(const Nodes<S>& at, int node, int site, S* x) const {
  const S* from = (velocity() ? at.v : at.q) + static_cast<std::ptrdiff_t>(node) * at.n;
  const int* i = sites.data() + static_cast<std::ptrdiff_t>(site) * coordinates;
  for (int c = 0; c < coordinates; ++c) x[c] = from[i[c]];
}

template <class S>
void PolynomialTerm::value_at(const Nodes<S>& at, S* out) const {
  S x[most_coordinates];
  const int count = site_count();
  for (int k = 0; k < at.count; ++k)
    for (int site = 0; site < count; ++site) {
      gather(at, k, site, x);
      for (int r = 0; r < row_count; ++r) *out++ = polynomials_.value<S>(site, r, x);
    }
}

template <class S>
void PolynomialTerm::gradient_at(const Nodes<S>& at, S* value, S* out) const {
  S x[most_coordinates];
  const int count = site_count(), offset = variables - coordinates;
  for (int k = 0; k < at.count; ++k)
    for (int site = 0; site < count; ++site) {
      gather(at, k, site, x);
      for (int r = 0; r < row_count; ++r, out += variables) {
        *value++ = polynomials_.value<S>(site, r, x);
        std::fill_n(out, variables, S(0));
        polynomials_.add_gradient<S>(site, r, x, S(1), out + offset);
      }
    }
}

template <class S>
void PolynomialTerm::hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
  const int count = site_count(), offset = variables - coordinates, size = variables * (variables + 1) / 2;
  for (int k = 0; k < at.count; ++k)
    for (int site = 0; site < count; ++site, out += size) {
      std::fill_n(out, size, S(0));
      for (int r = 0; r < row_count; ++r)
        polynomials_.each_second<S>(site, r, *weights++,
                                    [&](int i, int j, S x) { out[packed_index(offset + i, offset + j)] += x; });
    }
}

#define EXTREMAL_INSTANTIATE(S)                                             \
  template void PolynomialTerm::value_at(const Nodes<S>&, S*) const;        \
  template void PolynomialTerm::gradient_at(const Nodes<S>&, S*, S*) const; \
  template void PolynomialTerm::hessian_at(const Nodes<S>&, const S*, S*) const;
EXTREMAL_INSTANTIATE(double)
EXTREMAL_INSTANTIATE(long double)
EXTREMAL_INSTANTIATE(quad)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
