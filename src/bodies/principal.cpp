#include "bodies/principal.hpp"

#include "extremal/error.hpp"
#include "words/grammar.hpp"

namespace extremal {
namespace {

using Matrix = std::array<Triple, 3>;

Matrix matrix_of(const Tensor& t) { return {{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}}; }

quad largest_entry(const Matrix& a) {
  quad largest = 0;
  for (const Triple& row : a)
    for (const quad x : row) largest = math::max(largest, math::abs(x));
  return largest;
}

// A rotation of axes p and q after which entry (p, q) is 0: the smaller of the two angles, by the stable formulas.
void rotate_away(Matrix& a, Directors& axes, std::size_t p, std::size_t q) {
  const quad theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const quad root = math::abs(theta) + math::sqrt(theta * theta + 1);
  const quad t = theta < 0 ? -1 / root : 1 / root;
  const quad c = 1 / math::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < 3; ++k) {
    const quad x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const quad x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
  }
  a[p][q] = a[q][p] = 0;
  const Triple u = axes[p], w = axes[q];
  axes[p] = c * u - s * w, axes[q] = s * u + c * w;
}

quad one_size(const std::string& shape, const char* key, const Numbers& given) {
  if (given.list().size() != 1)
    throw InputError(std::to_string(given.list().size()) + " numbers as " + key + " of a " + shape + "; expected one");
  const quad x = given.list()[0].as<quad>();
  if (!(x > 0)) throw InputError(std::string(key) + " " + given.list()[0].text() + "; expected a positive one");
  return x;
}

void expect_none(const std::string& shape, const char* key, const Numbers& given) {
  if (!given.empty()) throw InputError(std::string(key) + " of a " + shape + "; expected none");
}

}  // namespace

PrincipalAxes principal_axes(const Tensor& tensor) {
  Matrix a = matrix_of(tensor);
  PrincipalAxes result;
  const quad noise = Scalar<quad>::epsilon * largest_entry(a) / 16;
  // Convergence is quadratic: a sweep or two from any three axes to 1e-4, two more to the last digit.
  for (int sweep = 0; sweep < 64; ++sweep) {
    bool diagonal = true;
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t q = p + 1; q < 3; ++q)
        if (math::abs(a[p][q]) > noise) {
          rotate_away(a, result.axes, p, q);
          diagonal = false;
        }
    if (diagonal) break;
  }
  if (result.axes != no_rotation) result.axes = orthonormal(result.axes);
  result.moments = {a[0][0], a[1][1], a[2][2]};
  return result;
}

Tensor turned(const Tensor& tensor, const Directors& frame) {
  const Matrix a = matrix_of(tensor);
  Matrix b{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) b[i][j] += frame[k][i] * a[k][l] * frame[l][j];
  return {b[0][0], b[1][1], b[2][2], b[0][1], b[0][2], b[1][2]};
}

Tensor shifted(const Tensor& t, quad m, const Triple& x) {
  return {t[0] + m * (x[1] * x[1] + x[2] * x[2]),
          t[1] + m * (x[2] * x[2] + x[0] * x[0]),
          t[2] + m * (x[0] * x[0] + x[1] * x[1]),
          t[3] - m * x[0] * x[1],
          t[4] - m * x[0] * x[2],
          t[5] - m * x[1] * x[2]};
}

void add_mass(quad& mass, Triple& centre, Tensor& inertia, quad more, const Triple& at, const Tensor& tensor) {
  if (!(more > 0)) return;
  const quad whole = mass + more;
  const Triple middle = (1 / whole) * (mass * centre + more * at);
  const Tensor own = shifted(inertia, mass, centre - middle), other = shifted(tensor, more, at - middle);
  for (std::size_t i = 0; i < 6; ++i) inertia[i] = own[i] + other[i];
  mass = whole, centre = middle;
}

SolidShape solid_shape(const std::string& shape, const Numbers& size, const Numbers& radius, const Numbers& length) {
  return solid_extent(shape, shape_extent(shape, size, radius, length));
}

Triple shape_extent(const std::string& shape, const Numbers& size, const Numbers& radius, const Numbers& length) {
  if (shape == "box" || shape == "ellipsoid") {
    expect_none(shape, "radius", radius), expect_none(shape, "length", length);
    if (size.list().size() != 3)
      throw InputError(std::to_string(size.list().size()) + " numbers as size of a " + shape +
                       (shape == "box" ? "; expected its three edges" : "; expected its three extents"));
    Triple e{};
    for (std::size_t k = 0; k < 3; ++k) e[k] = one_size(shape, "size", size.list()[k]);
    return e;
  }
  if (shape != "cylinder" && shape != "sphere" && shape != "capsule")
    throw InputError(unknown("shape", shape, {"box", "cylinder", "sphere", "capsule", "ellipsoid"}));
  expect_none(shape, "size", size);
  if (shape == "sphere") expect_none(shape, "length", length);
  const quad across = 2 * one_size(shape, "radius", radius);
  return {across, across, shape == "sphere" ? across : one_size(shape, "length", length)};
}

SolidShape solid_extent(const std::string& shape, const Triple& e) {
  const quad pi = math::acos(quad(-1));
  if (shape == "box" || shape == "ellipsoid") {
    const bool box = shape == "box";
    const quad by = box ? 12 : 20;
    const Triple s{e[0] * e[0] / by, e[1] * e[1] / by, e[2] * e[2] / by};
    return {(box ? 1 : pi / 6) * e[0] * e[1] * e[2], {s[1] + s[2], s[2] + s[0], s[0] + s[1]}};
  }
  const quad r = e[0] / 2, ball = 4 * pi * r * r * r / 3;
  if (shape == "sphere") {
    const quad moment = 2 * r * r / 5;
    return {ball, {moment, moment, moment}};
  }
  const quad l = e[2], tube = pi * r * r * l;
  const quad across = r * r / 4 + l * l / 12, about = r * r / 2;
  if (shape == "cylinder") return {tube, {across, across, about}};
  // A cylinder, and two half balls whose centres of mass are 3 r / 8 beyond its ends.
  const quad whole = tube + ball, end = 2 * r * r / 5 + l * l / 4 + 3 * l * r / 8;
  const quad moment = (tube * across + ball * end) / whole;
  return {whole, {moment, moment, (tube * about + ball * 2 * r * r / 5) / whole}};
}

}  // namespace extremal
