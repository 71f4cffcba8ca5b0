// FormulaTerm: a Term whose rows are nodes of a Graph.
//
// Its leaves are the site's own coordinates 0 to N - 1 and their velocities, t, and parameters of the system. All sites
// share three tapes: the values, values and gradients, and the Hessian of the weighted rows.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "formula/tape.hpp"
#include "system/scalar_term.hpp"

namespace extremal {

// What a term was read from: names of a site's coordinates, rows, and names for parts of them.
struct FormulaText {
  std::vector<std::string> names, rows;
  std::vector<std::pair<std::string, std::string>> definitions;
};

class FormulaTerm final : public ScalarTerm<FormulaTerm> {
  friend ScalarTerm<FormulaTerm>;

 public:
  // Throws Graph::Full if the derivatives need more nodes than the graph's limit.
  FormulaTerm(Role r, std::string label, Graph graph, const std::vector<int>& rows, int local_coordinates,
              std::vector<int> site_list);

  int operation_count() const { return operations_; }  // of the graph with all derivatives
  std::shared_ptr<const FormulaText> text;             // null if it is not known
  // What it was made of, without derivatives.
  const Graph& graph() const { return *graph_; }
  const std::vector<int>& roots() const { return roots_; }

  // Over Lanes by tapes, too.
  using ScalarTerm::gradient;
  using ScalarTerm::hessian;
  using ScalarTerm::value;
  void value(const Nodes<Lanes>& at, Lanes* out) const override { value_at<Lanes>(at, out); }
  void gradient(const Nodes<Lanes>& at, Lanes* v, Lanes* out) const override { gradient_at<Lanes>(at, v, out); }
  void hessian(const Nodes<Lanes>& at, const Lanes* w, Lanes* out) const override { hessian_at<Lanes>(at, w, out); }

 private:
  template <class S>
  TapeInputs<S> inputs(const Nodes<S>& at, const S* weights) const {
    return {&at, sites.data(), sites_, coordinates, weights, row_count};
  }
  template <class S>
  void value_at(const Nodes<S>& at, S* out) const {
    value_.run<S>(inputs<S>(at, nullptr), out, nullptr);
  }
  template <class S>
  void gradient_at(const Nodes<S>& at, S* value, S* out) const {
    if (square_count_ > 0)
      squares_at<S>(at, value, out);
    else
      gradient_.run<S>(inputs<S>(at, nullptr), value, out);
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    hessian_.run<S>(inputs<S>(at, weights), out, nullptr);
  }

  // Rows that are sums of squares and a constant, sum_c d_c x_c^2 + e, as those of rods to the ground are.
  template <class S>
  void squares_at(const Nodes<S>& at, S* value, S* out) const {
    S numbers[most_squares];
    const auto& constants = std::get<std::vector<typename Single<S>::type>>(square_constants_);
    if (constants.empty()) {
      const Nodes<S> one{1, at.n, at.q, at.v, at.t, at.parameters, at.parameter_count};
      squares_.run<S>({&one, sites.data(), 1, coordinates, nullptr, row_count}, numbers, nullptr);
    } else {
      std::copy(constants.begin(), constants.end(), numbers);
    }
    if (coordinates == 2)
      all_squares<S, 2>(at, numbers, value, out);
    else if (coordinates == 3)
      all_squares<S, 3>(at, numbers, value, out);
    else
      all_squares<S, 0>(at, numbers, value, out);
  }
  // Of N coordinates, or any number.
  template <class S, int N>
  void all_squares(const Nodes<S>& at, const S* numbers, S* value, S* out) const {
    const int n = N > 0 ? N : coordinates;
    for (int node = 0; node < at.count; ++node) {
      const S* const q = at.q + static_cast<std::ptrdiff_t>(node) * at.n;
      const int* site = sites.data();
      for (int k = 0; k < sites_; ++k, site += n) {
        const S* d = numbers;
        for (int row = 0; row < row_count; ++row, d += n + 1) {
          S sum = d[0] * (q[site[0]] * q[site[0]]);
          for (int c = 1; c < n; ++c) sum = sum + d[c] * (q[site[c]] * q[site[c]]);
          *value++ = sum + d[n];
          for (int c = 0; c < n; ++c) *out++ = (d[c] + d[c]) * q[site[c]];
        }
      }
    }
  }
  void find_squares(Graph& graph, const std::vector<int>& leaves);
  bool agrees() const;  // with the tapes, bit for bit

  std::shared_ptr<const Graph> graph_;
  std::vector<int> roots_;
  static constexpr int most_squares = 32;
  Tape value_, gradient_, hessian_, squares_;
  int square_count_ = 0;  // numbers of squares_; 0: there are tapes only
  // These, if parameters have no part in them.
  std::tuple<std::vector<double>, std::vector<long double>, std::vector<quad>> square_constants_;
  int sites_ = 0, operations_ = 0;
};

}  // namespace extremal
