// Names of variables in a netCDF file. Users may call an observer anything; netCDF and its tools refuse some names, and
// others are taken. The true name is then the attribute true_name of the variable.
#pragma once

#include <set>
#include <string>

namespace extremal {

// As readable as can be: letters, digits and - . + blank _ stay, ":" becomes "_", any other byte "@2F" (ncgen does not
// read "%"). Cut off if it is long; with a number behind if it is taken. Enters it, and what its parts in wide
// precision are called, in `taken`.
std::string stored_name(const std::string& name, std::set<std::string>& taken);

// What no variable of a run may be called: the other names of our files, and words of CDL, which ncgen reads.
std::set<std::string> reserved_names();

// Of the variables of a run in long double and quad, behind the name.
inline constexpr const char* part_suffixes[] = {"", "_low", "_lowest"};

}  // namespace extremal
