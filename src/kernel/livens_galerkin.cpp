#include "kernel/livens_galerkin.hpp"

#include <algorithm>

#include "algebra/lu.hpp"
#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"

namespace extremal {

template <class T>
LivensGalerkin<T>::LivensGalerkin(const System& system, const Livens& scheme)
    : LivensRule<T>(system, scheme, 2 * scheme.degree, 2 * scheme.degree),
      s_(scheme.degree),
      curved_(LivensRule<T>::curved()),
      varies_(!this->evaluation_.constant_mass()),
      stages_(sz(s_)),
      nodes_(sz(s_ + 1)),
      C_(this->couplings()),
      D_(this->couplings()),
      row_(this->rows()) {
  const Quadrature gauss = quadrature({RuleKind::gauss, s_}), lobatto = quadrature({RuleKind::lobatto, s_ + 1});
  const BasisTable basis = lagrange_basis(lobatto.nodes, gauss.nodes);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = stages_[i];
    stage.c = static_cast<T>(gauss.nodes[i]);
    stage.b = static_cast<T>(gauss.weights[i]);
    for (const quad& l : basis.values[i]) stage.l.push_back(static_cast<T>(l));
    for (const quad& l : basis.slopes[i]) stage.dl.push_back(static_cast<T>(l));
    for (auto* v : {&stage.q, &stage.slope, &stage.v, &stage.force}) *v = this->coordinates();
    for (auto* v : {&stage.G, &stage.bend}) *v = this->slopes();
    for (auto* v : {&stage.A, &stage.B, &stage.S, &stage.third}) *v = this->couplings();
    stage.gt = this->rows();
    if (!varies_) continue;
    for (auto* v : {&stage.w, &stage.Lv}) *v = this->coordinates();
    for (auto* v : {&stage.Lvq, &stage.Lvv, &stage.C, &stage.Ct, &stage.Pvq, &stage.Pvv}) *v = this->couplings();
  }
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    Node& node = nodes_[k];
    node.d = static_cast<T>(lobatto.nodes[k]);
    node.e = static_cast<T>(lobatto.weights[k]);
    node.q = this->coordinates();
    node.G = this->slopes();
    node.S = this->couplings();
    for (auto* v : {&node.g, &node.gt}) *v = this->rows();
    this->multiplier_nodes_.push_back(node.d);
  }
  list_pieces();
  if (varies_) list_bent_pieces();
  find_schur();
}

template <class T>
void LivensGalerkin<T>::list_pieces() {
  auto &p = this->pieces_, &to_start = this->start_pieces_;
  const T one(1);
  for (int k = 0; k < s_; ++k) {
    const Node &node = nodes_[sz(k)], &next = nodes_[sz(k + 1)];
    for (int i = 0; i < s_; ++i) {
      const Stage& stage = stages_[sz(i)];
      const T at = stage.b * stage.l[sz(k)];
      for (int j = 1; j <= s_; ++j) p.push_back({PieceShape::coupling, k, j - 1, stage.A.data(), -at * stage.l[sz(j)]});
      p.push_back({PieceShape::coupling, k, s_ + i, inertia(stage), -stage.b * stage.dl[sz(k)]});
      p.push_back({PieceShape::coupling, k, s_ + i, stage.S.data(), at});
      if (this->forced_ || varies_) p.push_back({PieceShape::coupling, k, s_ + i, stage.B.data(), -at});
      p.push_back({PieceShape::transposed, k, 3 * s_ + i, stage.bend.data(), at});
      to_start.push_back({PieceShape::coupling, k, 0, stage.A.data(), -at});
    }
    if (k > 0) p.push_back({PieceShape::coupling, k, k - 1, node.S.data(), node.e});
    to_start.push_back({PieceShape::coupling, k, 0, node.S.data(), node.e});
    p.push_back({PieceShape::transposed, k, 2 * s_ + k, node.G.data(), node.e});
    p.push_back({PieceShape::slope, 2 * s_ + k, k, next.G.data(), one});
    to_start.push_back({PieceShape::slope, 2 * s_ + k, 0, next.G.data(), one});
  }
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    for (int j = 1; j <= s_; ++j) {
      p.push_back({PieceShape::coupling, s_ + i, j - 1, inertia(stage), stage.dl[sz(j)]});
      p.push_back({PieceShape::coupling, s_ + i, j - 1, stage.S.data(), -stage.l[sz(j)]});
      p.push_back({PieceShape::slope, 3 * s_ + i, j - 1, stage.bend.data(), stage.l[sz(j)]});
    }
    p.push_back({PieceShape::coupling, s_ + i, s_ + i, inertia(stage), -one});
    p.push_back({PieceShape::transposed, s_ + i, 3 * s_ + i, stage.G.data(), -one});
    p.push_back({PieceShape::slope, 3 * s_ + i, s_ + i, stage.G.data(), one});
    to_start.push_back({PieceShape::coupling, s_ + i, 0, stage.S.data(), -one});
    to_start.push_back({PieceShape::slope, 3 * s_ + i, 0, stage.bend.data(), one});
  }
}

