#include "small/step.hpp"

#include <array>
#include <utility>
#include <variant>

#include "numbers/index.hpp"
#include "numbers/instantiate.hpp"
#include "small/closed.hpp"
#include "small/quadratic.hpp"
#include "small/solver.hpp"
#include "small/tables.hpp"
#include "small/terms.hpp"
#include "small/widest.hpp"
#include "system/vectorised.hpp"

namespace extremal {

namespace {

constexpr int most_rows = 24;      // as for most_coordinates
constexpr int most_explicit = 64;  // coordinates, where there is nothing to solve for and no dense block
constexpr int most_iterations = 12;

template <class S, int N, int M, int K>
class SmallStepOf final : public SmallStep<S> {
  using Data = SmallData<S, N, M, K>;
  using T = Shared<S>;
  using Seen = typename Data::Seen;
  using Step = typename Data::Step;
  template <class P>
  using Works = std::array<typename Data::template Work<P>, sz(part_count<S, P>)>;
  // With one multiplier a step may have a closed form.
  using Quadratic = std::conditional_t<K == 1, SmallQuadratic<S, 2>, std::monostate>;
  using Usual = std::conditional_t<std::is_same_v<S, Lanes>, LanePart<4>, S>;

 public:
  SmallStepOf(SmallTerms<S> terms, std::unique_ptr<SmallTables<T>> tables, const std::vector<S>& inverse_mass,
              const Kicks& kicks)
      : d_(terms, std::move(tables), inverse_mass),
        terms_(std::move(terms)),
        quadratic_(quadratic_of(terms_, d_.inverse)) {
    if (terms_.kicks() && kicks.start != 0) this->start_kick_ = static_cast<T>(kicks.start) / d_.tables->b.front();
    if (terms_.kicks() && kicks.end != 0) this->end_kick_ = static_cast<T>(kicks.end) / d_.tables->b.back();
    t_.assign(sz(d_.rows()), S(0));
    inner_t_.assign(sz(d_.tables->r), S(0));
    direct_ = terms_.direct();
    nodes_ = {d_.J(),
              d_.n(),
              nullptr,
              nullptr,
              t_.data(),
              terms_.parameters().data(),
              static_cast<int>(terms_.parameters().size())};
    if (K == 0) {
      for (auto& w : works_) w.size(d_.rows(), d_.n(), d_.m());
      seen_.size(d_.rows(), d_.n(), d_.m());
    }
    find_steady();
  }

  void set(int parameter, const S& value) override {
    terms_.set(parameter, value);
    find_steady();
  }

  SmallNode<S> node() const override {
    SmallNode<S> out;
    out.A.assign(sz(d_.m() * d_.n()), S(0));
    out.a.assign(sz(d_.n()), S(0));
    return out;
  }

  void visit(const S& t, const S* q, SmallNode<S>& node) override {
    if (d_.m() > 0) {
      std::vector<S> g(sz(d_.m())), g_t(sz(d_.m())), G(sz(d_.m() * d_.n()));
      terms_.constraints(1, q, &t, g.data(), G.data(), g_t.data());
      for (int k = 0; k < d_.m(); ++k) divide(G.data() + k * d_.n(), node.A.data() + k * d_.n());
    }
    if (d_.moving()) push(t, q, node);
    node.known = true;
  }

  void seed(const S& h, const SmallNode<S>& node, const S* lambda) override {
    std::vector<S> c(sz(d_.n()), S(0));
    if (d_.m() > 0) d_.pull(node.A.data(), lambda, c.data());
    d_.guess.seed(this->count_, lambda, c.data(), node.a.data());
    this->h_ = h;
    d_.set_length(h);
  }

  Mask<S> advance(const S& t, const S& h, const SmallState<S>& state, SmallNode<S>& node,
                  const Mask<S>& idle) override {
    const Step step{t, h, state, node, idle};
    Mask<S> fine(true);
    if (closed()) return close(state, node, 1);
    if constexpr (K == 0)
      vectorised<S>([&] { advance(step, works_, seen_, fine); });
    else
      with_widest<S>([&](auto part) {
        Works<decltype(part)> works;
        Seen seen;
        advance(step, works, seen, fine);
      });
    return fine;
  }

  bool closed() const override {
    if constexpr (K == 1)
      return any(quadratic_.known);
    else
      return false;
  }
  Mask<S> advance(const SmallState<S>& state, SmallNode<S>& node, long count) override {
    return close(state, node, count);
  }

  const S* end_multiplier() const override { return d_.guess.end(); }
  const S* inverse_mass() const override { return d_.inverse.data(); }
  SmallStages<S> stages() const override {
    const S *lambda = d_.guess.newest(), *pulls = lambda + d_.J() * d_.m();
    return {d_.tables.get(),
            d_.n(),
            d_.m(),
            this->h_,
            lambda,
            d_.guess.end(),
            d_.first_pull.data(),
            pulls,
            d_.moving() ? d_.a.data() : d_.steady.data(),
            !d_.moving()};
  }

