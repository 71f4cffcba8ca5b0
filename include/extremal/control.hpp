// Control: how something that takes a while – a certificate, a study – is followed and stopped.
#pragma once

#include <atomic>
#include <functional>

namespace extremal {

// What is stopped ends by throwing Interrupted.
struct Control {
  std::function<void(double)> progress = {};  // the part that is done, 0..1
  const std::atomic<bool>* stop = nullptr;
};
struct Interrupted {};

inline void check_stop(const Control& control) {
  if (control.stop != nullptr && *control.stop) throw Interrupted();
}

}  // namespace extremal