// What h L_v and L_qv w add where the mass varies.
template <class T>
void LivensGalerkin<T>::list_bent_pieces() {
  auto &p = this->pieces_, &to_start = this->start_pieces_;
  const T one(1);
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    for (int k = 0; k < s_; ++k) {
      const T at = stage.b * stage.l[sz(k)], slope = stage.b * stage.dl[sz(k)];
      for (int j = 1; j <= s_; ++j) {
        p.push_back({PieceShape::coupling, k, j - 1, stage.Ct.data(), -at * stage.dl[sz(j)]});
        p.push_back({PieceShape::coupling, k, j - 1, stage.C.data(), -slope * stage.l[sz(j)]});
      }
      p.push_back({PieceShape::coupling, k, s_ + i, stage.Ct.data(), at});
      to_start.push_back({PieceShape::coupling, k, 0, stage.C.data(), -slope});
    }
    for (int j = 1; j <= s_; ++j) p.push_back({PieceShape::coupling, s_ + i, j - 1, stage.Pvq.data(), stage.l[sz(j)]});
    p.push_back({PieceShape::coupling, s_ + i, s_ + i, stage.Pvv.data(), one});
    to_start.push_back({PieceShape::coupling, s_ + i, 0, stage.Pvq.data(), one});
  }
  const Pattern& coupling = this->coupling();
  transposed_.resize(sz(coupling.size()));
  for_each(coupling, [&](int e, int i, int j) { transposed_[sz(e)] = coupling.find(j, i); });
}

// One coordinate of mass 1 and one constraint of slope 1, without forces: how (z_k, u_i) answer to the multipliers.
template <class T>
void LivensGalerkin<T>::find_schur() {
  const int size = 2 * s_;
  Lu<double> lu(size);
  for (int k = 0; k < s_; ++k)
    for (int i = 0; i < s_; ++i) {
      const Stage& stage = stages_[sz(i)];
      lu.row(k)[s_ + i] = static_cast<double>(-stage.b * stage.dl[sz(k)]);
      lu.row(s_ + i)[k] = static_cast<double>(stage.dl[sz(k + 1)]);
      lu.row(s_ + i)[s_ + i] = -1;
    }
  schur_.assign(sz(size * size), 0.0);
  lu.factor();
  std::vector<double> column(sz(size));
  for (int j = 0; j < size; ++j) {
    std::fill(column.begin(), column.end(), 0.0);
    column[sz(j)] = j < s_ ? -static_cast<double>(nodes_[sz(j)].e) : 1.0;
    lu.solve(column.data());
    for (int i = 0; i < size; ++i) schur_[sz(i * size + j)] = column[sz(i)];
  }
}

template <class T>
void LivensGalerkin<T>::begin(const LivensStart<T>& start) {
  this->start_ = start;
  for (Stage& stage : stages_) stage.time = start.t + stage.c * start.h;
  for (Node& node : nodes_) node.time = start.t + node.d * start.h;
  Node& first = nodes_.front();
  std::copy_n(start.q, this->n_, first.q.begin());
  if (this->m_ > 0)
    this->evaluation_.constraints(1, start.q, &first.time, first.g.data(), first.G.data(), first.gt.data());
}

