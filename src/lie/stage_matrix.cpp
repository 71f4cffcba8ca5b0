#include "lie/stage_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "numbers/index.hpp"

namespace extremal::lie {
namespace {

constexpr double singular_pivot = 16 * Scalar<double>::epsilon;
constexpr int most_stages = 32;

// In place, with pivots by columns; false if there is none. n: known to the compiler, or 0.
template <int N>
bool invert(double* a, int size) {
  const int n = N > 0 ? N : size;
  int order[3 * most_stages];
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) pivot = i;
    if (!(std::fabs(a[pivot * n + k]) > 0)) return false;
    order[k] = pivot;
    if (pivot != k) std::swap_ranges(a + pivot * n, a + pivot * n + n, a + k * n);
    double* own = a + k * n;
    const double factor = 1 / own[k];
    own[k] = 1;
    for (int j = 0; j < n; ++j) own[j] *= factor;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      double* row = a + i * n;
      const double by = row[k];
      row[k] = 0;
      for (int j = 0; j < n; ++j) row[j] -= by * own[j];
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (order[k] != k)
      for (int i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + order[k]]);
  return true;
}

// to += x * from, for all of a row.
[[gnu::always_inline]] inline void add_row(double x, const double* from, int width, double* to) {
  for (int c = 0; c < width; ++c) to[c] += x * from[c];
}

}  // namespace

StageMatrix::StageMatrix(const Model<double>& model, std::vector<bool> hung, StageTables tables)
    : model_(model), tables_(std::move(tables)), hung_(std::move(hung)), turning_(model.dimension == 3 ? 3 : 1) {
  const int s = tables_.s;
  const std::size_t bodies = model.bodies.size();
  const Vec3<double> none{0, 0, 0};
  poses.assign(bodies * sz(s + 1), {none, columns(Quaternion<double>{1, 0, 0, 0})});
  sides_.resize(bodies);
  Blocks blocks;
  blocks.count = static_cast<int>(model.joints.size());
  blocks.joint.assign(sz(blocks.count), false);
  std::vector<int> block_of;
  int widest = 0;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint<double>& joint = model.joints[j];
    const int rows = s * joint.count();
    first_.push_back(size_);
    size_ += rows;
    widest = std::max(widest, rows);
    block_of.insert(block_of.end(), sz(rows), static_cast<int>(j));
    for (const bool b : {false, true})
      if (const int body = b ? joint.b : joint.a; body >= 0) sides_[sz(body)].push_back({static_cast<int>(j), b});
  }
  mu.assign(sz(size_), 0.0);
  weight.assign(sz(s), none);
  Ga.assign(sz(model.rows * (s + 1)), {none, none});
  Gb = Ga;
  inverse_.assign(bodies * sz(turning_ * s) * sz(turning_ * s), 0.0);
  turned_.assign(sz(turning_ * s) * sz(std::max(widest, 1)), 0.0);
  moved_.assign(sz(3 * s) * sz(std::max(widest, 1)), 0.0);
  block_.assign(sz(std::max(widest, 1)), 0.0);
  pull_.assign(bodies * sz(s), {none, none});
  if (blocks.count == 0) return;
  std::set<std::pair<int, int>> edges;
  for (const auto& list : sides_)
    for (const Side& one : list)
      for (const Side& other : list)
        if (one.joint < other.joint) edges.emplace(one.joint, other.joint);
  blocks.edges.assign(edges.begin(), edges.end());
  lu_ = std::make_unique<BlockLu>(blocks, block_of, block_of);
  for (const auto& list : sides_)
    for (const Side& column : list)
      for (const Side& row : list) {
        const int r = first_[sz(row.joint)], c = first_[sz(column.joint)], to = needed(lu_->slot(r, c));
        const bool single = s * model.joints[sz(row.joint)].count() == 1;
        places_.push_back({to, single ? 0 : lu_->slot(r + 1, c) - to});
      }
}

