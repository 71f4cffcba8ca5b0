// Torques and drag as terms.
#include "bodies/load_term.hpp"

namespace extremal {

EXTREMAL_LOAD(Torque<3>)
EXTREMAL_LOAD(Torque<2>)
EXTREMAL_LOAD(Drag<2>)
EXTREMAL_LOAD(Drag<1>)

}  // namespace extremal