template <class T>
void LivensGalerkin<T>::guess(const T* v, T* x) const {
  const int n = this->n_;
  std::fill_n(x, this->size(), T(0));
  for (int k = 0; k < s_; ++k)
    for (int i = 0; i < n; ++i) {
      const T d = this->start_.h * v[i];
      x[k * n + i] = nodes_[sz(k + 1)].d * d;
      x[(s_ + k) * n + i] = d;
    }
}

// Everything that the residual and the matrix share.
template <class T>
void LivensGalerkin<T>::place(const T* x) {
  const int n = this->n_, m = this->m_;
  const T h = this->start_.h;
  Evaluation<T>& evaluation = this->evaluation_;
  for (int k = 1; k <= s_; ++k) {
    Node& node = nodes_[sz(k)];
    for (int a = 0; a < n; ++a) node.q[sz(a)] = this->start_.q[a] + x[(k - 1) * n + a];
    if (m > 0) evaluation.constraints(1, node.q.data(), &node.time, node.g.data(), node.G.data(), node.gt.data());
  }
  for (int i = 0; i < s_; ++i) {
    Stage& stage = stages_[sz(i)];
    for (int a = 0; a < n; ++a) {
      T q(0), slope(0);
      for (int k = 1; k <= s_; ++k) {
        q += stage.l[sz(k)] * x[(k - 1) * n + a];
        slope += stage.dl[sz(k)] * x[(k - 1) * n + a];
      }
      stage.q[sz(a)] = this->start_.q[a] + q;
      stage.slope[sz(a)] = slope;
      stage.v[sz(a)] = u(x, i)[a] / h;
    }
    evaluation.gradient(1, stage.q.data(), stage.v.data(), &stage.time, nullptr, stage.force.data(),
                        varies_ ? stage.Lv.data() : this->ignored_.data());
    if (varies_) {
      for (int a = 0; a < n; ++a) stage.w[sz(a)] = stage.slope[sz(a)] - u(x, i)[a];
      evaluation.hessian(1, stage.q.data(), stage.v.data(), &stage.time, nullptr, nullptr, stage.Lvq.data(),
                         stage.Lvv.data());
    }
    if (i == 0)
      for (T& f : stage.force) f *= this->weight_;
    if (m == 0) continue;
    evaluation.constraints(1, stage.q.data(), &stage.time, row_.data(), stage.G.data(), stage.gt.data());
    evaluation.bend(stage.q.data(), &stage.time, stage.v.data(), stage.bend.data(), nullptr);
    for (T& b : stage.bend) b *= h;
  }
}

template <class T>
void LivensGalerkin<T>::add_momentum(const Stage& stage, const T* u, T f, T* y) const {
  if (!varies_) return this->add_mass(u, f, y);
  for (std::size_t a = 0; a < stage.Lv.size(); ++a) y[a] += f * this->start_.h * stage.Lv[a];
}

