#include "bodies/rod_term.hpp"

#include <tuple>

#include "system/scalar_term.hpp"
namespace extremal {
namespace {

constexpr int N = 24;

template <class T, class S>
lie::Vec3<T> lift(const lie::Vec3<S>& x) {
  return {T(x.x), T(x.y), T(x.z)};
}

template <class T, class S>
T energy(const lie::RodElement<S>& e, const T* x) {
  const auto vec = [&](int first) { return lie::Vec3<T>{x[first], x[first + 1], x[first + 2]}; };
  const lie::RodElement<T> element{T(e.inverse_length), lift<T>(e.force_stiffness), lift<T>(e.moment_stiffness),
                                   lift<T>(e.gamma0), lift<T>(e.omega0)};
  const auto q1 = lie::from_columns(lie::Columns<T>{vec(3), vec(6), vec(9)});
  const auto q2 = lie::from_columns(lie::Columns<T>{vec(15), vec(18), vec(21)});
  return lie::rod_energy(element, lie::rod_strain(element, vec(0), q1, vec(12), q2)).total();
}

class RodTerm final : public ScalarTerm<RodTerm> {
  friend ScalarTerm<RodTerm>;

 public:
  RodTerm(std::vector<int> site_list, const std::vector<lie::RodElement<quad>>& elements)
      : ScalarTerm(Role::potential, "rod") {
    coordinates = variables = N;
    sites = std::move(site_list);
    degree = {Degree::unbounded, 0, 0};
    std::apply([&](auto&... list) { (convert(elements, list), ...); }, elements_);
  }

 private:
  template <class S>
  using List = std::vector<lie::RodElement<S>>;

  template <class S>
  static void convert(const List<quad>& from, List<S>& to) {
    const auto vec = [](const lie::Vec3<quad>& x) {
      return lie::Vec3<S>{static_cast<S>(x.x), static_cast<S>(x.y), static_cast<S>(x.z)};
    };
    for (const auto& e : from)
      to.push_back({static_cast<S>(e.inverse_length), vec(e.force_stiffness), vec(e.moment_stiffness), vec(e.gamma0),
                    vec(e.omega0)});
  }

  // Calls each(element, x) for every node and site, with x made of the coordinates by seed(value, index).
  template <class T, class S, class Seed, class Each>
  void visit(const Nodes<S>& at, Seed seed, Each each) const {
    const List<S>& list = std::get<List<S>>(elements_);
    std::vector<T> x(N);
    for (int node = 0; node < at.count; ++node)
      for (int site = 0; site < site_count(); ++site) {
        const int* index = sites.data() + static_cast<std::ptrdiff_t>(site) * N;
        const S* q = at.q + static_cast<std::ptrdiff_t>(node) * at.n;
        for (int c = 0; c < N; ++c) x[static_cast<std::size_t>(c)] = seed(q[index[c]], c);
        each(energy<T, S>(list[static_cast<std::size_t>(site)], x.data()));
      }
  }
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    using T = Real<S>;
    visit<T, S>(at, [](S value, int) { return T(value); }, [&](const T& U) { *out++ = U.a; });
  }
  template <class S>
  void gradient_at(const Nodes<S>& at, S* v, S* out) const {
    using T = Jet<S, N, 1>;
    visit<T, S>(
        at, [](S value, int index) { return T::variable(value, index); },
        [&](const T& U) {
          *v++ = U.a;
          for (const S& slope : U.g) *out++ = slope;
        });
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    using T = Jet<S, N, 2>;
    visit<T, S>(
        at, [](S value, int index) { return T::variable(value, index); },
        [&](const T& U) {
          const S weight = *weights++;
          for (const S& entry : U.h) *out++ = weight * entry;
        });
  }

  std::tuple<List<double>, List<long double>, List<quad>> elements_;
};

}  // namespace

std::shared_ptr<const Term> rod_term(std::vector<int> sites, const std::vector<lie::RodElement<quad>>& elements) {
  return std::make_shared<RodTerm>(std::move(sites), elements);
}

}  // namespace extremal
