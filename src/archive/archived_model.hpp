// A model and the archive of its run: what has to be written so that the model can be read again as it was.
#pragma once

#include <string>

#include "extremal/archive.hpp"
#include "extremal/case.hpp"

namespace extremal {

Model archived_model(const Provenance& provenance);
Case archived_case(const Provenance& provenance);

}  // namespace extremal
