// The stock models: one function each, and one table (model.cpp) that gives them their names.
//
// Conventions. Constants are parameters, so that `--set` reaches them and every scalar gets all of their digits;
// literals in the terms are exact in binary. Symmetries are called "along x" and "about z": their momentum maps
// are the linear and the angular momentum. Starts are consistent with the default parameters.
#pragma once

#include "extremal/models.hpp"

namespace extremal::stock {

// pendulum.cpp: masses on rigid rods
Model pendulum();
Model spherical_pendulum();
Model double_pendulum_3d();

// coupled_pendulum.cpp: the examples of [Man2020, sections 4.2 and 4.3]
Model spring_pendulum();
Model triple_pendulum();

// particles.cpp: particles in the plane or on a line
Model hoop();
Model oscillator();
Model two_particles();
Model six_balls();

// driven_pendulum.cpp: the examples of [Muehlebach2016] and variants that depend on time
Model pendulum_polar();
Model pendulum_polar_forced();
Model pendulum_polar_damped();
Model pendulum_polar_moving_pivot();
Model pendulum_polar_varying_length();
Model pendulum_cartesian();
Model pendulum_cartesian_forced();
Model pendulum_cartesian_damped();
Model pendulum_cartesian_moving_pivot();
Model pendulum_cartesian_varying_length();
Model nonseparable();

// thermoelastic.cpp: masses and springs with temperatures
Model thermoelastic_triangle();
Model thermoelastic_eight();

// mechanisms.cpp: rigid bodies, some of them of any size
Model top();
Model top_lie();
Model double_four_bar();
Model double_four_bar_damped();
Model bennett();
Model four_bar_chain(int n);
Model four_bar_spatial(int n);
Model four_bar_tilted(int n);
Model chain(int n);
Model chain_spatial(int n);
// What all models of mechanisms are: the mechanism, and what is said of it.
Model of(const Mechanism& mechanism, Span span, std::string title, std::string citation);
// The name of a model of n parts.
std::string sized(const std::string& name, int n, int usual);

// rods.cpp: free bodies and rods [LewMata2016, section 4], for lie(trapezoidal)
Model free_body();
Model elastic_ring(int n);
Model elastic_ring_folding(int n);
Model cantilever(int n);
Model roll_up(int n);
Model bend_45(int n);

}  // namespace extremal::stock