// What rotations of the body change of its rows.
template <int turning, int stages>
void StageMatrix::find_body(std::size_t index, double* A) const {
  const auto& body = model_.bodies[index];
  const int s = stages > 0 ? stages : tables_.s, n = turning * s;
  const Pose<double>* at = poses.data() + index * sz(s + 1);
  // factor (u v^T - (u . v)), for rotations at control point k.
  const auto add = [&](int l, int k, const Vec3<double>& u, const Vec3<double>& v, double factor) {
    const double d = dot(u, v);
    if constexpr (turning == 1) {
      A[l * n + k - 1] -= factor * d;
    } else {
      double* to = A + 3 * l * n + 3 * (k - 1);
      const Vec3<double> w = factor * v;
      const double off = factor * d;
      to[0] += u.x * w.x - off, to[1] += u.x * w.y, to[2] += u.x * w.z, to += n;
      to[0] += u.y * w.x, to[1] += u.y * w.y - off, to[2] += u.y * w.z, to += n;
      to[0] += u.z * w.x, to[1] += u.z * w.y, to[2] += u.z * w.z - off;
    }
  };
  std::fill_n(A, n * n, 0.0);
  const auto add_director = [&](double inertia, auto director) {
    for (int l = 0; l < s; ++l) {
      const double* K = tables_.K.data() + l * (s + 1);
      const Vec3<double>& own = director(l);
      Vec3<double> W = K[0] * director(0);
      for (int k = 1; k <= s; ++k) {
        W = W + K[k] * director(k);
        add(l, k, director(k), own, -inertia * K[k]);
      }
      if (l > 0) add(l, l, own, W, inertia);
    }
  };
  add_director(body.euler.x, [&](int k) -> const Vec3<double>& { return at[k].R.e1; });
  add_director(body.euler.y, [&](int k) -> const Vec3<double>& { return at[k].R.e2; });
  if (turning == 3) add_director(body.euler.z, [&](int k) -> const Vec3<double>& { return at[k].R.e3; });
  if (hung_[index]) {
    add_director(body.mass, [&](int k) -> const Vec3<double>& { return at[k].x; });
    for (int l = 1; l < s; ++l) add(l, l, at[l].x, weight[sz(l)], body.mass);
  }
  // The torque of a joint is cross(arm, force): rotations of the body turn the arm.
  for (const Side& side : sides_[index]) {
    const Joint<double>& joint = model_.joints[sz(side.joint)];
    for (int l = 1; l < s; ++l)
      for (int r = 0; r < joint.count(); ++r) {
        const auto& row = joint.rows[sz(r)];
        const double by = -mu[sz(first_[sz(side.joint)] + l * joint.count() + r)] * tables_.e[sz(l)];
        const Vec3<double>&own = side.b ? row.b : row.a, &other = side.b ? row.a : row.b;
        if (row.kind == RigidRow::Kind::normal) {
          const int across = side.b ? joint.a : joint.b;
          add(l, l, at[l].R.to_space(own), across < 0 ? other : poses[sz(across * (s + 1) + l)].R.to_space(other), by);
        } else if (row.kind != RigidRow::Kind::plane || side.b) {
          const Vec3<double> arm = at[l].R.to_space(own);
          add(l, l, hung_[index] ? at[l].x + arm : arm, (side.b ? Gb : Ga)[slopes(joint, l) + sz(r)].r, by);
        }
      }
  }
}

