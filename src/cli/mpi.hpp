// MPI where mpirun has started the program: a module beside it is loaded, so that nothing else needs MPI or waits for
// it.
#pragma once

#include "sweep/transport.hpp"

namespace extremal::cli {

// Null if the program was started alone. InputError if it was not and was built without MPI: its ranks would all do the
// same.
sweep::Transport* mpi();

}  // namespace extremal::cli
