// Motors and forces as terms.
#include "bodies/load_term.hpp"

namespace extremal {

EXTREMAL_LOAD(Motor)
EXTREMAL_LOAD(Force)
EXTREMAL_LOAD(BodyForce<3>)
EXTREMAL_LOAD(BodyForce<2>)

}  // namespace extremal