template <class T>
T LivensGalerkin<T>::residual(const T* x, T* r) {
  const int n = this->n_, m = this->m_;
  const LivensStart<T>& start = this->start_;
  const T h = start.h;
  const Pattern& jacobian = this->jacobian();
  place(x);
  std::fill_n(r, this->size(), T(0));
  for (int a = 0; a < n; ++a) r[a] = -h * (varies_ ? start.p[a] : start.p[a] - this->momentum_[sz(a)]);
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    T* velocity = r + (s_ + i) * n;
    add_inertia(stage, stage.slope.data(), T(1), velocity);
    add_inertia(stage, u(x, i), T(-1), velocity);
    for (int k = 0; k < s_; ++k) {
      const T at = stage.b * stage.l[sz(k)];
      for (int a = 0; a < n; ++a) r[k * n + a] -= at * h * h * stage.force[sz(a)];
      add_momentum(stage, u(x, i), -stage.b * stage.dl[sz(k)], r + k * n);
      if (varies_) add_transposed(this->coupling(), stage.Lvq.data(), stage.w.data(), -at * h, r + k * n);
      if (m > 0) add_transposed(jacobian, stage.bend.data(), gamma(x, i), at, r + k * n);
    }
    if (m == 0) continue;
    add_transposed(jacobian, stage.G.data(), gamma(x, i), T(-1), velocity);
    T* hidden = r + this->first(3 * s_ + i);
    for (int k = 0; k < m; ++k) hidden[k] = h * stage.gt[sz(k)];
    add_product(jacobian, stage.G.data(), u(x, i), T(1), hidden);
  }
  for (int k = 0; k < s_ && m > 0; ++k) {
    add_transposed(jacobian, nodes_[sz(k)].G.data(), lambda(x, k), nodes_[sz(k)].e, r + k * n);
    std::copy_n(nodes_[sz(k + 1)].g.data(), m, r + this->first(2 * s_ + k));
  }
  return largest(r, this->size());
}

// The second derivatives of w . L_v, a third one of L, by central differences of the exact second ones, L_vq and L_vv,
// along every coordinate and velocity: dense, and asked for only where the derivative of a step is. Newton's matrix
// does without: w is of order h^{s+2}.
template <class T>
void LivensGalerkin<T>::bend_momentum(Stage& stage) {
  constexpr int reach = 5;
  const int n = this->n_;
  const Pattern& coupling = this->coupling();
  const T h = this->start_.h;
  std::vector<T> by_q(sz(n)), by_v(sz(n));
  for (int j = 0; j < n; ++j)
    for (std::vector<T>* moved : {&stage.q, &stage.v}) {
      T& at = (*moved)[sz(j)];
      const T back = at, size = math::max(math::abs(at), largest(moved->data(), n));
      const T step = math::pow(Scalar<T>::epsilon, T(1) / T(2 * reach + 1)) * (size > T(0) ? size : T(1));
      for (auto* v : {&by_q, &by_v}) std::fill(v->begin(), v->end(), T(0));
      T ratio(1);
      for (int k = 1; k <= reach; ++k) {
        ratio *= T(reach - k + 1) / T(reach + k);
        for (const int side : {1, -1}) {
          at = back + T(side * k) * step;
          const T c = T(k % 2 == 1 ? side : -side) * ratio / (T(k) * step);
          this->evaluation_.hessian(1, stage.q.data(), stage.v.data(), &stage.time, nullptr, nullptr, C_.data(),
                                    D_.data());
          add_transposed(coupling, C_.data(), stage.w.data(), c, by_q.data());
          add_product(coupling, D_.data(), stage.w.data(), c, by_v.data());
        }
      }
      at = back;
      for (int i = 0; i < n; ++i) {
        const int e = coupling.find(i, j);
        if (e < 0) continue;
        if (moved == &stage.q) {
          stage.A[sz(e)] += h * by_q[sz(i)];
          stage.Pvq[sz(e)] = by_v[sz(i)];
        } else {
          stage.B[sz(e)] += by_q[sz(i)];
          stage.Pvv[sz(e)] = by_v[sz(i)] / h;
        }
      }
    }
}

