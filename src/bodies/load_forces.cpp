// Motors and forces as terms.
#include "bodies/load_term.hpp"

namespace extremal {

std::vector<LoadLaw> force_laws() { return laws_of(load::Forces{}); }

}  // namespace extremal
