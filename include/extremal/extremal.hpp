// extremal: variational integrators of mechanical systems with holonomic constraints.
//
// All of the library but what few programs need – extremal/batch.hpp (runs in lanes), extremal/study.hpp (tables made
// of runs), extremal/mesh.hpp (shapes by file) – and extremal/archive.hpp (link extremal::archive), extremal/import.hpp
// (extremal::import) and extremal/report.hpp (extremal::report). What is in extremal/detail is for the compiler.
#pragma once

#include "extremal/accuracy.hpp"       // IWYU pragma: export
#include "extremal/boundary.hpp"       // IWYU pragma: export
#include "extremal/case.hpp"           // IWYU pragma: export
#include "extremal/check.hpp"          // IWYU pragma: export
#include "extremal/control.hpp"        // IWYU pragma: export
#include "extremal/ensemble.hpp"       // IWYU pragma: export
#include "extremal/equilibrium.hpp"    // IWYU pragma: export
#include "extremal/error.hpp"          // IWYU pragma: export
#include "extremal/expression.hpp"     // IWYU pragma: export
#include "extremal/mechanism.hpp"      // IWYU pragma: export
#include "extremal/members.hpp"        // IWYU pragma: export
#include "extremal/models.hpp"         // IWYU pragma: export
#include "extremal/number.hpp"         // IWYU pragma: export
#include "extremal/pace.hpp"           // IWYU pragma: export
#include "extremal/remedies.hpp"       // IWYU pragma: export
#include "extremal/rod.hpp"            // IWYU pragma: export
#include "extremal/run.hpp"            // IWYU pragma: export
#include "extremal/scalar.hpp"         // IWYU pragma: export
#include "extremal/scheme.hpp"         // IWYU pragma: export
#include "extremal/sink.hpp"           // IWYU pragma: export
#include "extremal/start.hpp"          // IWYU pragma: export
#include "extremal/stepper.hpp"        // IWYU pragma: export
#include "extremal/system.hpp"         // IWYU pragma: export
#include "extremal/term.hpp"           // IWYU pragma: export
#include "extremal/thermoelastic.hpp"  // IWYU pragma: export
#include "extremal/time_function.hpp"  // IWYU pragma: export