template <class T>
void LivensGalerkin<T>::linearise(const T* x, bool start) {
  const int m = this->m_;
  const T h = this->start_.h, one(1);
  Evaluation<T>& evaluation = this->evaluation_;
  place(x);
  for (int i = 0; i < s_; ++i) {
    Stage& stage = stages_[sz(i)];
    evaluation.hessian(1, stage.q.data(), stage.v.data(), &stage.time, stage.A.data(), stage.B.data(), C_.data(),
                       D_.data());
    const T weight = i == 0 ? this->weight_ : one;
    for (T& a : stage.A) a *= h * h * weight;
    for (T& b : stage.B) b *= h * weight;
    if (varies_) {
      for (std::size_t e = 0; e < stage.C.size(); ++e) {
        stage.C[e] = h * stage.Lvq[e];
        stage.Ct[e] = h * stage.Lvq[sz(transposed_[e])];
      }
      if (start) bend_momentum(stage);
    }
    std::fill(stage.S.begin(), stage.S.end(), T(0));
    if (m == 0) continue;
    evaluation.add_curvature(1, stage.q.data(), &stage.time, gamma(x, i), &one, stage.S.data());
    if (!curved_) continue;
    this->third_derivative(stage.q.data(), stage.time, u(x, i), gamma(x, i), stage.third.data());
    for (std::size_t e = 0; e < stage.A.size(); ++e) stage.A[e] -= stage.third[e];
  }
  for (int k = start ? 0 : 1; k < s_ && m > 0; ++k) {
    Node& node = nodes_[sz(k)];
    std::fill(node.S.begin(), node.S.end(), T(0));
    evaluation.add_curvature(1, node.q.data(), &node.time, lambda(x, k), &one, node.S.data());
  }
}

// p1 - p0 from the sum of the rows 0..s: what is added to p0 is as small as it is.
template <class T>
void LivensGalerkin<T>::end(const T* x, T* dq, T* dp) {
  const int n = this->n_, m = this->m_;
  const T h = this->start_.h;
  std::copy_n(x + (s_ - 1) * n, n, dq);
  std::fill_n(dp, n, T(0));
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    for (int a = 0; a < n; ++a) dp[a] += stage.b * h * h * stage.force[sz(a)];
    if (varies_) add_transposed(this->coupling(), stage.Lvq.data(), stage.w.data(), stage.b * h, dp);
    if (m > 0) add_transposed(this->jacobian(), stage.bend.data(), gamma(x, i), -stage.b, dp);
  }
  for (int k = 0; k < s_ && m > 0; ++k)
    add_transposed(this->jacobian(), nodes_[sz(k)].G.data(), lambda(x, k), -nodes_[sz(k)].e, dp);
  for (int a = 0; a < n; ++a) dp[a] /= h;
}

// p . (q' - v) is Gamma . G v where the mass is constant.
template <class T>
T LivensGalerkin<T>::action(const T* x) {
  const int n = this->n_, m = this->m_;
  const T h = this->start_.h;
  T sum(0);
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    sum += stage.b * h *
           (i == 0 && !varies_ ? this->weighted_lagrangian(stage.q.data(), stage.v.data(), stage.time)
                               : this->evaluation_.lagrangian(stage.q.data(), stage.v.data(), &stage.time));
    if (varies_) {
      sum += stage.b * dot(stage.Lv.data(), stage.w.data(), n);
      continue;
    }
    for (int a = 0; a < n; ++a) sum += stage.b * this->momentum_[sz(a)] * (stage.slope[sz(a)] - u(x, i)[a]);
    if (m == 0) continue;
    std::fill(row_.begin(), row_.end(), T(0));
    add_product(this->jacobian(), stage.G.data(), stage.v.data(), stage.b, row_.data());
    for (int k = 0; k < m; ++k) sum += gamma(x, i)[k] * row_[sz(k)];
  }
  return sum;
}

// By what a shift in time changes the discrete action, as for ggl (livens.cpp).
template <class T>
void LivensGalerkin<T>::add_work(const T* x, T* out) {
  const int m = this->m_;
  const T h = this->start_.h;
  Evaluation<T>& evaluation = this->evaluation_;
  T& given = out[evaluation.source_count() - 1];
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    evaluation.add_work(stage.q.data(), stage.v.data(), &stage.time, h * stage.b, out);
    if (varies_) {
      evaluation.velocity_rate(stage.q.data(), stage.v.data(), &stage.time, this->ignored_.data());
      given -= stage.b * dot(this->ignored_.data(), stage.w.data(), this->n_);
    }
    if (m == 0) continue;
    evaluation.bend(stage.q.data(), &stage.time, stage.v.data(), nullptr, row_.data());
    add_product(this->jacobian(), stage.bend.data(), stage.v.data(), T(-1) / h, row_.data());
    for (int k = 0; k < m; ++k) given += stage.b * gamma(x, i)[k] * row_[sz(k)];
  }
  for (int k = 0; k < s_; ++k)
    for (int j = 0; j < m; ++j) given += nodes_[sz(k)].e * lambda(x, k)[j] * nodes_[sz(k)].gt[sz(j)] / h;
}

