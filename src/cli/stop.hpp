// Signals that ask the program to end: Ctrl-C (SIGINT), SIGTERM, and SIGHUP, by which a terminal says that it is gone.
//
// While there is nothing to lose – a model is read or set up, laws are measured – the program ends at once, with one
// line and exit code 3. Once there are results to keep, it ends in order: a run after its step, with the data so far. A
// second signal ends it at once then, too.
#pragma once

#include <atomic>
#include <string>

#include "extremal/sink.hpp"

namespace extremal::cli {

// From the start of the program.
void hear_signals();

// Becomes true when the program is asked to end; from here on it does so in order.
const std::atomic<bool>& stop_requested();
// The same, while it ends at once.
const std::atomic<bool>& stop_flag();

// A file that is of no use if the program ends at once, and is removed then. An empty name: none any more.
void leave_nothing(const std::string& path);

// From the moment that a run is set up it ends in order. The first of its sinks.
template <class S>
class OrderlyEnd : public RowSink<S> {
 public:
  void begin(const Run<S>&, const std::vector<ColumnInfo>&) override {
    stop_requested();
    leave_nothing("");
  }
};

}  // namespace extremal::cli
