// Nodes: what a study keeps of a run – q, p and lambda at some of its nodes, in quad whatever the run computed in.
#pragma once

#include <vector>

#include "extremal/study.hpp"

namespace extremal::study {

struct Nodes {
  std::vector<std::vector<quad>> q, p, lambda;
  bool last_is_bare = false;  // at the last node neither p nor lambda exist
  double energy_error = 0;    // largest |H - H0| / |H0| over all nodes; NaN if the last one is bare
  Remedies remedies;
  std::size_t count() const { return q.size() - 1; }
};

// `steps` steps from the start to `until`, of which every so many are kept; throws Failed, Interrupted.
template <class S>
Nodes nodes(const Model& model, const Scheme& scheme, const Number& until, int steps, int every = 1,
            const Control& control = {});
Nodes nodes(const std::string& precision, const Model& model, const Scheme& scheme, const Number& until, int steps,
            int every = 1, const Control& control = {});

// The largest 2-norm of a difference over the nodes, the first one left out. The nodes of one are among those of the
// other: `exact` has a multiple of their number.
Errors errors(const Nodes& computed, const Nodes& exact);
double position_error(const Nodes& computed, const Nodes& exact);

// The step (until - start) / steps, exactly.
Number step_of(const Model& model, const Number& until, int steps);
// What `until` is if the user says nothing.
Number usual_end(const Model& model, const Number& until);
void check_steps(const std::vector<int>& steps, std::size_t least);
int common_nodes(const std::vector<int>& steps);
// Closure variational: the last node of a run has neither p nor lambda.
bool ends_bare(const Model& model, const Scheme& scheme);
Order declared_order(const Model& model, const Scheme& scheme);
// As many steps as the finest run, in quad, with an order at least six higher than that of any scheme.
struct Reference {
  Scheme scheme;
  Nodes nodes;
};
Reference reference(const Model& model, const std::vector<Scheme>& schemes, const Number& until,
                    const std::vector<int>& steps, const Control& control);

}  // namespace extremal::study
