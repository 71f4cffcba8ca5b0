// Springs and dampers as terms.
#include "bodies/load_term.hpp"

namespace extremal {

EXTREMAL_LOAD(Spring)
EXTREMAL_LOAD(TorsionSpring)
EXTREMAL_LOAD(LineDamper)
EXTREMAL_LOAD(RotationalDamper)

}  // namespace extremal
