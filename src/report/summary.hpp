// The figures of a run and the laws it shows, as far as an archive knows them.
#pragma once

#include <string>
#include <vector>

#include "extremal/models.hpp"
#include "report/pack.hpp"
#include "report/table.hpp"

namespace extremal::report {

Json summary_of(const Model& model, const Scheme& scheme, const Table& table, std::vector<std::string>& notes);

// What the scheme declares against what the run measured. Orders and symplecticity take more than one run: check.hpp.
Json laws_of(const Model& model, const Scheme& scheme, const Table& table);

}  // namespace extremal::report