// G_k (..)^-1_kl e_l G_l^T, of the row's joint at k = 1..s and the column's at l = 0..s-1, for all sides of a body.
template <int turning, int stages>
void StageMatrix::add_body(std::size_t index, const double* A, const Place*& place) {
  const auto& body = model_.bodies[index];
  const int s = stages > 0 ? stages : tables_.s, n = turning * s;
  double* out = lu_->data();
  for (const Side& column : sides_[index]) {
    const Joint<double>& pulling = model_.joints[sz(column.joint)];
    const int count = pulling.count(), width = s * count;
    const std::vector<Covector<double>>& G = column.b ? Fb_ : Fa_;
    // The rotations and displacements at k = 1..s that its multipliers make.
    for (int l = 0; l < s; ++l) {
      const Covector<double>* own = G.data() + slopes(pulling, l);
      for (int c = 0; c < count; ++c) {
        const Vec3<double> turn = tables_.e[sz(l)] * own[c].theta, shift = (tables_.e[sz(l)] / body.mass) * own[c].r;
        double *to = turned_.data() + l * count + c, *on = moved_.data() + l * count + c;
        if (body.turns) {
          for (int i = 0; i < n; ++i) {
            const double* row = A + i * n + turning * l;
            to[i * width] = turning == 1 ? row[0] * turn.z : row[0] * turn.x + row[1] * turn.y + row[2] * turn.z;
          }
        }
        for (int k = 0; !hung_[index] && k < s; ++k) {
          const double share = tables_.inverse[sz(k * s + l)];
          double* by = on + 3 * k * width;
          by[0] = share * shift.x, by[width] = share * shift.y;
          if (turning == 3) by[2 * width] = share * shift.z;
        }
      }
    }
    for (const Side& row : sides_[index]) {
      const Joint<double>& closing = model_.joints[sz(row.joint)];
      double* to = out + place->to;
      for (int k = 1; k <= s; ++k) {
        const Covector<double>* own = (row.b ? Fb_ : Fa_).data() + slopes(closing, k);
        const double *turned = turned_.data() + (k - 1) * turning * width, *moved = moved_.data() + (k - 1) * 3 * width;
        for (int r = 0; r < closing.count(); ++r, to += place->stride) {
          const Vec3<double>&shift = own[r].r, &turn = own[r].theta;
          // Most rows are differences along one axis.
          if (shift.x != 0) add_row(shift.x, moved, width, to);
          if (shift.y != 0) add_row(shift.y, moved + width, width, to);
          if (turning == 3 && shift.z != 0) add_row(shift.z, moved + 2 * width, width, to);
          if (!body.turns) continue;
          if constexpr (turning == 1) {
            add_row(turn.z, turned, width, to);
          } else {
            for (int c = 0; c < width; ++c)
              to[c] += turn.x * turned[c] + turn.y * turned[width + c] + turn.z * turned[2 * width + c];
          }
        }
      }
      ++place;
    }
  }
}

template <int turning, int stages>
bool StageMatrix::factor_bodies() {
  const int n = turning * (stages > 0 ? stages : tables_.s);
  const Place* place = places_.data();
  for (std::size_t body = 0; body < model_.bodies.size(); ++body) {
    double* A = inverse_.data() + body * sz(n) * sz(n);
    if (model_.bodies[body].turns) {
      find_body<turning, stages>(body, A);
      if (!invert<turning * stages>(A, n)) return false;
    }
    if (lu_ != nullptr) add_body<turning, stages>(body, A, place);
  }
  return true;
}

template <int turning>
bool StageMatrix::factor_stages() {
  switch (tables_.s) {
    case 1:
      return factor_bodies<turning, 1>();
    case 2:
      return factor_bodies<turning, 2>();
    case 3:
      return factor_bodies<turning, 3>();
    case 4:
      return factor_bodies<turning, 4>();
    default:
      return factor_bodies<turning, 0>();
  }
}