// h p1 = sum_i b_i (l_s(c_i) (h^2 F_i + h L_qv w_i - K_i^T Gamma_i) + l_s'(c_i) h L_v).
template <class T>
void LivensGalerkin<T>::end_tangent(const T* dq0, const T*, const T* dx, T* dq1, T* dp1) const {
  const int n = this->n_;
  const T h = this->start_.h;
  std::vector<T> dq(sz(n)), dw(sz(n));
  std::fill_n(dp1, n, T(0));
  for (int i = 0; i < s_; ++i) {
    const Stage& stage = stages_[sz(i)];
    const T at = stage.b * stage.l.back() / h;
    for (int a = 0; a < n; ++a) {
      dq[sz(a)] = dq0[a];
      dw[sz(a)] = -u(dx, i)[a];
      for (int k = 1; k <= s_; ++k) {
        dq[sz(a)] += stage.l[sz(k)] * dx[(k - 1) * n + a];
        dw[sz(a)] += stage.dl[sz(k)] * dx[(k - 1) * n + a];
      }
    }
    add_product(this->coupling(), stage.A.data(), dq.data(), at, dp1);
    add_product(this->coupling(), stage.S.data(), u(dx, i), -at, dp1);
    if (this->forced_ || varies_) add_product(this->coupling(), stage.B.data(), u(dx, i), at, dp1);
    if (varies_) {
      add_product(this->coupling(), stage.Ct.data(), dw.data(), at, dp1);
      add_product(this->coupling(), stage.C.data(), dq.data(), stage.b * stage.dl.back() / h, dp1);
    }
    if (this->m_ > 0) add_transposed(this->jacobian(), stage.bend.data(), gamma(dx, i), -at, dp1);
    add_inertia(stage, u(dx, i), stage.b * stage.dl.back() / h, dp1);
  }
  for (int a = 0; a < n; ++a) dq1[a] = dq0[a] + dx[(s_ - 1) * n + a];
}

// The last one is that of the projection.
template <class T>
void LivensGalerkin<T>::multipliers(const T* x, const T* nu, T* out) const {
  const int m = this->m_;
  const T h = this->start_.h;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < s_; ++k) out[k * m + j] = lambda(x, k)[j] / (h * h);
    out[s_ * m + j] = nu[j] / (h * nodes_.back().e);
  }
}

template <class T>
void LivensGalerkin<T>::add_gamma(const T* x, T* out) const {
  for (int i = 0; i < s_; ++i)
    for (int k = 0; k < this->m_; ++k) out[k] += stages_[sz(i)].b * gamma(x, i)[k];
}

template <class T>
bool LivensGalerkin<T>::inside(const T* x, T c, T* q, T* p) {
  const int n = this->n_;
  std::vector<quad> points;
  for (const Node& node : nodes_) points.push_back(static_cast<quad>(node.d));
  const BasisTable l = lagrange_basis(points, {static_cast<quad>(c)});
  std::vector<T> v(sz(n), T(0));
  for (int k = 1; k <= s_; ++k)
    for (int a = 0; a < n; ++a) {
      q[a] += static_cast<T>(l.values[0][sz(k)]) * x[(k - 1) * n + a];
      v[sz(a)] += static_cast<T>(l.slopes[0][sz(k)]) * x[(k - 1) * n + a] / this->start_.h;
    }
  if (varies_) {
    const T t = this->start_.t + c * this->start_.h;
    this->evaluation_.gradient(1, q, v.data(), &t, nullptr, this->ignored_.data(), p);
    return true;
  }
  std::copy_n(this->momentum_.data(), n, p);
  this->add_mass(v.data(), T(1), p);
  return true;
}

#define EXTREMAL_INSTANTIATE(T) template class LivensGalerkin<T>;
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
