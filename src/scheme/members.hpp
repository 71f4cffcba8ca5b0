// Members of the hamilton family by name: what a call such as spark(3) or galerkin(3, gauss(3), w=2) means.
#pragma once

#include <string>
#include <vector>

#include "extremal/scheme.hpp"
#include "scheme/grammar.hpp"

namespace extremal {

const std::vector<std::string>& member_names();
// The scheme with its canonical name and declarations; refuses wrong arguments and inadmissible combinations.
Scheme member(const Call& call);

}  // namespace extremal