  void save(std::vector<S>& out) const override {
    for (const S& x : {this->count_, this->h_}) out.push_back(x);
    d_.guess.save(out);
  }
  const S* restore(const S* from) override {
    for (S* x : {&this->count_, &this->h_}) *x = *from++;
    from = d_.guess.restore(this->count_, from);
    d_.set_length(this->h_);
    return from;
  }

 private:
  template <class W, class F>
  static void each(W& works, F f) {
    for (int part = 0; part < static_cast<int>(works.size()); ++part) f(works[sz(part)], part);
  }
  template <class W, class F>
  static void each_going(W& works, F f) {
    each(works, [&](auto& w, int part) {
      if (w.going) f(w, part);
    });
  }

  template <class P>
  void advance(const Step& step, Works<P>& works, Seen& seen, Mask<S>& fine) {
    this->iterations_ = 0;
    for (int i = 0; d_.timed() && i < d_.J(); ++i) t_[sz(i)] = step.t + S(d_.tables->x[sz(i)]) * step.h;
    if (d_.moving() && d_.tables->starts && !step.node.pushed) push(step.t, step.state.q, step.node);
    each(works, [&](auto& w, int part) { small::begin(d_, w, part, step, seen); });
    bool going = d_.m() > 0 || d_.inner() > 0;
    for (int k = 0; going; ++k) {
      if (k == most_iterations) {
        each_going(works, [&](auto& w, int) { w.lost = w.lost || !w.done; });
        break;
      }
      ++this->iterations_;
      if (d_.m() > 0) see(seen);
      if (d_.inner() > 0) {
        each_going(works, [&](auto& w, int part) {
          small::absorb(d_, w, part, seen);
          small::find_inside(d_, w, part, step);
        });
        find_inner_forces(step);
      }
      going = false;
      each_going(works, [&](auto& w, int part) {
        if (d_.inner() == 0) small::absorb(d_, w, part, seen);
        small::iterate(d_, w, part, step, k, seen, &this->residual_);
        going = going || w.going;
      });
    }
    bool some = false;
    each(works, [&](auto& w, int) { some = some || !all(w.lost); });
    if (!some) {
      fine = Mask<S>(false);
      return;
    }
    if (d_.moving() && d_.tables->ends) {
      each(works, [&](auto& w, int part) { small::find_end(d_, w, part, step); });
      const S end = step.t + step.h;
      terms_.force(1, d_.X.data(), &end, d_.f.data());
      if (this->end_kick_ != T(0)) terms_.add_slow(d_.X.data(), end, S(this->end_kick_), d_.f.data());
    }
    each(works, [&](auto& w, int part) {
      if (!all(w.lost || part_of<P>(step.idle, part)))
        small::finish(d_, w, part, step, view<P>(&this->count_, part)[0]);
      part_of<P>(fine, part) = !w.lost;
    });
    d_.guess.kept(this->count_);
    step.node.pushed = d_.moving() && d_.tables->ends && this->hands_on_;
  }

  // In closed form: small/closed.hpp.
  Mask<S> close(const SmallState<S>& state, SmallNode<S>& node, long count) {
    this->iterations_ = 0;
    if constexpr (K == 1)
      return small::close(d_, quadratic_, state, node, count, this->residual_);
    else
      return Mask<S>(false);
  }
  template <class Inverse>
  static Quadratic quadratic_of(SmallTerms<S>& terms, const Inverse& inverse) {
    if constexpr (K == 1)
      return Quadratic(terms, inverse);
    else
      return {};
  }
  // The force, if it is the same everywhere.
  void find_steady() {
    if (d_.moving()) return;
    const std::vector<S> anywhere(sz(d_.n()), S(0));
    terms_.force(1, anywhere.data(), t_.data(), d_.f.data());
    divide(d_.f.data(), d_.steady.data());
    d_.find_falls(this->h_);
  }
  void see(Seen& seen) {
    if (direct_ == nullptr)
      return terms_.constraints(d_.J(), seen.Q.data(), t_.data(), seen.g.data(), seen.G.data(), seen.g_t.data());
    nodes_.q = seen.Q.data();
    direct_->gradient(nodes_, seen.g.data(), seen.G.data());
  }
  void find_inner_forces(const Step& step) {
    const int first = d_.tables->first;
    for (int i = first; d_.timed() && i < d_.tables->last; ++i)
      inner_t_[sz(i)] = step.t + S(d_.tables->inner_x[sz(i)]) * step.h;
    terms_.force(d_.inner(), d_.X.data() + first * d_.n(), inner_t_.data() + first, d_.f.data());
  }
  void push(const S& t, const S* q, SmallNode<S>& node) {
    terms_.force(1, q, &t, d_.f.data());
    if (this->start_kick_ != T(0)) terms_.add_slow(q, t, S(this->start_kick_), d_.f.data());
    divide(d_.f.data(), node.a.data());
    node.pushed = true;
  }
  // M^-1 x of all parts.
  void divide(const S* x, S* out) const { d_.template divide<S>(0, x, out); }

