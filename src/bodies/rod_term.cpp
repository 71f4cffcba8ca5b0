#include "bodies/rod_term.hpp"

#include <tuple>

#include "bodies/rod_gradient.hpp"
#include "system/scalar_term.hpp"

namespace extremal {
namespace {

constexpr int N = 24;

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
        each(list[static_cast<std::size_t>(site)], x.data());
      }
  }
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    using T = Real<S>;
    visit<T, S>(
        at, [](S value, int) { return T(value); },
        [&](const auto& element, const T* x) { *out++ = lie::rod_energy_of_directors<T, S>(element, x).a; });
  }
  template <class S>
  void gradient_at(const Nodes<S>& at, S* v, S* out) const {
    visit<S, S>(
        at, [](S value, int) { return value; },
        [&](const auto& element, const S* x) {
          *v++ = lie::rod_gradient_of_directors<S>(element, x, out);
          out += N;
        });
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    using T = Jet<S, N, 2>;
    visit<T, S>(
        at, [](S value, int index) { return T::variable(value, index); },
        [&](const auto& element, const T* x) {
          const T U = lie::rod_energy_of_directors<T, S>(element, x);
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
