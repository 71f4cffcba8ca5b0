#include "bodies/drive_term.hpp"

#include <algorithm>

#include "numbers/index.hpp"
#include "system/scalar_term.hpp"

namespace extremal {
namespace {

constexpr int drive_rows = 6, body_size = 12, drive_variables = body_size + 1;  // t is the last

// f(t) and its first two derivatives.
template <class S>
using InTime = Jet<S, 1, 2>;

template <class S>
struct GivenMotion {
  InTime<S> position[3], axis[3][3];  // X; a_2, a_3, a_1
};

class DriveTerm final : public ScalarTerm<DriveTerm> {
  friend ScalarTerm<DriveTerm>;

 public:
  DriveTerm(const std::string& label, const BodyRecord& body, Drive motion)
      : ScalarTerm(Role::constraint, label),
        motion_(std::move(motion)),
        position_(body.position),
        frame_(body.directors) {
    coordinates = body_size;
    row_count = drive_rows;
    variables = drive_variables;
    uses_time = true;
    for (int c = 0; c < body_size; ++c) sites.push_back(body.first + c);
    degree = {1, 0, Degree::unbounded};
  }

 private:
  template <class S>
  static InTime<S> at(const std::vector<TimeFunction>& functions, std::size_t k, quad otherwise, const S& t) {
    if (functions.empty()) return InTime<S>(static_cast<S>(otherwise));
    const auto [value, first, second] = functions[k].at(t);
    return InTime<S>::variable(t, 0).chain(value, first, second);
  }

  template <class S>
  GivenMotion<S> given(const S& t) const {
    GivenMotion<S> g;
    for (std::size_t k = 0; k < 3; ++k) g.position[k] = at(motion_.position, k, position_[k], t);
    const auto angle = [&](std::size_t k) { return at(motion_.rotation, k, quad(0), t); };
    const auto rotation = lie::from_rotation_vector(lie::Vec3<InTime<S>>{angle(0), angle(1), angle(2)});
    for (std::size_t i = 0; i < 3; ++i) {
      const Triple& e = frame_[(i + 1) % 3];
      const auto fixed = [&](std::size_t k) { return InTime<S>(static_cast<S>(e[k])); };
      const auto axis = lie::rotate(rotation, lie::Vec3<InTime<S>>{fixed(0), fixed(1), fixed(2)});
      g.axis[i][0] = axis.x, g.axis[i][1] = axis.y, g.axis[i][2] = axis.z;
    }
    return g;
  }

  // The sum over the director of axis i of its coordinates times `part` of the axis's components.
  template <class S, class Part>
  static S along(const GivenMotion<S>& g, int i, const S* q, Part part) {
    const S* d = q + 3 * (i + 1);
    return d[0] * part(g.axis[i][0]) + d[1] * part(g.axis[i][1]) + d[2] * part(g.axis[i][2]);
  }

  template <class S>
  const S* gathered(const Nodes<S>& at, int node, S* q) const {
    for (std::size_t c = 0; c < sz(body_size); ++c) q[c] = at.q[static_cast<std::ptrdiff_t>(node) * at.n + sites[c]];
    return q;
  }

  template <class S>
  static void rows_of(const GivenMotion<S>& g, const S* q, S* out) {
    for (int k = 0; k < 3; ++k) {
      out[k] = q[k] - g.position[k].a;
      out[3 + k] = along(g, k, q, [](const InTime<S>& x) { return x.a; });
    }
  }

  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    S x[body_size];
    for (int node = 0; node < at.count; ++node, out += drive_rows)
      rows_of(given(at.t[node]), gathered(at, node, x), out);
  }

  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    S x[body_size];
    constexpr int M = drive_variables;
    for (int node = 0; node < at.count; ++node, value += drive_rows, out += drive_rows * M) {
      const GivenMotion<S> g = given(at.t[node]);
      const S* q = gathered(at, node, x);
      rows_of(g, q, value);
      std::fill_n(out, drive_rows * M, S(0));
      for (int k = 0; k < 3; ++k) {
        out[k * M + k] = S(1);
        out[k * M + body_size] = -g.position[k].g[0];
        S* row = out + (3 + k) * M;
        for (int c = 0; c < 3; ++c) row[3 * (k + 1) + c] = g.axis[k][c].a;
        row[body_size] = along(g, k, q, [](const InTime<S>& y) { return y.g[0]; });
      }
    }
  }

  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    S x[body_size];
    constexpr int size = drive_variables * (drive_variables + 1) / 2;
    for (int node = 0; node < at.count; ++node, weights += drive_rows, out += size) {
      const GivenMotion<S> g = given(at.t[node]);
      const S* q = gathered(at, node, x);
      std::fill_n(out, size, S(0));
      S* with_time = out + packed_index(body_size, 0);
      S& twice = with_time[body_size];
      for (int k = 0; k < 3; ++k) {
        twice -= weights[k] * g.position[k].h[0];
        const S w = weights[3 + k];
        for (int c = 0; c < 3; ++c) with_time[3 * (k + 1) + c] = w * g.axis[k][c].g[0];
        twice += w * along(g, k, q, [](const InTime<S>& y) { return y.h[0]; });
      }
    }
  }

  Drive motion_;
  Triple position_;
  Directors frame_;
};

}  // namespace

std::shared_ptr<const Term> drive_term(const std::string& name, const BodyRecord& body, const Drive& motion) {
  return std::make_shared<DriveTerm>(name, body, motion);
}

}  // namespace extremal
