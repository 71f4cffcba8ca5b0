// FormulaTerm: a Term whose rows are nodes of a Graph.
//
// Its leaves are the site's own coordinates 0 to N - 1 and their velocities, t, and parameters of the system. All sites
// share three tapes: the values, values and gradients, and the Hessian of the weighted rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formula/tape.hpp"
#include "system/scalar_term.hpp"

namespace extremal {

class FormulaTerm final : public ScalarTerm<FormulaTerm> {
  friend ScalarTerm<FormulaTerm>;

 public:
  // Throws Graph::Full if the derivatives need more nodes than the graph's limit.
  FormulaTerm(Role r, std::string label, Graph graph, const std::vector<int>& rows, int local_coordinates,
              std::vector<int> site_list);

  int operation_count() const { return operations_; }  // of the graph with all derivatives

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
    gradient_.run<S>(inputs<S>(at, nullptr), value, out);
  }
  template <class S>
  void hessian_at(const Nodes<S>& at, const S* weights, S* out) const {
    hessian_.run<S>(inputs<S>(at, weights), out, nullptr);
  }

  Tape value_, gradient_, hessian_;
  int sites_ = 0, operations_ = 0;
};

}  // namespace extremal
