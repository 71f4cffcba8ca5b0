#include "cli/stop.hpp"

#include <csignal>

namespace extremal::cli {
namespace {

std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // what a signal handler may touch

extern "C" void request_stop(int) { stop = true; }

}  // namespace

const std::atomic<bool>& stop_requested() {
  struct sigaction action{};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  return stop;
}

}  // namespace extremal::cli