  Data d_;
  SmallTerms<S> terms_;
  const TermAt<S>* direct_ = nullptr;  // of terms_
  Nodes<S> nodes_{};
  std::vector<S> t_, inner_t_;
  Quadratic quadratic_;
  Works<Usual> works_;
  Seen seen_;
};

// M^-1 of a positive definite M, or nothing if it is not (in any lane).
template <class S>
std::vector<S> inverse_of(const std::vector<S>& mass, int n) {
  const int width = 2 * n;
  std::vector<S> a(sz(n * width), S(0));
  for (int i = 0; i < n; ++i) {
    std::copy_n(mass.begin() + i * n, n, a.begin() + i * width);
    a[sz(i * width + n + i)] = S(1);
  }
  for (int p = 0; p < n; ++p) {
    const S pivot = a[sz(p * width + p)];
    if (!all(less(S(Shared<S>(1e-12)) * mass[sz(p * n + p)], pivot))) return {};
    const S inverse = S(1) / pivot;
    for (int k = 0; k < width; ++k) a[sz(p * width + k)] *= inverse;
    for (int i = 0; i < n; ++i) {
      const S f = a[sz(i * width + p)];
      if (i == p) continue;
      for (int k = 0; k < width; ++k) a[sz(i * width + k)] -= f * a[sz(p * width + k)];
    }
  }
  std::vector<S> out;
  for (int i = 0; i < n; ++i) out.insert(out.end(), a.begin() + i * width + n, a.begin() + (i + 1) * width);
  return out;
}

}  // namespace

template <class S>
std::unique_ptr<SmallStep<S>> make_small_step(const System& system, const std::vector<S>& parameters,
                                              const Galerkin& galerkin) {
  if (!is_separable(system, most_explicit)) return nullptr;
  // The tables are solved for in quad, which leaves it no digits to spare: at high degree a few are lost.
  if (std::is_same_v<S, quad> && galerkin.degree > 5) return nullptr;
  const int n = system.size(), m = system.constraint_count();
  auto tables = small_tables<Shared<S>>(galerkin, m > 0);
  if (tables == nullptr || tables->J * m > most_rows) return nullptr;
  SmallTerms<S> terms(system, parameters, std::max(tables->J, tables->r), galerkin.kicks);
  // A kick is a force at a node, which has to be there.
  if (terms.kicks() && ((galerkin.kicks.start != 0 && !tables->starts) || (galerkin.kicks.end != 0 && !tables->ends)))
    return nullptr;
  const bool solves = m > 0 || (!terms.constant_force() && tables->last > tables->first);
  if (n > small::most_coordinates && (solves || !terms.diagonal())) return nullptr;
  std::vector<S> inverse = inverse_of(terms.mass(), n);
  if (inverse.empty()) return nullptr;
  const auto make = [&]<int N, int M, int K>() -> std::unique_ptr<SmallStep<S>> {
    return std::make_unique<SmallStepOf<S, N, M, K>>(std::move(terms), std::move(tables), inverse, galerkin.kicks);
  };
  // A point on a curve is what most small systems are; all its sizes are then known.
  if constexpr (std::is_same_v<Shared<S>, double>) {
    const bool plain = terms.constant_force() && terms.diagonal() && !terms.timed();
    const int J = n == 2 && m == 1 ? tables->J : 0;
    if (plain && J == 1) return make.template operator()<2, 1, 1>();
    if (plain && J == 2) return make.template operator()<2, 1, 2>();
    if constexpr (std::is_same_v<S, double>) {
      if (plain && J == 3) return make.template operator()<2, 1, 3>();
      if (plain && J == 4) return make.template operator()<2, 1, 4>();
      if (plain && J == 6) return make.template operator()<2, 1, 6>();
    }
    if (J > 0) return make.template operator()<2, 1, 0>();
  }
  return make.template operator()<0, 0, 0>();
}

#define EXTREMAL_INSTANTIATE(S) \
  template std::unique_ptr<SmallStep<S>> make_small_step(const System&, const std::vector<S>&, const Galerkin&);
EXTREMAL_FOR_SCALARS(EXTREMAL_INSTANTIATE)
#undef EXTREMAL_INSTANTIATE

}  // namespace extremal
