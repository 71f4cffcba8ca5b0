#include "bodies/mesh_solid.hpp"

#include "extremal/error.hpp"

namespace extremal {

// Over every triangle the tetrahedron to the middle of the box around all: the moments of these, signed, add up to
// those of the inside. With a, b, c from that point and d = det(a, b, c): volume d / 6, first moment d / 24 (a + b +
// c), second moments d / 120 ((a + b + c)_i (a + b + c)_j + a_i a_j + b_i b_j + c_i c_j).
MeshSolid mesh_solid(const Mesh& mesh, const Triple& scale) {
  if (mesh.triangles.empty()) throw InputError("found a mesh without triangles; expected a body");
  std::array<double, 3> low = mesh.points[0], high = low;
  for (const auto& x : mesh.points)
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  Triple middle{};
  for (std::size_t k = 0; k < 3; ++k) middle[k] = scale[k] * (quad(low[k]) + quad(high[k])) / 2;
  quad volume = 0, area = 0;
  Triple first{}, open{};
  std::array<quad, 6> second{};  // xx, yy, zz, xy, xz, yz
  constexpr std::size_t pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (const auto& triangle : mesh.triangles) {
    std::array<Triple, 3> x;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        x[i][k] = scale[k] * quad(mesh.points[static_cast<std::size_t>(triangle[i])][k]) - middle[k];
    const Triple across = cross(x[1] - x[0], x[2] - x[0]), sum = x[0] + x[1] + x[2];
    const quad d = dot(x[0], cross(x[1], x[2]));
    open = open + across, area += norm(across);
    volume += d / 6;
    first = first + (d / 24) * sum;
    for (std::size_t m = 0; m < 6; ++m) {
      const auto [i, j] = pairs[m];
      second[m] += d / 120 * (sum[i] * sum[j] + x[0][i] * x[0][j] + x[1][i] * x[1][j] + x[2][i] * x[2][j]);
    }
  }
  // The areas of a surface that is closed, as vectors, are 0 together; digits of files are those of a float.
  if (!(norm(open) < quad(1e-3) * area)) throw InputError("found a mesh with holes; expected a closed surface");
  if (volume < 0) {  // inside out
    volume = -volume, first = quad(-1) * first;
    for (quad& each : second) each = -each;
  }
  if (!(volume > quad(1e-9) * area * math::sqrt(area)))
    throw InputError("found a mesh without an inside; expected a body");
  MeshSolid solid;
  solid.volume = volume, solid.centre = (1 / volume) * first;
  const Triple& c = solid.centre;
  for (std::size_t m = 0; m < 6; ++m) second[m] -= volume * c[pairs[m][0]] * c[pairs[m][1]];
  solid.inertia = {
      second[1] + second[2], second[2] + second[0], second[0] + second[1], -second[3], -second[4], -second[5]};
  solid.centre = solid.centre + middle;
  return solid;
}

BodyData solid_body(const Mesh& mesh, const Number& density, const Numbers& scale) {
  Triple by{1, 1, 1};
  if (!scale.empty() && scale.list().size() != 3)
    throw InputError(std::to_string(scale.list().size()) + " numbers as scale; expected three");
  for (std::size_t k = 0; k < scale.list().size(); ++k) by[k] = scale.list()[k].as<quad>();
  const quad rho = density.as<quad>();
  if (!(rho > 0)) throw InputError("density " + density.text() + "; expected a positive one");
  const MeshSolid solid = mesh_solid(mesh, by);
  const auto exact = [](quad x) { return Number::exactly(x); };
  const Triple& c = solid.centre;
  const Tensor& J = solid.inertia;
  return {.mass = exact(rho * solid.volume),
          .inertia = {exact(rho * J[0]), exact(rho * J[1]), exact(rho * J[2]), exact(rho * J[3]), exact(rho * J[4]),
                      exact(rho * J[5])},
          .centre = {exact(c[0]), exact(c[1]), exact(c[2])}};
}

}  // namespace extremal
