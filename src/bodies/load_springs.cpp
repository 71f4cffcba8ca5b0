// Springs and dampers as terms.
#include "bodies/load_term.hpp"

namespace extremal {

std::vector<LoadLaw> spring_laws() { return laws_of(load::Springs{}); }

}  // namespace extremal
