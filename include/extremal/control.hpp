// Control: how something that takes a while – a certificate, a study – is followed and stopped.
#pragma once

#include <atomic>
#include <concepts>
#include <memory>
#include <utility>

namespace extremal {

// A function that follows what goes on, or none. Not std::function: <functional> is a twentieth of what a compiler has
// to do for a first program (tests/compile_fail/work.sh).
template <class A>
class Listener {
 public:
  Listener() = default;
  template <std::invocable<A> F>
    requires(!std::same_as<F, Listener>)
  Listener(F f)
      : function_(std::make_shared<F>(std::move(f))),
        call_([](void* function, A a) { (*static_cast<F*>(function))(a); }) {}

  explicit operator bool() const { return call_ != nullptr; }
  void operator()(A a) const { call_(function_.get(), a); }

 private:
  std::shared_ptr<void> function_;
  void (*call_)(void* function, A a) = nullptr;
};

// What is stopped ends by throwing Interrupted.
struct Control {
  Listener<double> progress = {};  // of the part that is done, 0..1
  const std::atomic<bool>* stop = nullptr;
};
struct Interrupted {};

inline void check_stop(const Control& control) {
  if (control.stop != nullptr && *control.stop) throw Interrupted();
}

}  // namespace extremal