bool StageMatrix::factor() {
  Fa_ = Ga;
  Fb_ = Gb;
  for (std::size_t body = 0; body < hung_.size(); ++body)
    for (const Side& side : sides_[body])
      for (int k = 0; hung_[body] && k <= tables_.s; ++k) {
        const Joint<double>& joint = model_.joints[sz(side.joint)];
        const Vec3<double>& arm = poses[body * sz(tables_.s + 1) + sz(k)].x;
        Covector<double>* own = (side.b ? Fb_ : Fa_).data() + slopes(joint, k);
        for (int r = 0; r < joint.count(); ++r) own[r] = {{0, 0, 0}, own[r].theta + cross(arm, own[r].r)};
      }
  if (lu_ != nullptr) lu_->clear();
  if (!(turning_ == 3 ? factor_stages<3>() : factor_stages<1>())) return false;
  return lu_ == nullptr || lu_->factor(singular_pivot) < 0;
}

void StageMatrix::solve(StageVectors& rows) {
  const int s = tables_.s, n = turning_ * s;
  const Vec3<double> none{0, 0, 0};
  // x = K^-1 x / m and theta = A^-1 theta, added to what is there.
  const auto respond = [&](std::size_t body, const Covector<double>* by, Covector<double>* out) {
    const auto& own = model_.bodies[body];
    const double* A = inverse_.data() + body * sz(n) * sz(n);
    for (int k = 0; k < s; ++k) {
      Vec3<double> x = none, theta = none;
      for (int l = 0; l < s; ++l) {
        if (!hung_[body]) x = x + tables_.inverse[sz(k * s + l)] * by[l].r;
        if (!own.turns) continue;
        if (turning_ == 1) {
          theta.z += A[k * n + l] * by[l].theta.z;
          continue;
        }
        const double* block = A + 3 * k * n + 3 * l;
        const Vec3<double>& turn = by[l].theta;
        theta.x += block[0] * turn.x + block[1] * turn.y + block[2] * turn.z;
        theta.y += block[n] * turn.x + block[n + 1] * turn.y + block[n + 2] * turn.z;
        theta.z += block[2 * n] * turn.x + block[2 * n + 1] * turn.y + block[2 * n + 2] * turn.z;
      }
      out[k] = {(1 / own.mass) * x, theta};
    }
  };
  const auto each = [&](auto visit) {
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      for (const bool b : {false, true})
        if (const int body = b ? model_.joints[j].b : model_.joints[j].a; body >= 0) visit(j, b, sz(body));
  };
  if (lu_ != nullptr) {
    // S mu = g - G (x, theta) of the bodies without multipliers.
    for (std::size_t body = 0; body < model_.bodies.size(); ++body)
      respond(body, rows.bodies.data() + body * sz(s), pull_.data() + body * sz(s));
    each([&](std::size_t j, bool b, std::size_t body) {
      const Joint<double>& joint = model_.joints[j];
      double* to = rows.joints.data() + first_[j];
      for (int k = 1; k <= s; ++k) {
        const Covector<double>*G = (b ? Fb_ : Fa_).data() + slopes(joint, k), &at = pull_[body * sz(s) + sz(k - 1)];
        for (int r = 0; r < joint.count(); ++r) *to++ -= dot(G[r].r, at.r) + dot(G[r].theta, at.theta);
      }
    });
    lu_->solve(rows.joints.data());
    // The rows of the bodies with what the multipliers add.
    each([&](std::size_t j, bool b, std::size_t body) {
      const Joint<double>& joint = model_.joints[j];
      const double* from = rows.joints.data() + first_[j];
      for (int l = 0; l < s; ++l) {
        const Covector<double>* G = (b ? Fb_ : Fa_).data() + slopes(joint, l);
        Covector<double>& to = rows.bodies[body * sz(s) + sz(l)];
        for (int r = 0; r < joint.count(); ++r) {
          const double by = tables_.e[sz(l)] * *from++;
          to = {to.r + by * G[r].r, to.theta + by * G[r].theta};
        }
      }
    });
  }
  for (std::size_t body = 0; body < model_.bodies.size(); ++body)
    respond(body, rows.bodies.data() + body * sz(s), pull_.data() + body * sz(s));
  rows.bodies.swap(pull_);
}

}  // namespace extremal::lie
