// extremal: variational integrators of mechanical systems with holonomic constraints.
//
// All of the library but extremal/archive.hpp (link extremal::archive) and extremal/report.hpp (extremal::report). What
// is in extremal/detail is for the compiler.
#pragma once

#include "extremal/batch.hpp"
#include "extremal/boundary.hpp"
#include "extremal/case.hpp"
#include "extremal/check.hpp"
#include "extremal/control.hpp"
#include "extremal/ensemble.hpp"
#include "extremal/error.hpp"
#include "extremal/mechanism.hpp"
#include "extremal/models.hpp"
#include "extremal/number.hpp"
#include "extremal/remedies.hpp"
#include "extremal/rod.hpp"
#include "extremal/run.hpp"
#include "extremal/scalar.hpp"
#include "extremal/scheme.hpp"
#include "extremal/sink.hpp"
#include "extremal/start.hpp"
#include "extremal/stepper.hpp"
#include "extremal/study.hpp"
#include "extremal/system.hpp"
#include "extremal/term.hpp"
#include "extremal/thermoelastic.hpp"
#include "extremal/time_function.hpp"
