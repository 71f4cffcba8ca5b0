#include "run/moment.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>

#include "extremal/error.hpp"

namespace extremal {
namespace {

constexpr int hold = 0;  // no signal

int signal_named(const std::string& name) {
  if (name == "INT") return SIGINT;
  if (name == "TERM") return SIGTERM;
  if (name == "HUP") return SIGHUP;
  if (name == "KILL") return SIGKILL;
  if (name == "HOLD") return hold;
  throw InputError("EXTREMAL_TEST_AT: found \"" + name + "\"; expected INT, TERM, HUP, KILL or HOLD");
}

}  // namespace

Moment::Moment(std::string_view event) {
  const char* text = std::getenv("EXTREMAL_TEST_AT");
  if (text == nullptr) return;
  std::istringstream words(text);
  std::string which, act;
  long long count = 0;
  if (!(words >> which >> count >> act))
    throw InputError("EXTREMAL_TEST_AT: found \"" + std::string(text) + "\"; expected e.g. \"step 1000 INT\"");
  signal_ = signal_named(act);
  if (which == event) count_ = count;
}

void Moment::act() const {
  if (signal_ != hold)
    std::raise(signal_);
  else
    for (;;) ::pause();
}

}  // namespace extremal
