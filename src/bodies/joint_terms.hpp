// Terms of the coordinates of joints alone: gears, given motions, and what a servo remembers.
#pragma once

#include <memory>
#include <string>

#include "extremal/term.hpp"
#include "extremal/time_function.hpp"

namespace extremal {

// A row g = x - f(t) on one coordinate: its multiplier is the torque or force that the motion needs, with the opposite
// sign.
std::shared_ptr<const Term> given_motion_term(const std::string& name, int coordinate, const TimeFunction& f);

// The integral z of an error e = f(t) - x as a coordinate. With the Lagrangian
//   m (z'^2 / 2 - z' e)
// the momentum of z is m (z' - e) and stays what it is, 0: z' = e at all times, to the order of the scheme, even where
// e jumps. The inertia m is so small that neither the energy nor x, which m z' acts on, knows of it.
inline constexpr double memory_inertia = 0x1p-40;
inline constexpr const char* memory_ending = ".integral";  // of its name
std::shared_ptr<const Term> memory_term(const std::string& name, int memory, int coordinate, const TimeFunction& f);

}  // namespace extremal
