#include "cli/stop.hpp"

#include <unistd.h>

#include <csignal>

#include "cli/command.hpp"

namespace extremal::cli {
namespace {

// What a signal handler may touch.
std::atomic<bool> stop = false, orderly = false;
static_assert(std::atomic<bool>::is_always_lock_free);
std::atomic<const char*> litter = nullptr;

extern "C" void request_stop(int) {
  if (orderly) {
    stop = true;
    return;
  }
  if (const char* path = litter) ::unlink(path);
  // On a terminal there may be a line that says how far it is.
  static constexpr char said[] = "\r\033[Kextremal: interrupted\n";
  const std::size_t skip = isatty(STDERR_FILENO) != 0 ? 0 : 4;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, said + skip, sizeof said - 1 - skip);
  ::_exit(interrupted);
}

}  // namespace

void hear_signals() {
  struct sigaction action{}, before{};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  // nohup has it ignored.
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  // A file that may not grow is as a disk that is full: the write says so.
  std::signal(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& stop_requested() {
  orderly = true;
  return stop;
}

const std::atomic<bool>& stop_flag() { return stop; }

void leave_nothing(const std::string& path) {
  static std::string kept;
  litter = nullptr;
  kept = path;
  if (!path.empty()) litter = kept.c_str();
}

}  // namespace extremal::cli
