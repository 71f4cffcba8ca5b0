// extremal: variational integrators of mechanical systems with holonomic constraints.
#pragma once

#include "extremal/boundary.hpp"       // IWYU pragma: export
#include "extremal/check.hpp"          // IWYU pragma: export
#include "extremal/ensemble.hpp"       // IWYU pragma: export
#include "extremal/error.hpp"          // IWYU pragma: export
#include "extremal/mechanism.hpp"      // IWYU pragma: export
#include "extremal/models.hpp"         // IWYU pragma: export
#include "extremal/number.hpp"         // IWYU pragma: export
#include "extremal/run.hpp"            // IWYU pragma: export
#include "extremal/scheme.hpp"         // IWYU pragma: export
#include "extremal/start.hpp"          // IWYU pragma: export
#include "extremal/stepper.hpp"        // IWYU pragma: export
#include "extremal/system.hpp"         // IWYU pragma: export
#include "extremal/thermoelastic.hpp"  // IWYU pragma: export
