// Torques and drag as terms.
#include "bodies/load_term.hpp"

namespace extremal {

std::vector<LoadLaw> torque_laws() { return laws_of(load::Torques{}); }

}  // namespace extremal
