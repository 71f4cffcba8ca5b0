// Ctrl-C: the first one ends a run after its step, with the data so far; the second one ends the program at once.
#pragma once

#include <atomic>

namespace extremal::cli {

// Becomes true when the program is asked to end (SIGINT, SIGTERM); asking for it starts to listen.
const std::atomic<bool>& stop_requested();

}  // namespace extremal::cli
