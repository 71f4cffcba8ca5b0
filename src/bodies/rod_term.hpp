// RodTerm: the elastic energy of rod elements as a function of the directors of their nodes, at all scalars.
//
// The energy is that of rod_element.hpp, of the quaternions that the directors stand for; its gradient that of
// rod_gradient.hpp, its second derivatives are automatic. It serves the schemes that move directors and everything that
// is asked of a System; the lie family has the forces in closed form.
#pragma once

#include <memory>
#include <vector>

#include "bodies/rod_element.hpp"
#include "extremal/term.hpp"

namespace extremal {

// `sites` is [element][24]: centre and directors of either node.
std::shared_ptr<const Term> rod_term(std::vector<int> sites, const std::vector<lie::RodElement<quad>>& elements);

}  // namespace extremal
